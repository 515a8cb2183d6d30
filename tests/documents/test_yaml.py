"""YAML files: values with their places, what is kept of broken files, and bounds."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.documents.nodes import Mapping, Opaque, Scalar, Sequence, walk
from grpolint.documents.scalars import data
from grpolint.documents.source import Source, decode
from grpolint.documents.yaml import MAX_NODES, parse


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML without libyaml")
    return request.param


def read(text):
    return parse(Source("a.yaml", text))


def messages(document):
    return [problem.message for problem in document.problems]


def test_every_value_has_the_place_where_it_is_written():
    document = read("trainer:\n  lr: 1e-6   # slow\n  name: 'x'\n  tags: [a, b]\n")
    trainer = document.root.get("trainer")
    entry = trainer.entry("lr")
    assert (entry.key_span.text, entry.value.span.text, entry.span.text) == ("lr", "1e-6", "lr: 1e-6")
    assert entry.value.plain
    assert trainer.entry("name").span.text == "name: 'x'"
    assert (trainer.get("name").value, trainer.get("name").raw) == ("x", "'x'")
    assert trainer.get("tags").span.text == "[a, b]"
    assert entry.value.span.line == 2
    assert document.root.span.text == document.source.text.rstrip()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_are_characters_whatever_the_encoding(newline, mark):
    text = mark + newline.join(["# \u00e9\U0001f600\u4e2d", "na\u00efve: \u4e2d\U0001f600x", "b: 1", "c: 'q'", ""])
    document = decode(text.encode(), "a.yaml")
    root = parse(document).root
    assert [entry.span.text for entry in root.entries] == ["na\u00efve: \u4e2d\U0001f600x", "b: 1", "c: 'q'"]
    assert root.get("b").span.line == 3


def test_anchors_and_tags_are_not_part_of_a_value():
    root = read("a: &x 3\nb: !!str 5\nc: &y {k: 1}\nd: &z\n  k: v\ne: *x\n").root
    assert [entry.value.span.text for entry in root.entries] == ["3", "5", "{k: 1}", "k: v", "3"]
    assert data(root) == {"a": 3, "b": "5", "c": {"k": 1}, "d": {"k": "v"}, "e": 3}
    assert root.entry("e").span.text == "e: *x"


def test_block_scalars_are_text_and_end_before_what_follows():
    root = read("a: |\n  one\n  two\n\n# note\nb: >-\n  x\n  y\n").root
    assert data(root) == {"a": "one\ntwo\n", "b": "x y"}
    assert root.get("a").span.text == "|\n  one\n  two"


def test_duplicate_keys_are_all_kept_and_the_last_counts():
    root = read("a: 1\nb: 2\na: 3\n").root
    assert [entry.key for entry in root.entries] == ["a", "b", "a"]
    assert data(root) == {"a": 3, "b": 2}


def test_merge_keys_bring_what_the_mapping_does_not_have():
    text = (
        "base: &b {x: 1, y: 2}\nmore: &m {y: 5, z: 6}\none:\n  <<: *b\n  y: 3\ntwo:\n  y: 9\n  <<: [*b, *m]\n'<<': 1\n"
    )
    document = read(text)
    assert data(document.root) == {**yaml.safe_load(text.replace("'<<': 1\n", "")), "<<": 1}
    one = document.root.get("one")
    assert [entry.key for entry in one.entries] == ["x", "y"]
    assert not document.problems


def test_later_documents_of_a_stream_are_kept_apart():
    document = read("a: 1\n---\nb: 2\n--- \n- c\n")
    assert data(document.root) == {"a": 1}
    assert [data(root) for root in document.further] == [{"b": 2}, ["c"]]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "\ufeff", "---\n"])
def test_an_empty_file_is_no_problem(text):
    document = read(text)
    assert data(document.root) is None
    assert not document.problems


def test_standard_tags_decide_types_and_others_are_opaque():
    root = read("a: !!int '3'\nb: !!float 1e-6\nc: ! 5\nd: !vault xyz\ne: !!python/tuple [1]\n").root
    assert data(root)["a"] == 3
    assert data(root)["b"] == 1e-6
    assert data(root)["c"] == yaml.safe_load("! 5") == 5
    assert root.get("d") == Opaque(root.get("d").span, "expression:!vault xyz")
    assert data(root)["e"] == [1]
    bad = read("a: !!int x\nb: 1\n")
    assert messages(bad) == ["'x' cannot be read as int"]
    assert data(bad.root)["b"] == 1


@pytest.mark.parametrize(
    ("text", "line", "kept"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", 3, {"a": 1}),
        ("a:\n  b: 1\n\tc: 2\nd: 3\n", 3, {"a": {"b": 1}}),
        ("a: 1\nb: x: y\n", 2, {"a": 1}),
        ("a: 1\nb: 'open\n", 3, {"a": 1}),
        ("a: 1\n b: 2\n", 2, {}),
        ("a: 1\nb: @x\n", 2, {"a": 1}),
    ],
)
def test_what_stands_before_an_error_is_read(text, line, kept):
    document = read(text)
    assert len(document.problems) == 1
    assert document.problems[0].message.startswith("not valid YAML: ")
    assert document.problems[0].span.line == line
    found = data(document.root)
    assert {key: found[key] for key in kept} == kept


def test_a_tab_in_the_indentation_is_named():
    assert "a tab is used for indentation" in messages(read("a:\n\tb: 1\n"))[0]


@pytest.mark.parametrize(
    "text",
    [
        "lr: {{ lr }}\nsteps: 5\n",
        "{% if big %}\nlr: {{ lr }}\n{% endif %}\nsteps: 5\n",
        "{{- if .big }}\nlr: {{ .lr }}\n{{- end }}\nsteps: 5\n",
        "lr: {{ a }}/{{ b | default(3) }}\nsteps: 5\n",
        "- {{ x }}: 1\n- steps: 5\n",
    ],
)
def test_a_template_is_called_a_template_and_the_rest_is_read(text):
    document = read(text)
    assert len(document.problems) == 1
    assert document.problems[0].message.startswith("a template, not YAML yet: {")
    leaves = {path: node for path, node, _ in walk(document.root)}
    if "lr" in leaves:
        assert leaves["lr"].reason.startswith("expression:{{")
        assert data(document.root)["steps"] == 5


def test_braces_inside_text_are_no_template():
    document = read('chat_template: "{% for m in messages %}{{ m.content }}{% endfor %}"\nb: |\n  {{ x }}\n')
    assert not document.problems
    assert isinstance(document.root.get("chat_template"), Scalar)
    broken = read("chat_template: '{{ m }}'\nlr: [1\n")
    assert messages(broken)[0].startswith("not valid YAML")
    assert isinstance(broken.root.get("chat_template"), Scalar)


def test_bytes_that_are_not_utf8_are_reported_and_the_rest_is_read():
    document = parse(decode(b"a: caf\xe9\nb: 2\n", "a.yaml"))
    assert messages(document) == ["the byte 0xe9 is not UTF-8"]
    assert document.root.get("b").span.text == "2"
    control = read("a: x\x01y\nb: 2\n")
    assert messages(control) == ["the character U+0001 is not allowed in YAML"]
    assert data(control.root)["b"] == 2


def test_aliases_that_lead_nowhere():
    document = read("a: *nope\nb: &c [1, *c]\nd: 1\n")
    assert messages(document) == [
        "the alias *nope has no anchor &nope before it",
        "the alias *c stands inside its own anchor",
    ]
    assert data(document.root)["d"] == 1
    assert not read("a: &a 1\n---\nb: 1\n").problems
    assert "has no anchor" in messages(read("a: &a 1\n---\nb: *a\n"))[0]


def test_an_alias_bomb_is_cut():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    document = read("\n".join(lines))
    assert f"makes more than {MAX_NODES} values" in messages(document)[0]
    assert sum(1 for _ in count(document.root)) <= MAX_NODES + 1000


def test_a_merge_bomb_is_cut():
    base = "b0: &b0 {" + ", ".join(f"k{n}: 1" for n in range(500)) + "}\n"
    text = base + "".join(f"b{n}: &b{n}\n  <<: *b{n - 1}\n  z{n}: 1\n" for n in range(1, 2000))
    document = read(text)
    assert sum(1 for _ in count(document.root)) <= 2 * MAX_NODES


def count(node):
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        if isinstance(at, Mapping):
            stack.extend(entry.value for entry in at.entries)
        elif isinstance(at, Sequence):
            stack.extend(at.items)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "".join(" " * n + "a:\n" for n in range(600)),
        "? " * 100_000,
        "&a " * 50_000,
        "a: " + "x" * 1_000_000,
        "a: '" + "x" * 300_000,
        "x" * 300_000,
        "\x00\x01\x02" * 1000,
        "{{" * 2_000,
        "{% " * 100_000,
        "!" * 100_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_ends_soon_and_without_an_exception(text):
    assert read(text).language == "yaml"


def test_a_file_with_too_many_values_is_read_up_to_the_bound(monkeypatch):
    monkeypatch.setattr("grpolint.documents.yaml.MAX_NODES", 500)
    document = read("- 1\n" * 1000)
    assert messages(document) == ["more than 500 values, read up to here"]
    assert len(document.root.items) == 501


KEYS = st.text("abcd\u00e9\u4e2d_-.", min_size=1, max_size=6).map(lambda key: "k" + key)
VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(VALUES, st.booleans(), st.booleans())
def test_what_pyyaml_dumps_is_read_as_pyyaml_reads_it(value, flow, unicode):
    text = yaml.safe_dump({"root": value}, default_flow_style=flow, allow_unicode=unicode)
    document = parse(Source("a.yaml", text))
    assert not document.problems
    assert data(document.root) == yaml.safe_load(text)
    for _, node, entry in walk(document.root):
        if isinstance(node, Scalar) and node.plain and "\n" not in node.span.text:
            assert node.span.text == node.raw
        if entry is not None:
            assert entry.span.start == entry.key_span.start <= node.span.start <= node.span.end <= entry.span.end


@settings(max_examples=120, deadline=None)
@given(st.text("a:-[]{},&*!|>'\"%@`#\n \t\u00e91?<", max_size=60))
def test_any_text_gives_a_document_and_agrees_with_the_loader(text):
    document = parse(Source("a.yaml", text))
    try:
        nodes = list(yaml.compose_all(text, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader))
    except yaml.YAMLError:
        nodes = None
    if nodes is None:
        assert document.problems
    for problem in document.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
