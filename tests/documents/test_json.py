"""JSON files: values with their places, what lenient loaders accept, what is kept of broken files, and bounds."""

import json
import math

import hjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.documents.json import parse
from grpolint.documents.nodes import Mapping, Opaque, Scalar, walk
from grpolint.documents.scalars import data
from grpolint.documents.source import Source, decode


def read(text):
    return parse(Source("ds.json", text))


def lenient(document):
    return [problem.message.partition(":")[0] for problem in document.leniency]


def test_every_value_has_the_place_where_it_is_written():
    document = read('{\n  "zero_optimization": {"stage": 3, "device": "c\\u0070u"},\n  "betas": [0.9, 1e-8]\n}\n')
    zero = document.root.get("zero_optimization")
    assert zero.entry("stage").span.text == '"stage": 3'
    assert zero.entry("stage").key_span.text == '"stage"'
    assert (zero.get("device").value, zero.get("device").raw) == ("cpu", '"c\\u0070u"')
    assert [item.span.text for item in document.root.get("betas").items] == ["0.9", "1e-8"]
    assert zero.get("stage").span.line == 2
    assert (document.problems, document.leniency) == ((), ())
    assert type(data(document.root)["betas"][1]) is float


def test_duplicate_keys_are_all_kept():
    root = read('{"a": 1, "a": 2}').root
    assert [entry.value.value for entry in root.entries] == [1, 2]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"a": 1} // x', ["a comment"]),
        ('{"a": 1 # x\n}', ["a comment"]),
        ('{"a": /* x */ 1}', ["a comment"]),
        ('{"a": 1,}', ["a trailing comma"]),
        ('{"a": 1\n "b": 2}', ["a missing comma"]),
        ("{a: 1}", ["a key without quotes"]),
        ("{'a': 'b'}", ["single quotes"]),
        ('{"a": auto\n}', ["a text without quotes"]),
        ("a: 1", ["no braces around the whole", "a key without quotes"]),
        ('{"a": NaN}', ["NaN"]),
        ('{"a": -Infinity}', ["-Infinity"]),
        ("\ufeff{}", ["a byte order mark"]),
        ("{\"a\": '''\n  x\n  '''}", ["a text in three quotes"]),
    ],
)
def test_liberties_are_named_and_read(text, what):
    document = read(text)
    assert not document.problems
    assert lenient(document) == what
    assert all(problem.span.source is document.source for problem in document.leniency)


def test_a_liberty_is_named_once_at_its_first_place():
    document = read('{"a": 1, // one\n"b": 2 // two\n}')
    assert [problem.span.text for problem in document.leniency] == ["// one"]


def test_a_text_without_quotes_takes_the_rest_of_the_line_as_hjson_does():
    text = '{\n  "a": auto,\n  "b": 5 # five\n  "c": true false\n}'
    assert data(read(text).root) == dict(hjson.loads(text)) == {"a": "auto,", "b": 5, "c": "true false"}


@pytest.mark.parametrize(
    ("text", "kept", "message"),
    [
        ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1, 2]}, "the file ends inside a list"),
        ('{"a": 1, "b": {"c": 2, "d"', {"a": 1, "b": {"c": 2}}, "a colon was expected after the key 'd'"),
        ('{"a": 1, "b": }', {"a": 1}, "a value was expected, found '}'"),
        ('{"a": 1, "b": "x', {"a": 1}, "a string that is never closed"),
        ('{"a": 1, /* x', {"a": 1}, "a comment that is never closed"),
        ('{"a": 1,, "b": 2}', {"a": 1}, "a key was expected, found ','"),
        ('{"a": 1} {"b": 2}', {"a": 1}, "text after the end of the value"),
        ('{"a": 1', {"a": 1}, "the file ends inside an object"),
    ],
)
def test_what_stands_before_an_error_is_read(text, kept, message):
    document = read(text)
    assert data(document.root) == kept
    assert [problem.message for problem in document.problems] == [f"not valid JSON: {message}"]
    with pytest.raises((ValueError, IndexError)):
        hjson.loads(text)


