"""LLaMA-Factory from the user's side: its command and script, files with arguments over them, flags."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, launch, leader
from framework_runs import known as plain_value

from grpolint.documents.source import Source
from grpolint.frameworks.llamafactory import FRAMEWORK
from grpolint.reader import read
from grpolint.run import Run
from grpolint.values import Unknown
from grpolint.world import Supplied, World

CONFIG = """\
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 16
lora_target: all
dataset: mine
template: qwen
cutoff_len: 2048
output_dir: saves/sft
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 1.0e-4
bf16: true
deepspeed: ds_z3.json
"""
FLAGS = (
    "CUDA_VISIBLE_DEVICES=0,1,2,3 llamafactory-cli train --model_name_or_path Qwen/Qwen2.5-7B --stage dpo --do_train "
    "--finetuning_type full --dataset mine --template qwen --output_dir out --per_device_train_batch_size 1 "
    "--gradient_accumulation_steps 8 --learning_rate 5e-6 --bf16"
)
VERSIONS = {"llamafactory": "0.9.4", "transformers": "4.57.1"}


def runs(text: str, folder: Path | None = None, **versions: str) -> tuple[Run, ...]:
    path = str((folder or Path("/nonexistent")) / "run.sh")
    return read(Source(path, text + "\n"), Supplied(versions=versions)).runs


def factory(text: str, folder: Path | None = None, **versions: str) -> Run:
    (run,) = runs(text, folder, **versions)
    assert run.trainer == "llamafactory"
    return run


def known(run: Run, framework: str, key: str) -> object:
    return plain_value(run.value(framework, key))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sft.yaml").write_text(CONFIG)
    (tmp_path / "ds_z3.json").write_text(
        '{"train_batch_size": "auto", "gradient_clipping": "auto", "bf16": {"enabled": "auto"},'
        ' "zero_optimization": {"stage": 3, "overlap_comm": false}}'
    )
    return tmp_path


@pytest.mark.parametrize(
    "text",
    [
        "llamafactory-cli train conf.yaml",
        "lmf train conf.yaml",
        "FORCE_TORCHRUN=1 llamafactory-cli train --stage sft",
        "torchrun --nproc_per_node 8 src/train.py --stage sft --finetuning_type lora --template qwen --cutoff_len 512",
        "deepspeed --num_gpus 8 src/train_bash.py --stage sft --finetuning_type lora --template x --dataset_dir data",
    ],
)
def test_commands(text: str) -> None:
    framework = leader(launch(text.removeprefix("FORCE_TORCHRUN=1 ")), World(Source("run.sh", text)))
    assert framework is not None
    assert framework.name == "llamafactory"


@pytest.mark.parametrize(
    "text",
    [
        "llamafactory-cli export merge.yaml",
        "llamafactory-cli api inference.yaml",
        "python train.py --stage sft --lr 1e-5",
        "python src/train.py elsewhere.yaml",
        "torchrun train.py --model_name_or_path x --per_device_train_batch_size 1 --template y",
    ],
)
def test_lookalikes(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is None or framework.name != "llamafactory"


def test_file_with_arguments_over_it(folder: Path) -> None:
    text = (
        "CUDA_VISIBLE_DEVICES=0,1,2,3 FORCE_TORCHRUN=1 llamafactory-cli train sft.yaml learning_rate=2e-5 lora_rank=8"
    )
    run = factory(text, folder, **VERSIONS)
    expected = {
        "world_size": 4,
        "dp": 4,
        "micro_batch_per_gpu": 2,
        "gradient_accumulation": 4,
        "train_batch_samples": 32,
        "learning_rate": 2e-5,
        "lora_rank": 8,
        "lora_alpha": 16,
        "engine": "deepspeed",
        "zero_stage": 3,
        "clip_norm": 1.0,
        "precision": "bf16",
        "base_bits": 16,
        "model": "Qwen/Qwen2.5-7B-Instruct",
        "uses_critic": False,
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "deepspeed", "train_batch_size") == 32
    assert not run.complaints


def test_flags() -> None:
    run = factory(FLAGS, **VERSIONS)
    expected = {"world_size": 4, "learning_rate": 5e-6, "lora_rank": 0, "precision": "bf16", "engine": "ddp"}
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run, "llamafactory", "stage") == "dpo"
    assert not run.complaints


def test_processes() -> None:
    several = factory("NNODES=2 NPROC_PER_NODE=8 FORCE_TORCHRUN=1 llamafactory-cli train --stage sft --dataset x")
    assert fact(several, "world_size") == 16
    all_of_them = factory("llamafactory-cli train --stage sft --dataset x").fact("world_size")
    assert isinstance(all_of_them, Unknown)
    script = "torchrun --nnodes 1 --nproc_per_node 2 src/train.py --stage sft --finetuning_type lora --template q --cutoff_len 9"
    assert fact(factory(script), "world_size") == 2


def test_file_on_its_own() -> None:
    (run,) = read(Source("/nonexistent/sft.yaml", CONFIG), Supplied(versions=VERSIONS)).runs
    assert (run.trainer, fact(run, "lora_rank"), fact(run, "gradient_accumulation")) == ("llamafactory", 16, 4)
    stage = run.value("deepspeed", "zero_optimization.stage")
    assert isinstance(stage, Unknown)
    assert stage.reason == "file:ds_z3.json"


def test_files_for_inference_are_none_of_training() -> None:
    text = (
        "model_name_or_path: x\ntemplate: qwen\ninfer_backend: vllm\nfinetuning_type: lora\nstage: sft\ncutoff_len: 9\n"
    )
    assert not read(Source("/nonexistent/infer.yaml", text)).runs


def test_unknown_argument(folder: Path) -> None:
    text = "llamafactory-cli train sft.yaml lora_ranc=8"
    (sure,) = factory(text, folder, **VERSIONS).complaints
    assert (sure.key, sure.suggestion, sure.certain) == ("lora_ranc", "lora_rank", True)
    assert not factory("ALLOW_EXTRA_ARGS=1 " + text, folder, **VERSIONS).complaints
    assert not factory("USE_MCA=1 " + text, folder, **VERSIONS).complaints


def test_megatron_below(folder: Path) -> None:
    (folder / "mca.yaml").write_text(
        CONFIG.replace("deepspeed: ds_z3.json", "tensor_model_parallel_size: 2\npipeline_model_parallel_size: 2")
    )
    run = factory("NPROC_PER_NODE=8 USE_MCA=1 llamafactory-cli train mca.yaml", folder)
    assert (fact(run, "engine"), fact(run, "dp"), fact(run, "train_batch_samples")) == ("megatron", 2, 16)
    assert not run.complaints


def test_unknown_parts() -> None:
    run = factory('llamafactory-cli train --stage sft --lora_rank "$RANK" $EXTRA')
    for key, reason in (("lora_rank", "env:RANK"), ("cutoff_len", "env:EXTRA")):
        value = run.value("llamafactory", key)
        assert isinstance(value, Unknown)
        assert value.reason == reason
    gone = factory("llamafactory-cli train conf/gone.yaml").value("llamafactory", "stage")
    assert isinstance(gone, Unknown)
    assert gone.reason == "file:conf/gone.yaml"


def test_libraries_below_are_those_that_the_release_takes() -> None:
    run = factory("llamafactory-cli train --stage sft", llamafactory="0.9.2")
    assert run.settings["transformers"].version.text == "4.49.0"
    assert run.settings["transformers"].version.assumed


def test_spelling(folder: Path) -> None:
    run = factory("llamafactory-cli train sft.yaml", folder)
    setting = run.setting("llamafactory", "lora_rank")
    assert FRAMEWORK.spell("lora_rank", 8, setting, run) == "lora_rank: 8"
    assert FRAMEWORK.spell("cutoff_len", 4096, None, run) == "cutoff_len=4096"
    flags = factory(FLAGS)
    assert FRAMEWORK.spell("packing", True, None, flags) == "--packing true"
