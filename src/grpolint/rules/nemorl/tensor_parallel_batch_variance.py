"""Different micro batches for training and log-probabilities with tensor parallelism of 4 or more.

## What it checks
With a tensor parallel size of at least 4, `policy.train_micro_batch_size` and `policy.logprob_batch_size` must be the
same, unless `loss_fn.force_on_policy_ratio` or NRL_IGNORE_TP_ACCURACY_CHECK is set.

## Why it matters
Results depend on the size of the batch there, so that the ratio of old and new policy is off; NeMo-RL asserts equal
sizes.

## Example
    uv run examples/run_grpo.py policy.dtensor_cfg.tensor_parallel_size=4 policy.train_micro_batch_size=1 policy.logprob_batch_size=4

## Instead
    uv run examples/run_grpo.py policy.dtensor_cfg.tensor_parallel_size=4 policy.train_micro_batch_size=1 policy.logprob_batch_size=1

## Fix safety
Safe: the run does not start otherwise, and log-probabilities only take longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, above, rule

_POLICY = "nemo-rl:policy"
_CHECK = "NRL_IGNORE_TP_ACCURACY_CHECK"


@rule(
    id="NR014",
    name="micro-batches-differ-under-tensor-parallelism",
    summary="different micro batches for training and log-probabilities with tensor parallelism of 4 or more",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.6"},
    when={"fact:tp": above(3)},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/policy/lm_policy.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/policy/lm_policy.py",
            "Policy asserts equal sizes for tp_size >= 4.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the sizes differ."""
    tp = run.integer("fact:tp")
    train, logprob = run.integer(f"{_POLICY}.train_micro_batch_size"), run.integer(f"{_POLICY}.logprob_batch_size")
    if tp is None or tp < 4 or train is None or logprob is None or train == logprob:
        return
    if _CHECK in run.run.env or run.flag("nemo-rl:loss_fn.force_on_policy_ratio"):
        return
    if run.run.launch is None:
        raise Undecided(f"env:{_CHECK}")  # the script that starts it may set it
    yield run.finding(
        f"train_micro_batch_size {train} and logprob_batch_size {logprob} differ with tensor parallel size {tp}: NeMo-RL refuses it",
        (f"{_POLICY}.logprob_batch_size", "log-probabilities"),
        (f"{_POLICY}.train_micro_batch_size", "training"),
        ("fact:tp", "tensor parallel"),
        changes=(SetOption("nemo-rl", "policy.logprob_batch_size", train, safe=True),),
    )
