"""What each command that starts another command does with the words before it: its options, operands and names.

Long options are written with dashes (an underscore in a script counts as a dash). Short options are single letters;
a command whose options are long words behind one dash (`mpirun -np`) has `single_dash` set.
"""

from __future__ import annotations

from grpolint.records import Record

__all__ = ["MODULE_WRAPPERS", "NOT_PROGRAMS", "PYTHON", "SHELL", "TOOLS", "WRAPPERS", "Wrapper"]


class Wrapper(Record):
    """One wrapper. `valued` options take the next word (`pairs`: the next two), `flags` take none; others are judged
    by what follows. `operands` counts the words between the options and the inner command (the image of
    `docker run`). `env`, `cwd` and `limits` name the options that carry `NAME=VALUE`, a working directory and a limit of
    resources. `modules` are the flags after which the first operand is a module, `commands` those after which it is
    any command. `inner` says what stands after the options: `command`, `python` (a script) or `text` (words for a remote shell).
    """

    name: str
    valued: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    operands: int = 0
    subcommands: tuple[str, ...] = ()
    assignments: bool = False
    single_dash: bool = False
    inner: str = "command"
    env: frozenset[str] = frozenset()
    cwd: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    interspersed: bool = False
    """Whether options may also stand behind the operands."""
    starters_only: bool = False
    """Whether the inner command must look like a program start, for wrappers with open-ended words of their own."""


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_MODULE = _set("-m --module")

PYTHON = Wrapper(
    "python",
    valued=_set("-X -W --check-hash-based-pycs"),
    flags=_set("-u -O -B -E -s -S -I -b -d -v -i -q -x -P -R"),
    inner="python",
)
SHELL = Wrapper("bash", valued=_set("-o -O +o +O --rcfile --init-file"), flags=_set("-l -i -x -e -u -v -n -p -r -s"))

