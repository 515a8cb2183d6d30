"""Facts of an ms-swift run: of the Trainer or Megatron below it, of GRPO, and of the server that `swift rollout` starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.asking import constant, exactly, lower, option, positive, through, times, truth
from grpolint.frameworks.swift.layers import tuner
from grpolint.frameworks.swift.processes import FACTS as PROCESSES
from grpolint.frameworks.trl.facts import AGGREGATIONS, scaled
from grpolint.frameworks.trl.facts import FACTS as TRAINER_BELOW
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

if TYPE_CHECKING:
    from grpolint.frameworks.swift.layers import SwiftLayers

__all__ = ["FACTS", "facts_of"]


def _own(*keys: str) -> FactFunction:
    return option("ms-swift", *keys)


# training


def _lora(key: str, otherwise: Any) -> FactFunction:
    """A quantity of LoRA where that is what is trained; other adapters have ranks of their own."""

    def fact(run: Run) -> Value | None:
        kind = tuner(run)
        if kind is None or isinstance(kind, Unknown):
            return kind
        name = lower(plain(kind))
        if name == "full":
            return combine(lambda _: otherwise, kind) if otherwise is not None else None
        return option("ms-swift", key)(run) if name in ("lora", "longlora", "lora_llm") else None

    return fact


def _base_bits(run: Run) -> Value | None:
    """Bits of the base model where bitsandbytes quantizes it while it is loaded."""
    bits, method = run.value("ms-swift", "quant_bits"), run.value("ms-swift", "quant_method")
    return combine(lambda some, how: int(some) if some and how == "bnb" else 16, bits, method)


def _fsdp(run: Run) -> Value | None:
    value = run.value("transformers", "fsdp")
    return value if isinstance(value, Unknown) or plain(value) not in (None, "", [], False) else None


def _engine(run: Run) -> Value | None:
    if "deepspeed" not in run.settings and _fsdp(run) is not None:
        return combine(lambda version: "fsdp2" if version == 2 else "fsdp", _fsdp_version(run))
    return TRAINER_BELOW["engine"](run)


def _fsdp_version(run: Run) -> Value | None:
    value = _fsdp(run)
    if value is None:
        return TRAINER_BELOW["fsdp_version"](run) if "accelerate" in run.settings else None
    if str(plain(value)).endswith(".json"):
        return Unknown(f"file:{plain(value)}")
    return combine(lambda _: 2, value)


def _sequence_parallel(run: Run) -> Value | None:
    return _own("sequence_parallel_size")(run) or Known(1, ())


def _dp(run: Run) -> Value | None:
    return combine(exactly, run.fact("world_size"), _sequence_parallel(run))


def _precision(run: Run) -> Value | None:
    half, brain = run.value("transformers", "fp16"), run.value("transformers", "bf16")
    return combine(lambda fp16, bf16: "fp16" if truth(fp16) else "bf16" if truth(bf16) else "fp32", half, brain)


_SHARED = (
    "torch_compile",
    "optimizer",
    "clip_norm",
    "learning_rate",
    "micro_batch_per_gpu",
    "gradient_accumulation",
    "train_batch_samples",
    "offload_optimizer",
    "offload_params",
    "save_every",
    "warmup_steps",
    "total_steps",
)
"""Facts that Transformers' arguments decide."""

TRAINER: Mapping[str, FactFunction] = {
    **{name: TRAINER_BELOW[name] for name in _SHARED},
    **PROCESSES,
    "engine": _engine,
    "fsdp_version": _fsdp_version,
    "sp": _sequence_parallel,
    "dp": _dp,
    "precision": _precision,
    "bf16": through(truth, lambda run: run.value("transformers", "bf16")),
    "fp16": through(truth, lambda run: run.value("transformers", "fp16")),
    "lora_rank": _lora("lora_rank", 0),
    "lora_alpha": _lora("lora_alpha", None),
    "base_bits": _base_bits,
    "model": _own("model"),
    "uses_critic": through(lambda kind: lower(kind) == "ppo", _own("rlhf_type")),
}
"""Facts of every command that trains by Transformers' Trainer."""


# GRPO

_n = _own("num_generations")
_vllm = _own("use_vllm")


def _advantage(run: Run) -> Value | None:
    return combine(lower, _own("advantage_estimator")(run)) or combine(lower, run.value("ms-swift", "rlhf_type"))


