"""Images with what cannot take them.

## What it checks
`--data.max_images_per_prompt` above 0 together with `--ds.packing_samples`, or with the estimator gae, which has a
critic.

## Why it matters
The program stops with an assertion at the start.

## Example
    --data.max_images_per_prompt 1 --ds.packing_samples

## Instead
    --data.max_images_per_prompt 1

## Fix safety
None is offered: another estimator is another algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_IMAGES = "openrlhf:data.max_images_per_prompt"


@rule(
    id="OR022",
    name="images-with-packing-or-critic",
    summary="images with packed samples or a critic",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.10"},
    when={_IMAGES: above(0)},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Asserts both where max_images_per_prompt is above 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    images = run.integer(_IMAGES)
    if not images or images < 1:
        return
    if run.flag("openrlhf:ds.packing_samples") is True:
        yield run.finding(
            "samples with images cannot be packed: OpenRLHF refuses packing_samples with them",
            (_IMAGES, "images"),
            ("openrlhf:ds.packing_samples", "packed"),
            changes=(RemoveOption("openrlhf", "ds.packing_samples", safe=True),),
        )
    if run.text("openrlhf:algo.advantage.estimator") == "gae":
        yield run.finding(
            "the critic takes no images: OpenRLHF refuses the estimator gae with them",
            (_IMAGES, "images"),
            ("openrlhf:algo.advantage.estimator", "trains a critic"),
            help="use an estimator without critic: group_norm, rloo, reinforce_baseline",
        )
