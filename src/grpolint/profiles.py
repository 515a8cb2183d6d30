"""What is declared of a machine and of the training on it, where the documents tell nothing.

The handbook judges one card, trained on in one way. `profile` declares the same way of training for any accelerator that
`grpolint.hardware` knows, with that one's own memory and compute capability.
"""

from __future__ import annotations

from typing import Any

from grpolint.values import Known, Origin

__all__ = ["DECLARED", "HANDBOOK_CARD", "OPTIMAL", "profile"]

HANDBOOK_CARD = "rtx4090"
"""The accelerator that the handbook judges."""

DECLARED: dict[str, Any] = {
    "nodes": 1,
    "gpus_per_node": 1,
    "world_size": 1,
    "dp": 1,
    "advantage": "grpo",
    "group_relative": True,
    "lora": True,
    "reward_shape": "shaped",
    "open_files": 65535,
}
"""The way of training that the handbook's configuration is meant for: one accelerator, GRPO with LoRA, shaped rewards."""

OPTIMAL: dict[str, Any] = {
    "zero_stage": 2,
    "optimizer": "cpu_adam",
    "gradient_clipping": 1.0,
    "overlap_comm": False,
    "lora_rank": 32,
    "fsdp_mode": "fsdp1",
    "group_size": 8,
    "bypass_mode": True,
    "enforce_eager": True,
    "use_critic": False,
    "ref_in_actor": True,
    "checkpoint_mode": "naive",
    "sleep_level": 1,
    "rollout_engine": "sglang",
    "model_dtype": "bf16",
    "gating_dtype": "fp32",
}
"""The handbook's configuration for an RTX 4090: sixteen keys."""


def profile(gpu: str) -> dict[str, Known]:
    """The facts that are declared for an accelerator, by name, to be `world.Supplied.profile`.

    Raises KeyError with one sentence for an accelerator that `grpolint.hardware` does not know.
    """
    from grpolint.hardware import GPUS, find_gpu

    found = find_gpu(gpu)
    if found is None:
        from grpolint.suggest import suggestion

        raise KeyError(f"unknown accelerator {gpu!r}{suggestion(gpu.lower(), GPUS)}")
    facts = {"gpu": found.name, "gpu_memory": found.memory, **DECLARED}
    if found.capability is not None:
        facts["gpu_capability"] = found.capability
    return {name: Known(value, (Origin("profile", None, found.name),)) for name, value in facts.items()}
