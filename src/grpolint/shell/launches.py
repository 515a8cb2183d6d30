"""Which program a simple command starts, behind all the commands that only start another one."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.launch import Word
from grpolint.records import Record, field, replace
from grpolint.shell.launch_words import assignment, join_words, limit, runtime_variables, split_commas
from grpolint.shell.wrappers import MODULE_WRAPPERS, NOT_PROGRAMS, PYTHON, SHELL, TOOLS, WRAPPERS, Wrapper

__all__ = ["Peeled", "peel"]

_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh"])
_ENTRY_POINTS = frozenset(["rl", "orchestrator", "trainer", "inference", "sft"])
"""Console scripts with everyday names; believed only behind `uv run` or before a config file (`@ rl.toml`)."""
_DEPTH = 24
"""Wrappers around one program; more than this is not written by people."""


class Peeled(Record):
    """What one simple command starts.

    Exactly one of three holds, except that a job submitter which is a Python program itself has `program` and
    `nested`: `program` starts with the arguments from index `argument_index` of the words; `nested` is the text of
    another script (`bash -c TEXT`) with `$1...` from `argument_index`; `script` is the path of a script file with
    `$1...` from `argument_index`, or `stdin` says that the shell reads its script from standard input. `wrappers`
    and `wrapper_argv` are as in `Launch`. `env`, `cwd` and `limits` are what the wrappers set for the program;
    `runtime_env` is the path of a runtime environment file of Ray.
    """

    program: str = ""
    argument_index: int = 0
    wrappers: tuple[str, ...] = ()
    wrapper_argv: tuple[tuple[Word, ...], ...] = ()
    env: dict[str, Word] = field(default_factory=dict)
    cwd: Word | None = None
    limits: dict[str, Word] = field(default_factory=dict)
    runtime_env: Word | None = None
    nested: Word | None = None
    script: Word | None = None
    stdin: bool = False


class _Options(Record):
    """Options of one wrapper: name and value of each, and the index of the first word after them."""

    found: tuple[tuple[str, Word | None], ...]
    end: int


def peel(words: Sequence[Word]) -> Peeled | None:
    """What a simple command starts: `words` are its words after all expansions, the command name first, without
    leading assignments and redirections. None if it starts no program of interest. Never raises.
    """
    return _peel(words, 0, Peeled())


def _peel(words: Sequence[Word], at: int, so_far: Peeled) -> Peeled | None:
    if at >= len(words) or len(so_far.wrappers) > _DEPTH:
        return None
    name = _command(words[at])
    if name is None:
        return _unknown_command(words, at, so_far)
    if _is_python(name):
        return _python(words, at + 1, so_far)
    if name in _SHELLS:
        return _shell(words, at + 1, so_far)
    for wrapper in WRAPPERS.get(name, ()):
        inner = _after_subcommands(words, at + 1, wrapper)
        if inner is not None:
            return _wrapper(words, inner, wrapper, so_far)
    if name in TOOLS:
        return _tool(words, at, name, so_far)
    if name in ("tmux", "screen", "su"):
        return _typed(words, at, name, so_far)
    if name.endswith(".py"):
        return replace(so_far, program=_shown(words[at]), argument_index=at + 1)
    if name.endswith((".sh", ".bash", ".slurm", ".sbatch")):
        return replace(so_far, script=words[at], argument_index=at + 1)
    following = words[at + 1].prefix if at + 1 < len(words) else ""
    if name in _ENTRY_POINTS and (following.startswith("@") or "uv run" in so_far.wrappers):
        return replace(so_far, program=name, argument_index=at + 1)
    return None


def _wrapper(words: Sequence[Word], start: int, wrapper: Wrapper, so_far: Peeled) -> Peeled | None:
    """Peel one wrapper whose own words begin at `start`."""
    options = _options(words, start, wrapper)
    at = options.end + wrapper.operands
    if wrapper.interspersed:
        more = _options(words, at, wrapper)
        options, at = _Options((*options.found, *more.found), more.end), more.end
    env = dict(so_far.env)
    if wrapper.assignments:
        while at < len(words) and (pair := assignment(words[at])) is not None:
            env[pair[0]] = pair[1]
            at += 1
    if wrapper.starters_only:
        at = next((i for i in range(start, len(words)) if _starts_something(words[i])), len(words))
    own = tuple(word for word in words[start:at] if word.text != "--")
    so_far = replace(
        so_far,
        wrappers=(*so_far.wrappers, wrapper.name),
        wrapper_argv=(*so_far.wrapper_argv, own),
        env=env,
    )
    so_far = _carried(options, wrapper, so_far)
    names = {option for option, _ in options.found}
    values = {option: value for option, value in options.found if value is not None}
    if wrapper.name == "sbatch":
        return _sbatch(words, at, values, so_far)
    if wrapper.name == "env" and (text := values.get("-S") or values.get("--split-string")) is not None:
        return replace(so_far, nested=_followed_by(text, words[at:]), argument_index=len(words))
    if wrapper.name.startswith("docker") and (entry := values.get("--entrypoint")) is not None:
        return _peel([*words[: at - 1], entry, *words[at:]], at - 1, so_far) if at <= len(words) else None
    if wrapper.inner == "text":
        if at >= len(words):
            return None
        if len(words) - at == 1 and _command(words[at]) in _SHELLS:
            return _peel(words, at, so_far)
        return replace(so_far, nested=join_words(words[at:]), argument_index=len(words))
    if names & wrapper.modules:
        return _module(words, at, so_far)
    if names & wrapper.commands or wrapper.inner == "command":
        if wrapper.name in ("ray job submit", "kubectl exec") and len(words) - at == 1 and _has_blank(words[at]):
            return replace(so_far, nested=words[at], argument_index=len(words))
        return _peel(words, at, so_far)
    return _script(words, at, so_far)


def _carried(options: _Options, wrapper: Wrapper, so_far: Peeled) -> Peeled:
    """The environment and working directory that the wrapper's options hand to the program."""
    env, cwd, runtime_env, limits = dict(so_far.env), so_far.cwd, so_far.runtime_env, so_far.limits
    for option, value in options.found:
        if value is None:
            continue
        if option in wrapper.cwd:
            cwd = value
        if option in wrapper.env:
            pieces = split_commas(value) if option in ("--export", "--env") else (value,)
            for pair in map(assignment, pieces):
                if pair is not None:
                    env[pair[0]] = pair[1]
        if option in wrapper.limits and (pair := limit(option, value)) is not None:
            limits = {**limits, pair[0]: pair[1]}
        if option == "--runtime-env-json":
            env.update(runtime_variables(value))
        elif option == "--runtime-env":
            runtime_env = value
    return replace(so_far, env=env, cwd=cwd, runtime_env=runtime_env, limits=limits)


