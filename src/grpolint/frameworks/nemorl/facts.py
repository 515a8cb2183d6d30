"""Facts of a NeMo-RL run, from what its setup and its workers compute with (0.1 to 0.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, exactly, lower, option, through, times, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "RL", "engine_of", "kind_facts"]

_POLICY = "policy"
_MEGATRON = "policy.megatron_cfg"
_DTENSOR = "policy.dtensor_cfg"
_GENERATION = "policy.generation"
_GROUPED = frozenset(("grpo", "gdpo"))
_ALGORITHMS = ("grpo", "ppo", "distillation")
_KIND = {"dpo": "dpo", "sft": "sft", "rm": "reward", "grpo": "grpo", "distillation": "distillation", "ppo": "ppo"}


def _ask(*keys: str) -> FactFunction:
    return option("nemo-rl", *keys)


def _of_algorithm(name: str) -> FactFunction:
    """An option of the section of the algorithm that there is."""
    return _ask(*(f"{section}.{name}" for section in _ALGORITHMS))


def _or(function: FactFunction, value: Any) -> FactFunction:
    """A value that stands for an absent one."""

    def fact(run: Run) -> Value | None:
        found = function(run)
        return found if found is not None else Known(value, ())

    return fact


def engine_of(run: Run) -> Value | None:
    """megatron, fsdp2 (DTensor), or hf in releases that had a backend without either."""

    def name(megatron: Any, dtensor: Any) -> str | None:
        return "megatron" if truth(megatron) else "fsdp2" if truth(dtensor) else None

    return through(name, _or(_ask(f"{_MEGATRON}.enabled"), False), _or(_ask(f"{_DTENSOR}.enabled"), False))(run)


def _by_engine(megatron: FactFunction | None, dtensor: FactFunction | None) -> FactFunction:
    """One function for each backend; None: no such fact there."""

    def fact(run: Run) -> Value | None:
        engine = engine_of(run)
        if engine is None or isinstance(engine, Unknown):
            return engine
        chosen = megatron if plain(engine) == "megatron" else dtensor
        return chosen(run) if chosen is not None else None

    return fact


_NODES = _ask("cluster.num_nodes")
_GPUS = _ask("cluster.gpus_per_node")
_TP = _by_engine(_ask(f"{_MEGATRON}.tensor_model_parallel_size"), _or(_ask(f"{_DTENSOR}.tensor_parallel_size"), 1))
_PP = _by_engine(_ask(f"{_MEGATRON}.pipeline_model_parallel_size"), constant(1, "DTensor"))
_CP = _by_engine(_or(_ask(f"{_MEGATRON}.context_parallel_size"), 1), _or(_ask(f"{_DTENSOR}.context_parallel_size"), 1))
_COLOCATED = through(truth, _or(_ask(f"{_GENERATION}.colocated.enabled"), True))


def _others(run: Run) -> Unknown | None:
    """Why devices may go to something else than the policy and the engine: a reward model, an environment, teachers."""
    reward = _ask("env.reward_model.resources.num_nodes")(run)
    enabled = _ask("env.reward_model.enabled")(run)
    if reward is not None and plain(enabled) is not False:
        return Unknown("computed:devices of the reward model", reward.origins)
    gym = _ask("env.nemo_gym.num_gpu_nodes")(run)
    if gym is not None and plain(gym) != 0:
        return Unknown("computed:devices of NeMo-Gym", gym.origins)
    return None


def _world(run: Run) -> Value | None:
    """Devices of the trainer: all of the cluster, less those of an engine that has its own."""
    colocated = _COLOCATED(run)
    whole = combine(times, _NODES(run), _GPUS(run))
    settings = run.settings["nemo-rl"]
    if next(settings.under("on_policy_distillation"), None) is not None:
        return Unknown("computed:devices of the teachers")
    others = _others(run)
    if others is not None:
        return others
    if colocated is None or isinstance(colocated, Unknown) or truth(plain(colocated)):
        return colocated if isinstance(colocated, Unknown) else whole
    nodes = _NODES(run)
    resources = f"{_GENERATION}.colocated.resources"
    if plain(nodes) == 1:
        return combine(_left, _GPUS(run), _ask(f"{resources}.gpus_per_node")(run))
    return combine(
        lambda all_, gpus, taken: _left(all_, taken) * int(gpus), nodes, _GPUS(run), _ask(f"{resources}.num_nodes")(run)
    )


def _left(whole: Any, taken: Any) -> int:
    rest = int(whole) - int(taken)
    if rest < 1:
        raise ValueError("nothing is left")
    return rest


_DP = through(exactly, _world, _TP, _PP, _CP)
_GLOBAL = _ask(f"{_POLICY}.train_global_batch_size")
_MICRO = _ask(f"{_POLICY}.train_micro_batch_size")
_PACKED = through(
    lambda dynamic, packing: truth(dynamic) or truth(packing),
    _or(_ask(f"{_POLICY}.dynamic_batching.enabled"), False),
    _or(_ask(f"{_POLICY}.sequence_packing.enabled"), False),
)


def _counted(function: FactFunction) -> FactFunction:
    """A fact of batches that are cut by number; where they are packed by tokens there is none."""

    def fact(run: Run) -> Value | None:
        packed = _PACKED(run)
        if isinstance(packed, Unknown):
            return packed
        return None if truth(plain(packed)) else function(run)

    return fact


def _lora(key: str) -> FactFunction:
    return _by_engine(_ask(f"{_MEGATRON}.peft.{key}"), _ask(f"{_DTENSOR}.lora_cfg.{key}"))


def _lora_rank(run: Run) -> Value | None:
    enabled = through(truth, _or(_lora("enabled"), False))(run)
    if enabled is None or isinstance(enabled, Unknown):
        return enabled
    return _lora("dim")(run) if plain(enabled) else Known(0, ())


def _if_lora(key: str) -> FactFunction:
    return lambda run: _lora(key)(run) if plain(_lora_rank(run)) else None


def _optimizer(name: Any) -> str:
    text = lower(name).rpartition(".")[2]
    return {"adam": "adamw", "fusedadam": "adamw"}.get(text, text)


_PRECISION = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}

FACTS: Mapping[str, FactFunction] = {
    "nodes": _NODES,
    "gpus_per_node": _GPUS,
    "world_size": _world,
    "tp": _TP,
    "pp": _PP,
    "cp": _CP,
    "ep": _by_engine(
        _or(_ask(f"{_MEGATRON}.expert_model_parallel_size"), 1), _or(_ask(f"{_DTENSOR}.expert_parallel_size"), 1)
    ),
    "dp": _DP,
    "engine": engine_of,
    "micro_batch_per_gpu": _counted(_MICRO),
    "gradient_accumulation": _counted(through(exactly, _GLOBAL, _DP, _MICRO)),
    "dynamic_batch": _PACKED,
    "optimizer": _by_engine(
        through(_optimizer, _ask(f"{_MEGATRON}.optimizer.optimizer")),
        through(_optimizer, _ask(f"{_POLICY}.optimizer.name")),
    ),
    "learning_rate": _by_engine(
        through(float, _ask(f"{_MEGATRON}.optimizer.lr")), through(float, _ask(f"{_POLICY}.optimizer.kwargs.lr"))
    ),
    "clip_norm": _by_engine(
        through(float, _ask(f"{_MEGATRON}.optimizer.clip_grad")),
        _or(through(float, _ask(f"{_POLICY}.max_grad_norm")), 0.0),
    ),
    "precision": through(lambda name: _PRECISION.get(lower(name), lower(name)), _ask(f"{_POLICY}.precision")),
    "offload_optimizer": _by_engine(
        through(lambda on: "cpu" if truth(on) else "none", _ask(f"{_MEGATRON}.optimizer.optimizer_cpu_offload")),
        through(lambda on: "cpu" if truth(on) else "none", _ask(f"{_DTENSOR}.cpu_offload")),
    ),
    "offload_params": _by_engine(
        None, through(lambda on: "cpu" if truth(on) else "none", _ask(f"{_DTENSOR}.cpu_offload"))
    ),
    "lora_rank": _lora_rank,
    "lora_alpha": _if_lora("alpha"),
    "model": _ask(f"{_POLICY}.model_name"),
    "router_dtype": _by_engine(through(lower, _ask(f"{_MEGATRON}.moe_router_dtype")), None),
    "save_every": through(
        lambda on, period: int(period) if truth(on) else 0,
        _or(_ask("checkpointing.enabled"), True),
        _ask("checkpointing.save_period"),
    ),
}
"""Facts of every kind of training."""


_ESTIMATOR = _or(through(lower, _of_algorithm("adv_estimator.name")), "grpo")


def _advantage(run: Run) -> Value | None:
    """The estimator; a student of a teacher has none."""
    learns = run.value("nemo-rl", "distillation.num_prompts_per_step")
    return _ESTIMATOR(run) if learns is None or isinstance(learns, Unknown) else None


def _group_relative(run: Run) -> Value | None:
    name = _advantage(run)
    if name is None or isinstance(name, Unknown):
        return name
    if plain(name) == "reinforce_plus_plus":
        return through(truth, _or(_of_algorithm("adv_estimator.minus_baseline"), True))(run)
    return combine(lambda text: text in _GROUPED, name)


_KL = _ask("loss_fn.reference_policy_kl_penalty")
_IN_REWARD = _or(through(truth, _ask("loss_fn.use_kl_in_reward")), False)
_BACKEND = through(lower, _ask(f"{_GENERATION}.backend"))


def _engine_option(vllm: str, sglang: str | None = None) -> FactFunction:
    """An option of the engine that generates, in the section that it has."""

    def fact(run: Run) -> Value | None:
        backend = _BACKEND(run)
        if backend is None or isinstance(backend, Unknown):
            return backend
        if plain(backend) == "vllm":
            return _ask(f"{_GENERATION}.vllm_cfg.{vllm}")(run)
        return _ask(f"{_GENERATION}.sglang_cfg.{sglang}")(run) if sglang and plain(backend) == "sglang" else None

    return fact


_N = _of_algorithm("num_generations_per_prompt")
_PROMPTS = _of_algorithm("num_prompts_per_step")


def _clip(side: str) -> FactFunction:
    """A side of the clip range, of the loss that clips its objective."""

    def fact(run: Run) -> Value | None:
        for key in ("loss_fn.use_cispo", "loss_fn.disable_ppo_ratio"):
            other = run.value("nemo-rl", key)
            if isinstance(other, Unknown) or truth(plain(other) or False):
                return other if isinstance(other, Unknown) else None
        return through(float, _ask(f"loss_fn.ratio_clip_{side}"))(run)

    return fact


RL: Mapping[str, FactFunction] = {
    "temperature": through(float, _ask(f"{_GENERATION}.temperature")),
    "ratio_level": through(
        lambda on: "sequence" if truth(on) else "token", _or(_ask("loss_fn.sequence_level_importance_ratios"), False)
    ),
    "clip_low": _clip("min"),
    "clip_high": _clip("max"),
    "total_steps": _of_algorithm("max_num_steps"),
    "loss_aggregation": through(
        lambda token: "token" if truth(token) else "sequence", _or(_ask("loss_fn.token_level_loss"), True)
    ),
    "advantage_scaled": through(truth, _of_algorithm("normalize_rewards")),
    "kl_coefficient": through(float, _KL),
    "passes_per_rollout": _or(through(int, _of_algorithm("ppo_epochs")), 1),
    "updates_per_rollout": through(
        lambda prompts, group, batch, passes: exactly(times(prompts, group), batch) * int(passes),
        _PROMPTS,
        _N,
        _GLOBAL,
        _or(_of_algorithm("ppo_epochs"), 1),
    ),
    "advantage": _advantage,
    "group_relative": _group_relative,
    "group_size": _N,
    "uses_critic": through(lambda name: name == "gae", _ESTIMATOR),
    "kl_in_reward": through(lambda weight, inside: float(weight) > 0 and inside, _KL, _IN_REWARD),
    "kl_in_loss": through(lambda weight, inside: float(weight) > 0 and not inside, _KL, _IN_REWARD),
    "dynamic_sampling": through(truth, _of_algorithm("use_dynamic_sampling")),
    "train_batch_prompts": _PROMPTS,
    "train_batch_samples": through(times, _PROMPTS, _N),
    "mini_batch_prompts": through(exactly, _GLOBAL, _N),
    "rollout_engine": _BACKEND,
    "rollout_colocated": _COLOCATED,
    "rollout_tp": _engine_option("tensor_parallel_size"),
    "rollout_memory": _engine_option("gpu_memory_utilization", "mem_fraction_static"),
    "rollout_dtype": through(
        lambda name: "bfloat16" if lower(name) == "fp8" else lower(name), _engine_option("precision", "dtype")
    ),
    "enforce_eager": through(truth, _engine_option("enforce_eager", "disable_cuda_graph")),
    "context_length": _engine_option("max_model_len", "context_length"),
    "response_length": _ask(f"{_GENERATION}.max_new_tokens"),
}
"""Facts of training with rollouts."""


def kind_facts(kind: str | None) -> Mapping[str, FactFunction]:
    """What is trained."""
    if kind is None:
        return {}
    found = {"trainer_kind": constant(_KIND[kind], f"the section {kind}")}
    if kind == "distillation":
        found["distillation"] = constant(True, "the section distillation")
    return found
