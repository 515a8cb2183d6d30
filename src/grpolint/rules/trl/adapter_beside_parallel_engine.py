"""An engine over several devices that waits for the adapter's gradients.

## What it checks
An adapter is trained, vLLM runs in the trainer's processes with `vllm_tensor_parallel_size` above 1, and TRL is older
than 1.8.

## Why it matters
The collectives of the engine race with the last ones of the adapter's gradients, and `generate` hangs until the
watchdog ends the run. It is reported from A40 and A100 cards; H200 machines were not affected.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=2) with LoRA      and TRL 1.5

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=1) with LoRA      and TRL 1.5

## Fix safety
None is offered: the remedies are another release or a smaller engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="TR052",
    name="adapter-beside-parallel-engine",
    summary="a colocated engine with tensor parallelism beside an adapter before TRL 1.8",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"trl": ">=0.18,<1.8"},
    when={"trl:vllm_tensor_parallel_size": above(1), "fact:lora_rank": above(0)},
    evidence=(
        Evidence(
            "huggingface/trl#3671",
            "https://github.com/huggingface/trl/issues/3671",
            "GRPO with LoRA and a colocated engine hangs in generate; A40 and A100 are named, H200 works.",
        ),
        Evidence(
            "huggingface/trl#6139",
            "https://github.com/huggingface/trl/pull/6139",
            "Adds a barrier before generation where an adapter meets a tensor parallel size above 1; released in 1.8.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sizes."""
    if "unsloth" in run.run.settings or run.flag("trl:use_vllm") is not True or run.text("trl:vllm_mode") != "colocate":
        return
    size, rank = run.integer("trl:vllm_tensor_parallel_size"), run.integer("fact:lora_rank")
    if size is not None and size > 1 and rank:
        yield run.finding(
            f"an engine over {size} devices beside an adapter may hang in TRL {run.run.settings['trl'].version.text}",
            ("trl:vllm_tensor_parallel_size", f"over {size} devices"),
            ("fact:lora_rank", f"adapter of rank {rank}"),
            help="use TRL 1.8 or later, or vllm_tensor_parallel_size 1",
        )
