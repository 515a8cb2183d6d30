"""Overrides are read exactly as Hydra's own parser reads them: same acceptance, same value."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, OverrideType
from hydra.core.override_parser.types import Sweep as HydraSweep
from hydra.errors import HydraException
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grpolint.documents.source import Source
from grpolint.frameworks.hydra.overrides import OverrideError, Sweep, parse_override, read_word
from grpolint.launch import Part, Word
from grpolint.values import Unknown

ORACLE = OverridesParser.create()
MARKS = {OverrideType.CHANGE: "", OverrideType.ADD: "+", OverrideType.FORCE_ADD: "++", OverrideType.DEL: "~"}

REAL = [
    "data.train_files=/data/gsm8k/train.parquet",
    "trainer.logger=['console','wandb']",
    'trainer.logger=["console","tensorboard"]',
    "actor_rollout_ref.actor.optim.lr=1e-6",
    "actor_rollout_ref.actor.optim.lr=1E-6",
    "actor_rollout_ref.actor.optim.lr=.5",
    "data.max_length=1_024",
    "data.seed=007",
    "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1",
    "++actor_rollout_ref.actor.megatron.override_transformer_config.pipeline_model_parallel_layout='Et*6|t*6|L'",
    "ray_kwargs.ray_init.runtime_env.py_executable=uv -v run --frozen --all-packages --extra vllm",
    "actor@actor_rollout_ref.actor=mlite_actor",
    "diffusion/model_engine=veomni_diffusion",
    "~critic",
    "~critic.optim=",
    "~rollout@actor_rollout_ref.rollout=rollout",
    "actor_rollout_ref.model.path=",
    "actor_rollout_ref.model.path= ",
    "actor_rollout_ref.actor.optim.override_optimizer_config={eps: 1e-8, betas: [0.9, 0.95]}",
    "global_profiler.steps=null",
    "data.x=True",
    "data.x=TRUE",
    "k=nan",
    "k=-inf",
    "k=${data.max_prompt_length}",
    "k=${oc.env:HOME,/tmp}",
    "k=a${b}c",
    "k={record_dir: ${data.x}/y}",
    "k=a=b=c",
    "k=(2,4)",
    "k={a:1} after",
    "k=1,2",
    "k=[1,2",
    "k=[a b, c d]",
    "k=[ ]",
    "k={}",
    "k='it\\'s'",
    'k="a \\\\"',
    "k='a',b",
    "k=a'b'",
    "k='x' ",
    "k=int('3')",
    "k=float(3)",
    "k=str(1e-6)",
    "k=bool(yes)",
    "k=str([1,True,null])",
    "k=int(1,2)",
    "k=choice(a,b)",
    "k=range(1,10,2)",
    "k=range(a)",
    "k=interval(0,1)",
    "k=glob(*)",
    "k=sort(3,1,2)",
    "k=sort([3,1,2])",
    "k=nosuch(3)",
    "k=\\(a\\,b\\)",
    "k=a\\ b",
    "k=über",
    "k=a#b",
    "k=a;b",
    "k=a:b:c",
    "k= : ",
    "k=a ,b",
    "k",
    "+k",
    "=3",
    "+=3",
    "+++k=3",
    "k.=3",
    "k..a=3",
    "a/b.c=3",
    "a.0.b=3",
    "a.01.b=3",
    "$a.$b=1",
    "a b=1",
    " k=1",
    "k =1",
    "k=\n",
    "k='\n'",
    "k\n=1",
    "k@a@b=1",
    "a@=1",
    "a@b:c=1",
    "--config-name=x",
    "-cn",
    "k=http://host:80/a?b@c",
    "k=${a:${b}}",
    "k=${}",
    "k=[[1,[2]],{a:{b:c}}]",
    "k={1:2,true:x,null:y}",
    "k={'a':1}",
    "k={a b:1}",
    "k={a}",
]


def _converted(value: Any) -> Any:
    if isinstance(value, (HydraSweep, Glob)):
        return "sweep"
    return value


def oracle(text: str) -> tuple[Any, ...] | None:
    """What Hydra reads: mark, key, package, has a value, value; None if it refuses."""
    try:
        read = ORACLE.parse_override(text)
        value = read.value()
    except HydraException:
        return None
    return MARKS[read.type], read.key_or_group, read.package, read.value_type is not None, _converted(value)


def ours(text: str) -> tuple[Any, ...] | None:
    """What grpolint reads, in the same form."""
    try:
        read = parse_override(text)
    except OverrideError:
        return None
    value = "sweep" if isinstance(read.value, Sweep) else read.value
    return read.mark, read.key, read.package, read.has_value, value


def same(left: Any, right: Any) -> bool:
    """Equality in which nan equals nan and True is not 1."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return len(left) == len(right) and all(
            same(a, b) and same(left[a], right[b]) for a, b in zip(left, right, strict=True)
        )
    return bool(left == right)


