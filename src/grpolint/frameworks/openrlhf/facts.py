"""Facts of an OpenRLHF run. Every option is asked for by its dotted name; `names` knows what older releases call it."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, exactly, lower, positive, through, times, truth
from grpolint.frameworks.openrlhf.names import dotted
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "PPO"]

GROUP_ESTIMATORS = frozenset({"rloo", "reinforce_baseline", "group_norm", "dr_grpo"})


def ask(run: Run, key: str) -> Value | None:
    """An option by its dotted name, whatever the release in use calls it."""
    return run.value("openrlhf", key)


def opt(key: str) -> FactFunction:
    """`ask` as a fact; null is no value."""

    def fact(run: Run) -> Value | None:
        value = ask(run, key)
        return None if plain(value) is None and not isinstance(value, Unknown) else value

    return fact


def _precision(run: Run) -> Value | None:
    value = ask(run, "ds.param_dtype")
    if value is None and not dotted(run.settings["openrlhf"].version):
        old = run.value("openrlhf", "bf16")
        return combine(lambda on: "bf16" if truth(on) else "fp32", old)
    return combine(lower, value)


def _optimizer(run: Run) -> Value | None:
    """DeepSpeed's Adam with decoupled decay, or Muon in the releases that offer it."""
    for key in ("actor.optim", "optim"):
        value = ask(run, key)
        if value is not None:
            return combine(lambda name: "adamw" if lower(name) == "adam" else lower(name), value)
    return Known("adamw", ())


def _learning_rate(run: Run) -> Value | None:
    prefix = "actor." if run.value("openrlhf", "actor.optim") is not None else ""
    if plain(_optimizer(run)) == "muon":
        return run.value("openrlhf", prefix + "muon.lr")
    return ask(run, "actor.adam.lr") or ask(run, "adam.lr")


def _first(*keys: str) -> FactFunction:
    return lambda run: next((value for key in keys if (value := opt(key)(run)) is not None), None)


def _dp(run: Run) -> Value | None:
    return combine(exactly, run.fact("world_size"), _sp(run), _tp(run))


def _tp(run: Run) -> Value | None:
    return opt("ds.tensor_parallel_size")(run) or Known(1, ())


def _sp(run: Run) -> Value | None:
    return opt("ds.ring_attn_size")(run) or Known(1, ())


def _accumulation(run: Run) -> Value | None:
    return combine(exactly, opt("train.batch_size")(run), opt("train.micro_batch_size")(run), _dp(run))


FACTS: Mapping[str, FactFunction] = {
    "tp": _tp,
    "sp": _sp,
    "dp": _dp,
    "engine": constant("deepspeed", "OpenRLHF trains with DeepSpeed"),
    "zero_stage": opt("ds.zero_stage"),
    "offload_optimizer": through(lambda on: "cpu" if truth(on) else "none", opt("ds.adam_offload")),
    "offload_params": constant("none", "OpenRLHF keeps parameters on the device"),
    "precision": _precision,
    "bf16": through(lambda name: name == "bf16", _precision),
    "fp16": through(lambda name: name == "fp16", _precision),
    "overlap_comm": through(truth, opt("ds.overlap_comm")),
    "torch_compile": through(truth, opt("ds.deepcompile")),
    "optimizer": _optimizer,
    "learning_rate": _learning_rate,
    "clip_norm": _first("actor.max_norm", "max_norm"),
    "micro_batch_per_gpu": opt("train.micro_batch_size"),
    "gradient_accumulation": _accumulation,
    "lora_rank": opt("ds.lora.rank"),
    "lora_alpha": opt("ds.lora.alpha"),
    "model": _first("actor.model_name_or_path", "model.model_name_or_path"),
    "save_every": opt("ckpt.save_steps"),
}
"""Facts of every kind of training."""

_n = opt("rollout.n_samples_per_prompt")


def _world(run: Run) -> Value | None:
    return combine(times, opt("actor.num_nodes")(run), opt("actor.num_gpus_per_node")(run))


def _engines(run: Run) -> Value | None:
    return combine(lambda number: "vllm" if positive(number) else "hf", ask(run, "vllm.num_engines"))


def _sleep(run: Run) -> Value | None:
    """Sleeping is switched off by the program unless all models share the devices."""
    return combine(lambda sleep, all_: truth(sleep) and truth(all_), opt("vllm.enable_sleep")(run), _colocated(run))


def _colocated(run: Run) -> Value | None:
    asynchronous = opt("train.async_enable")(run) or Known(False, ())
    return combine(lambda all_, apart: truth(all_) and not truth(apart), opt("train.colocate_all")(run), asynchronous)


