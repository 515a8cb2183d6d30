"""Variables and arguments that nobody sets, in tests: a comparison of their value is open, a test for emptiness is not."""

from __future__ import annotations

import pytest

CONDITIONS = [
    '[ "$NODE_RANK" -eq 0 ]',
    "[ $NODE_RANK -ne 0 ]",
    "[[ $NODE_RANK == 0 ]]",
    "[[ $NODE_RANK != 0 ]]",
    "[[ $NODE_RANK -eq 0 ]]",
    "[[ NODE_RANK -lt 1 ]]",
    '[ "${NODE_RANK}" = "0" ]',
    '[[ "x$NODE_RANK" == x0 ]]',
    "[[ $NODE_RANK =~ ^0$ ]]",
    "test $NODE_RANK = 0",
    "(( NODE_RANK == 0 ))",
    "((NODE_RANK > 0))",
    "! [ $NODE_RANK = 0 ]",
    "[ $NODE_RANK = 0 -o $NODE_RANK = 1 ]",
    '[ "$NODE_RANK" = 0 ] && [ "$LOCAL_RANK" = 0 ]',
    '[ "$1" = 32B ]',
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_both_arms_are_read_where_the_value_of_an_unset_variable_is_compared(read, condition):
    launches = read(
        f"python prepare.py\nif {condition}; then\npython train.py\nelse\npython worker.py\nfi\npython last.py"
    ).launches
    assert [(each.program, each.condition) for each in launches] == [
        ("prepare.py", None),
        ("train.py", "branch:2"),
        ("worker.py", "branch:4"),
        ("last.py", None),
    ]


@pytest.mark.parametrize(
    ("condition", "program"),
    [
        ('[ -z "$X" ]', "empty.py"),
        ('[ -n "$X" ]', "filled.py"),
        ('[[ -n "$X" && "$X" == a ]]', "filled.py"),
        ('[ "$X" = "" ]', "empty.py"),
        ('[ "x$X" = x ]', "empty.py"),
        ('[ "$X" != "" ]', "filled.py"),
        ('[ "${X:-0}" -eq 0 ]', "empty.py"),
        ('[ "${X:-b}" = a ]', "filled.py"),
        ("[ $# -eq 0 ]", "empty.py"),
    ],
)
def test_tests_for_emptiness_and_defaults_are_decided(read, condition, program):
    launches = read(f"if {condition}; then python empty.py; else python filled.py; fi").launches
    assert [(each.program, each.condition) for each in launches] == [(program, None)]


def test_a_value_the_user_supplies_decides(read):
    assert read.lines('if [ "$RANK" = 0 ]; then python a.py; else python b.py; fi', {"RANK": "1"}) == ["b.py"]


def test_every_arm_of_a_chain_of_tests_is_read(read):
    text = "if [ $S = 7b ]; then python a.py; elif [ $S = 32b ]; then python b.py; else python c.py; fi"
    assert read.lines(text) == ["a.py", "b.py", "c.py"]
    assert read.lines("case $S in 7b) python a.py;; 32b) python b.py;; *) python c.py;; esac") == [
        "a.py",
        "b.py",
        "c.py",
    ]


def test_case_with_an_arm_for_nothing_takes_it(read):
    assert read.lines("case $S in '') python a.py;; *) python b.py;; esac") == ["a.py"]


def test_a_chain_of_commands_is_followed_both_ways(read):
    launches = read('python a.py\n[ "$RANK" = 0 ] && python b.py\n[ "$RANK" = 0 ] || python c.py').launches
    assert [(each.program, each.condition) for each in launches] == [
        ("a.py", None),
        ("b.py", "branch:2"),
        ("c.py", "branch:3"),
    ]


def test_workers_that_end_early_do_not_hide_the_rest(read):
    assert read.lines("if [ $RANK != 0 ]; then python worker.py; exit 0; fi\npython train.py") == [
        "worker.py",
        "train.py",
    ]


def test_where_no_arm_starts_anything_the_empty_value_chooses(read):
    assert read.lines("if [ $DEBUG = 1 ]; then N=1; else N=8; fi\npython train.py --n $N") == ["train.py --n 8"]


LOOP = """MODEL=""
TASK=""
while [[ $# -gt 0 ]]; do
  case $1 in
    --model) MODEL="$2"; shift 2 ;;
    --task) TASK="$2"; shift 2 ;;
    *) exit 1 ;;
  esac
done
"""


@pytest.mark.parametrize(
    "check",
    [
        'if [[ -z "$MODEL" || -z "$TASK" ]]; then echo usage; exit 1; fi',
        'if [ -z "$MODEL" ] || [ -z "$TASK" ]; then exit 1; fi',
        "[[ -z $MODEL || -z $TASK ]] && exit 1",
        'if [ -z "$MODEL" ]; then exit 1; fi\n[ -n "$TASK" ] || exit 1',
        'if [[ "$MODEL" == "" ]] || [[ "$TASK" == "" ]]; then exit 1; fi',
    ],
)
def test_what_a_check_demands_of_the_options_is_unknown_and_not_empty(read, check):
    assert read.lines(LOOP + check + "\npython train.py --m $MODEL --t $TASK") == [
        "train.py --m <argument:MODEL> --t <argument:TASK>"
    ]


@pytest.mark.parametrize("default", ["${M:-}", "${M-}", '"${M:-}"', '${M:-""}'])
@pytest.mark.parametrize("check", ['if [ -z "$M" ]; then exit 1; fi', '[[ -n "$M" ]] || exit 2'])
def test_an_empty_default_that_a_check_refuses_is_unknown(read, default, check):
    assert read.lines(f"M={default}\n{check}\npython train.py --m $M/x") == ["train.py --m <env:M>/x"]
    assert read.lines(f"export M={default}\n{check}\npython train.py --m $M/x") == ["train.py --m <env:M>/x"]
    assert read.lines(f"M={default}\npython train.py --m $M/x") == ["train.py --m /x"]


def test_an_argument_with_an_empty_default_that_a_check_refuses_is_unknown(read):
    assert read.lines('A=${1:-}\nB=${2:-}\nif [ -z "$A" ] || [ -z "$B" ]; then exit 1; fi\npython t.py $A $B $2') == [
        "t.py <argument:$1> <argument:$2> <argument:$2>"
    ]
