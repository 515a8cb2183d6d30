"""A word that Hydra takes for a text.

## What it checks
verl options that are truth values, or are null or a number by default, and are given a word that Hydra and OmegaConf leave a text:
`None`, `no`, `off`, `yes`. Only `null`, `true` and `false` are more than text to them.

## Why it matters
A text is true whatever it says: `use_kl_loss=no` turns the loss on, and `=None` is something where nothing was meant.

## Example
    python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_kl_loss=no

## Instead
    python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_kl_loss=false

## Fix safety
Unsafe: the value takes effect as it was meant from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.values import Default, Known

_MEANT = {"none": None, "no": False, "off": False, "yes": True, "on": True, "n": False, "y": True}


@rule(
    id="CF023",
    name="text-for-value",
    summary="a word that Hydra takes for a text, where null or a truth value is meant",
    severity=Severity.WARNING,
    frameworks={"verl": ""},
    evidence=(
        Evidence(
            "Hydra documentation: override grammar",
            "https://hydra.cc/docs/advanced/override_grammar/basic/",
            "null, true and false are values whatever their letter case; None, yes, no, on and off are strings.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each such option."""
    settings = run.run.settings.get("verl")
    for setting in settings or ():
        value = setting.value
        if settings is None or setting.span is None or not isinstance(value, Known) or not isinstance(value.value, str):
            continue
        text = value.value
        default = settings.default(setting.key) if text.lower() in _MEANT else None
        if not isinstance(default, Default):
            continue
        meant = _MEANT[text.lower()]
        switch = isinstance(default.value, bool)
        if not (switch or (meant is None and (default.value is None or isinstance(default.value, (int, float))))):
            continue
        counts = "which is not nothing" if meant is None else "which counts as true"
        yield run.finding(
            f"{setting.key} is the text {text!r} for Hydra, {counts}; what is meant is written {show(meant)}",
            (f"verl:{setting.key}", "a text"),
            changes=(SetOption("verl", setting.key, meant),),
        )