def _options(words: Sequence[Word], start: int, wrapper: Wrapper) -> _Options:
    """Read the options of `wrapper` from index `start`; unknown ones are judged by what follows them."""
    found: list[tuple[str, Word | None]] = []
    at = start
    while at < len(words):
        word = words[at]
        head = word.prefix
        if word.text == "--":
            return _Options(tuple(found), at + 1)
        if not head.startswith(("-", "+")):
            if _is_open(word) and _names_program_later(words, at + 1, wrapper):
                at += 1
                continue
            break
        if len(head) < 2 and word.known:
            break
        names, value, taken = _option(words, at, wrapper)
        found.extend((name, None) for name in names[:-1])
        found.append((names[-1], value))
        at += taken
    return _Options(tuple(found), at)


def _option(words: Sequence[Word], at: int, wrapper: Wrapper) -> tuple[list[str], Word | None, int]:
    """One option word: its names (several for a cluster of short flags), the value of the last, words taken."""
    word, head = words[at], words[at].prefix
    following = words[at + 1] if at + 1 < len(words) else None
    equals = head.find("=")
    if head.startswith("--") or wrapper.single_dash:
        written = head[:equals] if equals > 0 else head
        name = written.replace("_", "-") if head.startswith("--") else written
        if equals > 0:
            return [name], word.split_at(equals + 1)[1], 1
        if not word.known or name in wrapper.flags:
            return [name], None, 1
        if name in wrapper.pairs:
            return [name], following, 2 if following is not None and "=" in following.prefix else 3
        if name in wrapper.valued and not _value_is_missing(following, wrapper):
            return [name], following, 2
        if name not in wrapper.valued and _looks_like_value(words, at + 1, wrapper):
            return [name], following, 2
        return [name], None, 1
    names = []
    for index, letter in enumerate(head[1:], 1):
        name = head[0] + letter
        names.append(name)
        rest = word.split_at(index + 1)[1]
        attached = rest.text != ""
        if name in wrapper.valued:
            return (names, rest, 1) if attached else (names, following, 2)
        if name not in wrapper.flags:
            if attached:
                return names, rest, 1
            return (names, following, 2) if _looks_like_value(words, at + 1, wrapper) else (names, None, 1)
    return names or [head], None, 1