def _colocated(run: Run) -> Value | None:
    """Without vLLM the trainer's own processes generate."""
    on = run.value("ms-swift", "use_vllm")
    if isinstance(on, Unknown) or not truth(plain(on) or False):
        return combine(lambda _: True, on) if on is not None else None
    return combine(lambda mode: lower(mode) == "colocate", _own("vllm_mode")(run))


def _if_colocated(key: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        together, uses = _colocated(run), _vllm(run)
        for value in (together, uses):
            if isinstance(value, Unknown):
                return value
        return _own(key)(run) if plain(together) and truth(plain(uses) or False) else None

    return fact


def _level(run: Run) -> Value | None:
    """Level 0 means that the engine does not sleep; asynchronous generation turns it off."""
    apart = run.value("ms-swift", "async_generate")
    if truth(plain(apart) or False):
        return combine(lambda _: 0, apart)
    return _if_colocated("sleep_level")(run)


def _distillation(run: Run) -> Value | None:
    """A teacher on a GRPO run scores every token; without reward functions that is all there is."""
    names = ("teacher_model", "teacher_model_server")
    teachers = [value for name in names if (value := _own(name)(run)) is not None]
    if not teachers:
        return Known(False, ())
    return combine(lambda *_: True, *teachers)


def _reward_kind(run: Run) -> Value | None:
    functions, models = run.value("ms-swift", "reward_funcs"), _own("reward_model")(run)
    if isinstance(functions, Unknown) or plain(functions):
        return combine(lambda _: "function", functions)
    return combine(lambda _: "model", models)


def _kl(in_reward: bool) -> FactFunction:
    def fact(run: Run) -> Value | None:
        where = _own("kl_in_reward")(run) or combine(lambda name: name != "grpo", _advantage(run))
        beta = run.value("ms-swift", "beta")
        return combine(lambda there, weight: truth(there) is in_reward and positive(weight), where, beta)

    return fact


def _generation_batch(run: Run) -> Value | None:
    """Completions of one generation over all processes."""
    given = _own("generation_batch_size")(run)
    if given is not None:
        return given
    steps = _own("steps_per_generation")(run)
    if "megatron" in run.settings:
        return combine(times, option("megatron", "global_batch_size")(run), steps or Known(1, ()))
    steps = steps or run.value("transformers", "gradient_accumulation_steps")
    return combine(times, run.value("transformers", "per_device_train_batch_size"), run.fact("world_size"), steps)


def _optimizer_batch(run: Run) -> Value | None:
    if "megatron" in run.settings:
        return option("megatron", "global_batch_size")(run)
    names = ("per_device_train_batch_size", "gradient_accumulation_steps")
    return combine(times, *(run.value("transformers", name) for name in names), run.fact("world_size"))


def _weight_sync(run: Run) -> Value | None:
    if not isinstance(_vllm(run), Unknown) and not truth(plain(_vllm(run)) or False):
        return None
    return combine(lambda together: "naive" if together else "nccl", _colocated(run))


def _lora_sync(run: Run) -> Value | None:
    """Adapters are merged into the weights that vLLM gets, unless its engine takes adapters."""

    def reaches(rank: Any, vllm: Any, adapters: Any) -> str | None:
        if int(rank) < 1 or not truth(vllm):
            return None
        return "adapter" if truth(adapters) else "merged"

    return through(reaches, lambda run: run.fact("lora_rank"), _vllm, _if_known("vllm_enable_lora"))(run)


def _if_known(key: str) -> FactFunction:
    """A switch that older releases do not have: off."""
    return lambda run: run.value("ms-swift", key) or Known(False, ())


def _loss(run: Run) -> Value | None:
    """The name of the loss, which may stand in a list of one."""
    return through(lambda names: names[0] if isinstance(names, list) and len(names) == 1 else names, _own("loss_type"))(
        run
    )


def _clip(*keys: str) -> FactFunction:
    """A side of the clip range, of the losses that have no other bound."""

    def fact(run: Run) -> Value | None:
        loss = _loss(run)
        if isinstance(loss, Unknown):
            return loss
        known = loss is None or plain(loss) in ("grpo", "bnpo", "dr_grpo", "dapo")
        return through(float, _own(*keys))(run) if known else None

    return fact


_PASSES = through(int, _own("num_iterations"))

GROUP: Mapping[str, FactFunction] = {
    "temperature": through(float, _own("temperature")),
    "ratio_level": lambda run: combine(
        lambda level: "sequence" if lower(level).startswith("sequence") else "token",
        _own("importance_sampling_level")(run) or Known("token", ()),
    ),
    "clip_low": _clip("epsilon"),
    "clip_high": _clip("epsilon_high", "epsilon"),
    "loss_aggregation": through(lambda name: AGGREGATIONS.get(lower(name)), _loss),
    "advantage_scaled": through(scaled, _own("scale_rewards")),
    "kl_coefficient": through(float, _own("beta")),
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": lambda run: combine(
        lambda whole, part, passes: exactly(whole, part) * passes,
        _generation_batch(run),
        _optimizer_batch(run),
        _PASSES(run),
    ),
    "advantage": _advantage,
    "group_relative": constant(True, "GRPO of ms-swift compares the responses of one prompt"),
    "group_size": _n,
    "distillation": _distillation,
    "uses_critic": constant(False, "GRPO has no critic"),
    "kl_in_loss": _kl(False),
    "kl_in_reward": _kl(True),
    "reward_kind": _reward_kind,
    "train_batch_samples": _generation_batch,
    "train_batch_prompts": lambda run: combine(exactly, _generation_batch(run), _n(run)),
    "mini_batch_prompts": lambda run: combine(exactly, _optimizer_batch(run), _n(run)),
    "dynamic_batch": constant(False, "ms-swift counts sequences"),
    "group_by_prompt": constant(True, "ms-swift repeats each prompt in turn"),
    "bypass_mode": constant(False, "the trainer computes the old policy's log-probabilities itself"),
    "dynamic_sampling": through(truth, _if_known("dynamic_sample")),
    "weight_sync": _weight_sync,
    "lora_sync": _lora_sync,
    "rollout_engine": lambda run: combine(lambda on: "vllm" if truth(on) else "hf", run.value("ms-swift", "use_vllm")),
    "rollout_colocated": _colocated,
    "rollout_memory": _if_colocated("vllm_gpu_memory_utilization"),
    "rollout_tp": _if_colocated("vllm_tensor_parallel_size"),
    "enforce_eager": through(truth, _if_colocated("vllm_enforce_eager")),
    "rollout_sleep": through(lambda level: int(level) > 0, _level),
    "sleep_level": through(lambda level: int(level) or None, _level),
    "prompt_length": _own("max_length"),
    "response_length": _own("max_completion_length"),
    "context_length": _if_colocated("vllm_max_model_len"),
}
"""Facts of GRPO, whichever trainer is below."""

