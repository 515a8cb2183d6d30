"""Facts of an AReaL run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grpolint.frameworks.areal.allocation import Allocation, Malformed, parse
from grpolint.frameworks.asking import constant, lower, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "RL", "allocations", "opt", "part"]


def opt(key: str) -> FactFunction:
    """An option; null and an empty text are no value."""

    def fact(run: Run) -> Value | None:
        value = run.value("areal", key)
        if isinstance(value, Unknown):
            return None if value.reason == "computed:MISSING" else value
        return None if plain(value) in (None, "") else value

    return fact


def allocations(run: Run, engine: str) -> Value | None:
    """The allocation of an engine (`actor`, `rollout`, `critic`): its own word since 1.0.3, else its part of the common one.

    None where there is none, or none that can be read.
    """
    own = opt(f"{engine}.backend")(run)
    if own is not None:
        return combine(lambda text: _only(parse(str(text))), own)
    common = opt("allocation_mode")(run)
    return combine(lambda text: _pick(parse(str(text)), engine), common)


def _only(found: list[Allocation]) -> Allocation:
    if len(found) != 1:
        raise Malformed("one component is wanted")
    return found[0]


def _pick(found: list[Allocation], engine: str) -> Allocation:
    """Of a common text the component of that name, else the only one that generates or trains."""
    named = [each for each in found if each.name == engine]
    if named:
        return named[0]
    kind = [each for each in found if each.generates == (engine == "rollout")]
    if len(kind) != 1:
        raise Malformed(f"no component is the {engine}")
    return kind[0]


def part(engine: str, change: Callable[[Allocation], Any]) -> FactFunction:
    """A fact of an engine's allocation."""
    return lambda run: combine(change, allocations(run, engine))


def _trainer(found: Allocation) -> str:
    """Without a backend Megatron trains where sizes are given that only it has, else FSDP."""
    backend = found.backend or ("megatron" if found.p > 1 or found.e > 1 else "fsdp")
    return "fsdp2" if backend == "fsdp" else backend


def _given(section: str) -> FactFunction:
    """Whether a section that may be null is there."""

    def fact(run: Run) -> Value | None:
        settings = run.settings["areal"]
        if next(settings.under(section), None) is not None:
            return Known(True, ())
        value = run.value("areal", section)
        if isinstance(value, Unknown):
            return Known(True, ()) if value.reason.startswith("computed:") else value
        return Known(plain(value) is not None, ())

    return fact


def _level(section: str) -> FactFunction:
    """The level of the mean of a normalisation; `none` where there is no normalisation."""

    def fact(run: Run) -> Value | None:
        there = _given(section)(run)
        if there is None or isinstance(there, Unknown):
            return there
        value = run.value("areal", section + ".mean_level") if plain(there) else None
        return (
            combine(lambda level: lower(level) if level else "none", value) if value is not None else Known("none", ())
        )

    return fact


def _group_relative(run: Run) -> Value | None:
    return combine(
        lambda one, other: "group" in (one, other), _level("actor.reward_norm")(run), _level("actor.adv_norm")(run)
    )


def _advantage(run: Run) -> Value | None:
    """AReaL has no names for estimators: what is normalised, and whether a critic is trained, makes them."""

    def name(critic: bool, relative: bool, leave_out: Any) -> str:
        if critic:
            return "gae"
        return ("rloo" if truth(leave_out) else "grpo") if relative else "reinforce"

    leave = opt("actor.reward_norm.mean_leave1out")(run) or Known(False, ())
    return combine(name, _given("critic")(run), _group_relative(run), leave)


def _times(*numbers: Any) -> int:
    product = 1
    for number in numbers:
        product *= int(number)
    return product


def _exactly(whole: Any, part_: Any) -> int:
    if int(part_) < 1 or int(whole) % int(part_):
        raise ValueError
    return int(whole) // int(part_)


def _kl_in_reward(run: Run) -> Value | None:
    return combine(lambda weight, ref: float(weight) > 0 and ref, opt("actor.kl_ctl")(run), _given("ref")(run))


def _lora(run: Run) -> Value | None:
    return combine(
        lambda on, rank: int(rank) if truth(on) else 0, opt("actor.use_lora")(run), opt("actor.lora_rank")(run)
    )


