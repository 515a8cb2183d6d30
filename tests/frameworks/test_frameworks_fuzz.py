"""Whatever stands in a launch or a file, composing ends without an error, and every fact can be asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from framework_runs import leader
from hypothesis import given, settings
from hypothesis import strategies as st
from test_deepspeed import CONFIG, FSDP
from test_python_doors import SCRIPT
from test_trl import ACCELERATE, RECIPE

from grpolint.documents.source import Source
from grpolint.facts import FACTS
from grpolint.launch import Launch, Part, Word
from grpolint.reader import read
from grpolint.run import Run
from grpolint.world import World

NAMES = [
    "--num_generations",
    "--learning_rate",
    "--bf16",
    "--use_vllm",
    "--vllm_mode",
    "--deepspeed",
    "--fsdp",
    "--fsdp_config",
    "--save_steps",
    "--config",
    "--per_device_train_batch_size",
    "--generation_batch_size",
    "--num_processes",
    "--tensor-model-parallel-size",
    "--num-layers",
    "--micro-batch-size",
    "--global-batch-size",
    "--yaml-cfg",
    "--actor.num_nodes",
    "--ds.zero_stage",
    "--vllm.num_engines",
    "--rollout.n_samples_per_prompt",
    "--train.batch_size",
    "--zero_stage",
    "--n_samples_per_prompt",
    "--max-model-len",
    "-tp",
    "--tp",
    "--compilation-config.level",
    "--speculative-config",
    "--deepspeed_config",
    "--model",
    "--no-enable-prefix-caching",
]
VALUES = [
    "0",
    "1",
    "-1",
    "8",
    "1e-6",
    "true",
    "None",
    "",
    "null",
    "nan",
    "inf",
    "1e400",
    "[1]",
    '{"a": {"b": 1}}',
    "32k",
    "a/b",
    "x.json",
]
PROGRAMS = (
    ("trl grpo", ()),
    ("trl sft", ()),
    ("trl vllm-serve", ()),
    ("train.py", ("accelerate",)),
    ("train.py", ("torchrun",)),
    ("train.py", ("deepspeed",)),
    ("openrlhf.cli.train_ppo_ray", ()),
    ("openrlhf.cli.train_sft", ("deepspeed",)),
    ("pretrain_gpt.py", ("srun", "torchrun")),
    ("vllm serve", ()),
    ("sglang.launch_server", ()),
)
parts = st.one_of(
    st.sampled_from(VALUES).map(Part),
    st.text(max_size=6).map(Part),
    st.sampled_from(["env:N", "argument:$1", "command:date"]).map(lambda reason: Part(None, reason)),
    st.just(Part(None, "branch:3", (), ("1", "--bf16 --x"))),
)
words = st.one_of(
    st.sampled_from(NAMES).map(lambda name: Word((Part(name),))),
    st.tuples(st.sampled_from(NAMES), parts).map(lambda pair: Word((Part(pair[0] + "="), pair[1]))),
    st.lists(parts, min_size=1, max_size=3).map(lambda found: Word(tuple(found))),
    st.sampled_from(NAMES).map(lambda name: Word((Part(name),), None, "branch:9")),
)


def ask_everything(run):
    for name in FACTS:
        run.fact(name)
    for kept in run.settings.values():
        for setting in kept:
            kept.value(setting.key)
            kept.default(setting.key)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(PROGRAMS), st.lists(words, max_size=12), st.lists(words, max_size=4))
def test_launches(program, argv, options):
    name, wrappers = program
    source = Source("/nonexistent/run.sh", "x")
    launch = Launch(name, tuple(argv), source.span(0, 1), wrappers, tuple(tuple(options) for _ in wrappers))
    world = World(source)
    framework = leader(launch, world)
    if framework is None:
        return
    run = Run(framework.name, source, launch, launch.span)
    framework.compose(run, world)
    ask_everything(run)
    for kept in list(run.settings.values()):
        for setting in kept:
            framework.spell(setting.key, 3, setting, run)


DOCUMENTS = (
    ("r.yaml", RECIPE),
    ("a.yaml", ACCELERATE),
    ("f.yaml", FSDP),
    ("d.json", json.dumps(CONFIG)),
    ("s.py", SCRIPT),
)
VALUE_TEXTS = [
    "null",
    "[]",
    "{}",
    "'x'",
    "-1",
    "1e-6",
    "auto",
    "true",
    "[1, 2]",
    "{a: 1}",
    ".nan",
    "",
    "${x}",
    "!!python/x y",
    "&a [*a]",
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda pair: pair[0])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_documents_with_strange_values(document, data):
    name, text = document
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        head, mark, _ = lines[at].partition(": ") if name != "s.py" else lines[at].partition("=")
        if mark:
            lines[at] = head + mark + data.draw(st.sampled_from(VALUE_TEXTS))
        elif data.draw(st.booleans()):
            lines[at] = data.draw(st.text(max_size=10))
    if name == "d.json":
        lines = [data.draw(st.sampled_from([text, text.replace("true", "null"), text.replace("64", '"auto"')]))]
    for run in read(Source(str(Path("/nonexistent") / name), "\n".join(lines))).runs:
        ask_everything(run)
