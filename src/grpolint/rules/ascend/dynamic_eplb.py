"""dynamic_eplb without the variable that switches it on.

## What it checks
`additional_config.eplb_config.dynamic_eplb` without `DYNAMIC_EPLB=true` or `EXPERT_MAP_RECORD=true` in the environment.

## Why it matters
vllm-ascend asserts that one of the two is set: the engine does not start.

## Example
    vllm serve ... --additional-config '{"eplb_config": {"dynamic_eplb": true}}'

## Instead
    DYNAMIC_EPLB=true vllm serve ... --additional-config '{"eplb_config": {"dynamic_eplb": true}}'

## Fix safety
Setting the variable strictly prevents a crash.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import AddEnv
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies

_SWITCHES = (
    "vllm:additional_config.eplb_config.dynamic_eplb",
    "verl:actor_rollout_ref.rollout.engine_kwargs.vllm.additional_config.eplb_config.dynamic_eplb",
)


@rule(
    id="AS015",
    name="dynamic-eplb-without-variable",
    summary="dynamic_eplb without DYNAMIC_EPLB=true",
    severity=Severity.ERROR,
    frameworks={"vllm": "", "verl": ""},
    when={"|".join(_SWITCHES): SET},
    evidence=(
        Evidence(
            "vllm-ascend 0.18.0: vllm_ascend/ascend_config.py",
            "https://github.com/vllm-project/vllm-ascend/blob/v0.18.0/vllm_ascend/ascend_config.py",
            "EplbConfig asserts that DYNAMIC_EPLB or EXPERT_MAP_RECORD is true.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if neither is set."""
    switch = next((ref for ref in _SWITCHES if run.is_set(ref) and run.flag(ref) is True), None)
    release = run.release("vllm-ascend")
    if switch is None or run.run.launch is None or (release is not None and not satisfies(release, ">=0.13")):
        return
    if "EXPERT_MAP_RECORD" in run.run.env or (run.text("env:DYNAMIC_EPLB") or "").lower() in ("true", "1"):
        return
    yield run.finding(
        "vllm-ascend does not start with dynamic_eplb unless DYNAMIC_EPLB is true",
        (switch, "switched on here"),
        "env:DYNAMIC_EPLB",
        help="export DYNAMIC_EPLB=true",
        changes=(AddEnv("DYNAMIC_EPLB", "true", safe=True),),
    )
