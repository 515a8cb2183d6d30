"""A tensor parallel size that does not divide the attention heads.

## What it checks
The tensor parallel size of the rollout engine against the query heads of the model. With SGLang only where attention is not
data parallel.

## Why it matters
vLLM refuses to start, SGLang fails while it loads the weights: every rank takes the same number of heads. Qwen2.5-7B has
28 heads and runs on 1, 2, 4 or 7 ranks, not on 8.

## Example
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.rollout.tensor_model_parallel_size=8

## Instead
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.rollout.tensor_model_parallel_size=4

## Fix safety
None is offered: another size needs other devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.engines import option
from grpolint.rules.relations import divisors


@rule(
    id="VL024",
    name="heads-not-divisible",
    summary="the rollout's tensor parallel size does not divide the attention heads",
    severity=Severity.ERROR,
    when={"fact:rollout_tp": above(1)},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/model.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/model.py",
            "verify_with_parallel_config raises ValueError unless the size divides the heads.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/config.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/config.py",
            "The same check in an older release.",
        ),
        Evidence(
            "vllm-project/vllm#2652",
            "https://github.com/vllm-project/vllm/issues/2652",
            "A model of 52 heads is refused with a tensor parallel size of 8.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if heads would be left over."""
    size = run.integer("fact:rollout_tp")
    if size is None or size < 2 or run.text("fact:rollout_engine") not in ("vllm", "sglang"):
        return
    heads = run.integer("fact:attention_heads")
    if heads is None or heads % size == 0:
        return
    if run.text("fact:rollout_engine") == "sglang" and _spread(run):
        return
    fits = ", ".join(str(each) for each in divisors(heads, size - 1))
    yield run.finding(
        f"{heads} attention heads of {run.text('fact:model')} are not a multiple of the rollout's tensor parallel size {size}",
        ("fact:rollout_tp", f"{size} ranks"),
        ("fact:model", f"{heads} heads"),
        help=f"sizes that divide {heads}: {fits}",
    )


def _spread(run: Inquiry) -> bool:
    """Whether attention is data parallel, so that fewer ranks share the heads."""
    switch = run.flag(option(run, "sglang", "enable_dp_attention"))
    return switch is True or (run.integer(option(run, "sglang", "attn_dp_size")) or 1) > 1
