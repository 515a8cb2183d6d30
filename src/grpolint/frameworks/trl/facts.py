"""Facts of a TRL run: those of the Trainer below it, and those of GRPO and RLOO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.accelerate.facts import FACTS as ACCELERATE
from grpolint.frameworks.accelerate.facts import precision as launcher_precision
from grpolint.frameworks.asking import constant, exactly, lower, option, positive, through, times, truth
from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED
from grpolint.frameworks.trl.devices import FACTS as DEVICES
from grpolint.frameworks.trl.unsloth import base_bits as unsloth_bits
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["AGGREGATIONS", "FACTS", "facts_of", "scaled"]


def _trl(*keys: str) -> FactFunction:
    return option("trl", *keys)


def _hf(*keys: str) -> FactFunction:
    return option("transformers", *keys)


_micro, _steps = _hf("per_device_train_batch_size"), _hf("gradient_accumulation_steps")
_n = _trl("num_generations")

_OPTIMIZERS = ("adamw", "ademamix", "adafactor", "adagrad", "muon", "lion", "sgd", "rmsprop", "lomo", "radam")


def _sharded_by_deepspeed(run: Run) -> bool | None:
    """Whether DeepSpeed runs the optimizer; None if nobody knows."""
    value = _engine(run)
    return None if isinstance(value, Unknown) else plain(value) == "deepspeed"


def _engine(run: Run) -> Value | None:
    """The Trainer's own arguments first, then accelerate's."""
    if "deepspeed" in run.settings:
        return Known("deepspeed", ())
    fsdp = run.setting("transformers", "fsdp")
    if fsdp is not None and plain(fsdp.value) not in (None, "", False, []):
        return combine(lambda version: "fsdp2" if version == 2 else "fsdp", _fsdp_version(run))
    if "accelerate" in run.settings:
        return ACCELERATE["engine"](run)
    return Known("ddp", ()) if run.launch is not None else Unknown("computed:how this is launched")


def _fsdp_version(run: Run) -> Value | None:
    """As the Trainer's `fsdp_config` says; the default was 1 before Transformers 5.10."""
    own = run.setting("transformers", "fsdp")
    if own is None:
        return ACCELERATE["fsdp_version"](run) if "accelerate" in run.settings else None
    for key in ("fsdp_config.fsdp_version", "fsdp_config.version"):
        setting = run.setting("transformers", key)
        if setting is not None:
            return combine(int, setting.value)
    named = run.setting("transformers", "fsdp_config")
    if named is not None and isinstance(plain(named.value), str):
        return Unknown(f"file:{plain(named.value)}")
    return combine(int, run.value("transformers", "fsdp_config.version"))


def _precision(run: Run) -> Value | None:
    """fp16 if asked for, else bf16 as TRL sets it where nobody says anything, else the launcher's."""
    half, brain = run.value("transformers", "fp16"), run.value("transformers", "bf16")
    if isinstance(half, Unknown) and run.setting("transformers", "fp16") is None and truth(plain(brain) or False):
        return combine(lambda _: "bf16", brain)  # not both: what is asked for replaces an unknown default
    for value in (half, brain):
        if isinstance(value, Unknown):
            return value
    if truth(plain(half) or False):
        return combine(lambda _: "fp16", half)
    if truth(plain(brain) or False):
        return combine(lambda _: "bf16", brain)
    return launcher_precision(run) or combine(lambda *_: "fp32", *(v for v in (half, brain) if v is not None))


def _half(name: str) -> FactFunction:
    """Whether a half precision is on: by the Trainer's arguments, else by the launcher's mixed precision."""

    def fact(run: Run) -> Value | None:
        own = {each: run.value("transformers", each) for each in ("bf16", "fp16")}
        value = own[name]
        if isinstance(value, Unknown) or truth(plain(value) or False):
            return combine(truth, value)
        launched = launcher_precision(run)
        if launched is None or any(truth(plain(each) or False) for each in own.values()):
            return combine(lambda on: truth(on or False), value)
        return combine(lambda chosen: chosen == name, launched)

    return fact


