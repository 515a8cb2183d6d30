"""Runs: everything known of one training run. Frameworks fill them, rules read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from grpolint.documents.source import Source, Span
from grpolint.launch import Launch, Word
from grpolint.records import Record, field
from grpolint.regex import regex
from grpolint.values import Known, Unknown, Value

if TYPE_CHECKING:
    from grpolint.catalog import Option, Table

__all__ = ["Complaint", "FactFunction", "Hardware", "Run", "Setting", "Settings", "Version"]


class Setting(Record):
    """One option of one framework as a document sets it, under the framework's own name.

    `span` is the option as written where it is set (`actor_rollout_ref.rollout.n=1`), None if it stands in no
    document (`--set`). `form` tells the syntax it was written in: override, flag, yaml, json, python, env, set.
    `shadows` are earlier settings of the same key that this one replaced, oldest first.
    """

    framework: str
    key: str
    value: Value
    span: Span | None = None
    form: str = "override"
    shadows: tuple[Setting, ...] = ()


class Version(Record):
    """A release of a framework. `assumed` is true if nothing named it and the newest known one was taken; then `range` has
    the bounds that some file sets, empty where it names a commit, None where nothing is said at all.
    """

    text: str
    assumed: bool = True
    origin: str = "newest known"
    range: str | None = None


class Settings:
    """The settings of one framework in one run: what the documents set, over the release's defaults.

    `defaults` gives the value of an option that nobody set: Default, Unknown (`computed:...`), or None if the
    framework has no such option. `open_reason` is set when a base configuration could not be read: then an option that
    no document sets is unknown with that reason. `tables` are the catalog's tables that declare the options of this run
    (the first one that knows an option decides), or a function that gives them; `names` gives the names of all options that have a value, where the tables do not tell.
    """

    def __init__(
        self,
        framework: str,
        version: Version,
        defaults: Callable[[str], Value | None] | None = None,
        open_reason: str | None = None,
        *,
        tables: Iterable[Table] | Callable[[], Iterable[Table]] = (),
        names: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self.framework = framework
        self.version = version
        self.open_reason = open_reason
        self._tables = tables
        self._defaults = defaults
        self._names = names
        self._set: dict[str, Setting] = {}
        self._kept: dict[str, Value | None] | None = None

    def settle(self) -> None:
        """Say that composition is over: a default is from now on asked for once."""
        self._kept = {}

    @property
    def tables(self) -> tuple[Table, ...]:
        """The catalog's tables that declare the options of this run; loaded when somebody asks."""
        if not isinstance(self._tables, tuple):
            self._tables = tuple(self._tables() if callable(self._tables) else self._tables)
        return self._tables

    def option(self, key: str) -> Option | None:
        """What the release declares of an option, by its name or an alias; None if the catalog does not know it."""
        return next((found for table in self.tables if (found := table.option(key)) is not None), None)

    def keys(self) -> list[str]:
        """Every option of the run: those that documents set, then those of the release that they leave alone."""
        found = dict.fromkeys(self._set)
        if self._names is not None:
            found.update(dict.fromkeys(self._names()))
        else:
            for table in self.tables:
                found.update(dict.fromkeys(table.keys()))
        return list(found)

    def put(self, setting: Setting) -> None:
        """Record a setting; a later one of the same key shadows the earlier."""
        earlier = self._set.get(setting.key)
        if earlier is not None:
            shadows = (*earlier.shadows, earlier, *setting.shadows)
            setting = Setting(setting.framework, setting.key, setting.value, setting.span, setting.form, shadows)
        self._set[setting.key] = setting
        self._kept = None

    def drop(self, key: str) -> None:
        """Forget a setting (Hydra `~key`)."""
        self._set.pop(key, None)
        self._kept = None

    def get(self, key: str) -> Setting | None:
        """The setting as some document makes it, or None if only a default can decide."""
        return self._set.get(key)

    def value(self, key: str) -> Value | None:
        """The effective value: set, else default, else None where the framework has no such option."""
        setting = self._set.get(key)
        if setting is not None:
            return setting.value
        if self.open_reason is not None:
            return Unknown(self.open_reason)
        return self.default(key)

    def default(self, key: str) -> Value | None:
        """The release's default of an option, whatever the documents say."""
        if self._defaults is None:
            return None
        if self._kept is None:
            return self._defaults(key)
        if key not in self._kept:
            self._kept[key] = self._defaults(key)
        return self._kept[key]

    def under(self, prefix: str) -> Iterator[Setting]:
        """The settings some document makes below a dotted prefix (`prefix.` itself is added)."""
        start = prefix + "."
        return (setting for key, setting in self._set.items() if key.startswith(start))

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._set.values())

    def __len__(self) -> int:
        return len(self._set)

    def __contains__(self, key: str) -> bool:
        return key in self._set


