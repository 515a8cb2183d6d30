"""An architecture from the `config.json` of a checkpoint, by the names that transformers gives its numbers."""

from __future__ import annotations

from typing import Any

from grpolint.documents.nodes import Mapping, Node, Scalar, Sequence
from grpolint.documents.source import Source
from grpolint.models import Architecture

__all__ = ["from_config"]

_LINEAR = ("linear_attention", "mamba", "recurrent", "conv")
_WINDOWED = ("sliding_attention", "chunked_attention")


def from_config(source: Source) -> Architecture | None:
    """The architecture that a `config.json` describes; None if it is none, or lacks one of the numbers of a decoder."""
    from grpolint.documents import json

    root = json.parse(source).root
    if not isinstance(root, Mapping):
        return None
    text = next((found for key in ("text_config", "llm_config") if isinstance(found := root.get(key), Mapping)), root)
    tree = _Tree(text)
    hidden, layers, heads = (tree.number(key) for key in ("hidden_size", "num_hidden_layers", "num_attention_heads"))
    vocabulary, width = tree.number("vocab_size"), tree.number("intermediate_size", "moe_intermediate_size")
    if not (hidden and layers and heads and vocabulary and width):
        return None
    kinds = tree.texts("layer_types")
    experts = tree.number("num_experts", "n_routed_experts", "num_local_experts") or 0
    latent = tree.number("kv_lora_rank")
    shared = tree.number("shared_expert_intermediate_size") or 0
    expert_width = (tree.number("moe_intermediate_size") or width) if experts else 0
    if not shared and experts:
        shared = (tree.number("n_shared_experts") or 0) * expert_width
    kind, full = "full", None
    if latent:
        kind = "latent"
    elif any(each in _LINEAR for each in kinds) or tree.number("linear_num_key_heads", "full_attention_interval"):
        interval = tree.number("full_attention_interval")
        kind, full = "hybrid", (kinds.count("full_attention") or (layers // interval if interval else None))
    elif any(each in _WINDOWED for each in kinds) or (
        tree.number("sliding_window") and tree.value("use_sliding_window") is not False and not kinds
    ):
        kind = "sliding"
    tied = tree.value("tie_word_embeddings")
    if tied is None:
        tied = _Tree(root).value("tie_word_embeddings")
    return Architecture(
        name=source.path,
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=tree.number("num_key_value_heads") or heads,
        head_dim=tree.number("head_dim") or hidden // heads,
        intermediate=width,
        vocabulary=vocabulary,
        tied=bool(tied),
        qkv_bias=tree.value("attention_bias") is True or tree.value("model_type") == "qwen2",
        qk_norm=str(tree.value("model_type") or "").startswith("qwen3"),
        experts=experts,
        experts_per_token=tree.number("num_experts_per_tok", "moe_topk") or 0,
        expert_width=expert_width,
        shared_width=shared,
        dense_layers=tree.number("first_k_dense_replace") or 0,
        attention=kind,
        full_layers=full,
        latent=latent + (tree.number("qk_rope_head_dim") or 0) if latent else None,
        sparse=bool(tree.number("index_topk")),
        multimodal=any(
            isinstance(root.get(key), Mapping) for key in ("vision_config", "audio_config", "thinker_config")
        ),
        context=tree.number("max_position_embeddings"),
        source=source.path,
    )


class _Tree:
    """Numbers and texts of a mapping by their names."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping

    def value(self, key: str) -> Any:
        node = self._mapping.get(key)
        return node.value if isinstance(node, Scalar) else None

    def number(self, *keys: str) -> int | None:
        """The first of these that is a positive whole number."""
        for key in keys:
            value = self.value(key)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return None

    def texts(self, key: str) -> list[str]:
        node: Node | None = self._mapping.get(key)
        items = node.items if isinstance(node, Sequence) else ()
        return [str(item.value) for item in items if isinstance(item, Scalar)]
