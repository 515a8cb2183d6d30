"""A generation batch that does not divide over the agent loop workers.

## What it checks
`data.train_batch_size` (or `data.gen_batch_size`) times `rollout.n` must be a multiple of
`rollout.agent.num_workers`, 8 by default, where the rollout is asynchronous: always from 0.7 on.

## Why it matters
The first step stops with "only support equal chunk". Small batches for debugging run into it because of the default
of 8.

## Example
    data.train_batch_size=2 actor_rollout_ref.rollout.n=2

## Instead
    data.train_batch_size=2 actor_rollout_ref.rollout.n=2 actor_rollout_ref.rollout.agent.num_workers=4

## Fix safety
Safe: the number of workers decides only how prompts are handed out.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule
from grpolint.rules.relations import Size, Term, divisors, multiple
from grpolint.rules.verl._trainer import foreign, ppo_trainer
from grpolint.versions import satisfies

_BATCH = "verl:data.train_batch_size"
_WORKERS = "actor_rollout_ref.rollout.agent.num_workers"


@rule(
    id="VE010",
    name="agent-workers-not-dividing",
    summary="train_batch_size * rollout.n is not a multiple of rollout.agent.num_workers",
    severity=Severity.ERROR,
    frameworks={"verl": ">=0.5,<0.9"},
    evidence=(
        Evidence(
            "verl 0.8.0: verl/experimental/agent_loop/agent_loop.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/experimental/agent_loop/agent_loop.py",
            "generate_sequences cuts the batch into as many chunks as there are workers.",
        ),
        Evidence(
            "verl 0.8.0: verl/protocol.py",
            "https://github.com/verl-project/verl/blob/v0.8.0/verl/protocol.py",
            "DataProto.chunk asserts that the length is a multiple of the number of chunks.",
        ),
        Evidence(
            "verl-project/verl#6801",
            "https://github.com/verl-project/verl/issues/6801",
            "A run on two GPUs that stopped with 60 samples and 8 chunks, whose author had never set the number of workers.",
        ),
    ),
)
@ppo_trainer
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    version = run.run.settings["verl"].version.text
    if satisfies(version, "<0.7") and run.text("verl:actor_rollout_ref.rollout.mode") != "async":
        return
    if foreign(run) is not None:  # asynchronous trainers hand out one prompt after the other
        raise NotApplicable
    if run.text("fact:advantage") == "remax":  # draws one more response of each prompt
        return
    written = run.integer("verl:data.gen_batch_size")
    batch = Term("verl:data.gen_batch_size", "gen_batch_size") if written else Term(_BATCH, "train_batch_size")
    samples = Size.of(run, batch, Term("verl:actor_rollout_ref.rollout.n", "rollout.n"))
    workers = Size.of(run, Term(f"verl:{_WORKERS}", "rollout.agent.num_workers"))
    if samples is None or workers is None or samples.value < 1 or workers.value < 1:
        return
    fitting = divisors(samples.value, workers.value)[-1]
    yield from multiple(
        run,
        samples,
        workers,
        "each worker of the agent loop gets an equal part",
        changes=(SetOption("verl", _WORKERS, fitting, safe=True),),
    )
