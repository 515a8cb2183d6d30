"""A model spread over the devices in each of several processes.

## What it checks
A script that loads its model with `device_map` auto or balanced is started in several processes.

## Why it matters
Each process would spread its copy over all devices. accelerate refuses to train such a model in any distributed mode.

## Example
    model = AutoModelForCausalLM.from_pretrained(name, device_map="auto")
    accelerate launch --num_processes 4 train.py

## Instead
    model = AutoModelForCausalLM.from_pretrained(name)
    accelerate launch --num_processes 4 train.py

## Fix safety
None is offered: whether to spread the model or the batch is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule

_MAP = "transformers:from_pretrained.device_map"


@rule(
    id="TR065",
    name="spread-model-in-processes",
    summary="device_map=auto in a distributed launch",
    severity=Severity.ERROR,
    confidence=Confidence.MEDIUM,
    frameworks={"trl": ""},
    when={"transformers:from_pretrained.device_map": ("auto", "balanced", "balanced_low_0", "sequential")},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/accelerator.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/accelerator.py",
            "prepare_model raises ValueError for a model on several devices in any distributed mode; so does 1.0.1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the number of processes."""
    if "unsloth" in run.run.settings or run.run.launch is None:
        raise NotApplicable
    if not run.is_set(_MAP) or run.text(_MAP) not in ("auto", "balanced", "balanced_low_0", "sequential"):
        return
    if run.run.env.get("ACCELERATE_BYPASS_DEVICE_MAP") is not None:
        return
    processes = run.integer("fact:world_size")
    if processes is not None and processes > 1:
        yield run.finding(
            f"device_map={run.text(_MAP)} in {processes} processes: accelerate refuses a model that each spreads over all devices",
            (_MAP, "over all devices"),
            ("fact:world_size", f"{processes} processes"),
            help="leave device_map out, or start one process",
        )
