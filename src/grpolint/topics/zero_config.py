"""A DeepSpeed configuration chosen by arithmetic: the first placement that fits, in the keys that the release has."""

from __future__ import annotations

from typing import Any

from grpolint.catalog import nearest, newest, table
from grpolint.hardware import Gpu
from grpolint.lab.memory import Item
from grpolint.records import Record
from grpolint.topics.zero_memory import GIB, PLACEMENTS, Placement, Size, host, items, peak
from grpolint.versions import satisfies

__all__ = ["Choice", "Impossible", "Wanted", "bucket_of", "choose", "room_of"]


class Impossible(Exception):
    """No configuration does what is wanted; `str(error)` says why, with the numbers."""


class Wanted(Record):
    """What a configuration is wanted for.

    `reserve` and `host_memory` are GiB: of the accelerator left for activations, logits and what else runs there, and of
    each machine. `precision` is bf16, fp16 or None for what the accelerator has. `automatic` leaves to Transformers what
    its arguments say.
    """

    gpu: Gpu
    size: Size
    ranks: int = 1
    per_node: int | None = None
    optimizer: str = "adamw"
    precision: str | None = None
    micro_batch: int = 1
    global_batch: int | None = None
    learning_rate: float | None = None
    release: str | None = None
    reserve: float | None = None
    host_memory: float | None = None
    automatic: bool = False


class Choice(Record):
    """A configuration with the arithmetic behind it.

    `passed` are the placements that were not taken, each with the reason; `reasons` says of a key why it has its value.
    """

    config: dict[str, Any]
    placement: Placement
    items: tuple[Item, ...]
    release: str
    room: float
    reserve: float
    passed: tuple[tuple[Placement, str], ...]
    reasons: tuple[tuple[str, str], ...]

    @property
    def device(self) -> float:
        """Bytes on one accelerator at the peak."""
        return peak(list(self.items))

    @property
    def host(self) -> float:
        """Bytes of host memory for one accelerator."""
        return host(list(self.items))


def room_of(gpu: Gpu, reserve: float | None) -> float:
    """Bytes of an accelerator without the reserve (GiB): a fifth of it and at least 2 GiB where nobody says how much."""
    return (gpu.memory - (reserve if reserve is not None else max(2.0, 0.2 * gpu.memory))) * GIB


def bucket_of(gpu: Gpu) -> int:
    """Elements that are reduced at once: DeepSpeed's own number costs a small accelerator too much."""
    return 50_000_000 if gpu.memory <= 48 else 500_000_000


def choose(wanted: Wanted) -> Choice:
    """The configuration for what is wanted. Raises Impossible where nothing fits, or the release cannot do it."""
    release = nearest("deepspeed", wanted.release) if wanted.release else newest("deepspeed")
    release = release or "unknown"
    muon = wanted.optimizer == "muon"
    if muon and not satisfies(release, ">=0.17.6"):
        raise Impossible(f"deepspeed {release} has no Muon: it came with 0.17.6")
    precision = _precision(wanted)
    if muon and precision == "fp16" and not satisfies(release, ">=0.19.8"):
        raise Impossible(f"deepspeed {release} breaks Muon's momentum at the first overflow of fp16: it takes 0.19.8")
    steps = _steps(wanted)
    room = room_of(wanted.gpu, wanted.reserve)
    reserve = wanted.gpu.memory * GIB - room
    bucket = bucket_of(wanted.gpu)
    passed: list[tuple[Placement, str]] = []
    for at in PLACEMENTS:
        why = _refused(at, wanted, release, steps)
        found = items(wanted.size, at, wanted.ranks, muon=muon, accumulates=steps > 1, bucket=bucket)
        if why is None and peak(found) > room:
            why = f"{peak(found) / GIB:.1f} GiB on each accelerator, and {room / GIB:.1f} GiB are free"
        if why is None and wanted.host_memory is not None and host(found):
            here = min(wanted.per_node or min(wanted.ranks, 8), wanted.ranks)
            needs = host(found) * here / GIB
            if needs > wanted.host_memory:
                why = f"{needs:.1f} GiB of host memory on each machine, and it has {wanted.host_memory:g} GiB"
        if why is not None:
            passed.append((at, why))
            continue
        config, reasons = _build(wanted, at, _Keys(release), precision, (steps, bucket))
        return Choice(config, at, tuple(found), release, room, reserve, tuple(passed), tuple(reasons))
    tried = "; ".join(f"{at.text}: {why}" for at, why in passed)
    raise Impossible(f"{wanted.size.total:,} parameters do not fit {wanted.ranks} x {wanted.gpu.name}: {tried}")


