"""Mixture of experts: in which type the router computes, and whether trainer and rollout engine choose the same experts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.changes import SetOption
from grpolint.topics.base import Advice, Asked, Topic
from grpolint.versions import satisfies

if TYPE_CHECKING:
    from grpolint.hardware import Gpu

__all__ = ["TOPIC"]

_ROUTER = "megatron-core 0.19.2: megatron/core/transformer/moe/router.py"
_REPLAY = "router replay: options of the frameworks"
_PRECISION = "grpolint lab softmax"
_ACTOR = "actor_rollout_ref.actor"

_ENGINES = "the rollout engine decides for each model in which type its router computes; it has no option for that"
_SOFTMAX = (
    "the softmax is in fp32 in every release of megatron-core; the logits before it have the type of the input unless the "
    "router's type is set (from megatron-core 0.12.0)"
)
_REPEAT = (
    "the trainer repeats the experts that the rollout engine chose: rounding makes the two choose differently, and then "
    "they are two policies"
)
_QUANTISED = (
    "a quantised rollout computes other logits, so that it chooses other experts: repeat its choices, or correct for the "
    "difference by importance weights"
)


def _megatron_router(framework: str, key: str) -> Advice:
    return Advice(SetOption(framework, key, "fp32"), f"router logits in fp32; {_SOFTMAX}", (_ROUTER, _PRECISION))


def _verl(asked: Asked) -> tuple[Advice, ...]:
    section = f"{_ACTOR}.megatron" if satisfies(asked.version, ">=0.8") else _ACTOR
    return (
        Advice(None, "with FSDP the model's own code decides: see trl; what follows is for Megatron", ()),
        _megatron_router("verl", f"{_ACTOR}.megatron.override_transformer_config.moe_router_dtype"),
        Advice(
            SetOption("verl", f"{section}.router_replay.mode", "R3"),
            f"{_REPEAT} (needs vllm 0.14.0 or sglang 0.5.7)",
            (_REPLAY,),
        ),
        Advice(
            SetOption("verl", "actor_rollout_ref.rollout.enable_rollout_routing_replay", True),
            "R3 replays nothing unless the rollout engine returns its choices",
            (_REPLAY,),
        ),
        Advice(None, _ENGINES),
        Advice(None, _QUANTISED),
    )


def _megatron(asked: Asked) -> tuple[Advice, ...]:
    scaled = (
        "before 0.19.0 auxiliary and z-loss lack a factor of the tensor and context parallel size under "
        "--calculate-per-token-loss"
    )
    return (
        _megatron_router("megatron", "moe_router_dtype"),
        Advice(
            None,
            "moe_enable_routing_replay (from 0.16.0) only opens the hooks: the RL trainer on top has to fill them",
            (_REPLAY,),
        ),
        Advice(
            None,
            "router z-loss under TE CUDA graphs: the tensor that capture refused stood on the main branch only; releases up "
            "to 0.19.2 count tokens without one unless a padding mask is given",
            ("NVIDIA/Megatron-LM#5401",),
        ),
        Advice(
            None,
            "no release repeats the choices of a sparse-attention indexer (DSA): watch the difference of log-probabilities",
            ("NVIDIA/Megatron-LM#5384", "NVIDIA/Megatron-LM#5386"),
        ),
        *([] if satisfies(asked.version, ">=0.19") else [Advice(None, scaled)]),
    )


def _slime(_: Asked) -> tuple[Advice, ...]:
    return (
        _megatron_router("megatron", "moe_router_dtype"),
        Advice(SetOption("slime", "use_rollout_routing_replay", True), _REPEAT, (_REPLAY,)),
        Advice(None, _ENGINES),
        Advice(None, _QUANTISED),
    )


def _deepspeed(_: Asked) -> tuple[Advice, ...]:
    says = "its own gate casts input and weight to fp32 before logits and softmax, in every release: nothing to set"
    return (Advice(None, says, ("deepspeed 0.19.8: deepspeed/moe/sharded_moe.py",)),)


def _transformers(_: Asked) -> tuple[Advice, ...]:
    says = (
        "the model's code in transformers (5.10.1) decides: Qwen3-MoE and Mixtral take the softmax in fp32 over logits of the model's "
        "type, DeepSeek-V3 and GLM-4 compute the logits in fp32 too, gpt-oss takes the softmax in the model's type; there "
        "is no option, and no replay of the rollout engine's choices"
    )
    return (Advice(None, says),)


def _vllm(_: Asked) -> tuple[Advice, ...]:
    ascend = (
        "vllm-ascend before 0.23.0rc1 lost the marks of dropped rows on A5 devices with the all-gather dispatcher: NaN that "
        "has nothing to do with the softmax"
    )
    return (
        Advice(
            SetOption("vllm", "enable_return_routed_experts", True),
            "returns the chosen experts (from 0.14.0), for a trainer that repeats them; of no use to any other",
            (_REPLAY,),
        ),
        Advice(None, _ENGINES),
        Advice(None, _QUANTISED),
        Advice(None, ascend, ("vllm-project/vllm-ascend#10579",)),
    )


def _sglang(asked: Asked) -> tuple[Advice, ...]:
    indexer = "enable_return_indexer_topk (from 0.5.12) returns what a sparse-attention indexer chose; no released trainer repeats it"
    return (
        Advice(
            SetOption("sglang", "enable_return_routed_experts", True),
            "returns the chosen experts (from 0.5.7), for a trainer that repeats them; of no use to any other",
            (_REPLAY,),
        ),
        Advice(None, _ENGINES),
        Advice(None, _QUANTISED),
        *([Advice(None, indexer, ("NVIDIA/Megatron-LM#5384",))] if satisfies(asked.version, ">=0.5.12") else []),
    )


_ADVICE = {
    "verl": _verl,
    "megatron": _megatron,
    "slime": _slime,
    "deepspeed": _deepspeed,
    "openrlhf": _transformers,
    "trl": _transformers,
    "vllm": _vllm,
    "sglang": _sglang,
}


def advice(asked: Asked) -> tuple[Advice, ...] | None:
    """What to set in a framework's release for a mixture of experts, and what is true of it without an option."""
    make = _ADVICE.get(asked.framework)
    return make(asked) if make is not None else None


