"""Whether the options of TRL's ModelConfig are read: scripts of the user's own may have options of the same names."""

from __future__ import annotations

import re

from grpolint.rules.api import Inquiry

__all__ = ["reads_model_arguments"]

_COMMANDS = re.compile(r"trl [a-z]+|(.*[./])?trl[./]scripts[./]\w+(\.py)?")


def reads_model_arguments(run: Inquiry, key: str) -> bool:
    """Whether `key` stands in a recipe, which only TRL's parser reads, or a command of TRL's own gets it."""
    setting = run.run.setting("trl", key)
    if setting is not None and setting.form == "yaml":
        return True
    return run.run.launch is not None and _COMMANDS.fullmatch(run.run.launch.program) is not None
