"""Load balancing of experts that vLLM refuses.

## What it checks
`--enable-eplb` without `--enable-expert-parallel`, or with one rank alone; redundant experts without `--enable-eplb`.

## Why it matters
vLLM refuses to start: only experts that are spread over ranks can be balanced.

## Example
    vllm serve Qwen/Qwen3-30B-A3B --tensor-parallel-size 4 --enable-eplb

## Instead
    vllm serve Qwen/Qwen3-30B-A3B --tensor-parallel-size 4 --enable-expert-parallel --enable-eplb

## Fix safety
Unsafe: spreading experts changes how memory is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, change, option
from grpolint.rules.relations import Size, Term

_SIZES = ("tensor_parallel_size", "data_parallel_size", "prefill_context_parallel_size")


@rule(
    id="VL023",
    name="balancing-refused",
    summary="balancing of experts without what it needs",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.10", "verl": ">=0.6", "skyrl": ""},
    when={
        f"{anywhere('vllm', 'enable_eplb')}|{anywhere('vllm', 'eplb_config.num_redundant_experts')}": (
            True,
            *range(1, 513),
        )
    },
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/parallel.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/parallel.py",
            "_validate_parallel_config raises ValueError in each of the three cases.",
        ),
        Evidence(
            "vllm 0.10.2: vllm/config/parallel.py",
            "https://github.com/vllm-project/vllm/blob/v0.10.2/vllm/config/parallel.py",
            "The same checks in an older release.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first condition that is not met."""
    balance = option(run, "vllm", "enable_eplb")
    spread = option(run, "vllm", "enable_expert_parallel")
    if run.flag(balance) is not True:
        redundant = option(run, "vllm", "eplb_config.num_redundant_experts")
        number = run.integer(redundant)
        if number:
            yield run.finding(
                f"{number} redundant experts without enable_eplb: vLLM refuses them",
                (redundant, "copies of experts"),
                balance,
                changes=(change(balance, value=True),),
            )
        return
    if "verl" not in run.run.settings and run.flag(spread) is not True:
        yield run.finding(
            "enable_eplb without enable_expert_parallel: vLLM balances only experts that are spread over ranks",
            (balance, "balances experts"),
            spread,
            changes=(change(spread, value=True),),
        )
        return
    sizes = [Term(option(run, "vllm", name), name, assume=1) for name in _SIZES]
    ranks = Size.of(run, *sizes)
    if ranks is not None and ranks.value <= 1:
        yield run.finding(
            "enable_eplb with one rank: there is nothing to balance, and vLLM refuses it",
            (balance, "balances experts"),
            *ranks.places,
            help="raise tensor_parallel_size or data_parallel_size, or leave enable_eplb out",
        )
