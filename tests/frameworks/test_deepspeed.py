"""DeepSpeed files on their own and behind launches; accelerate files."""

from __future__ import annotations

import json

import pytest
from framework_runs import fact, known, run_of

from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.run import Hardware
from grpolint.world import Supplied

CONFIG = {
    "train_batch_size": 64,
    "train_micro_batch_size_per_gpu": 4,
    "gradient_clipping": 0.0,
    "fp16": {"enabled": False},
    "bf16": {"enabled": True},
    "zero_optimization": {
        "stage": 3,
        "offload_optimizer": {"device": "cpu", "pin_memory": True},
        "stage3_prefetch_bucket_size": "auto",
    },
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
}


def one(path, text, **supplied):
    runs = read(Source(path, text), Supplied(**supplied)).runs
    return runs[0] if runs else None


def test_a_file_on_its_own():
    run = one("ds.json", json.dumps(CONFIG, indent=2), hardware=Hardware(gpus_per_node=8, nodes=1))
    assert run.trainer == "deepspeed"
    expected = {
        "engine": "deepspeed",
        "zero_stage": 3,
        "offload_optimizer": "cpu",
        "offload_params": "none",
        "clip_norm": 0.0,
        "precision": "bf16",
        "optimizer": "adamw",
        "learning_rate": 1e-5,
        "micro_batch_per_gpu": 4,
        "gradient_accumulation": 2,
        "train_batch_samples": 64,
        "world_size": 8,
    }
    assert {name: fact(run, name) for name in expected} == expected
    setting = run.setting("deepspeed", "zero_optimization.offload_optimizer.device")
    assert setting.span.text == '"device": "cpu"'
    assert known(run.value("deepspeed", "zero_optimization.stage3_prefetch_bucket_size")) == (
        "<auto:zero_optimization.stage3_prefetch_bucket_size>"
    )


def test_defaults_come_from_the_release():
    run = one("ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 2}}')
    assert run.value("deepspeed", "gradient_clipping").framework == "deepspeed"
    assert fact(run, "offload_optimizer") == "none"
    assert fact(run, "gradient_accumulation") == 1


def test_overlap_is_the_default_of_stage_three_only():
    for stage, expected in ((3, True), (2, False)):
        run = one("ds.json", json.dumps({"train_batch_size": 8, "zero_optimization": {"stage": stage}}))
        value = run.value("deepspeed", "zero_optimization.overlap_comm")
        assert known(value) is expected
        assert value.framework == "deepspeed"


def test_comments_are_read():
    run = one("ds.json", '{ // a comment\n "zero_optimization": {"stage": 1}, /* more */ "bf16": {"enabled": true} }')
    assert fact(run, "zero_stage") == 1


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "null",
        "",
        '{"architectures": ["X"], "model_type": "qwen3", "optimizer": 1, "scheduler": 2, "fp16": 3, "bf16": 4}',
        '{"train_batch_size": 8, "optimizer": {"type": "adam"}}',
        '{"zero_optimization": true}',
        '{"name": "x", "scripts": {}}',
    ],
)
def test_files_that_are_not_surely_deepspeed(text):
    assert one("x.json", text) is None


def test_a_launch_that_names_a_file(tmp_path):
    (tmp_path / "ds.json").write_text(json.dumps(CONFIG))
    run = run_of("deepspeed --num_gpus 4 train.py --deepspeed --deepspeed_config ds.json --other 3", tmp_path)
    assert run.trainer == "deepspeed"
    assert (fact(run, "world_size"), fact(run, "gradient_accumulation"), fact(run, "zero_stage")) == (4, 4, 3)
    run = run_of("torchrun --nproc_per_node 2 finetune.py --deepspeed=ds.json", tmp_path)
    assert (fact(run, "world_size"), fact(run, "zero_stage")) == (2, 3)
    assert run_of("python finetune.py --deepspeed zero3", tmp_path) is None


def test_unknown_folders_before_a_file_are_passed_over(tmp_path):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "ds.json").write_text(json.dumps(CONFIG))
    (tmp_path / ".git").mkdir()
    run = run_of("deepspeed --num_gpus 2 a.py --deepspeed_config $ROOT/configs/ds.json", tmp_path)
    assert fact(run, "zero_stage") == 3
    run = run_of("deepspeed --num_gpus 2 a.py --deepspeed_config=$ROOT/configs/ds.json", tmp_path)
    assert fact(run, "zero_stage") == 3
    line = "accelerate launch --use_deepspeed --deepspeed_config_file $ROOT/configs/ds.json a.py"
    assert fact(run_of(line, tmp_path), "zero_stage") == 3
    line = "torchrun --nproc_per_node 2 t.py --num_generations 2 --use_vllm --bf16 1 --learning_rate 1 --deepspeed "
    assert fact(run_of(line + "$ROOT/configs/ds.json", tmp_path), "zero_stage") == 3
    assert fact(run_of(line + "$ROOT/configs/$NAME.json", tmp_path), "zero_stage") == "<env:NAME>"
    assert fact(run_of(line + "$FILE", tmp_path), "zero_stage") == "<env:FILE>"
    run = run_of("deepspeed --num_gpus 2 a.py --deepspeed_config ds_$STAGE.json", tmp_path)
    assert fact(run, "zero_stage") == "<env:STAGE>"


