"""What releases of LLaMA-Factory may be installed with, as their packages declare it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REQUIRED"]

REQUIRED: Mapping[str, Mapping[str, str]] = {
    "0.9.0": {"transformers": "<=4.45.0", "accelerate": "<=0.33.0", "trl": "<=0.9.6", "deepspeed": "<=0.14.4"},
    "0.9.1": {"transformers": "<=4.46.1", "accelerate": "<=1.0.1", "trl": "<=0.9.6", "deepspeed": "<=0.14.4"},
    "0.9.2": {"transformers": "<=4.49.0", "accelerate": "<=1.2.1", "trl": "<=0.9.6", "deepspeed": "<=0.16.4"},
    "0.9.3": {"transformers": "<=4.52.4", "accelerate": "<=1.7.0", "trl": "<=0.9.6", "deepspeed": "<=0.16.9"},
    "0.9.4": {"transformers": "<=4.57.1", "accelerate": "<=1.11.0", "trl": "<=0.24.0", "deepspeed": "<=0.16.9"},
    "0.9.5": {"transformers": "<=5.6.0", "accelerate": "<=1.11.0", "trl": "<=0.24.0"},
}
"""Bounds by the first release that declares them."""
