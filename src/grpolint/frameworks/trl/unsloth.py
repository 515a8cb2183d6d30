"""Unsloth below TRL: it loads the model, makes the adapter, brings the rollout engine, and changes TRL's own classes.

Its config classes have other defaults than TRL's, which differ from release to release; they stay unknown.
"""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, option, truth
from grpolint.run import FactFunction, Run, Settings
from grpolint.values import Default, Known, Unknown, Value, combine, plain
from grpolint.world import World

__all__ = ["FACTS", "FAST", "base_bits", "decided", "settings"]

FAST = ("FastLanguageModel", "FastModel", "FastVisionModel")
"""Classes whose `from_pretrained` loads a model."""

_CHANGED = frozenset({
    "per_device_train_batch_size", "gradient_accumulation_steps", "weight_decay", "optim", "learning_rate",
    "per_device_eval_batch_size", "warmup_ratio", "warmup_steps", "bf16", "fp16", "loss_type", "beta",
    "vllm_importance_sampling_correction", "router_aux_loss_coef", "mask_truncated_completions", "epsilon_high",
    "scale_rewards", "max_length",
})  # fmt: skip
"""Options whose default is another one under Unsloth, by release, or that it sets by itself where nobody does."""

_DEFAULTS = {"load_in_4bit": True, "load_in_8bit": False, "fast_inference": False, "full_finetuning": False}
"""Defaults of `from_pretrained` that every release has."""


def settings(run: Run, world: World) -> Settings:
    """The arguments of Unsloth's `from_pretrained`."""
    version = world.version("unsloth")

    def default(key: str) -> Value | None:
        if key not in _DEFAULTS:
            return None
        return Default(_DEFAULTS[key], "unsloth", version.text, "unsloth/models/loader.py")

    run.settings["unsloth"] = found = Settings("unsloth", version, default)
    return found


def decided(run: Run, key: str) -> Value | None:
    """What an option of TRL is under Unsloth where nobody sets it; None where Unsloth leaves it alone."""
    if key in _CHANGED:
        return Unknown("computed:what Unsloth takes by default")
    if key == "use_vllm" and len(run.settings["unsloth"]):
        return run.value("unsloth", "fast_inference")
    fixed = {"vllm_mode": "colocate", "logging_steps": 1}
    if key in fixed:
        return Default(fixed[key], "unsloth", run.settings["unsloth"].version.text, "unsloth/models/rl.py")
    if key == "vllm_enable_sleep_mode":
        return _standby(run)
    return None


def base_bits(run: Run) -> Value | None:
    """Bits of the base model: whole parameters are trained in 16, and 8 is asked for explicitly."""
    loads = run.settings.get("unsloth")
    if loads is None or not len(loads):
        return None
    full, eight, four = (run.value("unsloth", key) for key in ("full_finetuning", "load_in_8bit", "load_in_4bit"))
    others = [run.value("unsloth", key) for key in ("load_in_16bit", "load_in_fp8", "quantization_config")]
    for value in (full, eight, *others):
        if isinstance(value, Unknown):
            return value
    if truth(plain(full)) or any(truth(plain(each)) for each in others if each is not None):
        return Known(16, full.origins if full is not None and truth(plain(full)) else ())
    if truth(plain(eight)):
        return combine(lambda _: 8, eight)
    return combine(lambda on: 4 if truth(on) else 16, four)


def _generates(run: Run) -> Value | None:
    """Whether vLLM generates: `fast_inference` decides, whatever `use_vllm` says."""
    return run.value("unsloth", "fast_inference") if len(run.settings["unsloth"]) else None


def _engine(run: Run) -> Value | None:
    return combine(lambda fast: "vllm" if truth(fast) else "hf", _generates(run))


def _if_fast(key: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        fast = _generates(run)
        if fast is None or isinstance(fast, Unknown):
            return fast
        return option("unsloth", key)(run) if truth(plain(fast)) else None

    return fact


def _rank(run: Run) -> Value | None:
    """No adapter where everything is trained: `get_peft_model` has no effect then."""
    full = run.value("unsloth", "full_finetuning")
    return combine(lambda _: 0, full) if full is not None and truth(plain(full)) else None


def _standby(run: Run) -> Value | None:
    return combine(lambda text: str(text) != "0", run.environment("UNSLOTH_VLLM_STANDBY"))


FACTS: Mapping[str, FactFunction] = {
    "base_bits": base_bits,
    "lora_rank": _rank,
    "rollout_engine": _engine,
    "rollout_colocated": constant(True, "Unsloth generates in the trainer's process"),
    "rollout_memory": _if_fast("gpu_memory_utilization"),
    "rollout_tp": constant(1, "one engine in each process of Unsloth"),
    "rollout_sleep": _standby,
    "context_length": option("unsloth", "max_seq_length"),
    "lora_sync": constant("adapter", "Unsloth hands the adapter to vLLM"),
    "weight_sync": constant("shared", "vLLM and the trainer share the base model's memory"),
}
"""What Unsloth decides in a run of GRPO or RLOO. Facts that it leaves alone follow from TRL's options."""