FACTS: Mapping[str, FactFunction] = {**TRAINER, **GROUP}
"""Facts of GRPO by Transformers' Trainer."""

MEGATRON: Mapping[str, FactFunction] = {
    **PROCESSES,
    "lora_rank": _lora("lora_rank", 0),
    "lora_alpha": _lora("lora_alpha", None),
    "model": _own("model"),
    "save_every": _own("save_steps", "save_interval"),
}
"""Facts of Megatron-SWIFT, before those of Megatron: the model comes from a checkpoint, not from arguments."""


_OF_CHECKPOINT = frozenset(
    {
        "moe",
        "experts",
        "experts_per_token",
        "expert_width",
        "layers",
        "hidden_size",
        "attention_heads",
        "kv_heads",
        "head_dim",
        "vocabulary",
        "tied_embeddings",
        "model_context",
        "sparse_attention",
        "context_length",
    }
)
"""Facts of the model, which Megatron-SWIFT takes from the checkpoint, and Megatron's length of a training sequence."""


def facts_of(run: Run, layers: SwiftLayers) -> list[Mapping[str, FactFunction]]:
    """Providers for one command, the leading first."""
    if layers.table == "rollout":
        from grpolint.frameworks.vllm.facts import FACTS as SERVER

        return [SERVER]
    kind = plain(run.value("ms-swift", "rlhf_type"))
    group = [GROUP] if layers.table.endswith("rlhf") and kind == "grpo" else []
    if layers.megatron:
        from grpolint.frameworks.megatron.facts import FACTS as BELOW

        below = {name: fact for name, fact in BELOW.items() if name not in _OF_CHECKPOINT}
        return [*group, MEGATRON, below]
    from grpolint.frameworks.accelerate.facts import FACTS as ACCELERATE
    from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED

    providers = [*group, TRAINER]
    if "accelerate" in run.settings:
        providers.append(ACCELERATE)
    if "deepspeed" in run.settings:
        providers.append(DEEPSPEED)
    return providers
