"""Private configuration folders: packages, orders, keywords and interpolations of defaults lists, against Hydra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hydra_oracle import data, difference, initialised, our_data, same, theirs
from omegaconf import OmegaConf

from grpolint.documents.source import Source
from grpolint.frameworks.hydra.compose import compose, compose_base, split_groups
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath
from grpolint.frameworks.hydra.overrides import OverrideError, parse_override
from grpolint.frameworks.hydra.sources import FolderSource
from grpolint.values import Known, Unknown
from grpolint.values import plain as plain_value
from grpolint.world import World

BASE = {
    "main.yaml": "defaults:\n  - db: mysql\n  - _self_\ndb:\n  port: 1\nname: x\n",
    "main_last.yaml": "defaults:\n  - _self_\n  - db: mysql\ndb:\n  port: 1\n",
    "main_no_self.yaml": "defaults:\n  - db: mysql\ndb:\n  port: 1\n",
    "renamed.yaml": "defaults:\n  - db@source: mysql\n  - db@target.inner: postgres\n  - _self_\n",
    "global.yaml": "defaults:\n  - db@_global_: mysql\n  - _self_\nport: 5\n",
    "here.yaml": "defaults:\n  - db@_here_: mysql\n",
    "header.yaml": "defaults:\n  - exp: tuned\n  - _self_\n",
    "optional.yaml": "defaults:\n  - optional db: nowhere\n  - _self_\na: 1\n",
    "missing.yaml": "defaults:\n  - db: nowhere\n",
    "must.yaml": "defaults:\n  - db: ???\n",
    "null.yaml": "defaults:\n  - db: null\n  - _self_\na: 1\n",
    "many.yaml": "defaults:\n  - db: [mysql, postgres]\n  - _self_\n",
    "child.yaml": "defaults:\n  - main\n  - override db: postgres\n  - _self_\nname: y\n",
    "early.yaml": "defaults:\n  - override db: postgres\n  - main\n",
    "deep.yaml": "defaults:\n  - server: apache\n  - _self_\n",
    "deep_override.yaml": "defaults:\n  - deep\n  - override server/db: postgres\n  - override /server/log@server.log: loud\n",
    "interpolated.yaml": "defaults:\n  - kind: fast\n  - db: ${kind}_sql\n  - _self_\n",
    "twice.yaml": "defaults:\n  - db: mysql\n  - db: postgres\n",
    "self_twice.yaml": "defaults:\n  - _self_\n  - db: mysql\n  - _self_\n",
    "unused.yaml": "defaults:\n  - main\n  - override nothing: x\n",
    "path.yaml": "defaults:\n  - db/mysql\n  - /exp/tuned\n",
    "path_at.yaml": "defaults:\n  - db/mysql@store\n  - _self_\n",
    "strings.yaml": "a: yes\nb: 1e-6\nc: 010\nd: 2020-01-01\ne: '1'\nf: 1_000\ng: .5\nh: ~\ni: 0x10\nj: 1:30\nk: off\n",
    "relative.yaml": "a:\n  b: 3\n  c: ${.b}\n  d:\n    e: ${..b}\n    f: ${a.c}\n  g: [1, '${a.b}']\n  h: x${.b}y\nz: ${a}\n",
    "list.yaml": "items: [1, 2, {a: 1}]\nother: null\ntext: s\n",
    "wrong.yaml": "defaults: mysql\n",
    "wrong_item.yaml": "defaults:\n  - {a: b, c: d}\n",
    "group.yaml": "defaults:\n  - nest@outer: inner\n  - _self_\n",
    "db/mysql.yaml": "driver: mysql\nport: 3306\nopts: {a: 1, b: 2}\n",
    "db/postgres.yaml": "driver: postgres\nopts: {b: 3, c: 4}\n",
    "db/fast_sql.yaml": "driver: fast\n",
    "db/slow_sql.yaml": "driver: slow\n",
    "kind/fast.yaml": "# @package _global_\nkind: fast\n",
    "kind/slow.yaml": "# @package _global_\nkind: slow\n",
    "exp/tuned.yaml": "# @package _global_\ndefaults:\n  - /db: mysql\n  - override /server/log@server.log: loud\n",
    "exp/plain.yaml": "# @package special.place\nlr: 1\n",
    "server/apache.yaml": "defaults:\n  - db: mysql\n  - log: quiet\n  - _self_\nname: apache\n",
    "server/db/mysql.yaml": "driver: inner_mysql\n",
    "server/db/postgres.yaml": "driver: inner_postgres\n",
    "server/log/quiet.yaml": "level: 0\n",
    "server/log/loud.yaml": "level: 9\n",
    "nest/inner.yaml": "defaults:\n  - ../db@store: mysql\n  - sub@_global_.top: leaf\n  - _self_\nstore:\n  port: 9\n",
    "nest/sub/leaf.yaml": "value: 1\n",
    "merge.yaml": "defaults:\n  - merge_base\n  - _self_\na: {x: 5}\nb: [9]\nc: ???\nd: null\ne: {y: 1}\nf: 3\n",
    "merge_base.yaml": "a: {x: 1, y: 2}\nb: [1, 2]\nc: 7\nd: {p: 1}\ne: ${a}\nf: {g: 1}\n",
    "clash.yaml": "defaults:\n  - merge_base\n  - _self_\na: [1]\n",
    "env.yaml": "a: ${oc.env:GRPOLINT_NOT_SET,5}\nb: ${oc.decode:${oc.env:GRPOLINT_NOT_SET,5}}\nc: ${oc.select:no.such,[1, two]}\n"
    "d: ${oc.select:a}\ne: ${oc.select:.a,9}\nf: ${oc.select:nope, null}\ng: \"${oc.select:nope,'q, r'}\"\n",
}  # fmt: skip
NAMES = [name.removesuffix(".yaml") for name in BASE if "/" not in name]

CASES: list[tuple[str, list[str]]] = [
    *((name, []) for name in NAMES),
    ("main", ["db=postgres"]),
    ("main", ["db=nowhere"]),
    ("main", ["~db"]),
    ("main", ["~db=mysql"]),
    ("main", ["~db=postgres"]),
    ("main", ["+db@second=postgres"]),
    ("main", ["db@second=postgres"]),
    ("main", ["+exp=plain"]),
    ("main", ["+exp=[plain]"]),
    ("main", ["db={driver: x}"]),
    ("main", ["++db=postgres"]),
    ("main", ["db.port=3", "db.opts.a=5", "+db.opts.z=1", "~db.opts.b"]),
    ("main", ["db.opts={a: 9}"]),
    ("main", ["db.opts={q: 9}"]),
    ("main", ["+db.opts={q: 9}"]),
    ("main", ["+db.opts={a: 9}"]),
    ("main", ["db.opts=3"]),
    ("main", ["db.opts=[1]"]),
    ("main", ["name=null", "+name=again"]),
    ("main", ["name=???", "+name=again"]),
    ("main", ["+name=again"]),
    ("main", ["~name"]),
    ("main", ["~name=x"]),
    ("main", ["~name=y"]),
    ("main", ["~name="]),
    ("main", ["name=1,2"]),
    ("main", ["name.deeper=1"]),
    ("main", ["+name.deeper=1"]),
    ("main", ["++name.deeper=1"]),
    ("main", ["+a.b.c.d=1"]),
    ("main", ["a.b=1"]),
    ("main", ["name=${db.port}"]),
    ("main", ["+x=${db}", "+x.new=1"]),
    ("main", ["+=1"]),
    ("renamed", ["db@source=postgres"]),
    ("renamed", ["db=postgres"]),
    ("renamed", ["~db@target.inner"]),
    ("global", ["db@_global_=postgres"]),
    ("interpolated", ["kind=slow"]),
    ("interpolated", ["kind=nowhere"]),
    ("interpolated", ["db=mysql"]),
    ("deep", ["server/db=postgres"]),
    ("deep", ["server/log=loud"]),
    ("deep", ["~server/log"]),
    ("must", ["db=mysql"]),
    ("null", ["db=mysql"]),
    ("optional", ["db=mysql"]),
    ("many", ["db=[postgres,mysql]"]),
    ("many", ["db=mysql"]),
    ("header", ["exp=plain"]),
    ("header", ["exp=plain", "+server=apache"]),
    ("child", ["db=mysql"]),
    ("list", ["items.0=5"]),
    ("list", ["items.7=5"]),
    ("list", ["items=[3]"]),
    ("list", ["items={a: 1}"]),
    ("list", ["items.2.a=4"]),
    ("list", ["items.x=4"]),
    ("list", ["+items=[1]"]),
    ("list", ["+other.new=1"]),
    ("list", ["other={a: 1}"]),
    ("list", ["text=[a,b]"]),
    ("relative", ["a.b=4"]),
    ("relative", ["~a.b", "+a.c=null"]),
    ("relative", ["~a.b", "~a.c"]),
    ("relative", ["~a.b", "++a.c=null"]),
    ("relative", ["a.b=???", "+a.c=1"]),
    ("relative", ["+z.new=1"]),
    ("relative", ["a.c.x=1"]),
]


def world_of(folder: Path) -> World:
    """The world of a script in that folder."""
    return World(Source(str(folder / "run.sh"), ""))


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all files."""
    return write(tmp_path_factory.mktemp("private"), BASE)


