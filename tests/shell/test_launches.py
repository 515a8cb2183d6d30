"""What a simple command starts. In the tables `<reason>` stands for a part of a word that nobody knows."""

from __future__ import annotations

import shlex

import pytest

from grpolint.launch import Part, Word
from grpolint.shell.launch_words import join_words
from grpolint.shell.launches import Peeled, peel


def word(text: str) -> Word:
    """A word; each `<reason>` becomes an unknown part."""
    parts = []
    while (start := text.find("<")) >= 0 and (end := text.find(">", start)) > 0:
        if text[:start]:
            parts.append(Part(text[:start]))
        parts.append(Part(None, text[start + 1 : end]))
        text = text[end + 1 :]
    if text or not parts:
        parts.append(Part(text))
    return Word(tuple(parts))


def peeled(command: str) -> tuple[Peeled | None, list[Word]]:
    words = [word(text) for text in shlex.split(command)]
    return peel(words), words


PROGRAMS = [
    # python itself
    ("python train.py --lr 1", "train.py", "--lr 1", ""),
    ("python3.11 -u -W ignore -X dev ./examples/train.py a=1", "./examples/train.py", "a=1", ""),
    ("python -Wignore -OO train.py", "train.py", "", ""),
    ("/opt/venv/bin/python3 -m verl.trainer.main_ppo data.n=1", "verl.trainer.main_ppo", "data.n=1", ""),
    ("python -um verl.trainer.main_ppo a=1", "verl.trainer.main_ppo", "a=1", ""),
    ("python -mverl.trainer.main_ppo a=1", "verl.trainer.main_ppo", "a=1", ""),
    ("python data_preprocess.py --out x", "data_preprocess.py", "--out x", ""),
    ("./scripts/train.py --x 1", "./scripts/train.py", "--x 1", ""),
    ("python -m sglang.launch_server --model-path m", "sglang.launch_server", "--model-path m", ""),
    ("python -m areal.launcher.ray examples/grpo.py --config c.yaml", "areal.launcher.ray", "examples/grpo.py --config c.yaml", ""),
    # tools of two words
    ("vllm serve Qwen/Qwen3-8B --port 8000", "vllm serve", "Qwen/Qwen3-8B --port 8000", ""),
    ("/usr/local/bin/sglang serve --tp 2", "sglang serve", "--tp 2", ""),
    ("trl grpo --model m", "trl grpo", "--model m", ""),
    ("trl vllm-serve --model m", "trl vllm-serve", "--model m", ""),
    ("swift rlhf --rlhf_type grpo", "swift rlhf", "--rlhf_type grpo", ""),
    ("megatron sft --x 1", "megatron sft", "--x 1", ""),
    ("llamafactory-cli train c.yaml", "llamafactory-cli train", "c.yaml", ""),
    ("axolotl train c.yml", "axolotl train", "c.yml", ""),
    # distributed starters
    ("torchrun --nproc_per_node 8 train.py --lr 1", "train.py", "--lr 1", "torchrun"),
    ("torchrun --nproc-per-node=8 --standalone --nnodes=1 -m pkg.train x=1", "pkg.train", "x=1", "torchrun"),
    ("torchrun --rdzv_backend c10d --rdzv-endpoint h:1 --master_port 1 -t 3 train.py", "train.py", "", "torchrun"),
    ("torchrun --no_python --nproc_per_node 2 vllm serve m", "vllm serve", "m", "torchrun"),
    ("python -m torch.distributed.run --nproc_per_node 8 train.py --a 1", "train.py", "--a 1", "torchrun"),
    ("python3 -m torch.distributed.launch --use_env --nproc_per_node=4 -m pkg.sft --a", "pkg.sft", "--a", "torchrun"),
    ("accelerate launch train.py --a", "train.py", "--a", "accelerate"),
    ("accelerate launch --config_file c.yaml --num_processes 8 --main_process_port 1 src/grpo.py --config g.yaml", "src/grpo.py", "--config g.yaml", "accelerate"),
    ("accelerate launch --multi_gpu --mixed_precision bf16 --use_deepspeed --zero_stage 3 -m pkg.mod --a 1", "pkg.mod", "--a 1", "accelerate"),
    ("accelerate-launch --num-processes 2 train.py", "train.py", "", "accelerate"),
    ("python -m accelerate.commands.launch --num_machines 1 train.py --b", "train.py", "--b", "accelerate"),
    ("accelerate config", None, "", ""),
    ("deepspeed --num_gpus 8 --master_port 29501 train.py --deepspeed c.json", "train.py", "--deepspeed c.json", "deepspeed"),
    ("deepspeed --include localhost:0,1 --module openrlhf.cli.train_ppo --a 1", "openrlhf.cli.train_ppo", "--a 1", "deepspeed"),
    ("deepspeed -H hostfile --no_ssh --node_rank 0 main.py", "main.py", "", "deepspeed"),
    ("mpirun -np 16 -H a:8,b:8 -x NCCL_DEBUG=INFO -mca btl ^openib --bind-to none --allow-run-as-root python train.py --a", "train.py", "--a", "mpirun"),
    ("msrun --worker_num=8 --local_worker_num=8 pretrain.py --x", "pretrain.py", "--x", "msrun"),
    ("colossalai run --nproc_per_node 8 --hostfile h train.py -c c.py", "train.py", "-c c.py", "colossalai"),
    ("mpirun -n 8 -f hosts -env A=1 -genv B 2 python train.py --a", "train.py", "--a", "mpirun"),
    # values lost to unset variables
    ("torchrun --nproc_per_node --nnodes --master_port train.py --a", "train.py", "--a", "torchrun"),
    # clusters
    ("srun --nodes=2 -N 2 --gres gpu:8 -l -u python train.py", "train.py", "", "srun"),
    ("srun -N2 -n16 --container-image x.sqsh --container-mounts /a:/b --no-container-mount-home python -u train.py --c", "train.py", "--c", "srun"),
    ("srun --jobid 7 --overlap --mpi=pmix torchrun --nnodes 2 train.py", "train.py", "", "srun torchrun"),
    ("ray job submit --address=http://h:8265 --no-wait --working-dir . -- python3 -m verl.trainer.main_ppo a=1", "verl.trainer.main_ppo", "a=1", "ray job submit"),
    ("ray job submit --address http://h:8265 python3 train.py --a 1", "train.py", "--a 1", "ray job submit"),
    ("ray start --head", None, "", ""),
    ("ray stop", None, "", ""),
    # environments
    ("uv run train.py --a", "train.py", "--a", "uv run"),
    ("uv run --isolated --extra vllm --with torch==2.6 -p 3.12 -m skyrl.main trainer.x=1", "skyrl.main", "trainer.x=1", "uv run"),
    ("uv --project sub run --frozen python -m pkg.train", "pkg.train", "", "uv run"),
    ("uv run --no-sync coverage run -a --data-file=/c --source=/s run_grpo.py --config c", "run_grpo.py", "--config c", "uv run|coverage"),
    ("uv run rl @ rl.toml", "rl", "@ rl.toml", "uv run"),
    ("uv run torchrun --nproc-per-node 4 train.py", "train.py", "", "uv run torchrun"),
    ("uv pip install x", None, "", ""),
    ("uv sync", None, "", ""),
    ("conda run -n verl --no-capture-output python train.py --a", "train.py", "--a", "conda run"),
    ("conda activate verl", None, "", ""),
    ("poetry run python train.py", "train.py", "", "poetry run"),
    ("docker run --rm -it --gpus all -v /a:/b -e A=1 --shm-size=1g img:tag python3 train.py --a", "train.py", "--a", "docker run"),
    ("docker exec -d -w /x box torchrun --nproc_per_node 8 train.py", "train.py", "", "docker exec|torchrun"),
    ("docker compose -f c.yml run --rm web python train.py", "train.py", "", "docker run"),
    ("docker ps", None, "", ""),
    ("docker run --entrypoint python3 img -m pkg.train a=1", "pkg.train", "a=1", "docker run"),
    ("singularity exec --nv -B /a:/b img.sif python train.py", "train.py", "", "apptainer exec"),
    ("kubectl exec -n ns pod-0 -c main -- python train.py --a", "train.py", "--a", "kubectl exec"),
    # small ones, in chains
    ("nohup python train.py", "train.py", "", "nohup"),
    ("exec python train.py", "train.py", "", "exec"),
    ("time nice -n 5 stdbuf -oL -eL python -u train.py x", "train.py", "x", "time|nice|stdbuf"),
    ("timeout -k 10 --signal=KILL 3600s python train.py", "train.py", "", "timeout"),
    ("numactl --cpunodebind=0 -m 0 python train.py", "train.py", "", "numactl"),
    ("taskset -c 0-7 python train.py", "train.py", "", "taskset"),
    ("sudo -E -u me env -u X A=1 setsid nohup python train.py z", "train.py", "z", "sudo|env|setsid|nohup"),
    ("nsys profile -t cuda,nvtx -o out --force-overwrite true python train.py --p", "train.py", "--p", "nsys"),
    ("env A=1 B=2 vllm serve m", "vllm serve", "m", "env"),
    # an option that nobody knows takes the word after it if a program still follows
    ("torchrun --brand-new 3 train.py --a 1", "train.py", "--a 1", "torchrun"),
    ("torchrun --brand-new train.py --a 1", "train.py", "--a 1", "torchrun"),
    ("uv run --brand-new thing python train.py", "train.py", "", "uv run"),
    # unknown words
    ("python <env:ROOT>/examples/train.py --a 1", "examples/train.py", "--a 1", ""),
    ("python <env:SCRIPT> --a 1", "<env:SCRIPT>", "--a 1", ""),
    ("python <env:FLAGS> train.py --a 1", "train.py", "--a 1", ""),
    ("<env:PYTHON> -m verl.trainer.main_ppo a=1", "verl.trainer.main_ppo", "a=1", ""),
    ("<env:PYTHON> train.py a", "train.py", "a", ""),
    ("<env:VENV>/bin/python -u train.py a", "train.py", "a", ""),
    ("<env:PREFIX> python train.py a", "train.py", "a", "<env:PREFIX>"),
    ("<env:WHAT> --a b", None, "", ""),
    ("torchrun <env:ARGS> train.py --a", "train.py", "--a", "torchrun"),
    ("torchrun --nproc_per_node <env:N> --nnodes <env:M> <env:ROOT>/train.py --a", "train.py", "--a", "torchrun"),
    ("torchrun --nproc_per_node 8 <env:SCRIPT> --lr 1", "<env:SCRIPT>", "--lr 1", "torchrun"),
    ("srun <env:OPTS> --gres=gpu:<env:N> python train.py", "train.py", "", "srun"),
    ("accelerate launch --config_file <env:CFG> --num_processes <env:N> train.py --c", "train.py", "--c", "accelerate"),
    ("python -m <env:MODULE> a=1", "<env:MODULE>", "a=1", ""),
    ("timeout <env:LIMIT> python train.py", "train.py", "", "timeout"),
    # no launches
    ("ls -la", None, "", ""),
    ("pip install -r requirements.txt", None, "", ""),
    ("python -m pip install x", None, "", ""),
    ("python -c 'import torch'", None, "", ""),
    ("python -uc 'import torch'", None, "", ""),
    ("python - a b", None, "", ""),
    ("python", None, "", ""),
    ("python --version", None, "", ""),
    ("git clone x.py", None, "", ""),
    ("huggingface-cli download x", None, "", ""),
    ("which python", None, "", ""),
    ("command -v python", None, "", ""),
    ("exec", None, "", ""),
    ("vllm bench serve", None, "", ""),
    ("timeout 5", None, "", ""),
    ("nvidia-smi", None, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "program", "arguments", "wrappers"), PROGRAMS, ids=[row[0][:60] for row in PROGRAMS]
)
def test_program_its_arguments_and_the_wrappers(command, program, arguments, wrappers):
    found, words = peeled(command)
    if program is None:
        assert found is None
        return
    assert found is not None
    assert found.program == program
    assert [word.pattern for word in words[found.argument_index :]] == shlex.split(arguments)
    names = "|".join(found.wrappers)
    assert names.replace("|", " ") == wrappers.replace("|", " ")
    assert len(found.wrapper_argv) == len(found.wrappers)


