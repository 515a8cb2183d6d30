"""Two frameworks in one namespace: the arguments of a trainer that extend those of the library below it.

TRL, ms-swift and LLaMA-Factory extend Transformers' TrainingArguments, Megatron-SWIFT extends Megatron's arguments. An option
belongs to the release that declares it; asked for under the other name it is found all the same, so a rule on
`transformers:max_grad_norm` works whichever class set it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grpolint.catalog import Option, Table, table
from grpolint.frameworks.flags import convert, expand
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Known, Value
from grpolint.world import World

__all__ = ["Layers"]


class _Layer(Settings):
    """Settings of one of the two frameworks; what is set in the other one is set here too.

    Each option is among the `keys` of the framework that declares it, of the upper one where both do.
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
    """The settings of a framework and of the one below it in one run, and where each option goes.

    `tables` are the framework's own tables, `lower` the framework below with its tables, `version` the release where it is not
    what the world says. A subclass says in `decided` what
    code of the framework decides where nobody says anything.
    """

    sections: Mapping[str, str] = {"fsdp_config": "fsdp_config"}
    """Options of the lower framework that hold a mapping, with the table of what may stand in it."""

    def __init__(
        self,
        run: Run,
        world: World,
        framework: str,
        tables: Iterable[str],
        *,
        lower: tuple[str, tuple[str, ...]] = ("transformers", ("TrainingArguments",)),
        version: Version | None = None,
    ) -> None:
        self.run = run
        self.world = world
        version, below = version or world.version(framework), world.version(lower[0])
        self._own = _tables(framework, tables, version.text)
        self._below = _tables(*lower, below.text)
        self._sections = {key: _tables(lower[0], (name,), below.text) for key, name in self.sections.items()}
        self.own = _Layer(framework, version, self._default, tables=self._own)
        self.below = _Layer(lower[0], below, self._default, tables=self._below, names=self._inherited)
        self.own.other, self.below.other = self.below, self.own
        run.settings[framework], run.settings[lower[0]] = self.own, self.below

    @property
    def complete(self) -> bool:
        """Whether the catalog has both layers, so that an option neither knows does not exist."""
        return bool(self._own) and bool(self._below)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of both, those of the upper one first."""
        return (*self._own, *self._below)

    def decided(self, key: str, option: Option | None) -> Value | None:
        """The value of an option that nobody sets where the framework's code decides it; None where its table does.

        `option` is what the framework's own tables declare of it.
        """
        return None

    def option(self, key: str) -> Option | None:
        """What the release that declares an option says of it."""
        return _declared(self.tables, key)

    def put(self, setting: Setting) -> None:
        """Put a setting where its option belongs; a mapping becomes one setting a leaf."""
        option = self.option(setting.key.split(".", 1)[0])
        owner = option.framework if option is not None else self.own.framework
        if setting.framework == "accelerate":
            owner = "accelerate"
        target = self.run.settings.get(owner, self.own)
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
        for settings in (self.own, self.below):
            settings.open_reason = settings.open_reason or reason

    def unknown_keys(self) -> Iterable[Setting]:
        """Settings of options that neither release has; nothing if the catalog cannot tell."""
        if not self.complete:
            return ()
        return (each for each in self.own if self.option(each.key.split(".", 1)[0]) is None)

    def names(self) -> Iterable[str]:
        """Every option of both releases."""
        return (key for each in self.tables for key in each.keys())  # noqa: SIM118

    def _inherited(self) -> Iterable[str]:
        return (key for each in self._below for key in each.keys() if _declared(self._own, key) is None)  # noqa: SIM118

    def _default(self, key: str) -> Value | None:
        own = _declared(self._own, key)
        value = self.decided(key, own)
        if value is not None:
            return value
        if own is not None:
            return own.default
        section, dot, name = key.partition(".")
        tables = self._sections.get(section, ()) if dot else self._below
        found = _declared(tables, name if dot else key)
        return found.default if found is not None else None


def _tables(framework: str, names: Iterable[str], version: str) -> tuple[Table, ...]:
    found = (table(framework, name, version) for name in names)
    return tuple(each for each in found if each is not None)


def _declared(tables: Iterable[Table], key: str) -> Option | None:
    return next((found for each in tables if (found := each.option(key)) is not None), None)
