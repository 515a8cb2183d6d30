"""Which trainer a verl run has.

What verl demands of its batches is known of its own PPO trainers. Programs of recipes and forks have trainers of their own,
which may count otherwise; programs that generate, evaluate or fine-tune use the same configuration and demand nothing of
it. A configuration file on its own is a base: the overrides of a launch complete it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from grpolint.findings import Finding, Severity
from grpolint.records import replace
from grpolint.rules.api import Inquiry, NotApplicable, Undecided
from grpolint.versions import satisfies

__all__ = ["engine_workers", "foreign", "ppo_trainer", "start_check"]

_OWN = (
    "verl.trainer.main_ppo",
    "verl.trainer.main_ppo_sync",
    "verl.trainer.main_ppo_v0",
    "verl.experimental.one_step_off_policy.main_ppo",
)
_OTHER = ("main_generation", "main_eval", "sft_trainer", "verl.experimental.vla", "recipe.vla")


def foreign(run: Inquiry) -> str | None:
    """The program where it is not one of verl's own PPO trainers, None for those.

    Raises NotApplicable where it trains nothing by PPO, or by steps of environments.
    """
    if run.run.launch is None:
        return None
    program = run.run.program.removesuffix(".py").replace("/", ".").lstrip(".")
    if any(word in program for word in _OTHER):
        raise NotApplicable
    own = any(program == name or program.endswith("." + name) for name in _OWN)
    return None if own else run.run.program


def engine_workers(run: Inquiry) -> bool:
    """Whether the workers over engines train: always since 0.8, in 0.7 where they are asked for. Raises Undecided."""
    version = run.run.settings["verl"].version.text
    return satisfies(version, ">=0.8") or run.text("verl:trainer.use_legacy_worker_impl") == "disable"


Check = Callable[[Inquiry], Iterator[Finding]]


def ppo_trainer(check: Check) -> Check:
    """A check of what verl's own PPO trainers demand: for other trainers, and for a base file, its errors are warnings.

    Where a default takes part, nobody says that another trainer reads the option at all: the rule is undecided then. So it
    is of programs that are not even called like those of verl and its recipes (`main_...`): frameworks on top of verl.
    """
    return _wrapped(check, at_start=False)


def start_check(check: Check) -> Check:
    """`ppo_trainer` for what verl checks of the whole configuration before it starts: rLLM's trainers call that too, but
    for those of 0.2.1.
    """
    return _wrapped(check, at_start=True)


def _wrapped(check: Check, *, at_start: bool) -> Check:
    @functools.wraps(check)
    def checked(run: Inquiry) -> Iterator[Finding]:
        note, program, stranger = "", None, False
        if run.run.trainer == "rllm":
            if not at_start:
                program = run.run.program
                note = "rLLM's trainers stand on verl's workers: they may read its options in their own way"
            elif satisfies(run.run.settings["rllm"].version.text, ">=0.2.1,<0.3.0rc0"):
                raise NotApplicable
        elif run.run.trainer == "verl":
            program = foreign(run)
            if program is not None:
                note = f"{program} is not verl's own trainer: it may read its options in its own way"
                stranger = "main" not in program.removesuffix(".py").replace("/", ".").rpartition(".")[2]
            elif run.run.launch is None:
                note = "this file is a base: what a launch overrides is not in it"
        if run.run.stranger:  # a fork that counts in its own way
            stranger, program = True, run.run.stranger
        doubtful = False
        for finding in check(run):
            if stranger or (program is not None and any(" by default (" in each for each in finding.notes)):
                doubtful = True
            else:
                yield (
                    replace(finding, severity=_softer(finding, run.usual), notes=(*finding.notes, note))
                    if note
                    else finding
                )
        if doubtful:
            raise Undecided(f"program:{program}")

    return checked


def _softer(finding: Finding, usual: Severity) -> Severity:
    return min(finding.severity or usual, Severity.WARNING)
