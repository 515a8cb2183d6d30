"""Two ways of distributing in one command.

## What it checks
More than one of `--cpu`, `--multi_gpu`, `--tpu`, `--use_deepspeed` and `--use_fsdp`.

## Why it matters
The launcher refuses it.

## Example
    accelerate launch --multi_gpu --use_deepspeed train.py

## Instead
    accelerate launch --use_deepspeed train.py

## Fix safety
Safe: the launcher takes several processes with each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_WAYS = ("cpu", "multi_gpu", "tpu", "use_deepspeed", "use_fsdp")


@rule(
    id="TR070",
    name="launched-two-ways",
    summary="accelerate launch with more than one way of distributing",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.0"},
    when={"accelerate:multi_gpu|accelerate:use_deepspeed|accelerate:use_fsdp": True},
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/commands/launch.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/commands/launch.py",
            "_validate_launch_command raises ValueError for more than one of them, and for --multi_gpu with fewer than two processes.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the second one."""
    settings = run.run.settings["accelerate"]
    flags = [key for key in _WAYS if (found := settings.get(key)) is not None and found.form == "flag"]
    given = [key for key in flags if run.flag(f"accelerate:{key}") is True]
    if len(given) > 1:
        yield run.finding(
            f"accelerate launch takes one way of distributing, not {' and '.join('--' + key for key in given)}",
            *[(f"accelerate:{key}", "one way") for key in given],
            help=f"keep --{given[-1]}",
            changes=(RemoveOption("accelerate", "multi_gpu", safe=True),) if given[0] == "multi_gpu" else (),
        )
    processes = run.integer("accelerate:num_processes") if settings.get("num_processes") is not None else None
    if given == ["multi_gpu"] and processes is not None and processes < 2:
        yield run.finding(
            f"--multi_gpu with num_processes {processes}: accelerate launch wants at least 2",
            ("accelerate:multi_gpu", "several devices"),
            ("accelerate:num_processes", f"{processes} process"),
            changes=(RemoveOption("accelerate", "multi_gpu", safe=True),),
        )
