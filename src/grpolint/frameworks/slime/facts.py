"""Facts of a slime run: what it decides itself, and what it leaves to Megatron and SGLang."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, lower, option, positive, through, truth
from grpolint.frameworks.megatron.facts import FACTS as MEGATRON
from grpolint.frameworks.sglang.facts import FACTS as ENGINE
from grpolint.frameworks.slime.defaults import offloads_rollout, own
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "SGLANG", "TRAINER"]

GROUP_ESTIMATORS = frozenset({"grpo", "gspo", "cispo", "reinforce_plus_plus_baseline"})
"""Estimators for which the mean of a prompt's samples is subtracted from their rewards."""


def _times(*numbers: Any) -> int:
    product = 1
    for number in numbers:
        product *= int(number)
    return product


def _exactly(whole: Any, *parts: Any) -> int:
    """Whole number of times that the parts fit; ValueError where they do not fit exactly."""
    product = _times(*parts)
    if product < 1 or int(whole) % product:
        raise ValueError
    return int(whole) // product


def _fsdp(run: Run) -> bool:
    return "megatron" not in run.settings


def _shared(key: str) -> FactFunction:
    """An option that both training backends have, under Megatron's name."""
    return lambda run: option("slime" if _fsdp(run) else "megatron", key)(run)


def _trains(fact: FactFunction) -> FactFunction:
    """A fact of the trainer: there is none where `--debug-rollout-only` starts only the engines."""

    def found(run: Run) -> Value | None:
        return None if truth(plain(run.value("slime", "debug_rollout_only"))) else fact(run)

    return found


def _rollout(fact: FactFunction) -> FactFunction:
    """A fact of the engines: there is none where only the trainer runs, and `--sglang-config` may say otherwise."""

    def found(run: Run) -> Value | None:
        if truth(plain(run.value("slime", "debug_train_only"))) or own("load_debug_rollout_data")(run) is not None:
            return None
        groups = own("sglang_config")(run)
        return Unknown(f"file:{plain(groups) or 'sglang-config'}") if groups is not None else fact(run)

    return found


def _advantage(run: Run) -> Value | None:
    """None for supervised fine-tuning, which is a loss of its own and computes no advantages."""
    loss, computed = run.value("slime", "loss_type"), run.value("slime", "compute_advantages_and_returns")
    if plain(loss) == "sft_loss" or (computed is not None and plain(computed) is False):
        return None
    return combine(lower, own("advantage_estimator")(run))


def _group_relative(run: Run) -> Value | None:
    """Unknown where a function of the user's own makes the advantages or normalises the rewards."""
    estimator = _advantage(run)
    if estimator is None:
        return None
    for key in (
        "custom_reward_post_process_path",
        "custom_advantage_function_path",
        "custom_convert_samples_to_train_data_path",
    ):
        if own(key)(run) is not None:
            return Unknown(f"computed:{key}")
    normalised = run.value("slime", "rewards_normalization") or Known(True, ())
    return combine(lambda name, on: name in GROUP_ESTIMATORS and truth(on), estimator, normalised)


def _reward_kind(run: Run) -> Value | None:
    custom = own("custom_rm_path")(run)
    if custom is not None:
        return combine(lambda _: "function", custom)
    return combine(lambda name: "remote" if name == "remote_rm" else "function", own("rm_type")(run))


def _kl_in_loss(run: Run) -> Value | None:
    return combine(
        lambda on, weight: truth(on) and positive(weight), run.value("slime", "use_kl_loss"), own("kl_loss_coef")(run)
    )


def _dp(run: Run) -> Value | None:
    if _fsdp(run):
        return combine(_exactly, run.fact("world_size"), option("slime", "context_parallel_size")(run) or Known(1, ()))
    return MEGATRON["dp"](run)


def _micro_batch(run: Run) -> Value | None:
    """None where micro batches are packed by tokens."""
    dynamic = run.value("slime", "use_dynamic_batch_size")
    if isinstance(dynamic, Unknown):
        return dynamic
    return None if truth(plain(dynamic)) else _shared("micro_batch_size")(run)


def _precision(run: Run) -> Value | None:
    fp16 = run.value("slime" if _fsdp(run) else "megatron", "fp16") or Known(False, ())
    return combine(lambda on: "fp16" if truth(on) else "bf16", fp16)


def _optimizer(run: Run) -> Value | None:
    name = _shared("optimizer")(run) or (Known("adam", ()) if _fsdp(run) else None)
    return combine(lambda text: "adamw" if lower(text) == "adam" else lower(text), name)


