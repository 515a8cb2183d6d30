"""How fast and how small: `make bench`. Prints a table; nothing here passes or fails.

Everything is measured in one run on one machine and given as ratios: to a bare start of the interpreter, and to yamllint
on the same files. The launch files are made here, in the sizes and mixtures that projects have.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

GRPOLINT = [sys.executable, "-m", "grpolint.cli.main"]
YAMLLINT = [sys.executable, "-m", "yamllint", "-d", "relaxed", "-f", "parsable"]
FILES = 200


@dataclass
class Cost:
    """Least processor time (user and system) in seconds, and largest resident set in MiB, of several starts."""

    seconds: float = float("inf")
    mebibytes: float = 0.0


def measure(commands: dict[str, list[str]], folder: Path, repeats: int) -> dict[str, Cost]:
    """Start all commands in turn, `repeats` times, with their output thrown away, after one start that compiles.

    Processor time, and in turn, because other programs may run on the machine. An installed program has its modules
    compiled; here they are compiled into `folder`, whatever the environment says.
    """
    costs = {name: Cost() for name in commands}
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with Path(os.devnull).open("r+b") as null:
        streams = [(os.POSIX_SPAWN_DUP2, null.fileno(), number) for number in (1, 2)]
        for number in range(repeats + 1):
            for name, command in commands.items():
                pid = os.posix_spawn(command[0], command, environment, file_actions=streams)
                _, _, usage = os.wait4(pid, 0)
                cost, size = costs[name], usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
                if number:
                    cost.seconds = min(cost.seconds, usage.ru_utime + usage.ru_stime)
                cost.mebibytes = max(cost.mebibytes, size)
    return costs


CATALOG = """
import sys, time
from grpolint import catalog
from grpolint.catalog import loader

spent, depth = 0.0, 0

def counted(function):
    def call(*words):
        global spent, depth
        depth += 1
        start = time.process_time()
        try:
            return function(*words)
        finally:
            depth -= 1
            if not depth:
                spent += time.process_time() - start
    return call

for name in ("table", "config_files", "newest", "versions"):
    wrapped = counted(getattr(loader, name))
    setattr(loader, name, wrapped)
    setattr(catalog, name, wrapped)
from grpolint.cli.main import main
with open("/dev/null", "w") as null:
    sys.stdout, out = null, sys.stdout
    main(["check", sys.argv[1]])
print(spent / time.process_time(), file=out)
"""
"""Prints the share of a whole process that the loader of the catalog takes for one script."""


def catalog_share(script: Path, repeats: int) -> float:
    """Least share of the catalog in checking one script, between 0 and 1, of several starts."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", CATALOG, str(script)]
    runs = (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(repeats)
    )
    return min(float(run.stdout) for run in runs)


# the files


VERL = {
    "data.train_files": '"$DATA/gsm8k/train.parquet"',
    "data.val_files": '"$DATA/gsm8k/test.parquet"',
    "data.train_batch_size": "1024",
    "data.max_prompt_length": "$MAX_PROMPT",
    "data.max_response_length": "$((MAX_PROMPT * 4))",
    "data.filter_overlong_prompts": "True",
    "data.truncation": "'error'",
    "actor_rollout_ref.model.path": '"$MODEL"',
    "actor_rollout_ref.model.use_remove_padding": "True",
    "actor_rollout_ref.model.enable_gradient_checkpointing": "True",
    "actor_rollout_ref.actor.optim.lr": "1e-6",
    "actor_rollout_ref.actor.ppo_mini_batch_size": "256",
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": "4",
    "actor_rollout_ref.actor.use_kl_loss": "True",
    "actor_rollout_ref.actor.kl_loss_coef": "0.001",
    "actor_rollout_ref.actor.kl_loss_type": "low_var_kl",
    "actor_rollout_ref.actor.entropy_coeff": "0",
    "actor_rollout_ref.actor.use_dynamic_bsz": "${DYNAMIC:-True}",
    "actor_rollout_ref.actor.ppo_max_token_len_per_gpu": "$((MAX_PROMPT * 10))",
    "actor_rollout_ref.actor.fsdp_config.param_offload": "False",
    "actor_rollout_ref.actor.fsdp_config.optimizer_offload": "False",
    "actor_rollout_ref.actor.ulysses_sequence_parallel_size": "$SP",
    "actor_rollout_ref.rollout.name": "$ENGINE",
    "actor_rollout_ref.rollout.n": "$N",
    "actor_rollout_ref.rollout.temperature": "1.0",
    "actor_rollout_ref.rollout.tensor_model_parallel_size": "2",
    "actor_rollout_ref.rollout.gpu_memory_utilization": "0.6",
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": "8",
    "actor_rollout_ref.rollout.enforce_eager": "False",
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": "8",
    "actor_rollout_ref.ref.fsdp_config.param_offload": "True",
    "algorithm.use_kl_in_reward": "False",
    "trainer.critic_warmup": "0",
    "trainer.logger": '\'["console","wandb"]\'',
    "trainer.project_name": "'$PROJECT'",
    "trainer.experiment_name": '"${PROJECT}_$(date +%m%d)"',
    "trainer.n_gpus_per_node": "8",
    "trainer.nnodes": "${NNODES:-1}",
    "trainer.save_freq": "20",
    "trainer.test_freq": "5",
    "trainer.total_epochs": "15",
}

