"""What several commands have in common: the parser, the options that supply values, and their merge with the project's file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import NoReturn

from grpolint.run import Hardware
from grpolint.settings_file import POLICIES, FileSettings
from grpolint.values import Known, Origin
from grpolint.world import Supplied

__all__ = ["Parser", "UsageError", "add_policy", "add_supply", "releases", "supplied"]


_LONGEST = 100
"""Characters of the longest name of a release that is taken for one."""


class UsageError(Exception):
    """An option whose value makes no sense. `str(error)` is one sentence."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """The usual layout. The width is given because asking for it costs more imports than the whole parser."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=110)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the option that was probably meant."""

    def __init__(self, prog: str, description: str, usage: str, epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            description=description,
            usage=usage,
            epilog=epilog or None,
            allow_abbrev=False,
            formatter_class=_Formatter,
        )

    def read(self, words: list[str]) -> argparse.Namespace:
        """Parse; options and files may stand in any order. Exits with 2 after one clear line."""
        found, rest = self.parse_known_intermixed_args(words)
        if rest:
            self.error(f"unknown option {rest[0]!r}")
        return found

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        if message.startswith("unknown option "):
            from grpolint.suggest import suggestion

            word = message.partition("'")[2].rstrip("'").partition("=")[0]
            message += suggestion(word, (option for option in self._option_string_actions if option.startswith("--")))
        print(f"{self.prog}: {message.encode('ascii', 'backslashreplace').decode()}", file=sys.stderr)
        sys.exit(2)


def add_supply(parser: Parser) -> None:
    """Add the options that supply what no document tells."""
    group = parser.add_argument_group("what the files do not tell")
    group.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="value of a variable of the shell"
    )
    group.add_argument(
        "--set",
        metavar="FRAMEWORK:KEY=VALUE",
        action="append",
        default=[],
        help="value of an option, over what is written",
    )
    group.add_argument(
        "--fact",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a fact that several frameworks share, over what is written, such as group_size=8",
    )
    group.add_argument(
        "--with", metavar="FRAMEWORK==VERSION", action="append", default=[], dest="versions", help="release in use"
    )
    group.add_argument("--python", metavar="ENV", help="environment or site-packages folder whose releases are in use")
    group.add_argument("--gpu", metavar="NAME", help="accelerator, such as h100 or rtx4090")
    group.add_argument("--gpus-per-node", metavar="N", type=_count, help="accelerators of each machine")
    group.add_argument("--nodes", metavar="N", type=_count, help="machines")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def supplied(found: argparse.Namespace, file: FileSettings) -> Supplied:
    """What the command line supplies, over what the project's file does. Raises UsageError."""
    env = dict(file.env)
    for text in found.env:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"--env {text!r} is not of the form NAME=VALUE")
        env[name] = value
    settings = {}
    for text in (*file.set, *found.set):
        ref, equals, value = text.partition("=")
        framework, colon, key = ref.partition(":")
        if not (equals and colon and framework and key):
            raise UsageError(f"--set {text!r} is not of the form FRAMEWORK:KEY=VALUE, such as verl:trainer.nnodes=2")
        settings[(_framework(framework, "--set"), key)] = value
    versions = releases((*file.versions, *found.versions), "--with")
    gpu = found.gpu or file.gpu
    if gpu is not None:
        _known_gpu(gpu)
    hardware = Hardware(gpu, found.gpus_per_node or file.gpus_per_node, found.nodes or file.nodes)
    return Supplied(env, settings, versions, hardware, _environment(found.python), _facts((*file.facts, *found.fact)))


def add_policy(parser: Parser) -> None:
    """Add the option that chooses between the rules as evidence has them and those of the handbook."""
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        help="evidence: what is known to be true (default); handbook: its 36 rules exactly as it states them",
    )


def _facts(texts: Iterable[str]) -> dict[str, Known]:
    """Facts by name of texts such as `group_size=8`. Raises UsageError."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (equals and name and value):
            raise UsageError(f"--fact {text!r} is not of the form NAME=VALUE, such as group_size=8")
        from grpolint.facts import FACTS

        if name not in FACTS:
            from grpolint.suggest import suggestion

            raise UsageError(f"--fact: unknown fact {name!r}{suggestion(name, FACTS) or ''}")
        meant = _fact(name, value)
        if meant is NotImplemented:
            raise UsageError(f"--fact {name}={_short(value)}: {name} is {FACTS[name]}")
        found[name] = Known(meant, (Origin("--fact", None, name),))
    return found


def _fact(name: str, text: str) -> object:
    """The value of a fact in the type that the list of facts gives it; NotImplemented for a text that is none."""
    import math
    import re

    from grpolint.facts import FACTS
    from grpolint.reader import typed

    value = typed(text)
    types = re.findall(r", (int|float|bool|list of str|\(major, minor\))(?=$|[;: ])", FACTS[name])
    kind = types[-1] if types else "str"
    if value is None or kind == "str":
        return None if value is None else text
    if kind == "list of str":
        return text.split(",")
    if kind == "(major, minor)":
        pair = re.fullmatch(r"(\d{1,3})\.(\d{1,3})", text)
        return (int(pair[1]), int(pair[2])) if pair is not None else NotImplemented
    if kind == "bool" or isinstance(value, bool):
        return value if kind == "bool" and isinstance(value, bool) else NotImplemented
    if isinstance(value, int):
        return value if value.bit_length() <= 64 else NotImplemented
    if kind == "float" and isinstance(value, float) and math.isfinite(value):
        return value
    return NotImplemented


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def _known_gpu(name: str) -> None:
    """Raises UsageError for an accelerator of which nothing is known."""
    from grpolint.hardware import GPUS, find_gpu

    if find_gpu(name) is None:
        from grpolint.suggest import suggestion

        hint = suggestion(name.lower(), GPUS) or f"; known are {', '.join(gpu.name for gpu in GPUS.values())}"
        raise UsageError(f"--gpu: unknown accelerator {name!r}{hint}")


def releases(texts: Iterable[str], option: str) -> dict[str, str]:
    """Release by framework of texts such as `verl==0.9.1`; `option` is named in the UsageError that a wrong one raises."""
    found = {}
    for text in texts:
        framework, equals, version = text.partition("==")
        if not (equals and framework and version):
            raise UsageError(f"{option} {text!r} is not of the form FRAMEWORK==VERSION, such as verl==0.9.1")
        if len(version) > _LONGEST:
            raise UsageError(f"{option} {framework}=={_short(version)}: no release has a name of that length")
        found[_framework(framework, option)] = version
    return found


def _environment(path: str | None) -> str | None:
    """The path of `--python`, once it is known to be an environment. Raises UsageError."""
    if path is not None:
        from grpolint.detect import NoEnvironment, installed

        try:
            installed(path)
        except NoEnvironment as error:
            raise UsageError(f"--python {error}") from None
    return path


def _framework(name: str, option: str) -> str:
    """A framework's name as its folder or the catalog spells it. Raises UsageError for one that neither has."""
    from grpolint import catalog
    from grpolint.frameworks.registry import frameworks

    wanted = name.strip().lower()
    if any(each.name == wanted for each in frameworks()) or catalog.versions(wanted) or wanted == "torch":
        return wanted
    from grpolint.suggest import suggestion

    known = [each.name for each in frameworks()]
    hint = suggestion(wanted, known) or f"; known are {', '.join(known)}"
    raise UsageError(f"{option}: unknown framework {name!r}{hint}")
