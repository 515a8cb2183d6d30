"""Documents to runs: which language a file is written in, which framework leads, and what it composes."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from grpolint.digits import whole
from grpolint.documents.source import Problem, Source
from grpolint.frameworks.registry import frameworks
from grpolint.launch import Launch, Part, Slip, Word
from grpolint.records import Record
from grpolint.run import FactFunction, Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value
from grpolint.world import Supplied, World

if TYPE_CHECKING:
    from grpolint.documents.nodes import Document
    from grpolint.documents.python import PythonDocument
    from grpolint.frameworks.base import Framework

__all__ = ["LANGUAGES", "Reading", "language_of", "read", "read_launches", "typed"]

LANGUAGES = {
    ".sh": "shell",
    ".bash": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".zsh": "shell",
    ".ksh": "shell",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".jsonc": "json",
    ".json5": "json",
    ".hjson": "json",
    ".toml": "toml",
    ".py": "python",
    ".ipynb": "notebook",
}
"""Language of a document by its suffix."""


class Reading(Record):
    """What was read from one file: launches (shell), the runs composed from it, and what could not be read.

    `unrecognised` are launches of programs that no framework knows. `slips` that belong to no launch stand here too.
    """

    source: Source
    language: str
    launches: tuple[Launch, ...] = ()
    runs: tuple[Run, ...] = ()
    problems: tuple[Problem, ...] = ()
    unrecognised: tuple[Launch, ...] = ()
    slips: tuple[Slip, ...] = ()
    sources: tuple[Source, ...] = ()
    """Every document that was read, the file itself first."""


def language_of(source: Source) -> str:
    """Language of a document: by suffix, else by its `#!` line, else by how the text begins."""
    known = LANGUAGES.get(PurePath(source.path).suffix.lower())
    if known is not None:
        return known
    first = source.text[:200].lstrip("\ufeff \t\r\n")
    if first.startswith("#!"):
        return "python" if "python" in first.splitlines()[0] else "shell"
    return "json" if first.startswith("{") else "shell"


def read_launches(source: Source, supplied: Supplied | None = None) -> Reading:
    """Only what the shell reading finds in a script, before any framework looks at it."""
    from grpolint import shell

    world = World(source, supplied)
    found = shell.read(source, env=world.supplied.env, lookup=world.find)
    problems = (*found.problems, *world.problems)
    return Reading(source, "shell", found.launches, (), problems, found.launches, found.slips, tuple(world.read))


def read(source: Source, supplied: Supplied | None = None) -> Reading:
    """Read one file completely. Never raises on its content: what cannot be read becomes a problem."""
    language = language_of(source)
    if language == "shell":
        return _read_shell(source, supplied)
    world = World(source, supplied)
    document, problems = _parse(source, language)
    leader = next((each for each in frameworks() if _recognises(each, document)), None)
    if leader is None:
        return Reading(source, language, problems=problems)
    run = Run(leader.name, source, hardware=world.supplied.hardware, given=world.supplied.settings)
    _compose(leader, run, world, document)
    return Reading(source, language, (), (run,), (*problems, *world.problems), sources=tuple(world.read))


def _parse(source: Source, language: str) -> tuple[Document | PythonDocument, tuple[Problem, ...]]:
    document: Document | PythonDocument
    if language == "yaml":
        from grpolint.documents import yaml

        document = yaml.parse(source)
    elif language == "json":
        from grpolint.documents import json

        document = json.parse(source)
    elif language == "toml":
        from grpolint.documents import toml

        document = toml.parse(source)
    elif language == "python":
        from grpolint.documents import python

        document = python.parse(source)
    else:
        from grpolint.documents import notebook

        document = notebook.parse(source)
    return document, document.problems


def _recognises(framework: Framework, document: Document | PythonDocument) -> bool:
    from grpolint.documents.nodes import Document

    if isinstance(document, Document):
        return framework.recognise_document(document)
    return framework.recognise_python(document)


def _read_shell(source: Source, supplied: Supplied | None) -> Reading:
    from grpolint import shell

    world = World(source, supplied)
    found = shell.read(source, env=world.supplied.env, lookup=world.find)
    runs: list[Run] = []
    unrecognised: list[Launch] = []
    for launch in found.launches:
        world.virtual = _written_files(launch)
        world.start_in(launch.cwd.pattern if launch.cwd is not None else None)
        leader = next((each for each in frameworks() if each.recognise_launch(launch, world)), None)
        if leader is None:
            unrecognised.append(launch)
            continue
        run = Run(leader.name, source, launch, launch.span, env=_environment(launch, world.supplied))
        run.hardware, run.given = world.supplied.hardware, world.supplied.settings
        run.launches = found.launches
        _compose(leader, run, world, None)
        runs.append(run)
    problems = (*found.problems, *world.problems)
    return Reading(
        source, "shell", found.launches, tuple(runs), problems, tuple(unrecognised), found.slips, tuple(world.read)
    )


def _written_files(launch: Launch) -> dict[str, Source]:
    """Files the script writes before the launch, by path and by file name; the name serves paths that are partly
    unknown (`$OUT/ds.json`).
    """
    files: dict[str, Source] = {}
    for written in launch.files:
        if written.source is None:
            continue
        path = written.path.text
        files[PurePath(path if path is not None else written.path.pattern).name] = written.source
        if path is not None:
            files[path] = written.source
        files[written.path.pattern] = written.source
    return files


def _environment(launch: Launch, supplied: Supplied) -> dict[str, Word]:
    """The variables the program sees: what the user supplied, under what the script sets."""
    given = {name: Word((Part(value, None, (Origin("--env", None, name),)),)) for name, value in supplied.env.items()}
    return {**given, **launch.env}


def _compose(leader: Framework, run: Run, world: World, document: Document | PythonDocument | None) -> None:
    run.releases = world.supplied.versions
    leader.compose(run, world, document)
    for (name, key), text in run.given.items():
        if name not in run.settings:
            run.settings[name] = Settings(name, world.version(name))
        run.settings[name].put(Setting(name, key, Known(typed(text), (Origin("--set", None, key),)), None, "set"))
    for each in frameworks():
        each.extend(run, world)
    for settings in run.settings.values():
        settings.settle()
    from grpolint.models.facts import provider
    from grpolint.started import FACTS

    run.providers += [_MACHINES, FACTS, provider(world)]
    if world.supplied.facts:
        run.providers.insert(0, _declared(world.supplied.facts))
    if world.supplied.profile:
        run.providers.append(_declared(world.supplied.profile))
    run.sources = list(world.read)


def _declared(facts: dict[str, Known]) -> dict[str, FactFunction]:
    """A provider of facts that the user or a profile declares."""

    def always(value: Known) -> FactFunction:
        return lambda _run: value

    return {name: always(value) for name, value in facts.items()}


def typed(text: str) -> object:
    """The value of `--set key=value` or `--fact name=value`: true, null and numbers as such, everything else text."""
    word = text.lower()
    if word in ("true", "false"):
        return word == "true"
    if word in ("null", "none"):
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _nodes(run: Run) -> Value | None:
    """Machines: what the user said, else what the batch system is asked for."""
    if run.hardware.nodes is not None:
        return Known(run.hardware.nodes, (Origin("--nodes"),))
    return _directive(run, ("nodes", "N"))


def _gpus_per_node(run: Run) -> Value | None:
    if run.hardware.gpus_per_node is not None:
        return Known(run.hardware.gpus_per_node, (Origin("--gpus-per-node"),))
    return _directive(run, ("gpus-per-node", "gres"))


def _directive(run: Run, names: tuple[str, ...]) -> Value | None:
    """The number in a `#SBATCH` line, such as 8 in `--gres=gpu:h100:8`."""
    for name, text, span in run.launch.directives if run.launch is not None else ():
        if name in names:
            last = text.rsplit(":", 1)[-1]
            origin = Origin("#SBATCH", span, name)
            number = whole(last)
            return Known(number, (origin,)) if number is not None else Unknown(f"directive:{text}", (origin,))
    return None


_NO_LIMIT = 1 << 20
"""What Linux allows a process at most unless it is told otherwise (`fs.nr_open`)."""


def _open_files(run: Run) -> Value | None:
    """The limit of open files as the script sets it; None where it leaves the machine's."""
    word = run.launch.limits.get("nofile") if run.launch is not None else None
    if word is None:
        return None
    if word.text is None:
        return Unknown(word.reason or "command:ulimit", word.origins)
    if word.text in ("unlimited", "-1"):
        return Known(_NO_LIMIT, word.origins)
    number = whole(word.text)
    return Known(number, word.origins) if number is not None else None


