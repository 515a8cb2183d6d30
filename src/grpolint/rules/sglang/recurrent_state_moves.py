"""Recurrent state that moves away under a CUDA graph.

## What it checks
SGLang frees its memory between steps (`enable_memory_saver`, verl's `free_cache_engine`) while it serves a model with
linear attention or state space layers and CUDA graphs are on.

## Why it matters
Such layers keep a recurrent state whose address is part of the captured graph. After the memory was given back and taken
again the state was reported to lie elsewhere: garbage from the second rollout on, without any failure. One report with a
hybrid model of 35B parameters, whose proposed change was not merged; others train such models with graphs.

## Example
    actor_rollout_ref.rollout.name=sglang actor_rollout_ref.model.path=/models/hybrid

## Instead
    actor_rollout_ref.rollout.name=sglang actor_rollout_ref.rollout.enforce_eager=True

## Fix safety
None is offered: without graphs generation is slower.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SG005",
    name="recurrent-state-moves",
    summary="SGLang gives memory back under CUDA graphs of a hybrid model",
    severity=Severity.INFO,
    confidence=Confidence.LOW,
    default=False,
    when={"fact:rollout_engine": "sglang", "fact:rollout_sleep": True, "fact:attention_kind": "hybrid"},
    evidence=(
        Evidence(
            "sgl-project/sglang#27140",
            "https://github.com/sgl-project/sglang/pull/27140",
            "Hybrid model on 8 H200: garbage from the second rollout on, since graphs keep the old addresses of the states.",
            "partly",
        ),
        Evidence(
            "sgl-project/sglang#32718",
            "https://github.com/sgl-project/sglang/pull/32718",
            "The pool of the CUDA graphs has to be backed up when memory is given back and taken again.",
        ),
    ),
    aliases=("D05",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the combination."""
    if run.text("fact:rollout_engine") != "sglang" or run.known("fact:rollout_sleep") is not True:
        return
    if run.text("fact:attention_kind") != "hybrid" or run.known("fact:enforce_eager") is True:
        return
    if run.known("fact:rollout_colocated") is False:
        return
    yield run.finding(
        "CUDA graphs of a model with recurrent state and memory that SGLang gives back were reported to make later rollouts garbage",
        ("fact:model", "has layers with a recurrent state"),
        ("fact:rollout_sleep", "gives memory back"),
        ("fact:rollout_engine", "SGLang"),
        help="if rollouts are garbage from the second step on, turn CUDA graphs off or keep the engine's memory between steps",
    )
