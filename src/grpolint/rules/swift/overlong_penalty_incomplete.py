"""The soft penalty for overlong answers without its length.

## What it checks
reward_funcs has soft_overlong and soft_cache_length is not given, or is not below soft_max_length
(max_completion_length where nobody says it).

## Why it matters
Without the length the run ends with an AssertionError. With one that is not below the longest answer the penalty
begins at the first token.

## Example
    swift rlhf --rlhf_type grpo --reward_funcs accuracy soft_overlong --max_completion_length 4096

## Instead
    swift rlhf --rlhf_type grpo --reward_funcs accuracy soft_overlong --max_completion_length 4096 --soft_cache_length 1024

## Fix safety
Unsafe: the length decides which answers are punished.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SW012",
    name="swift-overlong-penalty-incomplete",
    summary="the reward soft_overlong without soft_cache_length",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.3"},
    when={"ms-swift:reward_funcs": SET, "fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_init_grpo asserts soft_cache_length where soft_overlong is among the rewards, and takes max_completion_length for soft_max_length.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True:
        return
    rewards = run.known("ms-swift:reward_funcs")
    if not isinstance(rewards, list) or "soft_overlong" not in rewards:
        return
    cache = run.integer("ms-swift:soft_cache_length")
    key = "max_completion_length" if run.integer("ms-swift:soft_max_length") is None else "soft_max_length"
    longest = run.integer(f"ms-swift:{key}")
    if cache is None:
        change = (SetOption("ms-swift", "soft_cache_length", longest // 4),) if longest else ()
        place = ("ms-swift:reward_funcs", "soft_overlong")
        yield run.finding("soft_overlong without soft_cache_length is refused", place, changes=change)
    elif longest is not None and cache >= longest:
        yield run.finding(
            f"soft_cache_length {cache} >= {key} {longest}: every answer is punished for its length",
            ("ms-swift:soft_cache_length", "where the penalty begins, counted from the end"),
            f"ms-swift:{key}",
            severity=Severity.WARNING,
        )
