"""A feature that DeepSpeed has removed.

## What it checks
Sections of the DeepSpeed configuration that belong to removed features: four of them from 0.19.7 on, eleven from
0.19.8 on.

## Why it matters
DeepSpeed refuses the whole configuration instead of ignoring the section, also where the section says `"enabled":
false`.

## Example
    {"amp": {"enabled": false}, "bf16": {"enabled": true}}

## Instead
    {"bf16": {"enabled": true}}

## Fix safety
Removing a section that is switched off is safe, any other is for the author to decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.values import Known
from grpolint.versions import satisfies

_REMOVED_FIRST = ("nebula", "compression_training", "quantize_training", "sparse_attention")
_REMOVED = (
    *_REMOVED_FIRST,
    "amp",
    "sparse_gradients",
    "eigenvalue",
    "elasticity",
    "graph_harvesting",
    "curriculum_learning",
    "progressive_layer_drop",
)


@rule(
    id="DS008",
    name="removed-feature",
    summary="a section of a feature that DeepSpeed has removed",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ">=0.19.7"},
    evidence=(
        Evidence(
            "deepspeed 0.19.8: deepspeed/runtime/config.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.8/deepspeed/runtime/config.py",
            "_reject_removed_config_keys raises DeepSpeedConfigError for each of these keys.",
        ),
        Evidence(
            "deepspeedai/DeepSpeed#8489",
            "https://github.com/deepspeedai/DeepSpeed/issues/8489",
            "The list of features that are removed.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each removed section."""
    settings = run.run.settings["deepspeed"]
    for name in _REMOVED if satisfies(settings.version.text, ">=0.19.8") else _REMOVED_FIRST:
        found = settings.get(name) or next(settings.under(name), None)
        if found is None:
            continue
        switch = settings.get(f"{name}.enabled")
        switched_off = switch is not None and isinstance(switch.value, Known) and switch.value.value is False
        yield run.finding(
            f"DeepSpeed {settings.version.text} has no {name} any more and refuses a configuration that mentions it",
            (f"deepspeed:{found.key}", "removed"),
            help=f"remove {name}" + (", which is switched off anyway" if switched_off else ""),
            severity=Severity.WARNING if settings.version.assumed else None,
        )
