"""Muon: what clipping, sharding and offload do to an update that is orthogonalised."""

from __future__ import annotations

from grpolint.topics.base import Advice, Asked, Topic

__all__ = ["TOPIC"]


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release."""
    return None


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
)
