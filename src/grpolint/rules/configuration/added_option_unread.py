"""An option that is added with `+` and is one letter away from a real one.

## What it checks
verl overrides with `+` or `++` that add a key which no release has, beside a key that is spelled almost alike.

## Why it matters
`+` silences the only check there is: Hydra adds whatever it is given. The real option keeps its default and nobody says so; where the
section becomes a dataclass the program stops instead.

## Example
    python3 -m verl.trainer.main_ppo +actor_rollout_ref.actor.kl_loss_coeff=0.001

## Instead
    python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.kl_loss_coef=0.001

## Fix safety
Unsafe: the value takes effect from then on. Of a fork that reads such a key, silence the finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.catalog.history import history
from grpolint.changes import RenameOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.run import Settings
from grpolint.values import Default

_ALIKE = 0.9


@rule(
    id="CF024",
    name="added-option-unread",
    summary="an option added with + that is spelled almost like a real one",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ""},
    evidence=(
        Evidence(
            "Hydra documentation: basic override syntax",
            "https://hydra.cc/docs/advanced/override_grammar/basic/",
            "An override with + adds a key that the configuration does not have, whatever its name.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each such key."""
    settings = run.run.settings.get("verl")
    if settings is None or settings.open_reason is not None:
        return
    for setting in settings:
        if setting.span is None or setting.form != "override" or not setting.span.text.lstrip("'\"").startswith("+"):
            continue
        meant = _meant(settings, setting.key) if not isinstance(settings.default(setting.key), Default) else None
        if meant is not None and settings.get(meant) is None:
            yield run.finding(
                f"nothing in verl {settings.version.text} reads {setting.key}; {meant} is spelled almost alike and keeps its default",
                (f"verl:{setting.key}", f"did you mean {meant}?"),
                changes=(RenameOption("verl", setting.key, meant, safe=False),),
            )


def _meant(settings: Settings, key: str) -> str | None:
    """The key of the same section that could be meant; None for a key that some release has."""
    from difflib import SequenceMatcher

    if any(history("verl", table.name, key) is not None for table in settings.tables):
        return None
    section, _, name = key.rpartition(".")
    best: tuple[float, str] | None = None
    for other in settings.keys():  # noqa: SIM118 - the defaults too
        above, _, last = other.rpartition(".")
        if above != section or last == name or last.rstrip("0123456789") == name.rstrip("0123456789"):
            continue
        if name.startswith(last + "_") or last.startswith(name + "_"):
            continue
        ratio = SequenceMatcher(None, name, last).ratio()
        if ratio >= _ALIKE and (best is None or ratio > best[0]) and settings.get(other) is None:
            best = (ratio, other)
    return best[1] if best is not None else None
