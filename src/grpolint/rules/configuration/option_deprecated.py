"""An option that the release in use still takes and a coming one will not.

## What it checks
Options that the release in use declares as deprecated, or that it already has under another name, with what to write instead.

## Why it matters
Nothing is wrong yet. The next upgrade turns it into an error, or into an option that is ignored.

## Example
    {"zero_optimization": {"stage": 3, "cpu_offload": true}}

## Instead
    {"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}}

## Fix safety
No fix: the new option may count in other units.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.catalog.history import successor
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="CF021",
    name="option-deprecated",
    summary="an option that the release in use declares as deprecated",
    severity=Severity.INFO,
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/config.py",
            "cpu_offload and its relatives are fields marked as deprecated, with the field that replaces them.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; nothing is said of a release that is only assumed."""
    for name, settings in run.run.settings.items():
        if settings.version.assumed:
            continue
        for setting in settings:
            if setting.span is None or (name == "verl" and setting.form == "yaml"):
                continue  # a checkout of verl holds its own configuration, the old names included
            option = settings.option(setting.key)
            if option is None or option.record.get("removed"):
                continue
            instead = str(option.record.get("replaced_by") or "")
            old = bool(option.record.get("deprecated"))
            flags = option.record.get("deprecated_flags", {})
            typed = setting.span.text.split("=")[0].split()[0] if setting.span is not None and setting.span.text else ""
            if typed in flags:
                old, instead = True, str(flags[typed] or "")
            elif not instead:
                new = next(
                    filter(None, (successor(name, t.name, option.key, t.version) for t in settings.tables)), None
                )
                old, instead = (True, " and ".join(new.new)) if new is not None and new.new else (old, "")
            if old:
                told = f"; write {instead} instead" if instead else ""
                yield run.finding(
                    f"{name} {option.version} declares {setting.key} as deprecated{told}",
                    (f"{name}:{setting.key}", "deprecated"),
                    help=f"write {instead} instead" if instead else "see what the release says of it",
                )
