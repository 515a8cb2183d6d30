"""Options that AReaL refuses together.

## What it checks
SAPO with the decoupled loss, LoRA of a Megatron trainer with SGLang, a penalty for overlong answers without its two
numbers.

## Why it matters
The program stops, most of them after the processes have been started.

## Example
    actor:
      use_sapo_loss: true
      use_decoupled_loss: true

## Instead
    actor:
      use_sapo_loss: true
      use_decoupled_loss: false

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import absent, equals, on, together
from grpolint.versions import satisfies


@rule(
    id="AR007",
    name="combination-refused",
    summary="options that AReaL refuses together",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.5"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/trainer/rl_trainer.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/trainer/rl_trainer.py",
            "_validate_cfg raises ValueError for LoRA of Megatron with SGLang, since 1.0.3.",
        ),
        Evidence(
            "areal 1.0.4: areal/trainer/ppo/actor.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/trainer/ppo/actor.py",
            "SAPO with the decoupled loss raises ValueError, and the two numbers of the overlong penalty are asserted.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each combination."""
    yield from together(
        run,
        "the SAPO loss is refused with the decoupled loss",
        on("areal:actor.use_sapo_loss", "SAPO"),
        on("areal:actor.use_decoupled_loss", "refused with it"),
        help="set actor.use_decoupled_loss to false",
    )
    for key in ("overlong_tokens", "overlong_penalty_factor"):
        yield from together(
            run,
            f"the penalty for overlong answers needs {key}",
            on("areal:actor.overlong_reward_penalty", "a penalty"),
            absent(f"areal:actor.{key}"),
            help=f"set actor.{key}",
        )
    if not satisfies(run.run.settings["areal"].version.text, ">=1.0.3"):
        return
    yield from together(
        run,
        "a Megatron trainer with LoRA is refused with SGLang",
        on("areal:actor.use_lora", "LoRA"),
        equals("fact:engine", "megatron", label="Megatron trains"),
        equals("fact:rollout_engine", "sglang", label="SGLang generates"),
        help="generate with vLLM, or train with FSDP",
    )
