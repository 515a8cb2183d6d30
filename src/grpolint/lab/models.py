"""Architecture numbers of some models people train with GRPO, from the `config.json` each publishes on the hub."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MODELS", "Architecture"]


@dataclass(frozen=True)
class Architecture:
    """A decoder with grouped-query attention and gated feed-forward layers, dense or with routed experts.

    `intermediate` is the width of the feed-forward layer, of one expert where there are experts. Norms are RMS norms
    with one weight per channel; `qk_norm` adds one for the heads of queries and of keys. No latent attention, no
    shared experts, no vision tower.
    """

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

    @property
    def attention(self) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of the projections of one layer: query, key, value, output."""
        query, key = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return (self.hidden, query), (self.hidden, key), (self.hidden, key), (query, self.hidden)

    @property
    def feed_forward(self) -> tuple[tuple[int, int], ...]:
        """(inputs, outputs) of the matrices of one dense layer or one expert: gate, up, down."""
        return (
            (self.hidden, self.intermediate),
            (self.hidden, self.intermediate),
            (self.intermediate, self.hidden),
        )

    @property
    def layer(self) -> int:
        """Parameters of one layer."""
        total = sum(a * b for a, b in self.attention) + 2 * self.hidden
        total += sum(outputs for _, outputs in self.attention[:3]) if self.qkv_bias else 0
        total += 2 * self.head_dim if self.qk_norm else 0
        total += max(self.experts, 1) * sum(a * b for a, b in self.feed_forward) + self.experts * self.hidden
        return total

    @property
    def parameters(self) -> int:
        """Parameters of the model, tied embeddings counted once."""
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2)
        return embeddings + self.layers * self.layer + self.hidden

    def lora(self, rank: int) -> int:
        """Parameters of LoRA adapters of that rank on every linear layer but embeddings, head and experts' router:
        rank * (inputs + outputs) each (Hu et al. 2021, https://arxiv.org/abs/2106.09685).
        """
        each = sum(a + b for a, b in self.attention)
        each += max(self.experts, 1) * sum(a + b for a, b in self.feed_forward)
        return rank * self.layers * each


MODELS = {
    "qwen2.5-0.5b": Architecture(896, 24, 14, 2, 64, 4864, 151936, tied=True, qkv_bias=True),
    "qwen2.5-1.5b": Architecture(1536, 28, 12, 2, 128, 8960, 151936, tied=True, qkv_bias=True),
    "qwen2.5-3b": Architecture(2048, 36, 16, 2, 128, 11008, 151936, tied=True, qkv_bias=True),
    "qwen2.5-7b": Architecture(3584, 28, 28, 4, 128, 18944, 152064, tied=False, qkv_bias=True),
    "qwen2.5-32b": Architecture(5120, 64, 40, 8, 128, 27648, 152064, tied=False, qkv_bias=True),
    "qwen3-0.6b": Architecture(1024, 28, 16, 8, 128, 3072, 151936, tied=True, qk_norm=True),
    "qwen3-4b": Architecture(2560, 36, 32, 8, 128, 9728, 151936, tied=True, qk_norm=True),
    "qwen3-8b": Architecture(4096, 36, 32, 8, 128, 12288, 151936, tied=False, qk_norm=True),
    "qwen3-30b-a3b": Architecture(2048, 48, 32, 4, 128, 768, 151936, tied=False, qk_norm=True, experts=128),
    "llama-3.1-8b": Architecture(4096, 32, 32, 8, 128, 14336, 128256, tied=False),
}
"""By short name in lower case."""
