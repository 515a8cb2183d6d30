"""The short ways through the grammar of overrides give what the grammar gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grpolint.frameworks.hydra import overrides

KEYS = st.one_of(st.just("a.b"), st.text("abA_.0-$+@/~", min_size=1, max_size=5))
VALUES = st.text("aZ_-09.17/@+$ =\\'[]{}:,~enulltrINf\té１\n", max_size=7)


def read(text: str) -> str:
    try:
        return repr(overrides.parse_override(text))
    except overrides.OverrideError as error:
        return f"refused: {error}"


@given(KEYS, VALUES)
@example("a", "007")
@example("a", "00.5")
@example("a", "NaN")
@example("a", "a/b\n")
@example("++a", " 1 ")
def test_short_ways(key: str, value: str) -> None:
    text = f"{key}={value}"
    short = read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overrides, "_plain", lambda _text: None)
        patch.setattr(overrides, "_head", by_grammar)
        assert short == read(text)


def by_grammar(text: str) -> overrides._Head | None:
    match = overrides._HEAD.match(text)
    if match is None:
        return None
    return overrides._Head(match["mark"], match["key"], match["package"], bool(match["equal"]), match.end())
