"""Scripts for the property test: every variable is set first, so that nothing in them is unknown."""

from __future__ import annotations

import shlex
from functools import cache

from hypothesis import strategies as st

NAMES = ["A", "B", "NAME", "model_path"]
NUMBERS = ["I", "J", "N_GPUS"]
ARRAYS = ["R", "OPTS"]
EXPORTED = "export " + " ".join(NAMES + NUMBERS)
FREE = "NEVER_SET_BY_ANYONE"

plain = st.text("abxyzQ0129_./:,@%+=-", min_size=1, max_size=6).filter(lambda text: text[0] not in "-=~")
strange = st.text("ab1 \t'\"$\\`#;&|(){}<>!~,\n", min_size=0, max_size=6)
patterns = st.sampled_from(["a", "b*", "*/", "*a", "?", "[ab]", "x", "*.", "/", "%", "0*1", "??"])


def _double(text: str) -> str:
    return "".join("\\" + letter if letter in '"$\\`' else letter for letter in text)


@cache
def expansion(depth: int) -> st.SearchStrategy[str]:
    """An expansion, to stand bare or inside double quotes."""
    name = st.sampled_from(NAMES)
    number = st.sampled_from(NUMBERS)
    array = st.sampled_from(ARRAYS)
    small = st.integers(0, 3)
    inner = plain if depth <= 0 else st.one_of(plain, expansion(depth - 1))
    return st.one_of(
        name.map(lambda n: "${" + n + "}"),
        number.map(lambda n: "${" + n + "}"),
        st.tuples(name, st.sampled_from(["#", "##", "%", "%%"]), patterns).map(lambda t: "${" + "".join(t) + "}"),
        st.tuples(name, st.sampled_from(["/", "//", "/#", "/%"]), patterns, plain).map(
            lambda t: "${" + t[0] + t[1] + t[2].replace("/", "\\/") + "/" + t[3].replace("/", "\\/") + "}"
        ),
        st.tuples(name, small, small).map(lambda t: f"${{{t[0]}:{t[1]}:{t[2]}}}"),
        st.tuples(name, small).map(lambda t: f"${{{t[0]}: -{t[1] + 1}}}"),
        name.map(lambda n: "${#" + n + "}"),
        st.tuples(name, st.sampled_from(["^^", ",,", "^", ","])).map(lambda t: "${" + t[0] + t[1] + "}"),
        st.tuples(st.sampled_from([*NAMES, FREE]), st.sampled_from([":-", "-", ":+", "+"]), inner).map(
            lambda t: "${" + "".join(t) + "}"
        ),
        array.map(lambda n: "${#" + n + "[@]}"),
        st.tuples(array, small).map(lambda t: f"${{{t[0]}[{t[1]}]}}"),
        array.map(lambda n: "${" + n + "[@]}"),
        array.map(lambda n: "${" + n + "[*]}"),
        st.tuples(array, small, small).map(lambda t: f"${{{t[0]}[@]:{t[1]}:{t[2]}}}"),
        arithmetic(2).map(lambda text: "$((" + text + "))"),
        inner.map(lambda text: "$(echo " + text + ")"),
        name.map(lambda n: '$(basename "${' + n + '}" .sh)'),
        name.map(lambda n: '$(printf %s "$' + n + '")'),
        st.tuples(array, st.sampled_from(["#", "%", "/#", "/%", "//"]), patterns, plain).map(
            lambda t: "${%s[@]%s%s%s}" % (t[0], t[1], t[2].replace("/", "\\/"), "" if t[1] in "#%" else "/p")  # noqa: UP031
        ),
        array.map(lambda n: "${!" + n + "[@]}"),
        array.map(lambda n: "${" + n + "[-1]:-none}"),
        st.sampled_from(["${D[k]}", "${D[$N_KEY]}", "${#D[@]}", "${!REF}", "$#", "${1:-none}", "$*", "${@:2}", "$1"]),
        st.sampled_from(['$(echo "$A" | tr a-z A-Z)', "$(seq 1 3)", '$(dirname "$model_path")', "$(expr $I + 1)"]),
    )


@cache
def arithmetic(depth: int) -> st.SearchStrategy[str]:
    """An arithmetic expression over the integer variables; no division by what may be zero."""
    leaf = st.one_of(st.integers(0, 40).map(str), st.sampled_from(NUMBERS), st.sampled_from(["$I", "${J}", "0x1f"]))
    if depth <= 0:
        return leaf
    deeper = arithmetic(depth - 1)
    binary = st.sampled_from(["+", "-", "*", "<", ">=", "==", "!=", "&&", "||", "&", "|", "^"])
    return st.one_of(
        leaf,
        st.tuples(deeper, binary, deeper).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
        st.tuples(deeper, st.sampled_from(["/", "%", "<<", ">>"]), st.integers(1, 7)).map(
            lambda t: f"({t[0]}) {t[1]} {t[2]}"
        ),
        deeper.map(lambda text: f"({text})"),
        deeper.map(lambda text: f"!({text})"),
        deeper.map(lambda text: f"-({text})"),
        st.tuples(deeper, deeper, deeper).map(lambda t: f"({t[0]}) ? {t[1]} : {t[2]}"),
    )


