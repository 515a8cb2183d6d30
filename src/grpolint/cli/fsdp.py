"""`grpolint fsdp`: which version of FSDP, for the launch file and the releases in use."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from grpolint.cli import topic
from grpolint.cli.main import NOTHING, OK, USAGE
from grpolint.cli.options import Parser, UsageError, add_policy, add_supply, supplied
from grpolint.cli.output import paint_for
from grpolint.documents.source import SourceError

if TYPE_CHECKING:
    from grpolint.cli.inputs import Input
    from grpolint.evidence import Stated
    from grpolint.run import Version
    from grpolint.topics.base import Topic
    from grpolint.topics.fsdp_guide import Guide
    from grpolint.world import Supplied

__all__ = ["main"]


def main(words: list[str]) -> int:
    """Run a mode of the topic; the result is the exit code."""
    more = {
        "guide": ("say which version to take, for a launch file or for what the command line tells", _guide),
        "compare": ("FSDP1 against FSDP2, aspect by aspect, with the sources", _compare),
        "validate": ("the same as check", _validate),
    }
    return topic.main("fsdp", words, more)


def _validate(which: Topic, words: list[str]) -> int:
    from grpolint.cli import check

    return check.main(words, check.View(which, "validate"))


def _stated(which: Topic, policy: str | None) -> list[Stated]:
    """The handbook's rules of the topic, where its policy is asked for."""
    if policy != "handbook":
        return []
    from grpolint.evidence import stated

    return [each for each in stated() if each.id in which.handbook]


def _guide(which: Topic, words: list[str]) -> int:
    parser = Parser(
        "grpolint fsdp guide",
        "Say which version of FSDP to take, with the reasons. What no file tells is asked for.",
        "grpolint fsdp guide [FILE]... [--config JSON|FILE] [--with FRAMEWORK==VERSION] [--fact NAME=VALUE]",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="launch files; none: what the options tell")
    parser.add_argument(
        "--config", metavar="JSON|FILE", action="append", default=[], help="a configuration as JSON text or in a file"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_policy(parser)
    add_supply(parser)
    found = parser.read(words)
    from grpolint.cli.inputs import configured, inputs
    from grpolint.settings_file import SettingsError, nearest

    guides: list[tuple[str, Guide]] = []
    errors = 0
    try:
        each: Input
        for each in (*map(configured, found.config), *inputs(found.files)):
            given = supplied(found, each.settings)
            try:
                guides += _of(each, given)
            except SourceError as error:
                errors += 1
                print(f"{parser.prog}: {error}", file=sys.stderr)
        if not (found.files or found.config):
            guides.append(("", _of_nothing(supplied(found, nearest(".")))))
    except (UsageError, SettingsError) as error:
        parser.error(str(error))
    _print(which, found, guides)
    if errors:
        return USAGE
    return OK if guides else NOTHING


def _of(each: Input, given: Supplied) -> list[tuple[str, Guide]]:
    """The guide for every run of a file; equal ones once."""
    from grpolint.cli.inputs import guarded, read_input
    from grpolint.reader import read
    from grpolint.topics.fsdp_guide import Situation, guide
    from grpolint.world import World

    source = read_input(each)
    reading = guarded(read, source, given, False)
    torch = World(source, given).version("torch")
    made = [(source.path, guide(Situation(run, given, torch))) for run in reading.runs]
    if not made and each.named:
        raise SourceError(f"{source.path}: no training launch recognised")
    return [item for at, item in enumerate(made) if item not in made[:at]]


def _of_nothing(given: Supplied) -> Guide:
    from grpolint.run import Version
    from grpolint.topics.fsdp_guide import Situation, guide

    torch: Version | None = None
    if "torch" in given.versions:
        torch = Version(given.versions["torch"], assumed=False, origin="--with")
    return guide(Situation(None, given, torch))


def _print(which: Topic, found: Any, guides: list[tuple[str, Guide]]) -> None:
    from grpolint.report.fsdp import guide_data, guide_text, handbook_data, handbook_text

    stated = _stated(which, found.policy)
    if found.format == "json":
        from grpolint.report.json import dump

        data: dict[str, Any] = {
            "schema": "grpolint.fsdp/1",
            "guides": [guide_data(name, each) for name, each in guides],
        }
        print(dump({**data, "handbook": handbook_data(stated)} if stated else data))
        return
    paint = paint_for(found.color)
    blocks = [handbook_text(stated, paint)] if stated else []
    blocks += [guide_text(name, each, paint) for name, each in guides]
    print("\n\n".join(blocks))


def _compare(which: Topic, words: list[str]) -> int:
    from grpolint.topics.fsdp_compare import ASPECTS
    from grpolint.topics.fsdp_guide import FRAMEWORKS

    parser = Parser(
        "grpolint fsdp compare",
        "FSDP1 against FSDP2, aspect by aspect, with the sources.",
        "grpolint fsdp compare [--framework NAME] [--policy handbook] [--format text|json]",
    )
    parser.add_argument("--framework", choices=FRAMEWORKS, help="leave out what concerns others only")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    add_policy(parser)
    found = parser.read(words)
    wanted = [
        each for each in ASPECTS if found.framework is None or not each.frameworks or found.framework in each.frameworks
    ]
    from grpolint.report.fsdp import comparison_data, comparison_text, handbook_data, handbook_text

    stated = _stated(which, found.policy)
    if found.format == "json":
        from grpolint.report.json import dump

        data: dict[str, Any] = {"schema": "grpolint.fsdp-compare/1", "aspects": comparison_data(wanted)}
        print(dump({**data, "handbook": handbook_data(stated)} if stated else data))
        return OK
    paint = paint_for(found.color)
    blocks = [handbook_text(stated, paint)] if stated else []
    print("\n\n".join([*blocks, comparison_text(wanted, paint)]))
    return OK
