"""A batch that Unsloth makes larger.

## What it checks
Under Unsloth, `per_device_train_batch_size * gradient_accumulation_steps * processes` is not a multiple of
`num_generations`, and neither `steps_per_generation` nor `generation_batch_size` is set.

## Why it matters
TRL would refuse it; Unsloth sets the batch of a device to `num_generations` instead. Memory and the number of prompts
of a step are not those that are written.

## Example
    GRPOConfig(per_device_train_batch_size=1, gradient_accumulation_steps=1, num_generations=6)      with Unsloth

## Instead
    GRPOConfig(per_device_train_batch_size=6, gradient_accumulation_steps=1, num_generations=6)      with Unsloth

## Fix safety
Safe: it says what Unsloth does anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, above, rule
from grpolint.rules.relations import Size, Term

_BATCH = "per_device_train_batch_size"


@rule(
    id="TR082",
    name="unsloth-batch-changed",
    summary="Unsloth changes per_device_train_batch_size to num_generations",
    severity=Severity.INFO,
    frameworks={"unsloth": ""},
    when={"trl:num_generations": above(1)},
    evidence=(
        Evidence(
            "Unsloth: unsloth/models/rl.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth/blob/main/unsloth/models/rl.py",
            "The patched config sets per_device_train_batch_size to num_generations and prints it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    if run.known("trl:steps_per_generation") is not None or run.known("trl:generation_batch_size") is not None:
        return
    groups = run.integer("trl:num_generations")
    batch = Size.of(
        run,
        Term(f"transformers:{_BATCH}", _BATCH),
        Term("transformers:gradient_accumulation_steps", "gradient_accumulation_steps"),
    )
    if batch is None or not groups or batch.value % groups == 0:
        return
    alone = run.run.source.path.endswith(".ipynb")
    processes = 1 if alone else run.integer("fact:world_size")
    if processes is not None and batch.value * processes % groups:
        shown = f" in {processes} processes" if processes > 1 else ""
        yield run.finding(
            f"Unsloth changes {_BATCH} to {groups}: {batch.equation}{shown} is no multiple of num_generations {groups}",
            *batch.places,
            ("trl:num_generations", "size of a group"),
            changes=(SetOption("transformers", _BATCH, groups, safe=True),),
        )
