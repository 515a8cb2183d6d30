"""The harvesters' own machinery: encoding, checks, reports, static reading. Their adapters are judged by the data."""

from __future__ import annotations

import json
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.catalog import loader
from harvest.astread import Unfoldable, class_records, find_class, fold, parser_records
from harvest.checks import losses, reviewed
from harvest.encode import decode, encode, read, write
from harvest.records import clean
from harvest.renames import check, load
from harvest.report import between_releases, between_states
from harvest.tree import Tree

DATA = loader._DATA


class Files:
    """A release in memory."""

    def __init__(self, files):
        self._files = {path: textwrap.dedent(text) for path, text in files.items()}

    def paths(self):
        return sorted(self._files)

    def read(self, path):
        return self._files[path]


def release(**files):
    return Tree(Files({name + ".py": text for name, text in files.items()}))


# --- encoding

keys = st.sampled_from(["a", "b", "a.c", "d-e", "records", "t", "versions", "options", '"q"'])
records = st.sampled_from(
    [{"default": 1}, {"default": None}, {"default": True}, {"default": 1.5, "type": "float"}, {"required": True}]
)
tables = st.dictionaries(
    st.sampled_from(["t", "u", "records", "a"]), st.dictionaries(keys, records, min_size=1), max_size=2
)
releases = st.dictionaries(
    st.sampled_from(["0.9", "0.10", "1.0rc1", "1.0", "1.0.post1", "2.0"]),
    st.fixed_dictionaries({"tables": tables, "files": st.dictionaries(keys, st.sampled_from(["x: 1\n", "y\n", ""]))}),
    min_size=1,
)


@given(releases)
def test_what_is_encoded_is_decoded(given_releases):
    data = json.loads(json.dumps(encode("small", given_releases)))
    assert decode(data) == given_releases
    assert list(data["versions"]) == list(decode(data))


@given(releases)
def test_adding_the_newest_release_gives_the_bytes_of_a_whole_harvest(given_releases):
    whole = encode("small", given_releases)
    newest = whole["versions"][-1]
    older = encode("small", {version: item for version, item in given_releases.items() if version != newest})
    assert json.dumps(encode("small", {**decode(older), newest: given_releases[newest]})) == json.dumps(whole)


@settings(max_examples=25)
@given(releases)
def test_the_loader_reads_what_was_written(tmp_path_factory, given_releases):
    folder = tmp_path_factory.mktemp("data")
    write(encode("small", given_releases), folder)
    assert decode(read("small", folder)) == given_releases
    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loader, "_DATA", folder)
        for version, item in given_releases.items():
            for name, options in item["tables"].items():
                table = loader.table("small", name, version)
                assert {key: table.option(key).record for key in table} == options
            assert {path: file.text for path, file in loader.config_files("small", version).items()} == item["files"]
    forget()


def forget():
    for cached in (loader._load, loader._load_files, loader.table, loader.config_files):
        cached.cache_clear()


def test_a_record_is_cleaned_of_what_is_not_said():
    record = {"source": "a.py", "default": (1, 2), "type": "", "nullable": False, "choices": [], "min": 0, "nargs": 0}
    assert clean(record) == {"default": [1, 2], "nargs": 0, "min": 0, "source": "a.py"}
    assert clean({"default": float("inf")}) == {"computed": "inf"}
    with pytest.raises(KeyError):
        clean({"help": "a sentence"})


# --- checks and reports


def small(*names):
    return {"tables": {"t": {name: {"default": 1} for name in names}}, "files": {}}


def test_a_release_that_loses_a_tenth_of_a_table_fails():
    many = [f"k{number:02}" for number in range(20)]
    kept, lost = small(*many[1:]), small(*many[3:])
    assert losses("f", {"1": small(*many), "2": kept}, set()) == []
    (line,) = losses("f", {"1": small(*many), "2": lost}, set())
    assert line == "f 2: table t lost 3 of 20 options of 1 (k00, k01, k02)"
    assert losses("f", {"1": small(*many), "2": lost}, {("f", "2", "t")}) == []


def test_a_table_that_vanishes_fails():
    gone = {"tables": {"u": {"x": {"default": 1}}}, "files": {}}
    assert len(losses("f", {"1": small(*"abcdefghij"), "2": gone}, set())) == 1


def test_a_reviewed_loss_needs_a_reason(tmp_path):
    path = tmp_path / "reviewed.yaml"
    path.write_text("- {framework: f, version: 1.0, tables: [t]}\n")
    with pytest.raises(ValueError, match="no reason"):
        reviewed(path)


