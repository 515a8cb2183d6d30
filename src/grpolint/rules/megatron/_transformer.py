"""Where the fields of Megatron's TransformerConfig stand: on Megatron's own command line, or in verl's overrides."""

from __future__ import annotations

from grpolint.rules.api import Inquiry

__all__ = ["VERL", "either", "place", "size", "states"]

ACTOR = "verl:actor_rollout_ref.actor.megatron"
VERL = f"{ACTOR}.override_transformer_config"

_ARGUMENT = {
    "fp8_param": "fp8_param_gather",
    "num_layers_in_first_pipeline_stage": "decoder_first_pipeline_num_layers",
    "num_layers_in_last_pipeline_stage": "decoder_last_pipeline_num_layers",
    "num_moe_experts": "num_experts",
}
"""Fields that the command line calls otherwise."""


def place(run: Inquiry, field: str) -> str:
    """Reference of a field of the configuration, under the name by which this run writes it."""
    if "megatron" in run.run.settings:
        return f"megatron:{_ARGUMENT.get(field, field)}"
    return f"{VERL}.{field}"


def size(run: Inquiry, name: str) -> str:
    """Reference of a parallel size or a switch that verl has beside the overrides."""
    return f"megatron:{name}" if "megatron" in run.run.settings else f"{ACTOR}.{name}"


def states(run: Inquiry, field: str) -> bool:
    """Whether a document sets the field: verl takes what nobody sets from the model, which no file here tells."""
    return "megatron" in run.run.settings or run.is_set(f"{VERL}.{field}")


def either(field: str) -> str:
    """Both places of a field, for a guard."""
    return f"megatron:{_ARGUMENT.get(field, field)}|{VERL}.{field}"
