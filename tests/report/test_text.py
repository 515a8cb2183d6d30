"""Findings as people see them: exact text of findings made by hand, in the shapes that real files have."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.check import CRASH, Entry
from grpolint.documents.source import Problem, Source
from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.fixes import Edit
from grpolint.report.block import finding, problem
from grpolint.report.collect import Item
from grpolint.report.excerpt import excerpt, place
from grpolint.report.summary import Tally, summary
from grpolint.report.terminal import cells, painter, visible, wants_colour
from grpolint.report.undecided import Missing, undecided

GOLDEN = Path(__file__).parent / "golden"

SCRIPT = """\
#!/usr/bin/env bash
set -x
N_RESP=1

python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size=64 \\
    data.max_prompt_length=512 \\
    data.max_response_length=1024 \\
    actor_rollout_ref.actor.optim.lr=1e-6 \\
    actor_rollout_ref.rollout.n=$N_RESP \\
    trainer.n_gpus_per_node=8 trainer.nnodes=3 \\
    trainer.project_name=grpo
"""


def entry(severity=Severity.ERROR, rule="GR001", name="group-size-one"):
    return Entry(rule, name, "some.module", "a summary", severity, Confidence.HIGH, {}, True)


def label(source, needle, text=""):
    start = source.text.index(needle)
    return Label(source.span(start, start + len(needle)), text)


def item(message, *labels, notes=(), told="", edits=(), of=None):
    of = of or entry()
    made = Finding(message, labels[0] if labels else None, tuple(labels[1:]), notes, told)
    span = place(labels[0].span) if labels else None
    return Item(of, made, of.severity, span, tuple(labels), told, tuple(edits))


def shape_two_places():
    script = Source("run.sh", SCRIPT)
    n = label(script, "actor_rollout_ref.rollout.n=$N_RESP", "1 response per prompt")
    return item(
        "GRPO with one sample per prompt has no baseline: the advantage is the raw reward",
        n,
        label(script, "algorithm.adv_estimator=grpo", "group-relative advantage chosen here"),
        notes=("verl 0.9.1 keeps mean 0 and std 1 for a single sample",),
        told="set actor_rollout_ref.rollout.n=8",
        edits=[Edit(script, n.span.end - 7, n.span.end, "8")],
    )


def shape_variable_behind_the_value():
    script = Source("run.sh", SCRIPT)
    return item(
        "one sample",
        label(script, "actor_rollout_ref.rollout.n=$N_RESP", "used here"),
        label(script, "N_RESP=1", "N_RESP is set here"),
        label(script, "data.max_response_length=1024", "near the first"),
    )


def shape_two_labels_on_one_line():
    script = Source("run.sh", SCRIPT)
    return item(
        "64 prompts are not divisible by 8 * 3 GPUs",
        label(script, "trainer.n_gpus_per_node=8", "8 GPUs on each"),
        label(script, "trainer.nnodes=3", "of 3 nodes"),
        label(script, "data.train_batch_size=64", "64 prompts"),
        of=entry(Severity.WARNING, "VE002", "batch-not-divisible"),
    )


def shape_three_labels_on_one_line():
    script = Source("run.sh", "train a=1 b=2 c=3\n")
    return item("three", label(script, "b=2", "second"), label(script, "a=1", "first"), label(script, "c=3", "third"))


def shape_one_label_inside_another():
    script = Source("run.sh", "train --lr 1e-6 --clip 1\n")
    return item("nested", label(script, "1e-6", "this number"), label(script, "--lr 1e-6 --clip 1", "these options"))


def shape_two_texts_for_one_place():
    script = Source("run.sh", "train a=1\n")
    return item("same place", label(script, "a=1", "said first"), label(script, "a=1", "said second"))


def shape_other_file():
    script = Source("run.sh", SCRIPT)
    config = Source("conf/ds.json", '{\n  "train_batch_size": 32\n}\n')
    return item(
        "the script and the configuration disagree",
        label(script, "data.train_batch_size=64", "64 here"),
        label(config, '"train_batch_size": 32', "32 here"),
        told="say it once",
    )


def shape_many_lines():
    script = Source("run.sh", SCRIPT)
    start = SCRIPT.index("data.max_prompt_length")
    end = SCRIPT.index(" \\\n    trainer.n_gpus")
    lost = Label(script.span(start, end), "4 options never reach the launch")
    return item("options are lost", lost, label(script, "data.train_batch_size=64", "the command ends here"))


def shape_last_line_without_end():
    script = Source("run.sh", "python train.py \\\n  --bf16 --fp16")
    return item("both precisions", label(script, "--fp16", "and here"), label(script, "--bf16", "here"))


def shape_end_of_file():
    script = Source("conf.yaml", "a: 1\n")
    return item("something is missing", Label(script.span(5, 5), "expected here"))


def shape_tabs_and_wide_characters():
    script = Source("训练.yaml", "\tname:\t实验一😀 # e\u0301\n\tlr:\t1e-6\n")
    return item("wide", label(script, "实验一😀", "a name"), label(script, "1e-6", "a number"))


def shape_hostile_characters():
    text = "a\x1b[31m=\x07\u202e1\u2028 b\udcff\x9b2J\n"
    script = Source("run\x1b[2J.sh", text)
    return item("message \x1b[0m with\nescapes", label(script, "\u202e1", "label \x1b[1m"), notes=("note \r\x07",))


def shape_long_line():
    script = Source("run.sh", "train " + " ".join(f"a.b{i}={i}" for i in range(60)) + "\n")
    return item("in a long line", label(script, "a.b40=40", "here"), label(script, "a.b2=2", "cropped away"))


def shape_longer_than_the_page():
    script = Source("run.sh", "train data=[" + "x," * 200 + "] y=1\n")
    return item("a long value", label(script, "data=[" + "x," * 200 + "]", "all of this"))


def shape_no_place():
    return item(
        "nothing to point at", told="add gradient_clipping=1.0", of=entry(Severity.INFO, "DS001", "clipping-off")
    )


def shape_here_document():
    script = Source("run.sh", 'cat > ds.json <<EOF\n{\n  "bf16": "$X",\n  "lr": 1\n}\nEOF\n')
    body = script.span(script.text.index("{"), script.text.rindex("EOF"))
    inner = Source("ds.json", '{\n  "bf16": "1",\n  "lr": 1\n}\n', body)
    return item("expanded text", label(inner, '"lr": 1', "found in the file"), label(inner, '"bf16": "1"', "not there"))


SHAPES = {name.removeprefix("shape_"): make for name, make in list(globals().items()) if name.startswith("shape_")}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name, golden):
    text = finding(SHAPES[name](), painter(False), 100)
    assert not any(ord(char) < 32 and char != "\n" for char in text)
    golden(text + "\n", GOLDEN / f"{name.replace('_', '-')}.out")


@pytest.mark.parametrize("name", SHAPES)
def test_colours_do_not_change_the_text(name):
    import re

    plain = finding(SHAPES[name](), painter(False), 100)
    coloured = finding(SHAPES[name](), painter(True), 100)
    assert coloured != plain
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_coloured(golden):
    golden(finding(shape_two_places(), painter(True), 100) + "\n", GOLDEN / "coloured.out")


def test_crash_shows_its_traceback_only_on_request():
    made = Finding("rule GR001 failed itself", None, notes=("Traceback:\n  line 1",))
    failed = Entry(CRASH, "rule-failed", "", "", Severity.WARNING, Confidence.HIGH, {}, True)
    crash = Item(failed, made, Severity.WARNING, None, (), "", ())
    assert "Traceback" not in finding(crash, painter(False), 100)
    assert "= Traceback:\n  =   line 1" in finding(crash, painter(False), 100, verbose=True)


def test_problem_with_and_without_place(golden):
    source = Source("conf.yaml", "a: [1, 2\nb: 3\n")
    blocks = [
        problem(Problem("a list is not closed", source.span(3, 4)), "conf.yaml", painter(False), 100),
        problem(Problem("cannot be read", path="other.yaml"), "conf.yaml", painter(False), 100),
    ]
    golden("\n\n".join(blocks) + "\n", GOLDEN / "problem.out")


def test_summary(golden):
    full = Tally([Severity.ERROR, Severity.WARNING, Severity.WARNING], files=2, read=9, skipped=7, runs=3, undecided=4)
    full.example = "--env N=..."
    full.assumed = {"vllm": "0.33.0", "verl": "0.9.1"}
    clean = Tally(files=1, read=1, runs=1)
    none = Tally(read=3, skipped=3)
    unread = Tally(read=1, unreadable=1)
    texts = [
        summary(each, painter(False), verbose) for verbose in (False, True) for each in (full, clean, none, unread)
    ]
    golden("\n---\n".join(texts) + "\n", GOLDEN / "summary.out")


def test_what_is_assumed_tells_by_what():
    def told(assumed, origins):
        tally = Tally(files=1, read=1, runs=1)
        tally.assumed, tally.origins = assumed, origins
        return summary(tally, painter(False), False).splitlines()[1:]

    assert told({"trl": "1.16.0"}, {}) == ["assumed: trl 1.16.0 (newest known; say --with trl==...)"]
    assert told({"trl": "0.18.0"}, {"trl": "setup.py:12: >=0.18,<0.19"}) == [
        "assumed: trl 0.18.0 (setup.py:12: >=0.18,<0.19); say --with trl==..."
    ]
    assert told({"trl": "1.16.0", "vllm": "0.9.0"}, {"vllm": "inferred from its options"}) == [
        "assumed: vllm 0.9.0 (inferred from its options), trl 1.16.0 (newest known); say --with trl==..."
    ]
    assert told({"unsloth": "unknown"}, {}) == []


def test_undecided_names_the_option_that_helps(golden):
    values = [
        Missing("verl:actor_rollout_ref.rollout.n", "env:N", ("GR001", "VE002")),
        Missing("fact:world_size", "command:nvidia-smi", ("VE002",)),
        Missing("verl:trainer.nnodes", "argument:$1", ("VE002",)),
        Missing("fact:reward_kind", "file:reward.py", ("GR002",)),
    ]
    golden(undecided("run.sh", values, painter(False)) + "\n", GOLDEN / "undecided.out")


@pytest.mark.parametrize(
    ("choice", "terminal", "environ", "wanted"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_when_to_colour(choice, terminal, environ, wanted):
    assert wants_colour(choice, terminal, environ) is wanted


ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)


@given(ANY_TEXT)
def test_nothing_that_commands_a_terminal_is_shown(text):
    for shown in (visible(text), "".join(cells(text)[0])):
        assert all(char.isprintable() or char in "\u3000\u200c\u200d" for char in shown)


@given(ANY_TEXT)
def test_cells_and_columns_fit(text):
    shown, columns = cells(text)
    assert len(shown) == len(text)
    assert len(columns) == len(text) + 1
    assert columns == sorted(columns)


@settings(max_examples=200)
@given(st.text(alphabet="ab =\n\t\r实\x1b", max_size=120), st.data())
def test_any_spans_of_any_text_can_be_shown(text, data):
    source = Source("f", text)
    ends = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=4))
    labels = tuple(Label(source.span(min(pair), max(pair)), f"label {i}") for i, pair in enumerate(spans))
    limit = data.draw(st.integers(40, 100))
    lines = excerpt(labels, painter(False), "error", limit)
    assert all(char.isprintable() for line in lines for char in line)
    assert sum("^" in line for line in lines) >= 1
    text = "\n".join(lines)
    assert all(f"label {i}" in text for i in range(len(set(spans))) if spans.index(spans[i]) == i)


def test_values_that_one_cause_hides_are_told_together():
    cause = "program:train.py"
    many = [Missing(f"trl:option_{n}", cause, (f"TR{n:03}", "TR001")) for n in range(5)]
    text = undecided("run.sh", [Missing("fact:world_size", "env:N", ("TR001",)), *many], painter(False))
    assert text.splitlines() == [
        "undecided in run.sh:",
        "  world size: $N is not set in the documents",
        "    give --env N=... to decide TR001",
        "  5 values, such as trl:option_0: train.py reads its options with code of its own",
        "    needed by TR000, TR001, TR002, TR003, TR004",
    ]
    few = undecided("run.sh", many[:2], painter(False))
    assert "--set trl:option_0=..." in few and "--set trl:option_1=..." in few


def test_a_release_and_a_program_are_told_in_words():
    values = [Missing("version:torch", "", ("FS001",)), Missing("program:MyTrainer", "", ("TR001",))]
    text = undecided("run.sh", values, painter(False))
    assert "release of torch: nothing near the launch names it" in text and "--with torch==..." in text
    assert "MyTrainer: a trainer of its own, which may count otherwise" in text
