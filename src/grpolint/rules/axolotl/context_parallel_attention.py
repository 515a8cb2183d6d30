"""Context parallelism and an attention that makes no ring.

## What it checks
context_parallel_size (sequence_parallel_degree) above 1 without flash attention, and before 0.20 with sample_packing
and micro_batch_size above 1.

## Why it matters
The configuration is refused: the ring is built on flash attention 2, and packed sequences fill it one at a time.

## Example
    context_parallel_size: 4
    sdp_attention: true

## Instead
    context_parallel_size: 4
    flash_attention: true

## Fix safety
Unsafe for the micro batch, safe for the attention.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.versions import satisfies


@rule(
    id="AX008",
    name="context-parallel-attention",
    summary="context parallelism of axolotl without what its ring needs",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.8.1"},
    when={"fact:sp": above(1)},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_context_parallel_size raises ValueError unless flash attention 2 is chosen, and before 0.20 for packed micro batches above 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.integer("fact:sp")
    if size is None or size < 2 or run.flag("axolotl:use_glm_dsa_kernels") is True:
        return
    named = run.text("axolotl:attn_implementation")
    flash = run.flag("axolotl:flash_attention") is True or (named or "").startswith(
        ("flash_attention_2", "flash_attention2")
    )
    if not flash:
        modern = satisfies(run.run.settings["axolotl"].version.text, ">=0.17")
        change = ("attn_implementation", "flash_attention_2") if modern else ("flash_attention", True)
        yield run.finding(
            f"context parallelism over {size} ranks is refused without flash attention 2",
            ("fact:sp", "a ring"),
            "axolotl:attn_implementation",
            changes=(SetOption("axolotl", change[0], change[1]),),
        )
    micro = run.integer("axolotl:micro_batch_size") or 1
    old = satisfies(run.run.settings["axolotl"].version.text, "<0.20")
    if old and micro > 1 and run.flag("axolotl:sample_packing") is True:
        yield run.finding(
            f"micro_batch_size {micro} is refused with packed samples and context parallelism",
            "axolotl:micro_batch_size",
            "axolotl:sample_packing",
            ("fact:sp", "a ring"),
            changes=(SetOption("axolotl", "micro_batch_size", 1),),
        )
