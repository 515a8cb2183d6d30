"""FSDP2 that is asked for in one place while the other place decides.

## What it checks
The version of FSDP that `actor.strategy` and `actor.fsdp_config.strategy` ask for, where the one that is not read says
fsdp2: the outer one with the engine workers of 0.7 (`trainer.use_legacy_worker_impl=disable`), the inner one since 0.8.

## Why it matters
The run silently trains with FSDP1. Models with several position indices (Qwen3-VL, Qwen3.5) crash under it, and memory
and checkpoints are not those of FSDP2.

## Example
    actor_rollout_ref.actor.fsdp_config.strategy=fsdp2      with verl 0.9.1

## Instead
    actor_rollout_ref.actor.strategy=fsdp2

## Fix safety
Unsafe: it changes what the run trains with, to what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import engine_workers, ppo_trainer
from grpolint.versions import satisfies

_OUTER = "actor_rollout_ref.actor.strategy"
_INNER = "actor_rollout_ref.actor.fsdp_config.strategy"


@rule(
    id="VE032",
    name="fsdp-strategy-overruled",
    summary="fsdp2 is asked for where nothing reads it",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.7"},
    evidence=(
        Evidence(
            "verl-project/verl#5885",
            "https://github.com/verl-project/verl/pull/5885",
            "The engine workers read the strategy of fsdp_config only and fell back to FSDP1; the outer one is copied since 0.8.0.",
        ),
        Evidence(
            "verl-project/verl#7597",
            "https://github.com/verl-project/verl/pull/7597",
            "Since then fsdp_config.strategy=fsdp2 alone is overwritten by the default fsdp of actor.strategy.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/config/actor.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/config/actor.py",
            "FSDPActorConfig sets the engine's strategy to its own.",
        ),
    ),
    aliases=("D06", "N06"),
    when={f"verl:{_OUTER}|verl:{_INNER}": "fsdp2"},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if what is read says fsdp and what is not says fsdp2."""
    read, unread = _OUTER, _INNER
    if satisfies(run.run.settings["verl"].version.text, "<0.8"):
        if not engine_workers(run):
            return
        read, unread = _INNER, _OUTER
    if run.run.setting("verl", unread) is None or run.text(f"verl:{unread}") != "fsdp2":
        return
    if (run.text(f"verl:{read}") or "fsdp") == "fsdp":
        yield run.finding(
            f"{unread.removeprefix('actor_rollout_ref.')}=fsdp2 is not read: "
            f"{read.removeprefix('actor_rollout_ref.')} decides, and that is fsdp (FSDP1)",
            (f"verl:{unread}", "not read"),
            (f"verl:{read}", "decides"),
            changes=(SetOption("verl", read, "fsdp2"),),
        )
