"""The command of a topic (`grpolint moe`, `muon`, `fsdp`, `zero`): its modes, of which most are the same for every topic."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from grpolint.cli.main import OK, USAGE
from grpolint.cli.modes import split_mode
from grpolint.cli.options import Parser, UsageError, add_supply, releases, supplied
from grpolint.topics import topic as topic_of

if TYPE_CHECKING:
    from grpolint.run import Run
    from grpolint.topics.base import Topic

__all__ = ["Mode", "main"]

Mode = tuple[str, Callable[["Topic", list[str]], int]]
"""What a mode does, in a few words, and its function: from the topic and the words after the mode to the exit code."""


def main(name: str, words: list[str], more: Mapping[str, Mode] | None = None) -> int:
    """Run a mode of the topic `name`, named by the first word or by `--mode`; `more` are modes that only it has."""
    topic = topic_of(name)
    modes = {**_COMMON, **(more or {})}
    mode, rest = split_mode(words)
    if mode in modes:
        return modes[mode][1](topic, rest)
    from grpolint.hardware import find_gpu

    if mode and find_gpu(mode) is not None:
        return _card(topic, mode, rest)
    return _overview(topic, modes, mode, words)


def _overview(topic: Topic, modes: Mapping[str, Mode], mode: str, words: list[str]) -> int:
    """The help, or one line on what is wrong."""
    shown = {**{name: what for name, (what, _) in modes.items()}, "rtx4090": _CARD}
    width = max(map(len, shown))
    parser = Parser(
        f"grpolint {topic.name}",
        f"{topic.title[:1].upper()}{topic.title[1:]}.",
        f"grpolint {topic.name} MODE ...",
        "modes (also --mode MODE; each has --help):\n"
        + "\n".join(f"  {name:<{width}}  {what}" for name, what in shown.items()),
    )
    if not mode:
        parser.read(words)  # ends --help and unknown options
        parser.error(f"say what to do: {', '.join(shown)}")
    from os.path import exists

    from grpolint.suggest import suggestion

    if exists(mode):
        parser.error(f"{mode!r} is no mode; did you mean 'grpolint {topic.name} check {mode}'?")
    parser.error(f"unknown mode {mode!r}{suggestion(mode, shown) or '; there are ' + ', '.join(shown)}")


def _check(topic: Topic, words: list[str]) -> int:
    from grpolint.cli.check import View, main

    return main(words, View(topic, "check"))


_CARD = "check the handbook's configuration, or a file, for that card; any other card works the same way"


def _card(topic: Topic, gpu: str, words: list[str]) -> int:
    from grpolint.cli.check import View, main

    return main(words, View(topic, gpu, gpu))


def _diagnose(topic: Topic, words: list[str]) -> int:
    from grpolint.cli.inputs import guarded, read_input
    from grpolint.cli.output import paint_for
    from grpolint.diagnose import LogError, diagnose, open_log
    from grpolint.documents.source import SourceError
    from grpolint.settings_file import SettingsError

    command = f"grpolint {topic.name} diagnose"
    parser = Parser(
        command,
        "Rank the causes of what a run shows, with the evidence for each.",
        f"{command} [--symptoms TEXT] [--run JSON|FILE] [LOGFILE|-]...",
    )
    parser.add_argument("logs", nargs="*", metavar="LOGFILE", help="logs of the run, or - for standard input")
    parser.add_argument("--symptoms", metavar="TEXT", help="names with commas between, or what you see in words")
    parser.add_argument(
        "--run", "--config", metavar="JSON|FILE", dest="config", help="its launch file or configuration"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_supply(parser)
    found = parser.read(words)
    if not (found.logs or found.symptoms):
        return _symptoms(topic, command)
    try:
        logs = [open_log(path) for path in found.logs]
        run: Run | None = None
        if found.config is not None:
            from grpolint.cli.inputs import configured
            from grpolint.reader import read

            each = configured(found.config)
            reading = guarded(read, read_input(each), supplied(found, each.settings), False)
            if not reading.runs:
                raise SourceError(f"{each.path}: no training launch recognised")
            run = reading.runs[0]
    except (UsageError, SettingsError, SourceError, LogError) as error:
        parser.error(str(error))
    from grpolint.report.diagnosis import text

    print(text(diagnose(found.symptoms, logs, topic.name, run), paint_for(found.color)))
    return OK


def _symptoms(topic: Topic, command: str) -> int:
    """The symptoms that have a cause within the topic: what `--symptoms` may name."""
    from grpolint.evidence import causes, symptoms

    mine = {cause.id for cause in causes() if topic.name in cause.topics}
    known = [symptom for symptom in symptoms() if mine & set(symptom.causes)]
    width = max((len(symptom.id) for symptom in known), default=0)
    print(f"{command} --symptoms NAME,... or in words, or with a log file. Names:")
    for symptom in known:
        print(f"  {symptom.id:<{width}}  {symptom.title}")
    return OK


def _avoid(topic: Topic, words: list[str]) -> int:
    from grpolint.topics.fragments import FRAMEWORKS, fragment

    command = f"grpolint {topic.name} avoid"
    parser = Parser(
        command,
        "Write a fragment that sets what the topic advises, in the syntax of a framework.",
        f"{command} [--framework NAME] [--with FRAMEWORK==VERSION] [--gpu NAME]",
    )
    names = ", ".join(FRAMEWORKS)
    parser.add_argument("--framework", metavar="NAME", help=f"{names}; default all of which there is something to say")
    parser.add_argument(
        "--with", metavar="FRAMEWORK==VERSION", action="append", default=[], dest="versions", help="release in use"
    )
    parser.add_argument("--gpu", metavar="NAME", help="accelerator, such as h100 or rtx4090")
    found = parser.read(words)
    if found.framework is not None and found.framework not in FRAMEWORKS:
        from grpolint.suggest import suggestion

        hint = suggestion(found.framework, FRAMEWORKS) or f"; there are {names}"
        parser.error(f"--framework: unknown framework {found.framework!r}{hint}")
    try:
        given = releases(found.versions, "--with")
    except UsageError as error:
        parser.error(str(error))
    wanted = [found.framework] if found.framework is not None else [*(set(given) & set(FRAMEWORKS))] or [*FRAMEWORKS]
    written = 0
    for name in FRAMEWORKS:
        made = fragment(topic, name, given, found.gpu) if name in wanted else None
        if made is None:
            continue
        if written:
            print()
        print(made.text)
        for line in made.beside:
            print(line, file=sys.stderr)
        written += 1
    if not written:
        print(f"{command}: of {', '.join(wanted)} there is nothing to say", file=sys.stderr)
        return USAGE
    return OK


_COMMON: dict[str, Mode] = {
    "check": ("say what will go wrong in launch files and configurations", _check),
    "diagnose": ("rank the causes of symptoms or of what a log shows", _diagnose),
    "avoid": ("write a fragment of configuration that avoids what is known", _avoid),
}
