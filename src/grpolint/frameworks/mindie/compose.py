"""A MindIE configuration into settings, each under its path in the file; models are numbered (`...ModelConfig.0.worldSize`).

Almost every key is required, so that one which is not there has no default that would count.
"""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.documents.nodes import Document, Sequence
from grpolint.documents.nodes import Mapping as MappingNode
from grpolint.frameworks.asking import constant, option
from grpolint.frameworks.trees import tree_settings
from grpolint.run import FactFunction, Run, Settings
from grpolint.world import World

__all__ = ["FACTS", "compose"]

_DEPLOY = "BackendConfig.ModelDeployConfig"
_MODELS = f"{_DEPLOY}.ModelConfig"


def compose(run: Run, world: World, document: Document) -> None:
    """Fill a run from the file."""
    settings = run.settings["mindie"] = Settings("mindie", world.version("mindie"))
    root = document.root
    if isinstance(root, MappingNode):
        for setting in tree_settings("mindie", root, "json", "json", detail=document.source.path):
            settings.put(setting)
        backend = root.get("BackendConfig")
        deploy = backend.get("ModelDeployConfig") if isinstance(backend, MappingNode) else None
        models = deploy.get("ModelConfig") if isinstance(deploy, MappingNode) else None
        for number, model in enumerate(models.items if isinstance(models, Sequence) else ()):
            if isinstance(model, MappingNode):
                prefix = f"{_MODELS}.{number}"
                for setting in tree_settings(
                    "mindie", model, "json", "json", detail=document.source.path, prefix=prefix
                ):
                    settings.put(setting)
    run.providers.append(FACTS)


FACTS: Mapping[str, FactFunction] = {
    "rollout_engine": constant("mindie", "its config.json"),
    "model": option("mindie", f"{_MODELS}.0.modelWeightPath"),
    "rollout_tp": option("mindie", f"{_MODELS}.0.tp"),
    "context_length": option("mindie", f"{_DEPLOY}.maxSeqLen"),
}
"""Facts of the first model."""
