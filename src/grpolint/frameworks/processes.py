"""How many processes a launch starts: torchrun, the DeepSpeed launcher, accelerate, plain Python, and what Slurm says.

Every trainer here runs one process on each accelerator, so the number of processes is the world size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grpolint.digits import whole
from grpolint.frameworks.flags import Reading, Syntax, read_flags
from grpolint.launch import Word
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, combine, plain

__all__ = [
    "ALL_GPUS",
    "FACTS",
    "gpus_per_node",
    "launcher_options",
    "nodes",
    "visible_devices",
    "world_size",
    "wrapper",
]

ALL_GPUS = "computed:accelerators of the machine"
"""Reason of a number that the launcher takes from the machine it runs on."""

_TORCHRUN = Syntax("torchrun", switches=frozenset({"standalone", "no_python", "module", "m", "use_env", "no_use_env"}))
_DEEPSPEED = Syntax("deepspeed", aliases={"-H": "hostfile", "-i": "include", "-e": "exclude"})
_SRUN = Syntax("srun", aliases={"-N": "nodes", "-n": "ntasks"})
_STARTERS = ("srun", "mpirun", "mpiexec")
"""Commands that start a program as many times as they are told, each time as one process of the run."""

_DEVICES = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
_SLURM_NODES = ("env:SLURM_NNODES", "env:SLURM_JOB_NUM_NODES")


def wrapper(run: Run, *names: str) -> Sequence[Word] | None:
    """The options that a wrapper of the launch got (`torchrun`, `accelerate`); None if it is not part of it."""
    if run.launch is None:
        return None
    for at, name in enumerate(run.launch.wrappers):
        if name in names:
            return run.launch.wrapper_argv[at] if at < len(run.launch.wrapper_argv) else ()
    return None


def launcher_options(run: Run, name: str) -> Reading | None:
    """The options that torchrun, deepspeed, accelerate or srun got, read; None if it is not part of the launch."""
    words = wrapper(run, name)
    syntaxes = {"torchrun": _TORCHRUN, "deepspeed": _DEEPSPEED, "srun": _SRUN}
    return read_flags(words, syntaxes.get(name, Syntax(name))) if words is not None else None


def _torchrun(run: Run) -> Reading | None:
    words = wrapper(run, "torchrun")
    return read_flags(words, _TORCHRUN) if words is not None else None


def _deepspeed(run: Run) -> Reading | None:
    words = wrapper(run, "deepspeed")
    return read_flags(words, _DEEPSPEED) if words is not None else None


def _launcher(run: Run) -> str:
    if run.launch is None:
        return "accelerate" if "accelerate" in run.settings else "none"
    if _torchrun(run) is not None:
        return "torchrun"
    if _deepspeed(run) is not None:
        return "deepspeed"
    if wrapper(run, "accelerate") is not None or _trl_launches(run):
        return "accelerate"
    return "python"


def _trl_launches(run: Run) -> bool:
    """`trl grpo` and its siblings start themselves through accelerate."""
    return run.launch is not None and run.launch.program.startswith("trl ")


def _supplied(number: int | None, option: str) -> Value | None:
    return Known(number, (Origin(option, None, option),)) if number is not None else None


def _or(value: Value | None, other: Value | None) -> Value | None:
    """`value` if it is known, else `other` if there is one."""
    if value is None or (isinstance(value, Unknown) and other is not None):
        return other
    return value


def _slurm(run: Run, *options: str) -> Value | None:
    """Number that an `#SBATCH` line gives, the last one counting."""
    found: Value | None = None
    for name, text, span in run.launch.directives if run.launch is not None else ():
        if name.lstrip("-") in options:
            digits = text.rsplit(":", 1)[-1].split("-", 1)[0].split("(", 1)[0].strip()
            if (number := whole(digits)) is not None:
                found = Known(number, (Origin("#SBATCH", span, name),))
    return found


def _number(value: Value | None) -> Value | None:
    """A whole number; a torchrun range `1:4` counts as its start; `gpu`, `auto` and the like are the machine's."""
    if not isinstance(value, Known):
        return value
    if isinstance(value.value, bool) or not isinstance(value.value, int):
        text = str(value.value)
        first, _, last = text.partition(":")
        number = whole(first)
        if number is not None and first == (last or first):
            return Known(number, value.origins)
        return Unknown(ALL_GPUS if not last else f"computed:nodes between {first} and {last}", value.origins)
    return value


def visible_devices(run: Run) -> Value | None:
    """Number of devices that an environment variable leaves visible, None if the script sets none."""
    for name in _DEVICES:
        value = run.environment(name)
        if isinstance(value, Known):
            listed = [each for each in str(value.value).split(",") if each.strip()]
            return Known(len(listed), value.origins) if listed else None
        if value is not None:
            return value
    return None


def _include(text: str) -> tuple[int, int | None]:
    """Hosts and devices per host of a DeepSpeed `--include` (`host1@host2:0,1`); no number where all devices count."""
    hosts = [host for host in text.split("@") if host]
    counts = {len(host.split(":", 1)[1].split(",")) if ":" in host else None for host in hosts}
    return max(len(hosts), 1), counts.pop() if len(counts) == 1 else None


