"""The command `grpolint`: finds the subcommand and hands over. Imports nothing that the subcommand does not need."""

from __future__ import annotations

import sys

from grpolint import __version__

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "check": "say what will go wrong in launch files",
    "show": "show the effective settings of a launch file and where each comes from",
    "compare": "compare two launch files by what they mean",
    "upgrade": "say what another release of a framework changes for a launch file",
    "options": "look options of a framework up, release by release",
    "rules": "list the rules",
    "explain": "explain a rule, a rule of the handbook, or a bug",
    "evidence": "list what the rules and the handbook rest on",
    "diagnose": "rank the causes of symptoms or of what a log shows",
    "matrix": "frameworks and classes of faults, and the handbook's 36 rules on a configuration",
    "moe": "mixture of experts: router, replay of its choices, NaN",
    "muon": "Muon: clipping, sharding and offload",
    "fsdp": "FSDP1, FSDP2 and the engines beside them",
    "zero": "DeepSpeed ZeRO: stages, offload, clipping",
    "skill": "print the skill for agents, or install it",
    "lab": "repeat the numeric experiments behind the handbook",
}
"""Each command and what it does. The module `grpolint.cli.<command>` has `main(argv) -> exit code`."""

_MODULES = {"options": "options_lookup"}
"""Modules of another name than their command."""

OK, FINDINGS, USAGE, NOTHING, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141
"""Exit codes."""


def main(argv: list[str] | None = None) -> int:
    """Run a command; the result is the exit code (see OK and the others). `argv` is without the program's name."""
    words = sys.argv[1:] if argv is None else list(argv)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_streams()
    try:
        code = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough of it. Python's own flush at exit must not complain either.
        _give_up_output()
        return BROKEN_PIPE
    except OSError as error:  # a full disk, most of all
        print(f"grpolint: {error.filename or 'the output'}: {error.strerror or error}", file=sys.stderr)
        _give_up_output()
        return USAGE
    return code


def _open_streams() -> None:
    """Let nothing stand where the caller closed a stream: reads are empty, and what is written is lost."""
    import os

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the life of the process


def _give_up_output() -> None:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _run(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in ("--version", "-V", "version"):
        print(f"grpolint {__version__}")
        return OK
    if first in ("", "-h", "--help", "help"):
        if len(words) > 1 and words[1] in COMMANDS:
            return _command(words[1], ["--help"])
        print(_usage(), file=sys.stdout if first else sys.stderr)
        return OK if first else USAGE
    if first in COMMANDS:
        return _command(first, words[1:])
    print(f"grpolint: {_unknown(first)}", file=sys.stderr)
    return USAGE


def _command(name: str, words: list[str]) -> int:
    import gc
    from importlib import import_module

    # What a check makes lives until its file is done; looking for garbage in it every few hundred objects finds none.
    gc.set_threshold(50_000, 20, 100)
    try:
        code: int = import_module(f"grpolint.cli.{_MODULES.get(name, name)}").main(words)
    except SystemExit as stop:  # argparse ends --help and usage errors in this way
        return stop.code if isinstance(stop.code, int) else USAGE
    return code


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        "usage: grpolint COMMAND ...",
        "",
        "A linter and preflight for RL post-training launch files. It reads them; it never runs them.",
        "",
        *(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()),
        "",
        "  grpolint check run_grpo.sh      grpolint COMMAND --help      grpolint --version",
    ]
    return "\n".join(lines)


def _unknown(first: str) -> str:
    import os

    shown = first.encode("ascii", "backslashreplace").decode()
    if first.startswith("-") and first != "-":
        return f"unknown option {shown!r} before the command; commands are {', '.join(COMMANDS)}"
    if first == "-" or os.path.exists(first) or os.sep in first or "." in first:
        return f"{shown!r} is no command; did you mean 'grpolint check {shown}'?"
    from grpolint.suggest import suggestion

    return f"unknown command {shown!r}{suggestion(first, COMMANDS) or '; commands are ' + ', '.join(COMMANDS)}"


if __name__ == "__main__":
    sys.exit(main())
