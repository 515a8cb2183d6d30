"""TRL's generation batch does not hold whole groups.

## What it checks
The completions of one generation must be a multiple of `num_generations`. They are `per_device_train_batch_size *
processes` up to 0.16, times `gradient_accumulation_steps` in 0.17, times `steps_per_generation` since (or
`generation_batch_size`).

## Why it matters
TRL refuses it on every rank, after the job has started.

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
from grpolint.records import replace
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, Undecided, rule
from grpolint.rules.relations import Size, Term, multiple
from grpolint.versions import satisfies


@rule(
    id="TR001",
    name="generation-batch-not-divisible",
    summary="the generation batch is not a multiple of num_generations",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.15"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "GRPOConfig.__post_init__ derives generation_batch_size and raises ValueError if it leaves a remainder.",
        ),
        Evidence(
            "trl 0.16.1: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.16.1/trl/trainer/grpo_trainer.py",
            "Before, GRPOTrainer raised ValueError unless num_generations divides the batch of all processes.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if groups are cut."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    if "unsloth" in run.run.settings and run.known("trl:generation_batch_size") is None:
        raise NotApplicable("Unsloth makes the batch fit")
    if run.run.stranger and satisfies(run.run.settings["trl"].version.text, "<0.18"):
        raise Undecided(f"program:{run.run.stranger}")  # the trainer itself counted then, and this is another one
    groups = Size.of(run, Term("trl:num_generations", "num_generations", "size of a group"))
    if groups is None or groups.value < 2:
        return
    whole = Size.of(run, Term("trl:generation_batch_size", "generation_batch_size")) or Size.of(run, *_terms(run))
    rest = whole.value % groups.value if whole is not None else 0
    if whole is not None:
        near = [size for size in (whole.value - rest, whole.value + groups.value - rest) if size]
        advice = f"make it a multiple of {groups.value}: {' or '.join(map(str, near))}"
        for finding in multiple(run, whole, groups, "TRL generates whole groups only", help=advice):
            yield replace(finding, severity=Severity.WARNING) if _elsewhere(run) else finding


def _elsewhere(run: Inquiry) -> bool:
    """Whether a script of the user's own trains with a release that nobody names: its trainer may count otherwise."""
    launch = run.run.launch
    return launch is not None and not launch.program.startswith("trl") and run.run.settings["trl"].version.assumed


def _terms(run: Inquiry) -> tuple[Term, ...]:
    """What the size of a generation is made of, by release."""
    terms = (
        Term("transformers:per_device_train_batch_size", "per_device_train_batch_size"),
        Term("fact:world_size", "processes"),
    )
    if satisfies(run.run.settings["trl"].version.text, "<0.17"):
        return terms
    written = run.integer("trl:steps_per_generation") is not None
    accumulated = Term("transformers:gradient_accumulation_steps", "gradient_accumulation_steps")
    return (*terms, Term("trl:steps_per_generation", "steps_per_generation") if written else accumulated)
