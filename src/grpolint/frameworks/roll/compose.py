"""A ROLL configuration into settings: the YAML that Hydra composes, over the dataclasses of the pipeline.

The programs take no overrides. What the dataclasses do not have they ignore.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from grpolint.catalog import Table, table
from grpolint.documents.nodes import Document
from grpolint.documents.source import Source
from grpolint.frameworks.flags import expand
from grpolint.frameworks.hydra.compose import Composition, compose, compose_base
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.sources import FolderSource
from grpolint.frameworks.hydra.tree import Leaf, Tree, leaves
from grpolint.launch import Word
from grpolint.run import Complaint, Run, Setting, Settings
from grpolint.values import Unknown, Value
from grpolint.world import World

__all__ = ["compose_document", "compose_launch"]

_KINDS = ("agentic", "rlvr", "dpo", "sft", "onpolicy_distill", "distill")
_ROLLOUT = {"rlvr": "rlvr", "agentic": "agentic", "onpolicy_distill": "rlvr"}


def compose_launch(run: Run, world: World) -> None:
    """Fill a run from its launch: `--config_path` is relative to the program's folder."""
    assert run.launch is not None
    path, name = (_flag(run.launch.argv, flag) for flag in ("--config_path", "--config_name"))
    source = None
    if name is not None and name.text is not None:
        file = name.text.removesuffix(".yaml") + ".yaml"
        if path is None or path.text is None:  # $(basename $(dirname $0)): the folder of the script
            source = world.file(world.folder / file) if path is not None else None
        else:
            source = world.find(str(PurePath(run.program).parent / path.text / file)) or world.find(
                f"{path.text}/{file}"
            )
    kind = next((each for each in _KINDS if each in PurePath(run.program).name), None)
    reason = f"file:{name.pattern if name is not None else 'config'}.yaml" if source is None else None
    _fill(run, world, source, kind, reason)


def compose_document(run: Run, world: World, document: Document) -> None:
    """Fill a run from a configuration on its own."""
    _fill(run, world, document.source, None, None)


def _flag(argv: tuple[Word, ...], name: str) -> Word | None:
    for at, word in enumerate(argv):
        if word.text == name:
            return argv[at + 1] if at + 1 < len(argv) else None
        if word.prefix.startswith(f"{name}="):
            return word.split_at(len(name) + 1)[1]
    return None


def _fill(run: Run, world: World, source: Source | None, kind: str | None, reason: str | None) -> None:
    """Settings, providers of facts and complaints."""
    from grpolint.frameworks.roll.facts import FACTS, ROLLOUT, kind_facts

    tree: Tree = {}
    if source is not None:
        path = Path(source.path).resolve()
        try:
            tree = compose_base(SearchPath([FolderSource(world, path.parent)]), path.name.removesuffix(".yaml"))
        except ComposeError as error:
            reason = f"file:{error.key}.yaml" if error.kind == "missing-config" else f"config:{error.key}"
            if error.kind != "missing-config":
                run.complaints.append(Complaint("bad-config", "roll", error.key, None, str(error)))
    made = compose(tree, (), environment=run.environment)
    kind = kind or _kind(tree)
    version = world.version("roll")
    options = table("roll", _ROLLOUT.get(kind, kind), version.text)
    settings = run.settings["roll"] = Settings(
        "roll",
        version,
        lambda key: _default(options, made, key),
        reason,
        tables=(options,) if options is not None else (),
    )
    for place, node in leaves(made.tree):
        if isinstance(node, Leaf) and place:
            value = made.resolver.value_of(node, place)
            for setting in expand(Setting("roll", ".".join(place), value, node.span, "yaml")):
                settings.put(setting)
    run.providers.append({**kind_facts(kind), **FACTS, **(ROLLOUT if kind in _ROLLOUT else {})})


def _kind(tree: Tree) -> str:
    """The pipeline, by the sections that only one has."""
    if "train_env_manager" in tree or "custom_envs" in tree:
        return "agentic"
    if "sft_train" in tree:
        return "sft"
    if "student_train" in tree or "student_infer" in tree:
        return "onpolicy_distill"
    if "student" in tree:
        return "distill"
    return "rlvr" if "actor_infer" in tree else "dpo"


def _default(options: Table | None, made: Composition, key: str) -> Value | None:
    """The default of the dataclasses; nothing below a role's part that is null where nobody gives it."""
    option = options.option(key) if options is not None else None
    if options is None or option is None:
        return None
    section = key.rpartition(".")[0]
    while section:
        above = options.option(section)
        absent = above is not None and "default" in above.record and above.record["default"] is None
        if absent and made.node(tuple(section.split("."))) is None:
            return None
        section = section.rpartition(".")[0]
    value = option.default
    return None if isinstance(value, Unknown) and value.reason == "computed:MISSING" else value
