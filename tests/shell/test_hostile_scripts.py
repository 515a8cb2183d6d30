"""Whatever a file contains, reading it ends, within bounds, and without an exception."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint import shell
from grpolint.documents.source import Source

L = "python t.py --a 1\n"

HOSTILE = {
    "open substitutions": "echo " + "$(" * 10_000,
    "nested substitutions": "X=" + "$(" * 10_000 + "x" + ")" * 10_000 + "\n" + L,
    "open parentheses": "(" * 20_000,
    "open ifs": "if true; then " * 5000,
    "open parameters": "echo " + "${x:-" * 20_000,
    "open quotes": 'echo "' * 5001,
    "quotes in every line": 'echo "abc\n' * 5001,
    "substitutions in every line": "echo $(\n" * 5001,
    "cases": "case x in *) " * 3000,
    "backquotes": "echo " + "`" * 9999,
    "backslashes": "\\" * 100_000,
    "continuations": "\\\n" * 100_000 + L,
    "here-documents without end": "cat " + " ".join(f"<<E{i}" for i in range(3000)) + "\n" + L,
    "a growing string": "while true; do X=$X$X; X=${X}a; done\n" + L,
    "a doubling string": "X=aaaaaaaaaaaaaaaa\n" + "X=$X$X\n" * 60 + "python t.py $X\n",
    "a doubling array": "A=(a b)\n" + 'A=("${A[@]}" "${A[@]}")\n' * 40 + 'python t.py "${A[@]}"\n',
    "recursion": "f() { f; f; }\nf\n" + L,
    "a tree of functions": "".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}\n" for i in range(100)) + "f0\n" + L,
    "recursive eval": 'E=\'eval "$E" "$E"\'\neval "$E"\n' + L,
    "branches": "".join(f"if [ -f x{i} ]; then A{i}=1; fi\n" for i in range(3000)) + L,
    "nested branches": "if [ -f x ]; then A=1; else\n" * 24 + L + "fi\n" * 24,
    "a branching tree": "f0() { python t.py; }\n"
    + "".join(f"f{i}() {{ if [ -f x ]; then f{i - 1}; else f{i - 1}; fi; }}\n" for i in range(1, 40))
    + "f39\n",
    "undecided chains": "[ -f a ] && A=1 || B=2;" * 400 + "true\n" + L,
    "one long chain": "[ -f a ] && " * 400 + "true\n" + L,
    "alternatives": "".join(f"if [ -f x{i} ]; then A{i}=1; else A{i}=2; fi\n" for i in range(14))
    + "python t.py $(("
    + "+".join(f"A{i}" for i in range(14))
    + "))\n",
    "deep arithmetic": "X=$((" + "(" * 3000 + "1" + ")" * 3000 + "))\n" + L,
    "big numbers": "X=$((2**62**62))\nY=$((" + "9" * 5000 + "))\n" + L,
    "ranges": "python t.py {1..100000000}{1..1000}{1..1000}\n",
    "sequences": "for i in $(seq 1 1000000000); do python t.py $i; done\n",
    "a long loop": "for ((i=0;i<1000000000;i++)); do python t.py $i; done\n",
    "slow patterns": "X=" + "a" * 3000 + "\nY=${X##*a*a*a*a*a*a*b}\nZ=${X//a*a*a*b/x}\n" + L,
    "slow regular expressions": "X=" + "a" * 2000 + "\nif [[ $X =~ ^(a|aa)+$ ]]; then A=1; fi\n" + L,
    "a long pipeline": "echo a " + "| tr a b " * 3000 + "\n" + L,
    "an endless wait": "while read x; do while read y; do python t.py $x; done; done\n",
    "zeros": "\x00\x01" * 1000 + "\n" + L,
    "surrogates": "A=\udcff\udcfe\npython t.py $A ─\n",
    "private characters": "eval 'python t.py \ue0f7 $X'\n",
    "noise": "".join(random.Random(7).choice("$(){}[]\"'`\\;|&<>\n a=#*?!~") for _ in range(40_000)),
    "a wide word": "python t.py " + "--a " * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_reading_ends(text):
    reading = shell.read(Source("run.sh", text))
    assert len(reading.launches) <= 1000
    assert len(reading.problems) <= 100
    assert not any("failed" in problem.message for problem in reading.problems)
    for launch in reading.launches:
        assert sum(len(word.pattern) for word in launch.argv) < 3_000_000


def test_what_stands_after_a_bound_is_read_where_nothing_was_lost():
    for name in ("recursion", "a tree of functions", "recursive eval", "slow patterns", "undecided chains", "zeros"):
        assert [each.program for each in shell.read(Source("run.sh", HOSTILE[name])).launches][-1] == "t.py", name


def test_reaching_a_bound_is_told():
    for name in ("branches", "a long loop", "recursion", "nested substitutions"):
        assert shell.read(Source("run.sh", HOSTILE[name])).problems, name


_TOKENS = st.sampled_from(
    [
        "$",
        "${",
        "}",
        "$(",
        ")",
        "$((",
        "))",
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        '"',
        "'",
        "`",
        "\\",
        "\\\n",
        "\n",
        ";",
        ";;",
        "&",
        "&&",
        "|",
        "||",
        "<",
        ">",
        "<<",
        "<<<",
        "<<EOF",
        "EOF",
        ">>",
        "=",
        "+=",
        "==",
        "!=",
        "=~",
        "#",
        "*",
        "?",
        "!",
        "~",
        "@\n",
        "",
        "",
        "",
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "for",
        "while",
        "until",
        "do",
        "done",
        "case",
        "in",
        "esac",
        "function",
        "local",
        "export",
        "eval",
        "source",
        "read",
        "set",
        "shift",
        "test\n",
        "",
        "",
        "",
        "echo",
        "printf",
        "basename",
        "dirname",
        "seq",
        "cut",
        "sed",
        "tr",
        "cat",
        "python",
        "t.py",
        "--a",
        "a.b=1",
        "A=1",
        "A=(x",
        "${A[@]}",
        "$A",
        "${A:-1}",
        "${A##*/}",
        "$1",
        "$@",
        "$#",
        "-z\n",
        "",
        "",
        "",
        "-f",
        "-eq",
        "exit",
        "return",
        "break",
        "continue",
        "x.sh",
        "f()",
        "bash",
        "-c",
        "awk",
        "{1..3}",
        "{a,b}",
        "$'\\n'",
        "${!A}",
        "${#A}",
        "${A/a/b}",
        "${A:1:2}",
        "${A^^}",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_TOKENS, max_size=60))
def test_any_arrangement_of_bash_is_read(tokens):
    source = Source("run.sh", " ".join(tokens))
    reading = shell.read(source, env={"HOME": "/root"}, lookup=lambda path, near: Source(path, "python u.py $1\n"))
    assert not any("failed" in problem.message for problem in reading.problems)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read(data):
    reading = shell.read(Source("run.sh", data.decode("utf-8", "surrogateescape")))
    assert not any("failed" in problem.message for problem in reading.problems)


_SCRIPT = """#!/bin/bash
set -x
export A=${A:-1}
ARGS=(
  --x $((A * 2))  # twice
  "y=${B:-$(basename "$0" .sh)}"
)
if [[ -z "$C" && $A -gt 0 ]]; then C="d e"; fi
for i in 1 2; do
  python3 -m m.main \\
    a.b=$i \\
    c="$C" "${ARGS[@]}" "$@" 2>&1 | tee log_$i.txt
done
"""


@settings(max_examples=250, deadline=None)
@given(st.integers(0, len(_SCRIPT)), st.integers(0, 12), st.text("$(){}\"'`\\;&|\n #=x", max_size=6))
def test_any_mutation_of_a_script_is_read(at, length, inserted):
    reading = shell.read(Source("run.sh", _SCRIPT[:at] + inserted + _SCRIPT[at + length :]))
    assert not any("failed" in problem.message for problem in reading.problems)
    for launch in reading.launches:
        for word in launch.argv:
            assert word.span is None or word.span.outer().end <= len(_SCRIPT) + 6
