"""Facts that accelerate decides: what shards the trainer, its precision, its FSDP version."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.accelerate.compose import uses
from grpolint.frameworks.asking import lower, option, through, truth
from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS", "precision"]


def _origin(run: Run, key: str, other: str) -> tuple[Known, ...]:
    """The setting that decides, as a value whose origins are carried over."""
    for name in (key, other):
        setting = run.setting("accelerate", name)
        if setting is not None and isinstance(setting.value, Known):
            return (setting.value,)
    return ()


def _engine(run: Run) -> Value | None:
    settings = run.settings.get("accelerate")
    if settings is None:
        return None
    deepspeed, fsdp = uses(run, "deepspeed"), uses(run, "fsdp")
    if deepspeed:
        return combine(lambda *_: "deepspeed", *_origin(run, "use_deepspeed", "distributed_type"))
    if fsdp:
        version = _fsdp_version(run)
        if isinstance(version, Unknown):
            return version
        return combine(lambda number, *_: "fsdp2" if number == 2 else "fsdp", version or Known(1, ()))
    if deepspeed is None or fsdp is None:
        return Unknown(settings.open_reason or "computed:distributed type")
    return combine(lambda *_: "ddp", *_origin(run, "multi_gpu", "distributed_type")) or Known("ddp", ())


def _fsdp_version(run: Run) -> Value | None:
    if not uses(run, "fsdp"):
        return None
    value = option("accelerate", "fsdp_version")(run)
    if isinstance(value, Unknown) and value.reason.startswith("computed:"):
        value = None  # accelerate takes the environment's FSDP_VERSION, else 1
    value = value or run.environment("FSDP_VERSION") or Known(1, ())
    return combine(int, value)


def _fsdp_offload(run: Run) -> Value | None:
    value = run.value("accelerate", "fsdp_offload_params")
    return combine(lambda on: "cpu" if truth(on) else "none", value) or Known("none", ())


def _offload(name: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        if uses(run, "fsdp"):
            return _fsdp_offload(run)
        return DEEPSPEED[name](run) if uses(run, "deepspeed") else None

    return fact


def _zero(run: Run) -> Value | None:
    """Accelerate's own default is stage 2."""
    if not uses(run, "deepspeed"):
        return None
    settings = run.settings.get("deepspeed")
    if settings is not None and "zero_optimization.stage" in settings:
        return settings.value("zero_optimization.stage")
    named = run.setting("accelerate", "deepspeed_config_file")
    if named is not None and plain(named.value) not in (None, "none"):
        return DEEPSPEED["zero_stage"](run)
    return Known(2, ())


def precision(run: Run) -> Value | None:
    """Mixed precision of the launcher; `no` is full precision. None where it says nothing."""
    setting = run.setting("accelerate", "mixed_precision")
    if setting is None:
        return None
    names = {"no": "fp32", "false": "fp32", "none": "fp32"}
    return combine(lambda name: names.get(lower(name), lower(name)), setting.value)


def _precision(run: Run) -> Value | None:
    return precision(run) or (DEEPSPEED["precision"](run) if "deepspeed" in run.settings else None)


def _half(name: str) -> FactFunction:
    """Whether a half precision is on: by the launcher's mixed precision, else as DeepSpeed's file says."""

    def fact(run: Run) -> Value | None:
        mixed = precision(run)
        if mixed is not None:
            return combine(lambda chosen: chosen == name, mixed)
        return DEEPSPEED[name](run) if "deepspeed" in run.settings else None

    return fact


def _compiled(run: Run) -> Value | None:
    """Compiled where a dynamo backend is given; whether the program compiles by itself nobody knows."""
    value = run.value("accelerate", "dynamo_backend")
    if isinstance(value, Unknown) and run.setting("accelerate", "dynamo_backend") is None:
        return None  # the user's default file, which asks for it in the rarest case
    return combine(lambda name: True if name is not None and lower(name) != "no" else None, value)


def _from_deepspeed(name: str) -> FactFunction:
    return lambda run: DEEPSPEED[name](run) if "deepspeed" in run.settings else None


FACTS: Mapping[str, FactFunction] = {
    "engine": _engine,
    "fsdp_version": _fsdp_version,
    "zero_stage": _zero,
    "offload_optimizer": _offload("offload_optimizer"),
    "offload_params": _offload("offload_params"),
    "precision": _precision,
    "bf16": _half("bf16"),
    "fp16": _half("fp16"),
    "torch_compile": through(lambda on: on, _compiled),
    **{
        name: _from_deepspeed(name)
        for name in (
            "clip_norm",
            "optimizer",
            "learning_rate",
            "micro_batch_per_gpu",
            "gradient_accumulation",
            "overlap_comm",
        )
    },
}
