"""Two places for the sizes of CUDA graphs.

## What it checks
`cudagraph_capture_sizes` (or `max_cudagraph_capture_size`) beside the same key of `compilation_config`.

## Why it matters
vLLM refuses the pair since 0.11.1. verl since 0.9 replaces what `compilation_config` says, so that one of the two lists is lost.

## Example
    vllm serve Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4 -O.cudagraph_capture_sizes='[1,8]'

## Instead
    vllm serve Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4

## Fix safety
None is offered: which list is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, option, within
from grpolint.versions import satisfies


@rule(
    id="VL029",
    name="graph-sizes-twice",
    summary="the sizes of CUDA graphs are given in two places",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.11.1", "verl": ">=0.7"},
    when={
        f"{anywhere('vllm', 'compilation_config.cudagraph_capture_sizes')}|{anywhere('vllm', 'compilation_config.max_cudagraph_capture_size')}": SET
    },
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/engine/arg_utils.py",
            "create_engine_config raises ValueError for both.",
        ),
        Evidence(
            "vllm 0.11.2: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.11.2/vllm/engine/arg_utils.py",
            "The same check.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "rollout.cudagraph_capture_sizes replaces that of the compilation_config.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each pair."""
    for name in ("cudagraph_capture_sizes", "max_cudagraph_capture_size"):
        alone, inside = option(run, "vllm", name), option(run, "vllm", f"compilation_config.{name}")
        if not run.is_set(inside) or run.known(alone) is None:
            continue
        verl = run.run.settings.get("verl")
        replaced = verl is not None and "engine_kwargs" not in alone and satisfies(verl.version.text, ">=0.9")
        if verl is not None and not replaced and not within(run, "vllm", ">=0.11.1"):
            continue
        says = "verl takes the first and loses the other" if replaced else "vLLM refuses both together"
        yield run.finding(
            f"{name} and compilation_config.{name} are both given: {says}",
            (alone, "one list"),
            (inside, "another"),
            help="keep one of the two",
            severity=Severity.WARNING if replaced else None,
        )