_TORCHRUN = Wrapper(
    "torchrun",
    valued=_set(
        "--nnodes --nproc-per-node --rdzv-backend --rdzv-endpoint --rdzv-id --rdzv-conf --max-restarts --event-log-handler"
        " --monitor-interval --start-method --role --log-dir --redirects -r --tee -t --local-ranks-filter --node-rank"
        " --master-addr --master-port --local-addr --logs-specs --numa-binding --signals-to-handle --shutdown-timeout"
    ),
    flags=_set("--standalone --no-python --run-path --use-env --use_env --virtual-local-rank --module -m"),
    inner="python",
    modules=_MODULE,
    commands=_set("--no-python"),
)
_ACCELERATE = Wrapper(
    "accelerate",
    valued=_set(
        "--config-file --num-processes --num-machines --machine-rank --main-process-ip --main-process-port --gpu-ids"
        " --mixed-precision --num-cpu-threads-per-process --dynamo-backend --dynamo-mode --tee --log-dir --role"
        " --rdzv-backend --rdzv-conf --max-restarts --monitor-interval --main-training-function -t --deepspeed-config-file"
        " --zero-stage --offload-optimizer-device --offload-param-device --offload-optimizer-nvme-path"
        " --offload-param-nvme-path --gradient-accumulation-steps --gradient-clipping --zero3-init-flag"
        " --zero3-save-16bit-model --deepspeed-hostfile --deepspeed-exclusion-filter --deepspeed-inclusion-filter"
        " --deepspeed-multinode-launcher --deepspeed-moe-layer-cls-names --fsdp-version --fsdp-offload-params"
        " --fsdp-min-num-params --fsdp-sharding-strategy --fsdp-reshard-after-forward --fsdp-auto-wrap-policy"
        " --fsdp-transformer-layer-cls-to-wrap --fsdp-backward-prefetch --fsdp-state-dict-type"
        " --fsdp-forward-prefetch --fsdp-use-orig-params --fsdp-cpu-ram-efficient-loading --fsdp-sync-module-states"
        " --fsdp-activation-checkpointing --megatron-lm-tp-degree --megatron-lm-pp-degree"
        " --megatron-lm-num-micro-batches --megatron-lm-sequence-parallelism --megatron-lm-recompute-activations"
        " --megatron-lm-use-distributed-optimizer --megatron-lm-gradient-clipping"
        " --megatron-lm-use-custom-fsdp --megatron-lm-no-load-optim --megatron-lm-eod-mask-loss"
        " --megatron-lm-no-save-optim --megatron-lm-optimizer-cpu-offload --megatron-lm-use-precision-aware-optimizer"
        " --megatron-lm-overlap-cpu-optimizer-d2h-h2d --megatron-lm-decoder-last-pipeline-num-layers"
        " --megatron-lm-recompute-granularity --megatron-lm-recompute-method --megatron-lm-recompute-num-layers"
        " --megatron-lm-attention-backend --megatron-lm-expert-model-parallel-size"
        " --megatron-lm-context-parallel-size --megatron-lm-attention-dropout --megatron-lm-hidden-dropout"
        " --megatron-lm-attention-softmax-in-fp32 --megatron-lm-expert-tensor-parallel-size"
        " --megatron-lm-calculate-per-token-loss --megatron-lm-use-rotary-position-embeddings"
        " --fp8-backend --fp8-enable-fsdp-float8-all-gather --fp8-pad-inner-dim --fp8-margin --fp8-interval --fp8-format"
        " --fp8-amax-history-len --fp8-amax-compute-algo --fp8-override-linear-precision --fp8-opt-level"
        " --aws-access-key-id --aws-secret-access-key --mpirun-hostfile --mpirun-ccl --env --vm --tpu-name --tpu-zone"
        " --parallelism-config-dp-replicate-size --parallelism-config-dp-shard-size --parallelism-config-tp-size"
        " --parallelism-config-cp-size --parallelism-config-cp-backend --parallelism-config-cp-comm-strategy"
        " --parallelism-config-sp-size --parallelism-config-sp-backend --parallelism-config-sp-seq-length"
        " --parallelism-config-sp-seq-length-is-variable --parallelism-config-sp-attn-implementation"
    ),
    flags=_set(
        "--quiet -q --cpu --multi-gpu --tpu --ipex --use-cpu --use-mps-device --use-deepspeed --use-fsdp"
        " --use-megatron-lm --use-xpu --use-parallelism-config --same-network --debug --module -m --no-python"
        " --downcast-bf16 --dynamo-use-fullgraph --dynamo-use-dynamic --dynamo-use-regional-compilation"
        " --enable-cpu-affinity --standalone --tpu-cluster --no-tpu-cluster --fp8-use-autocast-during-eval --tpu-use-cluster --no-tpu-use-cluster --tpu-use-sudo"
    ),
    subcommands=("launch",),
    inner="python",
    modules=_MODULE,
    commands=_set("--no-python"),
)
_DEEPSPEED = Wrapper(
    "deepspeed",
    valued=_set(
        "-H --hostfile -i --include -e --exclude --num-nodes --min-elastic-nodes --max-elastic-nodes --num-gpus"
        " --num-accelerators --master-port --master-addr --node-rank --launcher --launcher-args --autotuning"
        " --enable-each-rank-log --bind-core-list --ssh-port --venv-script"
    ),
    flags=_set(
        "--module --no-python --no-local-rank --no-ssh-check --no-ssh --force-multi --save-pid --elastic-training"
        " --bind-cores-to-rank"
    ),
    inner="python",
    modules=frozenset(["--module"]),
    commands=_set("--no-python"),
)
_MPI = Wrapper(
    "mpirun",
    valued=_set(
        "-np -n -c -H -host --host -hostfile --hostfile -machinefile --machinefile -f -ppn -perhost -npernode -N"
        " -npersocket -map-by --map-by -bind-to --bind-to -rank-by --rank-by -x -wdir --wdir -wd -output-filename"
        " --output-filename -prefix --prefix -rankfile --rankfile -rf -launcher -bootstrap -genvlist -iface -envlist"
        " --timeout -timeout --app -app"
    ),
    pairs=_set("-mca --mca -gmca --gmca --prtemca --pmixmca -genv -env"),
    flags=_set(
        "--allow-run-as-root -allow-run-as-root --oversubscribe -oversubscribe --tag-output -tag-output -l -v -q"
        " --display-map --report-bindings -report-bindings --nooversubscribe -bynode -byslot --verbose -genvall"
    ),
    single_dash=True,
    env=_set("-x -env -genv"),
    cwd=_set("-wdir --wdir -wd"),
)
_SLURM_VALUED = (
    "-A --account --acctg-freq --array -a --batch --bb --bbf -b --begin --bcast --clusters -M --comment --constraint -C"
    " --container --container-image --container-mounts --container-name --container-workdir --container-env"
    " --container-save --container-id --core-spec -S --cores-per-socket --cpu-bind --cpu-freq --cpus-per-gpu"
    " --cpus-per-task -c --deadline --delay-boot --dependency -d --chdir -D --distribution -m --epilog --error -e"
    " --exclude -x --export --export-file --extra --extra-node-info -B --gid --gpu-bind --gpu-freq --gpus -G"
    " --gpus-per-node --gpus-per-socket --gpus-per-task --gres --gres-flags --hint --input -i --job-name -J --jobid"
    " --licenses -L --mail-type --mail-user --mcs-label --mem --mem-bind --mem-per-cpu --mem-per-gpu --mincpus"
    " --mpi --network --nodefile -F --nodelist -w --nodes -N --ntasks -n --ntasks-per-core --ntasks-per-gpu"
    " --ntasks-per-node --ntasks-per-socket --ntasks-per-tres --open-mode --output -o --partition -p --power"
    " --prefer --priority --profile --prolog --qos -q --relative -r --reservation --resv-ports --segment --signal"
    " --slurmd-debug --sockets-per-node --switches --task-epilog --task-prolog --thread-spec --threads"
    " --threads-per-core --time -t --time-min --tmp --tres-bind --tres-per-task --uid --wckey --wrap --het-group"
)
_SLURM_FLAGS = (
    "-l --label -u --unbuffered -K --kill-on-bad-exit -O --overcommit -s --oversubscribe --overlap --exact --exclusive"
    " --whole --pty -k --no-kill -E --preserve-env -Q --quiet -v --verbose --multi-prog -X --disable-status"
    " -Z --no-allocate -I --immediate --propagate --x11 -H --hold --parsable --requeue --no-requeue --contiguous"
    " --spread-job --use-min-nodes --reboot --ignore-pbs --test-only --container-mount-home --container-readonly"
    " --no-container-mount-home --container-remap-root --no-container-remap-root --container-writable"
    " --no-container-entrypoint --container-entrypoint --get-user-env --nice --interactive --no-bell --bell"
)
_SRUN = Wrapper(
    "srun",
    valued=_set(_SLURM_VALUED + " -W --wait -T"),
    flags=_set(_SLURM_FLAGS),
    env=frozenset(["--export"]),
    cwd=_set("-D --chdir"),
)
_SBATCH = Wrapper(
    "sbatch",
    valued=_set(_SLURM_VALUED),
    flags=_set(_SLURM_FLAGS + " -W --wait"),
    env=frozenset(["--export"]),
    cwd=_set("-D --chdir"),
)
_RAY_JOB = Wrapper(
    "ray job submit",
    valued=_set(
        "--address --job-id --submission-id --runtime-env --runtime-env-json --working-dir --metadata-json --log-style"
        " --entrypoint-num-cpus --entrypoint-num-gpus --entrypoint-memory --entrypoint-resources --log-color --verify"
        " --entrypoint-label-selector --headers"
    ),
    flags=_set("--no-wait -v --verbose"),
    subcommands=("job", "submit"),
    assignments=True,
    cwd=frozenset(["--working-dir"]),
)
_UV_VALUED = _set(
    "--extra --no-extra --group --no-group --only-group --env-file --with --with-editable --with-requirements"
    " --package --no-editable-package --python -p --index --default-index --index-url -i --extra-index-url"
    " --find-links -f --upgrade-package -P --resolution --prerelease --index-strategy --keyring-provider"
    " --config-setting -C --link-mode --refresh-package --reinstall-package --no-build-package --no-binary-package"
    " --directory --project --config-file --cache-dir --color --python-platform --exclude-newer --fork-strategy -w"
    " --no-build-isolation-package --allow-insecure-host --python-fetch --torch-backend --config-settings-package"
)
_UV_FLAGS = _set(
    "--all-extras --no-dev --dev --only-dev --all-groups --no-default-groups --module -m --script -s --gui-script"
    " --editable --no-editable --exact --inexact --no-env-file --isolated --active --no-active --no-sync --locked"
    " --frozen --all-packages --no-project --no-index --upgrade -U --no-sources --reinstall --refresh --no-build"
    " --no-build-isolation --no-binary --compile-bytecode --no-cache -n --offline --quiet -q --verbose -v --no-config"
    " --native-tls --no-python-downloads --managed-python --no-managed-python --no-progress --preview --show-resolution"
)
_UV_RUN = Wrapper(
    "uv run",
    valued=_UV_VALUED,
    flags=_UV_FLAGS,
    subcommands=("run",),
    cwd=frozenset(["--directory"]),
    modules=_MODULE,
)
_CONDA_RUN = Wrapper(
    "conda run",
    valued=_set("-n --name -p --prefix --cwd -e --env"),
    flags=_set("--no-capture-output --live-stream --no-live-stream --dev --debug-wrapper-scripts -v --verbose -s -a"),
    subcommands=("run",),
    cwd=frozenset(["--cwd"]),
)
_DOCKER_FLAGS = _set(
    "-i -t -d -P -q --interactive --tty --detach --rm --privileged --init --read-only --no-healthcheck --quiet"
    " --oom-kill-disable --publish-all --sig-proxy --disable-content-trust --no-deps --build --service-ports -T --no-TTY"
    " --use-aliases --remove-orphans"
)
_DOCKER_VALUED = _set(
    "-a -c -e -h -l -m -p -u -v -w -f --add-host --annotation --attach --blkio-weight --cap-add --cap-drop"
    " --cgroup-parent --cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems"
    " --detach-keys --device --device-cgroup-rule --dns --dns-option --dns-search --domainname --entrypoint --env"
    " --env-file --expose --gpus --group-add --health-cmd --hostname --ip --ipc --isolation --kernel-memory --label"
    " --label-file --link --log-driver --log-opt --mac-address --memory --memory-reservation --memory-swap"
    " --memory-swappiness --mount --name --net --network --network-alias --oom-score-adj --pid --pids-limit --platform"
    " --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt"
    " --sysctl --tmpfs --ulimit --user --userns --uts --volume --volumes-from --workdir --index --profile --file"
)