@pytest.mark.slow
def test_every_loss_in_the_data_is_reviewed_and_every_review_is_needed():
    known = reviewed()
    unreviewed, needed = [], set()
    for path in sorted(DATA.glob("*.json")):
        data = read(path.stem, DATA) if "." not in path.stem and path.stem not in ("manifest", "renames") else None
        if data is None:
            continue
        unreviewed += losses(path.stem, decode(data), known)
        needed |= {
            (path.stem, *line.split(": table ")[0].split()[-1:], line.split(": table ")[1].split(" ")[0])
            for line in losses(path.stem, decode(data), set())
        }
    assert unreviewed == []
    assert known == needed


def test_a_report_says_what_changed():
    old = {"tables": {"t": {"a": {"default": 1}, "b": {"default": 2}, "c": {"default": 3}}}, "files": {"f": "x"}}
    new = {"tables": {"t": {"a": {"default": 1}, "b": {"default": None}, "d": {"required": True}}}, "files": {"f": "y"}}
    lines = ["~ t: b: default 2 -> null", "- t: c", "+ t: d = none", "~ file f"]
    assert between_releases(old, new) == lines
    assert between_states({"1": old}, {"1": old, "2": new}) == ["2: new release", *(f"  {line}" for line in lines)]


def test_renames_agree_with_the_data():
    assert check(load(), DATA) == []


def test_the_compiled_renames_are_the_reviewed_ones():
    compiled = json.loads((DATA / "renames.json").read_text(encoding="utf-8"))
    reviewed_ones = {
        framework: sorted(((str(e["version"]), e["table"], e["names"]) for e in entries), key=str)
        for framework, entries in load().items()
    }
    assert {
        framework: sorted(((e["version"], e["table"], e["names"]) for e in entries), key=str)
        for framework, entries in compiled.items()
    } == reviewed_ones


def test_the_renaming_of_openrlhf_is_complete():
    """Every flag of the trainers that went with 0.10.2 is accounted for."""
    found = decode(read("openrlhf", DATA))
    for entry in load()["openrlhf"]:
        if entry["version"] == "0.10.2":
            gone = (
                found["0.10.1.post2"]["tables"][entry["table"]].keys()
                - found["0.10.2"]["tables"][entry["table"]].keys()
            )
            assert gone <= entry["names"].keys(), entry["table"]


# --- static reading


def folded(expression, **files):
    tree = release(main=f"VALUE = {expression}\n" + files.pop("before", ""), **files)
    module = tree.module("main.py")
    return fold(tree, module, module.values["VALUE"])


@pytest.mark.parametrize(
    "expression",
    [
        "1_000 * 2**3 - 4 // 3",
        "-1e-6",
        "[*range(3), 7]",
        "{'a': 1, **{'b': 2}}",
        "[x.lower() for x in ('A', 'B') if x != 'A']",
        "'a' if 1 < 2 <= 2 else 'b'",
        "f\"--{'x'}.lr\"",
        "'{}-{}'.format(1, 2)",
        "int(1e8)",
        "not None",
        "sorted({'b', 'a'})",
        "[1, 2, 3][1:]",
        "dict(zip(['a'], [1]))",
        "dict(**{'a': 1}, b=2)",
    ],
)
def test_folding_agrees_with_python(expression):
    assert folded(expression) == eval(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "os.environ.get('A', 1)",
        "torch.float32",
        "open('x').read()",
        "unknown",
        "2**10**10",
        "f(1)",
        "dict(**unknown, passive=-1)",
        "list(dict(**unknown, passive=-1).keys())",
    ],
)
def test_what_is_not_in_the_text_does_not_fold(expression):
    with pytest.raises(Unfoldable):
        folded(expression)


def test_names_are_followed_across_modules():
    tree = release(
        **{
            "pkg/__init__": "from .kinds import *\nfrom pkg.values import SIZE as BIG\n",
            "pkg/kinds": "import enum\nclass Kind(str, enum.Enum):\n    ONE = 'one'\n    TWO = 'two'\n",
            "pkg/values": "SMALL = 1\nSIZE = SMALL * 8\n",
        },
        main="from pkg import Kind, BIG\nimport pkg\nA = [BIG, Kind.ONE, pkg.Kind.TWO.value]\nB = [k.value for k in Kind]\n",
    )
    module = tree.module("main.py")
    assert fold(tree, module, module.values["A"]) == [8, "one", "two"]
    assert fold(tree, module, module.values["B"]) == ["one", "two"]