def ours(folder: Path, primary: str, overrides: list[str]) -> Any:
    """Our composition, None if we refuse it."""
    search = SearchPath([FolderSource(world_of(folder), folder)])
    try:
        groups, keys = split_groups(search, [parse_override(text) for text in overrides])
        made = compose(compose_base(search, primary, groups), keys)
    except (ComposeError, OverrideError):
        return None
    return None if made.refused or made.sweeps else made


@pytest.mark.parametrize(("primary", "overrides"), CASES)
def test_composes_as_hydra_does(folder: Path, primary: str, overrides: list[str]) -> None:
    made = ours(folder, primary, overrides)
    with initialised(folder):
        expected = theirs(primary, overrides)
    mine = our_data(made)
    assert same(mine, data(expected)), (mine, data(expected), difference(mine, data(expected))[:5])
    if made is not None:
        try:
            wanted = OmegaConf.to_container(expected, resolve=True)
        except Exception:  # noqa: BLE001 - OmegaConf raises errors of many kinds
            assert isinstance(made.resolver.value_of(made.tree, ()), Unknown)
        else:
            assert same(plain_value(made.resolver.value_of(made.tree, ())), wanted)


def test_both_kinds_of_cases_are_there(folder: Path) -> None:
    refused = [ours(folder, primary, overrides) is None for primary, overrides in CASES]
    assert 25 < sum(refused) < len(refused) - 25


