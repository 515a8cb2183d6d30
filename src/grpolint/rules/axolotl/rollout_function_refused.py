"""A rollout function that axolotl hands to the wrong class.

## What it checks
`trl.rollout_func` with GRPO in axolotl 0.13 and 0.14.

## Why it matters
These releases pass it to the configuration of GRPO, which has no such argument: TypeError before the model is loaded. Since
0.15 it goes to the trainer.

## Example
    trl:
      rollout_func: rollouts.multi_turn    # axolotl 0.14.0

## Instead
    pip install "axolotl>=0.15"

## Fix safety
None is offered: the later release is the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_KEY = "axolotl:trl.rollout_func"


@rule(
    id="AX150",
    name="rollout-function-refused",
    summary="trl.rollout_func in axolotl before 0.15",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.13,<0.15"},
    when={_KEY: SET},
    evidence=(
        Evidence(
            "axolotl 0.14.0: axolotl/core/trainers/grpo/__init__.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.14.0/src/axolotl/core/trainers/grpo/__init__.py",
            "set_training_args_kwargs puts rollout_func among the arguments of the configuration; 0.15.0 among the trainer's.",
        ),
        Evidence(
            "axolotl-ai-cloud/axolotl#3385",
            "https://github.com/axolotl-ai-cloud/axolotl/issues/3385",
            "rollout_func in the configuration ends in an unexpected keyword argument of AxolotlGRPOConfig.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if GRPO is trained with one."""
    if run.is_set(_KEY) and run.text(_KEY) is not None and run.text("axolotl:rl") in ("grpo", "gdpo"):
        yield run.finding(
            "this release of axolotl hands rollout_func to the configuration of GRPO, which raises TypeError",
            (_KEY, "refused"),
            help="install axolotl 0.15 or later",
        )
