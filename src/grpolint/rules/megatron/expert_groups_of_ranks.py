r"""Expert parallel sizes that do not divide the processes.

## What it checks
The number of processes against expert tensor * expert * pipeline parallel size. Where nobody sets the expert tensor
parallel size it is the tensor parallel size.

## Why it matters
Megatron stops with an error when it builds the groups of the experts. Context parallelism does not count here, so
that sizes which fit the rest of the model may not fit the experts.

## Example
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --expert-model-parallel-size 8 --num-experts 64

## Instead
    torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --expert-model-parallel-size 8 \
        --expert-tensor-parallel-size 1 --num-experts 64

## Fix safety
None is offered: which of the sizes to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.megatron._transformer import size
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="MG037",
    name="expert-ranks-not-dividing",
    summary="expert tensor * expert * pipeline parallel size does not divide the processes",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.10", "verl": ">=0.6.1"},
    when={"fact:ep": above(1), "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/parallel_state.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/parallel_state.py",
            "initialize_model_parallel raises RuntimeError where the world is no multiple of expert tensor * expert * pipeline size, and takes the tensor size for want of one of the experts.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron" or (run.integer("fact:ep") or 1) < 2:
        return
    own = size(run, "expert_tensor_parallel_size")
    shards = run.integer(own)
    shared = shards is None
    term = (
        Term("fact:tp", "tensor parallel size (of experts too)") if shared else Term(own, "expert tensor parallel size")
    )
    part = Size.of(
        run, term, Term("fact:ep", "expert parallel size"), Term("fact:pp", "pipeline parallel size", assume=1)
    )
    processes = Size.of(run, Term("fact:world_size", "processes"))
    yield from multiple(
        run,
        processes,
        part,
        "Megatron cannot build the groups of the experts",
        help="give expert_tensor_parallel_size 1, or another expert parallel size" if shared else "",
    )
