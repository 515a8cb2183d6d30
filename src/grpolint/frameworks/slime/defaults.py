"""What Megatron's and SGLang's options are in a slime run that does not set them.

slime resets defaults of Megatron, sets some of its arguments after parsing, and makes the arguments of its SGLang engines of
its own options. Each such value has the origins of the option that decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grpolint.catalog import Table, table
from grpolint.frameworks.asking import truth
from grpolint.run import FactFunction, Run
from grpolint.values import Default, Known, Origin, Unknown, Value, combine, plain

__all__ = ["megatron_defaults", "offloads_rollout", "own", "sglang_defaults"]

_CODE = Known(True, (Origin("built-in", None, "slime"),))


def own(key: str) -> FactFunction:
    """An option of slime; null is no value."""

    def fact(run: Run) -> Value | None:
        value = run.value("slime", key)
        return None if plain(value) is None and not isinstance(value, Unknown) else value

    return fact


def offloads_rollout(run: Run) -> Value | None:
    """Whether the engines free their memory while the trainer works: as told, else where both share devices."""
    told = own("offload_rollout")(run)
    both = own("offload")(run)
    if isinstance(both, Unknown) or truth(plain(both)):
        return combine(truth, both)
    return combine(truth, told if told is not None else own("colocate")(run))


def _not(key: str, framework: str) -> FactFunction:
    return lambda run: combine(lambda value: not truth(value), run.value(framework, key))


def _batch(run: Run) -> Value | None:
    """What `--num-steps-per-rollout` makes of the samples of a rollout; Megatron's own way where it is not given."""
    steps = own("num_steps_per_rollout")(run)
    return combine(
        lambda prompts, samples, number: int(prompts) * int(samples) // int(number),
        run.value("slime", "rollout_batch_size"),
        run.value("slime", "n_samples_per_prompt"),
        steps,
    )


_MEGATRON: Mapping[str, FactFunction] = {
    "bf16": _not("fp16", "megatron"),
    "global_batch_size": _batch,
    "seq_length": lambda _run: Known(4096, (Origin("built-in", None, "slime"),)),
    "max_position_embeddings": lambda run: run.value("megatron", "seq_length"),
    "variable_seq_lengths": lambda _run: _CODE,
    "world_size": lambda run: run.fact("world_size"),
}


def _tp(run: Run) -> Value | None:
    return combine(
        lambda devices, stages: int(devices) // max(int(stages), 1),
        run.value("slime", "rollout_num_gpus_per_engine"),
        run.value("sglang", "pp_size") or Known(1, ()),
    )


def _nodes(run: Run) -> Value | None:
    return combine(
        lambda devices, per_node: max(1, int(devices) // int(per_node)),
        run.value("slime", "rollout_num_gpus_per_engine"),
        run.value("slime", "num_gpus_per_node") or Known(8, ()),
    )


_SGLANG: Mapping[str, FactFunction] = {
    "model_path": own("hf_checkpoint"),
    "trust_remote_code": lambda _run: _CODE,
    "skip_server_warmup": lambda _run: _CODE,
    "enable_memory_saver": offloads_rollout,
    "tp_size": _tp,
    "nnodes": _nodes,
}


def megatron_defaults(run: Run, options: Table | None, train: Table | None) -> Callable[[str], Value | None]:
    """The default function of Megatron's settings: what slime sets, else what it resets, else Megatron's own."""
    version = run.settings["slime"].version.text
    forced = table("slime", "forced", version)

    def default(key: str) -> Value | None:
        made = _MEGATRON[key](run) if key in _MEGATRON else forced.default(key) if forced is not None else None
        if made is not None:
            return made
        reset = options.default(key) if options is not None else None
        if reset is not None:
            return reset
        return train.default(key) if train is not None else None

    return default


def sglang_defaults(run: Run, server: Table | None) -> Callable[[str], Value | None]:
    """The default function of SGLang's settings: what slime gives its engines, else SGLang's own."""

    def default(key: str) -> Value | None:
        made = _SGLANG[key](run) if key in _SGLANG else None
        if made is not None:
            return made
        found = server.default(key) if server is not None else None
        if key == "dtype" and isinstance(found, Default) and truth(plain(run.value("megatron", "fp16"))):
            return combine(lambda _: "float16", run.value("megatron", "fp16"))
        return found

    return default
