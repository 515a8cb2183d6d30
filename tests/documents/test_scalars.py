"""Plain scalars get the type that the named loader gives them."""

import math

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from omegaconf._utils import get_yaml_loader

from grpolint.documents.nodes import Opaque
from grpolint.documents.scalars import data, resolve, resolve_text
from grpolint.documents.source import Source
from grpolint.documents.yaml import parse

PLAIN = st.one_of(
    st.text("0123456789+-._:eExobOINFinfaAnN~ytrufls=<", min_size=1, max_size=9),
    st.sampled_from(
        ["yes", "No", "ON", "off", "y", "true", "TRUE", "null", "Null", "~", ".inf", "-.INF", ".nan", "=", "<<"]
    ),
    st.from_regex(r"[-+]?[0-9_]{1,4}(\.[0-9_]{0,3})?([eE][-+]?[0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,4})?Z?)?", fullmatch=True),
    st.from_regex(r"[-+]?[0-9]{1,3}(:[0-9]{1,2}){1,3}(\.[0-9]{0,3})?", fullmatch=True),
    st.from_regex(r"[-+]?0[xob]?[0-9a-f_]{0,4}", fullmatch=True),
)


def equal(left, right):
    if isinstance(left, float) and math.isnan(left):
        return isinstance(right, float) and math.isnan(right)
    return type(left) is type(right) and left == right


def loaded(text, loader):
    """What the loader makes of the text as a value, or None where the text is no plain scalar or cannot be converted."""
    try:
        node = yaml.compose(text, loader)
        if not isinstance(node, yaml.ScalarNode) or node.style is not None or node.value != text:
            return None
        return (yaml.load(text, loader),)
    except (yaml.YAMLError, ValueError, OverflowError):
        return None


@settings(max_examples=200, deadline=None)
@given(PLAIN)
@example("1e-6")
@example("1_000")
@example("190:20:30.15")
def test_pyyaml_dialect_is_pyyaml(text):
    expected = loaded(text, yaml.SafeLoader)
    if expected is not None:
        assert equal(resolve_text(text, "pyyaml"), expected[0]), text


@settings(max_examples=200, deadline=None)
@given(PLAIN)
@example("1e5")
@example("5e-7")
@example("2024-01-01")
@example("1_0.5e3")
def test_omegaconf_dialect_is_omegaconf(text):
    expected = loaded(text, get_yaml_loader())
    if expected is not None:
        assert equal(resolve_text(text, "omegaconf"), expected[0]), text


@pytest.mark.parametrize(
    ("text", "pyyaml", "omegaconf", "yaml12"),
    [
        ("1e-6", "1e-6", 1e-6, 1e-6),
        ("1.0e-6", 1e-6, 1e-6, 1e-6),
        ("1.e6", "1.e6", 1e6, 1e6),
        ("yes", True, True, "yes"),
        ("off", False, False, "off"),
        ("True", True, True, True),
        ("010", 8, 8, 10),
        ("0o10", "0o10", "0o10", 8),
        ("0x1F", 31, 31, 31),
        ("1_000", 1000, 1000, "1_000"),
        ("1:30", 90, 90, "1:30"),
        ("", None, None, None),
        ("~", None, None, None),
        ("None", "None", "None", "None"),
        ("-.inf", -math.inf, -math.inf, -math.inf),
        ("${a.b}", "${a.b}", "${a.b}", "${a.b}"),
    ],
)
def test_the_same_text_in_three_dialects(text, pyyaml, omegaconf, yaml12):
    for dialect, expected in (("pyyaml", pyyaml), ("omegaconf", omegaconf), ("yaml12", yaml12)):
        assert equal(resolve_text(text, dialect), expected), dialect


@pytest.mark.parametrize("text", ["0b_", "2024-13-01", "9" * 5000, "0x_", "+_"])
def test_what_a_loader_cannot_convert_stays_text(text):
    assert resolve_text(text, "pyyaml") == text


def test_quoted_scalars_are_text_in_every_dialect():
    root = parse(Source("a.yaml", "a: '1'\nb: \"yes\"\nc: |\n  5\n")).root
    assert [resolve(root.get(key), "yaml12") for key in "abc"] == ["1", "yes", "5\n"]


def test_an_unknown_dialect_is_refused():
    with pytest.raises(ValueError, match="no YAML dialect 'json'"):
        resolve_text("1", "json")


def test_data_gives_plain_python_and_keeps_what_is_opaque():
    root = parse(Source("a.yaml", "a: {x: 1, x: 2}\nb: [on, !env HOME]\n")).root
    found = data(root)
    assert found["a"] == {"x": 2}
    assert found["b"][0] is True
    assert isinstance(found["b"][1], Opaque)
    assert data(None) is None
