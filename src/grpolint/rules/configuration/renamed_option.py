"""An option of another release.

## What it checks
Options that an earlier release had and this one refuses because they were renamed, moved or removed.

## Why it matters
The program stops at the start. Scripts outlive the releases that they were written for.

## Example
    python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.checkpoint.contents=[model]      with verl 0.9

## Instead
    python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.checkpoint.save_contents=[model]

## Fix safety
A rename keeps the value: safe where the catalog knows the one new name.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import Change, RenameOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.configuration._complaints import findings
from grpolint.run import Complaint


@rule(
    id="CF007",
    name="renamed-option",
    summary="an option that has another name in this release",
    severity=Severity.ERROR,
    evidence=(
        Evidence(
            "facebookresearch/hydra#1457",
            "https://github.com/facebookresearch/hydra/issues/1457",
            "Hydra refuses to override a key that is not in the configuration unless it is added with +.",
            "partly",
        ),
        Evidence(
            "Python documentation: argparse",
            "https://docs.python.org/3/library/argparse.html",
            "parse_args ends the program when arguments remain that no option takes.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    yield from findings(
        run,
        "renamed-key",
        label="of another release",
        help="use what took its place, or name the release that has it with --with",
        change=_rename,
    )


def _rename(complaint: Complaint) -> Change | None:
    if complaint.suggestion is None:
        return None
    return RenameOption(complaint.framework, complaint.key, complaint.suggestion, safe=complaint.certain)
