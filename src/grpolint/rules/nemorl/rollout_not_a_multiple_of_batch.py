"""The samples of a NeMo-RL step are not a multiple of train_global_batch_size.

## What it checks
`num_prompts_per_step * num_generations_per_prompt` against `policy.train_global_batch_size`, which counts samples.

## Why it matters
The samples of a step are cut into global batches, and NeMo-RL asserts that nothing is left over: after generation,
with the first step's rollouts already paid for.

## Example
    uv run examples/run_grpo.py grpo.num_prompts_per_step=64 grpo.num_generations_per_prompt=6 policy.train_global_batch_size=512

## Instead
    uv run examples/run_grpo.py grpo.num_prompts_per_step=64 grpo.num_generations_per_prompt=8 policy.train_global_batch_size=512

## Fix safety
Unsafe: another batch size changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple

_SECTIONS = ("grpo", "ppo", "distillation")


@rule(
    id="NR003",
    name="rollout-not-a-multiple-of-global-batch",
    summary="the samples of a NeMo-RL step are not a multiple of train_global_batch_size",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.3"},
    when={"fact:group_size": SET},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/distributed/batched_data_dict.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/distributed/batched_data_dict.py",
            "shard_by_batch_size asserts that the total batch is a multiple of batch_size, the global batch in train().",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if samples are left over."""
    section = next((name for name in _SECTIONS if run.known(f"nemo-rl:{name}.num_prompts_per_step") is not None), None)
    if section is None:
        return
    samples = Size.of(
        run,
        Term(f"nemo-rl:{section}.num_prompts_per_step", "num_prompts_per_step", "prompts"),
        Term(f"nemo-rl:{section}.num_generations_per_prompt", "num_generations_per_prompt", "responses each"),
    )
    batch = Size.of(
        run, Term("nemo-rl:policy.train_global_batch_size", "train_global_batch_size", "samples of an update")
    )
    yield from multiple(
        run,
        samples,
        batch,
        "NeMo-RL stops after the first rollouts",
        help="set policy.train_global_batch_size to the samples of a step, or to a divisor of them",
    )
