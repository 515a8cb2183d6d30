"""A number that its reader takes for a text.

## What it checks
Numbers in quotes in a DeepSpeed configuration, at the top level and among the parameters of optimizer and scheduler, which are handed
on as they are; and numbers with an exponent and without a point, such as `1e-6`, in a YAML file of Megatron.

## Why it matters
The first calculation with it ends the run: a text is not less than a number. PyYAML wants a point and a sign to see a number: `1.0e-6`.

## Example
    {"optimizer": {"type": "AdamW", "params": {"lr": "1e-6"}}}

## Instead
    {"optimizer": {"type": "AdamW", "params": {"lr": 1e-6}}}

## Fix safety
Safe: with the text the run ends at the first calculation.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.digits import whole
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.run import Setting, Settings
from grpolint.values import Known

_NUMBERS = frozenset({
    "gradient_clipping", "optimizer.params.lr", "optimizer.params.eps", "optimizer.params.weight_decay",
    "scheduler.params.warmup_min_lr", "scheduler.params.warmup_max_lr", "scheduler.params.warmup_num_steps",
    "scheduler.params.total_num_steps", "train_batch_size", "train_micro_batch_size_per_gpu",
})  # fmt: skip
"""DeepSpeed's numbers that nothing converts."""


@rule(
    id="CF025",
    name="number-as-text",
    summary="a number that stands in quotes, or that the YAML loader takes for a text",
    severity=Severity.ERROR,
    frameworks={"deepspeed": "", "megatron": ""},
    evidence=(
        Evidence(
            "yaml/pyyaml#173",
            "https://github.com/yaml/pyyaml/issues/173",
            "PyYAML reads a number with an exponent and without a point, such as 1e-6, as a string.",
        ),
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "The optimizer's parameters and the numbers at the top level are taken from the dictionary as they are.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each such number."""
    for name in ("deepspeed", "megatron"):
        settings = run.run.settings.get(name)
        for setting in settings or ():
            value = setting.value
            if settings is None or setting.span is None or not isinstance(value, Known):
                continue
            number = _number(value.value) if _counts(settings, setting) else None
            if number is not None:
                yield run.finding(
                    f"{setting.key} is the text {value.value!r} and no number: {name} does not convert it",
                    (f"{name}:{setting.key}", "a text"),
                    changes=(SetOption(name, setting.key, number, safe=True),),
                )


def _counts(settings: Settings, setting: Setting) -> bool:
    if settings.framework == "deepspeed":
        return setting.form == "json" and setting.key in _NUMBERS
    option = settings.option(setting.key) if setting.form == "yaml" else None
    return option is not None and option.record.get("type") in ("float", "int")


def _number(value: object) -> float | int | None:
    if not isinstance(value, str):
        return None
    number = whole(value)
    try:
        return number if number is not None else float(value)
    except ValueError:
        return None
