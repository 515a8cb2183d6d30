"""FSDP in releases of TRL that do not hand its weights to vLLM.

## What it checks
vLLM generates while FSDP shards the trainer: any FSDP before TRL 0.18, FSDP2 before 0.20.

## Why it matters
Before 0.18 TRL passes shards for whole parameters. Up to 0.19 it looks for modules of FSDP1 only: with FSDP2 nothing
is handed over, and the rollouts come from the initial model.

## Example
    fsdp_config: {fsdp_version: 2}      with TRL 0.19 and use_vllm

## Instead
    fsdp_config: {fsdp_version: 2}      with TRL 0.21 and use_vllm

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="TR033",
    name="fsdp-not-synced",
    summary="FSDP with vLLM before TRL gathers its parameters",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.15,<0.20"},
    when={"fact:engine": ("fsdp", "fsdp2"), "trl:use_vllm": True},
    evidence=(
        Evidence(
            "huggingface/trl#3670",
            "https://github.com/huggingface/trl/issues/3670",
            "With FSDP2 the parameters are never synchronised to vLLM, so that training goes nowhere.",
        ),
        Evidence(
            "huggingface/trl#3260",
            "https://github.com/huggingface/trl/pull/3260",
            "Adds the gathering of parameters under FSDP.",
        ),
        Evidence(
            "trl 0.19.1: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.19.1/trl/trainer/grpo_trainer.py",
            "_sync_fsdp_params_to_vllm visits instances of FullyShardedDataParallel only; 0.20.0 has a path for FSDP2.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("trl:use_vllm") is not True or run.known("fact:group_relative") is not True:
        return
    engine = run.text("fact:engine")
    version = run.run.settings["trl"].version.text
    early = satisfies(version, "<0.18")
    if engine == "fsdp2" or (early and engine == "fsdp"):
        what = "passes shards of FSDP for whole parameters" if early else "hands nothing of FSDP2 to vLLM"
        yield run.finding(
            f"TRL {version} {what}",
            ("fact:engine", "sharded"),
            ("trl:use_vllm", "vLLM generates"),
            help="use TRL 0.21 or later" if engine == "fsdp2" else "use TRL 0.18 or later",
        )