NESTED = [
    ("bash -c 'python train.py --a'", "python train.py --a", "", []),
    ("bash -lc 'source x; python train.py' name one two", "source x; python train.py", "one two", []),
    ("bash -x -e -o pipefail -c TEXT", "TEXT", "", []),
    ("bash -euo pipefail -c TEXT", "TEXT", "", []),
    ("srun -N 1 bash -c TEXT", "TEXT", "", ["srun"]),
    ("docker run --rm img bash -c TEXT", "TEXT", "", ["docker run"]),
    ("docker exec box /bin/bash -lc TEXT", "TEXT", "", ["docker exec"]),
    ("sbatch -N 2 --wrap TEXT", "TEXT", "", ["sbatch"]),
    ("sbatch --wrap=TEXT --time 1", "TEXT", "", ["sbatch"]),
    ("sbatch --wrap '<env:CMD>'", "<env:CMD>", "", ["sbatch"]),
    ("ssh -o StrictHostKeyChecking=no -p 22 host 'cd x && python train.py'", "cd x && python train.py", "", ["ssh"]),
    ("ssh host python train.py", "python train.py", "", ["ssh"]),
    ("tmux new-session -d -s name 'python train.py'", "python train.py", "", ["tmux"]),
    ("tmux send-keys -t name 'python train.py' C-m", "python train.py", "", ["tmux"]),
    ("screen -dmS name bash -c TEXT", "TEXT", "", ["screen"]),
    ("ray job submit -- 'python3 train.py --a'", "python3 train.py --a", "", ["ray job submit"]),
    ("nohup bash -c TEXT", "TEXT", "", ["nohup"]),
    ("su me -c TEXT", "TEXT", "", ["su"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "text", "arguments", "wrappers"), NESTED, ids=[row[0][:60] for row in NESTED])
def test_scripts_given_as_text(command, text, arguments, wrappers):
    found, words = peeled(command)
    assert found is not None
    assert found.nested is not None
    assert (found.program, found.nested.pattern) == ("", text)
    assert " ".join(word.pattern for word in words[found.argument_index :]) == arguments
    assert list(found.wrappers) == wrappers


SCRIPTS = [
    ("bash other.sh one two", "other.sh", "one two", []),
    ("bash -x <env:ROOT>/other.sh one", "<env:ROOT>/other.sh", "one", []),
    ("sh ./run.sh", "./run.sh", "", []),
    ("./run.sh one", "./run.sh", "one", []),
    ("sbatch -N 2 --export=ALL,A=1 job.sh one", "job.sh", "one", ["sbatch"]),
    ("srun --ntasks 1 run.sh one", "run.sh", "one", ["srun"]),
    ("nohup bash run.sh", "run.sh", "", ["nohup"]),
    ("docker exec box bash /w/run.sh a", "/w/run.sh", "a", ["docker exec"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "script", "arguments", "wrappers"), SCRIPTS, ids=[row[0][:60] for row in SCRIPTS])
def test_other_scripts(command, script, arguments, wrappers):
    found, words = peeled(command)
    assert found is not None
    assert found.script is not None
    assert (found.program, found.script.pattern) == ("", script)
    assert " ".join(word.pattern for word in words[found.argument_index :]) == arguments
    assert list(found.wrappers) == wrappers


@pytest.mark.parametrize("command", ["bash", "bash -s one", "srun bash", "sbatch", "ssh host bash -s", "sbatch -N 2"])
def test_scripts_on_standard_input(command):
    found, _ = peeled(command)
    assert found is not None
    if command == "ssh host bash -s":
        assert found.nested is not None
        return
    assert found.stdin


def environment(command: str) -> dict[str, str]:
    found, _ = peeled(command)
    assert found is not None
    return {name: value.pattern for name, value in found.env.items()}


def test_environment_that_wrappers_set():
    assert environment("env A=1 B=<env:X>/y python t.py") == {"A": "1", "B": "<env:X>/y"}
    assert environment("docker run -e A=1 --env B=2 -e C -eD=4 img python t.py") == {"A": "1", "B": "2", "D": "4"}
    assert environment("mpirun -x A=1 -x B python t.py") == {"A": "1"}
    assert environment("mpirun -env A=1 -n 2 python t.py") == {"A": "1"}
    assert environment("sbatch --export=ALL,A=1,B=<env:X> job.sh") == {"A": "1", "B": "<env:X>"}
    assert environment("ray job submit --address h -- A=1 B=2 python t.py") == {"A": "1", "B": "2"}
    assert environment("sudo A=1 python t.py") == {"A": "1"}


def test_runtime_environment_of_ray_with_unknown_parts():
    json = '{"working_dir": "./", "env_vars": {"A": "1", "N": 2, "P": "/x:<env:PATH>/y", "Q": <env:Q>, "E": ""}}'
    command = f"ray job submit --runtime-env-json={shlex.quote(json)} -- python3 train.py"
    assert environment(command) == {"A": "1", "N": "2", "P": "/x:<env:PATH>/y", "Q": "<env:Q>", "E": ""}


def test_broken_runtime_environment_gives_nothing():
    assert environment("ray job submit --runtime-env-json='{\"env_vars\": {' -- python3 train.py") == {}
    assert environment("ray job submit --runtime-env-json='[1]' -- python3 train.py") == {}


def test_runtime_environment_file_and_working_directory():
    found, _ = peeled("ray job submit --runtime-env=<env:ROOT>/env.yaml --working-dir /w -- python3 train.py")
    assert found is not None
    assert found.runtime_env is not None
    assert found.cwd is not None
    assert (found.runtime_env.pattern, found.cwd.pattern) == ("<env:ROOT>/env.yaml", "/w")


def test_options_of_each_wrapper_are_kept():
    found, _ = peeled("srun -N 2 --gres=gpu:8 torchrun --nproc_per_node 8 train.py --a")
    assert found is not None
    assert [[word.text for word in own] for own in found.wrapper_argv] == [
        ["-N", "2", "--gres=gpu:8"],
        ["--nproc_per_node", "8"],
    ]


def test_a_submitter_is_a_program_and_hands_on_a_script():
    found, words = peeled("python mason.py --gpus 8 -- source x.sh '&&' python open_instruct/grpo_fast.py --a 1")
    assert found is not None
    assert (found.program, words[found.argument_index].text) == ("mason.py", "--gpus")
    assert found.nested is not None
    assert found.nested.text == "source x.sh && python open_instruct/grpo_fast.py --a 1"


def test_joined_words_keep_unknown_parts():
    assert join_words([word("a<env:X>"), word("b"), word("<env:Y>")]).pattern == "a<env:X> b <env:Y>"


def test_wrappers_without_end_are_given_up():
    assert peeled("nohup " * 500 + "python train.py")[0] is None
    assert peeled("nohup " * 5)[0] is None
