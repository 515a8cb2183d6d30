"""Finds the frameworks by their folders."""

from __future__ import annotations

import importlib
from functools import lru_cache
from pathlib import Path

from grpolint.frameworks.base import Framework

__all__ = ["framework", "frameworks"]


@lru_cache(maxsize=1)
def frameworks() -> tuple[Framework, ...]:
    """All frameworks, those of highest rank first. A folder whose package defines `FRAMEWORK` is one."""
    here = Path(__file__).parent
    names = sorted(entry.name for entry in here.iterdir() if (entry / "__init__.py").is_file())
    modules = (importlib.import_module(f"grpolint.frameworks.{name}") for name in names)
    found = [module.FRAMEWORK for module in modules if hasattr(module, "FRAMEWORK")]
    return tuple(sorted(found, key=lambda each: (-each.rank, each.name)))


def framework(name: str) -> Framework | None:
    """The framework of that name, None if there is none."""
    return next((each for each in frameworks() if each.name == name), None)
