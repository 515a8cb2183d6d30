"""Logits of one micro batch that do not fit on the device.

## What it checks
Where the accelerator is known: tokens of a micro batch of the policy's update, times the vocabulary, times 4 bytes, against the
memory of one device. For verl with FSDP and for TRL, without kernels that fuse the head with the loss.

## Why it matters
The update runs out of memory as soon as sequences are long: forward and backward hold the logits at least twice in 16 bits,
or once in 32. Large vocabularies of 150 thousand tokens make that the largest tensor of the run.

## Example
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=32 data.max_prompt_length=1024 data.max_response_length=8192

## Instead
    actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_max_token_len_per_gpu=18432

## Fix safety
None is offered: which size fits is for the author to measure.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.memory._amounts import GIB, gib
from grpolint.rules.memory._tokens import of_trl, of_verl

_FUSED = ("verl:actor_rollout_ref.model.use_fused_kernels", "transformers:use_liger_kernel", "trl:use_liger_loss")


@rule(
    id="MM004",
    name="logits-above-memory",
    summary="the logits of one micro batch do not fit on the device",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.3", "trl": ""},
    when={"fact:gpu_memory": above(0)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "The logits of all tokens of a micro batch are made at once, divided by the temperature, and need as much for their "
            "gradient.",
        ),
        Evidence(
            "verl-project/verl#2828",
            "https://github.com/verl-project/verl/issues/2828",
            "Entropy from the logits of one micro batch asks for 13.9 GiB at once and runs out of memory.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the equation if one copy in fp32 exceeds the device."""
    memory = run.number("fact:gpu_memory")
    if not memory or any(run.known(ref) not in (None, False) for ref in _FUSED):
        return
    tokens, equation, places = of_verl(run) if "verl" in run.run.settings else of_trl(run)
    vocabulary = run.integer("fact:vocabulary") if tokens else None
    if not tokens or vocabulary is None or 4 * tokens * vocabulary <= memory * GIB:
        return
    amount = gib(4 * tokens * vocabulary)
    yield run.finding(
        f"{equation} * vocabulary {vocabulary} * 4 bytes = {amount} of logits > {memory:g} GiB",
        *places,
        ("fact:model", f"vocabulary {vocabulary}"),
        ("fact:gpu", f"{memory:g} GiB"),
        help="smaller micro batches, or a token budget; in verl also use_fused_kernels, in TRL use_liger_kernel",
    )
