"""Facts that follow from which model is trained: those of the `config.json` in the tree, else of the table of architectures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grpolint.models import Architecture
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, plain
from grpolint.world import World

__all__ = ["provider"]

_QUANTITIES: dict[str, Callable[[Architecture], Any]] = {
    "parameters": lambda model: model.parameters if model.plain or model.total is not None else None,
    "layers": lambda model: model.layers,
    "hidden_size": lambda model: model.hidden,
    "attention_heads": lambda model: model.heads,
    "kv_heads": lambda model: model.kv_heads if model.latent is None else None,
    "head_dim": lambda model: model.head_dim if model.latent is None else None,
    "vocabulary": lambda model: model.vocabulary,
    "tied_embeddings": lambda model: model.tied,
    "model_context": lambda model: model.context,
    "attention_kind": lambda model: model.attention,
    "moe": lambda model: model.experts > 0,
    "experts": lambda model: model.experts or None,
    "experts_per_token": lambda model: model.experts_per_token or None,
    "expert_width": lambda model: model.expert_width or None,
    "sparse_attention": lambda model: model.sparse,
    "multimodal": lambda model: model.multimodal,
    "quantized_weights": lambda model: model.quantized,
}


def provider(world: World) -> dict[str, FactFunction]:
    """Fact functions for the model of a run, whose files are looked for in `world`."""
    found: dict[str, Architecture | None] = {}

    def fact(name: str) -> FactFunction:
        def function(run: Run) -> Value | None:
            model = run.fact("model")
            if isinstance(model, Unknown):
                return Unknown(model.reason, model.origins)
            if model is None or plain(model) is None:
                return None
            path = str(plain(model))
            gap = _unfilled(run, path)
            if gap:
                return Unknown(f"model:{gap}", model.origins)
            if path not in found:
                found[path] = _architecture(path, world)
            architecture = found[path]
            if architecture is None:
                return Unknown(f"model:{path}", model.origins)
            value = _QUANTITIES[name](architecture)
            if value is None:
                return Unknown(f"model:{path}", model.origins) if name in ("parameters", "model_context") else None
            return Known(value, (Origin("model", None, architecture.name), *model.origins))

        return function

    return {"model": _by_its_ending, **{name: fact(name) for name in _QUANTITIES}}


def _by_its_ending(run: Run) -> Value | None:
    """The model by the last part of its path, where only the folder is unknown (`$HOME/models/Qwen3-8B`)."""
    for each in run.providers:
        function = each.get("model")
        value = function(run) if function not in (None, _by_its_ending) else None
        if isinstance(value, Unknown):
            name = _ending(run, value)
            return Known(name, value.origins) if name else None
    return None


_PLACEHOLDER = "~/models/deepseek-llm-7b-chat"
"""The path in verl's own configuration, which stands for the model of a launch."""


def _unfilled(run: Run, path: str) -> str:
    """What stands where a model is yet to be named: a gap in a template, or the path in a base configuration."""
    for complaint in run.complaints:
        key, _, text = complaint.key.partition("=")
        if complaint.kind == "placeholder" and "model" in key and "path" in key:
            return text
    return path if run.launch is None and path == _PLACEHOLDER else ""


def _ending(run: Run, model: Unknown) -> str:
    """The last part of a path whose folder is unknown; empty if that is unknown itself."""
    places = [origin.span for origin in model.origins if origin.span is not None]
    for word in run.launch.argv if run.launch is not None else ():
        span = word.span
        if span is None or word.known or word.condition is not None:
            continue
        if any(place.source is span.source and span.start <= place.start < span.end for place in places):
            name = word.pattern.rstrip("/").rpartition("/")[2]
            if "/" in word.pattern and not any(char in name for char in "<>=:"):
                return name
    return ""


def _architecture(path: str, world: World) -> Architecture | None:
    """By the `config.json` of that folder where the tree has it, else by the name."""
    from grpolint.models import find_model

    if "/" in path or path.startswith("."):
        for folder in (world.folder, world.root):
            at = os.path.join(folder, path, "config.json")  # looked at before it is resolved: most are ids of the hub
            config = world.file(Path(at)) if os.path.isfile(at) else None
            if config is not None:
                from grpolint.models.config import from_config

                return from_config(config)
    return find_model(path)
