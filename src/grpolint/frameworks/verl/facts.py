"""Facts of a verl run. Which option decides follows the released sources, 0.3 to 0.9."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks import processes
from grpolint.frameworks.asking import exactly, lower, through, times, truth
from grpolint.frameworks.verl.choosing import (
    ACTOR,
    MODEL,
    ROLLOUT,
    ask,
    by_strategy,
    by_workers,
    first,
    in_release,
    legacy,
    pick,
    release,
    strategy,
)
from grpolint.frameworks.verl.handing_over import HANDING_OVER
from grpolint.frameworks.verl.objective import OBJECTIVE
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, combine, origins_of, plain

__all__ = ["FACTS", "GROUP_ESTIMATORS"]

GROUP_ESTIMATORS = frozenset(
    {
        "grpo",
        "grpo_passk",
        "grpo_vectorized",
        "gdpo",
        "gpg",
        "opo",
        "optimal_token_baseline",
        "reinforce_plus_plus_baseline",
        "rloo",
        "rloo_vectorized",
        "tir_optimal_token_baseline",
    }
)
"""Estimators whose advantage compares the responses to one prompt."""

_SINGLE = frozenset({"gae", "reinforce_plus_plus", "remax"})
_GROUP_KEYS = ("env.rollout.n", f"{ROLLOUT}.n_agent", "rollout.n_agent", "agent_grpo.n")
_COUNTS = (
    "n_agent",
    "n_samples",
    "num_generations",
    "group_size",
    "n_rollouts",
    "num_samples_per_prompt",
    "n_resp_per_prompt",
)
_TYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}


def _world(run: Run) -> Value | None:
    """Through the facts, so that what the user says of the machines stands in for what the files do not tell."""
    return combine(lambda nodes, each: int(nodes) * int(each), run.fact("nodes"), run.fact("gpus_per_node"))


_WORLD = pick(_world, processes.world_size)
_TP = ask(f"{ACTOR}.megatron.tensor_model_parallel_size")
_PP = ask(f"{ACTOR}.megatron.pipeline_model_parallel_size")
_CP = ask(f"{ACTOR}.megatron.context_parallel_size")


def _sequence(run: Run) -> Value | None:
    """Ulysses size: of the actor if above one, else of its engine."""
    outer = ask(f"{ACTOR}.ulysses_sequence_parallel_size")(run)
    inner = ask(f"{ACTOR}.fsdp_config.ulysses_sequence_parallel_size")(run)
    if isinstance(outer, Unknown) or inner is None:
        return outer
    return outer if outer is not None and plain(outer) != 1 else inner


_SP = by_strategy(fsdp=_sequence, veomni=ask(f"{ACTOR}.veomni.ulysses_parallel_size"))
_DP = pick(
    by_strategy(
        fsdp=through(exactly, _WORLD, _SP),
        veomni=through(exactly, _WORLD, _SP),
        megatron=through(exactly, _WORLD, _TP, _PP, _CP),
    )
)


def _advantage(run: Run) -> Value | None:
    return through(lower, ask("algorithm.adv_estimator"))(run)


def _group_relative(run: Run) -> Value | None:
    value = _advantage(run)
    if value is None or isinstance(value, Unknown):
        return value
    name = plain(value)
    if name not in GROUP_ESTIMATORS | _SINGLE:
        return Unknown(f"computed:advantage estimator {name}", value.origins)
    return combine(lambda each: each in GROUP_ESTIMATORS, value)


def _group_size(run: Run) -> Value | None:
    """Responses of a prompt. Forks set it under names of their own, beside or instead of `rollout.n`."""
    settings = run.settings["verl"]
    for key in _GROUP_KEYS:
        if key in settings or (settings.open_reason is None and settings.default(key) is not None):
            value = settings.value(key)
            return value if plain(value) is not None or isinstance(value, Unknown) else None
    own = settings.get(f"{ROLLOUT}.n")
    if settings.open_reason is not None:
        for setting in settings:
            if setting.key.rpartition(".")[2] in _COUNTS:
                return Unknown(f"fork:{setting.key}", origins_of(setting.value))
        if own is not None and plain(own.value) == 1:
            # one response of the engine, in a configuration that may multiply prompts somewhere else
            return Unknown(settings.open_reason, origins_of(own.value))
    return ask(f"{ROLLOUT}.n")(run)


def _distillation(run: Run) -> Value | None:
    settings = run.settings["verl"]
    enabled = settings.value("distillation.enabled")
    if enabled is not None and plain(enabled) is not None and truth(plain(enabled)):
        return combine(truth, enabled)
    if any(word in run.program.lower() for word in ("distill", "gkd", "opd")):
        return Known(True, (Origin("launch", None, run.program),))
    for setting in settings:
        step = setting.key.rpartition(".")[2]
        if setting.key != "distillation.enabled" and ("distill" in setting.key or step.startswith(("teacher", "opd"))):
            value = setting.value
            if isinstance(value, Unknown) or plain(value) not in (None, False, "", 0):
                return Unknown(f"computed:{setting.key}", value.origins)
    return combine(truth, enabled) if enabled is not None else Known(False, (Origin("launch", None, run.program),))


def _critic(run: Run) -> Value | None:
    """`critic.enable` decides where it is given, else the estimator."""
    enabled = run.value("verl", "critic.enable")
    if enabled is not None and not isinstance(enabled, Unknown) and plain(enabled) is not None:
        return combine(truth, enabled)
    if isinstance(enabled, Unknown) and "critic.enable" in run.settings["verl"]:
        return enabled
    return through(lambda name: name == "gae", _advantage)(run)


def _kl_in_reward(run: Run) -> Value | None:
    value = run.value("verl", "algorithm.use_kl_in_reward")
    if value is not None:
        return combine(truth, value)
    # before the option, the penalty was in the reward unless it was in the loss
    return through(lambda loss: not truth(loss), ask(f"{ACTOR}.use_kl_loss"))(run)


def _reward_kind(run: Run) -> Value | None:
    value: Value | None = None
    for key in ("reward.reward_model.enable", "reward_model.enable"):
        value = run.value("verl", key)
        if isinstance(value, Unknown) or (plain(value) is not None and truth(plain(value))):
            break
    return combine(lambda enabled: "model" if enabled is not None and truth(enabled) else "function", value)


_DYNAMIC = through(truth, ask(f"{ACTOR}.use_dynamic_bsz"))
_MINI = ask(f"{ACTOR}.ppo_mini_batch_size")


def _micro(run: Run) -> Value | None:
    """Sequences of a micro batch; there is no such number where batches are packed by tokens."""
    dynamic = _DYNAMIC(run)
    if isinstance(dynamic, Unknown):
        return dynamic
    if plain(dynamic):
        return None
    each = ask(f"{ACTOR}.ppo_micro_batch_size_per_gpu")(run)
    return each if each is not None else through(exactly, ask(f"{ACTOR}.ppo_micro_batch_size"), _DP)(run)


def _optimizer(run: Run) -> Value | None:
    value = ask(f"{ACTOR}.optim.optimizer")(run)
    if value is not None:
        return combine(lower, value)
    engine = plain(strategy(run))
    if engine is None:
        return None
    # before the option, FSDP workers built AdamW and Megatron its Adam
    return Known("adam" if engine == "megatron" else "adamw", (Origin("default", None, release(run)),))


def _offload(*keys: str) -> FactFunction:
    """Cpu where one of the options is on, none where all are off."""

    def fact(run: Run) -> Value | None:
        values = [value for value in (run.value("verl", key) for key in keys) if value is not None]
        on = next((value for value in values if plain(value) is not None and truth(plain(value))), None)
        if on is not None:
            return combine(lambda _on: "cpu", on)
        return combine(lambda *_off: "none", *values) if values else None

    return fact


def _short(name: Any) -> str:
    return _TYPES.get(str(name).lower(), str(name).lower())


def _fsdp_precision(run: Run) -> Value | None:
    """Compute type under FSDP: of the mixed precision section, else (before 0.8) `dtype`, else bf16."""
    key = f"{ACTOR}.fsdp_config"
    mixed = ask(f"{key}.mixed_precision.param_dtype")(run)
    value = mixed if mixed is not None else ask(f"{key}.dtype")(run) if legacy(run) else None
    if value is None:
        return Known("bf16", (Origin("default", None, release(run)),))
    return combine(_short, value)


def _megatron_precision(run: Run) -> Value | None:
    value = ask(f"{ACTOR}.megatron.dtype")(run)
    return combine(_short, value) if value is not None else Known("bf16", (Origin("default", None, release(run)),))


_PRECISION = by_strategy(fsdp=_fsdp_precision, megatron=_megatron_precision)


def _colocated(run: Run) -> Value | None:
    if any(name in run.program for name in ("fully_async", "one_step_off")):
        return Known(False, (Origin("launch", None, run.program),))
    mode = run.value("verl", "trainer.v1.trainer_mode")
    if plain(mode) == "separate_async":
        return combine(lambda _mode: False, mode)
    return combine(truth, run.value("verl", "actor_rollout_ref.hybrid_engine"))


def _context(run: Run) -> Value | None:
    """Longest sequence of the rollout engine: as given, else prompt and response."""
    given = ask(f"{ROLLOUT}.max_model_len")(run)
    if given is not None:
        return given
    return through(lambda prompt, response: int(prompt) + int(response),
                   first(ask(f"{ROLLOUT}.prompt_length"), ask("data.max_prompt_length")),
                   first(ask(f"{ROLLOUT}.response_length"), ask("data.max_response_length")))(run)  # fmt: skip


def _lora(megatron: str, others: str) -> FactFunction:
    return by_strategy(
        megatron=first(ask(f"{MODEL}.lora.{megatron}"), ask(f"{MODEL}.{others}")),
        **{name: ask(f"{MODEL}.{others}") for name in ("fsdp", "veomni", "torchtitan", "automodel")},
    )


def _fsdp_version(run: Run) -> Value | None:
    return by_strategy(fsdp=through(lambda name: 2 if name == "fsdp2" else 1 if name == "fsdp" else None, strategy))(
        run
    )


def _accumulation(run: Run) -> Value | None:
    """Micro batches of one optimizer step: the mini batch counts prompts, the micro batch responses."""

    def count(mini: Any, group: Any, ranks: Any, micro: Any) -> int:
        whole, rest = divmod(int(mini) * int(group), int(ranks) * int(micro))
        if rest or not whole:
            raise ValueError("not divisible")
        return whole

    return through(count, _MINI, _group_size, _DP, _micro)(run)


def _sft_engine(run: Run) -> Value | None:
    return through(lower, first(ask("engine.strategy"), ask("model.strategy")))(run)


def _sleep(run: Run) -> Value | None:
    """Before 0.5 vLLM from 0.7 on slept after each rollout whatever the option said; it told older ones to drop their cache."""
    asked = through(truth, ask(f"{ROLLOUT}.free_cache_engine"))(run)
    engine = plain(ask(f"{ROLLOUT}.name")(run))
    if plain(asked) is False and engine == "vllm" and in_release(run, "<0.5"):
        return Unknown("version:vllm")
    return asked


FACTS: Mapping[str, FactFunction] = {
    "nodes": pick(ask("trainer.nnodes"), processes.nodes),
    "gpus_per_node": pick(ask("trainer.n_gpus_per_node"), processes.gpus_per_node),
    "world_size": _WORLD,
    "tp": pick(by_strategy(megatron=_TP)),
    "pp": pick(by_strategy(megatron=_PP)),
    "cp": pick(by_strategy(megatron=_CP)),
    "sp": pick(_SP, first(ask("engine.ulysses_sequence_parallel_size"), ask("ulysses_sequence_parallel_size"))),
    "ep": pick(
        by_strategy(
            megatron=ask(f"{ACTOR}.megatron.expert_model_parallel_size"),
            veomni=ask(f"{ACTOR}.veomni.expert_parallel_size"),
        )
    ),
    "dp": _DP,
    "rollout_tp": pick(ask(f"{ROLLOUT}.tensor_model_parallel_size")),
    "advantage": pick(_advantage),
    "group_relative": pick(_group_relative),
    "group_size": pick(_group_size),
    "distillation": pick(_distillation),
    "uses_critic": pick(_critic),
    "kl_in_reward": pick(_kl_in_reward),
    "kl_in_loss": pick(through(truth, ask(f"{ACTOR}.use_kl_loss"))),
    "reward_kind": pick(_reward_kind),
    "train_batch_prompts": ask("data.train_batch_size"),
    "mini_batch_prompts": pick(_MINI),
    "train_batch_samples": pick(through(times, ask("data.train_batch_size"), _group_size)),
    "micro_batch_per_gpu": pick(_micro, ask("data.micro_batch_size_per_gpu")),
    "gradient_accumulation": pick(_accumulation),
    "dynamic_batch": pick(_DYNAMIC, through(truth, ask("data.use_dynamic_bsz"))),
    "optimizer": pick(_optimizer, through(lower, ask("optim.optimizer"))),
    "learning_rate": pick(through(float, ask(f"{ACTOR}.optim.lr")), through(float, ask("optim.lr"))),
    "clip_norm": pick(
        by_strategy(
            fsdp=by_workers(ask(f"{ACTOR}.grad_clip"), ask(f"{ACTOR}.optim.clip_grad")),
            **{name: ask(f"{ACTOR}.optim.clip_grad") for name in ("megatron", "veomni", "torchtitan", "automodel")},
        ),
        ask("optim.clip_grad"),
    ),
    "precision": pick(_PRECISION),
    "rollout_dtype": pick(through(lower, ask(f"{ROLLOUT}.dtype"))),
    "engine": pick(strategy, _sft_engine),
    "offload_optimizer": pick(
        by_strategy(
            fsdp=_offload(f"{ACTOR}.fsdp_config.optimizer_offload", f"{ACTOR}.fsdp_config.offload_policy"),
            megatron=_offload(
                f"{ACTOR}.megatron.optimizer_offload", f"{ACTOR}.optim.override_optimizer_config.optimizer_cpu_offload"
            ),
            veomni=_offload(f"{ACTOR}.veomni.optimizer_offload"),
        )
    ),
    "offload_params": pick(
        by_strategy(
            fsdp=_offload(f"{ACTOR}.fsdp_config.param_offload", f"{ACTOR}.fsdp_config.offload_policy"),
            megatron=_offload(f"{ACTOR}.megatron.param_offload"),
            veomni=_offload(f"{ACTOR}.veomni.param_offload"),
        )
    ),
    "fsdp_version": pick(_fsdp_version),
    "rollout_engine": pick(through(lower, ask(f"{ROLLOUT}.name"))),
    "rollout_colocated": pick(_colocated),
    "rollout_memory": pick(first(ask(f"{ROLLOUT}.engine_kwargs.vllm.gpu_memory_utilization"),
                                  ask(f"{ROLLOUT}.gpu_memory_utilization"))),
    "enforce_eager": pick(through(truth, ask(f"{ROLLOUT}.enforce_eager"))),
    "rollout_sleep": pick(_sleep),
    "lora_rank": pick(_lora("rank", "lora_rank"), ask("model.lora_rank")),
    "lora_alpha": pick(_lora("alpha", "lora_alpha"), ask("model.lora_alpha")),
    "model": pick(ask(f"{MODEL}.path"), first(ask("model.path"), ask("model.partial_pretrain"))),
    "prompt_length": pick(ask("data.max_prompt_length")),
    "response_length": pick(ask("data.max_response_length")),
    "context_length": pick(_context),
    "save_every": ask("trainer.save_freq"),
    "bf16": pick(through(lambda name: name == "bf16", _PRECISION)),
    "fp16": pick(through(lambda name: name == "fp16", _PRECISION)),
    **{name: pick(function) for name, function in {**HANDING_OVER, **OBJECTIVE}.items()},
}  # fmt: skip
