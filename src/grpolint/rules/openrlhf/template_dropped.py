r"""A template that is dropped, or that holds a backslash for a line break.

## What it checks
`--data.input_template` without the place `{}` for the prompt, or with the two characters backslash and n, as quotes
of the shell other than `$'...'` leave them.

## Why it matters
Without a place for the prompt OpenRLHF drops the template with a line of output: the model is trained without it. A
backslash and an n reach the model as they stand.

## Example
    --data.input_template 'Question: '

## Instead
    --data.input_template $'Question: {}\nAnswer:'

## Fix safety
None is offered: the template is part of the task.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_TEMPLATE = "openrlhf:data.input_template"
_QUOTES = "'\" "


@rule(
    id="OR025",
    name="template-dropped",
    summary="data.input_template without {} is dropped, and \\\\n in it is no line break",
    severity=Severity.WARNING,
    frameworks={"openrlhf": ">=0.5"},
    when={_TEMPLATE: SET},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_ppo_ray.py",
            "Sets input_template to none where it has no {}, and warns of a backslash and n.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    text = run.text(_TEMPLATE)
    if text is None or not text.strip(_QUOTES):
        return
    if "{}" not in text:
        yield run.finding(
            "the input template has no {} for the prompt: OpenRLHF drops it",
            (_TEMPLATE, "dropped"),
            help="write {} where the prompt belongs",
        )
    elif "\\n" in text:
        yield run.finding(
            "the input template has a backslash and an n where a line break is meant: they reach the model as two characters",
            (_TEMPLATE, "no line break"),
            help="write it as $'...' in the shell",
        )