def test_leaves_know_their_file_and_line(folder: Path) -> None:
    made = ours(folder, "main", ["db=postgres", "name=z"])
    value = made.value("db.driver")
    assert isinstance(value, Known)
    assert [origin.what for origin in value.origins] == ["config file", "defaults"]
    span = value.origins[0].span
    assert span is not None
    assert (Path(span.source.path).name, span.line, span.text) == ("postgres.yaml", 1, "driver: postgres")
    assert made.value("name").origins[0].what == "override"


def test_an_unknown_environment_variable_is_named() -> None:
    from grpolint.frameworks.hydra.interpolation import Resolver
    from grpolint.frameworks.hydra.tree import Leaf

    tree = {"a": Leaf("${oc.env:WORLD}/x"), "b": Leaf("${a}"), "c": {"d": Leaf("${mul:${e},2}")}, "e": Leaf(4)}
    bare = Resolver(tree)
    assert bare.value(("b",)) == Unknown("env:WORLD", ())
    given = Resolver(tree, lambda name: Known(name.lower()), {"mul": lambda left, right: left * right})
    assert plain_value(given.value(("b",))) == "world/x"
    assert plain_value(given.value(("c", "d"))) == 8


def test_cycles_and_depth_end(folder: Path) -> None:
    from grpolint.frameworks.hydra.interpolation import Resolver
    from grpolint.frameworks.hydra.tree import Leaf

    tree = {"a": Leaf("${b}"), "b": Leaf("${a}"), "c": Leaf("x${c}"), "d": Leaf("${d.e}")}
    for key in tree:
        assert isinstance(Resolver(tree).value((key,)), Unknown), key
    files = {"loop.yaml": "defaults:\n  - loop\n", "broken.yaml": "a: [1\n", "text.yaml": "just text\n"}
    write(folder, files)
    for name in ("loop", "broken", "text"):
        assert ours(folder, name, []) is None, name
