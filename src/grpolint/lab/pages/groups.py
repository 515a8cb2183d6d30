"""The page of `grpolint lab groups`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grpolint.lab import groups
from grpolint.lab.tables import Cell, Chart, Claim, Column, Report, Table, percent, significant

__all__ = ["report"]

ACCEPTED = 0.1
"""The dead share for which the smallest group is given."""

_share = percent(3, 0.0001)


def report(
    rates: Sequence[float],
    sizes: Sequence[int],
    *,
    beta: tuple[float, float],
    prompts: int,
    generated: int,
    batches: int,
) -> Report:
    """Dead groups over pass rates and sizes, advantages of released formulas, and the cost of dynamic sampling.

    `beta` is a distribution of pass rates; `prompts` are kept for a step out of rounds of `generated` prompts, of
    which at most `batches` are made.
    """
    eight = groups.dead(0.5, 8), groups.dead(0.05, 8)
    return Report(
        "groups",
        None,
        (
            Claim(
                ("D07", "N07"),
                "Group size at least 4; a group of 1 is REINFORCE degeneration.",
                "No framework requires 4: a group-relative advantage is defined from 2 on. What a group of 1 does "
                "depends on the framework: verl uses the raw reward, slime leaves 0, TRL and OpenRLHF refuse. "
                f"The size that wastes few prompts follows from the pass rate p: 8 samples waste {_share(eight[0])} of "
                f"the groups at p = 0.5 and {_share(eight[1])} at p = 0.05.",
            ),
            Claim(
                ("D13",),
                "Group size at least 8 for sparse MoE models.",
                "Nothing in the formulas knows the model: sparse experts do not matter here, sparse rewards do. At "
                f"p = 0.01 even 8 samples leave {_share(groups.dead(0.01, 8))} of the groups without signal.",
            ),
        ),
        (
            _dead(rates, sizes, beta),
            _advantages(),
            _sampling(rates, sizes),
            _rounds(rates, sizes, prompts, generated, batches),
        ),
        (
            Chart(
                "dead",
                "size",
                tuple(f"p{rate:g}" for rate in rates),
                "Groups without signal",
                "samples per prompt",
                "share of groups",
                log_x=True,
            ),
        ),
    )


def _dead(rates: Sequence[float], sizes: Sequence[int], beta: tuple[float, float]) -> Table:
    rows: list[list[Cell]] = [
        [
            size,
            *(groups.dead(rate, size) for rate in rates),
            groups.dead_uniform(size),
            groups.dead_beta(size, *beta),
            size * (1 - groups.dead_beta(size, *beta)),
        ]
        for size in sizes
    ]
    smallest = []
    for rate in rates:
        size = groups.smallest_group(rate, ACCEPTED)
        smallest.append(f"{rate:g}: {'none' if size is None else size}")
    a, b = beta
    return Table(
        "dead",
        "Share of groups whose rewards are all equal, p^G + (1-p)^G",
        (
            Column("size", "G"),
            *(Column(f"p{rate:g}", f"p={rate:g}", _share) for rate in rates),
            Column("uniform", "p uniform", _share),
            Column("beta", f"p Beta({a:g},{b:g})", _share),
            Column("effective", "effective of G", significant(3)),
        ),
        rows,
        (
            f"1 - p gives the same. Smallest G with at most {ACCEPTED:.0%} dead, by p: {'; '.join(smallest)}.",
            (
                "Uniform over p is 2/(G+1) in closed form. Effective samples are G x (1 - dead) for the Beta column: those "
                "of the G samples of a prompt that get an advantage other than 0."
            ),
        ),
    )


def _advantages() -> Table:
    rows: list[list[Cell]] = []
    for formula in groups.FORMULAS:
        for std in (True, False):
            entries: list[Cell] = [f"{formula.framework} {formula.version}", "yes" if std else "no", f"{formula.eps:g}"]
            for rewards in ([1.0], [0.0], [1.0] + [0.0] * 3, [1.0] + [0.0] * 7, [1.0] + [0.0] * 15, [0.5, 0.5 + 1e-4]):
                found = groups.advantages(formula, rewards, std=std)
                value = found if isinstance(found, str) else found[-1 if len(rewards) == 2 else 0]
                entries.append("NaN" if isinstance(value, float) and math.isnan(value) else value)
            rows.append(entries)
    sources = "; ".join(f"{each.framework}: {each.source}" for each in groups.FORMULAS)
    show = significant(4)
    return Table(
        "advantages",
        "Advantage of the successful sample, (r - mean) / (std + eps), std with n - 1",
        (
            Column("framework", "framework", left=True),
            Column("std", "by std"),
            Column("eps", "eps"),
            Column("one_success", "G=1, r=1", show),
            Column("one_failure", "G=1, r=0", show),
            Column("g4", "1 of 4", show),
            Column("g8", "1 of 8", show),
            Column("g16", "1 of 16", show),
            Column("near", "0.5 and 0.5001", show),
        ),
        rows,
        (
            (
                "The last column is a shaped reward that hardly differs: the std blows a difference of 0.0001 up to full "
                "size, less so the larger eps is."
            ),
            (
                "slime's formula gives NaN for a group of 1, so slime turns the std off there by itself "
                "(slime/utils/arguments.py): the advantage is 0 and nothing is learned. TRL 0.14.0 had no refusal and gave "
                f"NaN by the same arithmetic. Sources: {sources}."
            ),
        ),
    )


def _sampling(rates: Sequence[float], sizes: Sequence[int]) -> Table:
    return Table(
        "sampling",
        "What dynamic sampling costs: expected samples for each kept group, G / (1 - dead)",
        (Column("size", "G"), *(Column(f"p{rate:g}", f"p={rate:g}", significant(3)) for rate in rates)),
        [
            [size, *(groups.generations_per_kept_group(size, groups.dead(rate, size)) for rate in rates)]
            for size in sizes
            if size > 1
        ],
        (
            (
                "A group of 1 is always dead in this sense, so that no number of samples is enough; verl's DAPO recipe "
                "makes an exception and keeps groups of 1."
            ),
        ),
    )


def _rounds(rates: Sequence[float], sizes: Sequence[int], prompts: int, generated: int, batches: int) -> Table:
    return Table(
        "rounds",
        f"Probability that {batches} rounds of {generated:,} prompts leave {prompts:,} living groups",
        (Column("size", "G"), *(Column(f"p{rate:g}", f"p={rate:g}", percent(3, 0.0001)) for rate in rates)),
        [
            [
                size,
                *(groups.batches_suffice(prompts, generated, batches, groups.dead(rate, size)) for rate in rates),
            ]
            for size in sizes
            if size > 1
        ],
        (
            (
                "Where they do not suffice, verl's DAPO recipe ends with a ValueError "
                "(algorithm.filter_groups.max_num_gen_batches). All prompts are given the same p."
            ),
        ),
    )
