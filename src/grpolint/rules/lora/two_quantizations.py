"""A base model in 4 and in 8 bits at once.

## What it checks
`load_in_4bit` and `load_in_8bit` are both on.

## Why it matters
Whichever class reads them refuses the pair.

## Example
    trl sft --load_in_4bit true --load_in_8bit true --use_peft true

## Instead
    trl sft --load_in_4bit true --use_peft true

## Fix safety
None is offered: the width is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import on, together


@rule(
    id="LO062",
    name="two-quantizations",
    summary="load_in_4bit and load_in_8bit together",
    severity=Severity.ERROR,
    frameworks={"trl": ""},
    when={
        "trl:load_in_8bit|bitsandbytes:load_in_8bit|transformers:from_pretrained.load_in_8bit|unsloth:load_in_8bit": True
    },
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/model_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/model_config.py",
            "ModelConfig raises ValueError for both.",
        ),
        Evidence(
            "Unsloth: unsloth/models/loader.py, as released in 2026.10.9",
            "https://github.com/unslothai/unsloth/blob/main/unsloth/models/loader.py",
            "from_pretrained raises RuntimeError for more than one width.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding wherever both are on."""
    for place in ("trl:", "bitsandbytes:", "transformers:from_pretrained.", "unsloth:"):
        if place == "unsloth:" and not run.is_set("unsloth:load_in_4bit"):
            continue  # 4 bits by default give way
        yield from together(
            run,
            "load_in_4bit and load_in_8bit are both on: only one of them is taken",
            on(f"{place}load_in_4bit", "4 bits"),
            on(f"{place}load_in_8bit", "8 bits"),
            help="keep one of the two",
        )
