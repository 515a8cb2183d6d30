"""Where options stand that Megatron declares too, and what the user replaced with functions of their own."""

from __future__ import annotations

from grpolint.rules.api import Inquiry, NotApplicable

__all__ = ["global_batch", "megatron", "own_rollout", "unless_lost"]

_OWN = ("custom_generate_function_path", "custom_convert_samples_to_train_data_path")
_ROLLOUT = "slime.rollout.sglang_rollout.generate_rollout"


def megatron(run: Inquiry, key: str) -> str:
    """Reference of an option that is Megatron's where Megatron trains and declares it, and slime's otherwise."""
    settings = run.run.settings.get("megatron")
    return f"megatron:{key}" if settings is not None and settings.option(key) is not None else f"slime:{key}"


def global_batch(run: Inquiry) -> str:
    """Reference of the samples of one optimizer step."""
    return megatron(run, "global_batch_size")


def own_rollout(run: Inquiry) -> bool:
    """Whether a function of the user's own generates, so that a prompt may yield more samples."""
    if any(run.known(f"slime:{key}") is not None for key in _OWN):
        return True
    return run.text("slime:rollout_function_path") not in (None, _ROLLOUT)


def unless_lost(run: Inquiry) -> None:
    """Raise NotApplicable where options of the launch are lost: what seems to be missing is among them."""
    launch = run.run.launch
    if launch is not None and any(slip.kind == "lost-options" for slip in launch.slips):
        raise NotApplicable("options are lost, which CF010 reports")
