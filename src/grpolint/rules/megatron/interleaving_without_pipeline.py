"""Interleaved stages without a pipeline.

## What it checks
`--num-virtual-stages-per-pipeline-rank` or `--num-layers-per-virtual-pipeline-stage` that make more than one
virtual stage while the pipeline parallel size is 1, and both options at once.

## Why it matters
Megatron stops with an error when it builds its groups. The option stays behind when somebody shrinks a script to
one stage.

## Example
    --num-layers 24 --num-layers-per-virtual-pipeline-stage 6

## Instead
    --num-layers 24 --pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 6

## Fix safety
Safe: one stage has nothing to interleave.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_LAYERS = "megatron:num_layers_per_virtual_pipeline_stage"
_OPTIONS = (
    _LAYERS,
    "megatron:num_virtual_stages_per_pipeline_rank",
)


@rule(
    id="MG024",
    name="interleaving-one-stage",
    summary="interleaved stages in a pipeline of one stage, or given twice",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.13"},
    when={"|".join(_OPTIONS): SET, "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/parallel_state.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/parallel_state.py",
            "initialize_model_parallel raises RuntimeError for virtual stages where the pipeline has one stage.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/training/arguments.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/training/arguments.py",
            "validate_args asserts that at most one of the options is given, and that the pipeline has more than one stage.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    given = [ref for ref in _OPTIONS if run.is_set(ref) and run.known(ref) is not None]
    if not given or run.text("fact:engine") != "megatron":
        return
    if len(given) > 1:
        yield run.finding(
            f"{' and '.join(each.partition(':')[2] for each in given)} say the same thing: Megatron takes one of them only",
            *((each, "") for each in given),
            help="keep one of them",
        )
    stages = run.integer("fact:pp")
    whole = run.integer(given[0]) or 0
    if given[0] == _LAYERS:
        layers = run.integer("fact:layers")
        whole = layers // whole if layers is not None and whole else 0
    if stages == 1 and whole > 1:
        framework, _, key = given[0].partition(":")
        yield run.finding(
            f"{whole} virtual stages on each rank of a pipeline of 1 stage: Megatron refuses to interleave it",
            (given[0], "interleaved"),
            ("fact:pp", "one stage"),
            changes=(RemoveOption(framework, key, safe=True),),
        )
