"""Importance weights from log-probabilities of another temperature.

## What it checks
TRL 0.23 to 0.27.0 with `vllm_mode=server`, importance sampling correction and a `temperature` other than 1.

## Why it matters
The server of these releases returns log-probabilities before the temperature is applied; the trainer compares them
with its own after it. The weights are off for every token.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="server", temperature=0.7)      with TRL 0.26

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="server", temperature=1.0)      with TRL 0.26

## Fix safety
Unsafe: it changes the sampling; a newer release needs no change.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule, show


@rule(
    id="TR039",
    name="server-raw-log-probabilities",
    summary="a server's raw log-probabilities in the importance weights before TRL 0.27.1",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.23,<0.27.1"},
    when={"trl:use_vllm": True, "trl:vllm_mode": "server"},
    evidence=(
        Evidence(
            "huggingface/trl#4873",
            "https://github.com/huggingface/trl/pull/4873",
            "Log-probabilities drift between the modes; the server is made to return processed ones.",
        ),
        Evidence(
            "trl 0.27.2: trl/scripts/vllm_serve.py",
            "https://github.com/huggingface/trl/blob/v0.27.2/trl/scripts/vllm_serve.py",
            "Builds its LLM with processed log-probabilities, which 0.26 does not.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the temperature."""
    if run.text("trl:vllm_mode") != "server" or run.flag("trl:use_vllm") is not True:
        return
    temperature = run.number("trl:temperature")
    if run.flag("trl:vllm_importance_sampling_correction") is not True or temperature in (None, 1):
        return
    yield run.finding(
        f"the server of TRL {run.run.settings['trl'].version.text} returns log-probabilities without the temperature "
        f"{show(temperature)}: the importance weights are wrong",
        ("trl:temperature", "not in the server's log-probabilities"),
        ("trl:vllm_mode", "generation on a server"),
        "trl:vllm_importance_sampling_correction",
        help="use TRL 0.28 or later, temperature 1, or leave vllm_importance_sampling_correction off",
    )
