"""Checkpoints without the weights or the optimizer.

## What it checks
`checkpoint.save_contents` of the actor lacks `model` or `optimizer`, while checkpoints are written and
`trainer.resume_mode` is not `disable`.

## Why it matters
What is loaded follows what is saved. Without `model` a restart loads no weights: training goes on from the number of
the step, with the initial policy. `hf_model` is written and never read. Without `optimizer` the moments of Adam start
from zero.

## Example
    actor_rollout_ref.actor.checkpoint.save_contents=['hf_model'] trainer.save_freq=50

## Instead
    actor_rollout_ref.actor.checkpoint.save_contents=['model','hf_model','optimizer','extra'] trainer.save_freq=50

## Fix safety
Unsafe in size: the optimizer takes several times what the weights take.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_CONTENTS = "actor_rollout_ref.actor.checkpoint.save_contents"
_MODE = "trainer.resume_mode"


@rule(
    id="VE091",
    name="checkpoint-without-state",
    summary="checkpoints that training cannot continue from",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4.1"},
    when={"verl:actor_rollout_ref.actor.checkpoint.save_contents": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/utils/checkpoint/fsdp_checkpoint_manager.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/utils/checkpoint/fsdp_checkpoint_manager.py",
            "load_checkpoint loads the weights only for model and the optimizer only for optimizer; hf_model has no part in it.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/config/actor/actor.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/actor/actor.yaml",
            "load_contents takes save_contents by default.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a restart loses the weights or the optimizer."""
    contents = run.known(f"verl:{_CONTENTS}")
    if not isinstance(contents, list) or (run.integer("fact:save_every") or 0) < 1:
        return
    if run.text(f"verl:{_MODE}") == "disable" or not str(run.known("fact:engine")).startswith("fsdp"):
        return
    if "model" not in contents:
        message = "save_contents has no model: a restart goes on from the step that was saved, with the initial weights"
    elif "optimizer" not in contents:
        message = "save_contents has no optimizer: a restart begins with empty optimizer states"
    else:
        return
    yield run.finding(
        message,
        (f"verl:{_CONTENTS}", ", ".join(str(each) for each in contents)),
        ("fact:save_every", "checkpoints are written"),
        (f"verl:{_MODE}", ""),
        changes=(SetOption("verl", _CONTENTS, [*contents, *(x for x in ("model", "optimizer") if x not in contents)]),),
    )