def _weight_sync(run: Run) -> Value | None:
    """The broadcast's backend; with all models on the same devices NCCL gives way to handles of CUDA memory."""
    if not isinstance(_engines(run), Unknown) and plain(_engines(run)) != "vllm":
        return None
    return combine(
        lambda backend, together: "cuda_ipc" if lower(backend) == "nccl" and together else lower(backend),
        opt("vllm.sync_backend")(run),
        _colocated(run),
    )


def _reward_kind(run: Run) -> Value | None:
    agent = ask(run, "train.agent_func_path")
    if plain(agent) is not None:
        return combine(lambda _: "function", agent)
    remote = ask(run, "reward.remote_url")
    if plain(remote) is not None:
        return combine(lambda url: "function" if str(url).endswith(".py") else "model", remote)
    for value in (agent, remote):
        if isinstance(value, Unknown):
            return value
    return combine(lambda _: "model", opt("reward.model_name_or_path")(run))


def _clip(side: int) -> FactFunction:
    """The pair where it is given, else one range for both sides."""

    def fact(run: Run) -> Value | None:
        pair = opt("actor.eps_clip_low_high")(run)
        if pair is not None:
            return combine(lambda both: float(both[side]), pair)
        return through(float, opt("actor.eps_clip"))(run)

    return fact


_PASSES = through(int, opt("train.max_epochs"))

PPO: Mapping[str, FactFunction] = {
    "temperature": through(float, opt("rollout.temperature")),
    "ratio_level": lambda run: combine(
        lambda name: "sequence" if lower(name) == "gspo" else "token",
        opt("actor.policy_loss_type")(run) or Known("ppo", ()),
    ),
    "clip_low": _clip(0),
    "clip_high": _clip(1),
    "advantage_scaled": through(
        lambda name: {"group_norm": True, "dr_grpo": False}.get(lower(name)), opt("algo.advantage.estimator")
    ),
    "kl_coefficient": through(float, opt("algo.kl.init_coef")),
    "entropy_coefficient": through(float, opt("actor.entropy_coef")),
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": lambda run: combine(
        lambda prompts, group, batch, passes: exactly(times(prompts, group), batch) * passes,
        opt("rollout.batch_size")(run),
        _n(run),
        opt("train.batch_size")(run),
        _PASSES(run),
    ),
    "nodes": opt("actor.num_nodes"),
    "gpus_per_node": opt("actor.num_gpus_per_node"),
    "world_size": _world,
    "advantage": through(lower, opt("algo.advantage.estimator")),
    "group_relative": through(lambda name: lower(name) in GROUP_ESTIMATORS, opt("algo.advantage.estimator")),
    "group_size": _n,
    "uses_critic": through(lambda name: lower(name) == "gae", opt("algo.advantage.estimator")),
    "kl_in_loss": through(
        lambda on, weight: truth(on) and positive(weight), opt("algo.kl.use_loss"), opt("algo.kl.init_coef")
    ),
    "kl_in_reward": through(
        lambda on, weight: not truth(on) and positive(weight), opt("algo.kl.use_loss"), opt("algo.kl.init_coef")
    ),
    "reward_kind": _reward_kind,
    "train_batch_prompts": opt("rollout.batch_size"),
    "train_batch_samples": through(times, opt("rollout.batch_size"), _n),
    "mini_batch_prompts": through(exactly, opt("train.batch_size"), _n),
    "dynamic_batch": through(truth, opt("train.dynamic_batch_enable")),
    "group_by_prompt": constant(True, "OpenRLHF repeats each prompt in turn"),
    "bypass_mode": constant(False, "the actor computes the old policy's log-probabilities itself"),
    "dynamic_sampling": through(truth, opt("algo.dynamic_filtering_enable")),
    "weight_sync": _weight_sync,
    "rollout_engine": _engines,
    "rollout_tp": opt("vllm.tensor_parallel_size"),
    "rollout_memory": opt("vllm.gpu_memory_utilization"),
    "enforce_eager": through(truth, opt("vllm.enforce_eager")),
    "rollout_colocated": _colocated,
    "rollout_sleep": _sleep,
    "sleep_level": through(lambda on: 1 if on else None, _sleep),
    "rollout_dtype": through(lower, _precision),
    "prompt_length": lambda run: run.value("openrlhf", "prompt_max_len"),
    "response_length": opt("rollout.max_new_tokens"),
    "context_length": opt("data.max_len"),
}
"""Facts of reinforcement learning (`train_ppo_ray`), which come before the others."""
