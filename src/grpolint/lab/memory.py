"""Bytes of a GRPO run that follow from numbers in the configuration. Plain Python; every amount is in bytes of one GPU.

Sources: mixed-precision Adam and the stages of ZeRO: Rajbhandari et al. 2020, https://arxiv.org/abs/1910.02054,
section 3; full sharding is the same arithmetic (Zhao et al. 2023, https://arxiv.org/abs/2304.11277); LoRA: Hu et al.
2021, https://arxiv.org/abs/2106.09685. verl loads FSDP weights in fp32 (fsdp_config.model_dtype).
"""

from __future__ import annotations

from dataclasses import dataclass

from grpolint.models import Architecture

__all__ = [
    "GIB",
    "MOMENTS",
    "PRECISIONS",
    "SHARDED",
    "Item",
    "Plan",
    "kv_bytes_per_token",
    "logits",
    "reference",
    "rollout",
    "sequences",
    "trained",
    "trainer",
]

GIB = 1 << 30

SHARDED = {
    "none": frozenset[str](),
    "zero1": frozenset({"optimizer"}),
    "zero2": frozenset({"optimizer", "gradients"}),
    "zero3": frozenset({"optimizer", "gradients", "weights"}),
    "fsdp": frozenset({"optimizer", "gradients", "weights"}),
}
"""What each way of sharding divides by the number of data-parallel GPUs. `none` is DDP."""

PRECISIONS = {"mixed": (2, 2, 4, 4), "fp32": (4, 4, 0, 4), "bf16": (2, 2, 0, 2)}
"""Bytes of a weight, a gradient, a master copy and one optimizer moment. `mixed`: DeepSpeed with bf16; `fp32`: FSDP
over fp32 weights that are cast when gathered, verl's default; `bf16`: torch.optim.AdamW over bf16 weights."""

MOMENTS = {"adamw": 2.0, "adamw8bit": 2.0, "muon": 1.0, "sgd": 0.0}
"""Moments that an optimizer keeps per parameter. 8-bit moments take 1 byte each (Dettmers et al. 2022,
https://arxiv.org/abs/2110.02861), their scales not counted; Muon's count holds for its matrices only."""


@dataclass(frozen=True)
class Item:
    """An amount: what, bytes on one GPU, bytes in host memory for one GPU, and the equation with its numbers.

    `passing` amounts are there only while a layer is computed.
    """

    what: str
    device: float
    host: float
    equation: str
    passing: bool = False


@dataclass(frozen=True)
class Plan:
    """A run. `gpus` share the trainer's shards (data parallel), `tensor_parallel` of them one copy of the rollout's.

    `lora` 0 trains all weights; `tokens` are those whose logits are held at once on one GPU; `share` is the part of
    `gpu_memory` (GiB) that the rollout engine may fill (vLLM gpu_memory_utilization, SGLang mem_fraction_static).
    """

    model: Architecture
    gpus: int = 8
    shard: str = "fsdp"
    precision: str = "fp32"
    optimizer: str = "adamw"
    lora: int = 0
    tokens: int = 16384
    critic: bool = False
    reference: bool = False
    offload: frozenset[str] = frozenset()
    gpu_memory: float = 80.0
    share: float = 0.5
    tensor_parallel: int = 1
    weight_bytes: int = 2
    kv_bytes: int = 2
    length: int = 4096


def trained(plan: Plan) -> int:
    """Parameters that get gradients: all, or those of the adapters."""
    return plan.model.lora(plan.lora) if plan.lora else plan.model.parameters


def trainer(plan: Plan, name: str = "") -> list[Item]:
    """Weights, gradients and optimizer states of one trained model, and what is gathered of it under full sharding.

    Per trained parameter in `mixed` precision with Adam 2 + 2 + 12 bytes, the 16 of the ZeRO paper. With LoRA the base
    is held in 2 bytes without gradients (4 in `fp32` precision).
    """
    weight, gradient, master, moment = PRECISIONS[plan.precision]
    if plan.optimizer == "adamw8bit":
        moment = 1
    states = master + MOMENTS[plan.optimizer] * moment
    total, some = plan.model.parameters, trained(plan)
    items = []
    if plan.lora:
        items.append(_item(plan, f"{name}frozen base", "weights", total, weight))
        items.append(_item(plan, f"{name}LoRA weights", "weights", some, weight))
    else:
        items.append(_item(plan, f"{name}weights", "weights", total, weight))
    items.append(_item(plan, f"{name}gradients", "gradients", some, gradient))
    items.append(_item(plan, f"{name}optimizer states", "optimizer", some, states))
    if "weights" in SHARDED[plan.shard] and plan.gpus > 1:
        layer = plan.model.layer
        head = plan.model.vocabulary * plan.model.hidden
        items.append(Item(f"{name}one gathered layer", 2.0 * layer, 0.0, f"{layer:,} x 2 B, in bf16", passing=True))
        items.append(Item(f"{name}gathered output head", 2.0 * head, 0.0, f"{head:,} x 2 B, in bf16", passing=True))
    return items


def _item(plan: Plan, what: str, kind: str, count: int, width: float) -> Item:
    split = plan.gpus if kind in SHARDED[plan.shard] else 1
    amount = count * width / split
    away = kind in plan.offload
    equation = f"{count:,} x {width:g} B" + (f" / {split}" if split > 1 else "") + (", in host memory" if away else "")
    return Item(what, 0.0 if away else amount, amount if away else 0.0, equation)


def logits(plan: Plan) -> Item:
    """One fp32 copy of the logits: tokens x vocabulary x 4 bytes."""
    rows, columns = plan.tokens, plan.model.vocabulary
    return Item("logits in fp32, one copy", 4.0 * rows * columns, 0.0, f"{rows:,} tokens x {columns:,} x 4 B")


def reference(plan: Plan) -> Item:
    """A frozen reference model in bf16, sharded as the trainer's weights are."""
    return _item(plan, "reference weights", "weights", plan.model.parameters, 2)


def kv_bytes_per_token(model: Architecture, width: int, tensor_parallel: int = 1) -> int:
    """Bytes of keys and values of one token on one GPU: 2 x layers x heads x head_dim x width.

    The KV heads are split over `tensor_parallel` GPUs; where there are fewer heads than GPUs each holds one
    (vLLM ModelConfig.get_num_kv_heads). What latent attention compresses is held whole by each.
    """
    if model.latent is not None:
        return model.cached * width
    return model.cached * max(1, model.kv_heads // tensor_parallel) // model.kv_heads * width


def rollout(plan: Plan) -> tuple[Item, Item, Item]:
    """The rollout engine's share of one GPU, its weights, and what remains for the KV cache (negative: too little)."""
    share = plan.share * plan.gpu_memory * GIB
    count, split = plan.model.parameters, plan.tensor_parallel
    weights = plan.weight_bytes * count / split
    equation = f"{count:,} x {plan.weight_bytes} B" + (f" / {split}" if split > 1 else "")
    return (
        Item("rollout share", share, 0.0, f"{plan.share:g} x {plan.gpu_memory:g} GiB"),
        Item("of it weights", weights, 0.0, equation),
        Item("of it left for the KV cache", share - weights, 0.0, "share - weights"),
    )


def sequences(plan: Plan) -> tuple[int, int]:
    """(tokens, whole sequences of `length` tokens) that the KV cache of one engine holds at once."""
    room = rollout(plan)[2].device
    tokens = max(0, int(room // kv_bytes_per_token(plan.model, plan.kv_bytes, plan.tensor_parallel)))
    return tokens, tokens // plan.length