def _colocated(run: Run) -> Value | None:
    apart = opt("rollout.scheduling_strategy.type")(run) or Known("separation", ())
    return combine(lambda found, how: found.shares or how == "colocation", allocations(run, "rollout"), apart)


def _engine(sglang: str, vllm: str) -> FactFunction:
    """An option of the engine that generates, under its own name there."""

    def fact(run: Run) -> Value | None:
        backend = part("rollout", lambda found: found.backend)(run)
        if isinstance(backend, Unknown):
            return backend
        name = plain(backend)
        return opt(f"{name}.{sglang if name == 'sglang' else vllm}")(run) if name else None

    return fact


def _offload(run: Run) -> Value | None:
    """Parameters and optimizer of FSDP go to the host together."""
    if plain(part("actor", _trainer)(run)) != "fsdp2":
        return None
    return combine(lambda on: "cpu" if truth(on) else "none", opt("actor.fsdp.offload_params")(run))


_NAMES = {"adam": "adamw", "adam_bf16": "adamw"}

FACTS: Mapping[str, FactFunction] = {
    "nodes": opt("cluster.n_nodes"),
    "gpus_per_node": opt("cluster.n_gpus_per_node"),
    "world_size": part("actor", lambda found: found.world_size),
    "tp": part("actor", lambda found: found.t),
    "pp": part("actor", lambda found: found.p),
    "cp": part("actor", lambda found: found.c),
    "ep": part("actor", lambda found: found.e),
    "dp": part("actor", lambda found: found.d),
    "engine": part("actor", _trainer),
    "dynamic_batch": lambda run: combine(
        lambda most: most is not None, run.value("areal", "actor.mb_spec.max_tokens_per_mb")
    ),
    "optimizer": through(lambda name: _NAMES.get(lower(name), lower(name)), opt("actor.optimizer.type")),
    "learning_rate": opt("actor.optimizer.lr"),
    "clip_norm": opt("actor.optimizer.gradient_clipping"),
    "precision": through(
        lambda name: {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}.get(lower(name), lower(name)),
        opt("actor.dtype"),
    ),
    "offload_params": _offload,
    "offload_optimizer": _offload,
    "lora_rank": _lora,
    "lora_alpha": lambda run: opt("actor.lora_alpha")(run) if plain(_lora(run)) else None,
    "model": opt("actor.path"),
    "prompt_length": opt("train_dataset.max_length"),
    "train_batch_prompts": opt("train_dataset.batch_size"),
    "save_every": opt("saver.freq_steps"),
}
"""Facts of every kind of training."""

RL: Mapping[str, FactFunction] = {
    "temperature": through(float, opt("gconfig.temperature")),
    "ratio_level": lambda run: combine(lower, opt("actor.importance_sampling_level")(run) or Known("token", ())),
    "clip_low": through(float, opt("actor.eps_clip")),
    "clip_high": lambda run: (
        through(float, opt("actor.eps_clip_higher"))(run) or through(float, opt("actor.eps_clip"))(run)
    ),
    "kl_coefficient": through(float, opt("actor.kl_ctl")),
    "passes_per_rollout": constant(1, "AReaL trains on each sample once"),
    "updates_per_rollout": opt("actor.ppo_n_minibatches"),
    "advantage": _advantage,
    "group_relative": _group_relative,
    "group_size": opt("gconfig.n_samples"),
    "distillation": _given("teacher"),
    "uses_critic": _given("critic"),
    "kl_in_reward": _kl_in_reward,
    "kl_in_loss": constant(False, "AReaL subtracts the KL term from the reward"),
    "train_batch_samples": through(_times, opt("train_dataset.batch_size"), opt("gconfig.n_samples")),
    "mini_batch_prompts": through(_exactly, opt("train_dataset.batch_size"), opt("actor.ppo_n_minibatches")),
    "rollout_engine": part("rollout", lambda found: found.backend),
    "rollout_tp": part("rollout", lambda found: found.t),
    "rollout_colocated": _colocated,
    "rollout_memory": _engine("mem_fraction_static", "gpu_memory_utilization"),
    "rollout_dtype": through(lower, _engine("dtype", "dtype")),
    "enforce_eager": through(truth, _engine("disable_cuda_graph", "enforce_eager")),
    "context_length": _engine("context_length", "max_model_len"),
    "response_length": opt("gconfig.max_new_tokens"),
}
"""Facts of reinforcement learning."""
