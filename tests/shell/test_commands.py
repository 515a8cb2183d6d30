"""Computed commands and patterns give what the real ones give."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint import shell
from grpolint.documents.source import Source

COMPUTED = r"""
echo -n a  b
echo -e 'a\tb\x41\n'
echo -E 'a\tb'
echo -e '\101 \0101 \q'
echo -- -n
printf '%s-%s\n' a b c
printf '%05d|%-4s|%4s|%x\n' 42 ab cd 255
printf '%.2f %e %g\n' 3.14159 12345.678 0.0001
printf '%%|%b|%q\n' 'a\tb' plain
printf '\x41\101\n'
printf '%d %s\n' 3
basename /a/b/c.sh .sh
basename -- x.tar.gz .gz
basename -s .py /a/b.py
basename /
basename a/
dirname /a/b/c
dirname a
dirname /a
dirname a//b/
dirname /
realpath -m /a/../b/./c
readlink -m /a//b/..
seq 5
seq 2 6
seq 10 -3 1
seq -w 8 11
seq -s , 3
expr 3 + 4 '*' 2
expr 7 / 2
expr 7 % 3
expr abc : 'a\(.*\)'
expr length hello
echo Hello | tr a-z A-Z
echo Hello | tr '[:lower:]' '[:upper:]'
echo a,b,,c | tr , '\n'
echo a-b_c | tr -d -- -_
echo aabbcc | tr -s ab
echo 'a b  c' | tr -s ' ' ,
echo a1b2 | tr -cd '[:digit:]'
echo a:b:c | cut -d: -f2
echo a:b:c | cut -d : -f 1,3
echo a:b:c:d | cut -d: -f2-
echo abcdef | cut -c2-4
echo nodelimiter | cut -d: -f2
echo 'a b c' | wc -w
printf 'a\nb\n' | wc -l
printf abc | wc -c
printf 'a\nb\nc\n' | head -n 2
printf 'a\nb\nc\n' | head -1
printf 'a\nb\nc\n' | tail -n 1
printf '10\n9\n100\n' | sort -n
printf '3\n1\n2\n' | sort -nr
printf 'b\na\nb\n' | sort -u
printf 'a\na\nb\n' | uniq
printf 'abc\n' | rev
printf 'a\nb\n' | tac
printf 'a\nb\n' | paste -sd, -
printf 'a\nb\n' | xargs
echo a-b-c | sed 's/-/_/g'
echo a-b-c | sed 's/-/_/'
echo path/to/x | sed 's|/|.|g'
echo abc123 | sed -E 's/([a-z]+)([0-9]+)/\2\1/'
echo abc | sed 's/\(a\)\(b\)/\2\1/'
echo a.b | sed 's/\./-/;s/a/z/'
echo 'x [1]' | sed 's/[][]//g'
echo abc | sed -e 's/b/[&]/'
echo 'a b c' | awk '{print $2}'
echo a:b:c | awk -F: '{print $3}'
echo 'a b' | awk '{print $0}'
echo 'a b c' | awk '{ print $NF }'
cat <<< 'a b'
echo a | cat
x=AbC; echo ${x,,} ${x^^} ${x,} ${x:1} ${x: -1} ${#x}
x=a.b.c; echo ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${x//./-} ${x/./} ${x/%c/d} ${x/#a/z}
x='*'; echo "${x}" ${x/\*/star}
echo {1..3}{a,b} {01..3} {c..a} {1..9..4} a{,b}c {x} {1..}
echo $((2**10 % 7)) $((-7 / 2)) $((-7 % 3)) $((0x1F + 010 + 2#101)) $((5 > 3 && 2 < 1 || 1)) $((1 ? 2 : 3)) $((~5 ^ 3 | 8 & 12))
echo $((7 >> 1 << 3)) $((x = 5, x += 2, x++ + ++x)) $x
echo "a'b" 'c"d' a\ b $'t\tn\x41' "$(echo "nested $(echo 'deep "q"')")"
echo "${x:-a b}" ${y:-c d} "${z:-"q r"}" ${w:-'s  t'}
IFS=,; x=a,b,,c; printf '<%s>' $x; echo
a=(1 '2 3' 4); printf '<%s>' "${a[@]}" "${#a[@]}" "${a[@]:1}" "${a[-1]}" "${!a[@]}"; echo
a=(x y); a+=(z); a[5]=w; printf '<%s>' "${a[*]}" "${!a[@]}" "${a[@]/#/p}"; echo
declare -A m=([k]=v [a b]=c); m[n]=1; echo "${m[k]}${m[a b]}${m[n]}" ${#m[@]}
set -- a 'b c' d; shift; printf '<%s>' "$@" "$*" $# ${@:2}; echo
f() { local x=1; echo "$x$1$#"; return 3; }; x=0; f a b; echo $x
[[ abc == a* && 3 -gt 2 && -z "" && ! x == y ]] && echo yes || echo no
[[ abc123 =~ ^([a-z]+)([0-9]+)$ ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
[ a = a -a 1 -lt 2 ] && echo yes
case foo.sh in *.py) echo py;; *.sh|*.bash) echo sh;; esac
for ((i = 0; i < 3; i++)); do printf '%s ' $i; done; echo
i=0; while :; do i=$((i + 1)); [ $i -eq 2 ] && continue; [ $i -gt 3 ] && break; printf '%s ' $i; done; echo
until [ ${n:=0} -ge 2 ]; do n=$((n + 1)); done; echo $n
while IFS== read -r k v; do printf '%s:%s ' $k "$v"; done <<< $'a=1\nb=2=3'; echo
mapfile -t l < <(printf 'x y\nz\n'); echo "${l[1]}${#l[@]}"
IFS=, read -ra p <<< 'a,b c,d'; echo "${p[1]}" ${#p[@]}
read -r a b <<< '1 2 3'; echo "$b"
x=5; eval "y=\$x; echo \$y"; v=x; echo ${!v}
printf -v s '%03d' 7; echo $s; s+=x; echo $s
cat <<-EOF
	a $((1 + 1)) $(echo b) \$c `echo d`
	EOF
""".strip("\n")


def cases():
    lines: list[str] = []
    for line in COMPUTED.splitlines():
        if lines and (lines[-1].count("<<-EOF") > lines[-1].count("\tEOF")):
            lines[-1] += "\n" + line
        else:
            lines.append(line)
    return lines


def by_bash(scripts):
    """What bash prints for each script."""
    joined = "\n".join(f"({script}\n)\nprintf '\\0'" for script in scripts)
    run = subprocess.run(
        ["bash"], input=joined, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False
    )
    return run.stdout.split("\0")[:-1]


def by_reading(script):
    """What the reading says it prints; None if it does not claim to know."""
    (launch,) = shell.read(Source("run.sh", f'OUT=$({script}\n)\npython t.py "$OUT"\n')).launches
    return launch.argv[0].text


@pytest.fixture(scope="module")
def printed():
    return dict(zip(cases(), by_bash(cases())))


@pytest.mark.parametrize("script", cases())
def test_computed_commands(printed, script):
    assert by_reading(script) == printed[script].rstrip("\n")


_SUBJECT = st.text("abc/.-A1", max_size=7)
_PATTERN = st.lists(
    st.sampled_from(["a", "b", "*", "?", "[ab]", "[!a]", "/", "c", "[a-c]", ".", "[[:digit:]]", "A", "'*'"]),
    min_size=1,
    max_size=4,
).map("".join)
_OPERATOR = st.sampled_from(["#", "##", "%", "%%", "/", "//", "/#", "/%"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(_SUBJECT, _PATTERN, _OPERATOR, st.sampled_from(["", "X", "xy"])), min_size=20, max_size=40))
def test_patterns(rows):
    scripts = [
        f'X={subject}; echo "${{X{operator}{pattern}{"" if operator[0] in "#%" else "/" + replacement}}}"'
        for subject, pattern, operator, replacement in rows
    ]
    for script, expected in zip(scripts, by_bash(scripts)):
        assert by_reading(script) == expected.rstrip("\n"), script


_NUMBER = st.integers(0, 70).map(str)
_EXPRESSION = st.recursive(
    _NUMBER,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(
                [
                    "+",
                    "-",
                    "*",
                    "/",
                    "%",
                    "**",
                    "<<",
                    ">>",
                    "<",
                    ">",
                    "<=",
                    ">=",
                    "==",
                    "!=",
                    "&",
                    "|",
                    "^",
                    "&&",
                    "||",
                    ",",
                ]
            ),
            inner,
        ).map(" ".join),
        st.tuples(st.sampled_from(["-", "!", "~", "+"]), inner).map("".join),
        inner.map(lambda text: f"({text})"),
        st.tuples(inner, inner, inner).map(lambda parts: "{} ? {} : {}".format(*parts)),
    ),
    max_leaves=6,
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_EXPRESSION, min_size=20, max_size=40))
def test_arithmetic(expressions):
    scripts = [f"echo $(({expression}))" for expression in expressions]
    for script, expected in zip(scripts, by_bash(scripts)):
        found = by_reading(script)
        if expected.strip():
            assert found == expected.rstrip("\n"), script
        else:
            assert found is None, script


@pytest.mark.parametrize(
    ("text", "program", "wrappers"),
    [
        ("torchrun --nproc_per_node 2 $(which swift) sft --a 1", "swift sft", ("torchrun",)),
        ("torchrun `which trl` grpo --a 1", "trl grpo", ("torchrun",)),
        ("$(command -v accelerate) launch train.py --a 1", "train.py", ("accelerate",)),
        ("RUN=$(which deepspeed)\n$RUN --num_gpus 2 train.py --a 1", "train.py", ("deepspeed",)),
        ("$(which python) -m verl.trainer.main_ppo --a 1", "verl.trainer.main_ppo", ()),
    ],
)
def test_a_program_that_is_looked_for_by_its_name(read, text, program, wrappers):
    launch = read.only(text)
    assert (launch.program, launch.wrappers) == (program, wrappers)
    assert [word.text for word in launch.argv] == ["--a", "1"]


@pytest.mark.parametrize("ask", ['-z "$(which nvcc)"', '-n "$(command -v nvcc)"'])
def test_whether_a_program_is_there_is_not_known(read, ask):
    launch = read.only(f"if [ {ask} ]; then N=1; else N=2; fi\npython -m verl.trainer.main_ppo a=$N")
    assert not launch.argv[0].known
