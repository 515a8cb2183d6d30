"""Asynchronous generation where ms-swift has none.

## What it checks
async_generate with vllm_mode colocate, with multi_turn_scheduler, or under Megatron.

## Why it matters
The run ends with an AssertionError, a NotImplementedError or a ValueError before training.

## Example
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode colocate --async_generate true

## Instead
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1 --async_generate true

## Fix safety
Unsafe: without it responses are sampled by the newest policy.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SW006",
    name="asynchronous-generation-refused",
    summary="async_generate with colocated engines, several turns or Megatron",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.5"},
    when={"ms-swift:async_generate": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_init_rollout asserts server mode for async_generate, and _check_grpo refuses it with a multi-turn scheduler.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/megatron/arguments/megatron_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/megatron/arguments/megatron_args.py",
            "_init_grpo raises ValueError for async_generate.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("ms-swift:async_generate") is not True:
        return
    reason = None
    if "megatron" in run.run.settings:
        reason = ("Megatron-SWIFT has no asynchronous generation", "ms-swift:async_generate")
    elif run.flag("ms-swift:use_vllm") is True and run.text("ms-swift:vllm_mode") == "colocate":
        reason = ("engines on the trainer's devices cannot generate while it trains", "ms-swift:vllm_mode")
    elif run.known("ms-swift:multi_turn_scheduler") is not None:
        reason = ("several turns are not generated asynchronously", "ms-swift:multi_turn_scheduler")
    if reason is not None:
        yield run.finding(
            f"async_generate is refused: {reason[0]}",
            "ms-swift:async_generate",
            reason[1],
            changes=(SetOption("ms-swift", "async_generate", value=False),),
        )
