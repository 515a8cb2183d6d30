"""Relations between sizes: found exactly where they do not hold, with every number in the sentence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.documents.source import Source
from grpolint.rules.api import Inquiry, Undecided
from grpolint.rules.relations import Size, Term, absent, at_least, equals, minimum, multiple, off, on, together
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Known, Unknown

SIZES = st.integers(min_value=1, max_value=4096)


def inquiry(**options):
    settings = Settings("tool", Version("1.0"))
    for key, value in options.items():
        settings.put(Setting("tool", key, value if isinstance(value, Unknown) else Known(value)))
    return Inquiry(Run("tool", Source(str(Path("x.sh")), ""), settings={"tool": settings}))


def term(name, **more):
    return Term(f"tool:{name}", name, **more)


@given(batch=SIZES, n=SIZES, gpus=SIZES)
def test_multiple_is_found_where_there_is_a_remainder(batch, n, gpus):
    run = inquiry(batch=batch, n=n, gpus=gpus)
    found = list(multiple(run, Size.of(run, term("batch"), term("n")), Size.of(run, term("gpus")), "so they say"))
    assert bool(found) == bool(batch * n % gpus)
    for finding in found:
        assert str(batch * n) in finding.message
        assert f"gpus {gpus}" in finding.message
        assert finding.message.endswith("so they say")


@given(one=SIZES, other=SIZES)
def test_at_least_is_found_where_it_is_less(one, other):
    run = inquiry(one=one, other=other)
    found = list(at_least(run, Size.of(run, term("one")), Size.of(run, term("other")), "why"))
    assert bool(found) == (one < other)


@given(st.lists(SIZES, min_size=1, max_size=4))
def test_size_is_the_product_and_shows_what_it_is_made_of(numbers):
    run = inquiry(**{f"part{at}": number for at, number in enumerate(numbers)})
    size = Size.of(run, *(term(f"part{at}") for at in range(len(numbers))))
    product = 1
    for number in numbers:
        product *= number
    assert size.value == product
    shown = [f"part{at} {number}" for at, number in enumerate(numbers) if number != 1]
    assert all(each in size.equation for each in shown)
    assert len(size.places) == max(len(shown), 1)


def test_an_absent_term_ends_the_question_unless_something_stands_in():
    run = inquiry(batch=8)
    assert Size.of(run, term("batch"), term("missing")) is None
    assert Size.of(run, term("batch"), term("missing", assume=1)).value == 8
    assert list(multiple(run, None, Size.of(run, term("batch")), "why")) == []


def test_an_unknown_term_leaves_the_rule_undecided():
    run = inquiry(batch=Unknown("env:BATCH"))
    with pytest.raises(Undecided, match="env:BATCH"):
        Size.of(run, term("batch"))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (on("tool:yes"), True),
        (on("tool:no"), False),
        (on("tool:nothing"), False),
        (off("tool:no"), True),
        (off("tool:yes"), False),
        (off("tool:nothing"), False),
        (equals("tool:mode", "sync", "async"), True),
        (equals("tool:mode", "other"), False),
        (minimum("tool:size", 4), True),
        (minimum("tool:size", 5), False),
        (minimum("tool:nothing", 0), False),
        (absent("tool:nothing"), True),
        (absent("tool:empty"), True),
        (absent("tool:size"), False),
    ],
    ids=lambda each: getattr(each, "ref", each),
)
def test_condition(condition, holds):
    run = inquiry(yes=True, no="false", mode="Sync", size=4, empty="")
    assert bool(list(together(run, "both", condition))) is holds


def test_conditions_are_asked_in_order_so_that_the_first_can_decide():
    run = inquiry(no=False, secret=Unknown("env:SECRET"))
    assert list(together(run, "both", on("tool:no"), on("tool:secret"))) == []
    with pytest.raises(Undecided):
        list(together(run, "both", off("tool:no"), on("tool:secret")))
