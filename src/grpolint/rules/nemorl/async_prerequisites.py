"""Asynchronous GRPO without what NeMo-RL demands for it.

## What it checks
`grpo.async_grpo.enabled: true` needs importance sampling correction, an asynchronous engine (`vllm_cfg.async_engine`,
for Megatron `mcore_generation_config.async_engine`) and, up to 0.7.0, generation that is not colocated.

## Why it matters
NeMo-RL asserts each of these before the first step, once all workers are up.

## Example
    uv run examples/run_grpo.py grpo.async_grpo.enabled=true

## Instead
    uv run examples/run_grpo.py grpo.async_grpo.enabled=true loss_fn.use_importance_sampling_correction=true policy.generation.vllm_cfg.async_engine=true policy.generation.colocated.enabled=false policy.generation.colocated.resources.gpus_per_node=4

## Fix safety
Unsafe: devices have to be shared out by a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies

_ASYNC = "nemo-rl:grpo.async_grpo.enabled"
_GENERATION = "nemo-rl:policy.generation"
_ENGINES = {
    "vllm": f"{_GENERATION}.vllm_cfg.async_engine",
    "megatron": f"{_GENERATION}.mcore_generation_config.async_engine",
}


@rule(
    id="NR012",
    name="async-grpo-prerequisites",
    summary="asynchronous GRPO without what NeMo-RL demands for it",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"nemo-rl:grpo.async_grpo.enabled": True},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/algorithms/grpo.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/algorithms/grpo.py",
            "async_grpo_train() asserts the engine, the correction and inference that is not colocated.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names all that is missing."""
    if not run.flag(_ASYNC):
        return
    wrong = []
    if run.flag("nemo-rl:loss_fn.use_importance_sampling_correction") is False:
        wrong.append(("nemo-rl:loss_fn.use_importance_sampling_correction", "importance sampling correction is off"))
    engine = _ENGINES.get(run.text("fact:rollout_engine") or "")
    if engine is not None and run.flag(engine) is False:
        wrong.append((engine, "the engine is not asynchronous"))
    colocated = f"{_GENERATION}.colocated.enabled"
    if satisfies(run.run.settings["nemo-rl"].version.text, "<=0.7.0") and run.flag(colocated):
        wrong.append((colocated, "generation is colocated"))
    if wrong:
        reasons = " and ".join(text for _, text in wrong)
        yield run.finding(f"asynchronous GRPO does not start: {reasons}", *wrong, (_ASYNC, "asynchronous"))
