"""Options of one way of tuning with another.

## What it checks
use_dora, use_rslora, pissa_init and loraplus_lr_ratio without finetuning_type lora; use_galore, use_apollo and
use_badam with it, two of them together, and GaLore or APOLLO with DeepSpeed.

## Why it matters
The run ends with a ValueError once the arguments are read.

## Example
    llamafactory-cli train --finetuning_type full --use_rslora

## Instead
    llamafactory-cli train --finetuning_type lora --use_rslora

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="LF006",
    name="adapter-option-without-adapter",
    summary="an option of LoRA with another way of tuning, or the other way round",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={
        "llamafactory:use_dora|llamafactory:use_rslora|llamafactory:loraplus_lr_ratio|llamafactory:pissa_init|llamafactory:use_galore|llamafactory:use_apollo|llamafactory:use_badam": SET
    },
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/finetuning_args.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/finetuning_args.py",
            "FinetuningArguments raises ValueError for each of them.",
        ),
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for GaLore and APOLLO with DeepSpeed.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    kind = run.text("llamafactory:finetuning_type")
    for key in ("use_dora", "use_rslora", "pissa_init", "loraplus_lr_ratio"):
        if kind != "lora" and run.known(f"llamafactory:{key}") not in (None, False):
            yield run.finding(
                f"{key} is refused with finetuning_type {kind}",
                (f"llamafactory:{key}", "only for LoRA"),
                "llamafactory:finetuning_type",
                help="take it out, or tune by LoRA",
            )
    used = [key for key in ("use_galore", "use_apollo", "use_badam") if run.flag(f"llamafactory:{key}") is True]
    if used and kind == "lora":
        places = (f"llamafactory:{used[0]}", "llamafactory:finetuning_type")
        yield run.finding(f"{used[0]} is refused with LoRA", *places, help="tune all parameters with it")
    elif len(used) > 1:
        each = tuple(f"llamafactory:{key}" for key in used)
        yield run.finding(f"{' and '.join(used)} are refused together", *each, help="keep one of them")
    if any(key in used for key in ("use_galore", "use_apollo")) and run.known("transformers:deepspeed"):
        places = (f"llamafactory:{used[0]}", "transformers:deepspeed")
        yield run.finding(f"{used[0]} is refused with DeepSpeed", *places, help="take one of the two out")
