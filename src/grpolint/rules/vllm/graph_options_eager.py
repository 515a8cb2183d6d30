"""Options of CUDA graphs while there are none.

## What it checks
`cudagraph_capture_sizes`, `compilation_config.cudagraph_mode` and their like together with `enforce_eager`.

## Why it matters
`enforce_eager` switches graphs off whatever else is said, so that the other options are lost and generation is slow.

## Example
    actor_rollout_ref.rollout.enforce_eager=True actor_rollout_ref.rollout.cudagraph_capture_sizes="[1,2,4,8]"

## Instead
    actor_rollout_ref.rollout.enforce_eager=False actor_rollout_ref.rollout.cudagraph_capture_sizes="[1,2,4,8]"

## Fix safety
Unsafe: graphs take memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, generates, option

_GRAPHS = (
    "cudagraph_capture_sizes",
    "max_cudagraph_capture_size",
    "compilation_config.cudagraph_mode",
    "compilation_config.cudagraph_capture_sizes",
    "compilation_config.max_cudagraph_capture_size",
)


@rule(
    id="VL030",
    name="graph-options-without-graphs",
    summary="options of CUDA graphs with enforce_eager",
    severity=Severity.WARNING,
    frameworks={"vllm": ">=0.8", "verl": ">=0.4"},
    when={anywhere("vllm", "enforce_eager"): True},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/vllm.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/vllm.py",
            "With enforce_eager the graph mode becomes NONE, whatever the compilation_config says.",
        ),
        Evidence(
            "vllm 0.10.2: vllm/config/__init__.py",
            "https://github.com/vllm-project/vllm/blob/v0.10.2/vllm/config/__init__.py",
            "The same.",
        ),
        Evidence(
            "verl 0.9.1: verl/trainer/config/rollout/rollout.yaml",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/trainer/config/rollout/rollout.yaml",
            "cudagraph_capture_sizes needs enforce_eager=False.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names the options that are lost."""
    eager = option(run, "vllm", "enforce_eager")
    if not generates(run, "vllm") or run.flag(eager) is not True:
        return
    given = [(name, option(run, "vllm", name)) for name in _GRAPHS]
    lost = [(name, ref) for name, ref in given if run.is_set(ref) and run.known(ref) not in (None, "NONE", [], 0)]
    if lost:
        yield run.finding(
            f"enforce_eager switches CUDA graphs off: {', '.join(name for name, _ in lost)} is lost",
            *((ref, "of no effect") for _, ref in lost),
            (eager, "no graphs"),
            changes=(change(eager, value=False),),
        )
