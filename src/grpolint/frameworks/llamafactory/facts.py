"""Facts of a LLaMA-Factory run: those of Transformers' trainer, and what it tunes."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import exactly, lower, option, through, times
from grpolint.frameworks.llamafactory.processes import FACTS as PROCESSES
from grpolint.frameworks.trl.facts import FACTS as TRAINER_BELOW
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "facts_of"]


def _own(*keys: str) -> FactFunction:
    return option("llamafactory", *keys)


def _lora(key: str, otherwise: int | None) -> FactFunction:
    def fact(run: Run) -> Value | None:
        kind = run.value("llamafactory", "finetuning_type")
        if kind is None or isinstance(kind, Unknown):
            return kind
        if lower(plain(kind)) == "lora":
            return _own(key)(run)
        return combine(lambda _: otherwise, kind) if otherwise is not None else None

    return fact


def _alpha(run: Run) -> Value | None:
    """Twice the rank where nobody says it."""
    return _lora("lora_alpha", None)(run) or combine(lambda rank: int(rank) * 2 or None, _lora("lora_rank", None)(run))


def _size(key: str) -> FactFunction:
    return lambda run: _own(key)(run) or Known(1, ())


def _dp(run: Run) -> Value | None:
    """Processes over the parallel sizes: Megatron's where that trains, DeepSpeed's sequence parallelism elsewhere."""
    sizes = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
    return combine(exactly, run.fact("world_size"), *(_size(key)(run) for key in sizes), _sp(run))


def _sp(run: Run) -> Value | None:
    return _size("sequence_parallel_size")(run)


def _base_bits(run: Run) -> Value | None:
    value = run.value("llamafactory", "quantization_bit")
    return combine(lambda bits: int(bits) if bits is not None else 16, value)


def _engine(run: Run) -> Value | None:
    from grpolint.frameworks.llamafactory.compose import on_megatron

    return Known("megatron", ()) if on_megatron(run) else TRAINER_BELOW["engine"](run)


_SHARED = (
    "fsdp_version",
    "precision",
    "bf16",
    "fp16",
    "torch_compile",
    "optimizer",
    "clip_norm",
    "learning_rate",
    "micro_batch_per_gpu",
    "gradient_accumulation",
    "offload_optimizer",
    "offload_params",
    "save_every",
)
"""Facts that Transformers' arguments decide."""

FACTS: Mapping[str, FactFunction] = {
    **{name: TRAINER_BELOW[name] for name in _SHARED},
    **PROCESSES,
    "engine": _engine,
    "sp": _sp,
    "dp": _dp,
    "train_batch_samples": lambda run: combine(
        times, run.fact("micro_batch_per_gpu"), run.fact("gradient_accumulation"), run.fact("dp")
    ),
    "lora_rank": _lora("lora_rank", 0),
    "lora_alpha": _alpha,
    "base_bits": _base_bits,
    "model": _own("model_name_or_path"),
    "uses_critic": through(lambda stage: lower(stage) == "ppo", _own("stage")),
}
"""Facts of every stage."""


def facts_of(run: Run) -> list[Mapping[str, FactFunction]]:
    """Providers for a run, the leading first."""
    from grpolint.frameworks.accelerate.facts import FACTS as ACCELERATE
    from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED

    providers: list[Mapping[str, FactFunction]] = [FACTS]
    if "accelerate" in run.settings:
        providers.append(ACCELERATE)
    if "deepspeed" in run.settings:
        providers.append(DEEPSPEED)
    return providers
