"""TOML files: values of the standard parser, places found in the text."""

import pytest

from grpolint.documents.scalars import data
from grpolint.documents.source import Source
from grpolint.documents.toml import parse

TEXT = """# note
seed = 42
[model]
name = "a#b"  # the model
"quoted key" = 1
sizes = [1, 2] # two
lora.rank = 16
[[env]]
id = 'x'
[env.args]
n = 3
[[env]]
id = "y"
long = [
  1,
]
"""


def test_values_and_their_places():
    document = parse(Source("a.toml", TEXT))
    root = document.root
    assert not document.problems
    assert data(root) == {
        "seed": 42,
        "model": {"name": "a#b", "quoted key": 1, "sizes": [1, 2], "lora": {"rank": 16}},
        "env": [{"id": "x", "args": {"n": 3}}, {"id": "y", "long": [1]}],
    }
    model = root.get("model")
    assert root.entry("seed").span.text == "seed = 42"
    assert (model.entry("name").key_span.text, model.get("name").span.text) == ("name", '"a#b"')
    assert model.get("sizes").span.text == "[1, 2]"
    assert model.get("lora").get("rank").span.text == "16"
    env = root.get("env").items
    assert [item.get("id").span.text for item in env] == ["'x'", '"y"']
    assert env[0].get("args").get("n").span.line == 11


def test_what_stands_before_an_error_is_read():
    document = parse(Source("a.toml", "a = 1\n[b]\nc = 2\nd = oops\n"))
    assert data(document.root) == {"a": 1, "b": {"c": 2}}
    assert document.problems[0].span.line == 4
    assert document.problems[0].message.startswith("not valid TOML: ")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = 1\na = 2\n",
        "\x00",
        "[" * 10_000,
        "a" * 1_000_000,
        "a." * 5_000 + "b = 1",
        "a = '" + "#" * 100_000,
        "a = " + "{b = " * 5_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_ends_without_an_exception(text):
    assert parse(Source("a.toml", text)).problems or text.startswith("a.")


def test_an_empty_file():
    document = parse(Source("a.toml", ""))
    assert data(document.root) == {}
    assert not document.problems
