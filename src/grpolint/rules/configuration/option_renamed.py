"""An option that got another name.

## What it checks
Options that an earlier release had and the one in use no longer takes, with the name that took their place.

## Why it matters
The program stops at the start, or, where nothing checks the names, runs with the default. Scripts outlive releases: OpenRLHF
renamed every option in 0.10.2, verl moved `reward_model.*` to `reward.*`.

## Example
    python3 -m openrlhf.cli.train_ppo_ray --zero_stage 3        # 0.10.2 and later

## Instead
    python3 -m openrlhf.cli.train_ppo_ray --ds.zero_stage 3

## Fix safety
Safe where both names are declared with the same type, choices and default: the program did not start with the old one.
Unsafe otherwise (`--flash_attn` became `--ds.attn_implementation`).
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.catalog.history import interchangeable
from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule


@rule(
    id="CF020",
    name="option-renamed",
    summary="an option that the release in use no longer takes, with the name that took its place",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "openrlhf 0.10.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.10.2/openrlhf/cli/train_ppo_ray.py",
            "Every option has a dotted name from this release on and the old spelling is unknown to the parser.",
        ),
        Evidence(
            "trl 0.28.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v0.28.0/trl/trainer/grpo_config.py",
            "max_prompt_length is no field any more, and the parser refuses what is no field.",
        ),
    ),
    when={"complaint:renamed-key": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; undecided where nobody says which release is in use."""
    unsure = []
    for each in run.run.complaints:
        if each.kind != "renamed-key":
            continue
        if not each.certain:
            unsure.append(f"{each.framework}:{each.key} (version:{each.framework})")
            continue
        new = each.suggestion
        settings = run.run.settings.get(each.framework)
        tables = [table.name for table in settings.tables] if settings is not None else []
        safe = new is not None and any(interchangeable(each.framework, name, each.key, new) for name in tables)
        yield run.finding(
            each.detail,
            *((Label(each.span, f"now {new}" if new else "no longer taken"),) if each.span else ()),
            changes=(RenameOption(each.framework, each.key, new, safe=safe),) if new else (),
            help="" if new else "remove it" if " removed in " in each.detail else "write what took its place",
            severity=Severity.WARNING if " ignores " in each.detail else None,
        )
    if unsure:
        raise Undecided(*unsure)