def _value_is_missing(following: Word | None, wrapper: Wrapper) -> bool:
    """Whether an option's value is not there: argparse, behind the starters of Python, takes no option for one."""
    if wrapper.inner != "python" or following is None:
        return False
    return following.prefix.startswith("--") or (_command(following) or "").endswith(".py")


def _looks_like_value(words: Sequence[Word], at: int, wrapper: Wrapper) -> bool:
    """Whether the word after an option nobody knows is its value: not an option, not a start, and one follows."""
    if at >= len(words) or words[at].prefix.startswith("-") or _starts_something(words[at]):
        return False
    return _names_program_later(words, at + 1, wrapper)


def _names_program_later(words: Sequence[Word], start: int, wrapper: Wrapper) -> bool:
    """Whether, past options that `wrapper` knows and words nobody knows, something that starts a program stands."""
    at = start
    while at < len(words):
        word, head = words[at], words[at].prefix
        if word.text == "--" or _starts_something(word):
            return True
        if word.text in ("-m", "--module") and (wrapper.inner == "python" or wrapper.modules):
            return True
        if head.startswith("-"):
            name = head.partition("=")[0]
            name = name.replace("_", "-") if name.startswith("--") else name
            if name in wrapper.valued:
                at += 1 if "=" in head else 2
            elif name in wrapper.flags or (not name.startswith("--") and name[:2] in wrapper.valued | wrapper.flags):
                at += 1
            else:
                return False
        elif _is_open(word):
            at += 1
        else:
            return False
    return False


def _python(words: Sequence[Word], start: int, so_far: Peeled) -> Peeled | None:
    """`python` with its own options from `start`."""
    at = start
    while at < len(words):
        word, head = words[at], words[at].prefix
        if not head.startswith("-"):
            if _is_open(word) and _names_program_later(words, at + 1, PYTHON):
                at += 1
                continue
            return _script(words, at, so_far)
        if head.startswith("--"):
            at += 2 if head in PYTHON.valued else 1
            continue
        taken = 1
        for index, letter in enumerate(head[1:], 1):
            if letter in "cVh?":
                return None
            if letter == "m":
                rest = word.split_at(index + 1)[1]
                return (
                    _module([*words[:at], rest, *words[at + 1 :]], at, so_far)
                    if rest.text
                    else _module(words, at + 1, so_far)
                )
            if letter in "XW":
                taken = 2 if word.text is not None and index == len(head) - 1 else 1
                break
        if head == "-" and word.known:
            return None
        at += taken
    return None


def _script(words: Sequence[Word], at: int, so_far: Peeled) -> Peeled | None:
    """The first operand of a Python starter: a script, or the file of a tool (`$(which trl) grpo`)."""
    if at >= len(words):
        return None
    name = _command(words[at])
    if name == "mason.py":
        return _submitted(words, at, so_far)
    if name in TOOLS or (name is not None and name in WRAPPERS and not name.endswith(".py")):
        return _peel(words, at, so_far)
    if words[at].text in ("", "-"):
        return None
    return replace(so_far, program=_shown(words[at]), argument_index=at + 1)


def _submitted(words: Sequence[Word], at: int, so_far: Peeled) -> Peeled:
    """A Python program that hands everything behind `--` to a shell elsewhere."""
    dashes = next((index for index in range(at + 1, len(words)) if words[index].text == "--"), None)
    nested = join_words(words[dashes + 1 :]) if dashes is not None and dashes + 1 < len(words) else None
    return replace(so_far, program=_shown(words[at]), argument_index=at + 1, nested=nested)


