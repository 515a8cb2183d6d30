"""What axolotl makes of its options for the libraries below it: the arguments of Transformers' trainer, TRL's, vLLM's.

Nobody writes them, so they are defaults of those libraries in this run: each value has the origins of axolotl's option that
decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grpolint.catalog import table
from grpolint.frameworks.asking import truth
from grpolint.run import FactFunction, Run, Settings
from grpolint.values import Known, Unknown, Value, combine, plain
from grpolint.world import World

__all__ = ["GROUPED", "ask", "put_transformers", "put_trl", "put_vllm"]

GROUPED = ("grpo", "gdpo")
"""Values of `rl` that train by TRL's GRPOTrainer."""

_TRL_NAMES = {"use_liger_loss": "use_liger_kernel"}


def ask(run: Run, *keys: str) -> Value | None:
    """The first of several options that has a value other than null."""
    for key in keys:
        value = run.value("axolotl", key)
        if value is not None and (isinstance(value, Unknown) or plain(value) is not None):
            return value
    return None


def _same(*keys: str, change: Callable[[Any], Any] = lambda value: value) -> FactFunction:
    return lambda run: combine(change, ask(run, *keys))


def _brain(run: Run) -> Value | None:
    """`auto` looks at the GPU."""
    value = ask(run, "bf16", "bfloat16")
    if str(plain(value)).lower() == "auto" and not isinstance(value, Unknown):
        return Unknown("computed:whether the GPU has bfloat16")
    return combine(lambda on: str(on).lower() == "full" or truth(on), value) or Known(False, ())


def _half(run: Run) -> Value | None:
    return combine(lambda half, brain: truth(half) and not brain, ask(run, "fp16") or Known(False, ()), _brain(run))


def _accumulation(run: Run) -> Value | None:
    """As given, else what the batch of a device leaves over micro batches."""
    batch = ask(run, "batch_size")
    if batch is not None:
        return combine(lambda whole, micro: int(whole) // int(micro), batch, run.value("axolotl", "micro_batch_size"))
    return ask(run, "gradient_accumulation_steps")


def _unused(run: Run) -> Value | None:
    """Columns are kept in training from preferences and rewards unless somebody says otherwise."""
    given = ask(run, "remove_unused_columns")
    return given if given is not None else combine(lambda _: False, ask(run, "rl"))


def _checkpointing(value: Any) -> bool:
    return value in ("offload", "offload_disk", "unsloth") or truth(value)


_TRAINING: Mapping[str, FactFunction] = {
    "per_device_train_batch_size": _same("micro_batch_size"),
    "per_device_eval_batch_size": _same("eval_batch_size", "micro_batch_size"),
    "gradient_accumulation_steps": _accumulation,
    "bf16": _brain,
    "fp16": _half,
    "learning_rate": _same("learning_rate", change=float),
    "optim": _same("optimizer"),
    "max_grad_norm": _same("max_grad_norm"),
    "num_train_epochs": _same("num_epochs"),
    "gradient_checkpointing": _same("gradient_checkpointing", change=_checkpointing),
    "lr_scheduler_type": _same("lr_scheduler"),
    "remove_unused_columns": _unused,
}
_TAKEN_OVER = (
    "max_steps",
    "warmup_steps",
    "warmup_ratio",
    "weight_decay",
    "adam_beta1",
    "adam_beta2",
    "adam_epsilon",
    "save_steps",
    "save_strategy",
    "eval_steps",
    "eval_strategy",
    "logging_steps",
    "torch_compile",
    "torch_compile_backend",
    "torch_compile_mode",
    "load_best_model_at_end",
    "deepspeed",
    "ddp_timeout",
    "seed",
    "resume_from_checkpoint",
)
"""Arguments that have the same name."""


_SERVER = (
    "gpu_memory_utilization",
    "tensor_parallel_size",
    "data_parallel_size",
    "max_model_len",
    "dtype",
    "enable_prefix_caching",
    "enforce_eager",
)
"""Options of the server in the section `vllm`."""


def put_transformers(run: Run, world: World) -> None:
    """The arguments of the trainer."""
    made = {**_TRAINING, **{name: _same(name) for name in _TAKEN_OVER}}
    _put(run, world, "transformers", ("TrainingArguments",), made)


def put_trl(run: Run, world: World) -> None:
    """The arguments of GRPO, which stand in the section `trl`."""
    version = world.version("trl").text
    own = table("trl", "GRPOConfig", version)
    keys = own.keys() if own is not None else []
    made: dict[str, FactFunction] = {key: _same(f"trl.{key}") for key in keys}
    made |= {theirs: _same(f"trl.{ours}") for ours, theirs in _TRL_NAMES.items()}
    made |= {
        "beta": _same("trl.beta", "rl_beta"),
        "reward_funcs": _same("trl.reward_funcs"),
        "vllm_gpu_memory_utilization": _same("vllm.gpu_memory_utilization"),
        "vllm_tensor_parallel_size": _same("vllm.tensor_parallel_size"),
        "model_name_or_path": _same("base_model"),
    }
    _put(run, world, "trl", ("GRPOConfig",), made)


def put_vllm(run: Run, world: World) -> None:
    """The server of `axolotl vllm-serve`, which the section `vllm` describes."""
    made = {name: _same(f"vllm.{name}") for name in _SERVER}
    _put(run, world, "vllm", ("engine",), {**made, "model": _same("base_model")})


def _put(run: Run, world: World, framework: str, names: tuple[str, ...], made: Mapping[str, FactFunction]) -> None:
    version = world.version(framework)
    tables = tuple(each for each in (table(framework, name, version.text) for name in names) if each is not None)
    open_reason = run.settings["axolotl"].open_reason

    def default(key: str) -> Value | None:
        value = made[key](run) if key in made else None
        if value is not None:
            return value
        return next((found for each in tables if (found := each.default(key)) is not None), None)

    run.settings[framework] = Settings(framework, version, default, open_reason, tables=tables)
