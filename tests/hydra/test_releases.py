"""Settings of released configurations are those that Hydra composes, with and without overrides."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hydra_oracle import (
    REFUSED,
    TRAINER,
    Generator,
    data,
    difference,
    initialised,
    materialise,
    our_data,
    ours,
    primaries,
    same,
    search_path,
    theirs,
)
from omegaconf import OmegaConf

from grpolint.catalog import versions
from grpolint.values import Unknown
from grpolint.values import plain as plain_value

VERSIONS = versions("verl")
CHOSEN = list(dict.fromkeys([VERSIONS[-1], *(v for v in ("0.7.0", "0.5.0", "0.4.1") if v in VERSIONS)]))
PRIMARIES = [(version, folder, name) for version in CHOSEN for folder, name in primaries(version)]


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that released trees are written to."""
    return tmp_path_factory.mktemp("releases")


def test_releases_are_there() -> None:
    assert len(PRIMARIES) >= 4


@pytest.mark.parametrize(("version", "folder", "name"), PRIMARIES)
def test_every_primary_configuration_composes_as_in_hydra(trees: Path, version: str, folder: str, name: str) -> None:
    root = materialise(version, trees)
    made = ours(search_path(version, folder), name, [])
    with initialised(root / folder):
        expected = theirs(name, [])
    mine = our_data(made)
    assert same(mine, data(expected)), difference(mine, data(expected))[:10]
    assert made is not None
    resolved = made.resolver.value_of(made.tree, ())
    assert not isinstance(resolved, Unknown), resolved.reason
    wanted = OmegaConf.to_container(expected, resolve=True)
    assert same(plain_value(resolved), wanted), difference(plain_value(resolved), wanted)[:10]


@pytest.mark.parametrize(
    ("version", "name", "count"),
    [
        (version, name, count)
        for version, name, count in (
            ("0.2", "ppo_trainer", 90),
            ("0.4.1", "ppo_trainer", 80),
            ("0.5.0", "ppo_megatron_trainer", 25),
            ("0.7.0", "ppo_trainer", 12),
            (VERSIONS[-1], "ppo_trainer", 10),
            (VERSIONS[-1], "ppo_megatron_trainer", 8),
        )
        if version in VERSIONS
    ],
)
def test_overrides_set_and_fail_as_in_hydra(trees: Path, version: str, name: str, count: int) -> None:
    root = materialise(version, trees)
    search = search_path(version)
    plain_made = ours(search, name, [])
    assert plain_made is not None
    generator = Generator(plain_made, seed=count + len(name))
    refused = 0
    with initialised(root / TRAINER):
        for _ in range(count):
            overrides = generator.overrides()
            expected = data(theirs(name, overrides))
            mine = our_data(ours(search, name, overrides))
            refused += expected is REFUSED
            assert same(mine, expected), (overrides, difference(mine, expected)[:5])
    assert 0 < refused < count, "the generator must make lists of both kinds"


def test_environment_is_not_read() -> None:
    """What the process has in its environment must not get into a configuration."""
    version = VERSIONS[-1]
    os.environ["GRPOLINT_TEST_VALUE"] = "7"
    try:
        made = ours(search_path(version), "ppo_trainer", ["trainer.nnodes=${oc.env:GRPOLINT_TEST_VALUE,1}"])
    finally:
        del os.environ["GRPOLINT_TEST_VALUE"]
    assert made is not None
    assert plain_value(made.value("trainer.nnodes")) == "1"