def nodes(run: Run) -> Value | None:
    """Machines of the job; None for a configuration that nothing starts."""
    given = _supplied(run.hardware.nodes, "--nodes")
    launcher = _launcher(run)
    found: Value | None = None
    if launcher == "torchrun":
        reading = _torchrun(run)
        found = _number(reading.value("nnodes")) if reading is not None else None
        found = found or _started(run, 1)
    elif launcher == "deepspeed":
        reading = _deepspeed(run)
        assert reading is not None
        found = _number(reading.value("num_nodes"))
        include = plain(reading.value("include"))
        if found is None and include:
            found = combine(lambda text: _include(text)[0], reading.value("include"))
        if found is None:
            hosts = reading.value("hostfile")
            found = Unknown("file:" + str(plain(hosts) or "hostfile")) if hosts is not None else _started(run, 1)
    elif launcher == "accelerate":
        found = _number(run.value("accelerate", "num_machines")) or _started(run, 1)
        if plain(found) is None and isinstance(found, Known):
            found = _started(run, 1)
    elif launcher == "python":
        found = _tasks(run, "nodes", "N") or _started(run, 1)
    if isinstance(found, Unknown) and found.reason in _SLURM_NODES:
        found = _slurm(run, "nodes", "N") or found
    return _or(found, given)


def gpus_per_node(run: Run) -> Value | None:
    """Accelerators, and so processes, on each machine."""
    given = _supplied(run.hardware.gpus_per_node, "--gpus-per-node")
    launcher = _launcher(run)
    found: Value | None = None
    if launcher == "torchrun":
        reading = _torchrun(run)
        found = _number(reading.value("nproc_per_node")) if reading is not None else None
        found = found or _started(run, 1)
    elif launcher == "deepspeed":
        reading = _deepspeed(run)
        assert reading is not None
        found = _number(reading.value("num_gpus"))
        if found is None and plain(reading.value("include")):
            found = combine(lambda text: _include(text)[1], reading.value("include"))
            if isinstance(found, Known) and found.value is None:
                found = None
        found = found or visible_devices(run) or Unknown(ALL_GPUS)
    elif launcher == "accelerate":
        found = combine(_share, _accelerate_processes(run), nodes(run))
    elif launcher == "python":
        found = _tasks(run, "ntasks-per-node") or _started(run, 1)
    if isinstance(found, Unknown) and found.reason == ALL_GPUS:
        found = visible_devices(run) or _slurm(run, "gpus-per-node", "gres", "gpus-per-task") or found
    return _or(found, given)


def _share(processes: int, machines: int) -> int:
    if machines < 1 or processes % machines:
        raise ValueError
    return processes // machines


def _accelerate_processes(run: Run) -> Value | None:
    """Processes over all machines as accelerate launch decides; -1 in its file means they must be given."""
    value = _number(run.value("accelerate", "num_processes"))
    if value is None or (isinstance(value, Known) and value.value in (None, -1)):
        value = visible_devices(run) or Unknown(ALL_GPUS)
    return value


def world_size(run: Run) -> Value | None:
    """Processes of the trainer over all machines; None for a configuration that nothing starts."""
    if _launcher(run) == "accelerate":
        value = _accelerate_processes(run)
        if not isinstance(value, Unknown):
            return value
        other = combine(lambda a, b: a * b, _supplied(run.hardware.gpus_per_node, "--gpus-per-node"), nodes(run))
        return _or(value, other)
    value = combine(lambda a, b: a * b, nodes(run), gpus_per_node(run))
    if value is None and run.launch is None:
        return Unknown("computed:number of processes")
    return value


def _tasks(run: Run, option: str, short: str = "") -> Value | None:
    """What srun is told of its tasks (`--nodes`, `--ntasks-per-node`); None where no such command starts the program."""
    for at, name in enumerate(run.launch.wrappers if run.launch is not None else ()):
        if name not in _STARTERS:
            continue
        reading = read_flags(run.launch.wrapper_argv[at] if run.launch is not None else (), _SRUN)
        srun = name == "srun"
        found = _number(reading.value(option.replace("-", "_"))) if srun else None
        found = found or _slurm(run, option, short)
        tasks = _number(reading.value("ntasks")) if srun else None
        if found is None and plain(tasks) == 1:
            found = tasks
        elif found is None and tasks is not None and not short:
            found = combine(_share, tasks, nodes(run))
        return found or Unknown(f"computed:tasks of {name}")
    return None


def _started(run: Run, number: int) -> Value:
    """A number that follows from how the program is started."""
    if run.launch is None:
        return Known(number, ())
    return Known(number, (Origin("launch", run.launch.span, "started without more"),))


FACTS: Mapping[str, FactFunction] = {"nodes": nodes, "gpus_per_node": gpus_per_node, "world_size": world_size}
