"""AReaL's words for which devices do what: `sglang:d4t2+fsdp:d8`, or one such word for each engine.

The grammar is that of `areal/api/alloc_mode.py`: components joined with `+` have devices of their own, with `|` they share
those of the first; a component is a backend, a name in brackets, and letters with numbers (data, tensor, pipeline,
context, expert parallelism). Mixtures of experts may have other sizes for their experts: `megatron:(attn:d2t4|ffn:d1e8)`.
"""

from __future__ import annotations

from grpolint.records import Record
from grpolint.regex import regex

__all__ = ["Allocation", "Malformed", "parse"]

ROLLOUT = frozenset(("sglang", "vllm"))
TRAINER = frozenset(("fsdp", "megatron", "archon"))

_COMPONENT = regex(r"(?:(?P<backend>[a-z]+))?(?:\[(?P<name>[A-Za-z_]\w*)\])?:?(?P<sizes>(?:[a-z][1-9]\d{0,8})+)")
_HYBRID = regex(
    r"(?:(?P<backend>[a-z]+):)?\(?attn:(?P<attn>(?:[cdtp][1-9]\d{0,8})+)\|ffn:(?P<ffn>(?:[detp][1-9]\d{0,8})+)\)?"
)
_SIZE = regex(r"([a-z])(\d+)")
_BARE = regex(r"(?:[pdtce][1-9]\d{0,8})+")


class Malformed(ValueError):
    """A text that AReaL cannot read as an allocation. `str(error)` is one clause."""


class Allocation(Record):
    """The devices of one engine. `backend` is empty where the text leaves it to the release; `shares` says that the engine
    uses the devices of the component before it.
    """

    backend: str
    name: str
    d: int = 1
    t: int = 1
    p: int = 1
    c: int = 1
    e: int = 1
    shares: bool = False

    @property
    def world_size(self) -> int:
        """Number of devices."""
        return self.d * self.t * self.p * self.c

    @property
    def generates(self) -> bool:
        """Whether it is an engine that generates."""
        return self.backend in ROLLOUT


def parse(text: str) -> list[Allocation]:
    """The components of an allocation, in order. Raises Malformed."""
    compact = "".join(text.split())
    found: list[Allocation] = []
    for part in compact.split("+"):
        if part in ("eval", "cpu") and found:
            continue
        members = _members(part)
        for at, member in enumerate(members):
            found.append(_component(member, shares=at > 0))
    return found


def _members(part: str) -> list[str]:
    """The components that share devices; the bar inside `attn:...|ffn:...` separates none."""
    if _HYBRID.fullmatch(part):
        return [part]
    return part.split("|")


def _component(text: str, *, shares: bool) -> Allocation:
    hybrid = _HYBRID.fullmatch(text)
    if hybrid is not None:
        sizes = _sizes(hybrid["attn"])
        experts = _sizes(hybrid["ffn"])
        return Allocation(hybrid["backend"] or "", "", **sizes, e=experts.get("e", 1), shares=shares)
    if _BARE.fullmatch(text):
        return Allocation("", "", **_sizes(text), shares=shares)
    match = _COMPONENT.fullmatch(text)
    if match is None:
        raise Malformed(f"{text!r} is no backend with sizes, such as fsdp:d4t2")
    backend = match["backend"] or ""
    if backend not in ROLLOUT | TRAINER:
        raise Malformed(f"{backend or text!r} is no backend: there are {', '.join(sorted(ROLLOUT | TRAINER))}")
    if ":" not in text:
        raise Malformed(f"{text!r} lacks the colon between the backend and its sizes")
    sizes = _sizes(match["sizes"])
    wrong = sorted(set(sizes) - set("dtp" if backend in ROLLOUT else "dtpce"))
    if wrong:
        raise Malformed(f"{backend} has no size {wrong[0]!r}")
    return Allocation(backend, match["name"] or "", **sizes, shares=shares)


def _sizes(text: str) -> dict[str, int]:
    return {letter: int(number) for letter, number in _SIZE.findall(text)}
