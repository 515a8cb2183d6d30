"""Settings of a Megatron launch. Scripts may declare arguments of their own, so an unknown one means nothing here."""

from __future__ import annotations

from grpolint.catalog import table
from grpolint.frameworks.asking import find_file, missing_file, settings_for
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.run import Run, Setting, Settings
from grpolint.world import World

__all__ = ["compose", "syntax"]

_SWITCHES = frozenset(
    {
        "bf16",
        "fp16",
        "sequence_parallel",
        "use_distributed_optimizer",
        "overlap_grad_reduce",
        "overlap_param_gather",
        "swiglu",
        "untie_embeddings_and_output_weights",
        "group_query_attention",
        "use_flash_attn",
        "use_mcore_models",
        "use_rotary_position_embeddings",
        "moe_grouped_gemm",
        "optimizer_cpu_offload",
        "recompute_activations",
        "qk_layernorm",
        "use_megatron_fsdp",
        "use_torch_fsdp2",
        "perform_rl_step",
    }
)
"""Switches that have been such in every release, for the case that the catalog has no table."""


_IN_CHECKPOINT = frozenset(
    {
        "add_bias_linear",
        "add_position_embedding",
        "add_qkv_bias",
        "apply_layernorm_1p",
        "apply_query_key_layer_scaling",
        "attention_dropout",
        "ffn_hidden_size",
        "group_query_attention",
        "heterogeneous_layers_config_encoded_json",
        "heterogeneous_layers_config_path",
        "hidden_dropout",
        "hidden_size",
        "hybrid_attention_ratio",
        "hybrid_layer_pattern",
        "hybrid_mlp_ratio",
        "hybrid_override_pattern",
        "is_hybrid_model",
        "kv_channels",
        "mamba_head_dim",
        "mamba_num_groups",
        "mamba_num_heads",
        "mamba_state_dim",
        "max_position_embeddings",
        "moe_ffn_hidden_size",
        "moe_grouped_gemm",
        "moe_latent_size",
        "moe_layer_freq",
        "moe_router_enable_expert_bias",
        "moe_router_pre_softmax",
        "moe_router_score_function",
        "moe_router_topk",
        "moe_router_topk_scaling_factor",
        "moe_shared_expert_intermediate_size",
        "moe_token_dispatcher_type",
        "mtp_hybrid_override_pattern",
        "mtp_num_layers",
        "mtp_use_repeated_layer",
        "normalization",
        "num_attention_heads",
        "num_experts",
        "num_layers",
        "num_query_groups",
        "position_embedding_type",
        "rotary_base",
        "rotary_interleaved",
        "rotary_percent",
        "seq_length",
        "spec",
        "squared_relu",
        "swiglu",
        "tokenizer_model",
        "tokenizer_type",
        "untie_embeddings_and_output_weights",
        "use_rotary_position_embeddings",
    }
)
"""What `--use-checkpoint-args` takes from the checkpoint: the architecture and the tokenizer."""


def syntax(version: str) -> Syntax:
    """How Megatron reads its command line: argparse without abbreviations."""
    train = table("megatron", "train", version)
    tables = (train,) if train is not None else ()
    return Syntax("megatron", tables, switches=frozenset() if tables else _SWITCHES)


def compose(run: Run, world: World) -> None:
    """Fill the run with the arguments of the launch, over those of a `--yaml-cfg` file."""
    assert run.launch is not None
    saved = any(word.text == "--use-checkpoint-args" for word in run.launch.argv)
    settings = settings_for(run, world, "megatron", "train", elsewhere=_IN_CHECKPOINT if saved else ())
    reading = read_flags(run.launch.argv, syntax(settings.version.text))
    settings.open_reason = reading.open_reason
    if reading.last("yaml_cfg") is not None:
        _read_yaml(reading.pattern("yaml_cfg"), settings, world)
    for flag in reading.flags:
        settings.put(flag.setting("megatron"))
    from grpolint.frameworks import processes
    from grpolint.frameworks.megatron.facts import FACTS

    run.providers.append(FACTS)
    run.providers.append(processes.FACTS)


def _read_yaml(path: str | None, settings: Settings, world: World) -> None:
    """Megatron's YAML groups arguments in sections (`model_parallel`, `language_model`); the names are the arguments'."""
    from grpolint.frameworks.trees import tree_settings, yaml_root

    source = find_file(world, path)
    root = yaml_root(source) if source is not None else None
    if source is None or root is None:
        settings.open_reason = missing_file(path, "yaml-cfg")
        return
    for setting in tree_settings("megatron", root, "yaml", "pyyaml", detail=source.path):
        key = setting.key.rsplit(".", 1)[-1]
        settings.put(Setting(setting.framework, key, setting.value, setting.span, setting.form))
