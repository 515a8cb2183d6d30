"""Where each framework writes what the handbook wants changed."""

from __future__ import annotations

from typing import Any

from grpolint.changes import Change, SetOption
from grpolint.rules.api import Inquiry
from grpolint.values import Known

__all__ = ["remedy"]

_ACTOR, _ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"

_OPTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "zero_stage": (
        ("handbook", "zero_stage"),
        ("openrlhf", "ds.zero_stage"),
        ("accelerate", "zero_stage"),
        ("deepspeed", "zero_optimization.stage"),
    ),
    "clip_norm": (
        ("handbook", "gradient_clipping"),
        ("verl", f"{_ACTOR}.grad_clip"),
        ("verl", f"{_ACTOR}.optim.clip_grad"),
        ("openrlhf", "actor.max_norm"),
        ("accelerate", "gradient_clipping"),
        ("deepspeed", "gradient_clipping"),
        ("transformers", "max_grad_norm"),
        ("megatron", "clip_grad"),
    ),
    "overlap_comm": (
        ("handbook", "overlap_comm"),
        ("openrlhf", "ds.overlap_comm"),
        ("deepspeed", "zero_optimization.overlap_comm"),
    ),
    "optimizer": (("handbook", "optimizer"),),
    "bypass_mode": (("handbook", "bypass_mode"), ("verl", "algorithm.rollout_correction.bypass_mode")),
    "group_by_prompt": (("handbook", "group_by_prompt"),),
    "enforce_eager": (
        ("handbook", "enforce_eager"),
        ("verl", f"{_ROLLOUT}.enforce_eager"),
        ("openrlhf", "vllm.enforce_eager"),
        ("vllm", "enforce_eager"),
        ("sglang", "disable_cuda_graph"),
    ),
    "group_size": (
        ("handbook", "group_size"),
        ("verl", f"{_ROLLOUT}.n"),
        ("trl", "num_generations"),
        ("openrlhf", "rollout.n_samples_per_prompt"),
        ("megatron", "grpo_group_size"),
    ),
    "lora_rank": (
        ("handbook", "lora_rank"),
        ("verl", "actor_rollout_ref.model.lora_rank"),
        ("verl", "actor_rollout_ref.model.lora.rank"),
        ("peft", "r"),
        ("trl", "lora_r"),
        ("openrlhf", "ds.lora.rank"),
    ),
    "weight_sync": (("handbook", "checkpoint_mode"), ("verl", f"{_ROLLOUT}.checkpoint_engine.backend")),
    "reward_shape": (("handbook", "reward_type"),),
    "sleep_level": (("handbook", "sleep_level"),),
    "rollout_engine": (("handbook", "rollout_engine"), ("verl", f"{_ROLLOUT}.name")),
    "indexer_replay": (("handbook", "indexer_replay"),),
    "router_dtype": (("handbook", "gating_dtype"), ("megatron", "moe_router_dtype")),
    "lora_sync": (("handbook", "lora_sync"),),
    "uses_critic": (("handbook", "use_critic"), ("verl", "critic.enable")),
    "torch_compile": (("handbook", "torch_compile"), ("transformers", "torch_compile")),
    "fp16": (
        ("handbook", "fp16"),
        ("deepspeed", "fp16.enabled"),
        ("transformers", "fp16"),
        ("megatron", "fp16"),
    ),
    "open_files": (("handbook", "nofile"),),
}
"""Options that decide a fact, the more telling ones first."""


def remedy(run: Inquiry, fact: str, value: Any) -> tuple[Change, ...]:
    """The change that makes a fact what the handbook wants: of the option that decides it now, else of the first that this
    run's frameworks have; none where there is no such option.
    """
    known = run.ask(f"fact:{fact}")
    places = {origin.span for origin in known.origins if origin.span is not None} if known is not None else set()
    options = [each for each in _OPTIONS.get(fact, ()) if each[0] in run.run.settings]
    for framework, key in options:
        setting = run.run.setting(framework, key)
        if setting is not None and setting.span in places:
            return (SetOption(framework, key, value),)
    leading = [each for each in options if each[0] == run.run.trainer]
    if isinstance(known, Known) and places and not leading:
        return ()  # decided by an option that is not listed: another one would not change it
    return tuple(SetOption(framework, key, value) for framework, key in (leading or options)[:1])
