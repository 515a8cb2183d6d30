"""The page of `grpolint lab softmax`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grpolint.lab import precision, softmax
from grpolint.lab.precision import FORMATS, Array
from grpolint.lab.tables import Cell, Chart, Claim, Column, Report, Table, percent, significant

__all__ = ["report", "report_of"]

_share = percent(3, 0.00001)

ROWS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("12, 11, 10", (12.0, 11.0, 10.0)),
    ("100, 50, -100", (100.0, 50.0, -100.0)),
    ("60000, 59000, -60000", (60000.0, 59000.0, -60000.0)),
    ("65504, -65504", (65504.0, -65504.0)),
    ("0, -inf (one masked)", (0.0, -math.inf)),
    ("70000, 0", (70000.0, 0.0)),
    ("inf, 0", (math.inf, 0.0)),
    ("-inf, -inf (all masked)", (-math.inf, -math.inf)),
)
"""Logits as they would be in exact arithmetic; 70000 is beyond fp16."""


def report(routers: Sequence[tuple[int, int]], tokens: int, layers: int, seed: int) -> Report:
    """Where exp overflows, what a softmax makes of extreme rows, and top-k agreement on random logits.

    `routers` are pairs (experts, k); `layers` routers in a row are taken as independent.
    """
    routers = sorted(routers)
    agreement = [_compared(softmax.drawn(tokens, experts, seed), experts, k, layers) for experts, k in routers]
    return Report(
        "softmax",
        seed,
        _claims(),
        (
            _overflow(),
            _rows(),
            _agreement(
                [row for rows in agreement for row in rows],
                layers,
                f"Top-k sets that differ after rounding, {tokens:,} random normal tokens",
                "The logits are drawn from a standard normal distribution; give your own with --logits.",
            ),
        ),
        (_chart("Top-k sets that differ from exact logits", tuple(FORMATS)),) if len(routers) > 1 else (_bars(),),
    )


def report_of(logits: Array, kind: str, k: int, layers: int) -> Report:
    """The same for logits that were measured, shape (tokens, experts), read as type `kind`."""
    limit = precision.last_finite_exp("fp16")[0]
    found = softmax.rows(logits, limit)
    entries: list[list[Cell]] = [
        ["tokens", found.tokens],
        ["experts", int(logits.shape[1])],
        ["largest finite size", found.largest],
        [f"rows with a logit above {limit:.4g} (naive fp16 exp overflows)", found.bursting],
        ["rows with +inf (softmax is NaN in every form)", found.infinite],
        ["rows with NaN", found.unset],
        ["rows with every expert masked (softmax is NaN)", found.masked],
        ["rows whose fp16 softmax with the maximum subtracted is NaN", softmax.without_result(logits, "fp16")],
    ]
    tables = [
        Table(
            "logits",
            f"The logits, held as {kind}",
            (Column("what", "what", left=True), Column("value", "value", significant(5))),
            entries,
        )
    ]
    if len(found.usable):
        rows = _compared(found.usable, int(logits.shape[1]), k, layers)
        note = f"Against the logits as they are in the file ({kind}); rounding to that type or a wider one changes nothing."
        title = f"Top-k sets that differ after rounding, {len(found.usable):,} usable tokens"
        tables.append(_agreement(rows, layers, title, note))
    return Report("softmax", None, _claims(), (_overflow(), *tables), (_bars(),) if len(tables) > 1 else ())


def _claims() -> tuple[Claim, ...]:
    last, first = precision.last_finite_exp("fp16")
    return (
        Claim(
            ("D17", "N14"),
            "FP16 softmax: when any logit exceeds 65504, exp is inf and inf/inf = NaN; so FP16 gating is a universal "
            "NaN, and logits.float() before the softmax is the fix.",
            f"In fp16 exp is finite up to {last:.6g} and overflows from {first:.6g}; no finite fp16 logit exceeds 65504. "
            "Only a naive softmax feels it: with the maximum subtracted, as every kernel does, all finite logits give "
            "finite results. NaN needs a logit that is already infinite or NaN, or a row with every expert masked, and "
            "casting such logits to fp32 afterwards does not help: they must be formed in fp32 (the router's matrix "
            "product, Megatron --moe-router-dtype fp32). What narrow logits do change is which experts are chosen.",
        ),
    )


def _overflow() -> Table:
    rows: list[list[Cell]] = []
    for form in FORMATS:
        last, first = precision.last_finite_exp(form)
        rows.append([form, precision.largest(form), math.log(precision.largest(form)), last, first])
    show = significant(8)
    return Table(
        "overflow",
        "Where exp overflows",
        (
            Column("format", "format", left=True),
            Column("largest", "largest finite", significant(6)),
            Column("log", "its logarithm", significant(6)),
            Column("last", "last x with finite exp", show),
            Column("first", "next x", show),
        ),
        rows,
    )


def _verdict(values: Array) -> str:
    return "NaN" if np.isnan(values).any() else "finite"


def _rows() -> Table:
    rows: list[list[Cell]] = []
    for name, entries in ROWS:
        exact = np.array([entries])
        rows.append(
            [
                name,
                _verdict(softmax.naive(exact, "fp16")),
                _verdict(softmax.shifted(exact, "fp16")),
                _verdict(softmax.shifted(precision.rounded(exact, "fp16"), "fp32")),
                _verdict(softmax.shifted(exact, "fp32")),
            ]
        )
    return Table(
        "rows",
        "The softmax of a row of logits",
        (
            Column("logits", "logits", left=True),
            Column("naive", "fp16, naive"),
            Column("shifted", "fp16, minus max"),
            Column("cast", "fp16 logits cast to fp32"),
            Column("formed", "logits formed in fp32"),
        ),
        rows,
    )


def _compared(logits: Array, experts: int, k: int, layers: int) -> list[list[Cell]]:
    row: list[Cell] = [experts, k]
    for form in FORMATS:
        found = softmax.compare(logits, k, form)
        row += [found.differ, found.error, found.tied]
        if form == "bf16":
            deep = softmax.in_some_layer(found.differ, layers)
    return [[*row, deep]]


def _agreement(rows: list[list[Cell]], layers: int, title: str, note: str) -> Table:
    columns = [Column("experts", "experts"), Column("k", "k")]
    for form in FORMATS:
        columns += [
            Column(form, form, _share),
            Column(f"{form}_error", "+-", percent(1)),
            Column(f"{form}_tied", "ties", _share),
        ]
    return Table(
        "agreement",
        title,
        (*columns, Column("layers", f"bf16, {layers} layers", _share)),
        rows,
        (
            note,
            (
                "Rounding never swaps two logits, it makes them equal: ties are the tokens whose k-th and next logit became "
                "equal. The order of the kernel decides those, here the lower index; +- is one standard error. The last "
                "column is a different set in at least one of that many independent layers."
            ),
        ),
    )


def _chart(title: str, series: tuple[str, ...]) -> Chart:
    return Chart("agreement", "experts", series, title, "experts", "share of tokens", log_x=True)


def _bars() -> Chart:
    return Chart(
        "agreement",
        "experts",
        FORMATS,
        "Top-k sets that differ after rounding",
        "experts",
        "share of tokens",
        bars=True,
    )
