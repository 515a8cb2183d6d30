"""Where the options of a rollout engine are, whoever passes them on.

A server has them under its own name; trainers pass them on under keys of theirs. A rule on `max_cpu_loras` asks
`option(run, "vllm", "max_cpu_loras")` and holds for `vllm serve --max-cpu-loras` as for
`actor_rollout_ref.rollout.engine_kwargs.vllm.max_cpu_loras`. slime, OpenRLHF, AReaL and TRL have settings of the engine itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grpolint.catalog import versions
from grpolint.changes import RemoveOption, SetOption
from grpolint.rules.api import Inquiry, Undecided
from grpolint.run import Setting
from grpolint.versions import satisfies

__all__ = ["anywhere", "change", "generates", "option", "passed_on", "removal", "within"]

_VERL = "actor_rollout_ref.rollout."
_OWN: Mapping[str, Mapping[str, str]] = {
    "vllm": {
        "tensor_parallel_size": "tensor_model_parallel_size",
        "data_parallel_size": "data_parallel_size",
        "max_num_seqs": "max_num_seqs",
        "max_num_batched_tokens": "max_num_batched_tokens",
        "max_model_len": "max_model_len",
        "enable_chunked_prefill": "enable_chunked_prefill",
        "enable_prefix_caching": "enable_prefix_caching",
        "enforce_eager": "enforce_eager",
        "gpu_memory_utilization": "gpu_memory_utilization",
        "dtype": "dtype",
        "quantization": "quantization",
        "cudagraph_capture_sizes": "cudagraph_capture_sizes",
        "logprobs_mode": "logprobs_mode",
    },
    "sglang": {
        "tp_size": "tensor_model_parallel_size",
        "dp_size": "data_parallel_size",
        "ep_size": "expert_parallel_size",
        "mem_fraction_static": "gpu_memory_utilization",
        "disable_cuda_graph": "enforce_eager",
        "dtype": "dtype",
        "quantization": "quantization",
    },
}
"""What verl passes to each engine under names of its own, unless `engine_kwargs` says otherwise."""

_BAGS = {
    "verl": "actor_rollout_ref.rollout.engine_kwargs.{engine}",
    "skyrl": "generator.inference_engine.engine_init_kwargs",
}
"""The sections that trainers hand to the engine as they are."""

_ASKED_FOR: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("verl", "vllm"): (
        ("<0.5", "<=0.8.5"),
        (">=0.5,<0.6", ">=0.7.3,<=0.8.5"),
        (">=0.6,<0.7", ">=0.8.5,<=0.11.0"),
        (">=0.7,<0.9", ">=0.8.5,<=0.12.0"),
        (">=0.9.1,<0.9.2", "==0.24.0"),
    ),
    ("verl", "sglang"): (
        (">=0.4.1,<0.6", "==0.4.6.post5"),
        (">=0.6.1,<0.7", "==0.5.5"),
        (">=0.7.1,<0.8", "==0.5.6"),
        (">=0.8,<0.9", "==0.5.8"),
        (">=0.9.1,<0.9.2", "==0.5.12"),
    ),
    ("trl", "vllm"): (
        (">=0.15,<0.16", "==0.7.2"),
        (">=0.17,<0.20", ">=0.8.3"),
        (">=0.22,<0.24", ">=0.10.0"),
        (">=0.24,<0.26", "==0.10.2"),
        (">=0.26,<0.27", ">=0.10.2,<0.12.0"),
        (">=0.27,<0.30", ">=0.10.2,<0.13.0"),
        (">=1.16,<1.17", ">=0.22.0,<=0.31.0"),
    ),
}
"""The releases of an engine that releases of a trainer ask for when they are installed with it."""


def generates(run: Inquiry, engine: str) -> bool:
    """Whether the run's samples come from that engine. Raises Undecided where nobody knows."""
    return run.text("fact:rollout_engine") == engine


def option(run: Inquiry, engine: str, name: str) -> str:
    """The reference of an engine's option in this run."""
    for trainer, bag in _BAGS.items():
        settings = run.run.settings.get(trainer)
        if settings is None:
            continue
        key = f"{bag.format(engine=engine)}.{name}"
        own = _OWN[engine].get(name) if trainer == "verl" else None
        return f"{trainer}:{key}" if own is None or key in settings else f"{trainer}:{_VERL}{own}"
    return f"{engine}:{name}"


def anywhere(engine: str, name: str) -> str:
    """The places of an engine's option for a guard: the engine's own, or where a trainer passes it on."""
    bags = (f"{trainer}:{bag.format(engine=engine)}.{name}" for trainer, bag in _BAGS.items())
    own = _OWN[engine].get(name)
    return "|".join((f"{engine}:{name}", *bags, *((f"verl:{_VERL}{own}",) if own else ())))


def change(ref: str, value: object, *, safe: bool = False) -> SetOption:
    """The change that gives the option behind a reference a value."""
    framework, _, key = ref.partition(":")
    return SetOption(framework, key, value, safe)


def removal(ref: str, *, safe: bool = False) -> RemoveOption:
    """The change that takes the option behind a reference out."""
    framework, _, key = ref.partition(":")
    return RemoveOption(framework, key, safe)


def passed_on(run: Inquiry, engine: str) -> Iterator[tuple[str, Setting]]:
    """The options that a trainer hands to the engine as they are: the engine's name for each, and its setting."""
    for trainer, bag in _BAGS.items():
        settings = run.run.settings.get(trainer)
        if settings is not None:
            section = bag.format(engine=engine)
            for setting in settings.under(section):
                yield setting.key[len(section) + 1 :].split(".", 1)[0].replace("-", "_"), setting


def within(run: Inquiry, engine: str, releases: str) -> bool:
    """Whether the engine's release is one of those: of a server the one in use, below a trainer the one that somebody named,
    else the releases that the trainer's own release asks for, where all agree. Raises Undecided where nobody can tell.
    """
    settings = run.run.settings.get(engine)
    if settings is not None and (run.run.trainer == engine or not settings.version.assumed):
        return satisfies(settings.version.text, releases)
    given = run.release(engine)
    if given is not None:
        return satisfies(given, releases)
    trainer = run.release(run.run.trainer)
    for range_, wanted in _ASKED_FOR.get((run.run.trainer, engine), ()) if trainer is not None else ():
        if trainer is not None and satisfies(trainer, range_):
            answers = {satisfies(each, releases) for each in versions(engine) if satisfies(each, wanted)}
            if len(answers) == 1:
                return answers.pop()
    raise Undecided(f"version:{engine}")
