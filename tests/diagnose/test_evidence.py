"""The symptoms and causes as data: every signature matches its real line, none matches a healthy log, none can run away."""

import re

import pytest

try:
    from re import _parser as sre
except ImportError:  # Python 3.10
    import sre_parse as sre

from clean_logs import LOGS

from grpolint.check import find_entry
from grpolint.diagnose import diagnose
from grpolint.diagnose.logs import bare
from grpolint.diagnose.patterns import Scanner, literals
from grpolint.diagnose.signals import ALARMS, SIGNALS
from grpolint.diagnose.words import understand
from grpolint.documents.source import Source
from grpolint.evidence import causes, symptoms
from grpolint.topics import TOPICS

SIGNATURES = [symptom for symptom in symptoms() if symptom.pattern]


def names(items):
    return [item.id for item in items]


def test_there_are_many_over_all_topics():
    assert len(symptoms()) >= 100 and len(causes()) >= 90
    for topic in (*TOPICS, "group-size", "memory", "hang", "lora", "mismatch", "config", "reward"):
        mine = {cause.id for cause in causes() if topic in cause.topics}
        assert len(mine) >= 5, topic
        assert sum(bool(mine & set(symptom.causes)) for symptom in symptoms()) >= 4, topic


def test_every_cause_can_be_reached_and_says_what_to_do():
    reached = {name for symptom in symptoms() for name in symptom.causes}
    for cause in causes():
        assert cause.id in reached, f"no symptom leads to {cause.id}"
        assert cause.check and cause.fix and cause.refs and cause.topics, cause.id


def test_rules_of_causes_exist():
    for cause in causes():
        for word in cause.rules:
            assert find_entry(word) is not None, (cause.id, word)


def test_signals_name_symptoms():
    known = set(names(symptoms()))
    for alarms in ALARMS.values():
        assert {symptom for symptom, _ in alarms} <= known
    assert SIGNALS


@pytest.mark.parametrize("symptom", SIGNATURES, ids=names(SIGNATURES))
def test_signature_matches_its_line(symptom):
    line = symptom.example
    assert re.search(symptom.pattern, bare(line)), line
    needed = literals(symptom.pattern)
    assert any(literal in line for literal in needed)
    # Behind the prefixes of every launcher, in colours, and in the middle of a long line.
    for before, after in (
        ("\x1b[36m(TaskRunner pid=123, ip=10.0.0.1)\x1b[0m ", ""),
        ("[rank3]:[2026-11-02 10:00:00,123] ", "  [repeated 7x across cluster]"),
        ("3: ", "\r"),
        ("x" * 1_500_000 + " ", " " + "y" * 100_000),
    ):
        near = "CUDA out of memory. Tried to allocate 2.00 GiB" if symptom.near == "cuda_oom" else ""
        text = f"first\n{before}{line}{after}\n{near}\nlast\n"
        seen = [each for each in diagnose(None, [Source("a.log", text)]).seen if each.symptom.id == symptom.id]
        assert seen, before[:60]
        assert seen[0].line == 2


@pytest.mark.parametrize("symptom", SIGNATURES, ids=names(SIGNATURES))
def test_every_alternative_holds_a_literal(symptom):
    """Only lines with a literal of the pattern are tried, so each alternative needs one that is rare and plain."""
    for literal in literals(symptom.pattern):
        assert len(literal) >= 5, symptom.pattern
        assert literal.isascii() and literal.isprintable()


def unbounded(tree, inside=False):
    """Unlimited repetitions in a parsed expression; `inside` one already is catastrophic."""
    for operation, argument in tree:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, high, body = argument
            endless = high == sre.MAXREPEAT
            assert not (inside and high > 1), "a repetition inside a repetition"
            if endless:
                yield argument
            yield from unbounded(body, inside or high > 1)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from unbounded(branch, inside)
        elif name == "SUBPATTERN":
            yield from unbounded(argument[-1], inside)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from unbounded(argument[1], inside)


@pytest.mark.parametrize("symptom", SIGNATURES, ids=names(SIGNATURES))
def test_no_signature_can_run_away(symptom):
    """No repetition inside another, and endless ones only over digits and the like: time is linear in the window."""
    for low, _, body in unbounded(sre.parse(symptom.pattern)):
        assert not any(str(operation) == "ANY" for operation, _ in body), f"`.` without end in {symptom.pattern}"
        assert low <= 1


@pytest.mark.parametrize("name", LOGS)
def test_a_healthy_log_shows_nothing(name):
    text = "\n".join(LOGS[name])
    diagnosis = diagnose(None, [Source(f"{name}.log", text)])
    assert not diagnosis.seen, [(each.symptom.id, each.text) for each in diagnosis.seen]


def test_no_signature_matches_a_line_of_a_healthy_log():
    """Also without the search for literals."""
    lines = [line for lines in LOGS.values() for line in lines]
    for symptom in SIGNATURES:
        found = [line for line in lines if re.search(symptom.pattern, line)]
        assert not found, (symptom.id, found)


def test_signatures_do_not_match_each_others_lines_by_accident():
    """A line means its own symptom; others only where they share a cause or are about the same event."""
    scanner_hits = {}
    for symptom in SIGNATURES:
        for other in SIGNATURES:
            if other is not symptom and not other.near and re.search(other.pattern, symptom.example):
                scanner_hits.setdefault(symptom.id, []).append(other.id)
    by_id = {symptom.id: symptom for symptom in symptoms()}
    for one, others in scanner_hits.items():
        for other in others:
            assert set(by_id[one].causes) & set(by_id[other].causes), (one, other)


@pytest.mark.parametrize("symptom", symptoms(), ids=names(symptoms()))
def test_name_and_words_of_a_symptom_mean_it(symptom):
    said, missed = understand(symptom.id, symptoms())
    assert [each.symptom.id for each in said] == [symptom.id] and not missed
    for phrase in symptom.words:
        said, missed = understand(phrase, symptoms())
        assert symptom.id in [each.symptom.id for each in said], (phrase, [each.symptom.id for each in said])
        assert not missed


@pytest.mark.parametrize("symptom", symptoms(), ids=names(symptoms()))
def test_example_of_a_metric_is_read(symptom):
    """An example without pattern is the symptom's name, or a line of metrics that is read as such."""
    if symptom.pattern or symptom.example == symptom.id:
        return
    from grpolint.diagnose.metrics import Metrics

    metrics = Metrics()
    assert metrics.read(symptom.example, 1), symptom.example


def test_scanner_needs_no_pattern():
    assert Scanner([symptom for symptom in symptoms() if not symptom.pattern]).hits() == []
