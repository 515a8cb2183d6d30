"""The rules as a collection: ids, index, documentation, evidence."""

import re
from pathlib import Path

import pytest

from grpolint.evidence import stated as records
from grpolint.findings import Severity
from grpolint.rules import generate

RULES = generate.rules()
HEADINGS = ["## What it checks", "## Why it matters", "## Example", "## Instead", "## Fix safety"]


def test_index_is_current():
    written = (Path(generate.__file__).parent / "index.json").read_text(encoding="utf-8")
    assert written == generate.index(), "run `make generate`"


def test_ids_and_names_are_unique():
    for words in ([rule.id for _, rule in RULES], [rule.name for _, rule in RULES]):
        assert len(words) == len(set(words))


@pytest.mark.parametrize(("module", "rule"), RULES, ids=lambda each: getattr(each, "id", ""))
def test_rule_is_documented(module, rule):
    assert re.fullmatch(r"[DN]\d{2}" if rule.policy == "handbook" else r"[A-Z]{2}\d{3}", rule.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert [line for line in rule.doc.splitlines() if line.startswith("## ")] == HEADINGS
    path = Path(generate.__file__).parents[2] / (module.replace(".", "/") + ".py")
    assert len(path.read_text().splitlines()) <= 100


@pytest.mark.parametrize(("module", "rule"), RULES, ids=lambda each: getattr(each, "id", ""))
def test_rule_has_evidence(module, rule):
    assert rule.evidence
    for each in rule.evidence:
        assert each.url.startswith("https://")
        assert each.grade in ("confirmed", "partly", "unverified", "contradicted", "opinion")
        assert each.says.endswith(".")
    if rule.policy != "handbook" and all(
        each.grade in ("unverified", "opinion", "contradicted") for each in rule.evidence
    ):
        assert not rule.default


def test_the_handbook_has_its_36_rules():
    """Under their own numbers, errors but for the two that the handbook itself only warns of."""
    stated = {f"D{number:02}" for number in range(1, 20)} | {f"N{number:02}" for number in range(1, 18)}
    handbook = [rule for _, rule in RULES if rule.policy == "handbook"]
    assert {rule.id for rule in handbook} == stated
    assert {rule.id for rule in handbook if rule.severity is not Severity.ERROR} == {"N11", "N12"}
    assert all(not rule.frameworks and rule.default for rule in handbook)


def test_a_rule_of_the_handbook_points_to_those_that_say_the_same():
    for record in records():
        rule = next(rule for _, rule in RULES if rule.id == record.id)
        assert all(other in rule.doc for other in record.same_as), record.id
