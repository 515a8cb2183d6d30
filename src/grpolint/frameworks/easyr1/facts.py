"""Facts of an EasyR1 run, from its dataclasses and what its workers make of them (0.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, lower, option, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Unknown, Value, combine, plain

__all__ = ["FACTS"]

_ACTOR = "worker.actor"
_ROLLOUT = "worker.rollout"
_GROUPED = frozenset(("grpo", "grpo_passk", "rloo"))
_SINGLE = frozenset(("gae", "reinforce_plus_plus", "remax"))


def _ask(*keys: str) -> FactFunction:
    return option("easyr1", *keys)


def _product(*numbers: Any) -> int:
    whole = 1
    for number in numbers:
        whole *= int(number)
    return whole


def _share(whole: Any, parts: Any) -> int:
    if int(whole) % int(parts):
        raise ValueError("not divisible")
    return int(whole) // int(parts)


def _world(run: Run) -> Value | None:
    return combine(_product, run.fact("nodes"), run.fact("gpus_per_node"))


_SP = _ask(f"{_ACTOR}.ulysses_size", f"{_ACTOR}.ulysses_sequence_parallel_size")
_DP = through(_share, _world, _SP)
_N = _ask(f"{_ROLLOUT}.n")
_PROMPTS = _ask("data.rollout_batch_size")
_MINI = _ask(f"{_ACTOR}.global_batch_size")
_ADVANTAGE = through(lower, _ask("algorithm.adv_estimator"))
_DYNAMIC = through(truth, _ask(f"{_ACTOR}.dynamic_batching"))


def _group_relative(run: Run) -> Value | None:
    value = _ADVANTAGE(run)
    if value is None or isinstance(value, Unknown):
        return value
    if plain(value) not in _GROUPED | _SINGLE:
        return Unknown(f"computed:advantage estimator {plain(value)}", value.origins)
    return combine(lambda name: name in _GROUPED, value)


def _micro(run: Run) -> Value | None:
    """Sequences of a micro batch; none where they are packed by tokens."""
    dynamic = _DYNAMIC(run)
    if isinstance(dynamic, Unknown):
        return dynamic
    return None if plain(dynamic) else _ask(f"{_ACTOR}.micro_batch_size_per_device_for_update")(run)


def _accumulation(run: Run) -> Value | None:
    return through(
        lambda mini, group, ranks, micro: _share(_product(mini, group), _product(ranks, micro)), _MINI, _N, _DP, _micro
    )(run)


def _context(run: Run) -> Value | None:
    given = _ask(f"{_ROLLOUT}.max_model_len")(run)
    if given is not None:
        return given
    return through(
        lambda prompt, response: int(prompt) + int(response),
        _ask("data.max_prompt_length"),
        _ask("data.max_response_length"),
    )(run)


def _device(key: str) -> FactFunction:
    return through(lambda on: "cpu" if truth(on) else "none", _ask(key))


_REFERENCE = through(lambda off: not truth(off), _ask("algorithm.disable_kl"))
_IN_LOSS = _ask("algorithm.use_kl_loss")


def _clip(side: str) -> FactFunction:
    """A side of the clip range; the losses cispo and sapo do without."""

    def fact(run: Run) -> Value | None:
        loss = _LOSS(run)
        if isinstance(loss, Unknown):
            return loss
        return None if plain(loss) in ("cispo", "sapo") else through(float, _ask(f"{_ACTOR}.clip_ratio_{side}"))(run)

    return fact


_LOSS = through(lower, _ask(f"{_ACTOR}.loss_type"))
_PASSES = through(int, _ask(f"{_ACTOR}.ppo_epochs"))

FACTS: Mapping[str, FactFunction] = {
    "temperature": through(float, _ask(f"{_ROLLOUT}.temperature")),
    "ratio_level": through(lambda name: "sequence" if name.startswith("gspo") else "token", _LOSS),
    "clip_low": _clip("low"),
    "clip_high": _clip("high"),
    "loss_aggregation": through(
        lambda name: {"token": "token", "seq": "sequence"}.get(lower(name)), _ask(f"{_ACTOR}.loss_avg_mode")
    ),
    "kl_coefficient": lambda run: through(float, _ask("algorithm.kl_coef"))(run) if plain(_REFERENCE(run)) else None,
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": through(lambda all_, mini, passes: _share(all_, mini) * passes, _PROMPTS, _MINI, _PASSES),
    "warmup_steps": _ask(f"{_ACTOR}.optim.lr_warmup_steps"),
    "total_steps": _ask("trainer.max_steps"),
    "nodes": _ask("trainer.nnodes"),
    "gpus_per_node": _ask("trainer.n_gpus_per_node"),
    "world_size": _world,
    "sp": _SP,
    "dp": _DP,
    "rollout_tp": _ask(f"{_ROLLOUT}.tensor_parallel_size"),
    "advantage": _ADVANTAGE,
    "group_relative": _group_relative,
    "group_size": _N,
    "uses_critic": through(lambda name: name == "gae", _ADVANTAGE),
    "kl_in_reward": through(lambda there, loss: there and not truth(loss), _REFERENCE, _IN_LOSS),
    "kl_in_loss": through(lambda there, loss: there and truth(loss), _REFERENCE, _IN_LOSS),
    "reward_kind": constant("function", "EasyR1"),
    "train_batch_prompts": _PROMPTS,
    "mini_batch_prompts": _MINI,
    "train_batch_samples": through(_product, _PROMPTS, _N),
    "micro_batch_per_gpu": _micro,
    "gradient_accumulation": _accumulation,
    "dynamic_batch": _DYNAMIC,
    "optimizer": through(lower, _ask(f"{_ACTOR}.optim.strategy")),
    "learning_rate": through(float, _ask(f"{_ACTOR}.optim.lr")),
    "clip_norm": through(float, _ask(f"{_ACTOR}.max_grad_norm")),
    "precision": through(lower, _ask(f"{_ACTOR}.fsdp.mp_param_dtype")),
    "rollout_dtype": through(lower, _ask(f"{_ROLLOUT}.dtype")),
    "engine": constant("fsdp", "EasyR1"),
    "fsdp_version": constant(1, "EasyR1"),
    "offload_optimizer": _device(f"{_ACTOR}.offload.offload_optimizer"),
    "offload_params": _device(f"{_ACTOR}.offload.offload_params"),
    "rollout_engine": through(lower, _ask(f"{_ROLLOUT}.name")),
    "rollout_colocated": constant(True, "EasyR1"),
    "rollout_sleep": constant(True, "EasyR1"),
    "rollout_memory": _ask(f"{_ROLLOUT}.gpu_memory_utilization"),
    "enforce_eager": through(truth, _ask(f"{_ROLLOUT}.enforce_eager")),
    "lora_rank": _ask(f"{_ACTOR}.model.lora.rank"),
    "lora_alpha": _ask(f"{_ACTOR}.model.lora.alpha"),
    "model": _ask(f"{_ACTOR}.model.model_path"),
    "prompt_length": _ask("data.max_prompt_length"),
    "response_length": _ask("data.max_response_length"),
    "context_length": _context,
    "save_every": _ask("trainer.save_freq"),
}
