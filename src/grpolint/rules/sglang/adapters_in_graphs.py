"""Several LoRA adapters in a CUDA graph that was captured for fewer.

## What it checks
An SGLang server before 0.5.14 with two or more adapters, the `csgmv` LoRA backend and CUDA graphs.

## Why it matters
The number of segments of the first batch was part of the graph. Batches with more adapters lost the deltas of some, or got
those of others. A single adapter is not concerned.

## Example
    python -m sglang.launch_server --model-path m --lora-paths a=/ckpt/a b=/ckpt/b      with sglang 0.5.12

## Instead
    python -m sglang.launch_server --model-path m --lora-paths a=/ckpt/a b=/ckpt/b --lora-backend triton

## Fix safety
Unsafe: it changes what is sampled, to what the adapters say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule


@rule(
    id="SG004",
    name="adapters-in-graphs",
    summary="several LoRA adapters with csgmv and CUDA graphs before SGLang 0.5.14",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.5.3,<0.5.14"},
    when={"sglang:lora_paths": SET, "sglang:lora_backend": "csgmv"},
    evidence=(
        Evidence(
            "sgl-project/sglang#28371",
            "https://github.com/sgl-project/sglang/pull/28371",
            "The kernels baked the count of segments into the CUDA graph, so that batches with several adapters mixed deltas.",
        ),
        Evidence(
            "sglang 0.5.14: sglang/srt/lora/backend/chunked_backend.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.14/python/sglang/srt/lora/backend/chunked_backend.py",
            "Unused segments of the captured batch are zeroed; 0.5.13.post1 has no such code.",
        ),
    ),
    aliases=("D05",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if several adapters share the graphs."""
    paths = run.known("sglang:lora_paths")
    count = len(paths) if isinstance(paths, (list, tuple, dict)) else len(str(paths).split()) if paths else 0
    if count < 2 or run.text("sglang:lora_backend") != "csgmv" or run.known("fact:enforce_eager") is True:
        return
    version = run.run.settings["sglang"].version.text
    yield run.finding(
        f"{count} LoRA adapters share CUDA graphs that SGLang {version} captures for fewer: their deltas are lost or mixed",
        ("sglang:lora_paths", f"{count} adapters"),
        ("sglang:lora_backend", "csgmv"),
        changes=(SetOption("sglang", "lora_backend", "triton"),),
    )
