"""Command lines: what is read from words, and what stays unknown."""

from __future__ import annotations

import argparse
import shlex

import pytest
from framework_runs import known, words
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.catalog import Option
from grpolint.frameworks.flags import Syntax, read_flags


class Records:
    """A catalog table of one release, made of records."""

    framework = "demo"

    def __init__(self, **records):
        self.records = records

    def option(self, key):
        return Option("demo", "1.0", key, self.records[key]) if key in self.records else None

    def keys(self):
        return list(self.records)


OPTIONS = Records(
    learning_rate={"type": "float", "default": 1e-6},
    max_steps={"type": "int", "default": -1, "flags": ["--max-steps", "-n"]},
    bf16={"type": "bool", "default": None, "nullable": True},
    use_vllm={"type": "bool", "default": False},
    enforce_eager={"type": "bool", "default": False, "nargs": 0, "flags": ["--enforce-eager", "--eager"]},
    add_bias={
        "type": "bool",
        "default": True,
        "nargs": 0,
        "flags": ["--disable-bias"],
        "stores": {"--disable-bias": False},
    },
    reward_weights={"type": "list[float]", "default": None},
    betas={"type": "float", "nargs": 2, "flags": ["--betas"]},
    model_init_kwargs={"type": "dict[str, Any] | str", "default": None},
    report_to={"type": "str", "default": "none"},
    max_len={"type": "int", "default": None, "nullable": True},
)
HF = Syntax("demo", (OPTIONS,), bool_values=True, abbreviations=True)
BARE = Syntax("demo", (OPTIONS,), aliases={"-tp": "max_steps"}, human=True)


def read(text, syntax=HF):
    reading = read_flags(words(text), syntax)
    return {flag.dest: known(flag.value) for flag in reading.flags}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--learning_rate 1e-6", {"learning_rate": 1e-6}),
        ("--learning-rate=2", {"learning_rate": 2.0}),
        ("--max-steps -1 --bf16 true", {"max_steps": -1, "bf16": True}),
        ("--use_vllm --bf16 False", {"use_vllm": True, "bf16": False}),
        ("--use_vllm no", {"use_vllm": False}),
        ("--no_use_vllm", {"use_vllm": False}),
        ("--reward_weights 1.0 0.5 --bf16 1", {"reward_weights": [1.0, 0.5], "bf16": True}),
        ("--betas 0.9 0.95", {"betas": [0.9, 0.95]}),
        ("--max_len none", {"max_len": None}),
        ("--report_to none", {"report_to": "none"}),
        ("--model_init_kwargs '{\"a\": [1, 2]}'", {"model_init_kwargs": {"a": [1, 2]}}),
        ("--learn 1", {"learning_rate": 1.0}),
        ("--max 1", {"max": 1}),  # two options begin so: no option at all
        ("--enforce-eager --max_steps 3", {"enforce_eager": True, "max_steps": 3}),
        ("--eager", {"enforce_eager": True}),
        ("--disable-bias", {"add_bias": False}),
        ("--mystery a b --bf16 1", {"mystery": ["a", "b"], "bf16": True}),
        ("--learning_rate fast", {"learning_rate": "fast"}),
    ],
)
def test_values_are_what_the_parser_makes_of_them(text, expected):
    assert read(text) == expected


def test_short_names_and_sizes():
    assert read("-tp 8 --max_len 32k", BARE) == {"max_steps": 8, "max_len": 32000}
    assert read("-n 2 --max_len 4K", BARE) == {"max_steps": 2, "max_len": 4096}


def test_numbers_beyond_reason_stay_text_or_become_infinite():
    huge = "9" * 5000
    assert read(f"--max_len {huge}", BARE) == {"max_len": huge}
    assert read(f"--max_len {huge}k", BARE) == {"max_len": huge + "k"}
    assert read(f"--mystery {huge}") == {"mystery": float("inf")}


def test_dotted_names_go_below_their_option():
    assert read("--model-init-kwargs.torch_dtype bfloat16") == {"model_init_kwargs.torch_dtype": "bfloat16"}


def test_an_unknown_value_is_unknown_alone():
    assert read("--learning_rate $LR --max_steps 3") == {"learning_rate": "<env:LR>", "max_steps": 3}
    assert read("--learning_rate=1e-$E") == {"learning_rate": "<env:E>"}
    assert read_flags(words("--learning_rate $LR --max_steps 3"), HF).open_reason is None