@cache
def segment(depth: int) -> st.SearchStrategy[str]:
    """A stretch of a word."""
    return st.one_of(
        plain,
        strange.map(shlex.quote),
        expansion(depth),
        st.lists(st.one_of(strange.map(_double), expansion(depth)), min_size=0, max_size=3).map(
            lambda parts: '"' + "".join(parts) + '"'
        ),
        st.sampled_from(["\\ ", "\\$", "$'t\\tb'", "\\\\", "{a,b}", "{1..3}", "''"]),
        st.sampled_from(NAMES).map("${}".format),
    )


@cache
def word(depth: int = 1) -> st.SearchStrategy[str]:
    """A word of a command."""
    return st.lists(segment(depth), min_size=1, max_size=3).map(_join)


def _join(parts: list[str]) -> str:
    out = ""
    for part in parts:
        # A bare $NAME would swallow letters that follow it.
        bare = out.rpartition("$")[2]
        glued = out and "$" in out and bare.isidentifier() and (part[0].isalnum() or part[0] in "_[")
        out += "''" + part if glued else part
    return out


@cache
def words(least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(word(), min_size=least, max_size=most)


@cache
def assignment() -> st.SearchStrategy[str]:
    value = word().filter(lambda text: "{a,b}" not in text and "{1..3}" not in text)
    return st.one_of(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(["=", "="]), value).map("".join),
        st.tuples(st.sampled_from(NAMES), value).map(lambda t: f"{t[0]}+={t[1]}"),
        st.tuples(st.sampled_from(NUMBERS), arithmetic(2)).map(lambda t: f"{t[0]}=$(({t[1]}))"),
        st.tuples(st.sampled_from(ARRAYS), st.sampled_from(["=", "+="]), words(0, 4)).map(
            lambda t: f"{t[0]}{t[1]}({' '.join(t[2])})"
        ),
        st.tuples(st.sampled_from(NAMES), value).map(lambda t: f"export {t[0]}={t[1]}"),
        st.sampled_from(NAMES).map("export {}".format),
        st.tuples(st.sampled_from(NAMES), value).map(lambda t: f'read -r {t[0]} REST <<< "{_double(t[1])}"'),
        st.tuples(st.sampled_from(NAMES), plain).map(lambda t: f": ${{{t[0]}:={t[1]}}}"),
        st.sampled_from(NUMBERS).map("(({}++))".format),
        st.sampled_from(NUMBERS).map("(({} += 3, I = 2))".format),
        st.sampled_from(NUMBERS).map('let "{} = {}"'.replace("= {}", "= I * 2").format),
        words(0, 3).map(lambda found: "set -- " + " ".join(found)),
        st.sampled_from(["shift", "unset 'R[0]'", "export -n A", "declare -i I", "IFS=,", "IFS=$' \\t\\n'", "REF=B"]),
        st.tuples(st.sampled_from(["k", "$N_KEY", "other"]), value).map(lambda t: f"D[{t[0]}]={t[1]}"),
        st.tuples(st.sampled_from(NAMES), value).map(lambda t: f"printf -v {t[0]} '%s-%s' {t[1]} 5"),
        st.tuples(st.sampled_from(NAMES), plain).map(lambda t: f"eval '{t[0]}=\"${{A}}{t[1]}\"'"),
        st.tuples(st.sampled_from(ARRAYS), st.sampled_from(NAMES)).map(
            lambda t: f'IFS=, read -r -a {t[0]} <<< "${t[1]}"'
        ),
        st.tuples(st.sampled_from(NAMES), st.lists(plain, min_size=1, max_size=3)).map(
            lambda t: f"{t[0]}=$(cat <<END\n{chr(10).join(t[1])} $I\nEND\n)"
        ),
    )


@cache
def launch() -> st.SearchStrategy[str]:
    return st.tuples(
        st.sampled_from(["", "", "X_ENV=1 ", 'A="p q" ']),
        st.sampled_from(["python train.py", "python3 -m pkg.train", "torchrun --nproc_per_node 2 train.py"]),
        words(0, 5),
        st.sampled_from([" ", " \\\n  "]),
    ).map(lambda t: t[0] + t[3].join([t[1], *t[2]]))


