"""A variable that vLLM no longer reads.

## What it checks
Exported `VLLM_` variables against the releases that read them. Only where the release of vLLM is known: a server's, one given with
`--with vllm==...`, or what a trainer's release asks for.

## Why it matters
The variable is ignored: the attention backend that it chose is no longer chosen, the first engine that `VLLM_USE_V1=0` asked for is
not there any more. `VLLM_USE_V1=1` asks for what is the only engine now, and is passed over.

## Example
    VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve Qwen/Qwen3-8B      with vllm 0.19

## Instead
    vllm serve Qwen/Qwen3-8B --attention-backend FLASHINFER

## Fix safety
None is offered: what took the variable's place is an option elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.variables import removed

_INSTEAD = {
    "VLLM_ATTENTION_BACKEND": "use the option attention_backend",
    "VLLM_USE_V1": "remove it: the first engine is not there any more",
    "VLLM_FLASH_ATTN_VERSION": "use attention_config.flash_attn_version",
    "VLLM_TORCH_PROFILER_DIR": "use profiler_config.torch_profiler_dir",
}


@rule(
    id="VL027",
    name="vllm-variable-removed",
    summary="a variable that the vLLM in use no longer reads",
    severity=Severity.WARNING,
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/envs.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/envs.py",
            "The list of what is read: VLLM_ATTENTION_BACKEND left it with 0.15.0, VLLM_USE_V1 with 0.11.1.",
        ),
        Evidence(
            "vllm-project/vllm#27798",
            "https://github.com/vllm-project/vllm/pull/27798",
            "The first engine is gone, and with it what VLLM_USE_V1 chose.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of them."""
    found = [name for name in run.run.env if name.startswith("VLLM_")]
    if not found:
        return
    settings = run.run.settings.get("vllm")
    release = run.release("vllm")
    if release is None and settings is not None and not settings.version.assumed:
        release = settings.version.text
    for name in found if release is not None else ():
        gone = removed("vllm", name, str(release))
        if gone is None or (name == "VLLM_USE_V1" and run.text("env:VLLM_USE_V1") == "1"):
            continue
        yield run.finding(
            f"vLLM {release} does not read {name}, which {gone} removed",
            (f"env:{name}", "ignored"),
            help=_INSTEAD.get(name, f"remove it, or use a vLLM before {gone}"),
        )
