"""Packed samples without vLLM.

## What it checks
`--ds.packing_samples` (formerly `--packing_samples`) with `vllm.num_engines` 0, its default. Ring attention and
dynamic batches turn packing on by themselves.

## Why it matters
The program stops with an assertion at the start.

## Example
    --ds.packing_samples

## Instead
    --ds.packing_samples --vllm.num_engines 4

## Fix safety
None is offered: the number of engines is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_ENGINES = "openrlhf:vllm.num_engines"
_TURN_ON = (
    ("ds.packing_samples", "packing_samples"),
    ("ds.ring_attn_size", "ring attention"),
    ("train.dynamic_batch_enable", "dynamic batching"),
)


@rule(
    id="OR002",
    name="packing-without-engine",
    summary="packing_samples needs vLLM engines",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.5.9"},
    evidence=(
        Evidence(
            "openrlhf 0.11.2: openrlhf/cli/train_ppo_ray.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/cli/train_ppo_ray.py",
            "Asserts that there is an engine where samples are packed.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.ask(_ENGINES) is None or (run.number(_ENGINES) or 0) > 0:  # null where nobody sets it
        return
    for key, word in _TURN_ON:
        value = run.known(f"openrlhf:{key}")
        if value is True or (isinstance(value, int) and not isinstance(value, bool) and value > 1):
            yield run.finding(
                f"{word} packs samples, which OpenRLHF does only with vLLM engines, and there are none",
                (f"openrlhf:{key}", "packs samples"),
                (_ENGINES, "no engine"),
                help="set the number of vLLM engines",
            )
            return
