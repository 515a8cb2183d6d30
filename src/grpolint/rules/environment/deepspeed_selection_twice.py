"""Two selections of devices for the DeepSpeed launcher.

## What it checks
`--num_gpus` or `--num_nodes` together with `--include` or `--exclude`, and `--include` together with `--exclude`.

## Why it matters
The launcher stops with ValueError before anything starts.

## Example
    deepspeed --num_gpus 2 --include localhost:4,5 train.py

## Instead
    deepspeed --include localhost:4,5 train.py

## Fix safety
None is offered: which selection is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, rule

_PAIRS = (
    ("num_gpus", "include"),
    ("num_gpus", "exclude"),
    ("num_nodes", "include"),
    ("num_nodes", "exclude"),
    ("include", "exclude"),
)


@rule(
    id="EN023",
    name="deepspeed-selection-twice",
    summary="num_gpus or num_nodes of the DeepSpeed launcher together with include or exclude",
    severity=Severity.ERROR,
    when={"fact:launcher": "deepspeed"},
    evidence=(
        Evidence(
            "deepspeed: deepspeed/launcher/runner.py",
            "https://github.com/deepspeedai/DeepSpeed/blob/master/deepspeed/launcher/runner.py",
            "Raises that num_nodes/gpus cannot be specified with include/exclude, nor include with exclude.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first pair."""
    options = launcher_options(run.run, "deepspeed")
    if options is None:
        return
    for one, other in _PAIRS:
        first, second = options.last(one), options.last(other)
        if first is None or second is None:
            continue
        labels = [Label(flag.span, "one selection") for flag in (first, second) if flag.span is not None]
        yield run.finding(f"deepspeed refuses --{one} together with --{other}", *labels, help=f"remove --{one}")
        return
