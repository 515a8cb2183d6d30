"""Facts of a Megatron run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import exactly, lower, option, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Unknown, Value, combine, plain

__all__ = ["FACTS"]


def _opt(key: str) -> FactFunction:
    return option("megatron", key)


def _size(key: str) -> FactFunction:
    """A parallel size: one where nobody sets it."""
    return lambda run: option("megatron", key)(run) or Known(1, ())


_tp, _pp = _size("tensor_model_parallel_size"), _size("pipeline_model_parallel_size")
_cp, _ep = _size("context_parallel_size"), _size("expert_model_parallel_size")


def _dp(run: Run) -> Value | None:
    return combine(exactly, run.fact("world_size"), _tp(run), _pp(run), _cp(run))


def _global_batch(run: Run) -> Value | None:
    """As given, else one micro batch on each data parallel rank."""
    given = _opt("global_batch_size")(run)
    return given or combine(lambda micro, dp: int(micro) * int(dp), _opt("micro_batch_size")(run), _dp(run))


def _on(run: Run, key: str) -> Value:
    """A switch; off where nobody sets it and the catalog does not know it."""
    return run.value("megatron", key) or Known(False, ())


def _precision(run: Run) -> Value | None:
    def name(bf16: Any, fp16: Any) -> str:
        return "bf16" if truth(bf16) else "fp16" if truth(fp16) else "fp32"

    return combine(name, _on(run, "bf16"), _on(run, "fp16"))


def _engine(run: Run) -> Value | None:
    def name(torch: Any, megatron: Any) -> str:
        return "fsdp2" if truth(torch) else "megatron_fsdp" if truth(megatron) else "megatron"

    return combine(name, _on(run, "use_torch_fsdp2"), _on(run, "use_megatron_fsdp"))


def _rl(run: Run) -> bool:
    return truth(plain(run.value("megatron", "perform_rl_step")) or False)


def _rl_option(key: str) -> FactFunction:
    return lambda run: option("megatron", key)(run) if _rl(run) else None


def _kl(run: Run) -> Value | None:
    return combine(lambda beta: float(beta) > 0, _rl_option("grpo_kl_beta")(run))


def _moe(run: Run) -> Value | None:
    value = run.value("megatron", "num_experts")
    if isinstance(value, Unknown):
        return value
    return combine(bool, value) or Known(False, ())


def _if_moe(function: FactFunction) -> FactFunction:
    """A fact of mixtures of experts only."""

    def fact(run: Run) -> Value | None:
        moe = _moe(run)
        return function(run) if isinstance(moe, Unknown) or plain(moe) else None

    return fact


def _kv_heads(run: Run) -> Value | None:
    """Query groups where attention is grouped, else one for each head; latent attention has none."""
    latent = _on(run, "multi_latent_attention")
    if isinstance(latent, Unknown) or truth(plain(latent) or False):
        return latent if isinstance(latent, Unknown) else None
    heads = _opt("num_attention_heads")(run)
    if heads is None:
        return None
    groups = run.value("megatron", "num_query_groups") or heads
    return combine(
        lambda on, some, whole: some if truth(on) else whole, _on(run, "group_query_attention"), groups, heads
    )


def _head_dim(run: Run) -> Value | None:
    given = _opt("kv_channels")(run)
    return given or combine(exactly, _opt("hidden_size")(run), _opt("num_attention_heads")(run))


def _tied(run: Run) -> Value | None:
    """Where the script describes the model at all, embeddings are tied unless it says otherwise."""
    if _opt("hidden_size")(run) is None:
        return None
    return combine(lambda untied: not truth(untied), _on(run, "untie_embeddings_and_output_weights"))


def _router_dtype(run: Run) -> Value | None:
    """The router's product is computed in the model's type unless one is given; its softmax is always in fp32."""
    return combine(lower, option("megatron", "moe_router_dtype")(run)) or _precision(run)


def _router_replay(run: Run) -> Value | None:
    """Off unless switched on; whose routes are replayed then, the program decides."""
    value = _on(run, "moe_enable_routing_replay")
    if isinstance(value, Unknown) or not truth(plain(value) or False):
        return combine(lambda _: "off", value)
    return Unknown("computed:whose routes are replayed", value.origins)


FACTS: Mapping[str, FactFunction] = {
    "temperature": through(
        float, lambda run: _rl_option("rl_default_temperature")(run) or _rl_option("grpo_default_temperature")(run)
    ),
    "clip_low": through(float, _rl_option("grpo_clamp_eps_lower")),
    "clip_high": through(float, _rl_option("grpo_clamp_eps_upper")),
    "kl_coefficient": through(float, _rl_option("grpo_kl_beta")),
    "entropy_coefficient": through(float, _rl_option("grpo_entropy_term_weight")),
    "passes_per_rollout": through(int, _rl_option("grpo_iterations")),
    "tp": _tp,
    "pp": _pp,
    "cp": _cp,
    "ep": _ep,
    "dp": _dp,
    "micro_batch_per_gpu": _opt("micro_batch_size"),
    "gradient_accumulation": lambda run: combine(exactly, _global_batch(run), _opt("micro_batch_size")(run), _dp(run)),
    "train_batch_samples": lambda run: (
        combine(lambda a, b: int(a) * int(b), run.fact("train_batch_prompts"), run.fact("group_size"))
        if _rl(run)
        else _global_batch(run)
    ),
    "train_batch_prompts": _rl_option("grpo_prompts_per_step"),
    "advantage": lambda run: Known("grpo", ()) if _rl(run) else None,
    "group_relative": lambda run: Known(True, ()) if _rl(run) else None,
    "group_size": _rl_option("grpo_group_size"),
    "uses_critic": lambda run: Known(False, ()) if _rl(run) else None,
    "kl_in_loss": _kl,
    "optimizer": through(lambda name: "adamw" if lower(name) == "adam" else lower(name), _opt("optimizer")),
    "learning_rate": _opt("lr"),
    "clip_norm": _opt("clip_grad"),
    "precision": _precision,
    "engine": _engine,
    "offload_optimizer": lambda run: combine(
        lambda on: "cpu" if truth(on) else "none", _on(run, "optimizer_cpu_offload")
    ),
    "bf16": lambda run: combine(truth, _on(run, "bf16")),
    "fp16": lambda run: combine(truth, _on(run, "fp16")),
    "group_by_prompt": lambda run: Known(True, ()) if _rl(run) else None,
    "bypass_mode": lambda run: Known(False, ()) if _rl(run) else None,
    "dynamic_sampling": through(truth, _rl_option("grpo_filter_groups_with_same_reward")),
    "moe": _moe,
    "experts": _opt("num_experts"),
    "experts_per_token": _if_moe(_opt("moe_router_topk")),
    "expert_width": _if_moe(_opt("moe_ffn_hidden_size")),
    "layers": _opt("num_layers"),
    "hidden_size": _opt("hidden_size"),
    "attention_heads": _opt("num_attention_heads"),
    "kv_heads": _kv_heads,
    "head_dim": _head_dim,
    "vocabulary": option("megatron", "vocab_size", "padded_vocab_size"),
    "tied_embeddings": _tied,
    "model_context": _opt("max_position_embeddings"),
    "router_dtype": _if_moe(_router_dtype),
    "router_replay": _if_moe(_router_replay),
    "sparse_attention": lambda run: combine(lambda name: name == "dsa", _on(run, "experimental_attention_variant")),
    "context_length": _opt("seq_length"),
    "save_every": _opt("save_interval"),
}
