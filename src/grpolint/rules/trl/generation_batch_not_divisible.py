"""TRL's generation batch does not hold whole groups.

## What it checks
The generation batch (`per_device_train_batch_size * processes * steps_per_generation`, or `generation_batch_size`) must
be a multiple of `num_generations`.

## Why it matters
GRPOConfig refuses it on every rank, after the job has started.

## Example
    GRPOConfig(per_device_train_batch_size=4, gradient_accumulation_steps=1, num_generations=8)      on 1 GPU

## Instead
    GRPOConfig(per_device_train_batch_size=4, gradient_accumulation_steps=2, num_generations=8)      on 1 GPU

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule

_WHOLE = "trl:generation_batch_size"
_STEPS = "trl:steps_per_generation"
_MICRO = "transformers:per_device_train_batch_size"
_ACCUMULATION = "transformers:gradient_accumulation_steps"
_N = "trl:num_generations"


@rule(
    id="TR001",
    name="generation-batch-not-divisible",
    summary="the generation batch is not a multiple of num_generations",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.18"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ derives generation_batch_size and raises ValueError if it leaves a remainder.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if groups are cut."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    n = run.integer(_N)
    if not n:
        return
    whole = run.integer(_WHOLE)
    places = [(_N, f"groups of {n}")]
    if whole is not None:
        equation = f"generation_batch_size {whole}"
        places.append((_WHOLE, ""))
    else:
        steps = run.integer(_STEPS)
        ref = _STEPS if steps is not None else _ACCUMULATION
        steps = steps if steps is not None else run.integer(_ACCUMULATION)
        micro, processes = run.integer(_MICRO), run.integer("fact:world_size")
        if steps is None or micro is None or processes is None:
            return
        whole = micro * processes * steps
        equation = f"{micro} per device * {processes} processes * {steps} steps = {whole}"
        places += [(_MICRO, ""), (ref, ""), ("fact:world_size", "")]
    if whole % n:
        advice = f"make it a multiple of {n}: {whole - whole % n or n} or {whole + n - whole % n}"
        yield run.finding(f"generation batch {equation}, not a multiple of num_generations {n}", *places, help=advice)
