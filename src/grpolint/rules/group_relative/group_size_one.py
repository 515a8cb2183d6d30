"""A group-relative advantage over groups of one sample.

## What it checks
The advantage of a sample is relative to the other samples of its prompt (GRPO, RLOO, GPG ...), but only one sample is
drawn for each prompt, whether someone wrote 1 or the default decides.

## Why it matters
With one sample there is nothing to compare with. Depending on the framework the advantage becomes the raw reward (no
baseline, a much noisier gradient), zero (nothing is learned), or the run is refused.

## Example
    python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=1

## Instead
    python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8

## Fix safety
Unsafe: a larger group multiplies the work of a step and changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, below, rule
from grpolint.rules.verl._trainer import ppo_trainer

_OPTION = {
    "verl": ("actor_rollout_ref.rollout.n", "the advantage is the raw reward"),
    "trl": ("num_generations", "TRL refuses fewer than 2"),
    "openrlhf": ("rollout.n_samples_per_prompt", "OpenRLHF refuses a group of one"),
    "slime": ("n_samples_per_prompt", "every reward is its own mean, so that the advantage is zero"),
    "areal": ("gconfig.n_samples", "every reward is its own mean, so that the advantage is zero"),
    "rllm": ("", "the advantage is the raw reward"),
    "easyr1": ("worker.rollout.n", "EasyR1 refuses a group of one"),
    "skyrl": ("generator.n_samples_per_prompt", "the advantage is the raw reward"),
    "nemo-rl": ("grpo.num_generations_per_prompt", "the baseline is the reward itself, so that the advantage is zero"),
    "ms-swift": ("num_generations", "ms-swift refuses a group of one"),
    "axolotl": ("trl.num_generations", "axolotl refuses fewer than 2"),
    "roll": ("num_return_sequences_in_group", "every reward is its own mean, so that the advantage is zero"),
    "open-instruct": (
        "num_samples_per_prompt_rollout",
        "every group is filtered out, or the reward is its own mean and the advantage zero",
    ),
    "prime-rl": ("orchestrator.group_size", "every reward is its own mean, so that the advantage is zero"),
    "handbook": ("group_size", "there is nothing to compare with"),
}
"""Option that sets the group size in each framework, and what a group of one does there."""


@rule(
    id="GR001",
    name="group-size-one",
    summary="group-relative advantage with one sample per prompt",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    frameworks=dict.fromkeys(_OPTION, ""),
    evidence=(
        Evidence(
            "verl 0.9.1: verl/trainer/ppo/core_algos.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/ppo/core_algos.py",
            "compute_grpo_outcome_advantage keeps mean 0 and std 1 for a group of one, so the advantage is the reward itself.",
        ),
        Evidence(
            "rllm-org/rllm#605",
            "https://github.com/rllm-org/rllm/issues/605",
            "A trainer that made every trajectory its own group, and the question what the advantage then means.",
            "partly",
        ),
    ),
    aliases=("D07", "N07"),
    when={"fact:group_size": below(2)},
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for a group-relative run whose group size is 1, or 0."""
    size = run.integer("fact:group_size")
    if run.known("fact:group_relative") is not True or size not in (0, 1):
        return
    if run.known("fact:distillation") is True:  # a teacher scores every token: no group is needed
        raise NotApplicable
    trainer = run.run.trainer
    key, effect = _OPTION.get(trainer, ("", "there is nothing to compare with"))
    advantage = str(run.known("fact:advantage") or "group-relative").upper()
    yield run.finding(
        f"{advantage} with one sample per prompt has no baseline: {effect}"
        if size
        else f"{advantage} with no sample per prompt has nothing to learn from",
        ("fact:group_size", f"{size} responses per prompt" if size != 1 else "1 response per prompt"),
        ("fact:advantage", "group-relative advantage chosen here"),
        changes=(SetOption(trainer, key, 8),) if key else (),
    )