def _module(words: Sequence[Word], at: int, so_far: Peeled) -> Peeled | None:
    """A module to run, at index `at`: a launcher itself, or the program."""
    if at >= len(words):
        return None
    name = words[at].text
    if name is None:
        return replace(so_far, program=words[at].pattern, argument_index=at + 1)
    if name in MODULE_WRAPPERS:
        inner = _after_subcommands(words, at + 1, MODULE_WRAPPERS[name])
        return None if inner is None else _wrapper(words, inner, MODULE_WRAPPERS[name], so_far)
    if name in NOT_PROGRAMS or not name:
        return None
    return replace(so_far, program=name, argument_index=at + 1)


def _shell(words: Sequence[Word], start: int, so_far: Peeled) -> Peeled | None:
    """`bash` with its own options from `start`: `-c TEXT`, a script file, or a script on standard input."""
    at, text, stdin = start, False, False
    while at < len(words):
        word, head = words[at], words[at].prefix
        if word.text == "--":
            at += 1
            break
        if not head.startswith(("-", "+")):
            if _is_open(word) and any(later.prefix in ("-c", "-lc", "-lic") for later in words[at + 1 : at + 3]):
                at += 1
                continue
            break
        if not head.startswith("--"):
            text = text or (head[0] == "-" and "c" in head)
            stdin = stdin or (head[0] == "-" and "s" in head)
            at += 1 + (head[-1] in "oO" and len(head) > 1)
        else:
            at += 2 if head in SHELL.valued else 1
    if text:
        if at >= len(words):
            return None
        return replace(so_far, nested=words[at], argument_index=min(at + 2, len(words)))
    if at >= len(words) or stdin:
        return replace(so_far, stdin=True, argument_index=at)
    return replace(so_far, script=words[at], argument_index=at + 1)


def _sbatch(words: Sequence[Word], at: int, values: dict[str, Word], so_far: Peeled) -> Peeled:
    """`sbatch`: a wrapped command, a job script, or one on standard input."""
    if "--wrap" in values:
        return replace(so_far, nested=values["--wrap"], argument_index=len(words))
    if at >= len(words):
        return replace(so_far, stdin=True, argument_index=at)
    return replace(so_far, script=words[at], argument_index=at + 1)


def _tool(words: Sequence[Word], at: int, name: str, so_far: Peeled) -> Peeled | None:
    """A program of two words: `vllm serve`."""
    if at + 1 >= len(words) or words[at + 1].text not in TOOLS[name]:
        return None
    return replace(so_far, program=f"{name} {words[at + 1].text}", argument_index=at + 2)


def _typed(words: Sequence[Word], at: int, name: str, so_far: Peeled) -> Peeled | None:
    """Commands that take a command line as text: `tmux send-keys`, `tmux new -d`, `screen -dm`, `su -c`."""
    rest = list(words[at + 1 :])
    if name == "su":
        flag = next((i for i, word in enumerate(rest) if word.text in ("-c", "--command")), None)
        if flag is None or flag + 1 >= len(rest):
            return None
        return replace(so_far, wrappers=(*so_far.wrappers, name), nested=rest[flag + 1], argument_index=len(words),
                       wrapper_argv=(*so_far.wrapper_argv, tuple(rest[:flag])))  # fmt: skip
    verbs = ("new", "new-session", "new-window", "neww", "split-window", "splitw", "respawn-pane", "send-keys", "send")
    if name == "tmux":
        if not rest or rest[0].text not in verbs:
            return None
        typed = rest[0].text in ("send-keys", "send")
        spec = Wrapper(name, frozenset(["-s", "-n", "-t", "-c", "-e", "-x", "-y", "-F", "-N"]), frozenset(["-d", "-l"]))
        end = _options(rest, 1, spec).end
        if typed and rest[-1].text in ("C-m", "Enter", "ENTER", "^M"):
            rest.pop()
    else:
        typed = False
        spec = Wrapper(name, frozenset(["-S", "-t", "-c", "-h"]), frozenset(["-d", "-m", "-L", "-U", "-A"]))
        end = _options(rest, 0, spec).end
    if end >= len(rest):
        return None
    so_far = replace(so_far, wrappers=(*so_far.wrappers, name), wrapper_argv=(*so_far.wrapper_argv, tuple(rest[:end])))
    if name == "screen":
        return _peel(words, at + 1 + end, so_far)
    return replace(so_far, nested=join_words(rest[end:]), argument_index=len(words))