def _compiled(run: Run) -> Value | None:
    """The Trainer compiles where it is told to, or where a backend or mode is given; accelerate by its own option."""
    backend = run.value("accelerate", "dynamo_backend") if run.setting("accelerate", "dynamo_backend") else None
    named = (*(run.value("transformers", f"torch_compile_{each}") for each in ("backend", "mode")), backend)
    for value in named:
        if isinstance(value, Unknown) or lower(plain(value) or "no") != "no":
            return combine(lambda _: True, value)
    return combine(truth, run.value("transformers", "torch_compile"))


def _optimizer(run: Run) -> Value | None:
    deepspeed = run.setting("deepspeed", "optimizer.type")
    if deepspeed is not None:
        return combine(lower, deepspeed.value)
    value = run.value("transformers", "optim")
    if isinstance(value, Unknown) and value.reason.startswith("computed:adamw"):
        return Known("adamw", value.origins)

    def name(text: Any) -> str:
        words = lower(text)
        return next((each for each in _OPTIMIZERS if each in words), words)

    return combine(name, value)


def _clip(run: Run) -> Value | None:
    """Under DeepSpeed its own option decides; the Trainer does not clip then."""
    by_deepspeed = _sharded_by_deepspeed(run)
    if by_deepspeed is None and run.launch is None:
        return _hf("max_grad_norm")(run)  # what the file itself says; DeepSpeed's `auto` says the same
    if by_deepspeed is None:
        return Unknown("computed:whether DeepSpeed clips")
    return DEEPSPEED["clip_norm"](run) if by_deepspeed else _hf("max_grad_norm")(run)


def _save_every(run: Run) -> Value | None:
    strategy = run.value("transformers", "save_strategy")
    if isinstance(strategy, Unknown):
        return strategy
    kind = lower(plain(strategy) or "steps")
    if kind == "no":
        return combine(lambda _: 0, strategy)
    if kind != "steps":
        return None

    def every(steps: Any) -> int | None:
        return int(steps) if float(steps) >= 1 else None

    value = combine(every, run.value("transformers", "save_steps"))
    return None if isinstance(value, Known) and value.value is None else value


def _lora(trl: str, *peft: str) -> FactFunction:
    """A LoRA quantity: from a LoraConfig in Python, else from TRL's model arguments where `use_peft` is on."""

    def fact(run: Run) -> Value | None:
        if "peft" in run.settings:
            return option("peft", *peft)(run)
        use = run.value("trl", "use_peft")
        if isinstance(use, Unknown):
            return use
        if use is None or not truth(plain(use)):
            return Known(0, use.origins) if use is not None and trl == "lora_r" else None
        return option("trl", trl)(run)

    return fact


def _base_bits(run: Run) -> Value | None:
    """By bitsandbytes where Python makes its configuration, else by TRL's model arguments where they are read."""
    if "unsloth" in run.settings:
        return unsloth_bits(run)
    places = [("bitsandbytes", ""), ("transformers", "from_pretrained."), ("trl", "")]
    if any(run.setting(each, f"{head}load_in_{bits}bit") for each, head in places[:2] for bits in (4, 8)):
        places = places[:2]
    elif run.launch is None and run.source.path.endswith((".py", ".ipynb")):
        return None  # how the model is loaded stands somewhere else
    for framework, head in places:
        for bits in (8, 4):
            value = run.value(framework, f"{head}load_in_{bits}bit")
            if isinstance(value, Unknown) or truth(plain(value) or False):
                return combine(lambda _, bits=bits: bits, value)
    return combine(lambda _: 16, run.value("trl", "load_in_4bit"))


def _dp(run: Run) -> Value | None:
    parts = []
    for name in ("tp", "cp", "sp"):
        value = run.value("accelerate", f"parallelism_config_{name}_size")
        parts.append(value if value is not None and plain(value) is not None else Known(1, ()))
    return combine(exactly, run.fact("world_size"), *parts)


