"""`grpolint explain` and `grpolint evidence`: what people and machines read."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.cli.main import main
from grpolint.evidence import stated, threads

GOLDEN = Path(__file__).parent / "golden"

CASES = {
    "handbook": ["explain", "D01"],
    "handbook-without-rules": ["explain", "d02"],
    "handbook-contradicted": ["explain", "N01"],
    "rule": ["explain", "TA001"],
    "rule-off": ["explain", "a-rumour"],
    "number": ["explain", "#10"],
    "thread": ["explain", "deepspeedai/deepspeed#10"],
    "report": ["explain", "verl-project/verl#20"],
    "not-found": ["explain", "30"],
    "source": ["explain", "verl 0.9.1: verl/a.py"],
    "several": ["explain", "TA001", "20"],
    "all": ["evidence"],
    "grade": ["evidence", "--grade", "contradicted"],
    "framework": ["evidence", "--framework", "DeepSpeed"],
    "none": ["evidence", "--framework", "deepspeed", "--grade", "opinion"],
    "repository": ["evidence", "verl-project/verl"],
    "of-a-rule": ["evidence", "D01", "verl-project/verl#20"],
}


def said(capsys, *words):
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_said(small, capsys, monkeypatch, golden, name, form):  # noqa: PLR0917
    monkeypatch.setenv("NO_COLOR", "1")
    code, out, err = said(capsys, *CASES[name], "--format", form)
    assert (code, err) == (0, "")
    golden(out, GOLDEN / f"{name}.{'out' if form == 'text' else 'json'}")


def test_a_rule_of_the_handbook_goes_by_its_name_too(small, capsys):
    assert said(capsys, "explain", "do-one") == said(capsys, "explain", "D01")


def test_colour_changes_no_word(small, capsys):
    import re

    plain = said(capsys, "explain", "D01", "10", "--color", "never")[1]
    coloured = said(capsys, "explain", "D01", "10", "--color", "always")[1]
    assert coloured != plain == re.sub(r"\x1b\[[\d;]*m", "", coloured)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["explain", "one-not-too"], "grpolint explain: no rule is called 'one-not-too'; did you mean 'one-not-two'?"),
        (["explain", "qqqq"], "grpolint explain: no rule is called 'qqqq'; `grpolint rules` lists them"),
        (["explain", "#99"], "grpolint explain: nothing is known of '#99'; `grpolint evidence` lists what is"),
        (
            ["explain", "verl-project/verl#200"],
            "grpolint explain: nothing is known of 'verl-project/verl#200'; did you mean 'verl-project/verl#20'?",
        ),
        (
            ["evidence", "verl-project/verl#1"],
            "grpolint evidence: nothing is known of 'verl-project/verl#1'; did you mean",
        ),
        (["evidence", "zzz"], "grpolint evidence: nothing is known of 'zzz'"),
        (
            ["evidence", "--framework", "deepsped"],
            "grpolint evidence: --framework: no evidence concerns 'deepsped'; did you mean 'deepspeed'?",
        ),
        (
            ["evidence", "--framework", "x"],
            "grpolint evidence: --framework: no evidence concerns 'x'; known are deepspeed, trl, verl",
        ),
        (["evidence", "--grade", "good"], "grpolint evidence: argument --grade: invalid choice: 'good'"),
    ],
)
def test_words_that_mean_nothing(small, capsys, words, line):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


# the evidence that ships


@pytest.mark.parametrize("each", stated(), ids=lambda each: each.id)
def test_every_rule_of_the_handbook_is_explained(capsys, each):
    code, out, _ = said(capsys, "explain", each.id)
    assert code == 0
    for text in (each.text, each.why, each.grade, "Example", "Fix safety", *each.refs, *each.rules):
        assert text in out


def test_what_a_contradicted_rule_says_of_itself(capsys):
    out = said(capsys, "explain", "D13")[1]
    assert "As it stands it does not fire by default, because the evidence contradicts it." in out


def test_a_number_that_the_handbook_misplaces_is_shown_where_it_belongs(capsys):
    for number, home in (
        ("6782", "verl-project/verl"),
        ("7776", "deepspeedai/DeepSpeed"),
        ("10579", "vllm-project/vllm-ascend"),
    ):
        lines = said(capsys, "explain", number)[1].splitlines()
        assert lines[0] == f"{home}#{number}"
        assert any(line.startswith("- Handbook, ") and "Belongs to" in line for line in lines)


def test_the_machine_form_has_every_thread(capsys):
    document = json.loads(said(capsys, "evidence", "--format", "json")[1])
    assert document["schema"] == "grpolint.evidence/1"
    assert [each["ref"] for each in document["threads"]] == [each.ref for each in threads()]
    assert [each["id"] for each in document["handbook"]] == [each.id for each in stated()]


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(st.text(max_size=20), st.from_regex(r"[DN#]?\d{1,6}|[a-z-]{1,9}/[a-z-]{1,9}(#\d{0,6})?", fullmatch=True))
)
def test_any_word_is_explained_or_refused_in_one_line(word):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["explain", "--", word])
    if code == 0:
        assert out.getvalue().strip()
        assert not err.getvalue()
    else:
        assert code == 2
        assert not out.getvalue()
        assert err.getvalue().startswith("grpolint explain: ")
        assert err.getvalue().count("\n") == 1
