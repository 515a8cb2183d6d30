"""TRL configured in Python: the config, the trainer, the model and the LoRA adapter of a script or notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grpolint.documents.nodes import Opaque, Scalar, Sequence
from grpolint.frameworks.asking import settings_for
from grpolint.frameworks.complaining import unknown_key
from grpolint.frameworks.pycalls import (
    argument,
    argument_value,
    bind,
    call_settings,
    calls,
    given_values,
    imports,
    merged,
    put_calls,
    put_environment,
)
from grpolint.frameworks.trees import node_value
from grpolint.frameworks.trl import CONFIGS
from grpolint.frameworks.trl.layers import Layers
from grpolint.frameworks.trl.unsloth import FAST
from grpolint.frameworks.trl.unsloth import settings as unsloth_settings
from grpolint.run import Run, Setting, Settings
from grpolint.values import Known, Origin, Unknown, Value
from grpolint.world import World

if TYPE_CHECKING:
    from grpolint.documents.nodes import Node
    from grpolint.documents.python import Call, PythonDocument

__all__ = ["kind_of_calls", "put_python"]

_TRAINERS = {name.replace("Config", "Trainer"): kind for name, kind in CONFIGS.items()}


def kind_of_calls(document: PythonDocument) -> str:
    """Kind of training: that of the trainer that is made, else of the first config."""
    for name, kind in (*_TRAINERS.items(), *CONFIGS.items()):
        if next(calls(document, name), None) is not None:
            return kind
    return "grpo"


def put_python(run: Run, world: World, document: PythonDocument, kind: str, layers: Layers | None = None) -> None:
    """Put everything that the file configures into the run."""
    layers = layers if layers is not None else Layers(run, world, kind)
    put_environment(document, run)
    given = given_values(document, run, world.supplied.env)
    if imports(document, "unsloth"):
        unsloth_settings(run, world)
    trainer = next(calls(document, *(name for name, each in _TRAINERS.items() if each == kind)), None)
    configs = [bind(call, given) for call in _configs(document, kind, trainer)]
    for setting in merged(configs, "trl"):
        layers.put(setting)
    for call in configs:
        if call.open_ended:
            layers.open(f"expression:**arguments of {call.written}")
        if call.name.split(".", 1)[0] == "trl" and not imports(document, "unsloth"):
            _unknown_arguments(run, layers, call)
    if trainer is not None:
        _trainer(bind(trainer, given), layers)
    _adapter(run, world, document, given)
    _model(run, world, _loads(document, trainer, given), layers)
    quantised = [bind(call, given) for call in calls(document, "BitsAndBytesConfig")]
    if quantised:
        put_calls(quantised, settings_for(run, world, "bitsandbytes"))


def _configs(document: PythonDocument, kind: str, trainer: Call | None) -> list[Call]:
    """The config that the trainer gets, else every config of its kind."""
    used = trainer.made_by.get("args") if trainer is not None else None
    if used is not None:
        return [used]
    return list(calls(document, *(name for name, each in CONFIGS.items() if each == kind)))


def _unknown_arguments(run: Run, layers: Layers, call: Call) -> None:
    """Complain of keywords that neither class has: Python refuses the call."""
    if not layers.complete:
        return
    for entry in call.arguments.entries:
        if layers.option(entry.key) is None:
            unknown_key(
                run,
                "trl",
                entry.key,
                span=entry.span,
                detail=f"{call.last} of trl {layers.trl.version.text} has no argument {entry.key} and raises TypeError",
                known=layers.names(),
                certain=not layers.trl.version.assumed and not layers.transformers.version.assumed,
            )


def _trainer(trainer: Call, layers: Layers) -> None:
    """What stands in the trainer's own arguments: the model by name, the rewards."""
    model = argument(trainer, "model", 0)
    if isinstance(model, Scalar) and isinstance(model.value, str):
        _put(layers, "model", model, trainer)
    rewards = argument(trainer, "reward_funcs", 1)
    if rewards is not None:
        span = rewards.span
        value = _rewards(rewards)
        layers.trl.put(Setting("trl", "reward_funcs", value, span, "argument"))


def _rewards(node: Node) -> Value:
    """Names of the rewards: texts are models, other expressions functions unless their name speaks of a model."""
    items = node.items if isinstance(node, Sequence) else (node,)
    origin = Origin("keyword", node.span, "reward_funcs")
    names: list[str] = []
    for item in items:
        if isinstance(item, Scalar) and isinstance(item.value, str):
            names.append(item.value if "/" in item.value else "model/" + item.value)
        elif isinstance(item, Opaque) and "model" not in item.span.text.lower() and item.span.text.isidentifier():
            names.append(item.span.text)
        else:
            return Unknown("expression:reward_funcs", (origin,))
    return Known(names, (origin,))


def _adapter(run: Run, world: World, document: PythonDocument, given: Mapping[str, Value]) -> None:
    """The LoRA configuration of PEFT, or the adapter that Unsloth makes."""
    made = list(calls(document, "LoraConfig")) or [
        call for call in calls(document, "get_peft_model") if argument(call, "r") is not None
    ]
    if made:
        put_calls([bind(call, given) for call in made], settings_for(run, world, "peft", "lora"))


def _model(run: Run, world: World, loads: list[Call], layers: Layers) -> None:
    """The model that is loaded: the trainer's, else the only one of the file that is loaded as a model.

    How it is loaded stands under `from_pretrained` of Transformers, or under Unsloth's own options.
    """
    if not loads:
        return
    value = _name_of(loads[0])
    if "model" not in layers.trl and value is not None and len({repr(_name_of(call)) for call in loads}) == 1:
        layers.trl.put(Setting("trl", "model", value, loads[0].span, "argument"))
    fast = [call for call in loads if any(name in call.written for name in FAST)]
    if fast:
        known = run.settings.get("unsloth")
        put_calls(fast, unsloth_settings(run, world) if known is None else known, ("model_name",))
    elif len(loads) == 1:
        for setting in call_settings(loads[0], "transformers"):
            key = f"from_pretrained.{setting.key}"
            Settings.put(layers.transformers, Setting("transformers", key, setting.value, setting.span, setting.form))


def _loads(document: PythonDocument, trainer: Call | None, given: Mapping[str, Value]) -> list[Call]:
    """The calls that may load the model: the one that made what the trainer gets, else all of the file."""
    made = trainer.made_by.get("model") if trainer is not None else None
    found = [made] if made is not None and made.last == "from_pretrained" else calls(document, "from_pretrained")
    return [bind(call, given) for call in found if call is not None and _is_model(call)]


def _is_model(call: Call) -> bool:
    owner = call.written.rpartition(".")[0].rpartition(".")[2]
    return "Tokenizer" not in owner and "Processor" not in owner and "Model" in owner


def _name_of(call: Call) -> Value | None:
    return argument_value(call, "model_name") or argument_value(call, "pretrained_model_name_or_path", 0)


def _put(layers: Layers, key: str, node: Node, call: Call) -> None:
    entry = call.arguments.entry(key)
    span = entry.span if entry is not None else node.span
    value = node_value(node, "pyyaml", Origin("keyword", span, key))
    layers.trl.put(Setting("trl", key, value, span, "python" if entry is not None else "argument"))