class Hardware(Record):
    """What the user says of the machines (`--gpu`, `--gpus-per-node`, `--nodes`); None where nothing was said."""

    gpu: str | None = None
    gpus_per_node: int | None = None
    nodes: int | None = None


class Complaint(Record):
    """Something that a framework itself refuses or cannot do with its options, found while composing them.

    `kind` is unknown-key (an option that its configuration does not have), renamed-key (one that an earlier release had;
    `suggestion` is its only new name), append-exists (`+` for one that it has),
    sweep (several values without multirun), bad-override (no override at all), placeholder (a value that its reader is to
    fill in), bad-config, missing-config (a file that
    is not there) or missing-value (one that must be given). `detail` is one sentence, `suggestion` an option that could
    be meant. `certain` is false where the configuration may be another one: the release is assumed, the program a fork.
    """

    kind: str
    framework: str
    key: str
    span: Span | None = None
    detail: str = ""
    suggestion: str | None = None
    certain: bool = True


FactFunction = Callable[["Run"], "Value | None"]
"""Computes one fact from a run; None where the fact does not exist for it (no rollout engine, no LoRA)."""


class Run(Record, frozen=False):
    """Everything known of one training run.

    `trainer` names the framework that leads (`verl`, `trl`, `openrlhf`, `deepspeed` for a bare JSON ...). `settings` has
    one entry for each framework whose options the documents set or imply. `facts` maps fact names (grpolint.facts) to
    functions, the leading framework's first.
    """

    trainer: str
    source: Source
    launch: Launch | None = None
    span: Span | None = None
    launches: tuple[Launch, ...] = ()
    """All launches of the same script, in their order."""
    settings: dict[str, Settings] = field(default_factory=dict)
    providers: list[Mapping[str, FactFunction]] = field(default_factory=list)
    env: dict[str, Word] = field(default_factory=dict)
    hardware: Hardware = field(default_factory=Hardware)
    given: dict[tuple[str, str], str] = field(default_factory=dict)
    releases: dict[str, str] = field(default_factory=dict)
    """The releases that the user named, also of what has no settings here."""
    sources: list[Source] = field(default_factory=list)
    """Every document that was read for this run, the first one the file the user named."""
    complaints: list[Complaint] = field(default_factory=list)
    stranger: str = ""
    """The program or class that trains with the leading framework's options in place of the framework's own trainer, where
    its source says so; empty where that trainer runs, or nobody knows.
    """
    _facts: dict[str, Value | None] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The program that starts, or the trainer's name for a configuration file without a launch."""
        return self.launch.program if self.launch is not None else self.trainer

    def value(self, framework: str, key: str) -> Value | None:
        """Effective value of an option; None if the framework is not part of the run or has no such option."""
        settings = self.settings.get(framework)
        return settings.value(key) if settings is not None else None

    def setting(self, framework: str, key: str) -> Setting | None:
        """The setting as a document makes it; None if none does."""
        settings = self.settings.get(framework)
        return settings.get(key) if settings is not None else None

    def environment(self, name: str) -> Value | None:
        """Value of an environment variable that the script sets for the program; None if it sets none."""
        word = self.env.get(name)
        if word is None:
            return None
        text = word.text
        return Known(text, word.origins) if text is not None else Unknown(word.reason or "env:" + name, word.origins)

    def fact(self, name: str) -> Value | None:
        """A fact by its name in grpolint.facts; None where it does not exist for this run. Computed once.

        The first provider that has it decides; one that only knows that it is unknown leaves the word to the next.
        """
        if name not in self._facts:
            self._facts[name] = None  # a fact that asks for itself does not exist
            found = None
            for provider in self.providers:
                function = provider.get(name)
                value = _scheduled(function(self)) if function is not None else None
                if value is not None and (found is None or not isinstance(value, Unknown)):
                    found = value
                if found is not None and not isinstance(found, Unknown):
                    break
            self._facts[name] = found
        return self._facts[name]


_SCHEDULER = regex(
    r"(?:SLURM|PET|MLP|ARNOLD|PADDLE|KUBERNETES|OMPI|PMI|LSB|PBS|SENSECORE|VC|MA|JOB)_\w+|(?:WORLD|LOCAL_WORLD|NODE)_SIZE"
    r"|NODE_(?:NUM|COUNT)|NUM_NODES_ALLOC|RANK|NODE_RANK"
)
"""Variables that the cluster sets for a job."""


def _scheduled(value: Value | None) -> Value | None:
    """Unknown where a fact rests on the default for a variable that the cluster sets: the default is for a single
    machine, and the job will see something else.
    """
    if isinstance(value, Known):
        for origin in value.origins:
            if origin.what == "fallback" and _SCHEDULER.fullmatch(origin.detail):
                return Unknown(f"env:{origin.detail}", value.origins)
    return value
