"""Rules made for these tests: what a command does must not depend on what the real rules find today."""

import importlib
import sys
import types

import pytest

from grpolint.changes import SetOption
from grpolint.findings import Severity
from grpolint.rules.api import Evidence, rule

EVIDENCE = (Evidence("owner/repo#1", "https://example.org/1", "It is so."),)


def made(code, name, severity, function, **options):
    rule_of = rule(id=code, name=name, summary=name.replace("-", " "), severity=severity, evidence=EVIDENCE, **options)(
        function
    )
    module = types.ModuleType(f"rule_{code}")
    module.check = rule_of
    sys.modules[module.__name__] = module
    return {
        "id": code,
        "name": name,
        "module": module.__name__,
        "summary": rule_of.summary,
        "severity": severity.name,
        "confidence": "HIGH",
        "frameworks": {},
        "default": rule_of.default,
        "aliases": list(rule_of.aliases),
        "any_program": False,
        "policy": "evidence",
        "when": {},
    }


def stage_three(run):
    if run.integer("deepspeed:zero_optimization.stage") == 3:
        yield run.finding(
            "stage 3 was asked for",
            ("deepspeed:zero_optimization.stage", "this stage"),
            changes=(SetOption("deepspeed", "zero_optimization.stage", 2),),
        )


def both_precisions(run):
    if run.flag("deepspeed:bf16.enabled") and run.flag("deepspeed:fp16.enabled"):
        yield run.finding("bf16 and fp16 are both on", "deepspeed:bf16.enabled", "deepspeed:fp16.enabled")


def large_batch(run):
    if run.is_set("deepspeed:train_batch_size") and (run.integer("deepspeed:train_batch_size") or 0) > 100:
        yield run.finding("a large batch", "deepspeed:train_batch_size")


def divides(run):
    batch = run.integer("deepspeed:train_batch_size") if run.is_set("deepspeed:train_batch_size") else None
    if batch is not None and batch % (run.integer("fact:world_size") or 1):
        yield run.finding("it does not divide", "deepspeed:train_batch_size")


def crashes(run):
    if run.known("deepspeed:steps_per_print") == 13:
        raise LookupError("thirteen")
    yield from ()


def one_sample(run):
    if "verl" in run.run.settings and run.integer("verl:actor_rollout_ref.rollout.n") == 1:
        yield run.finding(
            "one sample",
            "verl:actor_rollout_ref.rollout.n",
            changes=(SetOption("verl", "actor_rollout_ref.rollout.n", 8),),
        )


@pytest.fixture(autouse=True)
def fake_rules(monkeypatch):
    found = (
        made("TA001", "stage-three", Severity.ERROR, stage_three, aliases=("D99",)),
        made("TA002", "both-precisions", Severity.WARNING, both_precisions),
        made("TA003", "large-batch", Severity.INFO, large_batch),
        made("TC001", "one-sample", Severity.ERROR, one_sample),
        made("TB001", "does-not-divide", Severity.ERROR, divides),
        made("TB002", "crashes", Severity.ERROR, crashes),
        made("TB003", "off-by-default", Severity.WARNING, large_batch, default=False),
    )
    engine = importlib.import_module("grpolint.check")
    monkeypatch.setattr(engine, "_rows", lambda: list(found))
    cached = (engine.entries, engine._chosen, engine._for_launches)
    for each in cached:
        each.cache_clear()
    yield engine.entries()
    for each in cached:
        each.cache_clear()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to be in, and a function that writes files there."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_json", ".json").replace("_sh", ".sh")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return write
