"""A way for the weights that does not fit where the rollout engine runs.

## What it checks
`rollout.checkpoint_engine.backend`, which moves weights from the trainer to the rollout engine: `naive` with
`trainer_mode=separate_async`, and a transfer backend (`nccl`, `nixl` ...) where both share their devices.

## Why it matters
Trainer and rollout engine on separate devices need a transfer; verl asserts it. On shared devices the weights are handed
over in place: since 0.9 another backend is ignored there, before it made the same workers sender and receiver.
The number of ranks has no part in it, and saving checkpoints neither.

## Example
    trainer.v1.trainer_mode=separate_async actor_rollout_ref.rollout.checkpoint_engine.backend=naive

## Instead
    trainer.v1.trainer_mode=separate_async actor_rollout_ref.rollout.checkpoint_engine.backend=nccl

## Fix safety
Safe: without it the run does not start, or the option is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import foreign, ppo_trainer
from grpolint.versions import satisfies

_BACKEND = "actor_rollout_ref.rollout.checkpoint_engine.backend"
_MODE = "verl:trainer.v1.trainer_mode"
_OF_V1 = "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/v1"


@rule(
    id="VE030",
    name="weight-transfer-backend",
    summary="checkpoint_engine.backend does not fit where the rollout engine runs",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7.1"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_separate_async.py",
            f"{_OF_V1}/trainer_separate_async.py",
            "Asserts that the backend is not naive.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/v1/trainer_base.py",
            f"{_OF_V1}/trainer_base.py",
            "The manager of the colocated rollout engines is always made with backend naive.",
        ),
    ),
    aliases=("D09", "N10"),
    when={f"verl:{_BACKEND}|{_MODE}": SET},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for either mismatch."""
    if not run.is_set(f"verl:{_BACKEND}") and not run.is_set(_MODE):
        return
    backend = run.text(f"verl:{_BACKEND}")
    if backend is None:
        return
    separate = run.text(_MODE) == "separate_async" and run.flag("verl:trainer.use_v1") is True
    if separate and backend == "naive":
        yield run.finding(
            "separate_async has its rollout engines on other devices and asserts a transfer backend, not naive",
            (f"verl:{_BACKEND}", "hands weights over in place"),
            (_MODE, "rollout engines of their own"),
            changes=(SetOption("verl", _BACKEND, "nccl", safe=True),),
        )
    elif backend != "naive" and not separate and run.known("fact:rollout_colocated") is True:
        if run.run.launch is None or foreign(run) is not None:
            return  # another trainer may have its rollout engines elsewhere
        ignored = satisfies(run.run.settings["verl"].version.text, ">=0.9")
        effect = "ignored" if ignored else "wrong"
        yield run.finding(
            f"checkpoint_engine.backend={backend} is {effect} where trainer and rollout engine share their devices",
            (f"verl:{_BACKEND}", "for rollout engines on other devices"),
            changes=(SetOption("verl", _BACKEND, "naive", safe=True),),
            severity=Severity.WARNING,
        )
