"""Facts that a DeepSpeed configuration decides, for every trainer that uses one."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, exactly, lower, option, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS"]


def _opt(key: str) -> FactFunction:
    return option("deepspeed", key)


def _offload(section: str, former: str) -> FactFunction:
    """Device of an offload section; `none` where the section is absent or switched off."""

    def fact(run: Run) -> Value | None:
        settings = run.settings.get("deepspeed")
        if settings is None:
            return None
        value = settings.value(f"zero_optimization.{section}.device")
        if isinstance(value, Unknown) or settings.get(f"zero_optimization.{section}.device") is not None:
            return combine(lambda device: lower(device or "none"), value)
        old = settings.get(f"zero_optimization.{former}")
        if old is not None:
            return combine(lambda on: "cpu" if truth(on) else "none", old.value)
        return Known("none", ())

    return fact


def _half(name: str) -> FactFunction:
    """Whether one of the two half precisions is switched on."""

    def fact(run: Run) -> Value | None:
        settings = run.settings.get("deepspeed")
        if settings is None:
            return None
        if name == "bf16" and "bf16.enabled" not in settings and "bfloat16.enabled" in settings:
            return combine(truth, settings.value("bfloat16.enabled"))  # the other name that is read
        return combine(lambda on: truth(on or False), settings.value(f"{name}.enabled"))

    return fact


_bf16, _fp16 = _half("bf16"), _half("fp16")


def _precision(run: Run) -> Value | None:
    if run.settings.get("deepspeed") is None:
        return None
    found = {}
    for name, half in (("bf16", _bf16), ("fp16", _fp16)):
        value = half(run)
        if isinstance(value, Unknown):
            return value
        found[name] = value
        if plain(value):
            return combine(lambda _, name=name: name, value)
    return combine(lambda *_: "fp32", *(value for value in found.values() if value is not None)) or Known("fp32", ())


def _compiled(run: Run) -> Value | None:
    """DeepCompile compiles; else the program does or does not, which the configuration does not tell."""
    deep = run.value("deepspeed", "compile.deepcompile")
    if isinstance(deep, Unknown) or truth(plain(deep) or False):
        return combine(truth, deep)
    return Unknown("computed:whether the program compiles the model") if "deepspeed" in run.settings else None


def _tp(run: Run) -> Value | None:
    """Automatic tensor parallelism; its default 0 means that it is off."""
    return combine(lambda size: max(int(size), 1), _opt("tensor_parallel.autotp_size")(run) or Known(1, ()))


def _dp(run: Run) -> Value | None:
    return combine(exactly, run.fact("world_size"), _tp(run))


def _batch(run: Run, wanted: str) -> Value | None:
    """One of the three batch quantities: as given, else as DeepSpeed derives it from those that are given."""
    settings = run.settings.get("deepspeed")
    if settings is None:
        return None
    given = {}
    for name in _BATCH:
        setting = settings.get(name)
        if setting is not None and not (isinstance(setting.value, Known) and setting.value.value is None):
            given[name] = setting.value
    if wanted in given:
        return given[wanted]
    if settings.open_reason is not None:
        return Unknown(settings.open_reason)
    total, micro, steps = (given.get(name) for name in _BATCH)
    if total is None and micro is None:
        return None
    if wanted == _BATCH[0]:
        return combine(lambda a, b, c: int(a) * int(b) * int(c), micro, steps or Known(1, ()), _dp(run))
    other = steps if wanted == _BATCH[1] else micro
    if other is None and wanted == _BATCH[2]:
        return Known(1, ())
    return combine(lambda a, b, c: int(a) // int(b) // int(c), total, other or Known(1, ()), _dp(run))


_BATCH = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")

FACTS: Mapping[str, FactFunction] = {
    "engine": constant("deepspeed", "DeepSpeed"),
    "zero_stage": _opt("zero_optimization.stage"),
    "offload_optimizer": _offload("offload_optimizer", "cpu_offload"),
    "offload_params": _offload("offload_param", "cpu_offload_param"),
    "clip_norm": _opt("gradient_clipping"),
    "precision": _precision,
    "bf16": _bf16,
    "fp16": _fp16,
    "overlap_comm": through(truth, _opt("zero_optimization.overlap_comm")),
    "torch_compile": _compiled,
    "optimizer": through(lower, _opt("optimizer.type")),
    "learning_rate": _opt("optimizer.params.lr"),
    "micro_batch_per_gpu": lambda run: _batch(run, _BATCH[1]),
    "gradient_accumulation": lambda run: _batch(run, _BATCH[2]),
    "train_batch_samples": lambda run: _batch(run, _BATCH[0]),
    "tp": _tp,
    "dp": _dp,
}
