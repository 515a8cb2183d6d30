"""Values that a DeepSpeed file leaves to the Trainer."""

from __future__ import annotations

from grpolint.run import Setting
from grpolint.values import Unknown

__all__ = ["automatic"]


def automatic(setting: Setting) -> bool:
    """Whether the file says `auto`, filled with what stands elsewhere or not: it cannot contradict anything."""
    if isinstance(setting.value, Unknown):
        return True
    return len({origin.span for origin in setting.value.origins}) > 1