OPENRLHF = [
    "--actor.model_name_or_path $MODEL",
    "--data.prompt_dataset $DATA",
    "--data.max_len 2048",
    "--rollout.batch_size 128",
    "--rollout.n_samples_per_prompt $N",
    "--train.batch_size 128",
    "--train.micro_batch_size 4",
    "--rollout.micro_batch_size 8",
    "--vllm.num_engines 4",
    "--vllm.tensor_parallel_size 2",
    "--vllm.gpu_memory_utilization 0.6",
    "--vllm.enable_sleep",
    "--ds.zero_stage 3",
    "--ds.param_dtype bf16",
    "--actor.gradient_checkpointing_enable",
    "--ckpt.output_dir ${OUT:-./ckpt}",
]

TRL = {
    "model_name_or_path": "Qwen/Qwen3-4B",
    "output_dir": "out/grpo",
    "num_generations": "8",
    "per_device_train_batch_size": "8",
    "gradient_accumulation_steps": "4",
    "learning_rate": "1.0e-6",
    "max_completion_length": "2048",
    "beta": "0.0",
    "loss_type": "dapo",
    "epsilon": "0.2",
    "bf16": "true",
    "gradient_checkpointing": "true",
    "use_vllm": "true",
    "vllm_mode": "colocate",
    "vllm_gpu_memory_utilization": "0.3",
    "logging_steps": "1",
    "save_steps": "100",
    "report_to": "wandb",
    "warmup_ratio": "0.03",
    "lr_scheduler_type": "cosine",
    "use_peft": "true",
    "lora_r": "32",
    "lora_alpha": "64",
    "seed": "42",
}


def verl_script(dice: random.Random) -> str:
    """A script in one of the usual shapes: one command, arrays of options, or a batch job."""
    chosen = dict(dice.sample(sorted(VERL.items()), dice.randint(14, len(VERL))))
    chosen = {"algorithm.adv_estimator": dice.choice(["grpo", "rloo", "gae"])} | chosen
    words = [f"{key}={value}" for key, value in chosen.items()]
    batch = dice.random() < 0.3
    head = ["#!/usr/bin/env bash"]
    if batch:
        nodes = dice.choice([1, 2, 4])
        head += [f"#SBATCH --nodes={nodes}", "#SBATCH --gpus-per-node=8", "#SBATCH --time=24:00:00"]
    head += [
        "set -xeuo pipefail",
        "",
        f"MODEL=${{MODEL:-Qwen/Qwen3-{dice.choice([4, 8, 32])}B}}",
        "DATA=${DATA:-$HOME/data}",
        f"PROJECT=grpo_{dice.randint(1, 99)}",
        f"N={dice.choice([4, 8, 16])}",
        f"MAX_PROMPT={dice.choice([512, 1024, 2048])}",
        "SP=1",
        "ENGINE=${1:-vllm}",
        "export VLLM_USE_V1=1",
        'if [ "$ENGINE" = "vllm" ]; then',
        "    export VLLM_ATTENTION_BACKEND=FLASH_ATTN",
        "fi",
        "",
    ]
    lead = "srun " if batch else ""
    if dice.random() < 0.4:
        cut = len(words) // 2
        arrays = []
        for name, part in (("DATA_ARGS", words[:cut]), ("ACTOR_ARGS", words[cut:])):
            arrays += [f"{name}=(", *(f"    {word}" for word in part), ")", ""]
        command = [
            f"{lead}python3 -m verl.trainer.main_ppo \\",
            '    "${DATA_ARGS[@]}" \\',
            '    "${ACTOR_ARGS[@]}" "$@"',
        ]
        return "\n".join([*head, *arrays, *command]) + "\n"
    body = " \\\n".join([f"{lead}python3 -m verl.trainer.main_ppo", *(f"    {word}" for word in words), "    $@"])
    return "\n".join(head) + body + "\n"


