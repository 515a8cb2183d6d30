"""Mixture of experts: in which type the router computes, and whether trainer and rollout engine choose the same experts."""

from __future__ import annotations

from grpolint.topics.base import Advice, Asked, Topic

__all__ = ["TOPIC"]


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release."""
    return None


TOPIC = Topic(
    name="moe",
    title="mixture of experts: the router's precision, replay of its choices, sizes of parallel groups",
    rules=("MO", "D16", "D17", "N14", "MG005", "VE014", "VE020", "VE025"),
    handbook=("D13", "D16", "D17", "N14"),
    patterns=("moe_fp16_nan", "discrete_decision_mismatch"),
    facts=(
        "model",
        "moe",
        "experts",
        "engine",
        "precision",
        "router_dtype",
        "router_replay",
        "sparse_attention",
        "indexer_replay",
        "bypass_mode",
        "rollout_engine",
        "rollout_dtype",
        "enforce_eager",
        "tp",
        "ep",
        "rollout_tp",
        "group_size",
        "gpu",
    ),
    advice=advice,
)
