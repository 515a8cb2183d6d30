"""Settings of DeepSpeed under dotted keys, whatever names the file: a launch, Hugging Face arguments, accelerate.

DeepSpeed itself reads Hjson (comments are legal); Transformers and accelerate read strict JSON. `auto` values are filled
from the arguments of Transformers where those are known; elsewhere they stay unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grpolint.catalog import table
from grpolint.documents.nodes import Document, Mapping
from grpolint.documents.source import Source, Span
from grpolint.frameworks.asking import find_file, missing_file
from grpolint.frameworks.complaining import not_strict, unknown_key
from grpolint.frameworks.flags import Syntax, read_flags
from grpolint.frameworks.processes import world_size
from grpolint.run import FactFunction, Run, Setting, Settings
from grpolint.values import Default, Known, Unknown, Value, combine
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.python import Call, PythonDocument
    from grpolint.launch import Launch, Word

__all__ = [
    "arguments_call",
    "compose",
    "config_word",
    "deepspeed_settings",
    "fill_auto",
    "initialize_call",
    "load",
    "put_arguments",
    "put_mapping",
]

FROM_ARGUMENTS = {
    "train_micro_batch_size_per_gpu": "per_device_train_batch_size",
    "gradient_accumulation_steps": "gradient_accumulation_steps",
    "gradient_clipping": "max_grad_norm",
    "optimizer.params.lr": "learning_rate",
    "optimizer.params.eps": "adam_epsilon",
    "optimizer.params.weight_decay": "weight_decay",
    "scheduler.params.warmup_max_lr": "learning_rate",
    "fp16.enabled": "fp16",
    "bf16.enabled": "bf16",
}
"""Which argument of Transformers replaces an `auto`."""

_SYNTAX = Syntax("deepspeed", switches=frozenset({"deepspeed_mpi", "deepscale"}))


def deepspeed_settings(run: Run, world: World) -> Settings:
    """The run's settings of DeepSpeed. Its computed defaults are worked out where what they depend on is known."""
    known = run.settings.get("deepspeed")
    if known is not None:
        return known
    version = world.version("deepspeed")
    options = table("deepspeed", "config", version.text)

    def default(key: str) -> Value | None:
        option = options.option(key) if options is not None else None
        value = option.default if option is not None else None
        if option is None or not isinstance(value, Unknown) or value.reason != "computed:stage == 3":
            return value
        stage = settings.value("zero_optimization.stage")
        if stage is None or isinstance(stage, Unknown):
            return stage
        return Default(stage.value == 3, option.framework, option.version, option.source)

    run.settings["deepspeed"] = settings = Settings(
        "deepspeed", version, default, tables=(options,) if options is not None else ()
    )
    return settings


def config_word(launch: Launch) -> Word | None:
    """The word of a launch that names its DeepSpeed file: `--deepspeed_config FILE` or `--deepspeed FILE`."""
    found: Word | None = None
    words = launch.argv
    for at, word in enumerate(words):
        name, equals, _ = word.prefix.partition("=")
        if name in ("--deepspeed_config", "--deepspeed-config", "--deepspeed", "--deepspeed_config_file"):
            if equals:
                found = word.split_at(len(name) + 1)[1]
            elif at + 1 < len(words) and not words[at + 1].prefix.startswith("-"):
                found = words[at + 1]
    return found


def initialize_call(document: PythonDocument) -> Call | None:
    """The call of `deepspeed.initialize` that hands over a configuration; None if there is none."""
    from grpolint.frameworks.pycalls import argument, calls

    for call in calls(document, "deepspeed.initialize"):
        if argument(call, "config") is not None or argument(call, "config_params") is not None:
            return call
    return None


def arguments_call(document: PythonDocument) -> Call | None:
    """The arguments of Transformers' Trainer that name a DeepSpeed configuration; None if there are none."""
    from grpolint.frameworks.pycalls import argument, calls, imports

    if not imports(document, "transformers"):
        return None
    made = calls(document, "TrainingArguments", "Seq2SeqTrainingArguments")
    return next((call for call in made if argument(call, "deepspeed") is not None), None)