def _docker(verb: str) -> Wrapper:
    return Wrapper(
        f"docker {verb}",
        valued=_DOCKER_VALUED,
        flags=_DOCKER_FLAGS,
        operands=1,
        subcommands=(verb,),
        env=_set("-e --env"),
        cwd=_set("-w --workdir"),
        limits=frozenset(["--ulimit"]),
    )


def _apptainer(verb: str) -> Wrapper:
    return Wrapper(
        f"apptainer {verb}",
        valued=_set(
            "-B --bind --env --env-file --pwd --cwd -W --workdir -H --home -o --overlay --mount --scratch -S --app"
            " --dns --hostname --network --network-args --no-mount --security --apply-cgroups --fusemount"
        ),
        flags=_set(
            "--nv --rocm --nvccli -e --cleanenv -c --contain -C --containall -w --writable --writable-tmpfs --no-home"
            " -f --fakeroot -i --ipc -p --pid -u --userns --uts --compat --no-init --no-umask -n --net --disable-cache"
            " --no-eval --no-privs --keep-privs --no-https --sharens"
        ),
        operands=1,
        subcommands=(verb,),
        env=frozenset(["--env"]),
        cwd=_set("--pwd --cwd"),
    )


def _runner(name: str, valued: str = "", flags: str = "") -> Wrapper:
    return Wrapper(f"{name} run", valued=_set(valued), flags=_set(flags), subcommands=("run",))


