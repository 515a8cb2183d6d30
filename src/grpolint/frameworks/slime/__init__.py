"""slime: `train.py` and `train_async.py`, which take slime's own options beside Megatron's and, prefixed, SGLang's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.frameworks.base import Framework

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.run import FactFunction, Run, Setting
    from grpolint.world import World

__all__ = ["FRAMEWORK", "Slime"]

_MARKS = frozenset(
    {
        "--actor-num-nodes",
        "--actor-num-gpus-per-node",
        "--rollout-num-gpus",
        "--rollout-num-gpus-per-engine",
        "--rollout-batch-size",
        "--n-samples-per-prompt",
        "--rollout-function-path",
        "--rollout-max-response-len",
        "--rollout-temperature",
        "--num-rollout",
        "--num-steps-per-rollout",
        "--over-sampling-batch-size",
        "--hf-checkpoint",
        "--ref-load",
        "--prompt-data",
        "--rm-type",
        "--custom-rm-path",
        "--custom-generate-function-path",
        "--max-tokens-per-gpu",
        "--advantage-estimator",
        "--sglang-mem-fraction-static",
        "--sglang-server-concurrency",
        "--debug-rollout-only",
        "--debug-train-only",
    }
)
"""Options of slime in its own spelling. One of them proves nothing, several do."""

_STRANGE = ("--use-miles-router", "--miles-router-timeout", "--custom-config")
"""Options of projects that began as copies of slime and went their own way."""


class Slime(Framework):
    """Recognises slime's two programs, and others that take its parser, by options that only it has."""

    name = "slime"
    title = "slime"
    programs = (r".*\.py", r"[\w.]+")
    rank = 60

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether a Python program gets several of slime's options: two for a `train.py`, four for any other."""
        if not super().recognise_launch(launch, world):
            return False
        names = {word.prefix.split("=", 1)[0] for word in launch.argv}
        found = len(_MARKS & names)
        own = launch.program.rsplit("/", 1)[-1] in ("train.py", "train_async.py")
        if found < (2 if own else 4) or any(name in names for name in _STRANGE):
            return False
        return world.find("slime/utils/arguments.py") is not None or world.find("miles/utils/arguments.py") is None

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `slime.compose`."""
        from grpolint.frameworks.slime.compose import compose

        compose(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `slime.facts`."""
        from grpolint.frameworks.slime.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """Flags have dashes; a switch is turned off by leaving it out."""
        from grpolint.frameworks.slime.compose import own_syntax
        from grpolint.frameworks.spelling import spell

        return spell(key, value, setting, run, own_syntax(run.settings["slime"].version.text), dashes=True)


FRAMEWORK = Slime()