def _unknown_command(words: Sequence[Word], at: int, so_far: Peeled) -> Peeled | None:
    """A command whose name is not known: an interpreter if Python options or a script follow, else a prefix."""
    word = words[at]
    if word.known or at + 1 >= len(words):
        return None
    following = words[at + 1]
    if following.text in ("-m", "-u", "-O") or (_command(following) or "").endswith(".py"):
        return _python(words, at + 1, so_far)
    prefix = Wrapper(word.pattern)
    options = _options(words, at + 1, prefix)
    if options.end >= len(words) or not _starts_something(words[options.end]):
        return None
    so_far = replace(
        so_far,
        wrappers=(*so_far.wrappers, word.pattern),
        wrapper_argv=(*so_far.wrapper_argv, tuple(words[at + 1 : options.end])),
    )
    return _peel(words, options.end, so_far)


def _after_subcommands(words: Sequence[Word], start: int, wrapper: Wrapper) -> int | None:
    """Index of the wrapper's own words behind its subcommands, None if this is another use of the command.

    Global options may stand before the subcommand (`uv --project x run`, `docker compose -f f exec`).
    """
    at = start
    for subcommand in wrapper.subcommands:
        while at < len(words) and words[at].prefix.startswith("-") and words[at].text != "--":
            at += _option(words, at, wrapper)[2]
        if at < len(words) and words[at].text in ("compose", "container"):
            at += 1
            while at < len(words) and words[at].prefix.startswith("-"):
                at += _option(words, at, wrapper)[2]
        if at >= len(words) or words[at].text != subcommand:
            return None
        at += 1
    return at


def _command(word: Word) -> str | None:
    """Base name of a command word as far as it is certain: needs a known end behind the last slash."""
    text = word.text
    if text is None:
        tail = word.parts[-1].text
        if tail is None:
            only = word.parts[0] if len(word.parts) == 1 else None
            names = {option.rpartition("/")[2] for option in only.alternatives} if only is not None else set()
            if only is not None and only.unknown == "command:which" and len(names) == 1:
                return names.pop()
            return "python" if names and all(map(_is_python, names)) else None
        if "/" not in tail:
            return tail if tail.endswith((".py", ".sh")) else None
        text = tail
    return text.rpartition("/")[2]


def _is_python(name: str) -> bool:
    """Whether a base name is a Python interpreter: python, python3.12, pypy3."""
    stem = name.rstrip("0123456789.")
    return stem in ("python", "pypy", "ipython") or name in ("python3t", "python.exe")


def _starts_something(word: Word) -> bool:
    """Whether a word, standing as a command or script, starts or wraps a program."""
    name = _command(word)
    if not name or word.prefix.startswith("-"):
        return False
    return (
        name.endswith((".py", ".sh"))
        or _is_python(name)
        or name in WRAPPERS
        or name in _SHELLS
        or name in TOOLS
        or name in _ENTRY_POINTS
    )


def _is_open(word: Word) -> bool:
    """Whether a word starts with something unknown and has no end that names a program: it may be anything."""
    return not word.known and word.prefix == "" and not _starts_something(word)


def _has_blank(word: Word) -> bool:
    return any(blank in (part.text or "") for part in word.parts for blank in " \n\t")


def _shown(word: Word) -> str:
    """A script as written; without the folder where only the end of the path is known."""
    if word.text is not None:
        return word.text
    tail = word.parts[-1].text
    if tail is not None and "/" in tail and not tail.endswith("/"):
        return tail.lstrip("/") if tail.startswith("/") else tail.partition("/")[2]
    return word.pattern


def _followed_by(text: Word, words: Sequence[Word]) -> Word:
    return join_words([text, *words]) if words else text
