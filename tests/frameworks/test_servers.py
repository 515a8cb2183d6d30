"""vLLM and SGLang servers and Megatron's arguments."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, run_of

from grpolint.run import Hardware


def values(run, framework):
    return {setting.key: known(setting.value) for setting in run.settings[framework]}


def test_vllm_serve():
    run = run_of(
        "CUDA_VISIBLE_DEVICES=0,1 vllm serve Qwen/Qwen3-8B -tp 2 --max-model-len 32k --enforce-eager"
        " --no-enable-prefix-caching --gpu_memory_utilization=0.9 --compilation-config '{\"level\": 3}'".replace(
            "CUDA_VISIBLE_DEVICES=0,1 ", ""
        )
    )
    assert run.trainer == "vllm"
    assert values(run, "vllm") == {
        "model": "Qwen/Qwen3-8B",
        "tensor_parallel_size": 2,
        "max_model_len": 32000,
        "enforce_eager": True,
        "enable_prefix_caching": False,
        "gpu_memory_utilization": 0.9,
        "compilation_config.level": 3,
    }
    expected = {"rollout_engine": "vllm", "rollout_tp": 2, "rollout_memory": 0.9, "context_length": 32000}
    assert {name: fact(run, name) for name in expected} == expected


@pytest.mark.parametrize(
    "line",
    [
        "python -m vllm.entrypoints.openai.api_server --model a/b --port 8000",
        "python3 -m vllm.entrypoints.api_server --model a/b",
        "python vllm/entrypoints/openai/api_server.py --model=a/b",
        "vllm serve --port 8000 --model a/b",
    ],
)
def test_vllm_by_its_modules(line):
    run = run_of(line)
    assert run.trainer == "vllm"
    assert fact(run, "model") == "a/b"


def test_vllm_config_file_stands_under_the_command_line(tmp_path):
    (tmp_path / "serve.yaml").write_text(
        "model: a/b\ntensor-parallel-size: 4\nmax-model-len: 4096\ncompilation-config:\n  pass_config:\n    fuse: true\n"
    )
    run = run_of("vllm serve -tp 2 --config serve.yaml", tmp_path)
    assert values(run, "vllm") == {
        "model": "a/b",
        "tensor_parallel_size": 2,
        "max_model_len": 4096,
        "compilation_config.pass_config.fuse": True,
    }
    shadows = run.setting("vllm", "tensor_parallel_size").shadows
    assert [(known(each.value), each.form) for each in shadows] == [(4, "yaml")]


def test_a_config_file_that_is_not_there_leaves_the_rest_unknown():
    run = run_of("vllm serve a/b --config elsewhere.yaml")
    assert fact(run, "rollout_tp") == "<file:elsewhere.yaml>"
    assert fact(run, "model") == "a/b"


@pytest.mark.parametrize("start", ["python -m sglang.launch_server", "sglang serve", "python3 sglang/launch_server.py"])
def test_sglang(start):
    run = run_of(
        start
        + " --model-path a/b --tp 8 --ep-size 8 --mem-fraction-static 0.8 --disable-cuda-graph --context-length 8192"
    )
    assert run.trainer == "sglang"
    assert values(run, "sglang") == {
        "model_path": "a/b",
        "tp_size": 8,
        "ep_size": 8,
        "mem_fraction_static": 0.8,
        "disable_cuda_graph": True,
        "context_length": 8192,
    }
    assert fact(run, "enforce_eager") is True
    assert fact(run, "rollout_tp") == 8


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", False),
        ("--disable-cuda-graph", True),
        ("--cuda-graph-backend-decode disabled", True),
        ("--cuda-graph-backend-decode full", False),
    ],
)
def test_sglang_without_graphs(options, expected):
    assert fact(run_of(f"sglang serve --model-path a/b {options}"), "enforce_eager") is expected


MEGATRON = (
    "pretrain_gpt.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --context-parallel-size 2"
    " --num-layers 32 --hidden-size 4096 --micro-batch-size 1 --global-batch-size 128 --seq-length 4096 --bf16"
    " --lr 1e-5 --clip-grad 1.0 --use-distributed-optimizer --optimizer-cpu-offload --num-experts 64"
    " --expert-model-parallel-size 4 --save-interval 500 --optimizer adam"
)


def test_megatron():
    run = run_of("torchrun --nproc_per_node 8 --nnodes 4 --node_rank $RANK " + MEGATRON)
    assert run.trainer == "megatron"
    expected = {
        "world_size": 32,
        "tp": 2,
        "pp": 2,
        "cp": 2,
        "ep": 4,
        "dp": 4,
        "gradient_accumulation": 32,
        "train_batch_samples": 128,
        "precision": "bf16",
        "engine": "megatron",
        "optimizer": "adamw",
        "offload_optimizer": "cpu",
        "moe": True,
        "clip_norm": 1.0,
        "learning_rate": 1e-5,
        "context_length": 4096,
        "save_every": 500,
    }
    assert {name: fact(run, name) for name in expected} == expected


def test_megatron_world_size_from_what_the_user_says():
    line = "torchrun --nproc_per_node $GPUS --nnodes $NODES " + MEGATRON
    assert fact(run_of(line), "world_size") == "<env:NODES>"
    run = run_of(line, hardware=Hardware(gpus_per_node=8, nodes=2))
    assert fact(run, "world_size") == 16
    assert fact(run, "dp") == 2


def test_nodes_of_slurm():
    line = "srun torchrun --nproc_per_node 8 --nnodes $SLURM_NNODES " + MEGATRON
    run = run_of(line, directives=(("nodes", "2", None), ("gres", "gpu:h100:8", None)))
    assert fact(run, "world_size") == 16


@pytest.mark.parametrize(
    "line",
    [
        "python train.py --num-layers 3 --hidden-size 128",
        "python a.py --tensor-model-parallel-size 2 --num-layers 3 --micro-batch-size 1 --hf-checkpoint x",
        "python serve.py --model a/b",
        "python prepare.py --tensor-model-parallel-size 2",
    ],
)
def test_programs_that_are_not_surely_megatron(line):
    assert run_of(line) is None


def test_megatron_yaml(tmp_path):
    (tmp_path / "cfg.yaml").write_text(
        "model_parallel:\n  tensor_model_parallel_size: 4\nlanguage_model:\n  num_layers: 24\nmicro_batch_size: 2\n"
    )
    run = run_of("torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg cfg.yaml --micro-batch-size 1", tmp_path)
    assert fact(run, "tp") == 4
    assert fact(run, "micro_batch_per_gpu") == 1
    assert fact(run, "dp") == 2


def test_switches_are_spelled_by_the_flag_that_stores_the_value():
    from grpolint.frameworks.megatron import FRAMEWORK as MEGATRON_LM
    from grpolint.frameworks.vllm import FRAMEWORK as VLLM

    run = run_of("torchrun pretrain_gpt.py --num-layers 2 --hidden-size 8 --micro-batch-size 1 --disable-bias-linear")
    setting = run.setting("megatron", "add_bias_linear")
    assert known(setting.value) is False
    assert MEGATRON_LM.spell("add_bias_linear", True, setting, run) == ""
    assert MEGATRON_LM.spell("add_bias_linear", False, None, run) == "--disable-bias-linear"
    assert MEGATRON_LM.spell("fp8", "hybrid", None, run) == "--fp8-format hybrid"
    assert MEGATRON_LM.spell("clip_grad", 1.0, None, run) == "--clip-grad 1.0"
    run = run_of("vllm serve a/b --enforce-eager --max-model-len=4096")
    eager, length = run.setting("vllm", "enforce_eager"), run.setting("vllm", "max_model_len")
    assert VLLM.spell("enforce_eager", False, eager, run) == "--no-enforce-eager"
    assert VLLM.spell("max_model_len", 8192, length, run) == "--max-model-len=8192"
    assert VLLM.spell("compilation_config.level", 3, None, run) == "--compilation-config.level 3"
    assert VLLM.spell("model", "c/d", run.setting("vllm", "model"), run) == "c/d"
