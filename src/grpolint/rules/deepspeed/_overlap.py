"""How `overlap_comm` is switched off."""

from __future__ import annotations

from grpolint.changes import Change, RemoveOption, SetOption
from grpolint.rules.api import Inquiry

__all__ = ["without_overlap"]


def without_overlap(run: Inquiry) -> tuple[Change, ...]:
    """The change that switches it off, where it was switched on: a flag of OpenRLHF, else an option of DeepSpeed."""
    if run.run.setting("openrlhf", "ds.overlap_comm") is not None:
        return (RemoveOption("openrlhf", "ds.overlap_comm", safe=True),)
    return (SetOption("deepspeed", "zero_optimization.overlap_comm", value=False, safe=True),)
