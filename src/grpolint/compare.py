"""Two launch files side by side: which runs belong together, and what differs between them."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.differences import Difference, environment, facts, settings
from grpolint.records import Record
from grpolint.run import Run

__all__ = ["Comparison", "compare", "paired"]


class Comparison(Record):
    """One run of each file and what differs. `versions` are frameworks with both releases, None where a run has it not."""

    one: Run
    other: Run
    versions: tuple[tuple[str, str | None, str | None], ...]
    settings: tuple[Difference, ...]
    environment: tuple[Difference, ...]
    facts: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether the two runs do the same, as far as the files tell."""
        return not (self.versions or self.settings or self.environment or self.facts) and (
            self.one.program == self.other.program
        )


def paired(ones: Sequence[Run], others: Sequence[Run]) -> tuple[list[tuple[Run, Run]], list[Run], list[Run]]:
    """Which runs to compare: those of the same program in their order, else of the same trainer; and those left over."""
    pairs: list[tuple[Run, Run]] = []
    left, right = list(ones), list(others)
    for word in ("program", "trainer", "_"):  # whatever is left belongs together too
        for run in list(left):
            partner = next((each for each in right if getattr(run, word, 0) == getattr(each, word, 0)), None)
            if partner is not None:
                pairs.append((run, partner))
                left.remove(run)
                right.remove(partner)
    return pairs, left, right


def compare(one: Run, other: Run) -> Comparison:
    """What differs between two runs."""
    names = dict.fromkeys((*one.settings, *other.settings))
    releases = [(name, _release(one, name), _release(other, name)) for name in names]
    return Comparison(
        one,
        other,
        tuple(each for each in releases if each[1] != each[2]),
        tuple(settings(one, other)),
        tuple(environment(one, other)),
        tuple(facts(one, other)),
    )


def _release(run: Run, name: str) -> str | None:
    found = run.settings.get(name)
    return found.version.text if found is not None else None
