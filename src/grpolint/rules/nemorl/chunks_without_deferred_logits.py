"""Chunked log-probabilities without deferred fp32 logits.

## What it checks
`policy.logprob_chunk_size` with the Megatron backend and `policy.megatron_cfg.defer_fp32_logits: false`.

## Why it matters
NeMo-RL asserts that the logits are deferred: a chunk saves nothing of logits that are already there in fp32.

## Example
    uv run examples/run_grpo.py --config examples/configs/grpo_math_1B_megatron.yaml policy.logprob_chunk_size=1024

## Instead
    uv run examples/run_grpo.py --config examples/configs/grpo_math_1B_megatron.yaml policy.logprob_chunk_size=1024 policy.megatron_cfg.defer_fp32_logits=true

## Fix safety
Safe: the run does not start otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import equals, minimum, off, together


@rule(
    id="NR020",
    name="chunks-without-deferred-logits",
    summary="chunked log-probabilities without deferred fp32 logits",
    severity=Severity.ERROR,
    frameworks={"nemo-rl": ">=0.4"},
    when={"nemo-rl:policy.logprob_chunk_size": above(0)},
    evidence=(
        Evidence(
            "nemo-rl 0.7.0: nemo_rl/models/megatron/setup.py",
            "https://github.com/NVIDIA-NeMo/RL/blob/v0.7.0/nemo_rl/models/megatron/setup.py",
            "_validate_chunking_config asserts defer_fp32_logits.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if they are not deferred."""
    yield from together(
        run,
        "logprob_chunk_size needs defer_fp32_logits in NeMo-RL's Megatron backend",
        minimum("nemo-rl:policy.logprob_chunk_size", 1, "tokens of a chunk"),
        equals("fact:engine", "megatron", label="Megatron trains"),
        off("nemo-rl:policy.megatron_cfg.defer_fp32_logits", "not deferred"),
        changes=(SetOption("nemo-rl", "policy.megatron_cfg.defer_fp32_logits", True, safe=True),),
    )
