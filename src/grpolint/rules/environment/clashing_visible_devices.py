"""Two variables that choose devices, which verl refuses together.

## What it checks
`ROCR_VISIBLE_DEVICES` together with `CUDA_VISIBLE_DEVICES` or `HIP_VISIBLE_DEVICES`, and different values of the latter two.

## Why it matters
Each worker of verl stops: the variables number devices in different ways.

## Example
    export ROCR_VISIBLE_DEVICES=0,1,2,3
    export HIP_VISIBLE_DEVICES=0,1,2,3

## Instead
    export HIP_VISIBLE_DEVICES=0,1,2,3

## Fix safety
None is offered: which of them counts is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_ROCR, _HIP, _CUDA = "env:ROCR_VISIBLE_DEVICES", "env:HIP_VISIBLE_DEVICES", "env:CUDA_VISIBLE_DEVICES"


@rule(
    id="EN036",
    name="clashing-visible-devices",
    summary="ROCR_VISIBLE_DEVICES together with CUDA_VISIBLE_DEVICES or HIP_VISIBLE_DEVICES",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.5"},
    when={f"{_ROCR}|{_HIP}": SET},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/single_controller/base/worker.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/single_controller/base/worker.py",
            "Raises ValueError for ROCR with CUDA or HIP, and asserts that HIP and CUDA are equal.",
        ),
        Evidence(
            "ray-project/ray#58449",
            "https://github.com/ray-project/ray/issues/58449",
            "Workers on AMD GPUs start once ROCR_VISIBLE_DEVICES is unset.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first clash."""
    present = [ref for ref in (_ROCR, _HIP, _CUDA) if run.run.env.get(ref.removeprefix("env:")) is not None]
    if len(present) < 2 or (run.run.launch is not None and "ray job submit" in run.run.launch.wrappers):
        return
    values = {ref: run.text(ref) for ref in present}
    names = [ref.removeprefix("env:") for ref in present if values[ref]]
    if values.get(_ROCR) and len(names) > 1:
        yield run.finding(
            f"verl refuses {' together with '.join(names[:2])}", *present, help="unset ROCR_VISIBLE_DEVICES"
        )
    elif values.get(_HIP) and values.get(_CUDA) and values[_HIP] != values[_CUDA]:
        yield run.finding(
            f"verl refuses HIP_VISIBLE_DEVICES={values[_HIP]} with CUDA_VISIBLE_DEVICES={values[_CUDA]}",
            _HIP,
            _CUDA,
            help="set only one of them",
        )