def _colocated(run: Run) -> Value | None:
    if truth(plain(run.value("slime", "debug_rollout_only"))):
        return None
    return combine(truth, run.value("slime", "colocate"))


def _clip(*keys: str) -> FactFunction:
    """A side of the clip range; CISPO bounds the weight instead."""

    def fact(run: Run) -> Value | None:
        estimator = _advantage(run)
        if estimator is None or isinstance(estimator, Unknown):
            return estimator
        if plain(estimator) == "cispo":
            return None
        return through(float, lambda run: next((v for key in keys if (v := own(key)(run)) is not None), None))(run)

    return fact


def _updates(run: Run) -> Value | None:
    """As given, else the samples of a rollout by the global batch."""
    given = own("num_steps_per_rollout")(run)
    if given is not None:
        return given
    return through(
        lambda prompts, group, batch: _exactly(_times(prompts, group), batch),
        own("rollout_batch_size"),
        own("n_samples_per_prompt"),
        _shared("global_batch_size"),
    )(run)


def _kl_coefficient(run: Run) -> Value | None:
    there = _kl_in_loss(run)
    if there is None or isinstance(there, Unknown):
        return there
    return through(float, own("kl_loss_coef" if plain(there) else "kl_coef"))(run)


FACTS: Mapping[str, FactFunction] = {
    "temperature": through(float, own("rollout_temperature")),
    "ratio_level": through(lambda name: "sequence" if name == "gspo" else "token", _advantage),
    "clip_low": _clip("eps_clip"),
    "clip_high": _clip("eps_clip_high", "eps_clip"),
    "kl_coefficient": _kl_coefficient,
    "entropy_coefficient": through(float, own("entropy_coef")),
    "passes_per_rollout": constant(1, "slime trains on each sample once"),
    "updates_per_rollout": _updates,
    "nodes": _trains(own("actor_num_nodes")),
    "gpus_per_node": _trains(own("actor_num_gpus_per_node")),
    "world_size": _trains(through(_times, own("actor_num_nodes"), own("actor_num_gpus_per_node"))),
    "dp": _trains(_dp),
    "cp": lambda run: option("slime", "context_parallel_size")(run) if _fsdp(run) else MEGATRON["cp"](run),
    "engine": lambda run: Known("fsdp2", ()) if _fsdp(run) else MEGATRON["engine"](run),
    "advantage": _advantage,
    "group_relative": _group_relative,
    "group_size": own("n_samples_per_prompt"),
    "distillation": through(truth, own("use_opd")),
    "uses_critic": through(lambda name: name == "ppo", _advantage),
    "kl_in_reward": through(lambda weight: float(weight) != 0, own("kl_coef")),
    "kl_in_loss": _kl_in_loss,
    "reward_kind": _reward_kind,
    "train_batch_prompts": own("rollout_batch_size"),
    "train_batch_samples": through(_times, own("rollout_batch_size"), own("n_samples_per_prompt")),
    "mini_batch_prompts": through(_exactly, _shared("global_batch_size"), own("n_samples_per_prompt")),
    "micro_batch_per_gpu": _trains(_micro_batch),
    "gradient_accumulation": _trains(through(_exactly, _shared("global_batch_size"), _micro_batch, _dp)),
    "dynamic_batch": through(truth, own("use_dynamic_batch_size")),
    "optimizer": _optimizer,
    "learning_rate": _shared("lr"),
    "clip_norm": _shared("clip_grad"),
    "precision": _precision,
    "rollout_colocated": _colocated,
    "prompt_length": own("rollout_max_prompt_len"),
    "response_length": own("rollout_max_response_len"),
    "model": own("hf_checkpoint"),
    "save_every": _shared("save_interval"),
}
"""What slime decides, whatever trains."""

SGLANG: Mapping[str, FactFunction] = {
    "rollout_engine": _rollout(constant("sglang", "slime generates with SGLang")),
    "rollout_sleep": _rollout(offloads_rollout),
    **{
        name: _rollout(ENGINE[name])
        for name in ("rollout_tp", "rollout_memory", "rollout_dtype", "enforce_eager", "context_length")
    },
}
"""What its engines decide."""

TRAINER: Mapping[str, FactFunction] = {
    name: MEGATRON[name]
    for name in (
        "tp",
        "pp",
        "ep",
        "offload_optimizer",
        "moe",
        "experts",
        "experts_per_token",
        "layers",
        "hidden_size",
        "attention_heads",
        "kv_heads",
        "head_dim",
        "vocabulary",
    )
}
"""What Megatron decides; the model's numbers are those of its arguments, which slime takes from no checkpoint."""
