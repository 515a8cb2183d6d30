"""The colocated engine of TRL 0.19.0 without generation_kwargs.

## What it checks
GRPO of TRL 0.19.0 with `use_vllm=True`, `vllm_mode=colocate` and no `generation_kwargs`.

## Why it matters
That release updates the sampling parameters with `generation_kwargs` whether there are any or not: None raises TypeError at
the first generation.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="colocate")

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="colocate", generation_kwargs={})

## Fix safety
None is offered: a later release is the better remedy, and an empty dictionary is the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR150",
    name="generation-kwargs-missing",
    summary="a colocated engine without generation_kwargs in TRL 0.19.0",
    severity=Severity.ERROR,
    frameworks={"trl": "==0.19.0"},
    when={"trl:use_vllm": True, "fact:trainer_kind": "grpo"},
    evidence=(
        Evidence(
            "trl 0.19.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.19.0/trl/trainer/grpo_trainer.py",
            "The colocated branch calls update with args.generation_kwargs; 0.19.1 asks whether it is None first.",
        ),
        Evidence(
            "huggingface/trl#3633",
            "https://github.com/huggingface/trl/issues/3633",
            "GRPO with a colocated engine and no generation_kwargs stops: NoneType is not iterable.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the engine is colocated and there are none."""
    if run.flag("trl:use_vllm") is not True or run.text("fact:trainer_kind") != "grpo":
        return
    given = run.is_set("trl:generation_kwargs") or any(run.run.settings["trl"].under("generation_kwargs"))
    if not given and run.text("trl:vllm_mode") == "colocate":
        yield run.finding(
            "TRL 0.19.0 with a colocated engine updates the sampling parameters with generation_kwargs, which is None:"
            " the first generation raises TypeError",
            ("trl:vllm_mode", "colocated"),
            ("trl:generation_kwargs", "None"),
            help="install trl 0.19.1 or later, or set generation_kwargs={}",
        )
