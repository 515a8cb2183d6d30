"""Facts of a ROLL run, from what its configurations check and its workers compute with (0.1 to 0.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, exactly, lower, option, through, times, truth
from grpolint.frameworks.roll.devices import devices
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "ROLLOUT", "kind_facts", "role_of"]

_TRAINERS = ("actor_train", "student_train", "sft_train", "student")
_INFERERS = ("actor_infer", "student_infer")
_ENGINES = {"megatron_train": "megatron", "deepspeed_train": "deepspeed", "fsdp2_train": "fsdp2"}
_TYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}


def _ask(*keys: str) -> FactFunction:
    return option("roll", *keys)


def role_of(run: Run, names: tuple[str, ...] = _TRAINERS) -> str:
    """The role that trains (or generates), by the sections that there are."""
    settings = run.settings["roll"]
    return next((name for name in names if next(settings.under(name), None) is not None), names[0])


def _train(key: str) -> FactFunction:
    return lambda run: _ask(f"{role_of(run)}.{key}")(run)


def _infer(key: str) -> FactFunction:
    return lambda run: _ask(f"{role_of(run, _INFERERS)}.{key}")(run)


def _or(function: FactFunction, value: Any) -> FactFunction:
    """A value that stands for an absent one."""

    def fact(run: Run) -> Value | None:
        found = function(run)
        return found if found is not None else Known(value, ())

    return fact


def _strategy(run: Run) -> Value | None:
    return through(lambda name: _ENGINES.get(lower(name), lower(name)), _train("strategy_args.strategy_name"))(run)


def _config(engine: str, key: str, otherwise: Any = None) -> FactFunction:
    """A key of `strategy_config` under one engine, `otherwise` under the others."""

    def fact(run: Run) -> Value | None:
        strategy = _strategy(run)
        if strategy is None or isinstance(strategy, Unknown):
            return strategy
        if plain(strategy) != engine:
            return Known(otherwise, ()) if otherwise is not None else None
        return _or(_train(f"strategy_args.strategy_config.{key}"), 1 if otherwise is not None else None)(run)

    return fact


_WORLD = through(lambda text: len(devices(text)), _train("device_mapping"))
_TP = _config("megatron", "tensor_model_parallel_size", 1)
_PP = _config("megatron", "pipeline_model_parallel_size", 1)
_CP = _config("megatron", "context_parallel_size", 1)
_SP = _or(_train("model_args.ulysses_size"), 1)
_MICRO = _train("training_args.per_device_train_batch_size")
_STEPS = _train("training_args.gradient_accumulation_steps")


def _zero_stage(run: Run) -> Value | None:
    if plain(_strategy(run)) != "deepspeed":
        return None
    return _train("strategy_args.strategy_config.zero_optimization.stage")(run)


def _colocated(run: Run) -> Value | None:
    return combine(
        lambda train, infer: bool(set(devices(train)) & set(devices(infer))),
        _train("device_mapping")(run),
        _infer("device_mapping")(run),
    )


def _advantage(run: Run) -> Value | None:
    return through(lower, _ask("adv_estimator"))(run)


def _group_relative(run: Run) -> Value | None:
    """GRPO normalises over groups, others where the configuration says so; agents have groupings of their own."""
    if _ask("num_return_sequences_in_group")(run) is None:
        return None
    return combine(
        lambda name, mean: name == "grpo" or mean == "group", _advantage(run), _or(_ask("norm_mean_type"), "none")(run)
    )


def _lora_rank(run: Run) -> Value | None:
    targets = _train("model_args.lora_target")(run)
    if isinstance(targets, Unknown):
        return targets
    return _train("model_args.lora_rank")(run) if plain(targets) is not None else Known(0, ())


def _response(run: Run) -> Value | None:
    """The longest response; agents have only the longest sequence."""
    if _ask("num_return_sequences_in_group")(run) is None:
        return None
    given = _ask("response_length")(run)
    if given is not None:
        return given
    return combine(
        lambda whole, prompt: int(whole) - int(prompt), _ask("sequence_length")(run), _ask("prompt_length")(run)
    )


FACTS: Mapping[str, FactFunction] = {
    "world_size": _WORLD,
    "tp": _TP,
    "pp": _PP,
    "cp": _CP,
    "ep": _config("megatron", "expert_model_parallel_size", 1),
    "sp": _SP,
    "dp": through(exactly, _WORLD, _TP, _PP, _CP, _SP),
    "engine": _strategy,
    "zero_stage": _zero_stage,
    "micro_batch_per_gpu": _MICRO,
    "gradient_accumulation": _STEPS,
    "dynamic_batch": through(truth, _train("use_dynamic_batching_in_train")),
    "learning_rate": through(float, _train("training_args.learning_rate")),
    "precision": through(lambda name: _TYPES.get(lower(name), lower(name)), _train("model_args.dtype")),
    "lora_rank": _lora_rank,
    "model": lambda run: _train("model_args.model_name_or_path")(run) or _ask("pretrain", "student_pretrain")(run),
    "save_every": _ask("save_steps"),
}
"""Facts of every pipeline."""

ROLLOUT: Mapping[str, FactFunction] = {
    "advantage": _advantage,
    "group_relative": _group_relative,
    "group_size": _ask("num_return_sequences_in_group", "train_env_manager.group_size"),
    "uses_critic": through(lambda name: name == "gae", _advantage),
    "kl_in_reward": through(
        lambda on, weight: truth(on) and float(weight) > 0, _ask("add_token_level_kl"), _ask("init_kl_coef")
    ),
    "kl_in_loss": through(
        lambda on, weight: truth(on) and float(weight) > 0, _ask("use_kl_loss"), _ask("kl_loss_coef")
    ),
    "train_batch_prompts": lambda run: (
        _ask("rollout_batch_size")(run) if plain(_ask("num_return_sequences_in_group")(run)) else None
    ),
    "train_batch_samples": through(times, _ask("rollout_batch_size"), _or(_ask("num_return_sequences_in_group"), 1)),
    "clip_norm": through(float, _ask("max_grad_norm")),
    "rollout_engine": through(lower, _infer("strategy_args.strategy_name")),
    "rollout_colocated": _colocated,
    "rollout_tp": _or(_infer("strategy_args.strategy_config.tensor_parallel_size"), 1),
    "rollout_memory": _infer("strategy_args.strategy_config.gpu_memory_utilization"),
    "context_length": _infer("strategy_args.strategy_config.max_model_len"),
    "response_length": _response,
}
"""Facts of the pipelines with rollouts."""


def kind_facts(kind: str) -> Mapping[str, FactFunction]:
    """What is trained."""
    found = {
        "trainer_kind": constant(
            {"onpolicy_distill": "distillation", "distill": "distillation", "sft": "sft", "dpo": "dpo"}.get(
                kind, "grpo"
            ),
            f"the pipeline {kind}",
        )
    }
    if kind == "onpolicy_distill":
        found["distillation"] = constant(True, "the on-policy distillation pipeline")
    return found
