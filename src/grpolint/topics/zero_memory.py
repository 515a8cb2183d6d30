"""Bytes that DeepSpeed holds for a trained model: on each accelerator and in host memory, by stage and offload.

The arithmetic is that of mixed precision with Adam (Rajbhandari et al. 2020, https://arxiv.org/abs/1910.02054, section 3:
2 + 2 + 12 bytes a parameter) with what the released source adds to it: gradients become fp32 for the step, buckets hold
what is being reduced, and with offload the host keeps fp32 gradients and a 16-bit copy of its partition.
Source: deepspeed 0.19.8, runtime/zero/stage_1_and_2.py and stage3.py. Activations, logits and a rollout engine beside the
trainer are not in it: the reserve stands for them.
"""

from __future__ import annotations

from grpolint.lab.memory import GIB, Item
from grpolint.models import Architecture
from grpolint.records import Record

__all__ = ["GIB", "PLACEMENTS", "Placement", "Size", "host", "items", "peak", "size_of"]

SUB_GROUP = 1_000_000_000
"""Parameters that stage 3 steps at once (`sub_group_size`), and at most gathers at once (`stage3_max_live_parameters`)."""


class Size(Record):
    """Parameters of a model: all, those that are trained, those of the largest matrix, those that Muon may take.

    `adam` are the trained ones that keep two moments under Muon: embeddings, head and norms. `largest` is 0 where the
    architecture is not known.
    """

    total: int
    trained: int
    largest: int = 0
    adam: int | None = None


class Placement(Record):
    """A stage of ZeRO, and whether the host holds optimizer states and parameters."""

    stage: int
    optimizer: bool = False
    parameters: bool = False

    @property
    def text(self) -> str:
        """In words."""
        away = [name for name, on in (("optimizer states", self.optimizer), ("parameters", self.parameters)) if on]
        return f"stage {self.stage}" + (f" with {' and '.join(away)} in host memory" if away else "")


PLACEMENTS = (
    Placement(2),
    Placement(3),
    Placement(2, optimizer=True),
    Placement(3, optimizer=True),
    Placement(3, optimizer=True, parameters=True),
)
"""From the fastest to the one that needs least of the accelerator. Stage 1 shards less than stage 2 and gains nothing."""


def size_of(model: Architecture, lora_rank: int) -> Size:
    """The sizes of an architecture, trained whole or (`lora_rank` above 0) by adapters on every linear layer."""
    largest = max(model.vocabulary * model.hidden, *(a * b for a, b in model.projections))
    largest = max(largest, model.hidden * (model.expert_width or model.intermediate))
    if lora_rank:
        return Size(model.parameters, model.lora(lora_rank), largest, 0)
    embeddings = model.vocabulary * model.hidden * (1 if model.tied else 2)
    norms = (2 * model.layers + 1) * model.hidden
    return Size(model.parameters, model.parameters, largest, embeddings + norms)


def items(size: Size, at: Placement, ranks: int, *, muon: bool, accumulates: bool, bucket: int) -> list[Item]:
    """Every amount, on one accelerator and in host memory for it, in bytes, each with its equation.

    `ranks` share the shards, `bucket` is the number of elements reduced at once. An item that is `passing` is there only for
    a part of a step.
    """
    sharded = ranks if at.stage >= 1 else 1
    trained, total = size.trained, size.total
    found = [
        _item("weights in 16 bits", total, 2, ranks if at.stage >= 3 else 1, away=at.parameters),
        _item("gradients in 16 bits", trained, 2, ranks if at.stage >= 2 else 1, away=at.optimizer and at.stage >= 2),
        _item("master weights in fp32", trained, 4, sharded, away=at.optimizer),
        _moments(size, muon, sharded, away=at.optimizer),
    ]
    if at.optimizer:
        found.append(_item("gradients in fp32", trained, 4, sharded, away=True))
        if at.stage < 3:
            found.append(_item("updated weights in 16 bits, on their way back", trained, 2, sharded, away=True))
            if size.largest:
                found.append(_item("the largest gradient, on its way to the host", size.largest, 2, 1))
            if at.stage == 2 and not accumulates:  # a lone micro batch goes straight into the fp32 gradients
                found = [each for each in found if each.what != "gradients in 16 bits"]
    else:
        step = trained // sharded if at.stage < 3 else min(SUB_GROUP, trained // sharded)
        found.append(_item("gradients in fp32, for the step", step, 4, 1, passing=True))
    if at.stage >= 3:
        found.append(_item("weights gathered at once", min(SUB_GROUP, total), 2, 1, passing=True))
    found.append(_item("bucket of gradients", min(bucket, trained), 2, 1))
    return found


def _moments(size: Size, muon: bool, sharded: int, *, away: bool) -> Item:
    if not muon:
        return _item("two moments in fp32", size.trained, 8, sharded, away=away)
    adam = size.trained if size.adam is None else min(size.adam, size.trained)
    rest = size.trained - adam
    amount = (4 * rest + 8 * adam) / sharded
    equation = f"{rest:,} matrix elements x 4 B + {adam:,} others x 8 B{_split(sharded)}{_where(away)}"
    return Item(
        "moments in fp32: one for Muon, two for its Adam", 0 if away else amount, amount if away else 0, equation
    )


def _item(what: str, count: int, width: int, split: int, *, away: bool = False, passing: bool = False) -> Item:
    amount = count * width / split
    equation = f"{count:,} x {width} B{_split(split)}{_where(away)}"
    return Item(what, 0.0 if away else amount, amount if away else 0.0, equation, passing)


def _split(ranks: int) -> str:
    return f" / {ranks} ranks" if ranks > 1 else ""


def _where(away: bool) -> str:
    return ", in host memory" if away else ""


def peak(found: list[Item]) -> float:
    """Bytes on one accelerator: what stays, and the largest of what passes."""
    return sum(each.device for each in found if not each.passing) + max(
        (each.device for each in found if each.passing), default=0.0
    )


def host(found: list[Item]) -> float:
    """Bytes of host memory for one accelerator."""
    return sum(each.host for each in found)
