"""A multi-node accelerate launch that cannot come together.

## What it checks
`accelerate launch --num_machines` above 1 with `--main_process_ip` of the machine itself, or without `--machine_rank` where no
configuration file is named.

## Why it matters
Every machine then waits at its own address, or takes itself for the first: the launch stops after its timeout.

## Example
    accelerate launch --num_machines 2 --num_processes 16 --main_process_ip 10.0.0.1 train.py

## Instead
    accelerate launch --num_machines 2 --num_processes 16 --machine_rank "$RANK" --main_process_ip 10.0.0.1 train.py

## Fix safety
None is offered: rank and address are not known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.values import Known

_LOCAL = ("localhost", "127.0.0.1", "::1")


@rule(
    id="EN038",
    name="accelerate-machines-apart",
    summary="accelerate launch for several machines that cannot come together",
    severity=Severity.ERROR,
    when={"fact:launcher": "accelerate", "fact:nodes": above(1)},
    evidence=(
        Evidence(
            "accelerate 1.10.0: accelerate/utils/launch.py",
            "https://github.com/huggingface/accelerate/blob/v1.10.0/src/accelerate/utils/launch.py",
            "Processes of a machine are num_processes // num_machines, its rank is machine_rank, 0 by default.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first reason."""
    options = launcher_options(run.run, "accelerate")
    machines = run.integer("fact:nodes")
    flag = options.last("num_machines") if options is not None else None
    if options is None or flag is None or flag.span is None or machines is None or machines < 2:
        return
    if options.open_reason is not None:
        return
    address = options.last("main_process_ip")
    severity = None
    labels = [Label(flag.span, f"{machines} machines")]
    if address is not None and isinstance(address.value, Known) and address.value.value in _LOCAL:
        labels = [*(Label(each, "the machine itself") for each in [address.span] if each is not None), *labels]
        why = "each of them looks for the first one on itself"
    elif options.last("machine_rank") is None and options.last("config_file") is None:
        why = "without --machine_rank every machine takes itself for the first"
        severity = Severity.WARNING  # a default configuration on each machine may say it
    else:
        return
    yield run.finding(
        f"accelerate cannot start on {machines} machines: {why}",
        *labels,
        help="give --machine_rank and the --main_process_ip of the first machine",
        severity=severity,
    )
