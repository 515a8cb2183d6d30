"""The project's settings: `grpolint.toml`, or the table `[tool.grpolint]` of `pyproject.toml`."""

from __future__ import annotations

import os
import sys
from typing import Any

from grpolint.records import Record, field

__all__ = ["LEVELS", "POLICIES", "FileSettings", "SettingsError", "find", "load", "nearest"]

KEYS = (
    "select",
    "ignore",
    "fail-on",
    "env",
    "set",
    "fact",
    "policy",
    "with",
    "gpu",
    "gpus-per-node",
    "nodes",
    "exclude",
    "per-file-ignores",
)
LEVELS = ("error", "warning", "info", "never")
POLICIES = ("evidence", "handbook")


class SettingsError(Exception):
    """A settings file that cannot be used. `str(error)` is one sentence that names the file."""


class FileSettings(Record):
    """What a settings file says; empty where it says nothing. `folder` is where it stands, patterns start there."""

    path: str = ""
    folder: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    set: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    policy: str | None = None
    versions: tuple[str, ...] = ()
    gpu: str | None = None
    gpus_per_node: int | None = None
    nodes: int | None = None
    exclude: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = field(default_factory=dict)


def nearest(folder: str) -> FileSettings:
    """The settings that hold for a folder: those of the nearest file in it or above it. Raises SettingsError."""
    found = find(folder)
    return load(found) if found is not None else FileSettings()


def find(folder: str) -> str | None:
    """Path of the nearest settings file in a folder or above it, None if there is none."""
    at = os.path.abspath(folder)
    while True:
        own = os.path.join(at, "grpolint.toml")
        if os.path.isfile(own):
            return own
        project = os.path.join(at, "pyproject.toml")
        if os.path.isfile(project) and b"[tool.grpolint" in _bytes(project):
            return project
        parent = os.path.dirname(at)
        if parent == at:
            return None
        at = parent


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from error


def load(path: str) -> FileSettings:
    """Read a settings file. Raises SettingsError for what is no TOML, an unknown key or a value of the wrong kind."""
    from importlib import import_module

    toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        data: Any = toml.loads(_bytes(path).decode("utf-8"))
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error
    if os.path.basename(path) == "pyproject.toml":
        data = data.get("tool", {}).get("grpolint", {})
    table = _Table(path, data)
    table.check_keys()
    return FileSettings(
        path=path,
        folder=os.path.dirname(path),
        select=table.texts("select"),
        ignore=table.texts("ignore"),
        fail_on=table.choice("fail-on", LEVELS),
        env={key: _scalar(path, f"env.{key}", value) for key, value in table.table("env").items()},
        set=tuple(f"{key}={_scalar(path, f'set.{key}', value)}" for key, value in table.table("set").items()),
        facts=tuple(f"{key}={_scalar(path, f'fact.{key}', value)}" for key, value in table.table("fact").items()),
        policy=table.choice("policy", POLICIES),
        versions=table.releases("with"),
        gpu=table.text("gpu"),
        gpus_per_node=table.count("gpus-per-node"),
        nodes=table.count("nodes"),
        exclude=table.texts("exclude"),
        per_file_ignores={
            key: _texts(path, f"per-file-ignores.{key}", value)
            for key, value in table.table("per-file-ignores").items()
        },
    )


class _Table(Record):
    """The table with its path for messages."""

    path: str
    data: Any

    def check_keys(self) -> None:
        if not isinstance(self.data, dict):
            raise SettingsError(f"{self.path}: tool.grpolint is not a table")
        for key in self.data:
            if key not in KEYS:
                from grpolint.suggest import suggestion

                raise SettingsError(f"{self.path}: unknown key {key!r}{suggestion(key.replace('_', '-'), KEYS)}")

    def text(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise SettingsError(f"{self.path}: {key} must be a text, not {value!r}")
        return value

    def choice(self, key: str, known: tuple[str, ...]) -> str | None:
        value = self.text(key)
        if value is not None and value not in known:
            raise SettingsError(f"{self.path}: {key} is {value!r}; it can be {', '.join(known)}")
        return value

    def count(self, key: str) -> int | None:
        value = self.data.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise SettingsError(f"{self.path}: {key} must be a whole number above 0, not {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        return _texts(self.path, key, self.data.get(key, []))

    def releases(self, key: str) -> tuple[str, ...]:
        """`{ verl = "0.9.1" }` or `["verl==0.9.1"]`, as texts of the second form."""
        if isinstance(self.data.get(key), list):
            return self.texts(key)
        return tuple(f"{name}=={_scalar(self.path, f'{key}.{name}', each)}" for name, each in self.table(key).items())

    def table(self, key: str) -> dict[str, Any]:
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise SettingsError(f"{self.path}: {key} must be a table, such as {_EXAMPLES[key]}")
        return value


_EXAMPLES = {
    "env": '{ NNODES = "2" }',
    "set": '{ "verl:actor_rollout_ref.rollout.n" = 8 }',
    "with": '{ verl = "0.9.1" }',
    "per-file-ignores": '{ "examples/**" = ["GR001"] }',
}


def _texts(path: str, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SettingsError(f"{path}: {key} must be a list of texts, not {value!r}")
    return tuple(value)


def _scalar(path: str, key: str, value: Any) -> str:
    """A TOML scalar as the text a command line would have."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise SettingsError(f"{path}: {key} must be a text, a number or a truth value, not {value!r}")
