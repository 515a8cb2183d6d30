"""FSDP in its first version.

## What it checks
The list fsdp, a fsdp_version other than 2, and sharding_strategy or forward_prefetch in fsdp_config, since 0.20.

## Why it matters
The configuration is refused. Where nobody names the release, it may be an older one that takes them: then this is a
warning.

## Example
    fsdp: [full_shard, auto_wrap]
    fsdp_config: {fsdp_offload_params: true}

## Instead
    fsdp_version: 2
    fsdp_config: {offload_params: true, auto_wrap_policy: TRANSFORMER_BASED_WRAP}

## Fix safety
None is offered: the options of the second version have other names and meanings.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="AX010",
    name="fsdp1-removed",
    summary="FSDP in its first version, which axolotl no longer has",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.20"},
    when={
        "axolotl:fsdp|axolotl:fsdp_version|axolotl:fsdp_config.fsdp_version|axolotl:fsdp_config.version|axolotl:fsdp_config.sharding_strategy|axolotl:fsdp_config.fsdp_sharding_strategy|axolotl:fsdp_config.forward_prefetch|axolotl:fsdp_config.fsdp_forward_prefetch": SET
    },
    evidence=(
        Evidence(
            "axolotl 0.21.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.21.0/src/axolotl/utils/schemas/validation.py",
            "The list fsdp, a version other than 2, and options that only the first version has raise ValueError since 0.20.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each of them."""
    severity = Severity.WARNING if run.run.settings["axolotl"].version.assumed else None
    if run.known("axolotl:fsdp"):
        message = "the list fsdp configures FSDP1, which axolotl no longer has"
        yield run.finding(message, "axolotl:fsdp", help="use fsdp_config with fsdp_version: 2", severity=severity)
    for key in ("fsdp_version", "fsdp_config.fsdp_version", "fsdp_config.version"):
        version = run.known(f"axolotl:{key}")
        if version is not None and str(version) != "2":
            message = f"{key} {version} is refused: axolotl has only version 2"
            yield run.finding(message, f"axolotl:{key}", help=f"set {key}: 2", severity=severity)
    for name, instead in (("sharding_strategy", "use reshard_after_forward"), ("forward_prefetch", "take it out")):
        for key in (f"fsdp_config.{name}", f"fsdp_config.fsdp_{name}"):
            if run.is_set(f"axolotl:{key}"):
                message = f"{key} belongs to FSDP1, which axolotl no longer has"
                yield run.finding(message, f"axolotl:{key}", help=instead, severity=severity)