def openrlhf_script(dice: random.Random) -> str:
    """A job handed to Ray."""
    words = dice.sample(OPENRLHF, dice.randint(8, len(OPENRLHF)))
    head = f"set -x\nMODEL=Qwen/Qwen3-8B\nDATA=OpenRLHF/prompts\nN={dice.choice([1, 4, 8])}\n\n"
    lines = ["ray job submit --address=http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray", *words]
    return head + " \\\n   ".join(lines) + "\n"


def serve_script(dice: random.Random) -> str:
    """An inference server."""
    port, tp = dice.randint(8000, 9000), dice.choice([1, 2, 4, 8])
    return (
        f"#!/bin/bash\nexport CUDA_VISIBLE_DEVICES=0,1,2,3\nvllm serve Qwen/Qwen3-8B --port {port} \\\n"
        f"    --tensor-parallel-size {tp} --max-model-len 32768 \\\n    --gpu-memory-utilization 0.9 &\nwait\n"
    )


def trl_config(dice: random.Random) -> str:
    """A configuration for `trl grpo --config`."""
    chosen = dice.sample(sorted(TRL.items()), dice.randint(12, len(TRL)))
    lines = ["# Model and training", *(f"{key}: {value}" for key, value in chosen)]
    lines += ["num_generations: 8", "reward_funcs:", "  - accuracy_reward", "  - think_format_reward", "dataset_mixer:"]
    lines += [
        f"  data/set_{number}:\n    weight: 0.{number}\n    split: train" for number in range(1, dice.randint(2, 9))
    ]
    return "\n".join(dict.fromkeys(lines)) + "\n"


def deepspeed_config(dice: random.Random) -> str:
    """A DeepSpeed configuration."""
    stage = dice.choice([1, 2, 3])
    return (
        '{\n  "bf16": {"enabled": true},\n  "zero_optimization": {\n'
        f'    "stage": {stage},\n    "overlap_comm": true,\n    "contiguous_gradients": true,\n'
        '    "offload_optimizer": {"device": "none"},\n    "stage3_gather_16bit_weights_on_model_save": true\n  },\n'
        '  "gradient_accumulation_steps": "auto",\n  "gradient_clipping": 1.0,\n'
        '  "train_batch_size": "auto",\n  "train_micro_batch_size_per_gpu": "auto",\n  "wall_clock_breakdown": false\n}\n'
    )


MIXTURE = [(verl_script, "sh", 55), (openrlhf_script, "sh", 12), (serve_script, "sh", 5), (trl_config, "yaml", 16)]
MIXTURE += [(deepspeed_config, "json", 12)]


