"""The arguments of ms-swift over those of Transformers, or of Megatron where that trains, and what its code decides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from grpolint.catalog import Option
from grpolint.frameworks.asking import lower
from grpolint.frameworks.flags import Syntax
from grpolint.frameworks.layers import Layers
from grpolint.frameworks.swift.processes import world_size
from grpolint.run import Run, Version
from grpolint.values import Unknown, Value, combine, plain
from grpolint.world import World

__all__ = ["SwiftLayers", "tuner"]

_SEQ2SEQ = (
    "predict_with_generate",
    "sortish_sampler",
    "generation_max_length",
    "generation_num_beams",
    "generation_config",
)
"""Arguments of Transformers' sequence-to-sequence trainer, which ms-swift's extend."""

_BETAS = {"grpo": 0.04, "gkd": 0.5, "simpo": 2.0}
_DTYPES = {"bfloat16": (True, False), "float16": (False, True), "float32": (False, True)}
"""(bf16, fp16) by `torch_dtype`."""

_OF_CHECKPOINT = frozenset({
    "num_experts", "num_layers", "hidden_size", "ffn_hidden_size", "num_attention_heads", "num_query_groups",
    "group_query_attention", "kv_channels", "max_position_embeddings", "vocab_size", "padded_vocab_size",
    "moe_ffn_hidden_size", "moe_router_topk", "moe_layer_freq", "moe_shared_expert_intermediate_size",
    "moe_router_num_groups", "moe_router_group_topk", "moe_router_score_function", "moe_router_enable_expert_bias",
    "moe_router_load_balancing_type", "moe_router_topk_scaling_factor", "multi_latent_attention",
    "untie_embeddings_and_output_weights", "position_embedding_type", "rotary_base", "rotary_percent", "normalization",
    "swiglu", "qk_layernorm", "add_bias_linear", "add_qkv_bias", "experimental_attention_variant", "seq_length",
})  # fmt: skip
"""Megatron's options that Megatron-SWIFT takes from the checkpoint where nobody sets them."""


_RENAMED = {"fp8": "fp8_format", "fp4": "fp4_format"}
"""Megatron's options that Megatron-SWIFT calls by their flags."""


class SwiftLayers(Layers):
    """The settings of one command; `table` is the catalog's table of it (`rlhf`, `megatron_sft`)."""

    def __init__(self, run: Run, world: World, table: str, version: Version) -> None:
        self.table = table
        self.megatron = table.startswith("megatron_")
        lower_one = ("megatron", ("train",)) if self.megatron else ("transformers", ("TrainingArguments",))
        super().__init__(run, world, "ms-swift", (table,), lower=lower_one, version=version)
        if self.megatron:
            self._below = ()  # only what ms-swift declares itself can be given

    @property
    def complete(self) -> bool:
        """Whether the catalog has everything that the command takes."""
        return bool(self._own) and (self.megatron or bool(self._below))

    def syntax(self) -> Syntax:
        """How HfArgumentParser reads a command line."""
        return Syntax("ms-swift", self.tables, bool_values=True, abbreviations=True)

    def known(self, key: str) -> bool:
        """Whether the command takes an option."""
        return self.option(key) is not None or (not self.megatron and key in _SEQ2SEQ)

    def decided(self, key: str, option: Option | None) -> Value | None:
        """What the code of the release decides where nobody says anything."""
        if self.megatron and key in _OF_CHECKPOINT:
            return Unknown("file:checkpoint")
        if self.megatron and key in _RENAMED:
            return self.run.value("ms-swift", _RENAMED[key])
        decide = _DECIDED.get(key)
        return decide(self) if decide is not None and option is not None else None


def tuner(run: Run) -> Value | None:
    """What is trained: `full`, `lora`, ... Releases that know the former name as well copy it over where it is given."""
    former = run.setting("ms-swift", "train_type")
    if former is not None:
        return former.value
    return run.value("ms-swift", "tuner_type") or run.value("ms-swift", "train_type")


def _learning_rate(layers: SwiftLayers) -> Value | None:
    return combine(lambda kind: 1e-5 if lower(kind) == "full" else 1e-4, tuner(layers.run))


def _accumulation(layers: SwiftLayers) -> Value | None:
    """One for GRPO, else what fills a batch of 16."""
    run = layers.run
    kind = run.value("ms-swift", "rlhf_type")
    if plain(kind) == "grpo":
        return combine(lambda _: 1, kind)
    micro = run.value("transformers", "per_device_train_batch_size")
    return combine(lambda each, world: max(1, math.ceil(16 / int(each) / int(world))), micro, world_size(run))


def _beta(layers: SwiftLayers) -> Value | None:
    return combine(lambda kind: _BETAS.get(lower(kind), 0.1), layers.run.value("ms-swift", "rlhf_type"))


def _half(place: int) -> Any:
    def decide(layers: SwiftLayers) -> Value | None:
        dtype = layers.run.value("ms-swift", "torch_dtype")
        if isinstance(dtype, Unknown) or plain(dtype) is None:
            return dtype if isinstance(dtype, Unknown) else Unknown("computed:type of the checkpoint")
        return combine(lambda name: _DTYPES[str(name)][place] if str(name) in _DTYPES else None, dtype)

    return decide


_DECIDED: Mapping[str, Any] = {
    "learning_rate": _learning_rate,
    "lr": _learning_rate,
    "gradient_accumulation_steps": _accumulation,
    "beta": _beta,
    "bf16": _half(0),
    "fp16": _half(1),
}