def compose(run: Run, world: World, document: Document | PythonDocument | None) -> None:
    """Fill the run with a DeepSpeed file on its own, a call of `deepspeed.initialize`, or a launch that names a file."""
    from grpolint.frameworks import processes
    from grpolint.frameworks.deepspeed.facts import FACTS

    settings = deepspeed_settings(run, world)
    if isinstance(document, Document):
        if isinstance(document.root, Mapping):
            put_mapping(document.root, run, settings, document.language, document.source)
    elif document is not None:
        _python(document, run, settings, world)
    elif run.launch is not None:
        word = config_word(run.launch)
        if word is not None:
            load(word.pattern, run, world)
        _arguments(run, world)
    fill_auto(run)
    run.providers.append(FACTS)
    run.providers.append(processes.FACTS)


def _python(document: PythonDocument, run: Run, settings: Settings, world: World) -> None:
    from grpolint.frameworks.pycalls import argument, argument_value

    call = initialize_call(document)
    arguments = arguments_call(document) if call is None else None
    if arguments is not None:
        from grpolint.frameworks.asking import settings_for
        from grpolint.frameworks.pycalls import bind, given_values, put_calls

        given = given_values(document, run, world.supplied.env)
        put_calls([bind(arguments, given)], settings_for(run, world, "transformers", "TrainingArguments"))
        put_arguments(run, world)
        return
    node = (argument(call, "config") or argument(call, "config_params")) if call is not None else None
    if isinstance(node, Mapping):
        put_mapping(node, run, settings, "python", document.source)
        return
    value = (argument_value(call, "config") or argument_value(call, "config_params")) if call is not None else None
    if isinstance(value, Known) and isinstance(value.value, str):
        load(value.value, run, world)
    else:
        settings.open_reason = value.reason if isinstance(value, Unknown) else "expression:config"


def _arguments(run: Run, world: World) -> None:
    """Transformers arguments on the command line of an unknown program: what `auto` means may stand there."""
    assert run.launch is not None
    reading = read_flags(run.launch.argv, _SYNTAX)
    wanted = {*FROM_ARGUMENTS.values(), "adam_beta1", "adam_beta2"}
    for flag in reading.flags:
        if flag.dest in wanted:
            settings = run.settings.setdefault("transformers", Settings("transformers", world.version("transformers")))
            settings.put(flag.setting("transformers"))


def load(path: str, run: Run, world: World, reader: str = "") -> None:
    """Read the DeepSpeed file of that name into the run; if it is not in the tree the settings become open.

    `reader` names the program that reads the file as strict JSON, an empty text stands for DeepSpeed itself.
    """
    from grpolint.documents import json

    settings = deepspeed_settings(run, world)
    source = find_file(world, path)
    if source is None:
        settings.open_reason = missing_file(path, "")
        return
    document = json.parse(source)
    if not isinstance(document.root, Mapping):
        settings.open_reason = missing_file(path, "")
        return
    put_mapping(document.root, run, settings, "json", source)
    if reader:
        not_strict(run, "deepspeed", document, reader)


def put_arguments(run: Run, world: World, named: str | None = None, processes: FactFunction = world_size) -> None:
    """Read what the argument `deepspeed` of Transformers names or holds, and fill `auto` from the other arguments.

    `named` is the file as a flag names it, with unknown folders. `processes` tells how many there are.
    """
    setting = run.setting("transformers", "deepspeed")
    path = setting.value.value if setting is not None and isinstance(setting.value, Known) else None
    if setting is not None and isinstance(setting.value, Unknown):
        path = named if named is not None and not setting.value.reason.startswith("branch:") else None
    if path not in (None, ""):
        load(str(path), run, world, reader="Transformers")
    elif setting is not None and isinstance(setting.value, Unknown):
        deepspeed_settings(run, world).open_reason = setting.value.reason
    else:
        _nested(run, world)
    fill_auto(run, processes)


def _nested(run: Run, world: World) -> None:
    """A mapping that stands in the argument itself."""
    for owner in ("transformers", "trl", "ms-swift", "llamafactory"):
        for each in list(run.settings[owner].under("deepspeed")) if owner in run.settings else ():
            key, value = each.key.removeprefix("deepspeed."), each.value
            if isinstance(value, Known) and value.value == "auto":
                value = Unknown("auto:" + key, value.origins)
            settings = deepspeed_settings(run, world)
            settings.put(Setting("deepspeed", key, value, each.span, each.form))
            parts = key.split(".")
            for at, part in enumerate(parts):
                if not _known_or_complain(run, settings, ".".join(parts[:at]), part, each.span):
                    break