def test_a_word_that_may_be_options_opens_the_end():
    assert read_flags(words("--max_steps 3 $EXTRA"), HF).open_reason == "env:EXTRA"
    assert read_flags(words("--use_vllm $EXTRA"), HF).open_reason == "env:EXTRA"
    assert read_flags(words("--$NAME=3"), HF).open_reason == "env:NAME"
    assert read_flags(words("--reward_weights 1 2 $EXTRA"), HF).open_reason == "env:EXTRA"


def test_an_unknown_word_with_listed_texts_touches_only_their_options():
    from grpolint.launch import Part, Word

    word = Word((Part(None, "branch:3", (), ("", "--use_vllm --max_steps 5")),), words("x")[0].span)
    reading = read_flags([*words("--learning_rate 1"), word], HF)
    assert reading.open_reason is None
    found = {flag.dest: known(flag.value) for flag in reading.flags}
    assert found == {"learning_rate": 1.0, "use_vllm": "<branch:3>", "max_steps": "<branch:3>"}
    symbolic = Word((Part(None, "branch:3", symbolic=True),), word.span)
    assert read_flags([symbolic], HF).open_reason is None


def test_a_conditional_option_is_unknown():
    from grpolint.launch import Word

    line = [Word(word.parts, word.span, "branch:7") for word in words("--max_steps 3")]
    assert known(read_flags(line, HF).value("max_steps")) == "<branch:7>"


def test_repeated_options_keep_the_last_and_remember_the_first():
    from grpolint.run import Settings, Version

    kept = Settings("demo", Version("1.0"))
    for flag in read_flags(words("--max_steps 3 --max_steps=4"), HF).flags:
        kept.put(flag.setting("demo"))
    assert known(kept.value("max_steps")) == 4
    assert [known(each.value) for each in kept.get("max_steps").shadows] == [3]


def test_spans_cover_the_option_and_its_value():
    flags = read_flags(words("--max_steps \\\n  3 --bf16"), HF).flags
    text = "--max_steps \\\n  3 --bf16"
    assert [flag.span.text for flag in flags if flag.span is not None][-1] == "--bf16"
    assert all(flag.span.text in text for flag in flags)
    assert read_flags(words("--reward_weights 1 2"), HF).flags[0].span.text == "--reward_weights 1 2"


def test_a_boolean_that_may_be_none_needs_its_value():
    assert read_flags(words("--bf16 --max_steps 2"), HF).flags[0].bare
    assert not read_flags(words("--use_vllm --max_steps 2"), HF).flags[0].bare
    assert read_flags(words("--max_steps --use_vllm"), HF).flags[0].bare


values = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.sampled_from(["a", "a/b", "x=y", "1e-6", "-5", "a b"]),
)
names = st.sampled_from(["learning_rate", "max_steps", "report_to", "enforce-eager", "reward_weights", "betas"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(names, st.lists(values, max_size=3), st.booleans()), max_size=6))
def test_agrees_with_argparse_wherever_argparse_accepts(line):
    """The reading equals argparse's own for every command line that argparse takes."""
    parser = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    parser.add_argument("--learning_rate", type=float, default=argparse.SUPPRESS)
    parser.add_argument("--max-steps", "-n", dest="max_steps", type=int, default=argparse.SUPPRESS)
    parser.add_argument("--report_to", default=argparse.SUPPRESS)
    parser.add_argument("--enforce-eager", action="store_true", default=argparse.SUPPRESS)
    parser.add_argument("--reward_weights", type=float, nargs="+", default=argparse.SUPPRESS)
    parser.add_argument("--betas", type=float, nargs=2, default=argparse.SUPPRESS)
    argv = []
    for name, found, joined in line:
        option = "--" + ("max-steps" if name == "max_steps" else name)
        argv += [f"{option}={found[0]}", *found[1:]] if joined and found else [option, *found]
    try:
        expected, rest = parser.parse_known_args(argv)
    except (argparse.ArgumentError, SystemExit):
        return
    if rest:
        return
    from grpolint.launch import Part, Word

    reading = read_flags([Word((Part(each),)) for each in argv], Syntax("demo", (OPTIONS,)))
    assert {flag.dest: known(flag.value) for flag in reading.flags} == vars(expected), shlex.join(argv)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_words_are_read_without_failing(texts):
    from grpolint.launch import Part, Word

    line = [Word((Part(text),)) for text in texts]
    reading = read_flags(line, HF)
    assert len(reading.flags) + len(reading.positionals) <= len(line)
