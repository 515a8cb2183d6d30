"""Facts of a SkyRL run, from what its configuration checks and its workers compute with (0.1 to 0.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, lower, option, positive, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Unknown, Value, combine, plain

__all__ = ["FACTS"]

_POLICY = "trainer.policy"
_MEGATRON = f"{_POLICY}.megatron_config"
_ENGINE = "generator.inference_engine"
_GROUPED = frozenset(("grpo", "rloo", "maxrl"))
_SINGLE = frozenset(("gae", "reinforce++"))


def _ask(*keys: str) -> FactFunction:
    return option("skyrl", *keys)


def _product(*numbers: Any) -> int:
    whole = 1
    for number in numbers:
        whole *= int(number)
    return whole


def _share(whole: Any, *parts: Any) -> int:
    size = _product(*parts)
    if int(whole) % size:
        raise ValueError("not divisible")
    return int(whole) // size


def _strategy(run: Run) -> Value | None:
    return through(lower, _ask("trainer.strategy"))(run)


def _on_megatron(function: FactFunction, others: FactFunction | None = None) -> FactFunction:
    """One function where Megatron trains and another (None: no such fact) elsewhere."""

    def fact(run: Run) -> Value | None:
        strategy = _strategy(run)
        if strategy is None or isinstance(strategy, Unknown):
            return strategy
        chosen = function if plain(strategy) == "megatron" else others
        return chosen(run) if chosen is not None else None

    return fact


def _world(run: Run) -> Value | None:
    return combine(_product, run.fact("nodes"), run.fact("gpus_per_node"))


_TP = _ask(f"{_MEGATRON}.tensor_model_parallel_size")
_PP = _ask(f"{_MEGATRON}.pipeline_model_parallel_size")
_CP = _ask(f"{_MEGATRON}.context_parallel_size")
_SP = _ask(f"{_POLICY}.sequence_parallel_size")
_DP = _on_megatron(through(_share, _world, _TP, _PP, _CP), through(_share, _world, _SP))
_N = _ask("generator.n_samples_per_prompt")
_PROMPTS = _ask("trainer.train_batch_size")
_MINI = _ask("trainer.policy_mini_batch_size")
_MICRO = _ask("trainer.micro_train_batch_size_per_gpu")
_ADVANTAGE = through(lower, _ask("trainer.algorithm.advantage_estimator"))


def _group_relative(run: Run) -> Value | None:
    value = _ADVANTAGE(run)
    if value is None or isinstance(value, Unknown):
        return value
    if plain(value) not in _GROUPED | _SINGLE:
        return Unknown(f"computed:advantage estimator {plain(value)}", value.origins)
    return combine(lambda name: name in _GROUPED, value)


def _context(run: Run) -> Value | None:
    return through(
        lambda prompt, response: int(prompt) + int(response),
        _ask("generator.max_input_length", "trainer.max_prompt_length"),
        _ask("generator.sampling_params.max_generate_length"),
    )(run)


def _distillation(run: Run) -> Value | None:
    if "distill" in run.program.lower():
        return constant(True, run.program)(run)
    return None


_ALGORITHM = "trainer.algorithm"
_LOSS = through(lower, _ask(f"{_ALGORITHM}.policy_loss_type"))
_PASSES = through(int, _ask("trainer.update_epochs_per_batch"))
_AGGREGATIONS = {"token_mean": "token", "sequence_mean": "sequence", "seq_mean_token_sum_norm": "constant"}


def _clip(side: str) -> FactFunction:
    """A side of the clip range, of the losses that have no other bound."""

    def fact(run: Run) -> Value | None:
        loss = _LOSS(run)
        if loss is None or isinstance(loss, Unknown):
            return loss
        if plain(loss) not in ("regular", "dual_clip", "gspo"):
            return None
        return through(float, _ask(f"{_ALGORITHM}.eps_clip_{side}"))(run)

    return fact


FACTS: Mapping[str, FactFunction] = {
    "temperature": through(float, _ask("generator.sampling_params.temperature")),
    "ratio_level": through(lambda name: "sequence" if name == "gspo" else "token", _LOSS),
    "clip_low": _clip("low"),
    "clip_high": _clip("high"),
    "loss_aggregation": through(lambda name: _AGGREGATIONS.get(lower(name)), _ask(f"{_ALGORITHM}.loss_reduction")),
    "advantage_scaled": through(
        lambda name, scaled: truth(scaled) if name == "grpo" else None,
        _ADVANTAGE,
        _ask(f"{_ALGORITHM}.grpo_norm_by_std"),
    ),
    "kl_coefficient": through(float, _ask(f"{_ALGORITHM}.kl_loss_coef")),
    "entropy_coefficient": through(
        lambda on, weight: float(weight) if truth(on) else 0.0,
        _ask(f"{_ALGORITHM}.use_entropy_loss"),
        _ask(f"{_ALGORITHM}.entropy_loss_coef"),
    ),
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": through(lambda all_, mini, passes: _share(all_, mini) * passes, _PROMPTS, _MINI, _PASSES),
    "warmup_steps": _ask(f"{_POLICY}.optimizer_config.num_warmup_steps"),
    "nodes": _ask("trainer.placement.policy_num_nodes"),
    "gpus_per_node": _ask("trainer.placement.policy_num_gpus_per_node"),
    "world_size": _world,
    "tp": _on_megatron(_TP),
    "pp": _on_megatron(_PP),
    "cp": _on_megatron(_CP),
    "ep": _on_megatron(_ask(f"{_MEGATRON}.expert_model_parallel_size")),
    "sp": _on_megatron(constant(1, "Megatron"), _SP),
    "dp": _DP,
    "rollout_tp": _ask(f"{_ENGINE}.tensor_parallel_size", "generator.inference_engine_tensor_parallel_size"),
    "advantage": _ADVANTAGE,
    "group_relative": _group_relative,
    "group_size": _N,
    "distillation": _distillation,
    "uses_critic": through(lambda name: name == "gae", _ADVANTAGE),
    "kl_in_reward": through(truth, _ask("trainer.algorithm.use_kl_in_reward")),
    "kl_in_loss": through(truth, _ask("trainer.algorithm.use_kl_loss")),
    "reward_kind": constant("function", "SkyRL"),
    "train_batch_prompts": _PROMPTS,
    "mini_batch_prompts": _MINI,
    "train_batch_samples": through(_product, _PROMPTS, _N),
    "micro_batch_per_gpu": _MICRO,
    "gradient_accumulation": through(
        lambda mini, group, ranks, micro: _share(_product(mini, group), ranks, micro), _MINI, _N, _DP, _MICRO
    ),
    "dynamic_batch": through(positive, _ask("trainer.max_tokens_per_microbatch")),
    "learning_rate": through(float, _ask(f"{_POLICY}.optimizer_config.lr")),
    "clip_norm": through(float, _ask(f"{_POLICY}.optimizer_config.max_grad_norm")),
    "engine": _strategy,
    "rollout_engine": through(lower, _ask(f"{_ENGINE}.backend", "generator.backend")),
    "rollout_colocated": through(truth, _ask("trainer.placement.colocate_all")),
    "rollout_memory": _ask(f"{_ENGINE}.gpu_memory_utilization", "generator.gpu_memory_utilization"),
    "enforce_eager": through(truth, _ask(f"{_ENGINE}.enforce_eager", "generator.enforce_eager")),
    "lora_rank": _ask(f"{_POLICY}.model.lora.rank"),
    "lora_alpha": _ask(f"{_POLICY}.model.lora.alpha"),
    "model": _ask(f"{_POLICY}.model.path"),
    "prompt_length": _ask("trainer.max_prompt_length"),
    "response_length": _ask("generator.sampling_params.max_generate_length"),
    "context_length": _context,
    "save_every": _ask("trainer.ckpt_interval"),
}
