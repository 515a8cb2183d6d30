"""`key = value` on a Hydra command line: three words, which Hydra refuses and a reader understands."""

from __future__ import annotations

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException

from grpolint.frameworks.hydra.commandline import read_command_line
from grpolint.launch import Part, Word


def words(*texts):
    return [Word((Part(text),)) for text in texts]


@pytest.mark.parametrize(
    ("texts", "count", "meant"),
    [
        (["data.max_response_length", "=", "1024"], 3, ("data.max_response_length", 1024)),
        (["data.max_response_length", "=1024"], 2, ("data.max_response_length", 1024)),
        (["data.max_response_length=", "1024"], 2, ("data.max_response_length", 1024)),
        (["+trainer.name", "=", "a"], 3, ("trainer.name", "a")),
    ],
)
def test_hydra_refuses_and_the_value_still_counts(texts, count, meant):
    with pytest.raises(HydraException):
        OverridesParser.create().parse_overrides([*texts, "trainer.nnodes=2"])
    line = read_command_line(words("trainer.n=1", *texts, "trainer.nnodes=2"))
    assert [bad.word.text for bad in line.bad] == [texts[0]]
    assert f"{count} words of {texts[0].rstrip('=')}=" in line.bad[0].detail
    assert [(each.key, each.value) for each in line.overrides] == [
        ("trainer.n", 1),
        meant,
        ("trainer.nnodes", 2),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ["data.prompt_key=", "trainer.nnodes=2"],
        ["~data.files", "a.b=1"],
        ["data.prompt_key="],
        ["data.files=", "~a.b"],
        ["data.files=", "--multirun"],
    ],
)
def test_an_empty_value_is_nothing_of_the_kind(texts):
    OverridesParser.create().parse_overrides([text for text in texts if not text.startswith("-")])
    assert read_command_line(words(*texts)).bad == []


def test_an_unknown_value_stays_unknown():
    value = Word((Part(None, "env:LEN"),))
    line = read_command_line([*words("data.max_response_length", "="), value, *words("a.b=1")])
    assert [each.key for each in line.overrides] == ["data.max_response_length", "a.b"]
    assert line.overrides[0].value.reason == "env:LEN"
