"""The catalog against the running packages: `make oracle`, in an environment of its own (tests/oracle_packages/constraints.txt).

A default that the catalog claims to know and that a package contradicts is a fault, as is an option that only one of them
has. What the catalog keeps as `computed` is counted, not compared.
"""

from __future__ import annotations

import functools
from importlib.metadata import version

import engines
import huggingface
import pytest
from tally import DISTRIBUTIONS, Tally

from grpolint.catalog import newest, table, tables

COMPARISONS = {
    ("transformers", "TrainingArguments"): huggingface.training_arguments,
    ("transformers", "accelerator_config"): huggingface.accelerator_config,
    ("peft", "lora"): huggingface.lora,
    ("accelerate", "launch"): huggingface.accelerate_launch,
    ("accelerate", "config"): huggingface.accelerate_file,
    **{
        ("accelerate", name): functools.partial(huggingface.accelerate_plugin, name)
        for name in ("fsdp_plugin", "deepspeed_plugin", "parallelism_config")
    },
    **{
        ("trl", name): functools.partial(huggingface.trl, name)
        for name in tables("trl")
        if table("trl", name, newest("trl")) is not None
    },
    ("deepspeed", "config"): engines.deepspeed,
    ("megatron", "train"): engines.megatron,
}

NOT_COMPARED = {
    ("transformers", "fsdp_config"): "keys that code asks a dict for; no class or parser has them",
    ("deepspeed", "section"): "compared within deepspeed config",
}

LEAST = {"transformers": 120, "trl": 3000, "peft": 41, "accelerate": 250, "deepspeed": 270, "megatron": 800}
"""Defaults that have to be found equal, by framework, so that a comparison that compares little is noticed."""


@functools.cache
def tally(framework: str, name: str) -> Tally:
    return COMPARISONS[framework, name]()


@pytest.mark.parametrize("framework", sorted(DISTRIBUTIONS))
def test_the_newest_release_of_the_catalog_is_installed(framework):
    assert version(DISTRIBUTIONS[framework]) == newest(framework), "renew tests/oracle_packages/constraints.txt"


@pytest.mark.parametrize(("framework", "name"), sorted(COMPARISONS))
def test_defaults(framework, name, record_property):
    compared = tally(framework, name)
    record_property("counts", (compared.line(), compared.equal, len(compared.compared)))
    assert not compared.differences, "\n".join([compared.line(), *compared.differences])
    assert compared.equal > len(compared.symbolic), compared.line()


@pytest.mark.parametrize(("framework", "name"), sorted(COMPARISONS))
def test_no_option_is_left_out(framework, name):
    reviewed = {
        ("deepspeed", "config"): set(engines.NOT_READ_ALONE),
        ("accelerate", "config"): set(huggingface.ONLY_ASKED),
    }
    assert tally(framework, name).left() == reviewed.get((framework, name), set())


@pytest.mark.parametrize("framework", sorted(DISTRIBUTIONS))
def test_every_table_is_compared(framework):
    kept = {name for name in tables(framework) if table(framework, name, newest(framework)) is not None}
    assert kept
    assert {(framework, name) for name in kept} == {
        key for key in {**COMPARISONS, **NOT_COMPARED} if key[0] == framework
    }


@pytest.mark.parametrize("framework", sorted(LEAST))
def test_enough_is_compared(framework):
    compared = [tally(*key) for key in COMPARISONS if key[0] == framework]
    assert sum(one.equal for one in compared) >= LEAST[framework], [one.line() for one in compared]
