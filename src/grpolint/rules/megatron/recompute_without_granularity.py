"""Recompute options that nothing turns on.

## What it checks
`recompute_method` or `recompute_num_layers` while `recompute_granularity` is not given (and, on the command line,
`--recompute-activations` neither).

## Why it matters
Only the granularity turns recomputation on. All activations stay in memory, and the run ends out of memory at the
length it was meant to fit.

## Example
    --recompute-method uniform --recompute-num-layers 1

## Instead
    --recompute-granularity full --recompute-method uniform --recompute-num-layers 1

## Fix safety
Safe: recomputation changes memory and speed, no result.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import either, place


@rule(
    id="MG021",
    name="recompute-without-granularity",
    summary="recompute_method or recompute_num_layers without a granularity recompute nothing",
    severity=Severity.WARNING,
    frameworks={"megatron": ">=0.7", "verl": ">=0.5"},
    when={f"{either('recompute_method')}|{either('recompute_num_layers')}": SET, "fact:engine": "megatron"},
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "The method and the number of layers are looked at only where a granularity is given.",
        ),
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_block.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_block.py",
            "Layers are checkpointed where the granularity is full, and by the method only then.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron":
        return
    granularity = place(run, "recompute_granularity")
    given = [ref for ref in (place(run, "recompute_method"), place(run, "recompute_num_layers")) if run.is_set(ref)]
    given = [ref for ref in given if run.known(ref) is not None]
    if not given or run.known(granularity) is not None or run.flag("megatron:recompute_activations") is True:
        return
    framework, _, key = granularity.partition(":")
    names = " and ".join(ref.rpartition(".")[2].rpartition(":")[2] for ref in given)
    yield run.finding(
        f"{names} without recompute_granularity has no effect: nothing is recomputed",
        *((ref, "ignored") for ref in given),
        (granularity, "not given"),
        changes=(SetOption(framework, key, "full", safe=True),),
    )
