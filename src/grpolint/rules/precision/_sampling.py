"""How responses are sampled for training, wherever a trainer says it."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.rules.api import Inquiry

__all__ = ["sampling", "temperature"]

_WHERE: Mapping[str, str] = {
    "verl": "actor_rollout_ref.rollout.{}",
    "trl": "{}",
    "openrlhf": "rollout.{}",
    "slime": "rollout_{}",
    "areal": "gconfig.{}",
    "easyr1": "worker.rollout.{}",
    "skyrl": "generator.sampling_params.{}",
}


def _reference(run: Inquiry, name: str) -> str | None:
    for trainer, pattern in _WHERE.items():
        if trainer in run.run.settings and run.run.fact("advantage") is not None:
            return f"{trainer}:{pattern.format(name)}"
    return None


def temperature(run: Inquiry) -> str | None:
    """The reference of the temperature of training samples; None where nothing is trained on samples."""
    return _reference(run, "temperature")


def sampling(run: Inquiry) -> list[tuple[str, str, float]]:
    """What cuts or bends the distribution that training samples come from: its name, its reference and its value."""
    found = []
    for name, off in (("top_p", (1,)), ("top_k", (-1, 0)), ("min_p", (0,)), ("repetition_penalty", (1,))):
        ref = _reference(run, name)
        value = run.number(ref) if ref is not None else None
        if ref is not None and value is not None and value not in off and not (name == "top_k" and value > 1e6):
            found.append((name, ref, value))
    return found
