"""Changes as sentences and as edits: which characters are touched, and when none are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.changes import AddEnv, RemoveOption, RenameOption, SetOption
from grpolint.documents.source import Source
from grpolint.fixes import Edit, apply, edits, help_text
from grpolint.frameworks.base import Framework
from grpolint.launch import Launch, Part, Word
from grpolint.literals import find_literal, same
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Known, Origin, Unknown


class Plain(Framework):
    name = "verl"
    title = "a framework that spells as the base class does"

    def compose(self, run, world, document=None):
        raise NotImplementedError


class Flags(Plain):
    def spell(self, key, value, setting, run):
        return f"--{key} {value}"


def run_of(text, *, key="n", value=1, written=None, variables=(), form="override", framework="verl"):
    """A run whose option `key` is written as the text `written`, through variables (name, text of the assignment)."""
    source = Source("run.sh", text)
    run = Run(framework, source)
    settings = Settings(framework, Version("1"))
    run.settings[framework] = settings

    def span(piece):
        start = text.index(piece)
        return source.span(start, start + len(piece))

    if written is not None:
        origins = [Origin(form, span(written))]
        origins += [Origin("variable", span(assignment), name) for name, assignment in variables]
        settings.put(Setting(framework, key, Known(value, tuple(origins)), span(written), form))
    command = text.find("python")
    if command >= 0:
        words = [
            Word((Part(found[0]),), source.span(found.start(), found.end()))
            for found in re.finditer(r"(?<=[ (\t])[+\w.-]+=\S+|--\S+ \S+", text)
        ]
        run.launch = Launch("main", tuple(words), source.span(command, len(text.rstrip())))
    return run


def fixed(run, change, framework=Plain()):  # noqa: B008
    made = edits(change, run, framework)
    return apply(run.source, list(made))[0] if made else None


SET = SetOption("verl", "n", 8)
REMOVE = RemoveOption("verl", "n")


@pytest.mark.parametrize(
    ("before", "written", "after"),
    [
        ("python a n=1 b=2\n", "n=1", "python a n=8 b=2\n"),
        ("python +n=1\n", "+n=1", "python +n=8\n"),
        ("python 'n=1'\n", "'n=1'", "python 'n=8'\n"),
        ('python n="1"\n', 'n="1"', 'python n="8"\n'),
        ("python --n 1\n", "--n 1", "python --n 8\n"),
        ("python --n=1\n", "--n=1", "python --n=8\n"),
        ("python --n \\\n  1 --x\n", "--n \\\n  1", "python --n \\\n  8 --x\n"),
        ("n: 1  # one\n", "n: 1", "n: 8  # one\n"),
        ('{"n": 1}', '"n": 1', '{"n": 8}'),
    ],
)
def test_set_replaces_only_the_characters_of_the_value(before, written, after):
    assert fixed(run_of(before, written=written), SET) == after


@pytest.mark.parametrize(
    ("before", "variables", "after"),
    [
        ("N=1\npython n=$N\n", [("N", "N=1")], "N=8\npython n=$N\n"),
        ('N="1"\npython n="$N"\n', [("N", 'N="1"')], 'N="8"\npython n="$N"\n'),
        ("N=1\npython n=${N}\n", [("N", "N=1")], "N=8\npython n=${N}\n"),
        ("N=${N:-1}\npython n=$N\n", [("N", "N=${N:-1}")], "N=${N:-8}\npython n=$N\n"),
        ("M=1\nN=$M\npython n=$N\n", [("N", "N=$M"), ("M", "M=1")], "M=8\nN=$M\npython n=$N\n"),
        ("N=1\npython n=$N val.n=$N\n", [("N", "N=1")], "N=1\npython n=8 val.n=$N\n"),
        ("N=1\nNN=2\npython n=$N nn=$NN\n", [("N", "N=1")], "N=8\nNN=2\npython n=$N nn=$NN\n"),
        ("A=1\npython n=$((A*B))\n", [("A", "A=1")], None),
        ("A=1\nN=$((A*B))\npython n=$N\n", [("N", "N=$((A*B))"), ("A", "A=1")], "A=1\nN=$((A*B))\npython n=8\n"),
        ("A=1\npython n=${A}0\n", [("A", "A=1")], None),
    ],
)
def test_set_follows_a_variable_that_passes_unchanged(before, variables, after):
    written = re.search(r"(?<= )n=\S+", before)[0]
    assert fixed(run_of(before, written=written, variables=variables), SET) == after


@pytest.mark.parametrize(
    ("old", "written", "new", "after"),
    [
        (True, "n=True", False, "n=False"),
        (False, "n=false", True, "n=true"),
        (None, "n=null", 4, "n=4"),
        (4, "n=4", None, "n=null"),
        (1e-6, "n=1e-6", 1e-5, "n=1e-05"),
        ("grpo", "n=grpo", "rloo", "n=rloo"),
        ("grpo", "n='grpo'", "rloo", "n='rloo'"),
        ("grpo", "n=grpo", "a b", None),
        (8, "n=4", 2, None),
        ("4", "n=4", "8", "n=8"),
    ],
)
def test_set_writes_as_the_old_value_was_written(old, written, new, after):
    text = fixed(run_of(f"python {written}\n", value=old, written=written), SetOption("verl", "n", new))
    assert text == (f"python {after}\n" if after else None)


def test_set_of_an_unknown_value_gives_no_edit():
    run = run_of("python n=$X\n", written="n=$X")
    run.settings["verl"].put(Setting("verl", "n", Unknown("env:X"), run.source.span(7, 11)))
    assert edits(SET, run, Plain()) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("python main.py \\\n    a=1 \\\n    b=2\n", "python main.py \\\n    a=1 \\\n    b=2 \\\n    n=8\n"),
        ("python main.py a=1\n", "python main.py a=1 n=8\n"),
        ("python main.py \\\n\ta=1 $@\n", "python main.py \\\n\ta=1 \\\n\tn=8 $@\n"),
        ("python main.py \\\r\n  a=1\r\n", "python main.py \\\r\n  a=1 \\\r\n  n=8\r\n"),
        ("python main.py a=1 2>&1 | tee log\n", "python main.py a=1 n=8 2>&1 | tee log\n"),
        ("python main.py\n", None),
    ],
)
def test_absent_option_follows_the_last_argument(before, after):
    assert fixed(run_of(before), SET) == after


def test_absent_option_joins_an_array():
    text = 'ARGS=(\n    a=1\n    b=2\n)\npython main.py "${ARGS[@]}"\n'
    assert fixed(run_of(text), SET) == text.replace("b=2\n", "b=2\n    n=8\n")


def test_absent_option_does_not_join_other_text():
    text = 'ARGS="a=1 b=2 "\npython main.py $ARGS\n'
    assert fixed(run_of(text), SET) is None


def test_absent_flag_is_spelled_by_the_framework():
    assert fixed(run_of("python main.py --a 1\n"), SET, Flags()) == "python main.py --a 1 --n 8\n"


def test_absent_option_of_another_framework_gives_no_edit():
    assert edits(SetOption("vllm", "n", 8), run_of("python main.py a=1\n"), Plain()) == ()


def test_absent_override_is_quoted_for_the_shell():
    assert fixed(run_of("python main.py a=1\n"), SetOption("verl", "n", "[1, 2]")) == "python main.py a=1 'n=[1, 2]'\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("python \\\n    a=1 \\\n    n=1 \\\n    b=2\n", "python \\\n    a=1 \\\n    b=2\n"),
        ("python \\\n    a=1 \\\n    n=1\n", "python \\\n    a=1\n"),
        ("python a=1 n=1 b=2\n", "python a=1 b=2\n"),
        ("python n=1\n", "python\n"),
        ("python \\\n    n=1 b=2 \\\n    c=3\n", "python \\\n    b=2 \\\n    c=3\n"),
        ("A=(\n  a=1\n  n=1\n)\n", "A=(\n  a=1\n)\n"),
        ("A=(\n  # why\n  n=1 b=2\n)\n", "A=(\n  # why\n  b=2\n)\n"),
        ("A=(n=1)\n", None),
    ],
)
def test_remove_takes_the_word_and_its_continuation(before, after):
    assert fixed(run_of(before, written="n=1"), REMOVE) == after


@pytest.mark.parametrize(
    ("form", "before", "written", "after"),
    [
        ("yaml", "a: 1\nn: 1  # why\nb: 2\n", "n: 1", "a: 1\nb: 2\n"),
        ("yaml", "a: 1\nn: 1", "n: 1", "a: 1\n"),
        ("yaml", "x:\n  n: 1\nb: 2\n", "n: 1", None),
        ("yaml", "x:\n  n: 1\n  m: 2\n", "n: 1", "x:\n  m: 2\n"),
        ("yaml", "- n: 1\n  m: 2\n", "n: 1", None),
        ("yaml", "x: {n: 1, m: 2}\n", "n: 1", None),
        ("json", '{"a": 1, "n": 1, "b": 2}', '"n": 1', '{"a": 1, "b": 2}'),
        ("json", '{\n  "a": 1,\n  "n": 1\n}', '"n": 1', '{\n  "a": 1\n}'),
        ("json", '{\n  "n": 1,\n  "a": 1\n}', '"n": 1', '{\n  "a": 1\n}'),
        ("json", '{"n": 1}', '"n": 1', None),
        ("python", "f(n=1)", "n=1", None),
    ],
)
def test_remove_in_files(form, before, written, after):
    assert fixed(run_of(before, written=written, form=form), REMOVE) == after


@pytest.mark.parametrize(
    ("form", "key", "new", "before", "written", "after"),
    [
        ("override", "a.b", "c.d", "python +a.b=1\n", "+a.b=1", "python c.d=1\n"),
        ("override", "a.b", "c.d", "python 'a.b=1'\n", "'a.b=1'", "python 'c.d=1'\n"),
        ("flag", "max_len", "max_length", "python --max_len 1\n", "--max_len 1", "python --max_length 1\n"),
        ("flag", "max_len", "max_length", "python --max-len=1\n", "--max-len=1", "python --max-length=1\n"),
        ("yaml", "a.b", "a.c", "a:\n  b: 1\n", "b: 1", "a:\n  c: 1\n"),
        ("yaml", "a.b", "d.b", "a:\n  b: 1\n", "b: 1", None),
        ("json", "b", "c", '{"b": 1}', '"b": 1', '{"c": 1}'),
        ("override", "a", "c", "python a.b=1\n", "a.b=1", None),
    ],
)
def test_rename(form, key, new, before, written, after):  # noqa: PLR0917
    run = run_of(before, key=key, written=written, form=form)
    assert fixed(run, RenameOption("verl", key, new)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set -x\npython main.py a=1\n", "set -x\nexport X=1\npython main.py a=1\n"),
        ("if a; then\n    python m a=1\nfi\n", "if a; then\n    export X=1\n    python m a=1\nfi\n"),
        ("if a; then python m a=1; fi\n", None),
        ("sudo \\\npython m a=1\n", None),
    ],
)
def test_environment(before, after):
    assert fixed(run_of(before), AddEnv("X", "1")) == after


def test_sentences():
    run = run_of("python main.py n=1\n", written="n=1")
    assert help_text(SET, run, Plain()) == "set n=8"
    assert help_text(SetOption("verl", "m.x", True), run, Plain()) == "add m.x=true"
    assert help_text(REMOVE, run, Plain()) == "remove n=1"
    assert help_text(RenameOption("verl", "n", "m"), run, Plain()) == "write m=1 instead of n=1"
    assert help_text(AddEnv("A", "x y"), run, Plain()) == "export A='x y' before the launch"


def test_overlapping_edits_are_not_made():
    source = Source("f", "abcdef")
    first, clash, beside = Edit(source, 1, 3, "X"), Edit(source, 2, 4, "Y"), Edit(source, 3, 4, "Z")
    assert apply(source, [first, clash, beside, first]) == ("aXZef", [first, beside])


def test_insertions_at_one_point_are_all_made():
    source = Source("f", "ab")
    text, made = apply(source, [Edit(source, 1, 1, "1"), Edit(source, 1, 1, "2"), Edit(source, 1, 1, "1")])
    assert (len(made), sorted(text)) == (2, ["1", "2", "a", "b"])


@given(st.one_of(st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False), st.text("ab1.-/_", min_size=1)))
def test_what_is_written_is_found_again(value):
    from grpolint.rules.api import show

    for text in (f"key={show(value)}", f"key: {show(value)}", f"--key {show(value)}", f'key="{show(value)}"'):
        source = Source("f", text)
        found = find_literal(source.span(0, len(text)), value)
        assert found is not None
        assert same(found.text, value)
        assert found.text == show(value)
