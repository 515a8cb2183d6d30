"""An allocator configuration that PyTorch refuses.

## What it checks
`PYTORCH_CUDA_ALLOC_CONF` and `PYTORCH_ALLOC_CONF`: `key:value` pairs with keys that PyTorch has, True or False where it wants a truth
value, and numbers in their bounds.

## Why it matters
The first use of CUDA raises ("Unrecognized key", "Expected a single True/False argument").

## Example
    export PYTORCH_CUDA_ALLOC_CONF=expandable_segments=True

## Instead
    export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

## Fix safety
None is offered: what was meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.digits import whole
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.suggest import suggestion

_VARIABLES = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
_KEYS = """
expandable_segments release_lock_on_cudamalloc release_lock_on_hipmalloc pinned_use_cuda_host_register
pinned_use_hip_host_register pinned_use_background_threads graph_capture_record_stream_reuse throw_on_cudamalloc_oom
"""
_TRUTH = frozenset(_KEYS.split())
_KEYS = """
backend max_split_size_mb max_non_split_rounding_mb garbage_collection_threshold roundup_power2_divisions
pinned_num_register_threads pinned_reserve_segment_size_mb per_process_memory_fraction
"""
_OTHER = frozenset(_KEYS.split())


@rule(
    id="EN017",
    name="allocator-configuration-refused",
    summary="an allocator configuration that PyTorch refuses",
    severity=Severity.ERROR,
    when={"env:PYTORCH_CUDA_ALLOC_CONF|env:PYTORCH_ALLOC_CONF": SET},
    evidence=(
        Evidence(
            "pytorch: c10/cuda/CUDAAllocatorConfig.cpp",
            "https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDAAllocatorConfig.cpp",
            "Every key is compared with the known ones, and truth values are True or False; others raise.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first pair that is refused."""
    for name in _VARIABLES:
        word = run.run.env.get(name)
        text = word.text if word is not None else None
        why = _refused("".join(text.split())) if text else ""
        if why:
            yield run.finding(
                f"PyTorch stops on this {name}: {why}", (f"env:{name}", "refused"), help="write key:value"
            )


def _refused(text: str) -> str:
    """Why PyTorch refuses a configuration; empty if it does not."""
    if "[" in text:
        return ""  # a list of roundings, with commas of its own
    for pair in text.removesuffix(",").split(","):
        key, colon, value = pair.partition(":")
        if not colon:
            return f"{pair or 'an empty pair'} is no key:value"
        if key not in _TRUTH and key not in _OTHER:
            return f"there is no {key}{suggestion(key, _TRUTH | _OTHER)}"
        if key in _TRUTH and value not in ("True", "False"):
            return f"{key} is True or False, and not {value or 'empty'}"
        size = whole(value)
        if key == "max_split_size_mb" and size is None:
            return f"{key} is a whole number, and not {value or 'empty'}"
        if key == "max_split_size_mb" and size is not None and size <= 20:
            return f"{key} is {value} and must be above 20"
        if key == "backend" and value not in ("native", "cudaMallocAsync", "hipMallocAsync"):
            return f"there is no backend {value}"
    return ""
