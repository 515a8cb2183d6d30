"""Options that a slip of the pen cuts off from their command."""

from __future__ import annotations

import pytest

SLIPS = {
    "a comment between continued lines": (
        "python t.py \\\n  a.b=1 \\\n  # why\n  c.d=2 \\\n  e=3\n",
        "comment",
        "# why",
        2,
    ),
    "a comment that swallows the backslash": ("python t.py \\\n  a.b=1 # why \\\n  c.d=2\n", "comment", "# why \\", 1),
    "a blank line": ("python t.py --a 1 \\\n\n  --b 2\n", "blank line", "\n", 2),
    "several blank lines": ("python t.py --a 1 \\\n \n\n  --b 2\n", "blank line", " \n\n", 2),
    "a missing backslash": ("python t.py --a 1\n  --b 2 \\\n  --c 3\n", "missing backslash", "", 4),
    "a missing backslash before a comment": ("python t.py --a 1\n  # why\n  --b 2\n", "missing backslash", "", 2),
    "a blank behind the backslash": ("python t.py --a 1 \\ \n  --b 2\n", "blank after backslash", " ", 2),
    "a comment behind the backslash": ("python t.py a.b=1 \\  # why\n  c.d=2\n", "comment", "  # why", 1),
    "a comment behind a placeholder": ("python t.py --a <PATH> \\  # why\n  --b 2\n", "comment", "  # why", 2),
    "a carriage return": ("python t.py --a 1 \\\r\n  --b 2\n", "carriage return", "\r", 2),
    "options to add": ("python t.py --a 1\n  +c.d=2\n", "missing backslash", "", 1),
    "options from an array": ('A=(--b 2)\npython t.py --a 1\n  "${A[@]}"\n', "missing backslash", "", 2),
}


@pytest.mark.parametrize(("text", "why", "cause", "lost"), SLIPS.values(), ids=SLIPS)
def test_lost_options(read, text, why, cause, lost):
    reading = read(text)
    (launch,) = reading.launches
    (slip,) = reading.slips
    assert (slip.kind, slip.why, slip.cause.text, len(slip.words)) == ("lost-options", why, cause, lost)
    assert launch.slips == (slip,)
    assert len(launch.argv) < 4


@pytest.mark.parametrize(
    "text",
    [
        "python t.py \\\n  a.b=1 \\\n  c.d=2 \\\n\necho done\n",
        "python t.py a.b=1 \\\n  # --old 1\n\nexport X=1\n",
        "ARGS=(\n  --a 1\n  # --b 2\n\n  --c 3\n)\npython t.py ${ARGS[@]}\n",
        "python t.py --a 1\n\nfoo=1\nbar=2 python u.py --c\n",
        "cat <<EOF\n--a 1\na.b=2\nEOF\npython t.py\n",
        "CMD='python t.py\n --a 1'\n$CMD\n",
        "python t.py --a 1 \\\n",
        "python t.py --a '1\n--b 2'\n",
        "case $1 in\n  --a) X=1 ;;\n  a.b=*) X=2 ;;\nesac\npython t.py\n",
        "python t.py --a 1 \\\n  2>&1 | tee log\n",
        "if [ --a = --b ]; then python t.py; fi\npython u.py\n",
    ],
)
def test_healthy_scripts_have_no_slips(read, text):
    reading = read(text)
    assert reading.launches
    assert not reading.slips


def test_each_cut_is_a_slip_of_the_same_launch(read):
    reading = read("python t.py --a 1\n--b 2\n--c 3\n")
    assert [slip.words[0].text for slip in reading.launches[0].slips] == ["--b", "--c"]


def test_a_loop_tells_a_slip_once(read):
    reading = read("for i in 1 2; do\npython t.py $i\n--b 2\ndone\n")
    assert len(reading.launches) == 2
    assert len(reading.slips) == 1


def test_a_blank_behind_the_last_backslash(read):
    reading = read("python t.py --a 1 \\ \necho done\n")
    (slip,) = reading.launches[0].slips
    assert (slip.kind, slip.why, slip.cause.text) == ("trailing-blank", "blank after backslash", " ")
    assert reading.launches[0].argv[-1].text == " "
