"""Where a value stands: the last origin is exactly the characters that an edit must replace."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

EXACT = {
    "in the word": "python t.py --lr ·1e-6·",
    "a variable": "LR=·1e-6·\npython t.py --lr $LR",
    "in double quotes": 'LR="·1e-6·"\npython t.py --lr "$LR"',
    "in single quotes": "LR='·1e-6·'\npython t.py --lr ${LR}",
    "a default": "python t.py --lr ${LR:-·1e-6·}",
    "a quoted default": 'python t.py --lr "${LR:-"·1e-6·"}"',
    "a default in an assignment": "LR=${LR:-·1e-6·}\npython t.py --lr $LR",
    "through variables": "A=·1e-6·\nB=$A\nC=${B:-3}\npython t.py --lr $C",
    "an exported variable": "export LR=·1e-6·\npython t.py --lr $LR",
    "a local variable": "f() { local lr=·1e-6·; python t.py --lr $lr; }\nf",
    "an argument of a function": "f() { python t.py --lr $1; }\nf ·1e-6·",
    "a positional parameter": "set -- ·1e-6·\npython t.py --lr $1",
    "an array item": "A=(--lr ·1e-6·)\npython t.py ${A[@]}",
    "one item of an array": "A=(0 ·1e-6·)\npython t.py --lr ${A[1]}",
    "an associative array": "declare -A A=([lr]=·1e-6·)\npython t.py --lr ${A[lr]}",
    "a loop": "for lr in ·1e-6·; do python t.py --lr $lr; done",
    "options in one string": 'ARGS="--x 1 --lr ·1e-6· --y"\npython t.py $ARGS',
    "a command in one string": "CMD='python t.py --lr ·1e-6·'\n$CMD",
    "eval": "CMD='python t.py --lr ·1e-6·'\neval $CMD",
    "eval of several lines": 'CMD="python t.py \\\n --x $X --lr ·1e-6·"\neval "$CMD"',
    "bash -c": "bash -c 'python t.py --lr ·1e-6·'",
    "read from a here-document": "read -r -d '' A <<EOF\n--x 1\n--lr ·1e-6·\nEOF\npython t.py $A",
    "read from a here-string": 'read -r a b <<< "1 ·1e-6·"\npython t.py --lr $b',
    "a substitution": "LR=$(echo ·1e-6·)\npython t.py --lr $LR",
    "a trimmed value": "X=lr=·1e-6·\npython t.py --lr ${X#lr=}",
    "a script in a here-document": "bash <<'EOF'\npython t.py --lr ·1e-6·\nEOF",
    "text that is not ASCII before it": "# ─── größe ───\nX=é\nLR=·1e-6·\npython t.py --lr $LR",
}


@pytest.mark.parametrize("marked", EXACT.values(), ids=EXACT)
def test_the_last_origin_is_the_literal(read, marked):
    start = marked.index("·")
    text = marked.replace("·", "")
    words = read.only(text).argv
    index = next(i for i, word in enumerate(words) if word.text == "--lr")
    word = words[index + 1]
    assert word.text == "1e-6"
    span = word.origins[-1].span.outer()
    assert (span.start, span.text) == (start, "1e-6")


@pytest.mark.parametrize("marked", EXACT.values(), ids=EXACT)
def test_replacing_the_literal_changes_the_value_and_nothing_else(read, marked):
    start = marked.index("·")
    text = marked.replace("·", "")
    changed = text[:start] + "3e-5" + text[start + 4 :]
    before, after = read.only(text).argv, read.only(changed).argv
    expected = ["3e-5" if word.pattern == "1e-6" else word.pattern for word in before]
    assert [word.pattern for word in after] == expected


def test_an_override_is_divided_where_its_value_begins(read):
    word = read.only("N=8\npython t.py rollout.n=$N").argv[0]
    _, value = word.split_at(len("rollout.n="))
    assert value.text == "8"
    assert value.origins[-1].span.text == "8"
    assert value.origins[-1].detail == "N"
    assert value.origins[0].span.text == "rollout.n=$N"


def test_origins_run_from_use_to_literal(read):
    word = read.only("A=8\nB=$A\npython t.py n=$B").argv[0]
    assert [(origin.what, origin.detail, origin.span.text) for origin in word.origins] == [
        ("override", "", "n=$B"),
        ("variable", "B", "$A"),
        ("variable", "A", "8"),
    ]


def test_a_supplied_value_is_called_so(read):
    word = read.only("python t.py n=${N:-8}", {"N": "4"}).argv[0]
    assert word.text == "n=4"
    assert word.origins[-1].what == "--env"


_VALUES = st.text("abcXYZ0189._-/=:,+@%é", min_size=1, max_size=12)
_STEPS = st.lists(
    st.sampled_from(
        ["{n}=${p}", '{n}="${{{p}}}"', "{n}=${{{p}:-no}}", "export {n}=$(echo ${p})", "{n}=({p}x)\n{n}=${p}"]
    ),
    max_size=5,
)


@settings(max_examples=150, deadline=None)
@given(value=_VALUES, steps=_STEPS, quote=st.sampled_from(["", "'", '"']))
def test_however_long_the_chain_the_literal_is_found(read, value, steps, quote):
    lines = [f"V={quote}{value}{quote}"]
    previous = "V"
    for index, step in enumerate(steps):
        name = f"V{index}"
        lines.append(step.format(n=name, p=previous))
        previous = name
    text = "\n".join([*lines, f'python t.py "${previous}"'])
    word = read.only(text).argv[0]
    assert word.text == value
    span = word.origins[-1].span
    assert (span.start, span.text) == (text.index("=") + 1 + len(quote), value)
