"""Architectures of the models that people train: by hub id, or from the `config.json` of a checkpoint."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from grpolint.records import Record, replace

__all__ = ["ATTENTION", "Architecture", "architectures", "find_model", "short_name"]

ATTENTION = ("full", "sliding", "latent", "hybrid")
"""Kinds of attention: every layer sees everything; some layers see a window; keys and values are compressed (MLA); some
layers are linear attention or a state space."""


class Architecture(Record):
    """The numbers of a decoder. Widths in channels, `context` in tokens (None where the id does not tell).

    `intermediate` is the width of a dense feed-forward layer, `expert_width` that of one routed expert and `shared_width` that of the shared
    experts together; the first `dense_layers` layers have no experts. Norms are RMS norms with one weight per channel;
    `qk_norm` adds one for the heads of queries and of keys. `total` is the number of parameters that the publisher gives,
    where it does not follow from the rest; `irregular` says that it does not, for layers that differ in ways that are not
    told here. `full_layers` are the layers with full attention under `hybrid`; `latent` is the width that is cached for a
    token and layer under `latent`. `quantized` weights take fewer than 16 bits in the published files.
    """

    name: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    tied: bool
    qkv_bias: bool = False
    qk_norm: bool = False
    experts: int = 0
    experts_per_token: int = 0
    expert_width: int = 0
    shared_width: int = 0
    dense_layers: int = 0
    attention: str = "full"
    full_layers: int | None = None
    latent: int | None = None
    sparse: bool = False
    multimodal: bool = False
    irregular: bool = False
    quantized: bool = False
    total: int | None = None
    context: int | None = None
    source: str = ""

    @property
    def projections(self) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of the attention matrices of one layer: query, key, value, output."""
        query, key = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return (self.hidden, query), (self.hidden, key), (self.hidden, key), (query, self.hidden)

    def feed_forward(self, width: int) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of the matrices of one gated feed-forward layer of that width: gate, up, down."""
        return (self.hidden, width), (self.hidden, width), (width, self.hidden)

    @property
    def plain(self) -> bool:
        """Whether its parameters follow from these numbers: attention of one kind and no tower for pictures."""
        return self.attention in ("full", "sliding") and not self.multimodal and not self.irregular

    def _layer(self, experts: bool) -> int:
        total = sum(a * b for a, b in self.projections) + 2 * self.hidden
        total += sum(outputs for _, outputs in self.projections[:3]) if self.qkv_bias else 0
        total += 2 * self.head_dim if self.qk_norm else 0
        if not experts:
            return total + 3 * self.hidden * self.intermediate
        router = self.experts * self.hidden
        return total + router + 3 * self.hidden * (self.experts * self.expert_width + self.shared_width)

    @property
    def layer(self) -> int:
        """Parameters of one layer, the largest kind."""
        return self._layer(experts=bool(self.experts))

    @property
    def parameters(self) -> int:
        """Parameters of the model, tied embeddings counted once: as published, else the sum of its matrices."""
        if self.total is not None:
            return self.total
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2)
        dense = self.dense_layers if self.experts else self.layers
        sparse = self.layers - dense
        return embeddings + dense * self._layer(False) + sparse * self._layer(True) + self.hidden

    def lora(self, rank: int) -> int:
        """Parameters of LoRA adapters of that rank on every linear layer but embeddings, head and experts' router:
        rank * (inputs + outputs) each (Hu et al. 2021, https://arxiv.org/abs/2106.09685).
        """
        attention = sum(a + b for a, b in self.projections)
        dense = self.dense_layers if self.experts else self.layers
        routed = self.experts * sum(a + b for a, b in self.feed_forward(self.expert_width))
        shared = sum(a + b for a, b in self.feed_forward(self.shared_width)) if self.shared_width else 0
        plain = sum(a + b for a, b in self.feed_forward(self.intermediate))
        return rank * (self.layers * attention + dense * plain + (self.layers - dense) * (routed + shared))

    @property
    def cached(self) -> int:
        """Values that the KV cache holds for one token over all layers: 2 x heads x head_dim in each, or what is compressed."""
        if self.latent is not None:
            return self.layers * self.latent
        layers = self.full_layers if self.full_layers is not None else self.layers
        return layers * 2 * self.kv_heads * self.head_dim


@lru_cache(maxsize=1)
def architectures() -> dict[str, Architecture]:
    """Every architecture of the table by its short name (`qwen2.5-7b-instruct`)."""
    with (Path(__file__).parent / "data.json").open("rb") as file:
        rows: list[dict[str, Any]] = json.load(file)
    found = {}
    for row in rows:
        names: dict[str, int | None] = row.pop("names")
        for name, context in names.items():
            found[name.lower()] = Architecture(name=name, context=context, **row)
    return found


def short_name(model: str) -> str:
    """The last part of a hub id or path, in lower case: `Qwen/Qwen2.5-7B-Instruct/` is `qwen2.5-7b-instruct`.

    The cache of the hub (`models--Qwen--Qwen3-8B/snapshots/1a2b`) tells it in the middle.
    """
    parts = [part for part in model.replace("\\", "/").split("/") if part not in ("", ".")]
    for part in parts:
        if part.startswith("models--"):
            return part.rpartition("--")[2].lower()
    return parts[-1].lower() if parts else ""


_QUANTIZED = (
    "-fp8",
    "-fp8-dynamic",
    "-awq",
    "-gptq",
    "-gptq-int4",
    "-gptq-int8",
    "-int4",
    "-int8",
    "-w8a8",
    "-bnb-4bit",
    "-4bit",
    "-mxfp4",
    "-nvfp4",
)
"""Ends of names under which the same architecture is published with weights of fewer bits."""

_VARIANTS = ("-bf16", "-fp16", "-unsloth", "-hf", "-torch-dist", "_torch_dist", "-torch_dist", "-mcore", "-megatron")
"""Ends of names under which the same weights are kept in another form."""


def find_model(model: str) -> Architecture | None:
    """The architecture behind a hub id or a path that ends in its name; None where the table has none of that name.

    Whoever publishes it, the name decides: `unsloth/Qwen3-8B-bnb-4bit` has the architecture of `Qwen/Qwen3-8B`.
    """
    name = short_name(model)
    table = architectures()
    quantized: bool | None = None
    while name not in table:
        end = next((end for end in (*_QUANTIZED, *_VARIANTS) if name.endswith(end)), None)
        if end is None or end == name:
            return None
        if end in _QUANTIZED:
            quantized = True
        elif end in ("-bf16", "-fp16"):
            quantized = False
        name = name.removesuffix(end)
    found = table[name]
    return found if quantized in (None, found.quantized) else replace(found, quantized=quantized)