def _gpu(run: Run) -> Value | None:
    """The accelerator: what the user said, else what the batch system is asked for (`--gres=gpu:h100:8`)."""
    if run.hardware.gpu is not None:
        return Known(run.hardware.gpu, (Origin("--gpu"),))
    for name, text, span in run.launch.directives if run.launch is not None else ():
        parts = text.split(":")
        if name == "gres" and len(parts) == 3 and parts[0] == "gpu":
            return Known(parts[1], (Origin("#SBATCH", span, name),))
        if name in ("gpus-per-node", "gpus") and len(parts) == 2:
            return Known(parts[0], (Origin("#SBATCH", span, name),))
    return None


def _of_gpu(quantity: str) -> FactFunction:
    def fact(run: Run) -> Value | None:
        from grpolint.hardware import find_gpu

        value = run.fact("gpu")
        gpu = find_gpu(str(value.value)) if isinstance(value, Known) else None
        found = getattr(gpu, quantity, None)
        return Known(found, value.origins) if isinstance(value, Known) and found is not None else None

    return fact


_MACHINES: dict[str, FactFunction] = {
    "nodes": _nodes,
    "gpus_per_node": _gpus_per_node,
    "gpu": _gpu,
    "gpu_capability": _of_gpu("capability"),
    "gpu_memory": _of_gpu("memory"),
    "open_files": _open_files,
}
