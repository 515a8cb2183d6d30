"""Which variables reach the program: what is not exported, what is exported elsewhere, what Ray was started with."""

from __future__ import annotations

import pytest

LAUNCH = "python3 -m verl.trainer.main_ppo a.b=1\n"

UNEXPORTED = {
    "a line of its own": ("NCCL_DEBUG=INFO\n", ["NCCL_DEBUG"]),
    "exported on the same line": ("export NCCL_DEBUG=INFO\n", []),
    "exported later": ("NCCL_DEBUG=INFO\nexport NCCL_DEBUG\n", []),
    "exported before": ("export NCCL_DEBUG\nNCCL_DEBUG=INFO\n", []),
    "under allexport": ("set -a\nNCCL_DEBUG=INFO\nset +a\n", []),
    "declared exported": ("declare -x NCCL_DEBUG=INFO\n", []),
    "taken back": ("export NCCL_DEBUG=INFO\nexport -n NCCL_DEBUG\n", ["NCCL_DEBUG"]),
    "unset": ("NCCL_DEBUG=INFO\nunset NCCL_DEBUG\n", []),
    "of a subshell": ("(NCCL_DEBUG=INFO)\n", []),
    "of a function": ("f() { local NCCL_DEBUG=INFO; }\nf\n", []),
    "of the script's own": ("MODEL=qwen\nBATCH=8\n", []),
}


@pytest.mark.parametrize(("text", "names"), UNEXPORTED.values(), ids=UNEXPORTED)
def test_variables_that_the_program_does_not_see(read, text, names):
    (launch,) = read(text + LAUNCH).launches
    assert list(launch.unexported) == names
    assert not set(names) & set(launch.env)


def test_a_variable_of_the_command_itself_is_seen(read):
    (launch,) = read("NCCL_DEBUG=WARN\nNCCL_DEBUG=INFO " + LAUNCH).launches
    assert launch.unexported == {}
    assert launch.env["NCCL_DEBUG"].text == "INFO"


LEFT = {
    "a container": ("docker run --gpus all image " + LAUNCH, ["A"]),
    "a container that is given it": ("docker run -e A=2 image " + LAUNCH, []),
    "a running container": ("docker exec c " + LAUNCH, ["A"]),
    "another machine": ("ssh node 'python3 -m verl.trainer.main_ppo a.b=1'\n", ["A"]),
    "another machine where it is set": ("ssh node 'export A=3; python3 -m verl.trainer.main_ppo a.b=1'\n", []),
    "a shell in a container": ("docker run image bash -c 'python3 -m verl.trainer.main_ppo a.b=1'\n", ["A"]),
    "a Ray job": ("ray job submit -- " + LAUNCH, ["A"]),
    "a Ray job that is given it": (
        'ray job submit --runtime-env-json \'{"env_vars": {"A": "1"}}\' -- ' + LAUNCH,
        [],
    ),
    "the same machine": ("nohup " + LAUNCH, []),
    "a child": ("bash -c 'python3 -m verl.trainer.main_ppo a.b=1'\n", []),
}


@pytest.mark.parametrize(("text", "names"), LEFT.values(), ids=LEFT)
def test_variables_that_stay_where_the_launch_is_typed(read, text, names):
    (launch,) = read("export A=1\nB=2\n" + text).launches
    assert list(launch.left_behind) == names


def test_commands_of_ray_before_a_launch(read):
    text = "export A=1\nray stop\nPORT=6379\nB=2 ray start --head --port=$PORT\nexport C=3\n" + LAUNCH + "ray stop\n"
    (launch,) = read(text).launches
    stop, start = launch.earlier
    assert [word.text for word in stop.words] == ["ray", "stop"]
    assert [word.text for word in start.words] == ["ray", "start", "--head", "--port=6379"]
    assert (list(start.env), start.condition, start.span.line) == (["A", "B"], None, 4)


def test_commands_of_ray_elsewhere_are_not_those_of_this_machine(read):
    text = "ssh node 'ray start --address=$H --block'\ndocker run image bash -c 'ray start --head'\nray start --head\n"
    (launch,) = read(text + LAUNCH).launches
    assert [command.span.text for command in launch.earlier] == ["ray start --head"]


@pytest.mark.parametrize(
    "text",
    [
        'if [ "$RANK" = 0 ]; then ray start --head; else ray start --address=$H; fi\n',
        'if [ -z "$RANK" ]; then ray start --head; fi\n',
        "if nvidia-smi; then ray start --head; fi\n",
    ],
)
def test_a_command_of_ray_that_only_some_nodes_run_is_conditional(read, text):
    (launch,) = read(text + LAUNCH).launches
    assert launch.earlier
    assert all(command.condition is not None for command in launch.earlier)


LOST = {
    "blanks on both sides": ("export A = 1\n", "export"),
    "a blank behind": ("export A= 1\n", "export"),
    "a blank before": ("export A =1\n", "export"),
    "a command": ("NCCL_DEBUG = INFO\n", "command"),
}


@pytest.mark.parametrize(("text", "why"), LOST.values(), ids=LOST)
def test_assignments_that_bash_does_not_take_for_any(read, text, why):
    reading = read(text + LAUNCH + LAUNCH)
    (slip,) = reading.slips
    assert (slip.kind, slip.why, slip.span.text) == ("lost-assignment", why, text.rstrip())
    assert [launch.slips for launch in reading.launches] == [(slip,), ()]


@pytest.mark.parametrize(
    "text",
    [
        "export A=1 B=2\n",
        "export A= B=2\n",
        "export A B\n",
        "export -n A\n",
        "export -p\n",
        "export $(cat .env | xargs)\n",
        "export -f a-b\n",
        "export A=<path of data, with blanks>\n",
        "export A+=1\n",
        'export PATH="$HOME/a b:$PATH"\n',
        '[ "$A" = 1 ]\n',
        "expr a = b\n",
    ],
)
def test_assignments_that_are_fine(read, text):
    assert read(text + LAUNCH).slips == ()
