"""A small body of evidence, and rules that rest on it: what commands say must not hang on what is known today."""

import shutil
import sys
import types
from pathlib import Path

import pytest

import grpolint.check
import grpolint.cli.explain
import grpolint.evidence
from grpolint.check import Entry
from grpolint.evidence import compile as compiling
from grpolint.evidence.schema import load
from grpolint.findings import Confidence, Severity
from grpolint.rules.api import Evidence, rule

SMALL = Path(__file__).parent / "small"

DOC = """One is not two.

## What it checks
One.

## Why it matters
Two.

## Example
    {"one": 2}

## Instead
    {"one": 1}

## Fix safety
Safe.
"""

NAN = Evidence(
    "deepspeedai/DeepSpeed#10", "https://github.com/deepspeedai/DeepSpeed/issues/10", "NaN with overlap_comm."
)
ALONE = Evidence("trl 1.16.0: trl/b.py", "https://github.com/huggingface/trl/blob/v1.16.0/trl/b.py", "raises below 2.")
RUMOUR = Evidence("owner/repo#7", "https://github.com/owner/repo/pull/7", "It is said.", "opinion")


def made(code, name, evidence, doc=DOC, **options):
    def function(run):
        yield from ()

    module = types.ModuleType(f"cited_rule_{code}")
    module.__doc__ = doc
    function.__module__ = module.__name__
    sys.modules[module.__name__] = module
    options.setdefault("frameworks", {"trl": ""})
    module.check = rule(id=code, name=name, summary="one", severity=Severity.ERROR, evidence=evidence, **options)(
        function
    )
    return module.check


RULES = (
    made("TA001", "one-not-two", (NAN, ALONE), aliases=("D01",)),
    made("TA002", "a-rumour", (RUMOUR,), default=False),
    made("D01", "do-one", (NAN,), policy="handbook"),
)


def entry(each):
    return Entry(
        each.id,
        each.name,
        f"cited_rule_{each.id}",
        each.summary,
        each.severity,
        Confidence.HIGH,
        dict(each.frameworks),
        each.default,
        each.aliases,
        policy=each.policy,
    )


@pytest.fixture
def sources(tmp_path):
    """A copy of the small sources, and a function that replaces a text in one of them."""
    folder = tmp_path / "evidence"
    shutil.copytree(SMALL, folder)

    def edit(name, old, new):
        path = folder / f"{name}.yaml"
        text = path.read_text()
        assert text.count(old) >= 1, old
        path.write_text(text.replace(old, new, 1))
        return folder

    return edit


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The commands know the small evidence and the rules of this file alone."""
    found = compiling.compiled(load(SMALL), RULES)
    for name, entries in found.items():
        (tmp_path / f"{name}.json").write_text(compiling.as_text(entries, name))
    monkeypatch.setattr(grpolint.evidence, "_DATA", tmp_path)
    kept = [
        getattr(grpolint.evidence, name) for name in ("threads", "stated", "patterns", "cells", "symptoms", "causes")
    ]
    for each in kept:
        each.cache_clear()
    index = tuple(map(entry, RULES))
    for module in (grpolint.check, grpolint.cli.explain):
        monkeypatch.setattr(module, "entries", lambda: index)
    yield found
    for each in kept:
        each.cache_clear()


@pytest.fixture
def rules():
    """The rules of this file."""
    return RULES


@pytest.fixture
def rule_of():
    """Makes a rule: `rule_of(code, name, evidence, **options)`."""
    return made
