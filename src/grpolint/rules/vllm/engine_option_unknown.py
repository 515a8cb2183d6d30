"""An option that the engine does not have.

## What it checks
The keys of verl's `rollout.engine_kwargs.vllm` and `.sglang` against the options of the engine's releases.

## Why it matters
verl hands them on unread. The engine stops at a name that it does not know, after the models are loaded.

## Example
    +actor_rollout_ref.rollout.engine_kwargs.vllm.max_lora=2

## Instead
    +actor_rollout_ref.rollout.engine_kwargs.vllm.max_loras=2

## Fix safety
None is offered: the name that is meant is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.catalog.history import history
from grpolint.catalog.loader import raw
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import passed_on, within
from grpolint.suggest import suggestion

_TABLES = {"vllm": ("engine", "serve"), "sglang": ("server",)}
_TITLES = {"vllm": "vLLM", "sglang": "SGLang"}


@rule(
    id="VL036",
    name="engine-option-unknown",
    summary="an option for vLLM or SGLang that its release does not have",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.5"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "engine_kwargs.vllm become words of a vllm serve command line, which argparse reads.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/sglang_rollout/async_sglang_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/sglang_rollout/async_sglang_server.py",
            "engine_kwargs.sglang become arguments of ServerArgs.",
        ),
        Evidence(
            "vllm 0.13.0: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.13.0/vllm/engine/arg_utils.py",
            "disable_mm_preprocessor_cache is no option any more.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each name that no release has, or not the one in use."""
    engine = run.text("fact:rollout_engine")
    if engine not in _TABLES:
        return
    for name, setting in passed_on(run, engine):
        lives = [history(engine, table, name) for table in _TABLES[engine]]
        if any(lives):
            gone = [each.removed for each in lives if each is not None]
            if None in gone or not within(run, engine, f">={gone[0]}"):
                continue
            says, remedy = f"{gone[0]} removed it", "leave it out"
        else:
            known = {key for table in _TABLES[engine] for key in raw(engine, table)[2]}
            says = "no release has it"
            remedy = suggestion(name, known).lstrip("; ") or "leave it out"
        place = f"verl:{setting.key}"
        yield run.finding(
            f"{_TITLES[engine]} has no option {name} ({says}) and refuses to start", (place, "unknown"), help=remedy
        )