def test_the_last_of_two_assignments_counts():
    tree = release(main="A = 'format of A'\nA = 'a'\ntry:\n    B = 1\nexcept ImportError:\n    B = None\n")
    module = tree.module("main.py")
    assert [fold(tree, module, module.values[name]) for name in "AB"] == ["a", 1]


def test_a_dataclass_as_records():
    tree = release(
        base="""
            from dataclasses import dataclass, field
            @dataclass
            class Base:
                rate: float = 1e-3
                seed: int = 0
        """,
        main="""
            from base import Base
            from dataclasses import dataclass, field
            from typing import Literal, Optional, ClassVar
            @dataclass
            class Inner:
                on: bool = False
            @dataclass
            class Config(Base):
                kind: ClassVar[str] = "x"
                mode: Literal["a", "b"] = field(default="a", metadata={"help": "Chooses the mode of it."})
                names: list[str] = field(default_factory=lambda: ["x"])
                limit: Optional[int] = None
                path: str
                hidden: int = field(init=False, default=1)
                inner: Inner = field(default_factory=Inner)
                threads: int = field(default=os.cpu_count())
                seed = 42
        """,
    )
    found = {
        key: clean(record)
        for key, record in class_records(tree, find_class(tree, "main.py", "Config"), nested=True).items()
    }
    for record in found.values():
        record.pop("source")
    assert found == {
        "rate": {"type": "float", "default": 1e-3},
        "seed": {"type": "int", "default": 42},
        "mode": {"type": "str", "default": "a", "choices": ["a", "b"]},
        "names": {"type": "list[str]", "default": ["x"]},
        "limit": {"type": "int", "default": None, "nullable": True},
        "path": {"type": "str", "required": True},
        "inner": {"type": "Inner", "computed": "Inner()"},
        "inner.on": {"type": "bool", "default": False},
        "threads": {"type": "int", "computed": "os.cpu_count()"},
    }


def test_a_pydantic_model_as_records():
    tree = release(
        main="""
            from pydantic import BaseModel, Field
            class Zero(BaseModel):
                stage: int = Field(0, ge=0, le=3)
                size: int = Field(5, gt=0, alias="stage3_size")
                old: bool = Field(None, json_schema_extra={"deprecated": True, "new_param": "new"})
                must: str = Field(...)
        """
    )
    found = {key: clean(record) for key, record in class_records(tree, find_class(tree, "main.py", "Zero")).items()}
    assert found["stage"] == {"type": "int", "default": 0, "min": 0, "max": 3, "source": "main.py"}
    assert found["size"]["aliases"] == ["stage3_size"]
    assert found["size"]["exclusive"] == ["min"]
    assert (found["old"]["deprecated"], found["old"]["replaced_by"]) == (True, "new")
    assert found["must"]["required"]


PARSER = """
import argparse

def common(group, size=4):
    group.add_argument("--size", type=int, default=size)
    return group

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default="x")
    parser.add_argument("--off", action="store_false", default=True)
    parser.add_argument("-v", "--very-loud", action="store_true", help="Says everything it can say.")
    parser.add_argument("--cache", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--pair", type=float, nargs=2, default=[0.5, 1.5])
    for name in ("actor", "critic"):
        parser.add_argument(f"--{name}.lr", type=float, default=1e-6 if name == "actor" else 9e-6)
    group = parser.add_argument_group("sizes")
    common(group, size=8)
    parser.add_argument("--must", choices=["a", "b"], required=True)
    parser.set_defaults(pair=[1.0, 2.0])
    args = parser.parse_args()
"""


def test_a_parser_as_records_agrees_with_argparse(tmp_path):
    """The same text, read statically here and run by argparse there."""
    import argparse

    found = parser_records(release(main=PARSER), "main.py")
    kept = []
    run = PARSER.replace("args = parser.parse_args()", "kept.append(parser)")
    exec(compile(run, "main.py", "exec"), {"__name__": "__main__", "kept": kept})
    real = {action.dest: action for action in kept[0]._actions if action.dest != "help"}
    assert found.keys() == real.keys()
    for name, action in real.items():
        record = clean(found[name])
        assert record.get("flags", []) == action.option_strings, name
        assert record.get("default") == kept[0].get_default(name), name
        assert record.get("required", False) == action.required, name
        assert record.get("nargs") == action.nargs, name
        assert record.get("choices") == action.choices, name
    assert isinstance(real["cache"], argparse.BooleanOptionalAction)
