"""A token budget of the engine below the longest sequence.

## What it checks
`worker.rollout.max_num_batched_tokens` must not be below `data.max_prompt_length + data.max_response_length`.

## Why it matters
The rollout workers refuse it while they are set up, with chunked prefill and without.

## Example
    data.max_prompt_length=4096 data.max_response_length=16384

## Instead
    data.max_prompt_length=4096 data.max_response_length=16384 worker.rollout.max_num_batched_tokens=20480

## Fix safety
Safe: the run does not start otherwise, and the budget changes only memory and speed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.easyr1._copies import severity

_BUDGET = "worker.rollout.max_num_batched_tokens"
_PROMPT = "easyr1:data.max_prompt_length"
_RESPONSE = "easyr1:data.max_response_length"


@rule(
    id="ER004",
    name="batched-tokens-below-sequence",
    summary="max_num_batched_tokens is below prompt and response",
    severity=Severity.ERROR,
    frameworks={"easyr1": ">=0.3"},
    evidence=(
        Evidence(
            "EasyR1 0.3.2: verl/workers/rollout/vllm_rollout_spmd.py",
            "https://github.com/hiyouga/EasyR1/blob/v0.3.2/verl/workers/rollout/vllm_rollout_spmd.py",
            "Raises ValueError where the budget is below the lengths of prompt and response together.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the budget is too small."""
    budget, prompt, response = (run.integer(ref) for ref in (f"easyr1:{_BUDGET}", _PROMPT, _RESPONSE))
    if budget is None or prompt is None or response is None or budget >= prompt + response:
        return
    yield run.finding(
        f"max_num_batched_tokens {budget} < prompt {prompt} + response {response} = {prompt + response}: "
        "the rollout workers of EasyR1 refuse it",
        (f"easyr1:{_BUDGET}", f"{budget} tokens"),
        (_RESPONSE, f"{response} tokens"),
        (_PROMPT, f"{prompt} tokens"),
        changes=(SetOption("easyr1", _BUDGET, prompt + response, safe=True),),
        severity=severity(run),
    )
