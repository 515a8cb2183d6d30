"""ZeRO: what DeepSpeed shards and offloads, and which of its settings are safe."""

from __future__ import annotations

from grpolint.changes import Change, SetOption
from grpolint.hardware import find_gpu
from grpolint.topics.base import Advice, Asked, Topic
from grpolint.versions import satisfies

__all__ = ["TOPIC"]

_CLIP = ("deepspeedai/DeepSpeed#8068",)
_OVERLAP = ("deepspeedai/DeepSpeed#8061", "deepspeedai/DeepSpeed#8080")


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release; None where it trains without DeepSpeed."""
    makers = {"deepspeed": _deepspeed, "trl": _trl, "openrlhf": _openrlhf}
    maker = makers.get(asked.framework)
    return maker(asked) if maker is not None else None


def _half(asked: Asked) -> str:
    """The half precision that the accelerator has; bf16 where none is named."""
    gpu = find_gpu(asked.gpu) if asked.gpu is not None else None
    old = gpu is not None and gpu.capability is not None and gpu.capability < (8, 0)
    return "fp16" if old else "bf16"


def _deepspeed(asked: Asked) -> tuple[Advice, ...]:
    half = _half(asked)
    found = [
        Advice(_set("deepspeed", f"{half}.enabled", True), f"{half} alone; both at once are refused"),
        Advice(
            _set("deepspeed", "zero_optimization.stage", 2),
            "shards gradients and optimizer states; stage 3 only for offload_param",
        ),
        Advice(
            _set("deepspeed", "gradient_clipping", 1.0), "the default is 0.0 (off) before 0.19.3 and 1.0 since", _CLIP
        ),
        Advice(_set("deepspeed", "zero_optimization.contiguous_gradients", True), "one buffer for the gradients"),
    ]
    if satisfies(asked.version, "<0.19.3"):
        why = "with torch.compile the reduction may read gradients that are being written"
        found.append(Advice(_set("deepspeed", "zero_optimization.overlap_comm", False), why, _OVERLAP))
        if half == "bf16" and _has(asked.version, "bf16.check_grad_overflow"):
            why = "off by default before 0.19.3: an infinite gradient would be applied"
            refs = ("deepspeedai/DeepSpeed#8035",)
            found.append(Advice(_set("deepspeed", "bf16.check_grad_overflow", True), why, refs))
    return tuple(found)


def _has(version: str, key: str) -> bool:
    from grpolint.catalog import table

    options = table("deepspeed", "config", version)
    return options is not None and key in options


def _trl(asked: Asked) -> tuple[Advice, ...]:
    """TRL takes the file by `deepspeed`; what `auto` in it means stands in its arguments."""
    half = _half(asked)
    return (
        Advice(
            _set("transformers", "max_grad_norm", 1.0), "what gradient_clipping auto takes; 0 switches it off", _CLIP
        ),
        Advice(_set("transformers", half, True), f"what {half}.enabled auto takes"),
        Advice(
            _set("transformers", "torch_compile", False), "with overlap_comm a source of NaN before 0.19.3", _OVERLAP
        ),
    )


def _openrlhf(asked: Asked) -> tuple[Advice, ...]:
    """OpenRLHF writes the DeepSpeed configuration itself, from its own options."""
    from grpolint.catalog import table
    from grpolint.frameworks.openrlhf.names import FORMER

    options = table("openrlhf", "train_ppo_ray", asked.version)
    found = []
    for key, value, why, refs in (
        ("ds.zero_stage", 2, "shards gradients and optimizer states", ()),
        ("actor.max_norm", 1.0, "becomes gradient_clipping of the DeepSpeed configuration", _CLIP),
    ):
        name = next((each for each in (key, *FORMER[key]) if options is not None and each in options), None)
        if name is not None:
            found.append(Advice(_set("openrlhf", name, value), why, refs))
    return tuple(found)


def _set(framework: str, key: str, value: object) -> Change:
    return SetOption(framework, key, value)


TOPIC = Topic(
    name="zero",
    title="DeepSpeed ZeRO: stages, offload, clipping and precision",
    rules=("DS", "CF001", "CF006", "CF022", "CF025", "PR001", "D01", "D02", "D10", "N01", "N03", "N15", "N16", "N17"),
    handbook=("D01", "D02", "D10", "N01", "N03", "N15", "N16", "N17"),
    patterns=("cuda_stream_safety", "muon_clipping"),
    facts=(
        "engine",
        "zero_stage",
        "offload_optimizer",
        "offload_params",
        "overlap_comm",
        "torch_compile",
        "clip_norm",
        "optimizer",
        "learning_rate",
        "precision",
        "bf16",
        "fp16",
        "micro_batch_per_gpu",
        "gradient_accumulation",
        "train_batch_samples",
        "world_size",
        "dp",
        "lora_rank",
        "model",
        "gpu",
        "gpu_memory",
    ),
    advice=advice,
)
