"""The interface of a framework's folder.

`frameworks/<name>/__init__.py` defines `FRAMEWORK`, an instance of a subclass of `Framework`. It must be cheap to import: it
recognises; `compose` imports the rest. Folders are found by their presence: adding a framework is adding a folder.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grpolint.run import FactFunction, Run, Setting

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.launch import Launch
    from grpolint.world import World

__all__ = ["Framework"]


class Framework(ABC):
    """One framework: recognition, composition, facts, spelling.

    `name` is the word used in references, `--with` and `--set` (`verl`). `programs` are regular expressions matched
    against the whole of `Launch.program` (a dotted module, a script path, or `tool subcommand`).
    """

    name: str
    title: str
    programs: tuple[str, ...] = ()
    rank: int = 0
    """Where several recognise the same thing the highest rank leads (a trainer before the libraries below it)."""

    def recognise_launch(self, launch: Launch, world: World) -> bool:
        """Whether this framework leads the launch."""
        return any(re.fullmatch(pattern, launch.program) for pattern in self.programs)

    def recognise_document(self, document: Document) -> bool:
        """Whether a YAML or JSON file on its own is a configuration of this framework. Must be sure: a wrong yes is
        a wrong finding later.
        """
        return False

    def recognise_python(self, document: PythonDocument) -> bool:
        """Whether a Python file or notebook configures this framework by its classes."""
        return False

    @abstractmethod
    def compose(self, run: Run, world: World, document: Document | PythonDocument | None = None) -> None:
        """Fill `run`: settings of this framework and of those below it, environment, providers of facts.

        Called once, by the reader, for the framework that leads; it may call `compose_*` functions of others. `document`
        is the file itself where there is no launch.
        """

    def extend(self, run: Run, world: World) -> None:  # noqa: B027 - most have nothing to do
        """Look at a run that another framework leads, once it is composed: a plugin reads what is passed on to it."""

    def facts(self) -> Mapping[str, FactFunction]:
        """Functions for the facts that this framework's settings decide."""
        return {}

    def spell(self, key: str, value: Any, setting: Setting | None, run: Run) -> str:
        """How the option is written in the document: `key=value`, `--key value`, `"key": value`, `key: value`."""
        from grpolint.rules.api import show

        form = setting.form if setting is not None else "override"
        if form == "flag":
            return f"--{key} {show(value)}"
        if form == "yaml":
            from grpolint.literals import yaml_number

            text = yaml_number(value) if isinstance(value, float) else show(value)
            return f"{key.rsplit('.', 1)[-1]}: {text}"
        if form == "json":
            import json

            return f"{json.dumps(key.rsplit('.', 1)[-1])}: {json.dumps(value)}"
        if form == "python":
            return f"{key.rsplit('.', 1)[-1]}={value!r}"
        return f"{key}={show(value)}"
