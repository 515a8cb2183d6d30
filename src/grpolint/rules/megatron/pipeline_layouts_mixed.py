"""Two ways to spread the layers.

## What it checks
The number of layers of the first or last stage together with the embedding or the loss counted as a layer, or
either together with a `pipeline_model_parallel_layout`: on Megatron's command line, in slime and in verl's
`override_transformer_config`.

## Why it matters
Megatron refuses the configuration of the model on every rank.

## Example
    --decoder-first-pipeline-num-layers 11 --account-for-loss-in-pipeline-split

## Instead
    --decoder-first-pipeline-num-layers 11 --decoder-last-pipeline-num-layers 11

## Fix safety
None is offered: how to cut the model is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.megatron._transformer import either, place

_COUNTED = ("account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split")
_NUMBERS = ("num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage")


@rule(
    id="MG074",
    name="pipeline-layouts-mixed",
    summary="two ways to say how layers are spread over pipeline stages",
    severity=Severity.ERROR,
    frameworks={"megatron": ">=0.13", "verl": ">=0.6"},
    when={
        "|".join(either(key) for key in (*_COUNTED, *_NUMBERS, "pipeline_model_parallel_layout")): SET,
        "fact:engine": "megatron",
    },
    evidence=(
        Evidence(
            "Megatron-LM core_v0.19.0: megatron/core/transformer/transformer_config.py",
            "https://github.com/NVIDIA/Megatron-LM/blob/core_v0.19.0/megatron/core/transformer/transformer_config.py",
            "__post_init__ raises ValueError for each pair of the three ways.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:engine") != "megatron":
        return
    counted = [ref for key in _COUNTED if run.flag(ref := place(run, key)) is True]
    numbers = [ref for key in _NUMBERS if run.integer(ref := place(run, key)) is not None]
    layout = place(run, "pipeline_model_parallel_layout")
    drawn = [layout] if run.known(layout) is not None else []
    for ways in ((numbers, counted), (drawn, numbers), (drawn, counted)):
        if all(ways):
            one, other = (refs[0].rpartition(".")[2].rpartition(":")[2] for refs in ways)
            yield run.finding(
                f"{one} and {other} both say how layers are spread: Megatron takes one way only",
                (ways[0][0], "one way"),
                (ways[1][0], "another"),
                help="keep one of them",
            )