WRAPPERS: dict[str, tuple[Wrapper, ...]] = {
    "env": (
        Wrapper(
            "env",
            valued=_set("-u --unset -C --chdir -S --split-string"),
            flags=_set("-i --ignore-environment -0 --null -v --debug"),
            assignments=True,
            cwd=_set("-C --chdir"),
        ),
    ),
    "sudo": (
        Wrapper(
            "sudo",
            valued=_set("-u --user -g --group -h --host -p --prompt -C -T -r -t -D --chdir"),
            flags=_set("-E --preserve-env -n -H --set-home -S -k -b -i -s -P"),
            assignments=True,
        ),
    ),
    "nohup": (Wrapper("nohup"),),
    "setsid": (Wrapper("setsid", flags=_set("-c -f -w --ctty --fork --wait")),),
    "exec": (Wrapper("exec", valued=frozenset(["-a"]), flags=_set("-c -l")),),
    "command": (Wrapper("command", flags=frozenset(["-p"])),),
    "builtin": (Wrapper("builtin"),),
    "time": (Wrapper("time", valued=_set("-f --format -o --output"), flags=_set("-p -v -a --verbose --append")),),
    "nice": (Wrapper("nice", valued=_set("-n --adjustment")),),
    "ionice": (Wrapper("ionice", valued=_set("-c --class -n --classdata"), flags=_set("-t --ignore")),),
    "stdbuf": (Wrapper("stdbuf", valued=_set("-i -o -e --input --output --error")),),
    "prlimit": (Wrapper("prlimit", flags=frozenset(["--raw"]), limits=_set("-n --nofile")),),
    "unbuffer": (Wrapper("unbuffer", flags=frozenset(["-p"])),),
    "timeout": (
        Wrapper(
            "timeout",
            valued=_set("-s --signal -k --kill-after"),
            flags=_set("--foreground --preserve-status -v --verbose -f -p"),
            operands=1,
        ),
    ),
    "taskset": (Wrapper("taskset", flags=_set("-a -c --cpu-list --all-tasks"), operands=1),),
    "numactl": (
        Wrapper(
            "numactl",
            valued=_set("-i --interleave -p --preferred -m --membind -N --cpunodebind -C --physcpubind -P"),
            flags=_set("-a --all -l --localalloc -b --balancing"),
        ),
    ),
    "flock": (
        Wrapper("flock", valued=_set("-w --timeout -E"), flags=_set("-n --nonblock -x -s -o -e -F"), operands=1),
    ),
    "xvfb-run": (Wrapper("xvfb-run", valued=_set("-s --server-args -n --server-num -e"), flags=_set("-a -l")),),
    "nsys": (
        Wrapper(
            "nsys",
            valued=_set(
                "-o --output -t --trace -c --capture-range -y --delay -d --duration -s --sample -e --env-var -x"
                " --stop-on-exit --session-new --stats --gpu-metrics-device --cudabacktrace -b --backtrace -p -f -w"
                " --force-overwrite --export --trace-fork-before-exec --cuda-graph-trace --capture-range-end --kill"
                " --cuda-memory-usage --python-sampling --python-backtrace --gpu-metrics-devices --nvtx-capture"
                " --pytorch --cpuctxsw --show-output"
            ),
            subcommands=("profile",),
        ),
    ),
    "ncu": (Wrapper("ncu", valued=_set("-o --export --set --section -k --kernel-name -c -s --target-processes")),),
    "py-spy": (Wrapper("py-spy", valued=_set("-o --output -r --rate -f --format -d"), subcommands=("record",)),),
    "coverage": (
        Wrapper(
            "coverage",
            valued=_set("--data-file --source --rcfile --include --omit --concurrency --context --source-pkgs"),
            flags=_set("-a --append -p --parallel-mode --branch -L --timid -m --module"),
            subcommands=("run",),
            inner="python",
            modules=_MODULE,
        ),
    ),
    "srun": (_SRUN,),
    "salloc": (Wrapper("salloc", valued=_SRUN.valued, flags=_SRUN.flags),),
    "sbatch": (_SBATCH,),
    "mpirun": (_MPI,),
    "mpiexec": (_MPI,),
    "orterun": (_MPI,),
    "prterun": (_MPI,),
    "horovodrun": (Wrapper("horovodrun", valued=_MPI.valued, flags=_MPI.flags, single_dash=True),),
    "ray": (_RAY_JOB,),
    "torchrun": (_TORCHRUN,),
    "dlrover-run": (_TORCHRUN,),
    "msrun": (
        Wrapper(
            "msrun",
            valued=_set(
                "--worker-num --local-worker-num --master-addr --master-port --node-rank --log-dir --cluster-time-out"
                " --tail-worker-log --join --bind-core --rank-table-file --worker-log-name"
            ),
            inner="python",
            modules=_MODULE,
        ),
    ),
    "colossalai": (
        Wrapper(
            "colossalai",
            valued=_set(
                "-H --host --hostfile --include --exclude --num-nodes --nproc-per-node --master-port --master-addr"
                " --extra-launch-args --ssh-port"
            ),
            flags=_set("-m --module"),
            subcommands=("run",),
            inner="python",
            modules=_MODULE,
        ),
    ),
    "accelerate": (_ACCELERATE,),
    "accelerate-launch": (
        Wrapper(
            "accelerate",
            valued=_ACCELERATE.valued,
            flags=_ACCELERATE.flags,
            inner="python",
            modules=_MODULE,
            commands=_ACCELERATE.commands,
        ),
    ),
    "deepspeed": (_DEEPSPEED,),
    "ds": (_DEEPSPEED,),
    "uv": (_UV_RUN,),
    "uvx": (Wrapper("uvx", valued=_UV_VALUED | {"--from"}, flags=_UV_FLAGS),),
    "conda": (_CONDA_RUN,),
    "mamba": (_CONDA_RUN,),
    "micromamba": (_CONDA_RUN,),
    "poetry": (_runner("poetry", "-C --directory -P --project", "-v -q -n"),),
    "pdm": (_runner("pdm", "-p --project", "-s --site-packages"),),
    "pixi": (_runner("pixi", "-e --environment --manifest-path", "--frozen --locked --no-install"),),
    "hatch": (_runner("hatch"),),
    "rye": (_runner("rye"),),
    "pipenv": (_runner("pipenv"),),
    "docker": (_docker("run"), _docker("exec")),
    "podman": (_docker("run"), _docker("exec")),
    "nvidia-docker": (_docker("run"), _docker("exec")),
    "apptainer": (_apptainer("exec"), _apptainer("run")),
    "singularity": (_apptainer("exec"), _apptainer("run")),
    "enroot": (
        Wrapper(
            "enroot start",
            valued=_set("-c --conf -e --env -m --mount --rc"),
            flags=_set("-r --root -w --rw"),
            operands=1,
            subcommands=("start",),
            env=_set("-e --env"),
        ),
    ),
    "kubectl": (
        Wrapper(
            "kubectl exec",
            valued=_set("-n --namespace -c --container --context --kubeconfig --pod-running-timeout"),
            flags=_set("-i -t -it --stdin --tty -q"),
            operands=1,
            subcommands=("exec",),
            interspersed=True,
        ),
    ),
    "gantry": (Wrapper("gantry run", subcommands=("run",), starters_only=True),),
    "ssh": (
        Wrapper(
            "ssh",
            valued=_set("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"),
            flags=_set("-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y"),
            operands=1,
            inner="text",
            interspersed=True,
        ),
    ),
    "pdsh": (
        Wrapper(
            "pdsh",
            valued=_set("-w -x -l -R -f -t -u -g"),
            flags=_set("-S -N -b -a"),
            inner="text",
        ),
    ),
}
"""By the name of the command; several entries for one command are told apart by their subcommands."""

