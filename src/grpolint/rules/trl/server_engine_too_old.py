"""A rollout server of TRL with a vLLM that cannot extend its workers.

## What it checks
`trl vllm-serve` of TRL 0.17 or later with vLLM before 0.8.0.

## Why it matters
The server hands `worker_extension_cls` to the engine, which older releases of vLLM do not have: it stops with TypeError.

## Example
    trl vllm-serve --model Qwen/Qwen2.5-7B    # trl 0.17.0, vllm 0.7.2

## Instead
    pip install "trl[vllm]"

## Fix safety
None is offered: which release to install is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="TR152",
    name="server-engine-too-old",
    summary="trl vllm-serve with vLLM before 0.8",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.17"},
    evidence=(
        Evidence(
            "trl 0.17.0: trl/scripts/vllm_serve.py",
            "https://github.com/huggingface/trl/blob/v0.17.0/trl/scripts/vllm_serve.py",
            "LLM gets worker_extension_cls; 0.16.1 still sets worker_cls.",
        ),
        Evidence(
            "vllm 0.7.3: vllm/engine/arg_utils.py",
            "https://github.com/vllm-project/vllm/blob/v0.7.3/vllm/engine/arg_utils.py",
            "EngineArgs has no worker_extension_cls; 0.8.0 has.",
        ),
        Evidence(
            "huggingface/trl#3304",
            "https://github.com/huggingface/trl/issues/3304",
            "The server stops with an unexpected keyword argument worker_extension_cls until the matching vLLM is installed.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with both releases."""
    if not run.run.program.startswith("trl vllm-serve"):
        return
    trl, vllm = run.run.settings["trl"].version, run.release("vllm")
    if vllm is not None and not trl.assumed and not satisfies(vllm, ">=0.8.0"):
        yield run.finding(
            f"the server of TRL {trl.text} extends the workers of vLLM, which vLLM {vllm} does not allow: it needs 0.8.0",
            ("trl:model", f"served by vLLM {vllm}"),
            help="install trl[vllm], which brings a release that fits",
        )
