"""An option that the framework does not have.

## What it checks
Options that the release in use refuses: an override of a key that is not in verl's configuration, a flag that the argument
parser does not know, a key in a section of a DeepSpeed JSON that forbids others.

## Why it matters
The program stops at the start, after the job has waited in the queue; and one typing error is seldom alone.

## Example
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.gpu_memory_utilisation=0.6

## Instead
    python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.gpu_memory_utilization=0.6

## Fix safety
Renaming to the option that was meant is unsafe: the value takes effect from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RenameOption
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule
from grpolint.suggest import slip


@rule(
    id="CF001",
    name="unknown-option",
    summary="an option that the framework refuses because it does not have it",
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
    when={"complaint:unknown-key": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; undecided where another release or a fork could have the option."""
    unsure = []
    for each in run.run.complaints:
        if each.kind != "unknown-key" or " ignores " in each.detail:
            continue
        if not each.certain and not (each.suggestion and slip(_name(each.key), _name(each.suggestion))):
            unsure.append(f"{each.framework}:{each.key} (version:{each.framework})")
            continue
        meant = each.suggestion
        yield run.finding(
            each.detail,
            *((Label(each.span, f"did you mean {meant}?" if meant else "no such option"),) if each.span else ()),
            changes=(RenameOption(each.framework, each.key, meant, safe=False),) if meant else (),
            help="" if meant else "remove it, or name the release that has it with --with",
            severity=None if each.certain else Severity.WARNING,
        )
    if unsure:
        raise Undecided(*unsure)


def _name(key: str) -> str:
    return key.rpartition(".")[2]
