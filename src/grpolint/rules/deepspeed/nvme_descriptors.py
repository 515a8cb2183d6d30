"""Offloading to NVMe with a DeepSpeed that never closes its files.

## What it checks
Parameters or optimizer states on NVMe with DeepSpeed from 0.17.1 to 0.19.2.

## Why it matters
Every finished asynchronous read or write left its file descriptor open. A long run reaches the limit of open files and
stops with "Too many open files".

## Example
    {"zero_optimization": {"stage": 3, "offload_param": {"device": "nvme", "nvme_path": "/nvme"}}}      with deepspeed 0.19.2

## Instead
    pip install 'deepspeed>=0.19.3'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="DS018",
    name="nvme-descriptors",
    summary="NVMe offload with a DeepSpeed that leaks file descriptors",
    severity=Severity.WARNING,
    frameworks={"deepspeed": ">=0.17.1,<0.19.3"},
    evidence=(
        Evidence(
            "deepspeedai/DeepSpeed#8075",
            "https://github.com/deepspeedai/DeepSpeed/pull/8075",
            "Closes the descriptor that waiting for asynchronous I/O left open; released in 0.19.3.",
        ),
        Evidence(
            "deepspeed 0.19.2: csrc/aio/py_lib/deepspeed_py_io_handle.cpp",
            "https://github.com/deepspeedai/DeepSpeed/blob/v0.19.2/csrc/aio/py_lib/deepspeed_py_io_handle.cpp",
            "The descriptor of a completed operation is named and not closed; 0.17.0 and 0.19.3 close it.",
        ),
    ),
    aliases=("D11",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if something is offloaded to NVMe."""
    for name in ("offload_params", "offload_optimizer"):
        if run.text(f"fact:{name}") == "nvme":
            version = run.run.settings["deepspeed"].version.text
            yield run.finding(
                f"DeepSpeed {version} leaks a file descriptor with each operation on NVMe: a long run meets the limit",
                (f"fact:{name}", "offloaded to NVMe"),
                help="use deepspeed 0.19.3 or later",
            )
            return
