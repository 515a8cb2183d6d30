"""Weights that only one process loads and nobody passes on.

## What it checks
In accelerate's file, `fsdp_sync_module_states: false` while `fsdp_cpu_ram_efficient_loading` is on, which it is by
default.

## Why it matters
Only the first process would have weights. The launcher refuses it before anything starts.

## Example
    fsdp_config:
      fsdp_sync_module_states: false

## Instead
    fsdp_config:
      fsdp_cpu_ram_efficient_loading: false
      fsdp_sync_module_states: false

## Fix safety
Safe: it only lets the launch get past the error.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_LOADING = "fsdp_cpu_ram_efficient_loading"


@rule(
    id="FS061",
    name="states-not-synchronised",
    summary="fsdp_sync_module_states off with fsdp_cpu_ram_efficient_loading",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:fsdp_sync_module_states": False},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/utils/launch.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/utils/launch.py",
            "prepare_multi_gpu_env raises ValueError; the default of --fsdp_cpu_ram_efficient_loading is true; 1.0.1 does the same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a file switches it off."""
    setting = run.setting("accelerate:fsdp_sync_module_states")
    if setting is None or setting.form == "flag" or run.known("accelerate:fsdp_sync_module_states") is not False:
        return
    if run.text("fact:engine") not in ("fsdp", "fsdp2"):
        return
    loading = run.setting(f"accelerate:{_LOADING}")
    if loading is None or run.flag(f"accelerate:{_LOADING}") is True:
        yield run.finding(
            "fsdp_sync_module_states is off and fsdp_cpu_ram_efficient_loading on: accelerate launch refuses the pair",
            ("accelerate:fsdp_sync_module_states", "off"),
            (f"accelerate:{_LOADING}", "on"),
            changes=(SetOption("accelerate", "fsdp_sync_module_states", value=True, safe=True),),
        )
