"""Sampling options in two places.

## What it checks
`generation_kwargs` names what the trainer has an option for: temperature, top_p, top_k, min_p, repetition_penalty,
the number of tokens, `n` or `logprobs`.

## Why it matters
The engine samples with what stands there, while the trainer goes on with its own option: a temperature that only the
engine knows makes the log-probabilities of both differ, and another number of responses breaks the groups.

## Example
    GRPOConfig(generation_kwargs={"temperature": 0.6})

## Instead
    GRPOConfig(temperature=0.6)

## Fix safety
Unsafe: it changes the sampling.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption, SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule, show

_OPTIONS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "repetition_penalty": "repetition_penalty",
    "max_tokens": "max_completion_length",
    "max_new_tokens": "max_completion_length",
    "n": "num_generations",
    "num_return_sequences": "num_generations",
}
"""What the trainer calls each."""


@rule(
    id="TR049",
    name="generation-options-overruled",
    summary="generation_kwargs that overrule options of the trainer",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.19"},
    when={
        "trl:generation_kwargs|trl:generation_kwargs.temperature|trl:generation_kwargs.top_p|trl:generation_kwargs.top_k|trl:generation_kwargs.max_tokens|trl:generation_kwargs.max_new_tokens|trl:generation_kwargs.n|trl:generation_kwargs.repetition_penalty": SET
    },
    evidence=(
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "generation_kwargs is applied over the sampling options, in both modes of vLLM.",
        ),
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_config.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_config.py",
            "The help says that conflicting keys overrule the other parameters.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each that differs from the option."""
    if run.known("fact:group_relative") is not True:
        raise NotApplicable
    for name, option in _OPTIONS.items():
        key = f"generation_kwargs.{name}"
        if run.run.setting("trl", key) is None:
            continue
        given, own = run.number(f"trl:{key}"), run.number(f"trl:{option}")
        if given is not None and own is not None and given != own:
            yield run.finding(
                f"generation_kwargs says {name} {show(given)} and {option} is {show(own)}: the engine goes by the former, "
                "the trainer by the latter",
                (f"trl:{key}", "for the engine"),
                (f"trl:{option}", "for the trainer"),
                changes=(SetOption("trl", option, given), RemoveOption("trl", key)),
            )
