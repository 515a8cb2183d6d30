"""Batches that the fully asynchronous trainer does not take.

## What it checks
verl's fully asynchronous program while `data.train_batch_size` is not 0, `data.gen_batch_size` not 1,
`rollout.calculate_log_probs` off, `async_training.staleness_threshold` below 0 or `trigger_parameter_sync_step` below
1.

## Why it matters
Its rollouter asserts all of them before it starts. Samples stream one by one; how many make an update is
`ppo_mini_batch_size * require_batches`.

## Example
    python3 -m verl.experimental.fully_async_policy.fully_async_main data.train_batch_size=256

## Instead
    python3 -m verl.experimental.fully_async_policy.fully_async_main data.train_batch_size=0 data.gen_batch_size=1

## Fix safety
Safe for the two batch sizes: nothing else is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_PROGRAM = "verl.experimental.fully_async_policy.fully_async_main"
_LOG_PROBS = "actor_rollout_ref.rollout.calculate_log_probs"


@rule(
    id="VE094",
    name="fully-async-batches",
    summary="the fully asynchronous trainer takes only train_batch_size 0 and gen_batch_size 1",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.8"},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/experimental/fully_async_policy/fully_async_rollouter.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/experimental/fully_async_policy/fully_async_rollouter.py",
            "Asserts train_batch_size 0, gen_batch_size 1, the two bounds of async_training and calculate_log_probs.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each value that is refused."""
    if _PROGRAM not in run.run.program:
        return
    for key, wanted in (("data.train_batch_size", 0), ("data.gen_batch_size", 1)):
        value = run.integer(f"verl:{key}")
        if value is not None and value != wanted:
            yield run.finding(
                f"{key} {value}: the fully asynchronous trainer asserts that it is {wanted}",
                (f"verl:{key}", "samples stream one by one"),
                changes=(SetOption("verl", key, wanted, safe=True),),
            )
    if run.flag(f"verl:{_LOG_PROBS}") is False:
        yield run.finding(
            "calculate_log_probs is off: the fully asynchronous trainer trains on the log-probabilities of the rollout",
            (f"verl:{_LOG_PROBS}", "asserted to be on"),
            changes=(SetOption("verl", _LOG_PROBS, value=True, safe=True),),
        )
    for name, least in (("staleness_threshold", 0), ("trigger_parameter_sync_step", 1)):
        number = run.number(f"verl:async_training.{name}")
        if number is not None and number < least:
            yield run.finding(
                f"{name} {number:g} is below {least}: the rollouter stops at an assertion",
                (f"verl:async_training.{name}", f"at least {least}"),
                help=f"write {least} or more",
            )