@pytest.mark.parametrize("text", REAL)
def test_real_shaped_overrides_read_as_hydra_reads_them(text: str) -> None:
    expected = oracle(text)
    assert same(ours(text), expected), (ours(text), expected)


PIECES = [
    "a", "B_1", "x-y", "true", "False", "null", "nan", "inf", "-inf", "1", "-20", "+3", "007", "1_000", "1e-6", "1.",
    ".5", "1.5e3", "1__0", " ", "\t", ",", ":", "=", "(", ")", "[", "]", "{", "}", "'", '"', "\\", "\\\\", "\\'", '\\"',
    "\\,", "\\ ", "$", "${a.b}", "${", "/", "-", "+", ".", "%", "*", "@", "?", "|", "#", "!", "é", "\n", "'q r'", '"s"',
    "int(", "float(", "str(", "bool(", "[1,2]", "{a:1}", "{a: b}", "''",
]  # fmt: skip
KEYS = ["k", "a.b", "a/b", "a@b.c", "a/b@c", "a.0.b", "$x", "", "a.", "a-b", "1", "a@", "_a", "a.b@c"]


@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from(["", "+", "++", "~", "+++", "~+"]),
    st.sampled_from(KEYS),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
)
@example("", "k", "'a\\\\\\'b'")
def test_any_text_reads_as_hydra_reads_it(mark: str, key: str, value: str) -> None:
    text = f"{mark}{key}={value}"
    expected = oracle(text)
    assert same(ours(text), expected), (ours(text), expected)


SCALARS = st.sampled_from(["a", "1", "1e-6", "true", "null", "'q, r'", '"s"', "a b", "/p/q.txt", "${x.y}", "-1.5"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: "[" + ",".join(items) + "]"),
        st.lists(inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"k{index}: {item}" for index, item in enumerate(items)) + "}"
        ),
        st.tuples(st.sampled_from(["int", "float", "str", "bool"]), inner).map(lambda pair: f"{pair[0]}({pair[1]})"),
    ),
    max_leaves=8,
)


@settings(max_examples=500, deadline=None)
@given(VALUES)
def test_nested_values_read_as_hydra_reads_them(value: str) -> None:
    text = f"a.b={value}"
    assert same(ours(text), oracle(text))


def word(*parts: str | tuple[str, tuple[str, ...]]) -> Word:
    """A word of known texts and unknowns, the latter as (reason, alternatives)."""
    source = Source("run.sh", "x")
    made = [Part(part) if isinstance(part, str) else Part(None, part[0], (), part[1]) for part in parts]
    return Word(tuple(made), source.span(0, 1))


def test_an_unknown_part_makes_the_value_unknown_and_keeps_the_key() -> None:
    read = read_word(word("+data.files=", ("env:DIR", ()), "/train.parquet"))
    assert (read.mark, read.key) == ("+", "data.files")
    assert isinstance(read.value, Unknown) and read.value.reason == "env:DIR"


def test_unknowns_inside_a_list_leave_the_other_items_known() -> None:
    read = read_word(word("data.files=['a.parquet','", ("env:DIR", ()), "/b']"))
    assert read.value[0] == "a.parquet"
    assert isinstance(read.value[1], Unknown)


def test_alternatives_are_parsed_like_values() -> None:
    read = read_word(word("trainer.nnodes=", ("branch:3", ("1", "8"))))
    assert isinstance(read.value, Unknown) and read.value.alternatives == (1, 8)


def test_an_unknown_that_may_close_a_quote_is_not_an_error() -> None:
    read = read_word(word("k='", ("env:X", ())))
    assert isinstance(read.value, Unknown)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(OverrideError):
        read_word(word("data.", ("env:X", ()), "=3"))


def test_errors_name_the_place() -> None:
    with pytest.raises(OverrideError) as caught:
        parse_override("k=a=b")
    assert caught.value.offset == 3


def test_deep_nesting_ends_in_an_error() -> None:
    with pytest.raises(OverrideError):
        parse_override("k=" + "[" * 100_000)
