"""What releases of ms-swift may be installed with, as their packages declare it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REQUIRED"]

REQUIRED: Mapping[str, Mapping[str, str]] = {
    "3.0.0": {"transformers": "<4.48", "trl": "<0.12", "peft": "<0.15"},
    "3.1.0": {"transformers": "<4.50", "trl": "<0.15", "peft": "<0.15"},
    "3.2.1": {"transformers": "<4.51", "trl": "<0.17", "peft": "<0.15"},
    "3.3.0": {"transformers": "<4.52", "trl": "<0.17", "peft": "<0.16"},
    "3.4.0": {"transformers": "<4.53", "trl": "<0.18", "peft": "<0.16"},
    "3.5.0": {"transformers": "<4.53", "trl": "<0.20", "peft": "<0.16"},
    "3.7.0": {"transformers": "<4.56", "trl": "<0.21", "peft": "<0.17"},
    "3.8.0": {"transformers": "<4.57", "trl": "<0.21", "peft": "<0.18"},
    "3.9.0": {"transformers": "<4.58", "trl": "<0.24", "peft": "<0.18"},
    "3.10.0": {"transformers": "<4.58", "trl": "<0.25", "peft": "<0.18"},
    "4.0.0": {"transformers": "<5.3", "trl": "<0.29", "peft": "<0.19"},
    "4.1.0": {"transformers": "<5.6", "trl": "<0.30", "peft": "<0.19"},
    "4.2.0": {"transformers": "<5.9", "trl": "<1.0", "peft": "<0.20"},
    "4.3.0": {"transformers": "<5.11", "trl": "<1.0", "peft": "<0.20"},
    "4.3.1": {"transformers": "<5.13", "trl": "<1.0", "peft": "<0.20"},
    "4.5.0": {"transformers": "<5.17", "trl": "<1.0", "peft": "<0.20"},
    "4.6.0": {"transformers": "<5.20", "trl": "<1.0", "peft": "<0.21"},
}
"""Bounds by the first release that declares them."""
