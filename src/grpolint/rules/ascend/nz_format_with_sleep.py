"""Weights in the NZ format with an engine that sleeps.

## What it checks
vLLM in sleep mode on an NPU without `VLLM_ASCEND_ENABLE_NZ=0`, where the release of vllm-ascend is given or the variable is 1 or 2.

## Why it matters
vllm-ascend 0.11 and later raises in wake_up ("FRACTAL_NZ mode is enabled"), because weights that training sends do not fit the format: the
run stops after the first rollout. The variable is 1 by default.

## Example
    export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
    python3 -m verl.trainer.main_ppo trainer.device=npu ...

## Instead
    export VLLM_ASCEND_ENABLE_NZ=0

## Fix safety
Setting it strictly prevents a crash.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import AddEnv
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, Undecided, rule
from grpolint.versions import satisfies

_NAME = "VLLM_ASCEND_ENABLE_NZ"
_DEVICE = "verl:trainer.device"


@rule(
    id="AS013",
    name="nz-format-with-sleep",
    summary="sleep mode on an NPU without VLLM_ASCEND_ENABLE_NZ=0",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.6"},
    when={"fact:rollout_engine": "vllm", "fact:rollout_sleep": True},
    evidence=(
        Evidence(
            "vllm-ascend 0.18.0: vllm_ascend/worker/worker.py",
            "https://github.com/vllm-project/vllm-ascend/blob/v0.18.0/vllm_ascend/worker/worker.py",
            "wake_up raises while VLLM_ASCEND_ENABLE_NZ is not 0; so do 0.11.0 and 0.13.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the format stays on."""
    explicit = _NAME in run.run.env
    if not explicit and (run.text(_DEVICE) != "npu" or not run.is_set(_DEVICE)):
        return
    if explicit and run.text(f"env:{_NAME}") not in ("1", "2"):
        return
    release = run.release("vllm-ascend")
    if not explicit and release is None:
        raise Undecided("version:vllm-ascend")
    if run.known("fact:rollout_sleep") is not True or (release is not None and not satisfies(release, ">=0.11")):
        return
    places: list[Place] = [(f"env:{_NAME}", "the NZ format is on")] if explicit else [(_DEVICE, "on NPUs")]
    yield run.finding(
        f"vllm-ascend 0.11 and later does not wake up while {_NAME} is {run.text(f'env:{_NAME}') or '1, its default'}",
        *places,
        ("fact:rollout_sleep", "sleep mode"),
        help=f"set {_NAME}=0",
        changes=(AddEnv(_NAME, "0", safe=True),) if not explicit else (),
    )
