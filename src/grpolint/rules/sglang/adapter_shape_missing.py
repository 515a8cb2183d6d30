"""LoRA without the shape of its adapters.

## What it checks
`--enable-lora` of SGLang without `--lora-paths` and without both `--max-lora-rank` and `--lora-target-modules`.

## Why it matters
SGLang stops with an assertion: it makes the buffers at the start, before a trainer sends the first adapter.

## Example
    python -m sglang.launch_server --model-path m --enable-lora

## Instead
    python -m sglang.launch_server --model-path m --enable-lora --max-lora-rank 64 --lora-target-modules all

## Fix safety
None is offered: rank and modules are those of the trainer.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SG022",
    name="adapter-shape-missing",
    summary="enable-lora without anything that says how large adapters are",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.10"},
    when={"sglang:enable_lora": True},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_lora_server_args asserts it.",
        ),
        Evidence(
            "sglang 0.5.23: python/sglang/srt/arg_groups/lora_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.23/python/sglang/srt/arg_groups/lora_hook.py",
            "The same assertion in its later place.",
        ),
        Evidence(
            "sglang 0.4.9.post6: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.4.9.post6/python/sglang/srt/server_args.py",
            "The same in an older release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that says what is missing."""
    if run.flag("sglang:enable_lora") is not True or run.known("sglang:lora_paths") not in (None, "", []):
        return
    missing = [
        name for name in ("max_lora_rank", "lora_target_modules") if run.known(f"sglang:{name}") in (None, "", [])
    ]
    if missing:
        yield run.finding(
            f"enable-lora without lora-paths and without {' and '.join(each.replace('_', '-') for each in missing)}: "
            "SGLang cannot make its buffers",
            ("sglang:enable_lora", "no adapter to look at"),
            help="give the trainer's rank and modules: --max-lora-rank 64 --lora-target-modules all",
        )
