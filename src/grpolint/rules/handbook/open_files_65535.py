"""A limit of 65535 open files.

## What it checks
The script sets `ulimit -n` to 65535 or more, or the limit is declared (`--fact open_files=65535`, `nofile` in the
flat configuration).

## Why it matters
The handbook: NCCL needs file descriptors.

## Example
    {"nofile": 1024, "zero_stage": 2}

## Instead
    {"nofile": 65535, "zero_stage": 2}

## Fix safety
No fix: the limit may be that of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry
from grpolint.rules.handbook._asking import number
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated


@stated("D11", "open-files-65535", "the limit of open files is 65535 or more")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for a lower limit."""
    limit = run.require("fact:open_files")
    if limit != "unlimited" and number(run, "open_files", "a limit of open files") < 65535:
        yield run.finding(
            f"open files are limited to {limit} < 65535, the handbook's least",
            ("fact:open_files", f"limit {limit}"),
            changes=remedy(run, "open_files", 65535),
            help="say `ulimit -n 65535` before the launch",
        )
