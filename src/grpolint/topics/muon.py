"""Muon: what clipping, sharding and offload do to an update that is orthogonalised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.changes import SetOption
from grpolint.topics.base import Advice, Asked, Topic
from grpolint.versions import satisfies

if TYPE_CHECKING:
    from grpolint.hardware import Gpu

__all__ = ["TOPIC"]

_CLIPPED = ("deepspeedai/DeepSpeed#8439", "deepspeedai/DeepSpeed#7776", "grpolint lab muon")
_STEP = "the orthogonalised step is clipped to that norm, so that every step is divided by its own norm"
_CHAINED = (
    "one global norm clips the gradients of all chained optimizers before Newton-Schulz, which does not see the scale until "
    "the norm of a matrix falls below about 1e-6: look for the cause of a gradient norm above 1e6 before the clip"
)
_INDEXER = "no release repeats the choices of a sparse-attention indexer (DSA) that the rollout engine made"
_GATED = (
    "the fused input projection of GatedDeltaNet (Qwen3-Next, Qwen3.5) is orthogonalised as if it were one matrix in every "
    "release up to 0.19.2"
)
_BLOCKWISE = (
    "blockwise, the default, orthogonalises the shard of each tensor-parallel rank by itself, which is not the update of the "
    "whole matrix; with one rank it is the same"
)

_REPAIRED = (
    (
        "0.19.7",
        "before 0.19.7 fp16 trains nothing: the first overflow stays in the momentum",
        "deepspeedai/DeepSpeed#8432",
    ),
    ("0.19.7", "before 0.19.7 stage 0 runs plain SGD with momentum under Muon's name", "deepspeedai/DeepSpeed#8441"),
    (
        "0.19.8",
        "before 0.19.8 stage 3 runs Muon once for each micro batch: take no gradient accumulation there, or stage 2",
        "deepspeedai/DeepSpeed#8443",
    ),
)
"""What releases of DeepSpeed repaired that no option avoids: the release, what was wrong before it, the thread."""


def _deepspeed(asked: Asked) -> tuple[Advice, ...]:
    version = asked.version
    if not satisfies(version, ">=0.17.6"):
        return (Advice(None, "Muon came with deepspeed 0.17.6"),)
    default = (
        "1.0 by default from 0.19.3"
        if satisfies(version, ">=0.19.3")
        else "off by default before 0.19.3, 1.0 from there"
    )
    found = [
        Advice(SetOption("deepspeed", "gradient_clipping", 0.0), f"{_STEP}; clipping is {default}", _CLIPPED),
    ]
    if not satisfies(version, ">=0.19.3"):
        why = (
            "before 0.19.3 matrices that cross the border of a partition are orthogonalised from partly reduced gradients, and "
            "ranks drift apart without a word"
        )
        found.append(
            Advice(
                SetOption("deepspeed", "zero_optimization.reduce_scatter", False), why, ("deepspeedai/DeepSpeed#7807",)
            )
        )
    else:
        found.append(
            Advice(
                None, "stage 3 refuses Muon with reduce_scatter: set zero_optimization.reduce_scatter to false there"
            )
        )
    if not satisfies(version, ">=0.18.9"):
        why = (
            "stage 3 refuses Muon before 0.18.9, and muon_lr and adam_lr are ignored: the part that Adam optimizes gets the "
            "learning rate of Muon"
        )
        found.append(Advice(None, why))
    found += [Advice(None, why, (ref,)) for until, why, ref in _REPAIRED if not satisfies(version, f">={until}")]
    if not satisfies(version, ">=0.19.8"):
        refused = " (an error from 0.19.3 with reduce_scatter)" if satisfies(version, ">=0.19.3") else ""
        found.append(
            Advice(
                SetOption("deepspeed", "zero_optimization.offload_optimizer.device", "none"),
                f"before 0.19.8 offload lost the shape of the matrices, so that they were not orthogonalised{refused}",
                ("deepspeedai/DeepSpeed#8463",),
            )
        )
    return tuple(found)


def _openrlhf(asked: Asked) -> tuple[Advice, ...]:
    if not satisfies(asked.version, ">=0.10.2"):
        return (Advice(None, "Muon came with openrlhf 0.10.2"),)
    return (
        Advice(SetOption("openrlhf", "actor.max_norm", 0), f"DeepSpeed's order: {_STEP}", _CLIPPED),
        Advice(
            None,
            "it refuses deepspeed before 0.18.9, which ignored the two learning rates; before 0.19.3 reduce_scatter is wrong "
            "with Muon, before 0.19.8 optimizer offload is",
            ("openrlhf 0.11.2: openrlhf/utils/deepspeed/deepspeed.py", "deepspeedai/DeepSpeed#7807"),
        ),
        Advice(None, "weight decay reaches biases and norms too under Muon"),
    )


def _megatron(asked: Asked) -> tuple[Advice, ...]:
    if not satisfies(asked.version, ">=0.16.0"):
        return (Advice(None, "Muon came with megatron-core 0.16.0"),)
    if satisfies(asked.version, ">=0.18"):
        sharded = "--optimizer muon --use-distributed-optimizer shards whole layers; dist_muon is deprecated"
    else:
        sharded = "muon refuses the distributed optimizer before 0.18"
    return (
        Advice(SetOption("megatron", "muon_tp_mode", "distributed"), _BLOCKWISE),
        Advice(None, f"{sharded}; Torch-FSDP2 and Megatron-FSDP are refused"),
        Advice(None, _CHAINED, ("NVIDIA/Megatron-LM#5394", "NVIDIA/Megatron-LM#5395", "grpolint lab muon")),
        Advice(None, _GATED, ("NVIDIA/Megatron-LM#5400",)),
        Advice(None, _INDEXER, ("NVIDIA/Megatron-LM#5384",)),
    )


def _verl(asked: Asked) -> tuple[Advice, ...]:
    optim = "actor_rollout_ref.actor.optim"
    if not satisfies(asked.version, ">=0.9"):
        return (Advice(None, "Muon came with verl 0.9.0, for Megatron only"),)
    return (
        Advice(
            SetOption("verl", f"{optim}.muon_match_adamw_update_rms", True),
            "an update of Muon is about 4.4 times as large as one of AdamW at the same learning rate (betas 0.9); this "
            "scales it down",
        ),
        Advice(SetOption("verl", f"{optim}.muon_tp_mode", "distributed"), _BLOCKWISE),
        Advice(None, _CHAINED, ("NVIDIA/Megatron-LM#5394", "NVIDIA/Megatron-LM#5395", "grpolint lab muon")),
        Advice(None, _GATED, ("NVIDIA/Megatron-LM#5400",)),
        Advice(None, _INDEXER, ("NVIDIA/Megatron-LM#5384",)),
    )


def _trl(_: Asked) -> tuple[Advice, ...]:
    return (Advice(None, "transformers has no Muon of its own: it comes with the DeepSpeed file, see deepspeed"),)


_ADVICE = {"deepspeed": _deepspeed, "openrlhf": _openrlhf, "megatron": _megatron, "verl": _verl, "trl": _trl}


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release that trains with Muon, and what is true of it without an option."""
    make = _ADVICE.get(asked.framework)
    return make(asked) if make is not None else None


def card(gpu: Gpu) -> tuple[str, ...]:
    """What is true of Muon on an accelerator."""
    alone = (
        "on a single card no matrix crosses the border of a partition (deepspeedai/DeepSpeed#7807) and none is split among "
        "tensor-parallel ranks; DeepSpeed's clipping of the step (deepspeedai/DeepSpeed#8439) is the same on one card"
    )
    found = [alone]
    if gpu.capability is not None and gpu.capability < (8, 0):
        found.append("Newton-Schulz is computed in bf16, which this card has no arithmetic of its own for")
    return tuple(found)


TOPIC = Topic(
    name="muon",
    title="Muon: clipping, sharding and offload of an orthogonalised update",
    rules=("D02", "N02", "N13", "N16", "DS010"),
    handbook=("D02", "D16", "N02", "N13", "N16"),
    patterns=("muon_clipping", "discrete_decision_mismatch"),
    facts=(
        "optimizer",
        "clip_norm",
        "learning_rate",
        "engine",
        "zero_stage",
        "offload_optimizer",
        "overlap_comm",
        "precision",
        "model",
        "moe",
        "sparse_attention",
        "indexer_replay",
        "world_size",
        "tp",
        "gpu",
    ),
    advice=advice,
    card=card,
)
