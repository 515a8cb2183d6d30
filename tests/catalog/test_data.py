"""The data files as a whole: consistent, of facts only, and small."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import pytest
from packaging.version import Version

import grpolint.catalog

DATA = Path(grpolint.catalog.__file__).parent / "data"
FILES = sorted(path for path in DATA.glob("*.json") if path.name not in ("manifest.json", "renames.json"))
TABLES = [path for path in FILES if not path.name.endswith(".files.json")]


def load(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_there_is_data():
    names = {path.stem for path in TABLES}
    assert {"verl", "deepspeed", "trl", "transformers", "accelerate", "peft", "openrlhf"} <= names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_versions_are_distinct_and_sorted(path):
    versions = load(path)["versions"]
    assert versions == sorted(set(versions), key=Version)
    assert load(path)["framework"] == path.name.split(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_span_is_valid_ordered_and_in_use(path):
    data = load(path)
    pool = data["contents"] if "contents" in data else data["records"]
    listed = (
        data["files"]
        if "files" in data
        else {(table, key): spans for table, options in data["options"].items() for key, spans in options.items()}
    )
    used = set()
    for name, spans in listed.items():
        assert spans, name
        before = -1
        for first, last, number in spans:
            assert before < first <= last < len(data["versions"]), name
            assert 0 <= number < len(pool), name
            before = last
            used.add(number)
    assert used == set(range(len(pool)))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_a_record_has_known_fields_of_the_right_kind(path):
    from harvest.records import FIELDS

    for record in load(path)["records"]:
        assert set(record) <= set(FIELDS), record
        assert list(record) == [name for name in FIELDS if name in record], "fields in order"
        assert not ("default" in record and "computed" in record), record
        assert not (record.get("required") and "default" in record), record
        for name in ("choices", "aliases", "flags"):
            assert isinstance(record.get(name, []), list), record
        assert isinstance(record.get("computed", ""), str)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_no_help_texts(path):
    """A help text is a sentence: several words that start large and end with a full stop."""
    sentence = re.compile(r"[A-Z][a-z]+( [\w`'()/-]+){5,}\.")
    for record in load(path)["records"]:
        text = " ".join(str(value) for name, value in record.items() if name not in ("default", "source"))
        assert not sentence.search(text), record


def test_configuration_files_carry_no_comments():
    for path in FILES:
        for text in load(path).get("contents", []):
            for line in text.splitlines():
                assert not line.lstrip().startswith("#") or line.startswith("# @package"), line


def test_the_manifest_knows_every_release():
    manifest = load(DATA / "manifest.json")
    assert sorted(manifest) == sorted(path.stem for path in TABLES)
    for path in TABLES:
        entry = manifest[path.stem]
        assert entry["package"]
        assert entry["licence"]
        assert list(entry["releases"]) == load(path)["versions"]
        for release in entry["releases"].values():
            assert re.fullmatch(r"[0-9a-f]{64}|git:[0-9a-f]{40}", release["hash"])
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", release["released"])
            assert "/" not in release["file"] or path.stem != release["package"], "no address"


def test_nothing_names_a_registry():
    for path in DATA.iterdir():
        assert not re.search(r"https?://\S*(pypi|pythonhosted|simple/)", path.read_text(encoding="utf-8")), path.name


def test_the_data_is_small():
    """The budget of the wheel: 1.5 MB deflated, and no file so large that reading it would be felt."""
    sizes = {path.name: len(zlib.compress(path.read_bytes(), 6)) for path in DATA.iterdir()}
    assert sum(sizes.values()) < 1_500_000, sizes
    assert max(path.stat().st_size for path in TABLES) < 1_500_000
