"""Two engines that would both shard the trainer.

## What it checks
DeepSpeed's ZeRO and FSDP in one run: both keys in a flat configuration, both options of Transformers' Trainer, both switches of
`accelerate launch`. And verl with DeepSpeed: as its strategy, or a ZeRO stage beside options that only verl has.

## Why it matters
One engine shards the trainer. The Trainer and accelerate refuse both at the start; verl has no DeepSpeed engine at all, so that
whatever is said of ZeRO holds for nothing there.

## Example
    {"zero_stage": 2, "fsdp_mode": "fsdp1"}

## Instead
    {"fsdp_mode": "fsdp1"}

## Fix safety
No fix: which of the two is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.verl._trainer import foreign

_OF_VERL = ("bypass_mode", "checkpoint_mode")
"""Keys of the flat configuration for which only verl has an option."""

_PAIRS = (
    ("transformers:fsdp", "transformers:deepspeed", "Transformers' Trainer refuses fsdp together with deepspeed"),
    (
        "accelerate:use_fsdp",
        "accelerate:use_deepspeed",
        "accelerate launch takes one of --use_deepspeed and --use_fsdp",
    ),
)
"""Options that exclude each other, and who says so."""

_HELP = "keep the engine that the trainer has: ZeRO for TRL and OpenRLHF, FSDP for verl"


@rule(
    id="CF030",
    name="two-sharding-engines",
    summary="ZeRO and FSDP together, or ZeRO with verl: one engine shards the trainer",
    severity=Severity.ERROR,
    frameworks={"handbook": "", "transformers": "", "accelerate": "", "verl": ""},
    evidence=(
        Evidence(
            "transformers 5.24.0: trainer.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/trainer.py",
            "The Trainer raises ValueError where fsdp is given and DeepSpeed is enabled.",
        ),
        Evidence(
            "accelerate 1.15.0: commands/launch.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/commands/launch.py",
            "The launcher takes one of --use_deepspeed and --use_fsdp at a time.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/engine.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/engine.py",
            "Its engines are FSDP, Megatron, VeOmni, TorchTitan and Automodel; none of them is DeepSpeed.",
        ),
    ),
    aliases=("D01", "D06"),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each pair."""
    if run.run.trainer == "handbook":
        yield from _flat(run)
    elif run.run.trainer == "verl":
        key = "verl:actor_rollout_ref.actor.strategy"
        if run.text(key) == "deepspeed" and foreign(run) is None:
            yield run.finding(
                "verl has no DeepSpeed engine", (key, "no such engine"), help="set it to fsdp2 or megatron"
            )
    else:
        for fsdp, deepspeed, message in _PAIRS:
            if run.setting(fsdp) is None or run.setting(deepspeed) is None:
                continue
            if all(run.known(ref) not in (None, False, "", [], "false", "False") for ref in (fsdp, deepspeed)):
                places = (fsdp, "FSDP shards here"), (deepspeed, "DeepSpeed shards here")
                yield run.finding(message, *places, help="keep one of them")


def _flat(run: Inquiry) -> Iterator[Finding]:
    stage, version = run.known("handbook:zero_stage"), run.known("fact:fsdp_version")
    if stage is None:
        raise NotApplicable("no ZeRO stage is told")
    zero = ("handbook:zero_stage", "DeepSpeed shards here")
    if version is not None:
        message = f"ZeRO stage {stage} and FSDP{version} cannot both shard the trainer"
        yield run.finding(message, ("handbook:fsdp_mode", f"FSDP{version} shards here"), zero, help=_HELP)
    told = [key for key in _OF_VERL if run.known(f"handbook:{key}") is not None]
    if told:
        message = f"{told[0]} is verl's, and verl has no DeepSpeed engine: ZeRO stage {stage} is in vain there"
        yield run.finding(message, zero, *((f"handbook:{key}", "only verl has it") for key in told), help=_HELP)
