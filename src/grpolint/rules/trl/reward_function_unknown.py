"""Reward functions that `trl grpo` does not know.

## What it checks
The names in `reward_funcs` of the commands `trl grpo` and `trl rloo`: those that the release has built in, or a
dotted import path.

## Why it matters
The command raises ValueError before training. Names of other projects (`accuracy`, `format` of Open-R1) are not known
to it.

## Example
    trl grpo --reward_funcs accuracy format ...

## Instead
    trl grpo --reward_funcs accuracy_reward think_format_reward ...

## Fix safety
None is offered: which function is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule
from grpolint.versions import satisfies

_BUILT_IN = {
    "think_format_reward": ">=0.18",
    "get_soft_overlong_punishment": ">=0.22",
    "accuracy_reward": ">=0.24",
    "reasoning_accuracy_reward": ">=0.26",
}
"""The functions that the commands find by name, with the releases."""


@rule(
    id="TR021",
    name="reward-function-unknown",
    summary="a reward function that the command does not know",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.18"},
    when={"trl:reward_funcs": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/scripts/grpo.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/scripts/grpo.py",
            "Raises ValueError for a name that is neither built in nor has a dot; the same since 0.18.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each name that the release does not know."""
    if run.run.program not in ("trl grpo", "trl rloo"):
        raise NotApplicable
    functions = run.known("trl:reward_funcs")
    version = run.run.settings["trl"].version
    known = [name for name, since in _BUILT_IN.items() if satisfies(version.text, since)]
    for name in functions if isinstance(functions, list) else [functions]:
        if isinstance(name, str) and "." not in name and name not in known:
            yield run.finding(
                f"{run.run.program} of TRL {version.text} knows no reward function {name}",
                ("trl:reward_funcs", "reward functions"),
                help=f"use one of {', '.join(known)}, or an import path such as my_rewards.{name}",
                severity=Severity.WARNING if version.assumed and name in _BUILT_IN else None,
            )
