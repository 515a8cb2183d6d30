"""Options that exclude each other.

## What it checks
Two KL coefficients (`--kl-coef` in the reward, `--kl-loss-coef` in the loss), log-probabilities of the engine
together with the correction for them, parameters to train together with parameters to freeze, prefill servers beside
an engine configuration.

## Why it matters
slime stops before anything is started.

## Example
    python3 train.py --kl-coef 0.01 --use-kl-loss --kl-loss-coef 0.001

## Instead
    python3 train.py --use-kl-loss --kl-loss-coef 0.001

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_PAIRS = (
    ("kl_coef", "kl_loss_coef", "a KL term stands in the reward or in the loss"),
    (
        "use_rollout_logprobs",
        "use_tis",
        "there is nothing to correct between a policy's log-probabilities and themselves",
    ),
    ("only_train_params_name_list", "freeze_params_name_list", "one list says what the other leaves"),
    ("sglang_config", "prefill_num_servers", "the file names the prefill servers"),
)


@rule(
    id="SL011",
    name="options-exclude-each-other",
    summary="two options of which slime takes only one",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "slime_validate_args asserts that only one of each pair is given.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair of which both are given."""
    for one, other, why in _PAIRS:
        if not run.known(f"slime:{one}") or not run.known(f"slime:{other}"):
            continue
        yield run.finding(
            f"{one.replace('_', '-')} and {other.replace('_', '-')} exclude each other: {why}",
            f"slime:{one}",
            f"slime:{other}",
            help="leave one of them out",
        )
