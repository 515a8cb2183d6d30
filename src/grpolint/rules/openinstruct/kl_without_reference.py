"""A KL coefficient without the reference policy.

## What it checks
`--load_ref_policy False` with `--beta` other than 0 (0.05 by default).

## Why it matters
open-instruct raises ValueError while it reads the flags.

## Example
    python open_instruct/grpo_fast.py --load_ref_policy False

## Instead
    python open_instruct/grpo_fast.py --load_ref_policy False --beta 0.0

## Fix safety
Unsafe: whether the penalty or the memory of the reference is meant to go is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Condition, off, together


@rule(
    id="OI003",
    name="kl-without-loaded-reference",
    summary="a KL coefficient without the reference policy",
    severity=Severity.ERROR,
    frameworks={"open-instruct": ">=0.1"},
    when={"open-instruct:load_ref_policy": False},
    evidence=(
        Evidence(
            "open-instruct 0.3.0: open_instruct/grpo_utils.py",
            "https://github.com/allenai/open-instruct/blob/v0.3.0/open_instruct/grpo_utils.py",
            "The configuration raises ValueError unless beta is 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the coefficient is not zero."""
    yield from together(
        run,
        "the KL coefficient needs the reference policy, which is not loaded",
        off("open-instruct:load_ref_policy", "not loaded"),
        Condition("open-instruct:beta", _not_zero, "weight of the penalty"),
        help="add --beta 0.0, or load the reference",
    )


def _not_zero(run: Inquiry, ref: str) -> bool:
    return run.number(ref) not in (None, 0)
