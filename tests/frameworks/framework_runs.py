"""Launches from one line of shell, without the shell reader: words are split at blanks, `$X` is unknown."""

from __future__ import annotations

import re
from pathlib import Path

from grpolint.documents.source import Source
from grpolint.frameworks.registry import frameworks
from grpolint.launch import Launch, Part, Word
from grpolint.run import Hardware, Run
from grpolint.shell.launches import peel
from grpolint.world import Supplied, World

_TOKEN = re.compile(r"'[^']*'|[^\s']+(?:'[^']*')?")
_UNKNOWN = re.compile(r"\$(\w+)")


def words(text, path="run.sh"):
    """The words of a line; `$NAME` inside a word is an unknown part with the reason `env:NAME`."""
    source = Source(path, text)
    found = []
    for token in _TOKEN.finditer(text):
        raw = token.group().replace("'", "")
        parts, at = [], 0
        for hole in _UNKNOWN.finditer(raw):
            if hole.start() > at:
                parts.append(Part(raw[at : hole.start()]))
            parts.append(Part(None, "env:" + hole[1]))
            at = hole.end()
        if at < len(raw) or not parts:
            parts.append(Part(raw[at:]))
        found.append(Word(tuple(parts), source.span(*token.span())))
    return found


def launch(text, path="run.sh", env=None, directives=()):
    """The launch that a line starts."""
    line = words(text, path)
    peeled = peel(line)
    assert peeled is not None, text
    span = line[0].span.source.span(0, len(text))
    variables = {name: Word((Part(value),)) for name, value in (env or {}).items()}
    return Launch(
        peeled.program,
        tuple(line[peeled.argument_index :]),
        span,
        peeled.wrappers,
        peeled.wrapper_argv,
        variables,
        directives=directives,
    )


def leader(given, world):
    return next((each for each in frameworks() if each.recognise_launch(given, world)), None)


def run_of(text, folder=None, *, versions=None, hardware=None, env=None, directives=()):
    """The run that a line composes, None if nothing recognises it. `folder` holds the files it names."""
    path = str((folder or Path("/nonexistent")) / "run.sh")
    given = launch(text, path, env, directives)
    supplied = Supplied(versions=versions or {}, hardware=hardware or Hardware())
    world = World(given.span.source, supplied)
    framework = leader(given, world)
    if framework is None:
        return None
    run = Run(framework.name, given.span.source, given, given.span, env=dict(given.env), hardware=supplied.hardware)
    framework.compose(run, world)
    return run


def known(value):
    """The plain value of something known, or the reason of something unknown in brackets."""
    if value is None:
        return None
    return f"<{value.reason}>" if hasattr(value, "reason") else value.value


def fact(run, name):
    return known(run.fact(name))
