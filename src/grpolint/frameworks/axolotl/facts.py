"""Facts of an axolotl run: of the trainer that its options describe, and of TRL's GRPO where that trains."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, exactly, lower, positive, times, truth
from grpolint.frameworks.axolotl.below import GROUPED, ask
from grpolint.frameworks.axolotl.processes import FACTS as PROCESSES
from grpolint.frameworks.deepspeed.facts import FACTS as DEEPSPEED
from grpolint.frameworks.trl.facts import FACTS as TRAINER_BELOW
from grpolint.frameworks.trl.facts import GROUP
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain
from grpolint.versions import satisfies

__all__ = ["FACTS", "facts_of"]


def _own(*keys: str) -> FactFunction:
    return lambda run: ask(run, *keys)


def _sharded(run: Run) -> Value | None:
    """FSDP's own options, or the section that configures it."""
    value = ask(run, "fsdp")
    if value is not None:
        return value
    first = next(run.settings["axolotl"].under("fsdp_config"), None)
    return first.value if first is not None else None


def _fsdp_version(run: Run) -> Value | None:
    """Where nobody says it the second version since 0.20, which has no other, and the first before."""
    if "deepspeed" in run.settings or _sharded(run) is None:
        return TRAINER_BELOW["fsdp_version"](run) if "accelerate" in run.settings else None
    otherwise = Known(2 if satisfies(run.settings["axolotl"].version.text, ">=0.20") else 1, ())
    return combine(int, ask(run, "fsdp_version", "fsdp_config.fsdp_version", "fsdp_config.version")) or otherwise


def _engine(run: Run) -> Value | None:
    if "deepspeed" not in run.settings and _sharded(run) is not None:
        return combine(lambda version: "fsdp2" if version == 2 else "fsdp", _fsdp_version(run))
    return TRAINER_BELOW["engine"](run)


def _offload_params(run: Run) -> Value | None:
    if "deepspeed" in run.settings:
        return DEEPSPEED["offload_params"](run)
    value = ask(run, "fsdp_config.offload_params", "fsdp_config.fsdp_offload_params")
    return combine(lambda on: "cpu" if truth(on) else "none", value) if _sharded(run) is not None else None


def _lora(key: str, otherwise: int | None) -> FactFunction:
    def fact(run: Run) -> Value | None:
        kind = run.value("axolotl", "adapter")
        if kind is None or isinstance(kind, Unknown):
            return kind
        if lower(plain(kind) or "") in ("lora", "qlora"):
            return ask(run, key)
        return combine(lambda _: otherwise, kind) if otherwise is not None and plain(kind) is None else None

    return fact


def _sp(run: Run) -> Value | None:
    return ask(run, "context_parallel_size", "sequence_parallel_degree") or Known(1, ())


def _tp(run: Run) -> Value | None:
    return ask(run, "tensor_parallel_size") or Known(1, ())


def _dp(run: Run) -> Value | None:
    return combine(exactly, run.fact("world_size"), _sp(run), _tp(run))


def _base_bits(run: Run) -> Value | None:
    for bits in (8, 4):
        value = ask(run, f"load_in_{bits}bit")
        if isinstance(value, Unknown) or truth(plain(value) or False):
            return combine(lambda _, bits=bits: bits, value)
    return Known(16, ())


_SHARED = (
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
    "save_every",
    "warmup_steps",
    "total_steps",
)
"""Facts that the arguments of Transformers decide."""

FACTS: Mapping[str, FactFunction] = {
    **{name: TRAINER_BELOW[name] for name in _SHARED},
    **PROCESSES,
    "engine": _engine,
    "fsdp_version": _fsdp_version,
    "offload_params": _offload_params,
    "tp": _tp,
    "sp": _sp,
    "dp": _dp,
    "train_batch_samples": lambda run: combine(
        times, run.fact("micro_batch_per_gpu"), run.fact("gradient_accumulation"), run.fact("dp")
    ),
    "lora_rank": _lora("lora_r", 0),
    "lora_alpha": _lora("lora_alpha", None),
    "base_bits": _base_bits,
    "model": _own("base_model"),
    "uses_critic": constant(False, "axolotl trains no critic"),
}
"""Facts of every kind of training."""


_GROUPED: Mapping[str, FactFunction] = {
    "advantage": constant("grpo", "GRPOTrainer"),
    "kl_in_loss": lambda run: combine(positive, run.value("trl", "beta")),
    "kl_in_reward": constant(False, "GRPO puts its KL term in the loss"),
    "prompt_length": _own("sequence_len"),
}
"""Facts of GRPO beside those that TRL's trainers share."""


def facts_of(run: Run, *, serves: bool) -> list[Mapping[str, FactFunction]]:
    """Providers for a run, the leading first."""
    from grpolint.frameworks.accelerate.facts import FACTS as ACCELERATE

    if serves:
        from grpolint.frameworks.vllm.facts import FACTS as SERVER

        return [SERVER]
    providers: list[Mapping[str, FactFunction]] = []
    kind = plain(run.value("axolotl", "rl"))
    if kind in GROUPED:
        providers.append({**GROUP, **_GROUPED})
    providers.append(FACTS)
    if "accelerate" in run.settings:
        providers.append(ACCELERATE)
    if "deepspeed" in run.settings:
        providers.append(DEEPSPEED)
    return providers
