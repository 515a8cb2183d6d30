"""FSDP: the first or the second version, for the framework and the release in use."""

from __future__ import annotations

from grpolint.changes import Change, SetOption
from grpolint.topics.base import Advice, Asked, Topic
from grpolint.versions import satisfies

__all__ = ["TOPIC", "strategies"]

README = "verl README: upgrade to FSDP2"
DEPRECATED = "transformers 5.24.0: src/transformers/training_args.py"


def strategies(release: str, *, legacy: bool = True) -> tuple[str, ...]:
    """The options of verl that must say fsdp2 in a release.

    Without the legacy workers, which 0.7 has by default, 0.7 takes the word of the engine's section instead.
    """
    own = "actor_rollout_ref.actor.strategy", "actor_rollout_ref.ref.strategy", "critic.strategy"
    if satisfies(release, ">=0.7,<0.8") and not legacy:
        engine = "actor_rollout_ref.actor.fsdp_config.strategy", "actor_rollout_ref.ref.fsdp_config.strategy"
        return (*own, *engine, "critic.model.fsdp_config.strategy")
    return own


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release; None where FSDP is no engine of it."""
    if asked.framework == "verl":
        if not satisfies(asked.version, ">=0.4"):
            return (Advice(None, f"verl {asked.version} has FSDP1 only: FSDP2 came with 0.4.0"),)
        why = "verl asks to move to FSDP2; its default is still fsdp"
        return tuple(Advice(_set("verl", key, "fsdp2"), why, (README,)) for key in strategies(asked.version))
    if asked.framework == "accelerate":
        if not satisfies(asked.version, ">=1.6"):
            return (Advice(None, f"accelerate {asked.version} has FSDP1 only: FSDP2 came with 1.6.0"),)
        why = "accelerate takes 1 where nothing says it; Transformers deprecates that since 5.10"
        return (
            Advice(_set("accelerate", "distributed_type", "FSDP"), "shards by FSDP"),
            Advice(_set("accelerate", "fsdp_config.fsdp_version", 2), why, (DEPRECATED,)),
        )
    return None


def _set(framework: str, key: str, value: object) -> Change:
    return SetOption(framework, key, value)


TOPIC = Topic(
    name="fsdp",
    title="FSDP1 or FSDP2: what is true for the framework and the release in use",
    rules=("FS", "D06", "N06", "VE018", "CF001", "CF020", "CF022"),
    handbook=("D06", "N06"),
    patterns=("execution_overlap_oom",),
    facts=(
        "engine",
        "fsdp_version",
        "offload_params",
        "offload_optimizer",
        "world_size",
        "nodes",
        "gpus_per_node",
        "sp",
        "precision",
        "lora_rank",
        "rollout_engine",
        "rollout_colocated",
        "model",
        "gpu",
        "gpu_memory",
    ),
    advice=advice,
)
