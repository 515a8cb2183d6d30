"""Whatever stands in a launch or a file of ms-swift, LLaMA-Factory or axolotl: composing ends, every fact can be asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_axolotl import GRPO, SFT
from test_frameworks_fuzz import VALUE_TEXTS, VALUES, ask_everything
from test_llamafactory import CONFIG

from grpolint.documents.source import Source
from grpolint.reader import read

COMMANDS = (
    "swift rlhf --rlhf_type grpo",
    "swift sft",
    "swift rollout",
    "megatron rlhf --rlhf_type grpo",
    "megatron sft",
    "python -m swift.cli.main",
    "llamafactory-cli train",
    "llamafactory-cli train x.yaml",
    "axolotl train",
    "axolotl train x.yaml",
    "accelerate launch -m axolotl.cli.train",
)
NAMES = (
    "--tuner_type",
    "--deepspeed",
    "--fsdp",
    "--per_device_train_batch_size",
    "--gradient_accumulation_steps",
    "--num_generations",
    "--generation_batch_size",
    "--vllm_mode",
    "--use_vllm",
    "--sleep_level",
    "--lora_rank",
    "--torch_dtype",
    "--vllm_engine_kwargs",
    "--global_batch_size",
    "--finetuning_type",
    "--quantization_bit",
    "--launcher",
    "--num-processes",
    "--",
    "--trl.num_generations",
    "lora_rank=8",
)
VARIABLES = ("NPROC_PER_NODE", "NNODES", "CUDA_VISIBLE_DEVICES", "USE_MCA", "FORCE_TORCHRUN")
SWIFT = (
    "model: x\nrlhf_type: grpo\ntuner_type: lora\nlora_rank: 8\nmax_length: 9\ndataset: [a]\nnum_generations: 8\n"
    "deepspeed: zero3\nuse_vllm: true\nvllm_mode: colocate\nsleep_level: 1\nreward_funcs: [accuracy]\ntorch_dtype: bfloat16\n"
)
words = st.one_of(
    st.sampled_from(NAMES), st.sampled_from([*VALUES, "'$X'", '"$@"', "zero2", "fsdp2", "colocate", "full"])
)
quiet = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quiet
@given(
    st.sampled_from(COMMANDS),
    st.lists(words, max_size=14),
    st.dictionaries(st.sampled_from(VARIABLES), st.sampled_from(["8", "0,1", "x", "", "$N", "0"]), max_size=3),
)
def test_launches(command, argv, variables):
    given_words = " ".join(word if word and not set(word) & set("{}[] ") else f"'{word}'" for word in argv)
    assigned = " ".join(f"{name}={value}" for name, value in variables.items())
    for run in read(Source("/nonexistent/run.sh", f"{assigned} {command} {given_words}\n")).runs:
        ask_everything(run)


@pytest.mark.parametrize("text", [CONFIG, SFT, GRPO, SWIFT], ids=["llamafactory", "axolotl", "grpo", "swift"])
@quiet
@given(data=st.data())
def test_files_with_strange_values(text, data):
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        head, mark, _ = lines[at].partition(": ")
        if mark:
            lines[at] = head + mark + data.draw(st.sampled_from(VALUE_TEXTS))
    for run in read(Source(str(Path("/nonexistent/r.yaml")), "\n".join(lines))).runs:
        ask_everything(run)
