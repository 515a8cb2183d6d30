"""What a script is taken to launch where part of it cannot be known. (That the known rest equals what bash does is
shown by the oracle.)
"""

from __future__ import annotations

import textwrap

import pytest

UNKNOWN = {
    "an unset variable": ("python t.py --lr $LR", "t.py --lr <env:LR>"),
    "inside a word": ("python t.py data=$ROOT/x.parquet", "t.py data=<env:ROOT>/x.parquet"),
    "through variables": ('A=$ROOT/a\nB="$A/b"\npython t.py $B', "t.py <env:ROOT>/a/b"),
    "a default": ("python t.py ${LR:-1e-6} ${N-8}", "t.py 1e-6 8"),
    "a default of a default": ("python t.py ${A:-${B:-3}}", "t.py 3"),
    "a default with brackets": ("""python t.py ${L:-["a","b"]}""", "t.py [a,b]"),
    "a default that is unknown": ("python t.py ${A:-$ROOT/x}", "t.py <env:ROOT>/x"),
    "alternate text of an unset variable": ("python t.py a ${X:+--x $X}", "t.py a"),
    "a required variable": ("python t.py ${X:?give it}", "t.py <required:X>"),
    "an argument": ("python t.py $1 ${2:-8}", "t.py <argument:$1> 8"),
    "an argument after shift": ("shift 2\npython t.py $1", "t.py <argument:$3>"),
    "arguments forwarded": ('python t.py a=1 "$@"', "t.py a=1"),
    "the output of a command": ("python t.py run_$(date +%F)_x", "t.py run_<command:date>_x"),
    "a computed tail of an unknown path": (
        "M=$ROOT/models/qwen\npython t.py ${M##*/} ${M%/*}",
        "t.py qwen <env:ROOT>/models",
    ),
    "basename of an unknown path": ("python t.py $(basename $ROOT/models/qwen.sh .sh)", "t.py qwen"),
    "basename of something unknown": ("python t.py $(basename $MODEL)", "t.py <env:MODEL>"),
    "arithmetic": ("python t.py $((N * 2)) $((3 * 2))", "t.py <arithmetic:env:N> 6"),
    "numbers of chance": ("python t.py $RANDOM", "t.py <special:RANDOM>"),
    "home": ("python t.py ~/a $HOME/b", "t.py <env:HOME>/a <env:HOME>/b"),
    "the script's folder": (
        'D=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\npython t.py $D/c.yaml',
        "t.py <script-dir>/c.yaml",
    ),
    "above the script's folder": ('D=$(cd "$(dirname "$0")/.." && pwd)\npython t.py $D', "t.py <script-dir/..>"),
    "the script's name": ('python t.py $(basename "$0" .sh)', "t.py run"),
    "the working directory": ("python t.py $(pwd)/x", "t.py <env:PWD>/x"),
    "a pipeline through a program nobody knows": ("python t.py $(echo a | jq .x)", "t.py <command:jq>"),
    "a slice of an unknown": ("python t.py ${X:0:3}", "t.py <env:X>"),
    "a read from the terminal": ("read -p name: N\npython t.py $N", "t.py <input:N>"),
    "unset unquoted words side by side": ("python t.py --x $A $B end", "t.py --x <env:A><env:B> end"),
    "quoted words side by side": ('python t.py "$A" "$B"', "t.py <env:A> <env:B>"),
    "unset on purpose": ("unset A\npython t.py a$A", "t.py a"),
    "eval keeps what is unknown": (
        """C="python t.py --m $MODEL --n '1 2'"\neval "$C" """,
        "t.py --m <env:MODEL> --n 1 2",
    ),
    "bash -c gets what is exported": ("export A=1\nB=2\nbash -c 'python t.py $A $B'", "t.py 1 <env:B>"),
}