def _offload(name: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        if "deepspeed" in run.settings:
            return DEEPSPEED[name](run)
        return ACCELERATE[name](run) if "accelerate" in run.settings else None

    return fact


def _warmup(run: Run) -> Value | None:
    """Steps where they are counted; since Transformers 5 the option takes a share of all steps as well."""
    return through(lambda steps: int(steps) if float(steps) >= 1 else None, _hf("warmup_steps"))(run)


FACTS: Mapping[str, FactFunction] = {
    "warmup_steps": _warmup,
    "total_steps": through(lambda steps: int(steps) if int(steps) > 0 else None, _hf("max_steps")),
    "engine": _engine,
    "fsdp_version": _fsdp_version,
    "dp": _dp,
    "precision": _precision,
    "bf16": _half("bf16"),
    "fp16": _half("fp16"),
    "torch_compile": _compiled,
    "optimizer": _optimizer,
    "clip_norm": _clip,
    "learning_rate": _hf("learning_rate"),
    "micro_batch_per_gpu": _micro,
    "gradient_accumulation": _steps,
    "train_batch_samples": lambda run: combine(times, _micro(run), _steps(run), run.fact("world_size")),
    "offload_optimizer": _offload("offload_optimizer"),
    "offload_params": _offload("offload_params"),
    "lora_rank": _lora("lora_r", "r"),
    "lora_alpha": _lora("lora_alpha", "lora_alpha"),
    "base_bits": _base_bits,
    "model": _trl("model_name_or_path", "model"),
    "save_every": _save_every,
    "uses_critic": constant(False, "TRL's trainers have no critic"),
}
"""Facts of every trainer."""


def _generation_batch(run: Run) -> Value | None:
    """Completions of one generation over all processes, as the config's own code computes it."""
    given = _trl("generation_batch_size")(run)
    if given is not None:
        return given
    steps = _trl("steps_per_generation")(run) or _steps(run)
    return combine(times, _micro(run), run.fact("world_size"), steps)


def _optimizer_batch(run: Run) -> Value | None:
    return combine(times, _micro(run), _steps(run), run.fact("world_size"))


def _uses_vllm(run: Run) -> Value | None:
    return run.value("trl", "use_vllm")


def _if_colocated(key: str) -> FactFunction:
    """An option that counts only where generation runs in the trainer's own processes."""

    def fact(run: Run) -> Value | None:
        together = _colocated(run)
        if isinstance(together, Unknown):
            return together
        return _trl(key)(run) if plain(together) and plain(_uses_vllm(run)) else None

    return fact


def _colocated(run: Run) -> Value | None:
    def together(vllm: Any, mode: Any) -> bool:
        return not truth(vllm) or lower(mode) == "colocate"

    return combine(together, _uses_vllm(run), run.value("trl", "vllm_mode") or Known("server", ()))


def _sleep(run: Run) -> Value | None:
    return combine(truth, _if_colocated("vllm_enable_sleep_mode")(run))


def _weight_sync(run: Run) -> Value | None:
    """Weights are loaded in the trainer's own process, or broadcast by NCCL to a server; none without vLLM."""
    if not isinstance(_uses_vllm(run), Unknown) and not truth(plain(_uses_vllm(run)) or False):
        return None
    return combine(lambda together: "naive" if together else "nccl", _colocated(run))


def _lora_sync(run: Run) -> Value | None:
    """Adapters are merged into the weights that vLLM gets; vLLM never sees them."""
    return through(
        lambda rank, vllm: "merged" if int(rank) > 0 and truth(vllm) else None, _lora("lora_r", "r"), _uses_vllm
    )(run)


def _reward_kind(run: Run) -> Value | None:
    """`function` or `model`, by what the trainer is given or the names in the recipe."""
    value = run.value("trl", "reward_funcs")
    if value is None:
        return combine(lambda _: "model", _trl("reward_model_name_or_path")(run))

    def kind(names: Any) -> str:
        listed = names if isinstance(names, list) else [names]
        return "model" if any("/" in str(name) for name in listed) else "function"

    return combine(kind, value)


def _bound(key: str, otherwise: str) -> FactFunction:
    """A side of the clip range; the other side's where it is not given, and none under CISPO, which bounds the weight."""

    def fact(run: Run) -> Value | None:
        loss = run.value("trl", "loss_type")
        if isinstance(loss, Unknown):
            return loss
        return None if plain(loss) == "cispo" else through(float, _trl(key, otherwise))(run)

    return fact


AGGREGATIONS = {"grpo": "sequence", "bnpo": "token", "dapo": "token", "dr_grpo": "constant"}
"""What each of the losses divides by."""


def scaled(value: Any) -> bool | None:
    """By the group's deviation; the whole batch's is another."""
    return {"group": True, "none": False, "true": True, "false": False}.get(lower(value))


_PASSES = through(int, _trl("num_iterations"))


def _updates(run: Run) -> Value | None:
    """The number of processes matters only where the batch of a generation is given as a whole."""
    if _trl("generation_batch_size")(run) is not None:
        whole, part = _generation_batch(run), _optimizer_batch(run)
    else:
        whole, part = _trl("steps_per_generation")(run) or _steps(run), _steps(run)
    return combine(lambda all_, each, passes: exactly(all_, each) * passes, whole, part, _PASSES(run))


GROUP: Mapping[str, FactFunction] = {
    **DEVICES,
    "temperature": through(float, _trl("temperature")),
    "ratio_level": through(
        lambda level: "sequence" if lower(level).startswith("sequence") else "token", _trl("importance_sampling_level")
    ),
    "clip_low": _bound("epsilon", "epsilon"),
    "clip_high": _bound("epsilon_high", "epsilon"),
    "loss_aggregation": through(lambda name: AGGREGATIONS.get(lower(name)), _trl("loss_type")),
    "advantage_scaled": through(scaled, _trl("scale_rewards")),
    "kl_coefficient": through(float, _trl("beta")),
    "passes_per_rollout": _PASSES,
    "updates_per_rollout": _updates,
    "group_relative": constant(True, "GRPO and RLOO compare the responses of one prompt"),
    "group_size": _n,
    "distillation": constant(False, "no teacher takes part"),
    "reward_kind": _reward_kind,
    "train_batch_samples": _generation_batch,
    "train_batch_prompts": lambda run: combine(exactly, _generation_batch(run), _n(run)),
    "mini_batch_prompts": lambda run: combine(exactly, _optimizer_batch(run), _n(run)),
    "dynamic_batch": constant(False, "TRL counts sequences"),
    "group_by_prompt": constant(True, "GRPOTrainer and RLOOTrainer repeat each prompt in turn"),
    "bypass_mode": constant(False, "TRL computes the old policy's log-probabilities itself"),
    "dynamic_sampling": constant(False, "no trainer of TRL replaces prompts"),
    "weight_sync": _weight_sync,
    "lora_sync": _lora_sync,
    "enforce_eager": through(
        lambda vllm, together: False if truth(vllm) and together else None, _uses_vllm, _colocated
    ),
    "rollout_engine": lambda run: combine(lambda on: "vllm" if truth(on) else "hf", _uses_vllm(run)),
    "rollout_colocated": _colocated,
    "rollout_memory": _if_colocated("vllm_gpu_memory_utilization"),
    "rollout_tp": _if_colocated("vllm_tensor_parallel_size"),
    "rollout_sleep": _sleep,
    "sleep_level": through(lambda on: 2 if on else None, _sleep),
    "prompt_length": _trl("max_prompt_length"),
    "response_length": _trl("max_completion_length"),
    "context_length": _if_colocated("vllm_max_model_length"),
}
"""Facts of the trainers that sample groups."""


def facts_of(kind: str) -> Mapping[str, FactFunction]:
    """Facts of one kind of training; nothing beyond `FACTS` for the trainers that do not sample."""
    named: dict[str, FactFunction] = {"trainer_kind": constant(kind, "TRL")}
    beta = through(positive, _trl("beta"))
    never = constant(False, f"{kind} puts its KL term elsewhere")
    if kind == "grpo":
        return {
            **GROUP,
            **named,
            "advantage": constant("grpo", "GRPOTrainer"),
            "kl_in_loss": beta,
            "kl_in_reward": never,
        }
    if kind == "rloo":
        return {
            **GROUP,
            **named,
            "advantage": constant("rloo", "RLOOTrainer"),
            "kl_in_loss": never,
            "kl_in_reward": beta,
        }
    return named
