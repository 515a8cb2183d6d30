"""A vLLM that is too old for verl.

## What it checks
vLLM before 0.18 as the rollout engine of verl 0.9.1, where both releases are known (`--with vllm==...`, a lock file, an environment).

## Why it matters
verl refuses to import its vLLM engine.

## Example
    pip install verl==0.9.1 vllm==0.12.0

## Instead
    pip install verl==0.9.1 vllm==0.24.0

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import generates
from grpolint.versions import satisfies


@rule(
    id="VL052",
    name="engine-too-old",
    summary="a vLLM that verl 0.9.1 no longer supports",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.9.1"},
    when={"fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/third_party/vllm/__init__.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/third_party/vllm/__init__.py",
            "Raises ValueError for a vLLM before 0.18, unless SGLang is there to take its place.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it is older."""
    release = run.release("vllm")
    if release is None or run.run.settings["verl"].version.assumed or not generates(run, "vllm"):
        return
    if run.text("verl:trainer.device") == "npu":
        return  # there verl takes every release
    if satisfies(release, "<0.18"):
        yield run.finding(
            f"verl {run.run.settings['verl'].version.text} wants vLLM 0.18 or later, not {release}",
            ("fact:rollout_engine", "vLLM"),
            help="use vLLM 0.24.0, which verl 0.9.1 asks for",
        )
