"""Hydra and OmegaConf as the frameworks use them, read statically: overrides, defaults lists, merging, interpolations.

Not a framework of its own: `frameworks/verl` and others compose their settings with it.
"""

from __future__ import annotations

__all__: list[str] = []
