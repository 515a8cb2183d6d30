"""Stale embeddings in the encoder cache.

## What it checks
A rollout engine takes part, and nothing says that the policy reads text only. The handbook has no setting that
decides it and says: monitor.

## Why it matters
The handbook: vLLM took back the change that emptied the encoder cache after an update of weights, so that embeddings
of old weights are used.

## Example
    {"rollout_engine": "vllm", "multimodal": true}

## Instead
    {"rollout_engine": "vllm", "multimodal": false}

## Fix safety
No fix: no option empties the cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import need
from grpolint.rules.handbook._stated import stated
from grpolint.values import plain


@stated("N12", "no-encoder-cache-revert", "the encoder cache is not known to be emptied", Severity.WARNING)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a warning wherever images may be read."""
    if plain(run.ask("fact:multimodal")) is False:
        return  # nothing is in an encoder cache
    engine = need(run, "rollout_engine", "a rollout engine")
    if engine in ("hf", "none"):
        raise NotApplicable("no rollout engine with a cache of its own takes part")
    yield run.finding(
        f"nothing rules out that {engine} uses embeddings of old weights from its encoder cache",
        ("fact:rollout_engine", str(engine)),
        ("fact:multimodal", "more than text"),
        help="monitor it: compare log-probabilities of trainer and rollout, or say --fact multimodal=false",
    )
