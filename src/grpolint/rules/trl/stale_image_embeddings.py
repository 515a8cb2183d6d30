"""Images that the rollout engine sees through an old vision tower.

## What it checks
TRL trains all weights of a model that reads images, and vLLM generates.

## Why it matters
After each synchronisation TRL clears vLLM's prefix cache and not its cache of image embeddings. An image that comes again is
seen as the vision tower saw it earlier: rollouts come from a mixture of two policies. With a frozen tower, or with LoRA on the
language model, nothing is stale. verl clears that cache since 0.8.

## Example
    GRPOConfig(use_vllm=True) with Qwen/Qwen2.5-VL-7B-Instruct, all weights trained

## Instead
    the same with the parameters of the vision tower frozen

## Fix safety
None is offered: freezing is done in code.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR009",
    name="stale-image-embeddings",
    summary="vLLM's image embeddings are not cleared when the vision tower is trained",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"trl": ">=0.20"},
    when={"trl:use_vllm": True, "fact:multimodal": True},
    evidence=(
        Evidence(
            "huggingface/trl#7198",
            "https://github.com/huggingface/trl/issues/7198",
            "Log-probabilities do not change after the vision tower has: reset_prefix_cache leaves the encoder's cache.",
        ),
        Evidence(
            "vllm-project/vllm#44910",
            "https://github.com/vllm-project/vllm/issues/44910",
            "Entries of the encoder cache are keyed by the image alone and outlive an update of the weights.",
        ),
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "sync_weights resets the prefix cache only.",
        ),
    ),
    aliases=("N12",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if a vision tower may be trained."""
    if run.flag("trl:use_vllm") is not True or run.known("fact:multimodal") is not True:
        return
    if (run.number("fact:lora_rank") or 0) > 0:
        return
    yield run.finding(
        "TRL does not clear vLLM's image embeddings after a sync: images seen before are seen through an old vision tower",
        ("fact:model", "reads images"),
        ("trl:use_vllm", "generates with vLLM"),
        help="freeze the vision tower, or call reset_encoder_cache() after each synchronisation",
    )
