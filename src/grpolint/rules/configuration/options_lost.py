r"""Options that the launch never receives because the command ends before them.

## What it checks
A command whose name is an option (`--lr 1e-6`, `trainer.nnodes=2`). Bash runs it as a command of its own: it prints
"command not found" and goes on, and the launch before it runs without these options.

## Why it matters
The run starts and trains with defaults in place of everything after the break: 19 public launch files lose up to 197
options this way.

## Example
    python3 -m verl.trainer.main_ppo \
        data.train_batch_size=256 \
        # a comment ends the command
        actor_rollout_ref.rollout.n=8

## Instead
    # comments stand before the command or in an array
    python3 -m verl.trainer.main_ppo \
        data.train_batch_size=256 \
        actor_rollout_ref.rollout.n=8

## Fix safety
None is offered: whether the options were meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.launch import Slip
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_HELP = {
    "comment": "move the comment in front of the command, or put the options into an array, where comments are allowed",
    "blank line": "remove the blank line, so that the backslash joins the options to the command",
    "missing backslash": "end the line before with a backslash",
    "blank after backslash": "remove the blanks after the backslash",
    "carriage return": "convert the file to Unix line ends (sed -i 's/\\r$//')",
}
_CAUSE = {
    "comment": "this comment ends the command",
    "blank line": "the command ends at this blank line",
    "missing backslash": "no backslash: the command ends here",
    "blank after backslash": "blanks after the backslash: the command ends here",
    "carriage return": "a carriage return after the backslash: the command ends here",
}


@rule(
    id="CF010",
    name="options-lost",
    summary="options cut off from their command by a broken line continuation",
    severity=Severity.ERROR,
    any_program=True,
    evidence=(
        Evidence(
            "bash manual: Escape Character",
            "https://www.gnu.org/software/bash/manual/html_node/Escape-Character.html",
            "Only a backslash directly before the newline continues a line; a comment runs to the end of its line.",
        ),
    ),
    when={"slip:lost-options": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each place where options are lost after this launch."""
    launch = run.run.launch
    for slip in launch.slips if launch is not None else ():
        if slip.kind == "lost-options":
            yield _finding(run, slip)


def _finding(run: Inquiry, slip: Slip) -> Finding:
    count = len(slip.words)
    labels = [Label(slip.span, "run as a command of its own")]
    if slip.cause is not None:
        labels.append(Label(slip.cause, _CAUSE.get(slip.why, "the command ends here")))
    words = "word is" if count == 1 else "words are"
    first = slip.words[0].pattern if slip.words else ""
    return run.finding(
        f"{count} {words} lost from {first.partition('=')[0]} on: the launch before it ends too early",
        *labels,
        cause=True,
        help=_HELP.get(slip.why, "join these options to the command with a backslash at the end of each line"),
    )
