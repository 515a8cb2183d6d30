"""Muon under gradient clipping: what a scaled gradient does to the orthogonalised update. Needs numpy.

Sources: Newton-Schulz with the quintic coefficients of K. Jordan (https://kellerjordan.github.io/posts/muon/,
KellerJordan/Muon muon.py); its floors as released in torch.optim.Muon (torch/optim/_muon.py), emerging-optimizers
(orthogonalized_optimizers/muon_utils.py, used by Megatron) and DeepSpeed (deepspeed/runtime/zero/muon/original_muon.py).
Megatron's default coefficients are another set of five triples; the slope at zero, which decides how a floor is felt,
is 492 instead of 485.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grpolint.lab.precision import Array, rounded

__all__ = [
    "COEFFICIENTS",
    "STEPS",
    "VARIANTS",
    "Variant",
    "adamw_share",
    "clipped_norm",
    "cosine_after_spikes",
    "gaussian",
    "mapped",
    "orthogonalised",
    "random_update_norm",
    "train",
]

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""a, b, c of one step X <- aX + b(XX')X + c(XX')^2 X (K. Jordan; also torch.optim.Muon and DeepSpeed)."""

STEPS = 5
"""Newton-Schulz steps of every released implementation."""

ADAM_EPS = 1e-8
"""The epsilon of torch.optim.AdamW and of Megatron's --adam-eps."""


@dataclass(frozen=True)
class Variant:
    """How one implementation normalises before it iterates: x / (norm + eps), or x / max(norm, eps) with `clamp`.

    `form` is the format of the iteration; with `late` the division happens in fp32 and only its result is rounded.
    """

    key: str
    heading: str
    form: str
    eps: float
    clamp: bool
    late: bool
    where: str


VARIANTS = (
    Variant("fp32_add", "fp32 +1e-7", "fp32", 1e-7, False, False, "the same formula in fp32, for comparison"),
    Variant("fp32_max", "fp32 max 1e-7", "fp32", 1e-7, True, False, "Megatron with emerging-optimizers 0.1.0 to 0.3.1"),
    Variant("fp32_low", "fp32 max 1e-15", "fp32", 1e-15, True, False, "Megatron with emerging-optimizers from 0.4.0"),
    Variant("bf16_add", "bf16 +1e-7", "bf16", 1e-7, False, False, "K. Jordan; DeepSpeed with ns_method=standard"),
    Variant("bf16_max", "bf16 max 1e-7", "bf16", 1e-7, True, False, "torch.optim.Muon"),
    Variant(
        "fp16_early", "fp16 +1e-7", "fp16", 1e-7, False, False, "DeepSpeed 0.19.0 to 0.19.7, ns_method=gram (default)"
    ),
    Variant("fp16_late", "fp16, late cast", "fp16", 1e-7, False, True, "DeepSpeed 0.19.8, ns_method=gram (default)"),
)
"""The floors of released implementations. DeepSpeed's gram method iterates on XX' for matrices that are not square;
the same result up to rounding, so one iteration stands for both."""


def gaussian(rows: int, columns: int, seed: int) -> Array:
    """A random gradient of Frobenius norm 1, shape (rows, columns), with independent normal entries."""
    matrix = np.random.default_rng(seed).standard_normal((rows, columns))
    return np.asarray(matrix / np.linalg.norm(matrix))


def orthogonalised(matrix: Array, variant: Variant) -> Array:
    """The Newton-Schulz update of a gradient as `variant` computes it; the same shape, Frobenius norm about
    sqrt(min(rows, columns)) where the floor is not felt.
    """
    first = "fp32" if variant.late else variant.form
    form = variant.form
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x = rounded(wide, first)
    norm = rounded(math.sqrt(float((x * x).sum())), first)
    floor = rounded(variant.eps, first)
    scale = float(np.maximum(norm, floor) if variant.clamp else rounded(norm + floor, first))
    x = rounded(rounded(x / scale, first) if scale else x, form)
    a, b, c = COEFFICIENTS
    for _ in range(STEPS):
        square = rounded(x @ x.T, form)
        inner = rounded(rounded(b * square, form) + rounded(c * rounded(square @ square, form), form), form)
        x = rounded(rounded(a * x, form) + rounded(inner @ x, form), form)
    return x if matrix.shape[0] <= matrix.shape[1] else x.T


def mapped(singular: Array) -> Array:
    """What the iteration makes of singular values: five times s <- a s + b s^3 + c s^5. The closed form of it all."""
    a, b, c = COEFFICIENTS
    s = np.asarray(singular, np.float64)
    for _ in range(STEPS):
        s = a * s + b * s**3 + c * s**5
    return s


