"""How an option of verl is written: an override in the shell, or a line of YAML."""

from __future__ import annotations

import re
from typing import Any

from grpolint.frameworks import spelling
from grpolint.regex import regex
from grpolint.rules.api import show
from grpolint.run import Run, Setting
from grpolint.values import Known

__all__ = ["spell"]

_WRITTEN = regex(r"['\"]?((?:\+\+|\+)?[\w./@$-]+)=")
_PLAIN = regex(r"[\w./%@:+-]+")
_WORD = regex(r"[\w@%+=:,./\[\]-]+")


def _value(value: Any) -> str:
    """A value in Hydra's grammar."""
    if isinstance(value, list):
        return "[" + ",".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}: {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return '"' + re.sub(r'(\\*)"', r'\1\1\\"', value) + '"'
    return show(value)


def spell(key: str, value: Any, setting: Setting | None, run: Run) -> str:
    """An override that keeps its `+`; a new one gets a `+` if the configuration has no such key."""
    if (setting is not None and setting.form != "override") or (setting is None and run.launch is None):
        return spelling.spell(key, value, setting, run, dashes=False)
    written = _WRITTEN.match(setting.span.text) if setting is not None and setting.span is not None else None
    if written is not None:
        name = written[1]
    else:
        settings = run.settings.get("verl")
        there = settings is None or settings.open_reason is not None or key in settings or _known(settings.default(key))
        name = key if there else f"+{key}"
    text = f"{name}={_value(value)}"
    return text if _WORD.fullmatch(text) else "'" + text.replace("'", "'\"'\"'") + "'"


def _known(value: Any) -> bool:
    """Whether the release's configuration has the key, whatever its value."""
    return value is not None and not (isinstance(value, Known) and not value.origins)
