"""An architecture from the `config.json` of a checkpoint, by the names that transformers gives its numbers."""

from __future__ import annotations

from typing import Any

from grpolint.documents.nodes import Mapping, Node, Scalar, Sequence
from grpolint.documents.source import Source
from grpolint.models import Architecture

__all__ = ["from_config"]

_PARTS = ("thinker_config", "text_config", "llm_config", "language_config")
"""Where models of pictures and sound keep their decoder."""

_LINEAR = ("linear_attention", "mamba", "recurrent", "conv")
_WINDOWED = ("sliding_attention", "chunked_attention")
_STATES = ("linear_num_key_heads", "full_attention_interval", "ssm_state_size", "mamba_d_state", "mamba_num_heads")

_REGULAR = frozenset(
    {
        "gemma",
        "gemma2",
        "gemma3_text",
        "glm4_moe",
        "gpt_oss",
        "llama",
        "mimo",
        "mistral",
        "mixtral",
        "qwen2",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
    }
)
"""Model types whose layers are as `Architecture` counts them; others may have more."""

_TIED = ("cohere", "ernie4_5", "falcon", "gemma", "lfm2", "smollm3", "starcoder2")
"""Beginnings of the model types whose configuration ties embeddings where the file does not say (transformers 5.24)."""

_BIASED = ("qwen2", "qwen2_moe", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text")

_UNSCALED = ("default", "mrope", "llama3", "longrope", "su", "proportional")
"""Kinds of rotary embedding whose factor does not lengthen the context that the file gives."""

_LARGEST = 1_000_000_000
"""No number of an architecture is larger; what is, was not meant."""


def from_config(source: Source) -> Architecture | None:
    """The architecture that a `config.json` describes; None if it is none, or lacks one of the numbers of a decoder."""
    from grpolint.documents import json

    root = json.parse(source).root
    if not isinstance(root, Mapping):
        return None
    outer, tree = _Tree(root), _Tree(_decoder(root))
    kind = str(tree.value("model_type") or outer.value("model_type") or "")
    hidden, layers, heads = (tree.number(key) for key in ("hidden_size", "num_hidden_layers", "num_attention_heads"))
    vocabulary = tree.number("vocab_size")
    width = tree.number("intermediate_size", "moe_intermediate_size")
    if not (hidden and layers and heads and vocabulary and width):
        return None
    kv_heads = tree.number("num_key_value_heads") or heads
    experts = tree.number("num_experts", "n_routed_experts", "num_local_experts", "num_routed_experts") or 0
    active = tree.number("num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_topk") or 0
    if heads % kv_heads or active > experts:
        return None
    narrow = (tree.number("moe_intermediate_size") or width) if experts else 0
    shared = tree.number("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size") or 0
    if not shared and experts:
        shared = (tree.number("n_shared_experts", "num_shared_experts") or 0) * narrow
    dense = tree.number("first_k_dense_replace") or 0
    latent = tree.number("kv_lora_rank")
    attention, full = _attention(tree, layers)
    return Architecture(
        name=source.path,
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=tree.number("head_dim") or max(1, hidden // heads),
        intermediate=width,
        vocabulary=vocabulary,
        tied=_tied(outer, tree, kind),
        qkv_bias=True in (tree.value("attention_bias"), tree.value("qkv_bias")) or kind in _BIASED,
        qk_norm=kind.startswith("qwen3") or tree.value("use_qk_norm") is True,
        experts=experts,
        experts_per_token=active,
        expert_width=narrow,
        shared_width=shared,
        dense_layers=dense if dense < layers else 0,
        attention=attention,
        full_layers=full,
        latent=latent + (tree.number("qk_rope_head_dim") or 0) if latent else None,
        sparse=bool(tree.number("index_topk")),
        multimodal=any(outer.has(key) for key in ("vision_config", "audio_config", _PARTS[0]))
        or any(name.endswith("ForConditionalGeneration") for name in outer.texts("architectures")),
        irregular=kind not in _REGULAR or _uneven(tree),
        quantized=outer.has("quantization_config") or tree.has("quantization_config"),
        context=_context(tree, kind),
        source=source.path,
    )


def _decoder(root: Mapping) -> Mapping:
    """The part that describes the decoder."""
    for key in _PARTS:
        part = root.get(key)
        if isinstance(part, Mapping):
            root = part
    return root


def _attention(tree: _Tree, layers: int) -> tuple[str, int | None]:
    """The kind of attention, and the layers with full attention where the others have linear attention."""
    kinds = tree.texts("layer_types")
    pattern = str(tree.value("hybrid_override_pattern") or "")
    if tree.number("kv_lora_rank"):
        return "latent", None
    if pattern or any(each in _LINEAR for each in kinds) or tree.number(*_STATES):
        interval = tree.number("full_attention_interval") or layers + 1
        full = pattern.count("*") or kinds.count("full_attention") or layers // interval
        return "hybrid", full if 0 < full < layers else None
    window = tree.number("sliding_window") and tree.value("use_sliding_window") is not False and not kinds
    chunked = tree.number("attention_chunk_size")
    return ("sliding" if window or chunked or any(each in _WINDOWED for each in kinds) else "full"), None


def _tied(outer: _Tree, tree: _Tree, kind: str) -> bool:
    """Whether embeddings are tied: the whole model decides, then its decoder, then the default of the type."""
    given = outer.value("tie_word_embeddings")
    given = tree.value("tie_word_embeddings") if given is None else given
    return kind.startswith(_TIED) if given is None else given is True


def _uneven(tree: _Tree) -> bool:
    """Whether layers with and without experts alternate."""
    steps = ("decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step")
    return any((tree.number(key) or 1) > 1 for key in steps) or bool(tree.texts("mlp_only_layers"))


def _context(tree: _Tree, kind: str) -> int | None:
    """Tokens that engines take at most: what the file gives, lengthened by the factor of its rotary embedding."""
    given = tree.number("max_position_embeddings", "n_positions", "max_sequence_length")
    if given is None:
        return None
    longest = max(given, tree.number("model_max_length") or 0)
    for key in ("rope_scaling", "rope_parameters"):
        part = tree.part(key)
        name = str(part.value("rope_type") or part.value("type") or "default")
        factor = part.value("factor")
        if name in _UNSCALED or kind.startswith("gemma3") or not isinstance(factor, (int, float)) or not factor > 1:
            continue
        base = part.number("original_max_position_embeddings") if name.endswith("yarn") else None
        if factor <= _LARGEST / given:
            longest = max(longest, int((base or given) * factor))
    return longest


class _Tree:
    """Numbers and texts of a mapping by their names."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping

    def value(self, key: str) -> Any:
        node = self._mapping.get(key)
        return node.value if isinstance(node, Scalar) else None

    def number(self, *keys: str) -> int | None:
        """The first of these that is a positive whole number of a size that makes sense."""
        for key in keys:
            value = self.value(key)
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST:
                return value
        return None

    def texts(self, key: str) -> list[str]:
        node: Node | None = self._mapping.get(key)
        items = node.items if isinstance(node, Sequence) else ()
        return [str(item.value) for item in items if isinstance(item, Scalar)]

    def has(self, key: str) -> bool:
        """Whether there is such a part."""
        return isinstance(self._mapping.get(key), Mapping)

    def part(self, key: str) -> _Tree:
        node = self._mapping.get(key)
        return _Tree(node if isinstance(node, Mapping) else Mapping(self._mapping.span))
