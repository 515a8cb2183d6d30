"""A repository for completions that nobody logs.

## What it checks
`log_completions_hub_repo` while `log_completions` is off.

## Why it matters
There would be nothing to upload, and GRPOConfig refuses it.

## Example
    GRPOConfig(log_completions_hub_repo="me/completions")

## Instead
    GRPOConfig(log_completions=True, log_completions_hub_repo="me/completions")

## Fix safety
Safe: logging does not change training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, off, together


@rule(
    id="TR026",
    name="completions-unlogged",
    summary="log_completions_hub_repo without log_completions",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.28"},
    when={"trl:log_completions_hub_repo": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "Raises ValueError; first released in 0.28.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    yield from together(
        run,
        "log_completions_hub_repo is set and log_completions is off: TRL refuses it",
        Condition("trl:log_completions_hub_repo", lambda run, ref: bool(run.known(ref)), "to be uploaded"),
        off("trl:log_completions"),
        changes=(SetOption("trl", "log_completions", value=True, safe=True),),
    )