MODULE_WRAPPERS: dict[str, Wrapper] = {
    "torch.distributed.run": _TORCHRUN,
    "torch.distributed.launch": _TORCHRUN,
    "torch.distributed.elastic.launch": _TORCHRUN,
    "accelerate.commands.launch": WRAPPERS["accelerate-launch"][0],
    "accelerate.commands.accelerate_cli": _ACCELERATE,
    "deepspeed.launcher.runner": _DEEPSPEED,
    "coverage": WRAPPERS["coverage"][0],
    "debugpy": Wrapper(
        "debugpy",
        valued=_set("--listen --connect --log-to --configure-subProcess"),
        flags=_set("--wait-for-client -m"),
        inner="python",
        modules=frozenset(["-m"]),
    ),
    "pdb": Wrapper("pdb", valued=_set("-c --command"), flags=_set("-m"), inner="python", modules=frozenset(["-m"])),
    "cProfile": Wrapper("cProfile", valued=_set("-o -s"), flags=_set("-m"), inner="python", modules=frozenset(["-m"])),
}
"""Modules that start another script: `python -m torch.distributed.run ... train.py`."""

NOT_PROGRAMS = _set(
    "pip venv virtualenv ensurepip build wheel twine pytest unittest json.tool http.server site sysconfig compileall"
    " zipfile tarfile base64 timeit py_compile ipykernel jupyter notebook nltk.downloader spacy piptools pipx uv"
    " pre_commit black ruff mypy isort flake8 pylint huggingface_hub.commands.huggingface_cli torch.utils.collect_env"
)
"""Modules behind `python -m` that start no training, serving or data program."""

TOOLS: dict[str, frozenset[str]] = {
    "vllm": _set("serve"),
    "sglang": _set("serve"),
    "trl": _set("grpo sft dpo kto rloo reward vllm-serve gold online-dpo env"),
    "swift": _set("pt sft rlhf infer deploy rollout export eval app sample merge-lora web-ui"),
    "megatron": _set("pt sft rlhf export"),
    "llamafactory-cli": _set("train export chat api eval webchat webui"),
    "llamafactory": _set("train export chat api eval webchat webui"),
    "lmf": _set("train export chat api eval webchat webui"),
    "axolotl": _set("train preprocess inference evaluate merge-lora vllm-serve"),
    "xtuner": _set("train"),
    "tune": _set("run"),
    "oumi": _set("train infer"),
    "rllm": _set("train eval"),
    "lmdeploy": _set("serve"),
}
"""Programs whose name is a command and a subcommand."""
