"""The page of `grpolint lab muon`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from grpolint.lab import muon
from grpolint.lab.tables import Cell, Chart, Claim, Column, Report, Table, percent, power, significant

__all__ = ["report"]

EXPONENTS = range(13)
"""The clip coefficients are 10 to the power of minus these."""

RESTS = (0.0, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12)
"""Gradient norms of the rest of the model in the training runs."""

STALLED = 0.5
"""A run counts as stalled when more than this share of the first loss is left."""

MEASURED = 256
"""Up to this size the orthogonalisation is also carried out; beyond it only the law of singular values is used."""

SMALL = 1e-3
"""Shares below this are printed as such: there rounding, not the clip, decides the digits."""


def report(
    shape: tuple[int, int], *, hidden: Sequence[int], layers: int, limit: float, steps: int, seed: int
) -> Report:
    """Newton-Schulz under a clip coefficient, DeepSpeed's clip after it, and short training runs.

    `shape` is that of the matrix whose gradient is scaled, `hidden` are sizes of square matrices of which there are
    `layers`, `limit` is the global clip, `steps` the length of each training run.
    """
    lengths, errors = _scaled(shape, seed)
    after = _after(hidden, layers, limit, seed)
    runs = _runs(limit, steps, seed)
    return Report(
        "muon",
        seed,
        (
            Claim(
                ("N02", "N13"),
                "Muon is scale-invariant, so gradient clipping makes it stall: a fundamental contradiction.",
                _floor(lengths, errors),
            ),
            Claim(
                ("D02", "N02", "N16"),
                "Gradient clipping at 1.0 is a must.",
                "DeepSpeed clips after the orthogonalisation, when the norm no longer says anything about the gradient: "
                f"{_first(after)}. There gradient_clipping has to be 0 with Muon.",
            ),
        ),
        (lengths, errors, after, runs, _momentum(seed)),
        (
            Chart(
                "length",
                "coefficient",
                (*(variant.key for variant in muon.VARIANTS), "adamw"),
                "Length of the update after a clip, as a share of the unclipped one",
                "clip coefficient on a gradient of norm 1",
                "length of the update",
                log_x=True,
                falling=True,
            ),
        ),
    )


OFF = 0.1
"""A relative error above this counts as another update."""


def _floor(lengths: Table, errors: Table) -> str:
    def first(table: Table, key: str, counts: Callable[[float], bool]) -> str:
        entries = zip(table.column("coefficient"), table.column(key))
        return next((power(scale) for scale, entry in entries if isinstance(entry, float) and counts(entry)), "nowhere")

    def wrong(key: str) -> str:
        return first(errors, key, lambda error: error > OFF)

    def short(key: str) -> str:
        return first(lengths, key, lambda length: length < STALLED)

    return (
        "Scale invariance is what makes a clip before the orthogonalisation harmless until the norm of a matrix comes "
        f"near the floor of its normalisation. Coefficients from which the update is off by more than {OFF:.0%}, and "
        f"from which it is shorter than half: {wrong('bf16_add')} and {short('bf16_add')} with 1e-7 added, "
        f"{wrong('fp32_max')} and {short('fp32_max')} with 1e-7 as the least norm, {wrong('fp32_low')} and "
        f"{short('fp32_low')} with 1e-15 as the least norm; {wrong('adamw')} and {short('adamw')} for AdamW, by its own "
        "epsilon. So a clip that small stops AdamW, too: the cause is the clip (or the norm behind it), not Muon."
    )


def _scaled(shape: tuple[int, int], seed: int) -> tuple[Table, Table]:
    gradient = muon.gaussian(*shape, seed)
    full = {variant.key: muon.orthogonalised(gradient, variant) for variant in muon.VARIANTS}
    lengths: list[list[Cell]] = []
    errors: list[list[Cell]] = []
    whole = np.abs(gradient) / (np.abs(gradient) + muon.ADAM_EPS)
    for exponent in EXPONENTS:
        scale = 10.0**-exponent
        length: list[Cell] = [scale]
        error: list[Cell] = [scale]
        for variant in muon.VARIANTS:
            update, base = muon.orthogonalised(gradient * scale, variant), full[variant.key]
            norm = float(np.linalg.norm(base))
            length.append(float(np.linalg.norm(update)) / norm)
            error.append(float(np.linalg.norm(update - base)) / norm)
        scaled = np.abs(gradient) * scale
        length.append(muon.adamw_share(gradient, scale))
        error.append(float(np.linalg.norm(scaled / (scaled + muon.ADAM_EPS) - whole) / np.linalg.norm(whole)))
        lengths.append(length)
        errors.append(error)
    rows, columns = shape
    heads = [(variant.key, variant.heading) for variant in muon.VARIANTS] + [("adamw", "AdamW 1e-8")]
    names = "; ".join(f"{variant.heading}: {variant.where}" for variant in muon.VARIANTS)
    return (
        Table(
            "length",
            f"Length of the update, share of the unclipped one; gradient {rows} x {columns} of norm 1, times a coefficient",
            (
                Column("coefficient", "coefficient", power),
                *(Column(*head, percent(3, SMALL)) for head in heads),
            ),
            lengths,
            (
                f"{names}. All with a, b, c = {', '.join(map(str, muon.COEFFICIENTS))} and {muon.STEPS} steps.",
                (
                    "In DeepSpeed the clip comes after; there the coefficient stands for the size of the gradient itself, "
                    "whose entries fp16 loses below 6e-8."
                ),
            ),
        ),
        Table(
            "error",
            "Relative error of the update, direction and length together",
            (
                Column("coefficient", "coefficient", power),
                *(Column(*head, percent(3, SMALL)) for head in heads),
            ),
            errors,
            (
                "In bf16 some 3% are rounding alone, whatever the coefficient: scaling by 10 moves the values to be rounded.",
            ),
        ),
    )


def _after(hidden: Sequence[int], layers: int, limit: float, seed: int) -> Table:
    rows: list[list[Cell]] = []
    for size in hidden:
        norm = muon.random_update_norm(size, layers)
        carried: Cell = None
        if size <= MEASURED:
            norms = [
                float(np.linalg.norm(muon.orthogonalised(muon.gaussian(size, size, seed + each), muon.VARIANTS[0])))
                for each in range(layers)
            ]
            carried = math.hypot(*norms)
        rows.append([size, norm, carried, math.sqrt(layers * size), norm / muon.clipped_norm(norm, limit)])
    return Table(
        "after",
        f"DeepSpeed clips after the orthogonalisation: {layers} matrices h x h, clip {limit:g}",
        (
            Column("hidden", "h"),
            Column("norm", "norm of the update", significant(3)),
            Column("measured", "carried out", significant(3)),
            Column("bound", "sqrt(layers x h)", significant(3)),
            Column("divided", "every step divided by", significant(3)),
        ),
        rows,
        (
            (
                "For random gradients, from the quarter-circle law of singular values. Real gradients have a lower rank and "
                "a smaller norm: deepspeedai/DeepSpeed#8439 reports 4.2 at 128 and 85.6 at 8192 for four layers. Either "
                "way the step after the clip has the clip's norm, whatever the gradient was."
            ),
        ),
    )


def _first(table: Table) -> str:
    row = table.rows[-1]
    shown = significant(3)
    return f"with {row[0]:,} x {row[0]:,} matrices each step is divided by {shown(row[4])}"


_RUNS = ("bf16_add", "fp32_max", "fp32_low")


def _runs(limit: float, steps: int, seed: int) -> Table:
    chosen = [variant for variant in muon.VARIANTS if variant.key in _RUNS]
    rows: list[list[Cell]] = []
    for rest in RESTS:
        left = [muon.train(variant, rest, steps, seed, limit) for variant in (*chosen, None)]
        stalled = [
            name
            for name, share in zip([*(variant.heading for variant in chosen), "AdamW"], left)
            if not share <= STALLED
        ]
        rows.append([rest, limit / max(rest, limit), *left, ", ".join(stalled) or "none"])
    return Table(
        "training",
        f"Loss left after {steps} steps of a 32 x 64 layer that shares a global clip of {limit:g} with a larger model",
        (
            Column("rest", "norm of the rest", power),
            Column("coefficient", "coefficient", power),
            *(Column(variant.key, f"Muon {variant.heading}", percent(2, 0.01)) for variant in chosen),
            Column("adamw", "AdamW 1e-8", percent(2, 0.01)),
            Column("stalled", f"stalled (> {STALLED:.0%} left)", left=True),
        ),
        rows,
        (
            (
                "One coefficient, limit / global norm, scales every gradient, as Megatron's ChainedOptimizer does; "
                "NVIDIA/Megatron-LM#5394 reports norms of 5e7 to 2e11."
            ),
        ),
    )


def _momentum(seed: int) -> Table:
    rows: list[list[Cell]] = [
        [noise, muon.cosine_after_spikes(noise, steps=400, every=10, spike=10.0, limit=1.0, seed=seed)]
        for noise in (0.3, 1.0, 3.0)
    ]
    return Table(
        "momentum",
        "Not exactly harmless: a clip changes the weights in the momentum. Every tenth gradient is ten times as large",
        (
            Column("noise", "noise / signal", significant(2)),
            Column("cosine", "cosine of clipped to unclipped momentum", significant(3)),
        ),
        rows,
        ("Clipped to norm 1, momentum 0.95, mean over 200 steps.",),
    )
