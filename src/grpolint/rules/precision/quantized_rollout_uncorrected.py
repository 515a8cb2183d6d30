"""Samples of a quantised model that are taken for the policy's own.

## What it checks
`quantization` (fp8 and others) or an fp8 `kv_cache_dtype` of the rollout engine, while nothing corrects for it: verl's
`rollout_correction`, slime's `--use-tis`.

## Why it matters
The quantised engine samples from a visibly other distribution than the trainer computes. Without weights the gradient takes these
samples for its own; published runs lose reward or diverge.

## Example
    actor_rollout_ref.rollout.quantization=fp8

## Instead
    actor_rollout_ref.rollout.quantization=fp8 actor_rollout_ref.rollout.calculate_log_probs=True algorithm.rollout_correction.rollout_is=token

## Fix safety
Unsafe: it changes the gradient.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.engines import anywhere, option


@rule(
    id="PR023",
    name="quantized-rollout-uncorrected",
    summary="a quantised rollout engine without importance weights",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.6.1", "slime": ">=0.2"},
    when={
        "|".join(
            anywhere(engine, name) for engine in ("vllm", "sglang") for name in ("quantization", "kv_cache_dtype")
        ): SET
    },
    evidence=(
        Evidence(
            "verl-project/verl#4415",
            "https://github.com/verl-project/verl/pull/4415",
            "FP8 rollout follows bfloat16 only with token weights capped at 2.",
        ),
        Evidence(
            "NVIDIA-NeMo/RL#1175",
            "https://github.com/NVIDIA-NeMo/RL/pull/1175",
            "FP8 generation is shown with the importance sampling correction switched on, and refused without.",
            "partly",
        ),
        Evidence(
            "Tencent-Hunyuan/UniRL#94",
            "https://github.com/Tencent-Hunyuan/UniRL/issues/94",
            "A drop of 3 to 10 % in reward without correction is quoted from a study.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing corrects."""
    engine = run.text("fact:rollout_engine")
    if engine not in ("vllm", "sglang") or run.run.fact("advantage") is None:
        return
    for name in ("quantization", "kv_cache_dtype"):
        ref = option(run, engine, name)
        kind = run.text(ref) if run.is_set(ref) else None
        if kind is None or kind.lower() in ("auto", "none", "null", "bfloat16", "bf16", "ascend"):
            continue
        if _corrected(run):
            return
        slime = "slime" in run.run.settings
        yield run.finding(
            f"the rollout engine samples with {name} {kind}, and no importance weight corrects the gradient",
            (ref, "another distribution than the trainer's"),
            help="" if slime else "turn on calculate_log_probs and algorithm.rollout_correction.rollout_is=token",
            changes=(SetOption("slime", "use_tis", value=True),) if slime else (),
            severity=Severity.INFO if name == "kv_cache_dtype" else None,
        )
        return


def _corrected(run: Inquiry) -> bool:
    """Whether weights, masks or the engine's own log-probabilities make up for it, or a loss of the user's may."""
    if "slime" in run.run.settings:
        named = ("use_tis", "use_rollout_logprobs", "custom_tis_function_path", "custom_loss_function_path")
        return any(run.known(f"slime:{each}") not in (None, False, "") for each in named)
    section = "verl:algorithm.rollout_correction"
    return any(
        run.known(f"{section}.{each}") not in (None, False, "", "null")
        for each in ("rollout_is", "rollout_rs", "bypass_mode")
    )
