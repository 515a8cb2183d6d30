"""Ratios of whole responses with a clip range made for tokens.

## What it checks
GSPO (one importance ratio for a response) in TRL, ms-swift, OpenRLHF, slime, AReaL, EasyR1, SkyRL, NeMo-RL and axolotl, with
both sides of the clip range 0.05 or wider. VE068 says the same of verl.

## Why it matters
The ratio is the geometric mean over the tokens of a response. It moves by thousandths between updates, so that a range of 0.2
never clips; the paper takes 3e-4 and 4e-4. With one optimizer step on a rollout nothing needs to be clipped.

## Example
    GRPOConfig(importance_sampling_level="sequence")

## Instead
    GRPOConfig(importance_sampling_level="sequence", epsilon=3e-4, epsilon_high=4e-4)

## Fix safety
Unsafe: it changes the updates.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule

_WIDE = 0.05
"""A range that no mean ratio leaves in practice: the paper's are two orders below."""

_SIDES = {
    "trl": ("epsilon", "epsilon_high"),
    "ms-swift": ("epsilon", "epsilon_high"),
    "slime": ("eps_clip", "eps_clip_high"),
    "areal": ("actor.eps_clip", "actor.eps_clip_higher"),
    "easyr1": ("worker.actor.clip_ratio_low", "worker.actor.clip_ratio_high"),
    "skyrl": ("trainer.algorithm.eps_clip_low", "trainer.algorithm.eps_clip_high"),
    "nemo-rl": ("loss_fn.ratio_clip_min", "loss_fn.ratio_clip_max"),
}


@rule(
    id="GR017",
    name="sequence-ratio-range",
    summary="GSPO outside verl with the clip range of PPO",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks={**dict.fromkeys(_SIDES, ""), "openrlhf": "", "axolotl": ""},
    when={"fact:ratio_level": "sequence", "fact:clip_low": above(0.0499)},
    evidence=(
        Evidence(
            "arXiv 2507.18071 (GSPO), section 5.1",
            "https://arxiv.org/abs/2507.18071",
            "GSPO is run with a left and right range of 3e-4 and 4e-4 beside 0.2 and 0.27 for GRPO, since the two ratios are of different magnitude.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "The ratio of a sequence is clipped with epsilon and epsilon_high like that of a token.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither side can clip."""
    trainer = run.run.trainer
    if trainer in ("verl", "rllm") or run.text("fact:ratio_level") != "sequence":
        return
    low, high = run.number("fact:clip_low"), run.number("fact:clip_high")
    if low is None or high is None or min(low, high) < _WIDE:
        return
    if trainer != "areal" and run.integer("fact:updates_per_rollout") == 1:
        return  # the ratio is 1; AReaL's rollouts may be of an earlier policy all the same
    sides = _SIDES.get(trainer)
    yield run.finding(
        f"one ratio for a response is never clipped at 1 - {low:g} and 1 + {high:g}: it moves by thousandths",
        ("fact:ratio_level", "a ratio for each response"),
        ("fact:clip_low", "a range for tokens"),
        "fact:clip_high",
        help="" if sides else "3e-4 and 4e-4 are those of the paper",
        changes=tuple(SetOption(trainer, key, value) for key, value in zip(sides, (3e-4, 4e-4), strict=True))
        if sides
        else (),
    )
