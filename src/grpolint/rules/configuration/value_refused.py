"""A value that the option does not take.

## What it checks
Values of options whose reader checks them: a text for a number, a choice that is none, a number out of bounds. Judged are the command
lines of OpenRLHF, TRL, slime, Megatron, vLLM, SGLang and accelerate, TRL's YAML, and DeepSpeed's sections.

## Why it matters
The program stops at the start, after the job has waited in the queue.

## Example
    python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator grpo

## Instead
    python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator group_norm

## Fix safety
No fix: what was meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.catalog.fit import misfit
from grpolint.catalog.history import history
from grpolint.catalog.loader import Option
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.run import Setting, Settings
from grpolint.values import Known

_CHECKED = {
    "openrlhf": ("flag",),
    "trl": ("flag", "yaml"),
    "transformers": ("flag", "yaml"),
    "megatron": ("flag",),
    "slime": ("flag",),
    "vllm": ("flag",),
    "sglang": ("flag",),
    "accelerate": ("flag",),
    "deepspeed": ("json",),
}
"""Forms in which a framework's reader checks types, choices and bounds."""


@rule(
    id="CF022",
    name="value-refused",
    summary="a value of the wrong type, none of the choices, or out of bounds",
    severity=Severity.ERROR,
    frameworks=dict.fromkeys(_CHECKED, ""),
    evidence=(
        Evidence(
            "Python documentation: argparse",
            "https://docs.python.org/3/library/argparse.html",
            "A text that the type cannot convert or that is none of the choices ends the program with an error.",
        ),
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/zero/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/zero/config.py",
            "The sections are pydantic models whose fields have types and bounds.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each; undecided where only some releases refuse the value."""
    unsure = []
    for name, forms in _CHECKED.items():
        settings = run.run.settings.get(name)
        for setting in settings or ():
            value = setting.value
            if setting.form not in forms or setting.span is None or not isinstance(value, Known) or settings is None:
                continue
            if name == "deepspeed" and "." not in setting.key:
                continue  # what stands at the top level is fetched without a look at it
            option = settings.option(setting.key)
            wrong = misfit(option, value.value) if option is not None else ""
            if option is None or not wrong:
                continue
            if settings.version.assumed and not _always(settings, setting, option):
                unsure.append(f"{name}:{setting.key} (version:{name})")
                continue
            message = f"{setting.key} has to be {wrong} ({name} {option.version}, {option.source})"
            yield run.finding(message, (f"{name}:{setting.key}", "not taken"), help="write a value that it takes")
    if unsure:
        raise Undecided(*unsure)


def _always(settings: Settings, setting: Setting, option: Option) -> bool:
    """Whether every release of the catalog refuses the value, and every fork does. A fork may have further choices, and
    Megatron is seldom run without changes.
    """
    if "choices" in option.record or settings.framework == "megatron":
        return False
    lives = filter(None, (history(option.framework, table.name, option.key) for table in settings.tables))
    value = setting.value.value if isinstance(setting.value, Known) else None
    return all(
        misfit(Option(option.framework, "", option.key, record), value) for life in lives for *_, record in life.spans
    )
