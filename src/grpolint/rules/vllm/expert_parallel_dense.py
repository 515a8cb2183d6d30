"""Expert parallelism for a model without experts.

## What it checks
`--enable-expert-parallel` of a vLLM server, or an `expert_parallel_size` above 1 of verl's rollout with vLLM, while the model is
dense.

## Why it matters
vLLM refuses to start.

## Example
    vllm serve Qwen/Qwen3-8B --tensor-parallel-size 4 --enable-expert-parallel

## Instead
    vllm serve Qwen/Qwen3-8B --tensor-parallel-size 4

## Fix safety
Safe: without it the same model is served.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import Change
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, generates, option, removal

_SIZE = "verl:actor_rollout_ref.rollout.expert_parallel_size"


@rule(
    id="VL022",
    name="expert-parallel-without-experts",
    summary="expert parallelism of vLLM for a dense model",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.8", "verl": ">=0.6", "skyrl": ""},
    when={"fact:moe": False, f"{anywhere('vllm', 'enable_expert_parallel')}|{_SIZE}": (True, *range(2, 129))},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/model.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/model.py",
            "_verify_with_expert_parallelism raises ValueError for a model without experts.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/config.py",
            "The same check in an older release.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "enable_expert_parallel is set for an expert_parallel_size above 1.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if not generates(run, "vllm"):
        return
    ref = option(run, "vllm", "enable_expert_parallel")
    remedy: Change = removal(ref, safe=True)
    if "verl" in run.run.settings and (run.integer(_SIZE) or 1) > 1:
        ref, remedy = _SIZE, change(_SIZE, 1, safe=True)
    elif run.flag(ref) is not True:
        return
    if run.known("fact:moe") is not False:
        return
    yield run.finding(
        f"{run.text('fact:model')} has no experts: vLLM refuses expert parallelism",
        (ref, "expert parallelism"),
        ("fact:model", "dense"),
        changes=(remedy,),
    )