def adamw_share(entries: Array, scale: float) -> float:
    """Length of AdamW's step for entries times `scale`, as a share of the step without epsilon.

    For a steady gradient both moments settle at g and g^2, and the step is g / (|g| + eps), element by element.
    """
    size = np.abs(entries) * scale
    return float(np.sqrt(((size / (size + ADAM_EPS)) ** 2).mean()))


def random_update_norm(hidden: int, layers: int) -> float:
    """Frobenius norm of the updates of `layers` square matrices of size `hidden` with random normal gradients.

    The singular values of such a matrix follow the quarter-circle law with density sqrt(4 - x^2) / pi on [0, 2] (in
    units of sqrt(hidden)); its quantiles go through `mapped`. At most sqrt(layers * hidden) for perfect orthogonality.
    """
    targets = (np.arange(hidden) + 0.5) / hidden
    low, high = np.zeros(hidden), np.full(hidden, 2.0)
    for _ in range(50):
        x = (low + high) / 2
        below = (x * np.sqrt(4 - x * x) / 2 + 2 * np.arcsin(x / 2)) / np.pi < targets
        low, high = np.where(below, x, low), np.where(below, high, x)
    quantiles = (low + high) / 2
    return float(math.sqrt(layers) * np.linalg.norm(mapped(quantiles / np.linalg.norm(quantiles))))


def clipped_norm(norm: float, limit: float) -> float:
    """The norm after DeepSpeed's clip: norm / max((norm + 1e-6) / limit, 1), from unscale_and_clip_grads of
    stage_1_and_2.py (loss scale 1); a limit of 0 turns it off.
    """
    return norm if limit <= 0 else norm / max((norm + 1e-6) / limit, 1.0)


def cosine_after_spikes(noise: float, *, steps: int, every: int, spike: float, limit: float, seed: int) -> float:
    """Cosine between the momentum of clipped gradients and that of unclipped ones, mean over the last half.

    Each gradient is one fixed direction (norm 1) plus noise of norm `noise`; every `every`-th is `spike` times as
    large; clipping cuts its norm to `limit`. The direction of one matrix survives any clip; the weights of the average
    do not.
    """
    generator = np.random.default_rng(seed)
    signal = generator.standard_normal(512)
    signal /= np.linalg.norm(signal)
    with_clip, without, cosines = np.zeros(512), np.zeros(512), []
    for step in range(1, steps + 1):
        gradient = signal + noise * generator.standard_normal(512) / math.sqrt(512)
        gradient = gradient * (spike if step % every == 0 else 1.0)
        size = float(np.linalg.norm(gradient))
        without = 0.95 * without + 0.05 * gradient
        with_clip = 0.95 * with_clip + 0.05 * gradient * min(1.0, limit / size)
        if step > steps // 2:
            cosines.append(with_clip @ without / (np.linalg.norm(with_clip) * np.linalg.norm(without)))
    return float(np.mean(cosines))


def train(optimizer: Variant | None, rest: float, steps: int, seed: int, limit: float = 1.0) -> float:
    """Train a small linear layer whose gradient shares one global clip with the rest of a model.

    A 32 x 64 layer learns a fixed one from 256 inputs (mean squared error); `rest` is the gradient norm of all other
    parameters, so the clip multiplies by limit / sqrt(rest^2 + own^2). `optimizer` is a variant of Muon (momentum
    0.95, Nesterov, step 0.02), or None for AdamW (betas 0.9 and 0.95, epsilon 1e-8, step 0.02). State in fp32. Comes
    out: the last loss as a share of the first.
    """
    generator = np.random.default_rng([seed, 1])
    wanted = generator.standard_normal((32, 64)) / 8
    inputs = generator.standard_normal((64, 256))
    gram = inputs @ inputs.T / 256
    weight = np.zeros((32, 64))
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    start = float(((weight - wanted) @ gram * (weight - wanted)).sum())
    for step in range(1, steps + 1):
        gradient = rounded((weight - wanted) @ gram, "fp32")
        total = math.hypot(rest, float(np.linalg.norm(gradient)))
        gradient = rounded(gradient * min(1.0, limit / (total + 1e-6)), "fp32")
        if optimizer is not None:
            first = rounded(0.95 * first + 0.05 * gradient, "fp32")
            move = orthogonalised(0.05 * gradient + 0.95 * first, optimizer)
        else:
            first = rounded(0.9 * first + 0.1 * gradient, "fp32")
            second = rounded(0.95 * second + 0.05 * gradient * gradient, "fp32")
            move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.95**step)) + ADAM_EPS)
        weight = rounded(weight - 0.02 * move, "fp32")
    return float(((weight - wanted) @ gram * (weight - wanted)).sum()) / start
