"""The same option twice in one command, with different values.

## What it checks
An override or flag that is written twice with different literal values in the same launch.

## Why it matters
The last one wins without a word. Whoever edits the first one sees no effect.

## Example
    actor_rollout_ref.rollout.n=8 trainer.nnodes=1 actor_rollout_ref.rollout.n=4

## Instead
    actor_rollout_ref.rollout.n=4 trainer.nnodes=1

## Fix safety
None is offered: which of the two was meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.documents.source import Span
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.run import Setting
from grpolint.values import VARIABLES, Known

_FORMS = ("override", "flag")


@rule(
    id="CF011",
    name="option-repeated",
    summary="the same option twice in one command with different values",
    severity=Severity.WARNING,
    evidence=(
        Evidence(
            "Hydra documentation: override grammar",
            "https://hydra.cc/docs/advanced/override_grammar/basic/",
            "Overrides are applied in order, so that the last assignment to a key is the one that counts.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each option whose values differ."""
    for settings in run.run.settings.values():
        for setting in settings:
            first = next((old for old in setting.shadows if _differs(old, setting)), None)
            if first is None or first.span is None or setting.span is None:
                continue
            yield run.finding(
                f"{setting.key} is set twice: {_value(first)} is replaced by {_value(setting)}",
                Label(setting.span, "this one counts"),
                Label(first.span, "has no effect"),
                help="keep one of the two",
            )


def _differs(old: Setting, new: Setting) -> bool:
    """Whether both stand as literals in one list: a base with a list of overrides after it is a habit.

    Flags that take a list may be given item by item.
    """
    if old.form not in _FORMS or new.form not in _FORMS or old.span is None or new.span is None:
        return False
    if not isinstance(old.value, Known) or not isinstance(new.value, Known) or not _one_list(old.span, new.span):
        return False
    if new.form == "flag" and isinstance(new.value.value, list):
        return False
    if any(span.text.lstrip("'\"").startswith("$") for span in (old.span, new.span)):
        return False  # "$@": what a caller appends is meant to replace
    literal = all(each.value.origins[-1].what not in VARIABLES for each in (old, new) if isinstance(each.value, Known))
    return literal and old.value.value != new.value.value


def _one_list(first: Span, second: Span) -> bool:
    """Whether no array begins or ends between two words."""
    if first.source is not second.source or first.end > second.start:
        return False
    between = first.source.text[first.end : second.start]
    return "=(" not in between and not any(line.strip().startswith(")") for line in between.splitlines()[1:])


def _value(setting: Setting) -> str:
    return show(setting.value.value) if isinstance(setting.value, Known) else ""