def card(gpu: Gpu) -> tuple[str, ...]:
    """What is true of a mixture of experts on an accelerator."""
    holds = gpu.memory * 2**30 / 2 / 1e9
    weights = (
        f"{gpu.memory} GiB hold {holds:.1f} billion parameters in bf16 and nothing else; Qwen3-30B-A3B has 30.5 billion, all of "
        "which have to be there, whatever share a token uses"
    )
    found = [weights]
    if gpu.capability is not None:
        found.append(
            "vllm-project/vllm-ascend#10579 is about Ascend devices and an index, not about a softmax on this card"
        )
        found.append(
            "it computes in bf16 natively"
            if gpu.capability >= (8, 0)
            else "it has no bf16 arithmetic of its own: fp16 is what it trains in, with loss scaling"
        )
    found.append("torch's softmax subtracts the maximum: finite router logits give no NaN in fp16 either")
    return tuple(found)


TOPIC = Topic(
    name="moe",
    title="mixture of experts: the router's precision, replay of its choices, sizes of parallel groups",
    rules=("MO", "D16", "D17", "N14", "MG005", "VE014", "VE020", "VE025"),
    handbook=("D13", "D16", "D17", "N14"),
    patterns=("moe_fp16_nan", "discrete_decision_mismatch"),
    facts=(
        "model",
        "moe",
        "experts",
        "engine",
        "precision",
        "router_dtype",
        "router_replay",
        "sparse_attention",
        "indexer_replay",
        "bypass_mode",
        "rollout_engine",
        "rollout_dtype",
        "enforce_eager",
        "tp",
        "ep",
        "rollout_tp",
        "group_size",
        "gpu",
    ),
    advice=advice,
    card=card,
)
