"""Settings of a LLaMA-Factory run: a file with `key=value` arguments over it, or flags; accelerate and DeepSpeed below.

Its arguments and those of Transformers' trainer stand in one namespace. With `USE_MCA` Megatron's arguments join them, and
what is known of the parser is not all of it then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grpolint.documents.nodes import Document, Mapping
from grpolint.frameworks.accelerate.compose import compose_deepspeed, compose_launcher
from grpolint.frameworks.asking import find_file, missing_file, truth
from grpolint.frameworks.complaining import unknown_key
from grpolint.frameworks.deepspeed.compose import put_arguments
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.frameworks.hydra.dotlist import read_dotlist
from grpolint.frameworks.layers import Layers
from grpolint.frameworks.llamafactory import file_word, given_file
from grpolint.frameworks.llamafactory.processes import world_size
from grpolint.frameworks.llamafactory.requires import REQUIRED
from grpolint.frameworks.releases import assume_required, inferred
from grpolint.run import Run, Setting
from grpolint.values import plain
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import PythonDocument
    from grpolint.documents.source import Source
    from grpolint.launch import Launch, Word

__all__ = ["SEQ2SEQ", "compose", "on_megatron"]

SEQ2SEQ = (
    "predict_with_generate",
    "sortish_sampler",
    "generation_max_length",
    "generation_num_beams",
    "generation_config",
)
"""Arguments of Transformers' sequence-to-sequence trainer, which it extends."""

_MEGATRON = frozenset(
    (
        "tensor_model_parallel_size",
        "pipeline_model_parallel_size",
        "expert_model_parallel_size",
        "use_distributed_optimizer",
    )
)


def on_megatron(run: Run) -> bool:
    """Whether Megatron trains: `USE_MCA` says so, or sizes that only it has do."""
    named = run.environment("USE_MCA")
    given = run.settings["llamafactory"]
    return (named is not None and truth(plain(named) or False)) or any(key in given for key in _MEGATRON)


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run and add the facts."""
    from grpolint.frameworks.llamafactory.facts import facts_of

    root = document.root if isinstance(document, Document) else None
    if run.launch is not None:
        root = given_file(run.launch, world)
    typed = list(root.keys()) if isinstance(root, Mapping) else []
    if run.launch is not None:
        typed += [word.prefix[2:].partition("=")[0] for word in run.launch.argv if word.prefix.startswith("--")]
    version = inferred("llamafactory", "train", typed, world.version("llamafactory"))
    assume_required(world, "llamafactory", version, REQUIRED)
    layers = Layers(run, world, "llamafactory", ("train",), version=version)
    if run.launch is not None:
        _launched(run, world, layers, run.launch)
    elif isinstance(root, Mapping) and isinstance(document, Document):
        _put_file(root, document.source, layers)
    _complain(run, layers)
    put_arguments(run, world, processes=world_size)
    if "deepspeed" not in run.settings:
        compose_deepspeed(run, world)
    run.providers += facts_of(run)


def _launched(run: Run, world: World, layers: Layers, launch: Launch) -> None:
    word = file_word(launch)
    if word is None:
        tables = layers.tables
        reading = read_flags(launch.argv, Syntax("llamafactory", tables, bool_values=True, abbreviations=True))
        layers.open(reading.open_reason)
        for flag in reading.flags:
            layers.put(flag.setting("llamafactory"))
    else:
        _file_and_arguments(world, layers, launch, word)
    compose_launcher(run, world)


def _file_and_arguments(world: World, layers: Layers, launch: Launch, word: Word) -> None:
    """The file, and over it what stands behind it as `key=value`."""
    root, source = given_file(launch, world), find_file(world, word.pattern)
    if root is not None and source is not None:
        _put_file(root, source, layers)
    else:
        layers.open(missing_file(word.pattern, "config"))
    arguments, others = read_dotlist([each for each in launch.argv if each is not word])
    for each in arguments:
        layers.put(Setting("llamafactory", each.key, each.value, each.word.span, "override"))
    hidden = next((each for each in others if not each.known), None)
    if hidden is not None:
        layers.open(hidden.reason)


def _put_file(root: Mapping, source: Source, layers: Layers) -> None:
    from grpolint.frameworks.trees import tree_settings

    for setting in tree_settings("llamafactory", root, "yaml", "omegaconf", detail=source.path):
        layers.put(setting)


def _complain(run: Run, layers: Layers) -> None:
    """Arguments that no class has end the program, unless it is told to pass them over."""
    extra = run.environment("ALLOW_EXTRA_ARGS")
    if on_megatron(run) or (extra is not None and plain(extra) not in ("0", "false")):
        return
    version = layers.own.version
    strangers: dict[str, Setting] = {}
    for setting in layers.unknown_keys():
        strangers.setdefault(setting.key.split(".", 1)[0], setting)
    for head, setting in strangers.items():
        if head in SEQ2SEQ:
            continue
        unknown_key(
            run,
            "llamafactory",
            head,
            span=setting.span,
            detail=f"LLaMA-Factory {version.text} has no argument {head} and refuses to start with it",
            known=layers.names(),
            certain=not version.assumed and not layers.below.version.assumed,
            tables=layers.tables,
        )
