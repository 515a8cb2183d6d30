"""The page of `grpolint lab memory`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grpolint.lab import memory
from grpolint.lab.memory import GIB, Item, Plan
from grpolint.lab.tables import Cell, Chart, Claim, Column, Report, Table, significant

__all__ = ["NOT_COUNTED", "report"]

NOT_COUNTED = (
    "activations and their recomputation, which depend on kernels, attention and the batch's shape",
    "further copies of the logits: the bf16 output, the log-softmax, the entropy and the gradient (up to 3 more)",
    "the CUDA context, NCCL and communication buffers, CUDA graphs, fragmentation of the allocator",
    "the peak while weights are handed from the trainer to the rollout engine",
    "scales of quantised formats, LoRA slots of the rollout engine, vision towers, latent attention, shared experts",
    "expert parallelism and Megatron's tensor and pipeline parallelism of the trainer",
)

_gib = significant(3)


def report(plan: Plan, name: str) -> Report:
    """What one GPU holds for the trainer and for the rollout engine; `name` is how the model is called."""
    state = _state(plan)
    work = [memory.logits(plan)]
    resident = sum(item.device for item in state if not item.passing)
    train = sum(item.device for item in (*state, *work))
    share, weights, left = memory.rollout(plan)
    return Report(
        "memory",
        None,
        (_clipping(plan), _stage_three(plan)),
        (
            _items(plan, name, state, work),
            _rollout(plan, (share, weights, left)),
            _phases(plan, train, resident, share),
            _stages(plan),
        ),
        (Chart("items", "what", ("device",), f"One GPU of {plan.gpus}, {name}", "GiB", "", bars=True),),
        NOT_COUNTED,
    )


def _state(plan: Plan) -> list[Item]:
    items = memory.trainer(plan)
    if plan.critic:
        # The critic is trained in full: adapters are those of the policy.
        items += memory.trainer(replace(plan, lora=0), "critic ")
    if plan.reference:
        items.append(memory.reference(plan))
    return items


def _clipping(plan: Plan) -> Claim:
    tokens = plan.tokens * 4 / 1e6
    with_critic = sum(item.device for item in memory.trainer(replace(plan, lora=0))) / GIB
    return Claim(
        ("N08",),
        "PPO-clip needs 65.06 GiB and does not fit the 24 GiB of an RTX 4090.",
        f"The clip is a minimum of two products for each token: for {plan.tokens:,} tokens one more number takes "
        f"{tokens:.2g} MB. GRPO has the same clip. What PPO can add is a critic, here {_gib(with_critic)} GiB on each "
        "GPU. No standard bytes per parameter gives 65.06 GiB for a common model.",
    )


def _stage_three(plan: Plan) -> Claim:
    alone = {shard: _steady(plan, shard, 1) for shard in ("zero2", "zero3")}
    many = {shard: _steady(plan, shard, max(plan.gpus, 2)) for shard in ("zero2", "zero3")}
    return Claim(
        ("D01", "N01"),
        "ZeRO-3 is pure overhead with one data-parallel rank.",
        f"So it is while nothing is offloaded: one rank holds {_gib(alone['zero2'] / GIB)} GiB of weights, gradients and "
        f"states in stage 2 and {_gib(alone['zero3'] / GIB)} in stage 3. But then stage 2 saves nothing either, and "
        "stage 3 is the only one that can offload the weights. With more ranks it is no overhead but the largest "
        f"saving: {max(plan.gpus, 2)} ranks hold {_gib(many['zero2'] / GIB)} GiB each in stage 2 and "
        f"{_gib(many['zero3'] / GIB)} in stage 3.",
    )


def _steady(plan: Plan, shard: str, gpus: int) -> float:
    items = memory.trainer(replace(plan, shard=shard, gpus=gpus, offload=frozenset()))
    return sum(item.device for item in items if not item.passing)


def _amount(value: float) -> float:
    return value / GIB


_COLUMNS = (
    Column("what", "what", left=True),
    Column("device", "GPU, GiB", _gib),
    Column("host", "host, GiB", _gib),
    Column("equation", "equation", left=True),
)


def _row(item: Item) -> list[Cell]:
    return [item.what, _amount(item.device), _amount(item.host), item.equation]


def _items(plan: Plan, name: str, state: Sequence[Item], work: Sequence[Item]) -> Table:
    every = [*state, *work]
    total = Item(
        "sum while training", sum(each.device for each in every), sum(each.host for each in every), "of what is counted"
    )
    how = f"{plan.shard}, {plan.precision} precision, {plan.optimizer}"
    how += f", LoRA rank {plan.lora}" if plan.lora else ""
    gpus = f"one of {plan.gpus} GPUs" if plan.gpus > 1 else "the only GPU"
    return Table(
        "items",
        f"Trainer on {gpus}: {name}, {plan.model.parameters:,} parameters, {memory.trained(plan):,} trained; {how}",
        _COLUMNS,
        [_row(each) for each in (*every, total)],
        ("1 GiB = 1,073,741,824 bytes.",),
    )


def _rollout(plan: Plan, items: Sequence[Item]) -> Table:
    model, split = plan.model, plan.tensor_parallel
    each = memory.kv_bytes_per_token(model, plan.kv_bytes, split)
    tokens, whole = memory.sequences(plan)
    layers = model.full_layers or model.layers
    held = f"2 x {layers} layers x {max(1, model.kv_heads // split)} heads x {model.head_dim}"
    if model.latent is not None:
        held = f"{layers} layers x {model.latent}"
    rows = [_row(item) for item in items]
    equation = f"{held} x {plan.kv_bytes} B = {each:,} B"
    rows.append(["KV cache of one token", each / GIB, 0.0, equation])
    rows.append([f"KV cache of {plan.length:,} tokens", plan.length * each / GIB, 0.0, f"{plan.length:,} x {each:,} B"])
    note = f"Room for {tokens:,} tokens, that is {whole:,} sequences of {plan.length:,} at once, in an engine of {split} GPU"
    return Table(
        "rollout",
        "Rollout engine on one GPU",
        _COLUMNS,
        rows,
        (
            f"{note}{'s' if split > 1 else ''}, before its activations and CUDA graphs, which come out of the same share.",
        ),
    )


def _phases(plan: Plan, train: float, resident: float, share: Item) -> Table:
    room = plan.gpu_memory * GIB
    phases = (
        ("training, engine asleep (its memory freed)", train),
        ("training, engine awake", train + share.device),
        ("rollout, trainer resident", resident + share.device),
        ("rollout, trainer offloaded", share.device),
    )
    rows: list[list[Cell]] = [
        [what, _amount(need), _amount(room - need), "fits" if need <= room else "does not fit"] for what, need in phases
    ]
    return Table(
        "phases",
        f"Colocated on a GPU of {plan.gpu_memory:g} GiB",
        (
            Column("phase", "phase", left=True),
            Column("need", "counted, GiB", _gib),
            Column("left", "left, GiB", _gib),
            Column("verdict", "verdict", left=True),
        ),
        rows,
        ("Fits says only that the counted amounts do; what is left has to hold all that is not counted.",),
    )


def _stages(plan: Plan) -> Table:
    counts = sorted({1, 2, plan.gpus, 8})
    rows: list[list[Cell]] = [
        [shard, *(_amount(_steady(plan, shard, gpus)) for gpus in counts)] for shard in memory.SHARDED
    ]
    return Table(
        "stages",
        "Weights, gradients and optimizer states on one GPU, GiB, by sharding and data-parallel GPUs, nothing offloaded",
        (
            Column("shard", "sharding", left=True),
            *(Column(f"gpus{gpus}", f"{gpus} GPU{'s' if gpus > 1 else ''}", _gib) for gpus in counts),
        ),
        rows,
    )
