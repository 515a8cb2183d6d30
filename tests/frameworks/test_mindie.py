"""MindIE: the config.json of its service, its models, and JSON files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from framework_runs import fact

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.frameworks.registry import framework
from grpolint.reader import read

CONFIG = {
    "ServerConfig": {"port": 1025},
    "BackendConfig": {
        "npuDeviceIds": [[0, 1], [2, 3]],
        "modelInstanceNumber": 2,
        "ModelDeployConfig": {
            "maxSeqLen": 4096,
            "ModelConfig": [{"modelWeightPath": "/data/Qwen3-8B", "worldSize": 2, "tp": 2}, {"worldSize": 2}],
        },
        "ScheduleConfig": {"maxBatchSize": 32},
    },
}


def runs(folder: Path, content: object):
    """The runs of a JSON that this framework leads."""
    (folder / "config.json").write_text(json.dumps(content, indent=2))
    return [run for run in read(read_source(folder / "config.json")).runs if run.trainer == "mindie"]


def test_sections_and_models(tmp_path: Path) -> None:
    """Each option under its path; models are numbered."""
    (run,) = runs(tmp_path, CONFIG)
    assert run.value("mindie", "BackendConfig.ScheduleConfig.maxBatchSize").value == 32
    assert run.value("mindie", "BackendConfig.npuDeviceIds").value == [[0, 1], [2, 3]]
    assert run.value("mindie", "BackendConfig.ModelDeployConfig.ModelConfig.1.worldSize").value == 2
    assert run.value("mindie", "BackendConfig.ScheduleConfig.maxPrefillTokens") is None
    assert (fact(run, "rollout_tp"), fact(run, "context_length"), fact(run, "model")) == (2, 4096, "/data/Qwen3-8B")
    assert run.setting("mindie", "BackendConfig.ScheduleConfig.maxBatchSize").span.text == '"maxBatchSize": 32'


@pytest.mark.parametrize(
    "change",
    [
        {"BackendConfig": {"npuDeviceIds": []}},
        {"ServerConfig": None},
        {"BackendConfig": {"ModelDeployConfig": []}},
    ],
)
def test_other_files_are_not_taken(tmp_path: Path, change: dict[str, object]) -> None:
    """A part is missing or of another shape."""
    assert not runs(tmp_path, {**CONFIG, **change})
    assert not runs(tmp_path, [CONFIG])


def test_strange_contents_are_read(tmp_path: Path) -> None:
    """Models that are none, sections that are texts."""
    for models in (None, "x", [], ["x"], {"worldSize": 2}):
        strange = {"ServerConfig": {}, "BackendConfig": {"ModelDeployConfig": {"ModelConfig": models}}}
        (run,) = runs(tmp_path, strange)
        for name in FACTS:
            run.fact(name)


def test_spelling(tmp_path: Path) -> None:
    """A member of the JSON."""
    (run,) = runs(tmp_path, CONFIG)
    key = "BackendConfig.ScheduleConfig.maxBatchSize"
    assert framework("mindie").spell(key, 64, run.setting("mindie", key), run) == '"maxBatchSize": 64'
