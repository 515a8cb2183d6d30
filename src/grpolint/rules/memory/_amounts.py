"""Amounts of memory as messages show them, and what an engine splits the weights over."""

from __future__ import annotations

from grpolint.rules.api import Inquiry, Undecided
from grpolint.values import Unknown

__all__ = ["GIB", "engine_ranks", "gib", "in_part", "sixteen_bits"]

_TUNERS = ("llamafactory:finetuning_type", "ms-swift:tuner_type", "ms-swift:train_type")
_FROZEN = (
    "llamafactory:use_galore",
    "llamafactory:use_apollo",
    "llamafactory:use_badam",
    "ms-swift:freeze_parameters_ratio",
    "axolotl:unfrozen_parameters",
)

GIB = 1 << 30


def gib(amount: float) -> str:
    """Bytes in GiB with one decimal: `14.2 GiB`."""
    return f"{amount / GIB:.1f} GiB"


def sixteen_bits(run: Inquiry) -> bool:
    """Whether the rollout engine holds the weights in 16 bits or more. Raises Undecided where nobody knows."""
    if run.known("fact:quantized_weights") is not False:
        return False
    refs = (
        "verl:actor_rollout_ref.rollout.quantization",
        "verl:actor_rollout_ref.rollout.engine_kwargs.vllm.quantization",
        "verl:actor_rollout_ref.rollout.engine_kwargs.sglang.quantization",
        "verl:actor_rollout_ref.rollout.load_in_4bit",
        "vllm:quantization",
        "vllm:cpu_offload_gb",
        "vllm:load_format",
        "sglang:quantization",
        "sglang:cpu_offload_gb",
    )
    return all(run.known(ref) in (None, False, "", 0, "auto", "safetensors", "dummy") for ref in refs)


def engine_ranks(run: Inquiry) -> tuple[int, str]:
    """The devices that share one copy of the weights at most, with how that came about: `tensor parallel 2`.

    Experts may be spread over data parallel ranks as well.
    """
    ranks, shown = run.integer("fact:rollout_tp") or 1, []
    if ranks > 1:
        shown.append(f"tensor parallel {ranks}")
    sizes: dict[str, tuple[str, ...]] = {
        "pipeline parallel": (
            "verl:actor_rollout_ref.rollout.pipeline_model_parallel_size",
            "vllm:pipeline_parallel_size",
            "sglang:pp_size",
            "nemo-rl:policy.generation.vllm_cfg.pipeline_parallel_size",
            "skyrl:generator.inference_engine.pipeline_parallel_size",
            "ms-swift:vllm_pipeline_parallel_size",
            "roll:actor_infer.strategy_args.strategy_config.pipeline_parallel_size",
        )
    }
    if run.known("fact:moe") is not False:
        sizes["data parallel"] = (
            "verl:actor_rollout_ref.rollout.data_parallel_size",
            "vllm:data_parallel_size",
            "sglang:dp_size",
            "nemo-rl:policy.generation.vllm_cfg.expert_parallel_size",
            "skyrl:generator.inference_engine.data_parallel_size",
            "ms-swift:vllm_data_parallel_size",
            "roll:actor_infer.strategy_args.strategy_config.data_parallel_size",
            "prime-rl:inference.parallel.dp",
        )
    for word, refs in sizes.items():
        size = max((run.integer(ref) or 1 for ref in refs), default=1)
        if size > 1:
            ranks *= size
            shown.append(f"{word} {size}")
    stages = _stages_of_areal(run) if run.run.trainer == "areal" else 1
    if stages > 1:
        ranks *= stages
        shown.append(f"pipeline parallel {stages}")
    return ranks, " * ".join(shown)


def _stages_of_areal(run: Inquiry) -> int:
    """Pipeline stages of AReaL's engines, which its allocation names."""
    from grpolint.frameworks.areal.facts import part

    value = part("rollout", lambda found: found.p)(run.run)
    if isinstance(value, Unknown):
        raise Undecided(f"areal:allocation_mode ({value.reason})")
    return value.value if value is not None and isinstance(value.value, int) else 1


def in_part(run: Inquiry) -> bool:
    """Whether only a part of the parameters is trained, or the states of Adam are narrower than 32 bits or paged out.

    Raises Undecided where nobody knows.
    """
    if any(run.text(ref) not in (None, "full") for ref in _TUNERS):
        return True
    if any(run.known(ref) for ref in _FROZEN):
        return True
    narrow = run.text("transformers:optim") or "" if run.is_set("transformers:optim") else ""
    return any(word in narrow for word in ("8bit", "4bit", "fp8", "paged"))
