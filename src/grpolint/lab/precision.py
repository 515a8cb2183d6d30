"""Rounding to the formats of accelerators, and where each ends. Needs numpy.

Arithmetic of a format is emulated operation by operation: each result is computed in float64 and then rounded to the
format, as a kernel does that accumulates wide and stores narrow. This makes results the same on every processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FORMATS", "Array", "largest", "last_finite_exp", "rounded"]

Array = NDArray[np.float64]
"""Values in float64; those of a narrow format are the ones it can hold."""

FORMATS = ("fp16", "bf16", "fp32")
"""IEEE 754 binary16; bfloat16 (binary32 with 8 significand bits); IEEE 754 binary32."""


def rounded(values: Any, form: str) -> Array:
    """Values rounded to nearest, ties to even, in `fp16`, `bf16` or `fp32`; what is too large becomes infinite.

    bf16 is reached by way of fp32, as hardware does: the low 16 bits are rounded away. Raises ValueError for another
    format. The shape stays.
    """
    if form not in FORMATS:
        raise ValueError(f"unknown format {form!r}")
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        if form == "fp16":
            return np.asarray(np.asarray(values, np.float64).astype(np.float16), np.float64)
        single = np.atleast_1d(np.asarray(values, np.float64)).astype(np.float32)
        if form == "bf16":
            bits = single.view(np.uint32)
            kept = (bits + (((bits >> 16) & 1) + np.uint32(0x7FFF))) & np.uint32(0xFFFF0000)
            single = np.where(np.isnan(single), single, kept.view(np.float32))
        return np.asarray(single.astype(np.float64).reshape(np.shape(values)))


def largest(form: str) -> float:
    """The largest finite value: 65504, 2^128 - 2^120 or 2^128 - 2^104."""
    return {"fp16": 65504.0, "bf16": 2.0**128 - 2.0**120, "fp32": 2.0**128 - 2.0**104}[form]


def last_finite_exp(form: str) -> tuple[float, float]:
    """The largest value of the format whose exp is finite in it, and the next one, whose exp is not."""
    low, high = 0.0, 128.0
    while True:
        middle = float(rounded((low + high) / 2, form))
        if middle in (low, high):
            return low, high
        with np.errstate(over="ignore"):
            low, high = (middle, high) if np.isfinite(rounded(np.exp(middle), form)) else (low, middle)
