"""An optimizer that does not work on shards.

## What it checks
muon with DeepSpeed, or (since 0.13) with FSDP in its first version, which is the default; adamw_8bit and
adamw_bnb_8bit with FSDP2.

## Why it matters
The configuration is refused. Muon needs whole matrices, and the 8-bit kernels do not take distributed tensors.

## Example
    optimizer: muon
    deepspeed: deepspeed_configs/zero2.json

## Instead
    optimizer: muon
    fsdp_version: 2
    fsdp_config: {reshard_after_forward: true}

## Fix safety
Unsafe where another optimizer is offered.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.axolotl._sharding import fsdp_version, where
from grpolint.versions import satisfies


@rule(
    id="AX006",
    name="optimizer-not-for-sharding",
    summary="an optimizer of axolotl with sharding that it does not take",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.8.1"},
    when={"axolotl:optimizer": SET},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_muon_deepspeed_fsdp and check_fsdp2_w_8bit_optimizer raise ValueError; Muon with FSDP1 is refused since 0.13.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    optimizer = (run.text("axolotl:optimizer") or "").lower()
    if optimizer == "muon" and run.known("axolotl:deepspeed"):
        places = (("axolotl:optimizer", "needs whole matrices"), "axolotl:deepspeed")
        yield run.finding("muon is refused with DeepSpeed", *places, help="shard with FSDP2, or take another optimizer")
    if optimizer not in ("muon", "adamw_8bit", "adamw_bnb_8bit"):
        return
    version = fsdp_version(run)
    if optimizer == "muon":
        if version == 1 and satisfies(run.run.settings["axolotl"].version.text, ">=0.13"):
            change = SetOption("axolotl", "fsdp_version", 2)
            yield run.finding("muon is refused with FSDP1", "axolotl:optimizer", where(run), changes=(change,))
    elif version == 2:
        yield run.finding(
            f"{optimizer} is refused with FSDP2",
            "axolotl:optimizer",
            (where(run), "FSDP2"),
            changes=(SetOption("axolotl", "optimizer", "adamw_torch_8bit"),),
        )
