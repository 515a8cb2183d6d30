"""What `grpolint zero` prints of its own: the arithmetic behind a configuration, stages, keys."""

from __future__ import annotations

from typing import Any

from grpolint.catalog.lookup import Entry
from grpolint.lab.memory import GIB, Item
from grpolint.report.terminal import Paint
from grpolint.topics.zero_config import Choice, Wanted
from grpolint.topics.zero_memory import Placement, host, peak
from grpolint.topics.zero_stages import Key, Stage

__all__ = ["amounts", "choice_data", "choice_text", "key_text", "memory", "stage_text", "table_data"]


def _gib(amount: float) -> str:
    return f"{amount / GIB:8.2f}"


def amounts(found: list[Item]) -> list[str]:
    """One line an amount: GiB on the accelerator, in host memory, and the equation."""
    wide = max(len(each.what) for each in found)
    return [
        f"  {each.what:<{wide}}  {_gib(each.device)}  {_gib(each.host)}  {each.equation}"
        + (", in passing" if each.passing else "")
        for each in found
    ]


def choice_text(choice: Choice, wanted: Wanted, model: str, paint: Paint) -> str:
    """The arithmetic behind a configuration: amounts, sums, what was passed over, why keys are what they are."""
    found = list(choice.items)
    wide = max(len(each.what) for each in found)
    trained = f", {wanted.size.trained:,} trained" if wanted.size.trained != wanted.size.total else ""
    ranks = f"{wanted.ranks} rank{'s' if wanted.ranks > 1 else ''}"
    lines = [
        paint(f"{choice.placement.text}: {model} on {ranks} of {wanted.gpu.name}, deepspeed {choice.release}", "bold"),
        f"{wanted.size.total:,} parameters{trained}",
        "",
        f"  {'GiB for each rank':<{wide}}  {'device':>8}  {'host':>8}",
        *amounts(found),
        f"  {'sum, with the largest of what passes':<{wide}}  {_gib(choice.device)}  {_gib(choice.host)}",
        "",
        f"{choice.device / GIB:.2f} GiB fit into {wanted.gpu.memory} GiB - {choice.reserve / GIB:.1f} GiB reserve = {choice.room / GIB:.1f} GiB.",
        "The reserve is for activations, logits and whatever runs beside the trainer.",
    ]
    if choice.host:
        here = min(wanted.per_node or min(wanted.ranks, 8), wanted.ranks)
        lines.append(
            f"Host memory: {choice.host / GIB:.1f} GiB a rank * {here} on a machine = {choice.host * here / GIB:.1f} GiB, "
            "most of it pinned."
        )
    lines += [f"not {at.text}: {why}" for at, why in choice.passed]
    if choice.reasons:
        wide = max(len(key) for key, _ in choice.reasons)
        lines += ["", *(f"  {key:<{wide}}  {why}" for key, why in choice.reasons)]
    return "\n".join(lines)


def choice_data(choice: Choice, wanted: Wanted, model: str) -> dict[str, Any]:
    """The same as plain data (`grpolint.zero/1`), amounts in bytes."""
    return {
        "schema": "grpolint.zero/1",
        "model": model,
        "gpu": wanted.gpu.name,
        "ranks": wanted.ranks,
        "release": choice.release,
        "parameters": wanted.size.total,
        "trained": wanted.size.trained,
        "placement": _placement(choice.placement),
        "items": _items(list(choice.items)),
        "device": choice.device,
        "host": choice.host,
        "room": choice.room,
        "passed": [{**_placement(at), "why": why} for at, why in choice.passed],
        "reasons": [{"key": key, "why": why} for key, why in choice.reasons],
        "config": choice.config,
    }


def _placement(at: Placement) -> dict[str, Any]:
    return {"stage": at.stage, "offload_optimizer": at.optimizer, "offload_param": at.parameters}


def _items(found: list[Item]) -> list[dict[str, Any]]:
    return [
        {
            "what": each.what,
            "device": each.device,
            "host": each.host,
            "passing": each.passing,
            "equation": each.equation,
        }
        for each in found
    ]


def stage_text(stage: Stage, paint: Paint) -> str:
    """One stage in words."""
    return "\n".join(
        (
            paint(f"stage {stage.number}", "bold"),
            f"  shards   {stage.shards}",
            f"  offload  {stage.offload}",
            f"  cost     {stage.cost}",
        )
    )


def memory(rows: list[tuple[Placement, list[Item]]], room: float | None, paint: Paint) -> str:
    """The table of placements: GiB on each accelerator and in host memory for it, and whether it fits `room` bytes."""
    wide = max(len(at.text) for at, _ in rows)
    head = f"  {'GiB for each rank':<{wide}}  {'device':>8}  {'host':>8}"
    lines = [paint(head, "bold")]
    for at, found in rows:
        needs = peak(found)
        fits = "" if room is None else paint("  fits", "good") if needs <= room else paint("  does not fit", "error")
        lines.append(f"  {at.text:<{wide}}  {_gib(needs)}  {_gib(host(found))}{fits}")
    return "\n".join(lines)


def table_data(rows: list[tuple[Placement, list[Item]]], room: float | None) -> list[dict[str, Any]]:
    """The table as plain data, amounts in bytes."""
    return [
        {
            **_placement(at),
            "device": peak(found),
            "host": host(found),
            "fits": None if room is None else peak(found) <= room,
            "items": _items(found),
        }
        for at, found in rows
    ]


def key_text(entry: Entry, key: Key | None, paint: Paint) -> str:
    """What a key does, and its life in the catalog."""
    from grpolint.report.options import block

    lines = [block(entry, paint)]
    if key is not None:
        lines += ["", key.says, *(paint(f"  = {ref}", "dim") for ref in key.refs)]
    return "\n".join(lines)
