"""DeepSpeed where the command of LLaMA-Factory starts no torchrun.

## What it checks
A file or flag deepspeed, the command llamafactory-cli train, one visible device, and FORCE_TORCHRUN not set.

## Why it matters
With one device the command starts training in its own process, and DeepSpeed is refused with a ValueError.

## Example
    CUDA_VISIBLE_DEVICES=0 llamafactory-cli train qwen_lora_ds3.yaml

## Instead
    CUDA_VISIBLE_DEVICES=0 FORCE_TORCHRUN=1 llamafactory-cli train qwen_lora_ds3.yaml

## Fix safety
Safe: it prevents the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import AddEnv
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="LF001",
    name="deepspeed-without-torchrun",
    summary="DeepSpeed on one device without FORCE_TORCHRUN",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"llamafactory:stage": ("pt", "sft", "rm", "ppo", "dpo", "kto")},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for deepspeed unless the run is distributed.",
        ),
        Evidence(
            "llamafactory 0.9.5: llamafactory/launcher.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/launcher.py",
            "The command starts torchrun only with FORCE_TORCHRUN or where several devices are visible.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    launch = run.run.launch
    if launch is None or not launch.program.endswith(" train") or launch.wrappers:
        return
    if not run.known("transformers:deepspeed") and "deepspeed" not in run.run.settings:
        return
    visible = run.text("env:CUDA_VISIBLE_DEVICES")
    forced = (run.text("env:FORCE_TORCHRUN") or "0").lower() in ("1", "true", "y")
    if visible is None or len(visible.split(",")) != 1 or not visible.strip() or forced:
        return
    yield run.finding(
        "DeepSpeed on one device is refused unless FORCE_TORCHRUN=1 starts it by torchrun",
        ("transformers:deepspeed", "needs a distributed start"),
        ("env:CUDA_VISIBLE_DEVICES", "one device"),
        changes=(AddEnv("FORCE_TORCHRUN", "1", safe=True),),
    )
