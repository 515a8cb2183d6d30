"""Settings of the flat configuration: each key under its own name, whatever name it is written with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.documents.nodes import Document, Entry, Mapping
from grpolint.frameworks.handbook.facts import FACTS
from grpolint.frameworks.handbook.keys import KEYS, Key, find_key, misfit
from grpolint.frameworks.trees import node_value
from grpolint.run import Complaint, Run, Setting, Settings, Version
from grpolint.values import Known, Origin, Unknown, Value

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument

__all__ = ["compose"]


def compose(run: Run, document: Document | PythonDocument | None) -> None:
    """Fill the run with the keys of the mapping. It has no releases and no defaults: what it does not say is not said."""
    settings = run.settings["handbook"] = Settings("handbook", Version("1", assumed=False, origin="its only form"))
    if isinstance(document, Document) and isinstance(document.root, Mapping):
        for entry in document.root.entries:
            _put(entry, run, settings, document)
    run.providers.append(FACTS)


def _put(entry: Entry, run: Run, settings: Settings, document: Document) -> None:
    key = find_key(entry.key)
    if key is None:
        _unknown(entry, run)
        return
    value = node_value(entry.value, "pyyaml", Origin("config file", entry.span, document.source.path))
    wrong = misfit(key, value.value) if isinstance(value, Known) else ""
    if isinstance(value, Known) and wrong:
        value = _refused(key, wrong, value, entry, run)
    settings.put(Setting("handbook", key.name, value, entry.span, document.language))


def _refused(key: Key, wrong: str, value: Known, entry: Entry, run: Run) -> Value:
    from grpolint.rules.api import show

    written = f'"{value.value}"' if isinstance(value.value, str) else show(value.value)
    detail = f"{entry.key} has to be {wrong}, not {written}"
    run.complaints.append(Complaint("flat-value", "handbook", key.name, entry.span, detail))
    return Unknown(f"refused: {entry.key} cannot be {written}", value.origins)


def _unknown(entry: Entry, run: Run) -> None:
    from difflib import get_close_matches

    names = [name for key in KEYS for name in (key.name, *key.others)]
    near = get_close_matches(entry.key.lower().replace("-", "_"), names, 1, 0.7)
    detail = f"the flat configuration has no key {entry.key}: no rule looks at it"
    run.complaints.append(Complaint("flat-key", "handbook", entry.key, entry.span, detail, near[0] if near else None))
