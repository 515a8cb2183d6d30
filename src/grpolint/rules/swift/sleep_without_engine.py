"""sleep_level that has no effect, or another one than it says.

## What it checks
sleep_level above 0 without vLLM, in server mode or with async_generate. In 3.3 and 3.4, sleep_level above 0 together
with gradient_accumulation_steps above 1.

## Why it matters
ms-swift changes sleep_level to 0 without a word where no engine shares the devices, and nothing sleeps. In the old
releases it changes gradient_accumulation_steps to 1: the batch of a step is smaller than written.

## Example
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1 --sleep_level 1

## Instead
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1

## Fix safety
Safe where it has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.versions import satisfies


@rule(
    id="SW007",
    name="sleep-without-colocated-engine",
    summary="sleep_level where no engine shares the devices",
    severity=Severity.WARNING,
    frameworks={"ms-swift": ">=3.3"},
    when={"ms-swift:sleep_level": above(0), "ms-swift:rlhf_type": "grpo"},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_init_grpo sets sleep_level to 0 with async_generate, without vLLM and in server mode.",
        ),
        Evidence(
            "modelscope/ms-swift#3943",
            "https://github.com/modelscope/ms-swift/issues/3943",
            "A thread that quotes the code: up to 3.4 sleep_level above 0 also set gradient_accumulation_steps to 1.",
            "partly",
        ),
        Evidence(
            "ms-swift 3.3.0: swift/llm/argument/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v3.3.0/swift/llm/argument/rlhf_args.py",
            "_init_grpo sets gradient_accumulation_steps to 1 where sleep_level stays above 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    level = run.integer("ms-swift:sleep_level")
    if run.text("ms-swift:rlhf_type") != "grpo" or level is None or level < 1:
        return
    why = None
    if run.flag("ms-swift:use_vllm") is not True:
        why = ("nothing but the trainer generates", "ms-swift:use_vllm")
    elif run.text("ms-swift:vllm_mode") == "server":
        why = ("the engines run in a server of their own", "ms-swift:vllm_mode")
    elif run.flag("ms-swift:async_generate") is True:
        why = ("asynchronous engines never sleep", "ms-swift:async_generate")
    if why is not None:
        yield run.finding(
            f"sleep_level {level} has no effect: {why[0]}",
            "ms-swift:sleep_level",
            why[1],
            changes=(RemoveOption("ms-swift", "sleep_level", safe=True),),
        )
    elif satisfies(run.run.settings["ms-swift"].version.text, "<3.5"):
        steps = run.integer("transformers:gradient_accumulation_steps")
        if steps is not None and steps > 1:
            yield run.finding(
                f"ms-swift changes gradient_accumulation_steps from {steps} to 1 because sleep_level is {level}",
                "transformers:gradient_accumulation_steps",
                "ms-swift:sleep_level",
                help="enlarge the micro batch, or take ms-swift 3.5 or newer",
            )