def _refused(at: Placement, wanted: Wanted, release: str, steps: int) -> str | None:
    """Why a placement is out of the question whatever the memory is; None if it is not."""
    if at.stage == 2 and at.optimizer and (steps > 2 or wanted.automatic) and satisfies(release, ">=0.15.2,<0.19.0"):
        return f"deepspeed {release} loses all micro batches but two at stage 2 with offloaded states; 0.19.0 does not"
    if at.stage == 3:
        if wanted.ranks == 1 and not at.parameters:
            return "with one rank stage 3 splits nothing and gathers copies"
        if wanted.size.trained < wanted.size.total and satisfies(release, ">=0.19.2,<0.19.3"):
            return f"deepspeed {release} ends in a TypeError with LoRA at stage 3; 0.19.3 does not"
    if wanted.optimizer == "muon":
        if at.stage == 3 and not satisfies(release, ">=0.18.9"):
            return f"deepspeed {release} has Muon up to stage 2 only"
        if at.stage == 3 and (steps > 1 or wanted.automatic) and not satisfies(release, ">=0.19.8"):
            return f"deepspeed {release} runs Muon once for every micro batch at stage 3; 0.19.8 does not"
        if at.optimizer and not satisfies(release, ">=0.19.8"):
            return f"deepspeed {release} loses the shape of Muon's matrices in host memory; 0.19.8 does not"
    return None


def _precision(wanted: Wanted) -> str:
    """bf16 where the accelerator has it, else fp16. Accelerators of the table without a CUDA capability all have bf16."""
    capability = wanted.gpu.capability
    able = capability is None or capability >= (8, 0)
    if wanted.precision == "bf16" and not able:
        shown = ".".join(map(str, capability or ()))
        raise Impossible(f"{wanted.gpu.name} has compute capability {shown}, and bf16 needs 8.0: take fp16")
    return wanted.precision or ("bf16" if able else "fp16")


def _steps(wanted: Wanted) -> int:
    """Micro batches of one optimizer step on one rank."""
    if wanted.global_batch is None:
        return 1
    each = wanted.micro_batch * wanted.ranks
    if wanted.global_batch % each:
        raise Impossible(
            f"global batch {wanted.global_batch} is not a multiple of micro batch {wanted.micro_batch} * "
            f"{wanted.ranks} ranks = {each}"
        )
    return wanted.global_batch // each


