"""An evaluation that nothing scores.

## What it checks
`--eval.dataset` without `--reward.remote_url` and without `--train.agent_func_path`.

## Why it matters
The program stops with an assertion at the start: a reward model does not score evaluations.

## Example
    --eval.dataset data/test.jsonl --reward.model_name_or_path my/reward-model

## Instead
    --eval.dataset data/test.jsonl --reward.remote_url reward.py

## Fix safety
None is offered: the reward is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="OR023",
    name="evaluation-without-remote-reward",
    summary="eval.dataset needs reward.remote_url or train.agent_func_path",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.7"},
    when={"openrlhf:eval.dataset": SET},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Asserts a remote reward or an agent where there is a dataset for evaluation.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("openrlhf:eval.dataset") in (None, ""):
        return
    scores = ("openrlhf:reward.remote_url", "openrlhf:train.agent_func_path")
    if all(run.known(ref) in (None, "") for ref in scores):
        yield run.finding(
            "an evaluation needs reward.remote_url or train.agent_func_path: OpenRLHF refuses it without",
            ("openrlhf:eval.dataset", "evaluated"),
            *((ref, "") for ref in scores),
            help="name a reward function with --reward.remote_url, or leave the evaluation out",
        )
