"""prime-rl: `rl`, `sft` and its other programs with TOML files behind `@`, and those files."""

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

__all__ = ["FRAMEWORK", "PrimeRL"]


class PrimeRL(Framework):
    """Recognises its programs where they are given a TOML file, and files with an orchestrator and a trainer."""

    name = "prime-rl"
    title = "prime-rl"
    programs = (r"rl|sft|trainer|orchestrator|inference", r"(.*[./])?prime_rl[./].*")
    rank = 62

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """A program of those names with a file behind `@`."""
        if not super().recognise_launch(launch, world):
            return False
        from grpolint.frameworks.primerl.commandline import split

        files, _ = split(launch.argv)
        return any(word.pattern.endswith(".toml") for _, word in files)

    def recognise_document(self, document: Document) -> bool:
        """A TOML with the sections of the `rl` program."""
        from grpolint.documents.nodes import Mapping as MappingNode

        root = document.root
        if document.language != "toml" or not isinstance(root, MappingNode):
            return False
        roles = [isinstance(root.get(name), MappingNode) for name in ("trainer", "orchestrator", "inference")]
        orchestrator = root.get("orchestrator")
        known = isinstance(orchestrator, MappingNode) and any(
            orchestrator.get(name) is not None
            for name in ("batch_size", "token_batch_size", "group_size", "rollouts_per_example", "train", "env", "algo")
        )
        return sum(roles) >= 2 and known

    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """See `primerl.compose`."""
        from grpolint.documents.nodes import Document
        from grpolint.frameworks.primerl.compose import compose_document, compose_launch

        if isinstance(document, Document):
            compose_document(run, world, document)
        else:
            compose_launch(run, world)

    def facts(self) -> Mapping[str, FactFunction]:
        """See `primerl.facts`."""
        from grpolint.frameworks.primerl.facts import FACTS

        return FACTS

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """A flag with dashes, or a line of the TOML."""
        import json

        from grpolint.rules.api import show

        if setting is not None and setting.form == "toml":
            return f"{key.rpartition('.')[2]} = {json.dumps(value)}"
        return f"--{key.replace('_', '-')} {show(value)}"


FRAMEWORK = PrimeRL()
