"""TRL's configs are Transformers' TrainingArguments with more fields: two frameworks, one namespace.

An option belongs to the release that declares it; asked for under the other name it is found all the same, so a rule on
`transformers:max_grad_norm` works whichever class set it.
"""

from __future__ import annotations

from collections.abc import Iterable

from grpolint.catalog import Option, Table, table
from grpolint.frameworks.asking import truth
from grpolint.frameworks.flags import Syntax, convert, expand
from grpolint.frameworks.trl import CONFIGS
from grpolint.run import Run, Setting, Settings
from grpolint.values import Default, Known, Unknown, Value, plain
from grpolint.world import World

__all__ = ["Layers"]

_OWN_TABLES = ("model_config", "script_arguments", "dataset_mixture")
_CLASSES = {kind: name for name, kind in CONFIGS.items()}


class _Layer(Settings):
    """Settings of one of the two frameworks; what is set in the other one is set here too.

    Each option is among the `keys` of the framework that declares it, of TRL where both do.
    """

    other: Settings | None = None

    def put(self, setting: Setting) -> None:
        """Record a setting; one that stands under the other framework is replaced there."""
        if self.other is not None and setting.key not in self and setting.key in self.other:
            Settings.put(self.other, setting)
        else:
            super().put(setting)

    def get(self, key: str) -> Setting | None:
        """The setting as some document makes it, under either framework."""
        found = super().get(key)
        if found is None and self.other is not None:
            return Settings.get(self.other, key)
        return found

    def value(self, key: str) -> Value | None:
        """The effective value: set under either framework, else the default of the release that declares it."""
        setting = self.get(key)
        return setting.value if setting is not None else super().value(key)


class Layers:
    """The settings of TRL and Transformers in one run, and where each option goes.

    `kind` is the trainer (`grpo`). With `launcher` the options of `accelerate launch` are recognised too, as TRL's own
    commands pass them on.
    """

    def __init__(self, run: Run, world: World, kind: str, *, launcher: bool = False) -> None:
        self.run = run
        self.kind = kind
        self.world = world
        trl, transformers = world.version("trl"), world.version("transformers")
        self._own = _tables("trl", (_CLASSES.get(kind, kind), *_OWN_TABLES), trl.text)
        self._training = _tables("transformers", ("TrainingArguments",), transformers.text)
        self._fsdp = _tables("transformers", ("fsdp_config",), transformers.text)
        version = world.version("accelerate").text if launcher else ""
        self._launcher = _tables("accelerate", ("launch",), version) if launcher else ()
        self.trl = _Layer("trl", trl, self._trl_default, tables=self._own)
        self.transformers = _Layer(
            "transformers", transformers, self._transformers_default, tables=self._training, names=self._inherited
        )
        self.trl.other, self.transformers.other = self.transformers, self.trl
        run.settings["trl"], run.settings["transformers"] = self.trl, self.transformers

    @property
    def complete(self) -> bool:
        """Whether the catalog has both layers, so that an option neither knows does not exist."""
        return bool(self._own) and bool(self._training)

    def syntax(self) -> Syntax:
        """How HfArgumentParser and TrlParser read a command line."""
        aliases = {"config": "config", "accelerate_config": "accelerate_config"}
        tables = (*self._own, *self._training)
        return Syntax("trl", tables, self._launcher, aliases, bool_values=True, abbreviations=True)

    def option(self, key: str) -> Option | None:
        """What the release that declares an option says of it."""
        return next((found for each in (*self._own, *self._training) if (found := each.option(key)) is not None), None)

    def put(self, setting: Setting) -> None:
        """Put a setting where its option belongs; a mapping becomes one setting a leaf."""
        option = self.option(setting.key.split(".", 1)[0])
        owner = option.framework if option is not None else "trl"
        if setting.framework == "accelerate":
            owner = "accelerate"
        target = self.run.settings.get(owner, self.trl)
        for each in expand(Setting(owner, setting.key, setting.value, setting.span, setting.form)):
            target.put(each)

    def typed(self, setting: Setting) -> Setting:
        """A setting from YAML as the parser types it: text is converted by the option's type, as from a flag.

        So `learning_rate: 1e-6`, which is text for PyYAML, becomes a number.
        """
        value = setting.value
        if not isinstance(value, Known) or not isinstance(value.value, str) or "." in setting.key:
            return setting
        option = self.option(setting.key)
        if option is None and self.complete:
            return setting
        changed = Known(convert(value.value, option), value.origins)
        return Setting(setting.framework, setting.key, changed, setting.span, setting.form)

    def open(self, reason: str | None) -> None:
        """Mark that options may be set that nobody sees."""
        for settings in (self.trl, self.transformers):
            settings.open_reason = settings.open_reason or reason

    def unknown_keys(self) -> Iterable[Setting]:
        """Settings of options that neither release has; nothing if the catalog cannot tell."""
        if not self.complete:
            return ()
        return (each for each in self.trl if self.option(each.key.split(".", 1)[0]) is None)

    def names(self) -> Iterable[str]:
        """Every option of both releases."""
        return (key for each in (*self._own, *self._training) for key in each.keys())  # noqa: SIM118

    def _inherited(self) -> Iterable[str]:
        return (key for each in self._training for key in each.keys() if _declared(self._own, key) is None)  # noqa: SIM118

    def _trl_default(self, key: str) -> Value | None:
        own = _declared(self._own, key)
        if own is not None:
            return self._brain_float(own) if key == "bf16" else own.default
        return _default(self._training, key)

    def _brain_float(self, option: Option) -> Value | None:
        """TRL turns `bf16` on where nobody says anything and `fp16` is off."""
        half = self.transformers.value("fp16")
        if isinstance(half, Unknown) or not isinstance(option.default, Default) or option.default.value is not None:
            return half if isinstance(half, Unknown) else option.default
        return Default(not truth(plain(half) or False), option.framework, option.version, option.source)

    def _transformers_default(self, key: str) -> Value | None:
        own = _declared(self._own, key)
        if own is not None:
            return self._trl_default(key)
        section, dot, name = key.partition(".")
        return _default(self._fsdp, name) if dot and section == "fsdp_config" else _default(self._training, key)


def _tables(framework: str, names: Iterable[str], version: str) -> tuple[Table, ...]:
    found = (table(framework, name, version) for name in names)
    return tuple(each for each in found if each is not None)


def _declared(tables: Iterable[Table], key: str) -> Option | None:
    return next((found for each in tables if (found := each.option(key)) is not None), None)


def _default(tables: Iterable[Table], key: str) -> Value | None:
    option = _declared(tables, key)
    return option.default if option is not None else None