@cache
def condition() -> st.SearchStrategy[str]:
    name, number = st.sampled_from(NAMES), st.sampled_from(NUMBERS)
    return st.one_of(
        st.tuples(name, st.sampled_from(["=", "!="]), plain).map(lambda t: f'[ "${t[0]}" {t[1]} "{t[2]}" ]'),
        st.tuples(name, st.sampled_from(["==", "!="]), patterns).map(lambda t: f"[[ ${t[0]} {t[1]} {t[2]} ]]"),
        st.tuples(st.sampled_from(["-z", "-n"]), st.sampled_from([*NAMES, FREE])).map(
            lambda t: f'[ {t[0]} "${t[1]}" ]'
        ),
        st.tuples(number, st.sampled_from(["-lt", "-ge", "-eq"]), st.integers(0, 20)).map(
            lambda t: f"[ ${t[0]} {t[1]} {t[2]} ]"
        ),
        arithmetic(2).map(lambda text: f"(( {text} ))"),
        st.tuples(number, name).map(lambda t: f"[[ ${t[0]} -gt 3 && -n ${t[1]} || ! ${t[1]} == a* ]]"),
        st.sampled_from(["true", "false", "! false", "[[ -v A ]]", "[[ $A =~ ^([a-z]+)(.*)$ ]]", "[ $# -gt 1 ]"]),
    )


def _for_a_child(text: str) -> bool:
    """Whether text may stand in `bash -c '...'`: no quote, and only variables that can be exported."""
    return not any(part in text for part in ("'", "R[", "OPTS", "R=", "R+", "D[", "REF", "N_KEY", "-a R", "export -n"))


@cache
def statement(depth: int) -> st.SearchStrategy[str]:
    simple = st.one_of(assignment(), assignment(), launch())
    if depth <= 0:
        return simple
    body = st.lists(statement(depth - 1), min_size=1, max_size=2).map("\n".join)
    value = word()
    return st.one_of(
        simple,
        simple,
        st.tuples(condition(), body, condition(), body, body).map(
            lambda t: f"if {t[0]}; then\n{t[1]}\nelif {t[2]}; then\n{t[3]}\nelse\n{t[4]}\nfi"
        ),
        st.tuples(condition(), body).map(lambda t: f'{t[0]} && {{\n{t[1]}\n}} || python else.py "$A"'),
        st.tuples(st.sampled_from(NAMES), words(1, 4), condition(), st.sampled_from(["break", "continue"]), body).map(
            lambda t: f"for {t[0]} in {' '.join(t[1])}; do\nif {t[2]}; then {t[3]}; fi\n{t[4]}\ndone"
        ),
        st.tuples(condition(), body, body).map(
            lambda t: f'g() {{\nif {t[0]}; then return 1; fi\n{t[1]}\nreturn 0\n}}\nif g a "$A"; then\n{t[2]}\nfi'
        ),
        simple.filter(_for_a_child).map(lambda text: f"{EXPORTED}; bash -c '{text}' zero one \"$A\""),
        st.tuples(condition(), simple.filter(lambda text: "\n" not in text)).map(lambda t: f"{t[0]} && {t[1]}"),
        st.tuples(st.sampled_from(NAMES), words(0, 3), body).map(
            lambda t: f"for {t[0]} in {' '.join(t[1])}; do\n{t[2]}\ndone"
        ),
        st.tuples(st.integers(0, 3), body).map(
            lambda t: f"for ((k{depth} = 0; k{depth} < {t[0]}; k{depth}++)); do\n{t[1]}\ndone"
        ),
        st.tuples(st.integers(0, 3), body).map(
            lambda t: f"w{depth}=0\nwhile [ $w{depth} -lt {t[0]} ]; do\nw{depth}=$((w{depth} + 1))\n{t[1]}\ndone"
        ),
        st.tuples(value, patterns, body, patterns, body, body).map(
            lambda t: f"case {t[0]} in\n{t[1]}) {t[2]}\n;;\n{t[3]}|q*) {t[4]}\n;;\n*) {t[5]}\n;;\nesac"
        ),
        st.tuples(body, words(0, 3)).map(
            lambda t: f'f() {{\nlocal A=inner n=$#\n{t[0]}\npython f.py $n "$@"\n}}\nf {" ".join(t[1])}\nunset -f f'
        ),
        body.map(lambda text: f"(\n{text}\n)"),
        body.map(lambda text: f"{{\n{text}\n}}"),
        st.lists(plain, min_size=1, max_size=3).map(
            lambda lines: 'while read -r A B; do\npython r.py "$A" $B\ndone <<END\n' + "\n".join(lines) + "\nEND"
        ),
    )


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A whole script: settings of everything, some statements, a launch that shows all variables."""
    first = [f"{name}={shlex.quote(draw(st.one_of(plain, strange)))}" for name in NAMES]
    first += [f"{name}={draw(st.integers(0, 99))}" for name in NUMBERS]
    first += ["N_KEY=n", "REF=A", "declare -A D=([k]=v [n]='two words')", "set -- p1 'p 2'"]
    first += [
        f"{name}=({' '.join(shlex.quote(text) for text in draw(st.lists(strange, max_size=3)))})" for name in ARRAYS
    ]
    body = draw(st.lists(statement(2), min_size=1, max_size=5))
    shown = " ".join(f'"${name}"' for name in NAMES + NUMBERS) + "".join(f' "${{{name}[@]}}"' for name in ARRAYS)
    return "\n".join([*first, *body, f"python shown.py {shown}"]) + "\n"
