"""Records behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.records import Record, field, replace
from grpolint.regex import regex


class Place(Record):
    line: int
    text: str = "nothing"
    parts: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        return self.line + len(self.parts)


class Marked(Place):
    mark: str = "!"


class Tally(Record, frozen=False):
    names: list[str] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)


class Node(Record, eq=False):
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Twin:
    line: int
    text: str = "nothing"
    parts: tuple[int, ...] = ()


values = st.tuples(
    st.integers(-2, 2), st.sampled_from(["", "a", "b"]), st.lists(st.integers(0, 1), max_size=2).map(tuple)
)


@given(values, values)
def test_equality_hash_and_text_are_those_of_a_dataclass(one: tuple, other: tuple) -> None:
    first, second = Place(*one), Place(*other)
    assert (first == second) == (Twin(*one) == Twin(*other))
    assert first != second or hash(first) == hash(second)
    assert repr(first).replace("Place", "Twin") == repr(Twin(*one))
    assert len({first, second, Place(*one)}) == len({Twin(*one), Twin(*other)})


@given(values)
def test_copies_are_equal(one: tuple) -> None:
    place = Place(*one)
    assert copy.copy(place) == copy.deepcopy(place) == pickle.loads(pickle.dumps(place)) == place
    assert replace(place, line=7) == Place(7, *one[1:])


def test_defaults_and_names() -> None:
    assert Place(1) == Place(line=1, text="nothing", parts=())
    assert Place(1, parts=(4, 5)).end == 3
    match Place(1, "x"):
        case Place(line, text):
            assert (line, text) == (1, "x")


@pytest.mark.parametrize("arguments", [{}, {"lines": 1}, {"line": 1, "colour": 2}])
def test_wrong_arguments_are_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Place(**arguments)
    with pytest.raises(TypeError):
        replace(Place(1), colour=2)


def test_frozen() -> None:
    place = Place(1)
    for change in (
        lambda: setattr(place, "line", 2),
        lambda: delattr(place, "line"),
        lambda: setattr(place, "other", 2),
    ):
        with pytest.raises(AttributeError):
            change()
    assert place.line == 1


def test_a_record_of_another_class_is_never_equal() -> None:
    assert Place(1) != Marked(1)
    assert Place(1) != (1, "nothing", ())
    assert Marked(1, mark="?") == replace(Marked(1), mark="?")
    assert repr(Marked(1)) == "Marked(line=1, text='nothing', parts=(), mark='!')"
    assert isinstance(Marked(1), Place)


def test_the_first_instance_of_a_subclass_leaves_the_base_alone() -> None:
    class Base(Record):
        a: int

    class Below(Base):
        b: int = 2

    class Same(Base):
        """Adds no field."""

    assert (Below(1), Base(1), Same(1), Below(3)) == (Below(1, 2), Base(1), Same(1), Below(3, 2))
    assert Below(1).b == 2


def test_not_frozen() -> None:
    one, other = Tally(), Tally()
    one.names.append("a")
    assert other.names == []
    other.names = ["a"]
    assert one == other
    assert repr(one) == "Tally(names=['a'])"
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(AttributeError):
        one.other = 1


def test_identity() -> None:
    one = Node("a")
    assert one == one  # noqa: PLR0124
    assert one != Node("a")
    assert len({one, Node("a")}) == 2


@pytest.mark.parametrize("name", ["match", "fullmatch", "search", "findall"])
@given(text=st.text("ab1 ", max_size=6))
def test_a_late_expression_is_the_early_one(name: str, text: str) -> None:
    import re

    late = regex(r"(a+)b?|\d", re.IGNORECASE)
    found, wanted = (getattr(each, name)(text) for each in (late, re.compile(r"(a+)b?|\d", re.IGNORECASE)))
    assert (found and getattr(found, "span", lambda: found)()) == (wanted and getattr(wanted, "span", lambda: wanted)())
    assert late.sub("-", text) == re.sub(r"(a+)b?|\d", "-", text, flags=re.IGNORECASE)