def test_auto_is_filled_from_trainer_arguments_of_an_unknown_program(tmp_path):
    (tmp_path / "ds.json").write_text('{"zero_optimization": {"stage": 2}, "gradient_clipping": "auto"}')
    run = run_of("deepspeed --include localhost:0,1 run.py --deepspeed ds.json --max_grad_norm 0.3", tmp_path)
    assert fact(run, "clip_norm") == 0.3
    assert fact(run, "world_size") == 2
    run = run_of("deepspeed --include localhost:0,1 run.py --deepspeed ds.json", tmp_path)
    assert fact(run, "clip_norm") == "<auto:gradient_clipping>"


def test_a_file_that_is_not_there_leaves_everything_unknown():
    run = run_of("deepspeed --num_gpus 8 train.py --deepspeed_config configs/ds.json")
    assert fact(run, "zero_stage") == "<file:configs/ds.json>"


@pytest.mark.parametrize(
    ("options", "env", "expected"),
    [
        ("--num_gpus 4 --num_nodes 2", {}, 8),
        ("--include localhost:0,1,2", {}, 3),
        ("--include worker-0@worker-1:0,2", {}, "<computed:accelerators of the machine>"),
        ("", {"CUDA_VISIBLE_DEVICES": "0,1,2,3"}, 4),
        ("", {}, "<computed:accelerators of the machine>"),
        ("--hostfile hosts --num_gpus 8", {}, "<file:hosts>"),
        ("--num_gpus $N", {}, "<env:N>"),
    ],
)
def test_processes_of_the_deepspeed_launcher(options, env, expected):
    run = run_of(f"deepspeed {options} train.py --deepspeed_config ds.json", env=env)
    assert fact(run, "world_size") == expected


MEGATRON = "--num-layers 2 --tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 8"
PER_NODE = (("nodes", "2", None), ("ntasks-per-node", "8", None))


@pytest.mark.parametrize(
    ("start", "given", "expected"),
    [
        ("", (), 1),
        ("srun -N 4 --ntasks-per-node 8", (), 32),
        ("srun --nodes=4 --ntasks=16", (), 16),
        ("srun --ntasks=1", (), 1),
        ("srun", PER_NODE, 16),
        ("srun -l", (), "<computed:tasks of srun>"),
        ("srun --ntasks $N --nodes 2", (), "<env:N>"),
        ("mpirun -np 16", (), "<computed:tasks of mpirun>"),
        ("srun torchrun --nnodes 2 --nproc_per_node 4", (), 8),
    ],
)
def test_what_starts_a_program_several_times_decides_the_number_of_processes(start, given, expected):
    python = "" if "torchrun" in start else "python "
    run = run_of(f"{start} {python}pretrain_gpt.py {MEGATRON}".strip(), directives=given)
    assert fact(run, "world_size") == expected


@pytest.mark.parametrize("place", ["AMAZON_SAGEMAKER", '"AMAZON_SAGEMAKER"'])
def test_a_file_for_sagemaker_has_keys_of_its_own(place):
    text = f"compute_environment: {place}\ndistributed_type: 'NO'\nnum_machines: 1\niam_role_name: x\n"
    assert not one("sagemaker.yaml", text).complaints
    assert one("local.yaml", text.replace(place, "LOCAL_MACHINE")).complaints


FSDP = """\
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_version: 2
  fsdp_offload_params: true
  reshard_after_forward: true
mixed_precision: bf16
num_machines: 2
num_processes: 16
"""


def test_an_accelerate_file_on_its_own():
    run = one("fsdp.yaml", FSDP)
    assert run.trainer == "accelerate"
    expected = {
        "engine": "fsdp2",
        "fsdp_version": 2,
        "precision": "bf16",
        "offload_params": "cpu",
        "zero_stage": None,
        "world_size": 16,
        "nodes": 2,
        "gpus_per_node": 8,
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run.value("accelerate", "fsdp_reshard_after_forward")) is True
    assert known(run.value("accelerate", "fsdp_config.fsdp_version")) == 2
    assert run.setting("accelerate", "fsdp_version").span.text == "fsdp_version: 2"


def test_flags_of_the_launcher_win_over_its_file(tmp_path):
    (tmp_path / "fsdp.yaml").write_text(FSDP)
    run = run_of("accelerate launch --config_file fsdp.yaml --num_processes 4 --num_machines 1 run.py --x 1", tmp_path)
    assert run.trainer == "accelerate"
    assert (fact(run, "world_size"), fact(run, "nodes"), fact(run, "gpus_per_node")) == (4, 1, 4)
    assert fact(run, "engine") == "fsdp2"


def test_accelerate_names_a_deepspeed_file(tmp_path):
    (tmp_path / "ds.json").write_text(json.dumps(CONFIG))
    (tmp_path / "acc.yaml").write_text(
        "distributed_type: DEEPSPEED\nnum_processes: 8\ndeepspeed_config:\n  deepspeed_config_file: ds.json\n"
    )
    run = run_of("accelerate launch --config_file acc.yaml run.py", tmp_path)
    assert (fact(run, "engine"), fact(run, "zero_stage"), fact(run, "clip_norm")) == ("deepspeed", 3, 0.0)


def test_accelerate_without_stage_is_stage_two():
    run = one(
        "acc.yaml", "distributed_type: DEEPSPEED\nmixed_precision: bf16\nnum_processes: 8\ndeepspeed_config: {}\n"
    )
    assert fact(run, "zero_stage") == 2
    assert fact(run, "clip_norm") == "<auto:gradient_clipping>"


@pytest.mark.parametrize(
    "line", ["accelerate launch run.py --x 1", "python run.py", "accelerate launch --num_processes 2 a.py"]
)
def test_a_launcher_that_is_told_nothing_is_not_ours(line):
    assert run_of(line) is None
