"""Blanks around the equals sign of an assignment.

## What it checks
`export NAME = value`, `export NAME= 1` and `NAME = value`: words of `export` that are no names, and a command whose name looks
like a variable and whose first argument is `=`.

## Why it matters
Bash takes `export NAME = value` for a list of three names, says "not a valid identifier" and goes on: the variable does not get
the value. `NAME = value` is a command that does not exist.

## Example
    export NCCL_IB_DISABLE = 1

## Instead
    export NCCL_IB_DISABLE=1

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="EN011",
    name="assignment-with-blanks",
    summary="blanks around the equals sign: the variable does not get the value",
    severity=Severity.ERROR,
    when={"fact:lost_assignments": above(0)},
    evidence=(
        Evidence(
            "bash manual: Shell Parameters",
            "https://www.gnu.org/software/bash/manual/html_node/Shell-Parameters.html",
            "An assignment is one word: a name, the equals sign and the value without blanks between them.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each line."""
    launch = run.run.launch
    for slip in launch.slips if launch is not None else ():
        if slip.kind != "lost-assignment":
            continue
        if slip.why == "export":
            message = "export takes names and assignments without blanks: bash refuses the other words of this line"
        else:
            message = f"{slip.words[0].text} with a blank before the equals sign is a command that does not exist"
        label = "the value is not assigned"
        yield run.finding(message, Label(slip.span, label), help="write NAME=value without blanks", cause=True)