def _build(
    wanted: Wanted, at: Placement, found: _Keys, precision: str, sizes: tuple[int, int]
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The configuration in the keys of the release, and why each that is no plain number has its value.

    `sizes` are the micro batches of one step and the elements of a bucket.
    """
    muon, release = wanted.optimizer == "muon", found.release
    steps, bucket = sizes
    capability = wanted.gpu.capability
    shown = f"compute capability {'.'.join(map(str, capability))}" if capability else "no CUDA capability, but bf16"
    found.put(f"{precision}.enabled", True, f"{wanted.gpu.name} has {shown}")
    if precision == "bf16" and found.default("bf16.check_grad_overflow") is False:
        found.put(
            "bf16.check_grad_overflow", True, f"off by default in {release}: an infinite gradient would be applied"
        )
    zero = "zero_optimization"
    found.put(f"{zero}.stage", at.stage, _why_stage(wanted, at))
    if at.stage == 3 and precision == "bf16" and satisfies(release, "<0.18.8"):
        found.reasons.append((f"{zero}.stage", "before 0.18.8 stage 3 needs a torch older than 2.10: NaN otherwise"))
    if wanted.ranks == 1:
        found.put(f"{zero}.overlap_comm", False, "one rank has no communication to overlap")
    elif at.stage < 3 and satisfies(release, "<0.19.3"):
        found.put(
            f"{zero}.overlap_comm", False, "before 0.19.3 the reduction may read gradients that are being written"
        )
    found.put(f"{zero}.contiguous_gradients", True)
    if muon:
        scatter = at.stage < 3 and satisfies(release, ">=0.19.3") and not at.optimizer
        why = "stage 3 refuses Muon with reduce_scatter" if at.stage == 3 else "whole matrices must be reduced"
        found.put(f"{zero}.reduce_scatter", scatter, "" if scatter else why)
    found.put(f"{zero}.reduce_bucket_size", bucket)
    found.put(f"{zero}.allgather_bucket_size", bucket)
    if at.optimizer:
        found.put(f"{zero}.offload_optimizer.device", "cpu", "optimizer states do not fit the accelerator")
        if at.stage < 3 and satisfies(release, "<0.19.0"):
            why = "before 0.19.0 gradients are lost where backward() runs several times for one step"
            found.reasons.append((f"{zero}.offload_optimizer.device", why))
        found.put(f"{zero}.offload_optimizer.pin_memory", True)
    if at.parameters:
        found.put(f"{zero}.offload_param.device", "cpu", "weights do not fit the accelerator")
        found.put(f"{zero}.offload_param.pin_memory", True)
    if at.stage == 3:
        found.put(f"{zero}.stage3_gather_16bit_weights_on_model_save", True, "else saved weights are shards")
    clip = 0.0 if muon else 1.0
    same = "; max_grad_norm of the Trainer must be the same" if wanted.automatic else ""
    found.put("gradient_clipping", clip, _why_clip(muon, found.default("gradient_clipping"), release) + same)
    rate = wanted.learning_rate if wanted.learning_rate is not None else (1e-6 if not muon else 2e-5)
    found.put("optimizer", _optimizer(muon, rate, wanted.automatic))
    batches = {"train_micro_batch_size_per_gpu": wanted.micro_batch, "gradient_accumulation_steps": steps}
    for key, value in {"train_batch_size": wanted.micro_batch * steps * wanted.ranks, **batches}.items():
        found.put(key, "auto" if wanted.automatic else value)
    return found.tree, found.reasons


def _why_stage(wanted: Wanted, at: Placement) -> str:
    if wanted.ranks == 1:
        return "one rank: no stage shards anything, so the least one that can offload what has to be"
    return "the first that fits" if at.optimizer else "the first that fits, all on the accelerators"


def _why_clip(muon: bool, default: Any, release: str) -> str:
    if muon:
        return "DeepSpeed clips the finished Muon step, whose norm is large by construction"
    return f"written out: deepspeed {release} takes {default} where it is absent, and others another value"


def _optimizer(muon: bool, rate: float, automatic: bool) -> dict[str, Any]:
    if muon:
        known: dict[str, Any] = {"lr": rate, "weight_decay": 0.0}
    else:
        known = {"lr": rate, "betas": [0.9, 0.999], "eps": 1e-8, "weight_decay": 0.0}
    if automatic:
        known = dict.fromkeys(known, "auto")
    return {"type": "Muon" if muon else "AdamW", "params": {**known, **({"momentum": 0.95} if muon else {})}}


class _Keys:
    """A nested configuration that takes only keys that a release has."""

    def __init__(self, release: str) -> None:
        self.tree: dict[str, Any] = {}
        self.reasons: list[tuple[str, str]] = []
        self.release = release
        self._options = table("deepspeed", "config", release)

    def default(self, key: str) -> Any:
        """Default of a key in the release; None if it has no such key."""
        option = self._options.option(key) if self._options is not None else None
        return option.record.get("default") if option is not None else None

    def put(self, key: str, value: Any, why: str = "") -> None:
        """Set a key, unless the release does not have it."""
        if self._options is None or self._options.option(key) is None:
            return
        *sections, last = key.split(".")
        tree = self.tree
        for section in sections:
            tree = tree.setdefault(section, {})
        tree[last] = value
        if why:
            self.reasons.append((key, why))
