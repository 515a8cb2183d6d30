"""Groups by prompt.

## What it checks
All responses of a prompt form one group. In verl, TRL and OpenRLHF that is built in; rLLM's workflow trainer makes
every trajectory its own group.

## Why it matters
The handbook: only then is GRPO's advantage normalised over what belongs together.

## Example
    {"group_by_prompt": false, "use_critic": false}

## Instead
    {"group_by_prompt": true, "use_critic": false}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import need, rewarded
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D04", "group-by-prompt", "the responses of one prompt form one group")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where they form several."""
    rewarded(run)
    if need(run, "group_by_prompt", "how responses are grouped") is not True:
        yield run.finding(
            "the responses of a prompt do not form one group",
            ("fact:group_by_prompt", "not by prompt"),
            changes=remedy(run, "group_by_prompt", True),
            help="use a trainer that groups by prompt",
        )
