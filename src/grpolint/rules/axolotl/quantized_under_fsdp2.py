"""A quantized base model under FSDP2.

## What it checks
load_in_4bit or load_in_8bit with fsdp_version 2 and rl dpo, kto, orpo or ipo; since 0.19 also load_in_4bit with
fsdp_config.cpu_ram_efficient_loading.

## Why it matters
The first is refused because the reference model cannot be sharded. In the second only one rank quantizes, so that the
ranks wait for shards of another size; before 0.19 it hangs.

## Example
    rl: dpo
    load_in_4bit: true
    fsdp_version: 2

## Instead
    rl: dpo
    load_in_4bit: true
    deepspeed: deepspeed_configs/zero2.json

## Fix safety
None is offered for the first; the second only loads in another way.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.axolotl._sharding import fsdp_version, where
from grpolint.versions import satisfies


@rule(
    id="AX007",
    name="quantized-under-fsdp2",
    summary="a quantized base model that axolotl refuses under FSDP2",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.12"},
    when={"axolotl:load_in_4bit|axolotl:load_in_8bit": True},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_fsdp2_base_model_quant_rl raises ValueError for preferences with a quantized base model, and check_fsdp2_cpu_ram_efficient_loading_w_4bit (since 0.19) for loading on one rank.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    bits = next((key for key in ("load_in_4bit", "load_in_8bit") if run.flag(f"axolotl:{key}") is True), None)
    if bits is None or fsdp_version(run) != 2:
        return
    kind = run.text("axolotl:rl")
    if kind in ("dpo", "kto", "orpo", "ipo"):
        yield run.finding(
            f"{bits} is refused with rl {kind} under FSDP2",
            f"axolotl:{bits}",
            "axolotl:rl",
            (where(run), "FSDP2"),
            help="shard with DeepSpeed, or train an unquantized base model",
        )
    late = satisfies(run.run.settings["axolotl"].version.text, ">=0.19")
    key = "fsdp_config.cpu_ram_efficient_loading"
    if bits == "load_in_4bit" and late and run.flag(f"axolotl:{key}") is True:
        yield run.finding(
            "cpu_ram_efficient_loading is refused with load_in_4bit under FSDP2",
            (f"axolotl:{key}", "one rank loads"),
            ("axolotl:load_in_4bit", "and quantizes alone"),
            changes=(SetOption("axolotl", key, value=False, safe=True),),
        )
