"""The workflow trainer on verl compares no trajectory with another.

## What it checks
A script that passes `workflow_class` to the AgentTrainer on top of `agent_ppo_trainer` since rLLM 0.3, with an estimator that
compares the responses to one prompt.

## Why it matters
Since 0.3 that trainer hands verl the identity of each trajectory as that of its group. A group of one has mean 0 and
deviation 1 there, so the advantage is the reward itself: no baseline, and no negative advantage for failures that earn 0.
Up to 0.2 the identity was that of the task.

## Example
    AgentTrainer(workflow_class=SolverWorkflow, config=config)   # config_name="agent_ppo_trainer"

## Instead
    from rllm.experimental.unified_trainer import AgentTrainer   # config_name="unified"

## Fix safety
None is offered: the trainer is chosen in the script.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_WORKFLOW = "rllm:AgentTrainer.workflow_class"


@rule(
    id="RL002",
    name="workflow-groups-of-one",
    summary="the workflow trainer makes every trajectory a group of its own",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    frameworks={"rllm": ">=0.3.0rc0"},
    evidence=(
        Evidence(
            "rllm 0.3.0-pre: rllm/trainer/verl/agent_workflow_trainer.py",
            "https://github.com/rllm-org/rllm/blob/v0.3.0-pre/rllm/trainer/verl/agent_workflow_trainer.py",
            "Groups are formed by step_ids, which the transform fills with an identity of its own for each trajectory.",
        ),
        Evidence(
            "rllm-org/rllm#605",
            "https://github.com/rllm-org/rllm/issues/605",
            "Four rollouts of one task end up in four groups, with and without step-wise advantages.",
        ),
    ),
    aliases=("D04",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if such a trainer compares groups."""
    if not run.is_set(_WORKFLOW) or run.is_set("rllm:AgentTrainer.agent_run_func"):
        return
    if run.ask("rllm:rllm.backend") is not None or run.ask("verl:actor_rollout_ref.rollout.n") is None:
        return  # the unified trainer, or a training service
    if run.known("fact:group_relative") is not True or run.known("fact:distillation") is True:
        return
    yield run.finding(
        "the workflow trainer makes every trajectory a group of its own: the advantage is the raw reward",
        ("fact:advantage", "compares the responses to one prompt"),
        (_WORKFLOW, "trained by the workflow trainer"),
        help='use the unified trainer (config_name="unified"), which groups by task',
    )
