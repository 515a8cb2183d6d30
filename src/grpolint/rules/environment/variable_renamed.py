"""A variable under a name that its library has given up.

## What it checks
Old names of variables: `NCCL_ASYNC_ERROR_HANDLING`, `NCCL_BLOCKING_WAIT` and other switches of ProcessGroupNCCL without `TORCH_`,
`TRANSFORMERS_CACHE`, `HUGGING_FACE_HUB_TOKEN`, `HUGGINGFACE_HUB_CACHE`, `HF_HUB_ENABLE_HF_TRANSFER`.

## Why it matters
PyTorch still reads the old names and warns; transformers 5 and huggingface_hub 1 no longer do, so that models are loaded from and
stored at another place than the line says.

## Example
    export TRANSFORMERS_CACHE=/data/hf

## Instead
    export HF_HOME=/data/hf

## Fix safety
None is offered: the place of the cache changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NEW = {
    "NCCL_ASYNC_ERROR_HANDLING": ("TORCH_NCCL_ASYNC_ERROR_HANDLING", "PyTorch 2.2 renamed it and warns"),
    "NCCL_BLOCKING_WAIT": ("TORCH_NCCL_BLOCKING_WAIT", "PyTorch 2.2 renamed it and warns"),
    "NCCL_DESYNC_DEBUG": ("TORCH_NCCL_DESYNC_DEBUG", "PyTorch 2.2 renamed it and warns"),
    "NCCL_ENABLE_TIMING": ("TORCH_NCCL_ENABLE_TIMING", "PyTorch 2.2 renamed it and warns"),
    "TRANSFORMERS_CACHE": ("HF_HOME", "transformers 5 does not read it"),
    "PYTORCH_TRANSFORMERS_CACHE": ("HF_HOME", "transformers 5 does not read it"),
    "HF_HUB_ENABLE_HF_TRANSFER": ("HF_XET_HIGH_PERFORMANCE", "huggingface_hub 1 does not use hf_transfer"),
}


@rule(
    id="EN020",
    name="variable-renamed",
    summary="a variable under a name that its library has given up",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    when={"|".join(f"env:{name}" for name in _NEW): SET},
    evidence=(
        Evidence(
            "pytorch: torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp",
            "https://github.com/pytorch/pytorch/blob/main/torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp",
            "Each variable is listed with its old name, for which a warning is printed.",
        ),
        Evidence(
            "huggingface_hub 1.0.0: huggingface_hub/constants.py",
            "https://github.com/huggingface/huggingface_hub/blob/v1.0.0/src/huggingface_hub/constants.py",
            "HF_HUB_ENABLE_HF_TRANSFER only prints that hf_transfer is not used any more.",
        ),
        Evidence(
            "transformers 5.0.0: transformers/utils/hub.py",
            "https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/utils/hub.py",
            "No file of the release names TRANSFORMERS_CACHE; 4.57.0 still read it.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each old name whose new one is not set as well."""
    for name, (new, why) in _NEW.items():
        if name in run.run.env and new not in run.run.env:
            yield run.finding(f"{name} is an old name: {why}", (f"env:{name}", f"now {new}"), help=f"set {new}")
