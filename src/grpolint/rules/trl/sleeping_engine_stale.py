"""An engine that wakes up with the weights of the checkpoint.

## What it checks
`vllm_enable_sleep_mode` with vLLM in the trainer under TRL 0.28 to 1.9.

## Why it matters
After the weights have been handed over, `generate` wakes the engine and has it reload its checkpoint from disk. Every
rollout of the run comes from the initial model, however far the policy has moved. Fixed in 1.10.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="colocate", vllm_enable_sleep_mode=True)      with TRL 1.5

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="colocate")      with TRL 1.5, or TRL 1.10

## Fix safety
Unsafe: the engine then keeps its memory during the update.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import equals, on, together


@rule(
    id="TR031",
    name="sleeping-engine-stale",
    summary="vllm_enable_sleep_mode between TRL 0.28 and 1.9 generates with the initial weights",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.28,<1.10"},
    when={"trl:vllm_enable_sleep_mode": True},
    evidence=(
        Evidence(
            "huggingface/trl#5312",
            "https://github.com/huggingface/trl/issues/5312",
            "With sleep mode the rollouts do not follow the policy: log-probabilities of trainer and engine drift apart.",
        ),
        Evidence(
            "huggingface/trl#5313",
            "https://github.com/huggingface/trl/pull/5313",
            "The fix keeps track of discarded weights and pushes them again instead of reloading the checkpoint.",
        ),
        Evidence(
            "trl 1.9.2: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.9.2/trl/generation/vllm_generation.py",
            "generate() wakes the engine and calls reload_weights after sync_weights(); 1.10.0 calls sync_weights() instead.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.known("fact:group_relative") is not True or "unsloth" in run.run.settings:
        raise NotApplicable
    version = run.run.settings["trl"].version.text
    yield from together(
        run,
        f"vllm_enable_sleep_mode under TRL {version}: each generation reloads the checkpoint over the new weights",
        on("trl:vllm_enable_sleep_mode", "the engine sleeps"),
        on("trl:use_vllm"),
        equals("trl:vllm_mode", "colocate"),
        help="use TRL 1.10 or later, or leave sleep mode off",
        changes=(SetOption("trl", "vllm_enable_sleep_mode", value=False),),
    )
