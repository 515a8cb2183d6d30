"""Makes `index.json` from the rule modules: `python -m grpolint.rules.generate`."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

from grpolint.rules.api import Rule
from grpolint.rules.guards import encode

__all__ = ["index", "main", "rules"]

_HERE = Path(__file__).parent


def rules() -> list[tuple[str, Rule]]:
    """Every rule with the name of its module, sorted by id."""
    found = []
    for path in sorted(_HERE.glob("*/*.py")):
        if path.name.startswith("_"):
            continue
        module = f"grpolint.rules.{path.parent.name}.{path.stem}"
        found.append((module, importlib.import_module(module).check))
    return sorted(found, key=lambda each: each[1].id)


def index() -> str:
    """Text of the index."""
    rows: list[dict[str, Any]] = [
        {
            "id": rule.id,
            "name": rule.name,
            "module": module,
            "summary": rule.summary,
            "severity": rule.severity.name,
            "confidence": rule.confidence.name,
            "frameworks": dict(rule.frameworks),
            "default": rule.default,
            "any_program": rule.any_program,
            "aliases": list(rule.aliases),
            "policy": rule.policy,
            "when": encode(rule.when),
        }
        for module, rule in rules()
    ]
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def main() -> None:
    """Write the index."""
    (_HERE / "index.json").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