def test_a_template_value_is_opaque_and_the_rest_is_read():
    document = read('{"a": {{ lr }}, "b": 2}')
    assert isinstance(document.root.get("a"), Opaque)
    assert document.root.get("b").value == 2
    assert document.problems[0].message.startswith("a template, not JSON yet: {{ lr }}")


@pytest.mark.parametrize("text", ["", "  \n", "// nothing\n", "\ufeff"])
def test_an_empty_file_has_no_root(text):
    document = read(text)
    assert document.root is None
    assert not document.problems


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ('"a: b"', "a: b"), ("[]", []), ("{}", {}), ("plain", "plain"), ("null", None)]
)
def test_the_root_may_be_any_value(text, value):
    document = read(text)
    assert data(document.root) == value
    assert not document.problems


def test_places_are_characters_in_text_that_is_not_ascii():
    source = decode('{"\u4e2d": "\U0001f600", "b": 1}'.encode(), "a.json")
    assert parse(source).root.entry("b").span.text == '"b": 1'


def test_bad_strings_are_reported_and_the_rest_is_read():
    document = read('{"a": "x\ty\\q", "b": 1}')
    assert data(document.root)["b"] == 1
    assert [problem.message for problem in document.problems] == [
        "a control character ('\\t') inside a string",
        "the escape \\q is not known",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '"' + "a" * 5_000_000,
        '"' + "\\" * 200_001,
        "{" + "a" * 5_000_000,
        "/*" * 1_000_000,
        "#" * 1_000_000,
        "{{" * 100_000,
        "'''" * 100_001,
        "'" * 100_001,
        "a:" * 200_000,
        "\x00\x01\ud800",
        "1" * 5_000,
        "[" + "{{a}}," * 50_000,
        "[1" + " " * 1_000_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_hostile_text_ends_soon_and_without_an_exception(text):
    assert read(text).language == "json"


def test_a_file_with_too_many_values_is_read_up_to_the_bound(monkeypatch):
    monkeypatch.setattr("grpolint.documents.json.MAX_NODES", 500)
    document = read("[" + "1," * 1000)
    assert [problem.message for problem in document.problems] == ["more than 500 values, read up to here"]
    assert len(document.root.items) == 500


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=15,
)


def same(left, right):
    if isinstance(left, float) and math.isnan(left):
        return isinstance(right, float) and math.isnan(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


@settings(max_examples=120, deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_what_json_writes_is_read_as_json_reads_it(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    document = read(text)
    assert not document.problems
    assert same(data(document.root), json.loads(text))
    assert set(lenient(document)) <= {"NaN", "Infinity", "-Infinity"}
    for _, node, entry in walk(document.root):
        if isinstance(node, Scalar):
            assert node.span.text == node.raw
        if entry is not None:
            assert entry.span.text.endswith(node.span.text)


@settings(max_examples=250, deadline=None)
@given(st.text("{}[],:\"'#/* \n\tab1.-e0\\tru", max_size=40))
def test_what_hjson_reads_is_read_alike(text):
    document = read(text)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in document.problems)
    try:
        expected = hjson.loads(text)
    except (ValueError, IndexError):
        return
    if "'''" in text or document.root is None or isinstance(expected, str):
        return  # a root that fails as an object is one text to hjson, however broken it is
    assert not document.problems
    assert data(document.root) == json.loads(json.dumps(expected))


@settings(max_examples=120, deadline=None)
@given(st.text('{}[],:"\n 1ab.-e+tru\\', max_size=30))
def test_strict_json_is_exactly_what_is_read_without_leniency(text):
    document = read(text)
    try:
        json.loads(text)
        strict = True
    except ValueError:
        strict = False
    assert strict == (document.root is not None and not document.problems and not document.leniency)


def test_a_real_hjson_file_agrees_with_hjson():
    text = """
    # DeepSpeed
    train_batch_size: 64
    zero_optimization: {
      stage: 3  // full sharding
      offload_optimizer: {device: "cpu", pin_memory: true}
      note: a text, with a comma
      lines:
        '''
        one
          two
        '''
    }
    betas: [
      0.9
      0.999
    ]
    """
    root = read(text).root
    assert isinstance(root, Mapping)
    assert data(root) == json.loads(json.dumps(hjson.loads(text)))
