"""How responses are sampled for training, wherever a trainer says it."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.rules.api import Inquiry
from grpolint.rules.verl._trainer import foreign
from grpolint.versions import satisfies

__all__ = ["holds", "sampling"]

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
    if "verl" in run.run.settings:
        foreign(run)  # what only generates is not concerned
        if run.flag("verl:trainer.val_only") is True:
            return None
    for trainer, pattern in _WHERE.items():
        if trainer in run.run.settings and run.run.fact("advantage") is not None:
            return f"{trainer}:{pattern.format(name)}"
    return None


def _overruled(run: Inquiry) -> bool:
    """Whether verl's agent loop writes a penalty of its own into each request."""
    verl = run.run.settings.get("verl")
    return verl is not None and satisfies(verl.version.text, ">=0.7")


def holds(run: Inquiry, ref: str) -> bool:
    """Whether TRL's own trainer is sure to ask for an option: where it is written, in its recipes and under its commands. A
    script may have a trainer of its own, which the defaults say nothing about.
    """
    if not ref.startswith("trl:") or run.is_set(ref) or run.run.program.startswith("trl "):
        return True
    return run.run.launch is None and not run.run.source.path.endswith(".py")


def sampling(run: Inquiry) -> list[tuple[str, str, float]]:
    """What cuts or bends the distribution that training samples come from: its name, its reference and its value."""
    found = []
    for name, off in (("top_p", (1,)), ("top_k", (-1, 0)), ("min_p", (0,)), ("repetition_penalty", (1,))):
        if name == "repetition_penalty" and _overruled(run):
            continue
        ref = _reference(run, name)
        value = run.number(ref) if ref is not None and holds(run, ref) else None
        if ref is not None and value is not None and value not in off and not (name == "top_k" and value > 1e6):
            found.append((name, ref, value))
    return found
