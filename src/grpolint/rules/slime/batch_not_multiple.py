"""Samples of a rollout that do not fill whole optimizer steps.

## What it checks
`--rollout-batch-size` times `--n-samples-per-prompt` must be a multiple of `--global-batch-size`, which counts
samples and not prompts, and not be below it.

## Why it matters
Up to 0.2.1 slime stops with an assertion. Later releases drop the samples that are left over, after they were
generated and scored; with fewer samples than one step takes, the run ends after the first rollout.

## Example
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 96

## Instead
    python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 128

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, at_least, multiple
from grpolint.rules.slime._options import global_batch, own_rollout
from grpolint.versions import satisfies


@rule(
    id="SL001",
    name="rollout-not-filling-steps",
    summary="rollout-batch-size * n-samples-per-prompt is not a multiple of global-batch-size",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.2.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.2.1/slime/utils/arguments.py",
            "The product is asserted to be a multiple of global_batch_size.",
        ),
        Evidence(
            "slime 0.3.1: slime/utils/dp_schedule.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/dp_schedule.py",
            "Steps are counted by whole division, the rest is dropped, and at least one step is asserted.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if samples are left over or too few."""
    step = Size.of(run, Term(global_batch(run), "global-batch-size"))
    if step is None or step.value < 1 or run.flag("slime:use_dynamic_global_batch_size") is True:
        return
    samples = Size.of(
        run,
        Term("slime:rollout_batch_size", "rollout-batch-size"),
        Term("slime:n_samples_per_prompt", "n-samples-per-prompt"),
    )
    asserted = satisfies(run.run.settings["slime"].version.text, "<0.2.2")
    severity = None if asserted else Severity.WARNING
    if samples is not None and samples.value < step.value and not asserted:
        soft = Severity.WARNING if own_rollout(run) else None  # a function of one's own may make more of a prompt
        yield from at_least(run, samples, step, "a rollout does not fill one optimizer step", severity=soft)
        return
    why = "slime refuses it" if asserted else "the samples left over are generated and never trained on"
    yield from multiple(run, samples, step, why, severity=severity)
