"""CUDA_VISIBLE_DEVICES that the DeepSpeed launcher throws away.

## What it checks
`CUDA_VISIBLE_DEVICES` set for the `deepspeed` launcher together with `--num_gpus`, `--include` or `--exclude` on one machine.

## Why it matters
The launcher prints that it ignores the variable and deletes it: with `--num_gpus 2` the processes run on devices 0 and 1, wherever
somebody else's job may be.

## Example
    CUDA_VISIBLE_DEVICES=4,5 deepspeed --num_gpus 2 train.py

## Instead
    deepspeed --include localhost:4,5 train.py

## Fix safety
None is offered: the run moves to other devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.values import Known

_VARIABLE = "env:CUDA_VISIBLE_DEVICES"

_DEVICES = 1024
"""Devices that no single machine has."""


@rule(
    id="EN022",
    name="deepspeed-ignores-devices",
    summary="CUDA_VISIBLE_DEVICES with options for which the DeepSpeed launcher ignores it",
    severity=Severity.ERROR,
    when={_VARIABLE: SET, "fact:launcher": "deepspeed"},
    evidence=(
        Evidence(
            "deepspeed: deepspeed/launcher/runner.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/master/deepspeed/launcher/runner.py",
            "With --include, --exclude, --num_gpus or several nodes the variable is ignored and deleted.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the devices that run are others than the variable lists."""
    options = launcher_options(run.run, "deepspeed")
    text = run.text(_VARIABLE)
    if options is None or not text or options.value("hostfile") is not None:
        return
    listed = [each.strip() for each in text.split(",") if each.strip()]
    count = options.value("num_gpus")
    include = options.value("include")
    if isinstance(count, Known) and isinstance(count.value, int) and 0 < count.value <= _DEVICES:
        runs = [str(device) for device in range(count.value)]
        flag = options.last("num_gpus")
    elif isinstance(include, Known) and ":" in str(include.value) and "@" not in str(include.value):
        runs = [each.strip() for each in str(include.value).partition(":")[2].split(",")]
        flag = options.last("include")
    else:
        return
    if listed != runs and flag is not None:
        places = [Label(flag.span, "for this the variable is ignored")] if flag.span is not None else []
        yield run.finding(
            f"deepspeed ignores CUDA_VISIBLE_DEVICES={text} here: the processes run on devices {','.join(runs)}",
            (_VARIABLE, "ignored"),
            *places,
            help=f"replace both by --include localhost:{','.join(listed)}",
        )
