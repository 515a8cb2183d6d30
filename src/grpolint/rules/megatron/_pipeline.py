"""How the layers of a Megatron model are spread over pipeline stages, for verl's configuration and Megatron's arguments."""

from __future__ import annotations

from grpolint.rules.api import Inquiry

__all__ = ["PP", "VERL", "spread_by_hand", "virtual_stages"]

VERL = "actor_rollout_ref.actor.megatron"
PP = "fact:pp"

_OPTIONS = {
    "num_layers_in_first_pipeline_stage": "decoder_first_pipeline_num_layers",
    "num_layers_in_last_pipeline_stage": "decoder_last_pipeline_num_layers",
    "account_for_embedding_in_pipeline_split": "account_for_embedding_in_pipeline_split",
    "account_for_loss_in_pipeline_split": "account_for_loss_in_pipeline_split",
    "pipeline_model_parallel_layout": "pipeline_model_parallel_layout",
    "hybrid_override_pattern": "hybrid_override_pattern",
    "mtp_num_layers": "mtp_num_layers",
}
"""What makes stages uneven: Megatron Core's name and that of the argument."""


def spread_by_hand(run: Inquiry) -> bool:
    """Whether something other than an even split is asked for. Raises Undecided where nobody can know."""
    verl = "verl" in run.run.settings
    refs = (
        f"verl:{VERL}.override_transformer_config.{core}" if verl else f"megatron:{argument}"
        for core, argument in _OPTIONS.items()
    )
    return any(run.known(ref) not in (None, False, 0, "") for ref in refs)


def virtual_stages(run: Inquiry, layers: int, pp: int) -> tuple[int | None, str]:
    """Virtual stages on each rank with the reference that sets them; None without interleaving."""
    if "verl" in run.run.settings:
        ref = f"verl:{VERL}.virtual_pipeline_model_parallel_size"
        return run.integer(ref), ref
    stages = "megatron:num_virtual_stages_per_pipeline_rank"
    if run.integer(stages) is not None:
        return run.integer(stages), stages
    ref = "megatron:num_layers_per_virtual_pipeline_stage"
    each = run.integer(ref)
    if each is None or each < 1 or layers % pp:
        return None, ref
    whole, rest = divmod(layers // pp, each)
    return (whole, ref) if not rest else (0, ref)
