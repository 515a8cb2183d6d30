"""A way of cutting long prompts that nothing takes.

## What it checks
`data.truncation` is set and `data.filter_overlong_prompts` off, in a named release from 0.7 on.

## Why it matters
Since 0.7 the agent loop makes the prompts, and the data set keeps the option without reading it. A prompt above
`max_prompt_length` does not fit the batch in 0.7 and 0.8; 0.9.1 cuts its beginning, whatever the option says.

## Example
    data.truncation=right

## Instead
    data.truncation=right data.filter_overlong_prompts=True

## Fix safety
Unsafe: long prompts are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer
from grpolint.versions import satisfies

_HOW = "data.truncation"
_FILTER = "data.filter_overlong_prompts"


@rule(
    id="VE102",
    name="truncation-unread",
    summary="data.truncation is not read since verl 0.7",
    severity=Severity.INFO,
    frameworks={"verl": ">=0.7"},
    when={"verl:data.truncation": SET, "verl:data.filter_overlong_prompts": False},
    default=False,
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/agent_loop/agent_loop.py",
            "_cap_text_prompt_length keeps the last tokens of a prompt that is too long.",
        ),
        Evidence(
            "verl 0.7.0: verl/utils/dataset/rl_dataset.py",
            "https://github.com/verl-project/verl/blob/v0.7.0/verl/utils/dataset/rl_dataset.py",
            "The data set keeps truncation and does not use it.",
        ),
        Evidence(
            "verl 0.6.1: verl/utils/dataset/rl_dataset.py",
            "https://github.com/verl-project/verl/blob/v0.6.1/verl/utils/dataset/rl_dataset.py",
            "The data set cuts, or raises an error, as the option says.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if long prompts are neither left out nor cut as written."""
    version = run.run.settings["verl"].version
    if version.assumed or run.flag(f"verl:{_FILTER}") is not False:
        return
    how = run.text(f"verl:{_HOW}")
    cut = satisfies(version.text, ">=0.9.1")
    if how is None or (cut and how == "left"):
        return
    outcome = "cuts the beginning of long prompts" if cut else "has no room for longer prompts in its batches"
    yield run.finding(
        f"data.truncation {how} is not read since verl 0.7: {version.text} {outcome}",
        (f"verl:{_HOW}", "not read"),
        (f"verl:{_FILTER}", "long prompts stay"),
        changes=(SetOption("verl", _FILTER, value=True),),
    )
