"""Draft tokens that SGLang overrules.

## What it checks
`speculative_num_draft_tokens` against `speculative_num_steps` plus one where `speculative_eagle_topk` is 1.

## Why it matters
A chain of drafts has one token for each step and one more. SGLang sets it so and says it in its log only.

## Example
    --speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 8

## Instead
    --speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4

## Fix safety
Safe: it writes down what happens anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, option

_NAMES = ("eagle_topk", "num_draft_tokens", "num_steps")
_CHAINS = ("EAGLE", "EAGLE3", "NEXTN", "STANDALONE")


@rule(
    id="SG028",
    name="draft-tokens-overruled",
    summary="speculative-num-draft-tokens that SGLang sets to steps plus one",
    severity=Severity.WARNING,
    frameworks={"sglang": ">=0.4.6", "slime": "", "verl": ""},
    when={anywhere("sglang", "speculative_eagle_topk"): 1},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "With topk 1 the number of draft tokens is adjusted to steps plus one.",
        ),
        Evidence(
            "sglang 0.4.6.post5: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.6.post5/python/sglang/srt/server_args.py",
            "The same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the two differ."""
    top, tokens, steps = (option(run, "sglang", f"speculative_{name}") for name in _NAMES)
    if run.integer(top) != 1 or str(run.text(option(run, "sglang", "speculative_algorithm"))).upper() not in _CHAINS:
        return
    number, length = run.integer(tokens), run.integer(steps)
    if number is None or length is None or number == length + 1:
        return
    yield run.finding(
        f"SGLang changes speculative_num_draft_tokens from {number} to {length} steps + 1 = {length + 1}, as topk is 1",
        (tokens, "overruled"),
        (steps, "steps"),
        (top, "one branch"),
        changes=(change(tokens, length + 1, safe=True),),
    )