def put_mapping(root: Mapping, run: Run, settings: Settings, form: str, source: Source) -> None:
    """Put a configuration under dotted keys. `auto` is Unknown until `fill_auto`."""
    from grpolint.frameworks.trees import tree_settings

    _unknown_keys(root, run, settings)
    for setting in tree_settings("deepspeed", root, form, "pyyaml", detail=source.path):
        value = setting.value
        if isinstance(value, Known) and value.value == "auto":
            value = Unknown("auto:" + setting.key, value.origins)
        settings.put(Setting("deepspeed", setting.key, value, setting.span, form))


def _unknown_keys(root: Mapping, run: Run, settings: Settings) -> None:
    """Complain of keys that DeepSpeed does not have, in a tree."""
    stack = [("", root)]
    while stack:
        section, tree = stack.pop()
        stack.extend(
            (f"{section}.{entry.key}" if section else entry.key, entry.value)
            for entry in tree.entries
            if _known_or_complain(run, settings, section, entry.key, entry.span) and isinstance(entry.value, Mapping)
        )


def _known_or_complain(run: Run, settings: Settings, section: str, key: str, span: Span | None) -> bool:
    """Whether what stands below a key of a section is to be looked at; complains of a key that DeepSpeed does not have.

    It ignores such a key at the top level and refuses it in most sections. What it hands on unread (optimizer parameters
    and the like) has no keys of its own.
    """
    version = settings.version
    options, sections = (table("deepspeed", name, version.text) for name in ("config", "section"))
    record = sections.option(section) if sections is not None else None
    if options is None or sections is None or record is None:
        return False
    refuses = record.record.get("extra") == "forbid"
    path = f"{section}.{key}" if section else key
    if path in options or path in sections or (section and not refuses):
        return True
    name = key if refuses else "the top-level key " + key
    unknown_key(
        run,
        "deepspeed",
        path,
        span=span,
        detail=f"deepspeed {version.text} {'refuses' if refuses else 'ignores'} {name}: it has no such option",
        known=(each for each in options.keys() if each.rpartition(".")[0] == section),  # noqa: SIM118
        certain=not version.assumed,
        tables=(options,),
    )
    return True


def fill_auto(run: Run, processes: FactFunction = world_size) -> None:
    """Replace each `auto` by what Transformers puts there, as far as its arguments and the number of processes are known."""
    settings = run.settings.get("deepspeed")
    if settings is None or "transformers" not in run.settings:
        return
    for setting in [each for each in settings if _is_auto(each)]:
        value = _argument(run, setting.key, processes)
        if value is None:
            continue
        origins = (*setting.value.origins, *value.origins)
        if isinstance(value, Unknown):
            value = Unknown(value.reason, origins, value.alternatives)
        else:
            value = Known(value.value, origins)
        settings.drop(setting.key)
        settings.put(Setting("deepspeed", setting.key, value, setting.span, setting.form))


def _is_auto(setting: Setting) -> bool:
    return isinstance(setting.value, Unknown) and setting.value.reason == "auto:" + setting.key


def _argument(run: Run, key: str, processes: FactFunction) -> Value | None:
    """The argument behind an `auto`; None where there is none or its value is not known to exist."""

    def ask(name: str, change: Callable[[Any], Any] = lambda value: value) -> Value | None:
        value = run.value("transformers", name)
        if isinstance(value, Default):
            value = Known(value.value, value.origins)
        return combine(change, value)

    if key == "train_batch_size":
        parts = [ask("per_device_train_batch_size"), ask("gradient_accumulation_steps"), processes(run)]
        return combine(lambda micro, steps, world: int(micro) * int(steps) * int(world), *parts)
    if key == "optimizer.params.betas":
        return combine(lambda one, two: [one, two], ask("adam_beta1"), ask("adam_beta2"))
    if key == "scheduler.params.warmup_min_lr":
        return Known(0, ())
    if key in ("fp16.enabled", "bf16.enabled"):
        return ask(FROM_ARGUMENTS[key], bool)
    return ask(FROM_ARGUMENTS[key]) if key in FROM_ARGUMENTS else None
