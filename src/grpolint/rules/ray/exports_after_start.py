"""Variables exported after `ray start`, which the workers do not inherit.

## What it checks
`ray start` in the script, then `export` of a variable that NCCL, PyTorch, vLLM or Hugging Face read, then a trainer that connects to the cluster.

## Why it matters
Workers inherit the environment that `ray start` saw. What is exported later is seen by the driver alone, unless the trainer hands it on.

## Example
    ray start --head
    export NCCL_P2P_DISABLE=1
    python3 -m verl.trainer.main_ppo ...

## Instead
    export NCCL_P2P_DISABLE=1
    ray start --head
    python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.environment._names import read_by_programs

_ON_RAY = {"verl": "", "easyr1": "", "rllm": "", "openrlhf": "", "skyrl": ""}
_DRIVER = ("HYDRA_FULL_ERROR", "RAY_", "CUDA_VISIBLE_DEVICES", "WANDB_", "OMP_NUM_THREADS", "TOKENIZERS_PARALLELISM")
"""Read by the driver, or set for each worker by Ray."""
_HANDED_ON = ("NCCL_ALGO", "NCCL_DETERMINISTIC", "NCCL_DEBUG", "VLLM_BATCH_INVARIANT", "VLLM_LOGGING_LEVEL")
"""Handed on by verl, or of no consequence for the result."""


@rule(
    id="RA003",
    name="exports-after-ray-start",
    summary="variables exported after ray start, which the workers do not inherit",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks=_ON_RAY,
    when={"fact:ray_commands": above(0)},
    evidence=(
        Evidence(
            "ray documentation: environment dependencies",
            "https://docs.ray.io/en/latest/ray-core/handling-dependencies.html",
            "Workers get env_vars of the runtime environment in addition to the environment of their node.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/constants_ppo.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/constants_ppo.py",
            "Names the few variables that verl hands from the driver to the workers.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding with all of them."""
    launch = run.run.launch
    starts = [each for each in launch.earlier if any(word.text == "start" for word in each.words)] if launch else []
    if launch is None or not starts or starts[-1].condition is not None or launch.wrappers[:1] == ("ray job submit",):
        return
    given = {key.rpartition(".")[2] for key in _runtime_variables(run)}
    late = [
        name
        for name, word in launch.env.items()
        if read_by_programs(name)
        and not name.startswith((*_DRIVER, *_HANDED_ON))
        and name not in given
        and name not in starts[-1].env
        and any(origin.span is not None for origin in word.origins)
    ]
    if late:
        yield run.finding(
            f"{', '.join(late)} {'do' if late[1:] else 'does'} not reach the workers, which have the environment that ray start saw",
            *((f"env:{name}", "exported too late") for name in late),
            Label(starts[-1].span, "the workers' environment is that of this command"),
            help="export them before ray start, or name them in ray_kwargs.ray_init.runtime_env.env_vars",
        )


def _runtime_variables(run: Inquiry) -> list[str]:
    settings = run.run.settings.get(run.run.trainer)
    return [setting.key for setting in settings if "runtime_env" in setting.key] if settings is not None else []
