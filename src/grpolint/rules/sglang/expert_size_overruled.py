"""An expert parallel size that SGLang overrules.

## What it checks
`--ep-size` other than `--tp-size` while `--moe-a2a-backend` is deepep, mooncake, nixl or flashinfer, on a server or below slime.

## Why it matters
SGLang sets it to the tensor parallel size and says so in its log only: experts are spread over more or fewer ranks than written.

## Example
    python -m sglang.launch_server --model-path m --tp-size 8 --ep-size 4 --moe-a2a-backend deepep

## Instead
    python -m sglang.launch_server --model-path m --tp-size 8 --ep-size 8 --moe-a2a-backend deepep

## Fix safety
Safe: it writes down what happens anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_TRANSPORTS = ("deepep", "mooncake", "nixl", "flashinfer")


@rule(
    id="SG027",
    name="expert-size-overruled",
    summary="ep-size that SGLang sets to tp-size",
    severity=Severity.WARNING,
    frameworks={"sglang": ">=0.5.2,<0.5.15"},
    when={"sglang:ep_size": SET, "sglang:moe_a2a_backend": _TRANSPORTS},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "_handle_a2a_moe sets ep_size to tp_size for DeepEP and other transports.",
        ),
        Evidence(
            "sglang 0.5.12: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.12/python/sglang/srt/server_args.py",
            "The same.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the two differ."""
    if run.text("sglang:moe_a2a_backend") not in _TRANSPORTS or not run.is_set("sglang:ep_size"):
        return
    spread, ranks = run.integer("sglang:ep_size"), run.integer("sglang:tp_size")
    if spread is None or ranks is None or spread == ranks:
        return
    yield run.finding(
        f"SGLang changes ep-size from {spread} to {ranks}: {run.text('sglang:moe_a2a_backend')} spreads experts over all ranks",
        ("sglang:ep_size", "overruled"),
        ("sglang:tp_size", "ranks"),
        ("sglang:moe_a2a_backend", "spreads experts"),
        changes=(SetOption("sglang", "ep_size", ranks, safe=True),),
    )
