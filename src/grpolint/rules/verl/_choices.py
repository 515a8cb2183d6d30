"""Values of which verl knows a fixed set, and sets that projects extend.

Some sets are closed: verl compares with each member and refuses the rest. Others are registries, to which a project adds members
of its own; there only a value that is plainly meant to be a member can be called wrong: another spelling of one, or the name by
which everybody calls it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Inquiry, Undecided

__all__ = ["choice"]


def choice(
    run: Inquiry,
    key: str,
    allowed: tuple[str, ...],
    outcome: str,
    *,
    closed: bool = False,
    meant: Mapping[str, str] | None = None,
    severity: Severity | None = None,
) -> Iterator[Finding]:
    """A finding for a value of verl's option `key` that is not `allowed`; `outcome` says what verl does with it.

    `meant` maps names that people write to what they have to write, as a sentence. Raises Undecided for a member of a registry
    that a project may have added.
    """
    value = run.text(f"verl:{key}")
    if value is None or value in allowed:
        return
    member = _member(value, allowed)
    advice = (meant or {}).get(value.lower(), "")
    if not closed and member is None and not advice:
        raise Undecided(f"verl:{key} (fork:{value})")
    yield run.finding(
        f"{key.removeprefix('actor_rollout_ref.')} {value} is none of {', '.join(allowed)}: {outcome}",
        (f"verl:{key}", "not known"),
        changes=(SetOption("verl", key, member),) if member is not None else (),
        help=advice if member is None else "",
        severity=severity,
    )


def _member(value: str, allowed: tuple[str, ...]) -> str | None:
    """The member that a value spells in another way: letters, dashes, and up to one slip of the finger."""
    plain = {_plain(each): each for each in allowed}
    found = plain.get(_plain(value))
    if found is not None or len(value) < 5:
        return found
    near = [each for spelled, each in plain.items() if _one_slip(_plain(value), spelled)]
    return near[0] if len(near) == 1 else None


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _one_slip(written: str, meant: str) -> bool:
    """Whether one letter is missing, doubled, wrong or two are swapped; a digit is a version, not a slip."""
    if written == meant or abs(len(written) - len(meant)) > 1 or any(c.isdigit() for c in written + meant):
        return False
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    rest, other = written[start:], meant[start:]
    swapped = len(rest) > 1 and len(rest) == len(other) and rest[1] + rest[0] + rest[2:] == other
    return swapped or rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
