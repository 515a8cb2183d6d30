"""A scheduler with a learning rate of its own.

## What it checks
A `scheduler` of type WarmupLR or WarmupDecayLR whose `warmup_max_lr` is not given while its release has the default
0.001 (WarmupLR before 0.17.2, WarmupDecayLR in every release), or is another number than `optimizer.params.lr`.

## Why it matters
The scheduler sets the learning rate of every step. The one of the optimizer is never used: without `warmup_max_lr`
a run meant for 1e-6 climbs to 1e-3 within a thousand steps, and the policy is destroyed.

## Example
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6}},
     "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 50, "total_num_steps": 1000}}}

## Instead
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6}},
     "scheduler": {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 50, "total_num_steps": 1000, "warmup_max_lr": 1e-6}}}

## Fix safety
Unsafe: it changes the learning rate, to the one that the optimizer states.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show
from grpolint.rules.deepspeed._automatic import automatic
from grpolint.versions import satisfies

_MAX = "deepspeed:scheduler.params.warmup_max_lr"


def automatic_setting(run: Inquiry) -> bool:
    """Whether the Trainer fills the peak."""
    setting = run.setting(_MAX)
    return setting is not None and automatic(setting)


@rule(
    id="DS031",
    name="scheduler-ignores-rate",
    summary="DeepSpeed's warm-up schedulers train with their own rate, 0.001 where none is given",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ""},
    when={"deepspeed:scheduler.type": ("WarmupLR", "WarmupDecayLR")},
    evidence=(
        Evidence(
            "deepspeed 0.19.5: deepspeed/runtime/lr_schedules.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.5/deepspeed/runtime/lr_schedules.py",
            "WarmupDecayLR has the default 0.001 for warmup_max_lr, WarmupLR has none since 0.17.2, and both set the rate of all groups.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    kind = run.text("deepspeed:scheduler.type")
    if kind not in ("WarmupLR", "WarmupDecayLR"):
        return
    rate = run.number("fact:learning_rate")
    if rate is None:
        return
    given = run.is_set(_MAX) and run.known(_MAX) is not None
    if not given:
        if kind == "WarmupLR" and satisfies(run.run.settings["deepspeed"].version.text, ">=0.17.2"):
            return  # takes the rate of the optimizer
        peak = 0.001
    elif automatic_setting(run):
        return
    else:
        found = run.number(_MAX)
        if found is None:
            return
        peak = found
    if abs(peak - rate) <= 1e-9 * max(abs(peak), abs(rate)):
        return
    how = "" if given else ", its default,"
    yield run.finding(
        f"{kind} climbs to warmup_max_lr {show(peak)}{how} and never uses the learning rate {show(rate)}",
        (_MAX if given else "deepspeed:scheduler.type", f"sets the rate to {show(peak)}"),
        ("fact:learning_rate", "never used"),
        changes=(SetOption("deepspeed", "scheduler.params.warmup_max_lr", rate),),
        severity=None if given else Severity.ERROR,
    )
