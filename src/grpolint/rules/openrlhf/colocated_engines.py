"""Engines that do not fill the devices which they share.

## What it checks
With `--train.colocate_all` (formerly `--colocate_all_models`) and without asynchronous training, `vllm.num_engines *
vllm.tensor_parallel_size` must equal the GPUs of the actor.

## Why it matters
The program stops with an assertion after Ray has placed the actor.

## Example
    --train.colocate_all --actor.num_gpus_per_node 8 --vllm.num_engines 2 --vllm.tensor_parallel_size 2

## Instead
    --train.colocate_all --actor.num_gpus_per_node 8 --vllm.num_engines 4 --vllm.tensor_parallel_size 2

## Fix safety
None is offered: more engines or larger ones is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term


@rule(
    id="OR001",
    name="colocated-engines-mismatch",
    summary="with colocated models the vLLM engines must fill the actor GPUs exactly",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.5.9"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that both numbers are equal where models are colocated.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("openrlhf:train.colocate_all") is not True or run.flag("openrlhf:train.async_enable") is True:
        return
    engines = Size.of(
        run,
        Term("openrlhf:vllm.num_engines", "vllm.num_engines", "engines"),
        Term("openrlhf:vllm.tensor_parallel_size", "vllm.tensor_parallel_size", "GPUs of each"),
    )
    actor = Size.of(
        run,
        Term("openrlhf:actor.num_nodes", "actor.num_nodes"),
        Term("openrlhf:actor.num_gpus_per_node", "actor.num_gpus_per_node", "of the actor"),
    )
    if engines is not None and actor is not None and engines.value > 0 and engines.value != actor.value:
        yield run.finding(
            f"{engines.equation} GPUs of engines are not the {actor.value} GPUs of the actor, which they share",
            *engines.places,
            *actor.places,
            help="with colocated models the engines must fill the actor's GPUs exactly",
        )
