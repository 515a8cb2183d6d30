"""What a caller of the catalog gets."""

from __future__ import annotations

import pytest

from grpolint.catalog import config_files, newest, table, versions
from grpolint.catalog.loader import Table
from grpolint.values import Default, Unknown

SMALL = {
    "framework": "small",
    "versions": ["1.0", "1.1", "1.2"],
    "records": [
        {"type": "int", "default": 1, "source": "a.py"},
        {"type": "int", "default": None, "nullable": True},
        {"type": "str", "required": True},
        {"type": "bool", "computed": "stage == 3"},
        {"type": "int", "default": 7, "aliases": ["stage3_size"]},
    ],
    "options": {
        "config": {
            "steps": [[0, 0, 0], [1, 2, 1]],
            "name": [[0, 2, 2]],
            "late": [[2, 2, 3]],
            "gap": [[0, 0, 0], [2, 2, 0]],
            "zero.size": [[1, 2, 4]],
        }
    },
}


def at(index: int) -> Table:
    return Table("small", "config", SMALL["versions"][index], index, SMALL)


def test_a_default_names_its_release_and_file():
    assert at(0).default("steps") == Default(1, "small", "1.0", "a.py")


def test_a_default_of_null_is_a_default():
    assert at(1).default("steps") == Default(None, "small", "1.1", "")


def test_no_default_where_the_option_is_required_or_absent():
    assert at(0).default("name") is None
    assert at(0).option("name").record["required"]
    assert at(0).option("nonsense") is None
    assert at(0).default("nonsense") is None


def test_a_computed_default_is_unknown_with_its_formula():
    assert at(2).default("late") == Unknown("computed:stage == 3")


def test_an_option_may_come_go_and_come_back():
    assert [("gap" in at(index), "late" in at(index)) for index in range(3)] == [
        (True, False),
        (False, False),
        (True, True),
    ]
    assert at(1).keys() == ["steps", "name", "zero.size"]


def test_an_alias_leads_to_the_option_in_its_section():
    found = at(1).option("zero.stage3_size")
    assert found.key == "zero.size"
    assert found.default == Default(7, "small", "1.1", "")
    assert at(1).option("stage3_size") is None
    assert at(0).option("zero.stage3_size") is None


def test_an_unknown_framework_or_table_is_none():
    assert versions("nonsense") == []
    assert newest("nonsense") is None
    assert table("nonsense", "config", "1.0") is None
    assert table("deepspeed", "nonsense", "0.19.8") is None
    assert config_files("nonsense", "1.0") == {}
    assert config_files("deepspeed", "0.19.8") == {}


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("0.19.2", "0.19.2"),
        ("0.19.2+cu128", "0.19.2"),  # a local build is its release
        ("0.19.2.post1", "0.19.2"),
        ("0.19.3rc1", "0.19.2"),  # a pre-release has at least what came before it
        ("0.1", versions("deepspeed")[0]),
        ("99", versions("deepspeed")[-1]),
        ("main", versions("deepspeed")[-1]),
    ],
)
def test_the_nearest_older_release_answers(asked, answered):
    assert table("deepspeed", "config", asked).version == answered


def test_a_configuration_file_is_that_release_s():
    old, new = config_files("verl", "0.6.1"), config_files("verl", "0.7.1")
    assert "reward/reward.yaml" in new
    assert "reward/reward.yaml" not in old
    assert old["ppo_trainer.yaml"].text != new["ppo_trainer.yaml"].text
    assert new["ppo_trainer.yaml"].path == "ppo_trainer.yaml"


def test_a_table_without_options_in_a_release_is_none_there():
    assert table("openrlhf", "train_ppo", "0.6.0") is not None
    assert table("openrlhf", "train_ppo", "0.7.0") is None
