"""All activations of a large model are kept.

## What it checks
`model.enable_gradient_checkpointing=False` with a policy of at least 7 billion parameters under FSDP, without LoRA
and without a longest sequence below 2048 tokens.

## Why it matters
Without it every layer keeps its activations for the backward pass, some 34 * hidden size bytes per token and layer in
bf16: 13 GB for 4096 tokens of a 7B model, beside weights, gradients and optimizer.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-14B actor_rollout_ref.model.enable_gradient_checkpointing=False

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-14B actor_rollout_ref.model.enable_gradient_checkpointing=True

## Fix safety
Safe: the gradients are the same, and the step takes about a third longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.verl._trainer import ppo_trainer

_SWITCH = "actor_rollout_ref.model.enable_gradient_checkpointing"
_LARGE = 6_500_000_000
_LONG = 2048
_BYTES = 34
"""Bytes of activations for each token, channel and layer in 16 bit, without the scores of attention."""


@rule(
    id="MM050",
    name="no-gradient-checkpointing",
    summary="gradient checkpointing is off for a model of 7 billion parameters or more",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.3"},
    when={"verl:actor_rollout_ref.model.enable_gradient_checkpointing": False},
    evidence=(
        Evidence(
            "arXiv 2205.05198, section 4.1",
            "https://arxiv.org/abs/2205.05198",
            "A transformer layer keeps about 34 bytes per token and channel, beside the scores of attention, which flash attention does not keep.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/engine/fsdp/transformer_impl.py",
            "Gradient checkpointing is enabled on the module only where the option says so.",
        ),
        Evidence(
            "verl-project/verl#2828",
            "https://github.com/verl-project/verl/issues/2828",
            "A 14B policy ran out of memory in the update; checkpointing and smaller token budgets were the remedy.",
            "partly",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the size of what is kept."""
    if run.flag(f"verl:{_SWITCH}") is not False or not str(run.known("fact:engine")).startswith("fsdp"):
        return
    parameters = run.integer("fact:parameters")
    layers, hidden = run.integer("fact:layers"), run.integer("fact:hidden_size")
    prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
    if (
        parameters is None
        or parameters < _LARGE
        or layers is None
        or hidden is None
        or prompt is None
        or response is None
    ):
        return
    tokens = prompt + response
    kept = _BYTES * hidden * layers * tokens / 2**30
    if tokens < _LONG or (run.integer("fact:lora_rank") or 0) > 0:
        return
    yield run.finding(
        f"without gradient checkpointing one sequence keeps about {_BYTES} B * hidden size {hidden} * layers {layers} * "
        f"tokens {tokens} = {kept:.0f} GiB of activations",
        (f"verl:{_SWITCH}", "keeps every layer"),
        ("fact:parameters", f"{parameters / 1e9:.1f} billion parameters"),
        changes=(SetOption("verl", _SWITCH, value=True, safe=True),),
    )