@pytest.mark.parametrize(("text", "expected"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_parts_stay_unknown_and_the_rest_is_kept(read, text, expected):
    assert read.lines(text) == [expected]


def test_supplied_environment_wins_over_defaults_but_not_over_assignments(read):
    text = "B=2\npython t.py ${A:-1} $A ${B:-3} $HOME"
    assert read.lines(text, {"A": "9", "B": "8", "HOME": "/root"}) == ["t.py 9 9 2 /root"]


@pytest.mark.parametrize("text", ["$HOME", "$USER", "$(date)", "$RANDOM", "$(hostname)", "$PWD", "$(dirname $0)", "$$"])
def test_names_of_places_and_moments_are_symbols(read, text):
    (part,) = read.only(f"python t.py {text}").argv[0].parts
    assert part.symbolic


@pytest.mark.parametrize("text", ["$MODEL", "$1", "$(nvidia-smi -L)", "${X:?}", "$((N+1))"])
def test_values_that_matter_are_no_symbols(read, text):
    (part,) = read.only(f"python t.py {text}").argv[0].parts
    assert not part.symbolic


BRANCHES = {
    "equal arms": ("if [ -f x ]; then A=1; else A=1; fi\npython t.py $A", "t.py 1", ()),
    "different arms": ("if [ -f x ]; then A=1; else A=2; fi\npython t.py $A", "t.py <branch:1>", ("1", "2")),
    "an arm that does nothing": ("A=1\nif [ -f x ]; then A=2; fi\npython t.py $A", "t.py <branch:2>", ("2", "1")),
    "arithmetic over arms": (
        "if [ -f x ]; then A=1; else A=2; fi\npython t.py $((A * 4))",
        "t.py <branch:1>",
        ("4", "8"),
    ),
    "two values of one branch": (
        "if [ -f x ]; then A=1; B=4; else A=2; B=2; fi\npython t.py $((A * B))",
        "t.py 4",
        (),
    ),
    "a common beginning stays": (
        "if [ -f x ]; then A=$R/a; else A=$R/b; fi\npython t.py $A",
        "t.py <env:R><branch:1>",
        ("/a", "/b"),
    ),
    "a default over arms": ("A=\nif [ -f x ]; then A=1; fi\npython t.py ${A:-7}", "t.py <branch:2>", ("1", "7")),
    "an arm that leaves": ("A=1\nif [ ! -f x ]; then A=2; exit 1; fi\npython t.py $A", "t.py 1", ()),
    "a test followed by exit": ("[ -f x ] || exit 1\npython t.py 1", "t.py 1", ()),
    "a test followed by an assignment": ("A=1\n[ -f x ] && A=2\npython t.py $A", "t.py <branch:2>", ("2", "1")),
    "both ways of a test": ("A=$([ -f x ] && echo 1 || echo 2)\npython t.py $A", "t.py <branch:1>", ("1", "2")),
    "a case on something unknown": (
        "case $(uname) in Linux) A=1;; *) A=2;; esac\npython t.py $A",
        "t.py <branch:1>",
        ("1", "2"),
    ),
    "a program asked": ("if command -v x; then A=1; else A=2; fi\npython t.py $A", "t.py <branch:1>", ("1", "2")),
}


@pytest.mark.parametrize(("text", "expected", "alternatives"), BRANCHES.values(), ids=BRANCHES)
def test_undecidable_branches(read, text, expected, alternatives):
    (launch,) = read(text).launches
    assert " ".join([launch.program, *(word.pattern for word in launch.argv)]) == expected
    found = [part.alternatives for word in launch.argv for part in word.parts if part.alternatives]
    assert found == ([alternatives] if alternatives else [])


def test_array_items_of_one_arm_are_conditional_words(read):
    text = 'A=(--x 1)\nif [ -f f ]; then\n  A+=(--y 2)\nfi\nA+=(--z 3)\npython t.py "${A[@]}"'
    words = read.only(text).argv
    assert [(word.text, word.condition) for word in words] == [
        ("--x", None),
        ("1", None),
        ("--y", "branch:2"),
        ("2", "branch:2"),
        ("--z", None),
        ("3", None),
    ]


def test_an_unquoted_value_of_one_arm_becomes_conditional_words(read):
    text = 'A=""\n[ -f f ] && A="--y 2"\npython t.py --x $A'
    assert [(word.text, word.condition) for word in read.only(text).argv] == [
        ("--x", None),
        ("--y", "branch:2"),
        ("2", "branch:2"),
    ]


def test_launches_in_undecidable_arms_carry_the_condition(read):
    text = "if [ -f x ]; then\n  python a.py\nelse\n  python b.py\nfi\npython c.py"
    assert [(each.program, each.condition) for each in read(text).launches] == [
        ("a.py", "branch:1"),
        ("b.py", "branch:3"),
        ("c.py", None),
    ]


SCENARIO = {
    "unset is empty in a test": ('if [ -z "$X" ]; then X=3; fi\npython t.py $X', "t.py 3"),
    "unset is not one": ('A=1\nif [ "$DEBUG" = 1 ]; then A=2; fi\npython t.py $A', "t.py 1"),
    "unset counts as zero": ("A=1\nif (( X > 2 )); then A=2; fi\npython t.py $A", "t.py 1"),
    "a check of a required variable passes": (
        'if [ -z "$X" ]; then echo need X; exit 1; fi\npython t.py $X ${X:-5}',
        "t.py <env:X> <env:X>",
    ),
    "in short": ('[ -n "$X" ] || { echo need X >&2; exit 1; }\npython t.py $X', "t.py <env:X>"),
    "through a function": (
        'die() { echo "$1"; exit 1; }\n[[ -z ${X:-} ]] && die "no X"\npython t.py $X',
        "t.py <env:X>",
    ),
    "a check of the number of arguments": (
        "if [ $# -lt 2 ]; then echo usage; exit 1; fi\npython t.py $1 ${2:-x} ${3:-y}",
        "t.py <argument:$1> <argument:$2> y",
    ),
    "a choice by argument with usage": (
        'case "$1" in a) M=1;; b) M=2;; *) echo usage; exit 1;; esac\npython t.py $M',
        "t.py <branch:1>",
    ),
    "values before an argument loop stay": (
        "M=a\nwhile [[ $# -gt 0 ]]; do case $1 in --m) M=$2; shift 2;; *) exit 1;; esac; done\npython t.py $M",
        "t.py a",
    ),
    "getopts": ('M=a\nwhile getopts "m:" o; do case $o in m) M=$OPTARG;; esac; done\npython t.py $M', "t.py a"),
    "an option that must be given": (
        'M=\nwhile [ $# -gt 0 ]; do case $1 in --m) M=$2; shift;; esac; shift; done\nif [ -z "$M" ]; then exit; fi\npython t.py $M',
        "t.py <argument:M>",
    ),
    "a loop over the arguments": ('for a in "$@"; do X=$a; done\nX=${X:-none}\npython t.py $X', "t.py none"),
    "a real exit ends the script": ("python t.py 1\nif [ 1 = 1 ]; then exit 0; fi\npython t.py 2", "t.py 1"),
    "no NPU unless told": ("D=$(python3 -c 'import torch_npu' && echo npu || echo gpu)\npython t.py $D", "t.py gpu"),
}


@pytest.mark.parametrize(("text", "expected"), SCENARIO.values(), ids=SCENARIO)
def test_the_default_scenario(read, text, expected):
    assert read.lines(text) == [expected]


def test_arms_that_only_arguments_choose_are_read_when_nothing_else_starts(read):
    text = 'if [ "$1" = a ]; then\n  python a.py\nelif [ "$1" = b ]; then\n  python b.py\nfi'
    assert [(each.program, each.condition) for each in read(text).launches] == [
        ("a.py", "branch:1"),
        ("b.py", "branch:3"),
    ]


def test_an_exit_before_any_launch_is_passed_over(read):
    assert read.lines("N=${N:-4}\nif [ $N -lt 8 ]; then exit 1; fi\npython t.py $N") == ["t.py 4"]


def test_functions_see_their_arguments_and_locals(read):
    text = 'f() { local n=$1; shift; python t.py $n "$@" $#; }\nf 3 a "b c"\nf 4\npython t.py ${n:-none}'
    assert read.lines(text) == ["t.py 3 a b c 2", "t.py 4 0", "t.py none"]


def test_loops_launch_once_for_each_known_item(read):
    assert read.lines("for s in 1 {2..3} $(seq 4 5); do python t.py $s; done") == [f"t.py {n}" for n in range(1, 6)]
    assert read.lines("for f in $(ls); do python t.py $f; done") == ["t.py <command:ls>"]
    assert read.lines("i=0\nwhile [ $i -lt 3 ]; do python t.py $i; i=$((i+1)); done") == ["t.py 0", "t.py 1", "t.py 2"]


def test_endless_loops_launch_once(read):
    assert read.lines("while true; do python t.py; sleep 1; done") == ["t.py"]


def test_sourced_files_and_started_scripts_are_read(read):
    text = 'D=$(dirname "$0")\nsource "$D/conf/model.sh"\nexport A=1\nB=2\nbash $D/go.sh x $M'
    model = 'M="$(basename "${BASH_SOURCE[0]}" .sh)-$(basename "$0")"'
    go = "python t.py $1 $2 $A $B $0"
    assert read.lines(text, conf__model=model, go=go) == ["t.py x model-run.sh 1 <env:B> <script-dir>/go.sh"]


def test_scripts_that_include_one_another_end(read):
    assert read.lines("source a.sh\npython t.py", a="source b.sh", b="source a.sh\nsource run.sh") == ["t.py"]


def test_wrappers_around_a_nested_script_are_kept(read):
    launch = read.only("srun -N 2 bash -c 'torchrun --nproc_per_node 8 t.py --a 1'")
    assert (launch.program, launch.wrappers) == ("t.py", ("srun", "torchrun"))


def test_scripts_on_standard_input(read):
    assert read.lines("bash <<'EOF'\npython t.py 1\nEOF") == ["t.py 1"]
    assert read.lines('echo "python t.py 2" | bash') == ["t.py 2"]


def test_environment(read):
    text = textwrap.dedent("""\
        export A=1
        B=2
        set -a
        C=$X
        set +a
        D=4 python t.py
        env E=5 python t.py
    """)
    first, second = read(text, {"GIVEN": "1"}).launches
    assert {name: word.pattern for name, word in first.env.items()} == {"A": "1", "C": "<env:X>", "D": "4"}
    assert {name: word.pattern for name, word in second.env.items()} == {"A": "1", "C": "<env:X>", "E": "5"}
    assert first.env["A"].span.text == "1"


def test_directives(read):
    text = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH -t 1:00:00  # an hour\n#SBATCH --exclusive\npython t.py"
    assert [(name, value) for name, value, _ in read.only(text).directives] == [
        ("nodes", "4"),
        ("time", "1:00:00"),
        ("exclusive", ""),
    ]
    assert read.only(text).directives[1][2].text == "#SBATCH -t 1:00:00"


def test_files_that_the_script_writes(read):
    text = textwrap.dedent("""\
        N=2
        cat > conf/ds.json <<EOF
        {"stage": $N}
        EOF
        cat <<'EOF' > plain.yaml
        a: $N
        EOF
        echo "lr: 1" > b.yaml
        echo "n: 2" >> b.yaml
        echo "model: $MODEL" | tee c.yaml
        python t.py --deepspeed conf/ds.json
    """)
    files = {file.path.text: file for file in read.only(text).files}
    assert files["conf/ds.json"].source.text == '{"stage": 2}\n'
    assert files["plain.yaml"].source.text == "a: $N\n"
    assert files["b.yaml"].source.text == "lr: 1\nn: 2\n"
    assert files["c.yaml"].source is None
    assert files["c.yaml"].reason == "env:MODEL"
    plain = files["plain.yaml"].source
    assert plain.span(0, 1).outer().line == 6
    assert plain.span(3, 5).outer().text == "$N"


def test_a_written_file_is_read_again(read):
    assert read.lines("echo 'A=5' > env.sh\nsource ./env.sh\npython t.py $A $(cat env.sh)") == ["t.py 5 A=5"]


def test_the_caller_may_add_arguments(read):
    assert read.only('python t.py "$@"').open_ended
    assert read.only('A=(1 "$@")\npython t.py "${A[@]}"').open_ended
    assert read.only('X="$*"\npython t.py $X').open_ended
    assert read.only('main() { python t.py "$@"; }\nmain "$@"').open_ended
    assert not read.only("python t.py 1").open_ended
    assert not read.only('f() { python t.py "$@"; }\nf 1').open_ended


def test_working_directory(read):
    assert read.only("python t.py").cwd is None
    assert read.only("cd /opt/verl && python t.py").cwd.pattern == "/opt/verl"
    assert read.only('cd "$(dirname "$0")/../.."\npython t.py').cwd.pattern == "<script-dir/../..>"
    assert read.only("(cd /a; ls)\npython t.py").cwd is None


@pytest.mark.parametrize("how", ['eval "$C"', 'bash -c "$C"', 'echo "$C" | bash'])
def test_words_of_a_script_in_a_value_know_where_they_are_written(read, how):
    text = f'export X=3\nC="python t.py --a $X \\\n  --lr 1e-6 --model $M"\n{how}'
    words = read.only(text).argv
    assert [word.pattern for word in words] == ["--a", "3", "--lr", "1e-6", "--model", "<env:M>"]
    assert [(word.span.outer().text, word.span.line) for word in words[2:4]] == [("--lr", 3), ("1e-6", 3)]
    assert words[1].origins[-1].span.outer().text == "3"


def test_syntax_errors_have_a_place_and_the_rest_is_read(read):
    reading = read('python a.py\nif [ 1 ]; then\n  python b.py\n)\nfi\necho "${A b}"\npython c.py\n')
    assert [launch.program for launch in reading.launches] == ["a.py", "b.py", "c.py"]
    assert [problem.span.line for problem in reading.problems] == [4, 6]


def test_carriage_returns_do_not_hide_the_launch(read):
    reading = read("A=1\r\nif [ $A = 1 ]; then\r\npython t.py --a $A\r\nfi\r\n")
    assert [launch.program for launch in reading.launches] == ["t.py"]
    assert "carriage returns" in reading.problems[0].message


def test_words_know_where_they_are_written(read):
    text = 'ARGS=(\n  --a 1\n  "b=$X"\n)\npython t.py \\\n  --c 2 "${ARGS[@]}"'
    launch = read.only(text)
    assert [(word.span.text, word.span.line) for word in launch.argv] == [
        ("--c", 6),
        ("2", 6),
        ("--a", 2),
        ("1", 2),
        ('"b=$X"', 3),
    ]
    assert launch.span.text == text[text.index("python") :]
    bare = read.only(text.replace('"${ARGS[@]}"', "${ARGS[@]}"))
    assert [(word.span.text, word.span.line) for word in bare.argv[2:]] == [("--a", 2), ("1", 2), ("${ARGS[@]}", 6)]
    split = read.only("A=(--a '1 2')\npython t.py ${A[@]}")
    assert [(word.text, word.span.line) for word in split.argv] == [("--a", 1), ("1", 2), ("2", 2)]
    assert read.only("X=1 python t.py --a > log 2>&1 | tee x").span.text == "python t.py --a"


@pytest.mark.parametrize(
    "fill",
    [
        "NODES=($(scontrol show hostnames))",
        "mapfile -t NODES < <(scontrol show hostnames)",
        'readarray -t NODES <<< "$(scontrol show hostnames)"',
        'read -ra NODES <<< "$(scontrol show hostnames)"',
        "NODES=(head $(scontrol show hostnames) tail)",
        "NODES=()\nNODES+=($(scontrol show hostnames))",
    ],
)
def test_elements_behind_a_word_of_unknown_number_are_unknown_and_not_absent(read, fill):
    assert read.lines(f'{fill}\npython t.py --host ${{NODES[3]}} --last "${{NODES[4]}}"') == [
        "t.py --host <command:scontrol> --last <command:scontrol>"
    ]


@pytest.mark.parametrize("word", ["${#NODES[@]}", "${NODES[@]:2}", "$((${#NODES[@]} * 8))"])
def test_how_many_elements_a_command_prints_is_unknown(read, word):
    (line,) = read.lines(f"NODES=($(scontrol show hostnames))\npython t.py x {word}")
    assert line.startswith("t.py x <") and "command:scontrol" in line


def test_elements_before_it_and_quoted_ones_are_known(read):
    script = 'A=(a "$(hostname -f)" b $(ls) c)\npython t.py ${A[0]} ${A[2]} ${A[4]}'
    assert read.lines(script) == ["t.py a b <command:ls>"]
