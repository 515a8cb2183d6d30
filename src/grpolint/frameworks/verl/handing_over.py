"""Facts of verl on what passes between trainer and rollout engine: weights, adapters, memory, log-probabilities, routes."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import constant, lower, through, truth
from grpolint.frameworks.verl.choosing import (
    ACTOR,
    MODEL,
    ROLLOUT,
    ask,
    by_strategy,
    first,
    in_release,
    release,
)
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, combine, plain
from grpolint.versions import satisfies

__all__ = ["HANDING_OVER"]

_RECIPES = ("verl.", "recipe.", "verl/", "recipe/")
_MODE = "trainer.v1.trainer_mode"


def _launched(run: Run) -> tuple[Origin, ...]:
    return (Origin("launch", None, run.program),)


def _from_release(value: object, run: Run) -> Known:
    return Known(value, (Origin("default", None, release(run)),))


def _own(run: Run) -> bool:
    """Whether the program is verl's own or one of its recipes, or a configuration on its own."""
    return run.launch is None or run.program.startswith(_RECIPES) or any(f"/{each}" in run.program for each in _RECIPES)


def _group_by_prompt(run: Run) -> Value | None:
    """Verl gives each prompt an identifier of its own; what a fork groups by is its own affair."""
    return Known(True, _launched(run)) if _own(run) else Unknown(f"program:{run.program}")


def _bypass(run: Run) -> Value | None:
    value = ask("algorithm.rollout_correction.bypass_mode")(run)
    if value is None and in_release(run, "<0.6.1"):
        return _from_release(False, run)
    return combine(truth, value)


def _dynamic_sampling(run: Run) -> Value | None:
    """Before 0.9 only the trainer of the DAPO recipe and forks read the option."""
    value = ask("algorithm.filter_groups.enable")(run)
    if in_release(run, "<0.9") and run.program.endswith(("verl.trainer.main_ppo", "verl/trainer/main_ppo.py")):
        return _from_release(False, run)
    return combine(truth, value)


def _asynchronous(run: Run) -> bool:
    """Whether the program has its rollout engine on other devices."""
    return any(name in run.program for name in ("fully_async", "one_step_off"))


def _weight_sync(run: Run) -> Value | None:
    """What carries the weights: `rollout.checkpoint_engine.backend`; the colocated trainers since 0.9 always take naive."""
    value = ask(f"{ROLLOUT}.checkpoint_engine.backend")(run)
    if value is None:
        direct = in_release(run, "<0.7.1") and not _asynchronous(run)
        return _from_release("naive", run) if direct else None
    if in_release(run, "<0.9") or _asynchronous(run) or not _own(run):
        return combine(lower, value)
    mode, new = run.value("verl", _MODE), run.value("verl", "trainer.use_v1")
    return combine(
        lambda backend, mode, new: "naive" if truth(new) and mode != "separate_async" else lower(backend),
        value,
        mode or Known("sync", ()),
        new or Known(True, ()),
    )


def _lora_on(run: Run) -> Value | None:
    return through(lambda rank: int(rank) > 0, lambda run: run.fact("lora_rank"))(run)


def _lora_sync(run: Run) -> Value | None:
    """With LoRA the adapter alone is sent, unless `model.lora.merge` puts it into the weights first (since 0.7.0)."""
    on = _lora_on(run)
    if isinstance(on, Unknown) or not plain(on):
        return on if isinstance(on, Unknown) else None
    merge = run.value("verl", f"{MODEL}.lora.merge") or Known(False, ())
    return combine(lambda _on, merged: "merged" if truth(merged) else "adapter", on, merge)


def _sleep_level(run: Run) -> Value | None:
    """Level at which a colocated vLLM sleeps. Since 0.7.1 it is derived: 1 where a later synchronisation would not restore
    everything (an adapter alone, drafts of MTP, Ascend), else 2.
    """
    for name, wanted in (("rollout_engine", "vllm"), ("rollout_sleep", True), ("rollout_colocated", True)):
        value = run.fact(name)
        if isinstance(value, Unknown):
            return value
        if plain(value) != wanted:
            return None
    if in_release(run, "<0.7.1"):
        return _former_sleep_level(run)
    on = _lora_on(run) or Known(False, ())
    merge = run.value("verl", f"{MODEL}.lora.merge") or Known(False, ())
    npu = combine(lambda device: device == "npu", run.value("verl", "trainer.device")) or Known(False, ())
    if in_release(run, "<0.8"):
        npu = Known(False, ())
    drafts: Value = Known(False, ())
    if in_release(run, ">=0.9"):
        enabled = (run.value("verl", f"{MODEL}.mtp.{name}") for name in ("enable", "enable_rollout"))
        drafts = combine(lambda one, other: truth(one) and truth(other), *enabled) or drafts
    return combine(
        lambda lora, merged, mtp, ascend: 1 if (lora and not truth(merged)) or mtp or ascend else 2,
        on,
        merge,
        drafts,
        npu,
    )


def _former_sleep_level(run: Run) -> Value | None:
    """Before 0.6 always 1; then 1 with `layered_summon`, or with expert parallelism before vLLM 0.11, else the deepest
    that vLLM has, which is 2 since 0.8.5.
    """
    if in_release(run, "<0.6"):
        return _from_release(1, run)
    summon = run.value("verl", f"{ROLLOUT}.layered_summon")
    if isinstance(summon, Unknown) or truth(plain(summon) or False):
        return combine(lambda _: 1, summon)
    vllm = run.releases.get("vllm")
    if vllm is None:
        return Unknown("version:vllm")
    shallow = "<0.11" if (plain(ask(f"{ROLLOUT}.expert_parallel_size")(run)) or 1) > 1 else "<0.8.5"
    return Known(1 if satisfies(vllm, shallow) else 2, (Origin("--with", None, f"vllm {vllm}"),))


def _router_dtype(run: Run) -> Value | None:
    """What is passed to Megatron; without it the configuration of the model's converter decides."""
    given = ask(f"{ACTOR}.megatron.override_transformer_config.moe_router_dtype")(run)
    return combine(lower, given)


def _replay(*keys: str) -> FactFunction:
    """Mode of the first of several options that the release has."""
    mode = first(*(ask(f"{ACTOR}.{key}") for key in keys))
    return through(lambda name: "off" if lower(name) == "disabled" else str(name).upper(), mode)


_ENTROPY_ONLY = constant(False, "only the entropy is compiled")

HANDING_OVER: Mapping[str, FactFunction] = {
    "group_by_prompt": _group_by_prompt,
    "bypass_mode": _bypass,
    "dynamic_sampling": _dynamic_sampling,
    "weight_sync": _weight_sync,
    "lora_sync": _lora_sync,
    "sleep_level": _sleep_level,
    "router_dtype": by_strategy(megatron=_router_dtype),
    "router_replay": by_strategy(
        megatron=_replay("megatron.router_replay.mode", "router_replay.mode"),
        veomni=_replay("veomni.router_replay.mode"),
        fsdp=_replay("fsdp_config.router_replay.mode"),
    ),
    "torch_compile": by_strategy(
        fsdp=_ENTROPY_ONLY,
        megatron=_ENTROPY_ONLY,
        veomni=_ENTROPY_ONLY,
        torchtitan=through(truth, ask(f"{ACTOR}.torchtitan.use_torch_compile")),
        automodel=through(truth, ask(f"{ACTOR}.automodel.enable_compile")),
    ),
}
"""Facts of the trainers for reinforcement learning."""
