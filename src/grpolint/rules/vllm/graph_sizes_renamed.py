"""Sizes of CUDA graphs under a name that is gone.

## What it checks
`rollout.cudagraph_capture_sizes` in verl 0.6 to 0.8 with vLLM 0.13 or later.

## Why it matters
These releases hand the list on as `--cuda-graph-sizes`, which vLLM does not know any more: the server refuses its command line.

## Example
    actor_rollout_ref.rollout.cudagraph_capture_sizes="[1,2,4,8]"      with verl 0.8 and vllm 0.13

## Instead
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_capture_sizes="[1,2,4,8]"

## Fix safety
None is offered: the list has to move elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.engines import generates, within
from grpolint.rules.verl._trainer import ppo_trainer

_SIZES = "verl:actor_rollout_ref.rollout.cudagraph_capture_sizes"


@rule(
    id="VL037",
    name="graph-sizes-renamed",
    summary="verl's cudagraph_capture_sizes under a name that vLLM no longer has",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.6,<0.9"},
    when={_SIZES: SET},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "The sizes are handed on as cuda_graph_sizes.",
        ),
        Evidence(
            "vllm 0.13.0: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.13.0/vllm/engine/arg_utils.py",
            "cuda_graph_sizes is no option any more; 0.12 still had it.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "From 0.9 on the sizes go into the compilation_config.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the list is set."""
    if run.known(_SIZES) in (None, []) or not generates(run, "vllm") or not within(run, "vllm", ">=0.13"):
        return
    yield run.finding(
        "verl before 0.9 hands cudagraph_capture_sizes on as cuda_graph_sizes, which vLLM 0.13 removed",
        (_SIZES, "handed on under the old name"),
        help="use verl 0.9, or give the sizes in engine_kwargs.vllm.compilation_config",
    )