def write_files(folder: Path) -> tuple[Path, Path, Path]:
    """A folder of launch files, a folder of YAML only, and one script of average length."""
    dice = random.Random(20)
    mixed, yaml = folder / "launches", folder / "yaml"
    for place in (mixed, yaml):
        place.mkdir()
    makers = dice.choices(MIXTURE, [weight for *_, weight in MIXTURE], k=FILES)
    for number, (make, suffix, _) in enumerate(makers):
        (mixed / f"run_{number:03}.{suffix}").write_text(make(dice))
    for number in range(FILES):
        (yaml / f"grpo_{number:03}.yaml").write_text(trl_config(dice))
    scripts = sorted(mixed.glob("*.sh"), key=lambda path: path.stat().st_size)
    return mixed, yaml, scripts[len(scripts) // 2]


RULES = """
import json, sys, time
from pathlib import Path
from grpolint import check as engine
from grpolint.documents.source import read_source
from grpolint.reader import read

spent, asked, loaded = {}, {}, set()
consider, load = engine.consider, engine.load

def counted(entry, run, answers):
    start = time.process_time_ns()
    try:
        return consider(entry, run, answers)
    finally:
        spent[entry.id] = spent.get(entry.id, 0) + time.process_time_ns() - start
        asked[entry.id] = asked.get(entry.id, 0) + 1

engine.consider = counted
engine.load = lambda entry: loaded.add(entry.id) or load(entry)
sources = [read_source(path, path.name) for path in sorted(Path(sys.argv[1]).iterdir())]
begin = time.process_time_ns()
for source in sources:
    engine.check(read(source))
whole = time.process_time_ns() - begin
rows = [[rule, spent[rule], asked[rule], rule in loaded] for rule in spent]
json.dump({"whole": whole, "rules": rows}, sys.stdout)
"""
"""Prints the processor time of each rule, imports included, and of all reading and checking, in nanoseconds."""


def cost_of_rules(mixed: Path) -> str:
    """A table of what each rule costs for a folder of launch files: the dearest first, then all others by name."""
    done = subprocess.run([sys.executable, "-c", RULES, str(mixed)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    rows = sorted(found["rules"], key=lambda row: -row[1])
    total = sum(row[1] for row in rows)
    imported = sum(row[3] for row in rows)
    lines = [
        f"{len(rows)} rules asked, {imported} imported; together {total / found['whole']:.0%} of reading and checking.",
        f"{'rule':<8} {'runs':>5} {'us a run':>9} {'share':>7}",
    ]
    lines += [
        f"{rule:<8} {count:>5} {cost / count / 1000:>9.1f} {cost / found['whole']:>7.2%}"
        for rule, cost, count, _ in rows
    ]
    return "\n".join(lines)


def size_of(folder: Path) -> str:
    """How much text a folder holds."""
    texts = [path.read_bytes() for path in folder.iterdir()]
    return f"{len(texts)} files, {sum(map(len, texts)) / 1024:.0f} KiB, {sum(text.count(10) for text in texts)} lines"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="measure grpolint against the interpreter and yamllint")
    parser.add_argument(
        "--repeats", type=int, default=5, help="starts of each command; the least processor time counts"
    )
    parser.add_argument("--keep", help="write the launch files here and leave them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grpolint-bench-") as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        mixed, yaml, script = write_files(folder)
        print(f"launches: {size_of(mixed)}\nyaml:     {size_of(yaml)}\n")
        rows = {
            "bare interpreter": [sys.executable, "-c", "pass"],
            "grpolint --version": [*GRPOLINT, "--version"],
            "grpolint check, one script": [*GRPOLINT, "check", str(script)],
            "grpolint show --argv, one script": [*GRPOLINT, "show", "--argv", str(script)],
            "grpolint check, 200 launch files": [*GRPOLINT, "check", str(mixed)],
            "grpolint check, 200 YAML files": [*GRPOLINT, "check", str(yaml)],
            "yamllint, the same 200 YAML files": [*YAMLLINT, str(yaml)],
        }
        costs = measure(rows, folder, options.repeats)
        share = catalog_share(script, options.repeats)
        rules = cost_of_rules(mixed)
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
    bare, other = costs["bare interpreter"], costs["yamllint, the same 200 YAML files"]
    print(f"{'':<36} {'seconds':>8} {'x bare start':>13} {'x yamllint':>11} {'peak MiB':>9}")
    for name, cost in costs.items():
        ratio = f"{cost.seconds / other.seconds:.2f}" if "200" in name else ""
        print(
            f"{name:<36} {cost.seconds:>8.3f} {cost.seconds / bare.seconds:>13.1f} {ratio:>11} {cost.mebibytes:>9.1f}"
        )
    print(f"\nThe catalog's share of one script: {share:.0%} of its processor time.")
    print(f"\nThe rules over the 200 launch files:\n{rules}\n")
    print(f"A started program is never counted as smaller than this script: {floor:.1f} MiB.")


if __name__ == "__main__":
    main()
