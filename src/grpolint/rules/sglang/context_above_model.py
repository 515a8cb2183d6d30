"""A context of SGLang beyond the positions of the model.

## What it checks
`context_length` of a server, or below slime or verl, against the longest sequence of the model's configuration.

## Why it matters
SGLang refuses to start. `SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1` and overrides of the model's configuration lift the limit,
at the price of positions that the model never saw.

## Example
    python -m sglang.launch_server --model-path Qwen/Qwen2.5-Math-7B-Instruct --context-length 16384

## Instead
    python -m sglang.launch_server --model-path Qwen/Qwen2.5-Math-7B-Instruct --context-length 4096

## Fix safety
None is offered: shorter sequences or another model are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.engines import anywhere, option


@rule(
    id="SG033",
    name="sglang-context-above-model",
    summary="context-length above what the model was made for",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6", "slime": "", "verl": ""},
    when={anywhere("sglang", "context_length"): above(0)},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/configs/model_config.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/configs/model_config.py",
            "Raises ValueError unless SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN is set.",
        ),
        Evidence(
            "sglang 0.4.6.post5: python/sglang/srt/configs/model_config.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.6.post5/python/sglang/srt/configs/model_config.py",
            "The same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    ref = option(run, "sglang", "context_length")
    asked = run.integer(ref)
    if (
        asked is None
        or run.text("fact:rollout_engine") != "sglang"
        or "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN" in run.run.env
    ):
        return
    override = option(run, "sglang", "json_model_override_args")
    if run.is_set(override):
        return
    most = run.integer("fact:model_context")
    if most is not None and asked > most:
        local = (run.text("fact:model") or "").count("/") != 1
        yield run.finding(
            f"context_length {asked} > {most}, the longest sequence that {run.text('fact:model')} was made for: SGLang refuses to start"
            + (" unless its config.json was changed" if local else ""),
            (ref, "context"),
            ("fact:model", f"{most} positions"),
            help=f"stay within {most} tokens, or extend the model's positions on purpose",
            severity=Severity.INFO if local else None,
        )
