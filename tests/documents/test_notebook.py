"""Notebooks: cells as Python, with places in the file on disk."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.documents.nodes import Opaque
from grpolint.documents.notebook import parse
from grpolint.documents.scalars import data
from grpolint.documents.source import Source


def notebook(*cells, lines=True, ascii_only=True):
    made = []
    for cell in cells:
        kind, text = cell if isinstance(cell, tuple) else ("code", cell)
        made.append({"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True) if lines else text})
    return Source("a.ipynb", json.dumps({"cells": made, "nbformat": 4}, indent=1, ensure_ascii=ascii_only))


def only(document, name="GRPOConfig"):
    calls = list(document.named(name))
    assert len(calls) == 1
    return calls[0]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_values_have_their_place_in_the_file(lines, ascii_only):
    source = notebook(
        "from trl import GRPOConfig\nN = 4  # \u00e9\U0001f600",
        ("markdown", "GRPOConfig(beta=9)"),
        'args = GRPOConfig(\n    num_generations=N,\n    optim="adamw",\n    name = "\u00e9\U0001f600", beta=0.04)',
        lines=lines,
        ascii_only=ascii_only,
    )
    document = parse(source)
    call = only(document)
    assert (document.language, document.problems, call.name) == ("notebook", (), "trl.GRPOConfig")
    assert data(call.arguments) == {"num_generations": 4, "optim": "adamw", "name": "\u00e9\U0001f600", "beta": 0.04}
    entries = {entry.key: entry for entry in call.arguments.entries}
    assert entries["beta"].span.outer().text == "beta=0.04"
    assert entries["optim"].span.outer().text == 'optim=\\"adamw\\"'
    assert entries["num_generations"].value.span.outer().text == "4"
    assert entries["beta"].span.outer().source is source
    assert entries["beta"].span.line == source.position(source.text.index("beta=0.04"))[0]


def test_magics_and_shell_lines_do_not_hinder():
    document = parse(
        notebook(
            "%%capture\n!pip install \\\n  trl==0.22.2 vllm\nif f():\n    !nvidia-smi\n    %env A=1\nx = !ls\nhelp?\nGRPOConfig(a=1, b=x)",
            "%%bash\npython train.py --beta 0\n",
            "%%writefile x.py\nGRPOConfig(c=3)\n",
            "%%html\n<b>\n",
        )
    )
    assert not document.problems
    call = only(document)
    assert data(call.arguments.get("a")) == 1
    assert isinstance(call.arguments.get("b"), Opaque)
    texts = [source.text for source in document.shell]
    assert texts == ["pip install \\\n  trl==0.22.2 vllm", "nvidia-smi", "python train.py --beta 0\n"]
    bash = document.shell[2]
    at = bash.text.index("--beta")
    assert bash.span(at, at + 6).outer().text == "--beta"
    assert bash.span(at, at + 6).outer().source.path == "a.ipynb"


def test_lines_like_magics_inside_a_text_are_text():
    call = only(parse(notebook('GRPOConfig(a="""\n%d\n!x\n""")')))
    assert data(call.arguments.get("a")) == "\n%d\n!x\n"


def test_a_cell_that_is_not_python_costs_only_itself():
    document = parse(notebook("a = 1", "this is no python", "GRPOConfig(a=a)"))
    assert len(document.problems) == 1
    assert document.problems[0].span.outer().source.path == "a.ipynb"
    assert data(only(document).arguments) == {"a": 1}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3}', "\x00", "[" * 10_000, '{"cells": [' * 1_000])
def test_what_is_no_notebook_is_a_problem(text):
    assert parse(Source("a.ipynb", text)).problems


def test_cells_before_damage_are_read():
    text = notebook("GRPOConfig(a=1)", "b = 2").text
    document = parse(Source("a.ipynb", text[: text.index("b = 2") + 2]))
    assert document.problems
    assert data(only(document).arguments) == {"a": 1}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text("ab \t\"\\'\u00e9\U0001f600\u2028/#", max_size=12), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
)
def test_each_character_of_a_cell_leads_to_its_own_place(texts, lines, ascii_only):
    code = "x = 1\n" + "\n".join(f"C(v{n}={text!r})" for n, text in enumerate(texts))
    source = notebook(code, lines=lines, ascii_only=ascii_only)
    document = parse(source)
    assert not document.problems
    for call, text in zip(document.named("C"), texts):
        entry = call.arguments.entries[0]
        assert data(entry.value) == text
        outer = entry.span.outer()
        assert outer.source is source
        assert json.loads(f'"{outer.text}"') == entry.span.text
