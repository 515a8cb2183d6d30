"""Unsloth below TRL, models loaded by bitsandbytes, and servers that a script starts beside its trainer."""

import pytest
from framework_runs import fact, known

from grpolint.documents.source import Source
from grpolint.reader import read


def one(text):
    """The run of a Python file."""
    (run,) = read(Source("train.py", text)).runs
    return run


LOAD = "from unsloth import FastLanguageModel\nfrom trl import GRPOConfig, GRPOTrainer\n"
TRAIN = """args = GRPOConfig(num_generations=4, max_completion_length=512, output_dir='o'{more})
GRPOTrainer(model=model, args=args, reward_funcs=[f])
"""


def unsloth(arguments, more="", adapter="r=16"):
    return one(
        f"{LOAD}model, tok = FastLanguageModel.from_pretrained('unsloth/Qwen3-4B'{arguments})\n"
        f"model = FastLanguageModel.get_peft_model(model, {adapter})\n{TRAIN.format(more=more)}"
    )


def test_the_loader_decides_what_generates_and_in_how_many_bits():
    run = unsloth(", max_seq_length=1024, fast_inference=True, gpu_memory_utilization=0.7, max_lora_rank=32")
    expected = {
        "rollout_engine": "vllm",
        "rollout_colocated": True,
        "rollout_memory": 0.7,
        "context_length": 1024,
        "base_bits": 4,
        "lora_rank": 16,
        "lora_sync": "adapter",
        "model": "unsloth/Qwen3-4B",
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run.value("trl", "use_vllm")) is True
    assert known(run.value("trl", "vllm_mode")) == "colocate"


@pytest.mark.parametrize(
    ("arguments", "bits", "rank", "engine"),
    [
        ("", 4, 16, "hf"),
        (", load_in_4bit=False", 16, 16, "hf"),
        (", load_in_8bit=True", 8, 16, "hf"),
        (", load_in_16bit=True", 16, 16, "hf"),
        (", full_finetuning=True", 16, 0, "hf"),
        (", load_in_4bit=FOUR", "<expression:FOUR>", 16, "hf"),
        (", fast_inference=FAST", 4, 16, "<expression:FAST>"),
    ],
)
def test_widths(arguments, bits, rank, engine):
    run = unsloth(arguments)
    assert (fact(run, "base_bits"), fact(run, "lora_rank"), fact(run, "rollout_engine")) == (bits, rank, engine)


def test_defaults_that_unsloth_replaces_are_unknown_unless_they_are_set():
    run = unsloth("")
    assert fact(run, "kl_in_loss").startswith("<computed:")
    assert fact(run, "micro_batch_per_gpu").startswith("<computed:")
    assert fact(run, "precision").startswith("<computed:")
    run = unsloth("", more=", beta=0.0, per_device_train_batch_size=8, bf16=True")
    assert (fact(run, "kl_in_loss"), fact(run, "micro_batch_per_gpu"), fact(run, "precision")) == (False, 8, "bf16")


def test_standby_is_sleep_mode():
    assert fact(unsloth(", fast_inference=True"), "rollout_sleep") is False
    run = one(
        f"import os\nos.environ['UNSLOTH_VLLM_STANDBY'] = '1'\n{LOAD}"
        "model, tok = FastLanguageModel.from_pretrained('a/b', fast_inference=True)\n" + TRAIN.format(more="")
    )
    assert fact(run, "rollout_sleep") is True


def test_an_import_of_unsloth_is_enough():
    run = one(
        "import unsloth\nfrom trl import SFTConfig, SFTTrainer\nSFTTrainer(model=m, args=SFTConfig(packing=True))\n"
    )
    assert fact(run, "learning_rate").startswith("<computed:")
    assert fact(run, "trainer_kind") == "sft"


@pytest.mark.parametrize(
    ("loading", "bits"),
    [
        (
            "q = BitsAndBytesConfig(load_in_4bit=True)\nm = AutoModelForCausalLM.from_pretrained('a/b', quantization_config=q)",
            4,
        ),
        (
            "q = BitsAndBytesConfig(load_in_8bit=True)\nm = AutoModelForCausalLM.from_pretrained('a/b', quantization_config=q)",
            8,
        ),
        ("m = AutoModelForCausalLM.from_pretrained('a/b', load_in_4bit=True)", 4),
        ("m = AutoModelForCausalLM.from_pretrained('a/b')", None),
    ],
)
def test_bits_of_a_model_that_python_loads(loading, bits):
    run = one(
        "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\nfrom trl import GRPOConfig, GRPOTrainer\n"
        f"{loading}\nGRPOTrainer(model=m, args=GRPOConfig(output_dir='o'), reward_funcs=[f])\n"
    )
    assert fact(run, "base_bits") == bits


def test_how_the_only_model_is_loaded():
    run = one(
        "from transformers import AutoModelForCausalLM\nfrom trl import SFTConfig, SFTTrainer\n"
        "m = AutoModelForCausalLM.from_pretrained('a/b', device_map='auto', attn_implementation='sdpa')\n"
        "SFTTrainer(model=m, args=SFTConfig(output_dir='o'))\n"
    )
    assert known(run.value("transformers", "from_pretrained.device_map")) == "auto"
    assert run.setting("transformers", "from_pretrained.attn_implementation").span.text == "attn_implementation='sdpa'"


SERVE = "trl vllm-serve --model a/b"
START = "accelerate launch --num_machines 1 --num_processes"
TRAINER = "-m trl.scripts.grpo --use_vllm true --vllm_mode server"


@pytest.mark.parametrize(
    ("script", "server", "trainer"),
    [
        (
            f"CUDA_VISIBLE_DEVICES=0,1 {SERVE} --tensor-parallel-size 2 &\nCUDA_VISIBLE_DEVICES=2,3 {START} 2 {TRAINER}",
            ["0", "1"],
            ["2", "3"],
        ),
        (f"CUDA_VISIBLE_DEVICES=4,5,6 {SERVE} -tp 2 &\n{START} 3 {TRAINER}", ["4", "5"], ["0", "1", "2"]),
        (f"export CUDA_VISIBLE_DEVICES=7,6,5\n{SERVE} &\n{START} 3 {TRAINER}", ["7"], ["7", "6", "5"]),
        (
            f"CUDA_VISIBLE_DEVICES=$1 {SERVE} &\nCUDA_VISIBLE_DEVICES=1 {START} 1 {TRAINER}",
            "<argument:$1>",
            ["1"],
        ),
        (f"srun -w other {SERVE} &\n{START} 2 {TRAINER}", None, ["0", "1"]),
        (f"if [ $1 ]; then {SERVE} & fi\n{START} 2 {TRAINER}", None, ["0", "1"]),
        (f"{SERVE} &\n{SERVE} --port 8001 &\n{START} 2 {TRAINER}", None, ["0", "1"]),
        (f"{SERVE} &\n{START} 2 --gpu_ids 3,4 {TRAINER}", ["0"], ["3", "4"]),
    ],
)
def test_devices_of_a_server_and_its_trainer(script, server, trainer):
    *_, run = read(Source("run.sh", script + "\n")).runs
    assert (fact(run, "server_devices"), fact(run, "trainer_devices")) == (server, trainer)
