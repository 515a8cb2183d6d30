"""vLLM in ms-swift with half of what it needs.

## What it checks
use_vllm needs vllm_mode and vllm_mode needs use_vllm (since 3.11.1); server mode needs vllm_server_host or
vllm_server_base_url; colocate mode has no use for either.

## Why it matters
The first three end the run before training. In colocate mode the trainer still connects to a server that is named,
and waits for it.

## Example
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode server

## Instead
    swift rlhf --rlhf_type grpo --use_vllm true --vllm_mode server --vllm_server_host 127.0.0.1

## Fix safety
Unsafe: where the engine runs changes what each device holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption, SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="SW005",
    name="swift-engine-mode-incomplete",
    summary="use_vllm and vllm_mode of ms-swift do not fit together",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.5"},
    when={"ms-swift:rlhf_type": ("grpo", "gkd")},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_init_rollout raises ValueError for use_vllm without vllm_mode and the other way round, and asserts a host for server mode.",
        ),
        Evidence(
            "modelscope/ms-swift#7879",
            "https://github.com/modelscope/ms-swift/issues/7879",
            "Colocated engines with the host of a server: the trainer connects to the server first and hangs.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the half that is missing."""
    if run.text("ms-swift:rlhf_type") not in ("grpo", "gkd"):
        return
    uses, mode = run.flag("ms-swift:use_vllm"), run.text("ms-swift:vllm_mode")
    strict = satisfies(run.run.settings["ms-swift"].version.text, ">=3.11.1")
    if "megatron" in run.run.settings:
        return  # it has modes of its own
    if uses is True and mode is None and strict:
        change = SetOption("ms-swift", "vllm_mode", "colocate")
        yield run.finding("use_vllm without vllm_mode is refused", "ms-swift:use_vllm", changes=(change,))
    elif uses is False and mode is not None and strict:
        change = SetOption("ms-swift", "use_vllm", value=True)
        yield run.finding(
            f"vllm_mode {mode} without use_vllm is refused",
            "ms-swift:vllm_mode",
            "ms-swift:use_vllm",
            changes=(change,),
        )
    elif uses is True and mode == "server":
        if run.known("ms-swift:vllm_server_host") is None and run.known("ms-swift:vllm_server_base_url") is None:
            place = ("ms-swift:vllm_mode", "a server, and nobody says where")
            yield run.finding("server mode without vllm_server_host is refused", place, help="set vllm_server_host")
    elif uses is True and mode == "colocate":
        for key in ("vllm_server_host", "vllm_server_base_url"):
            if run.known(f"ms-swift:{key}") is not None:
                yield run.finding(
                    f"colocate mode with {key}: the trainer waits for a server that it does not use",
                    (f"ms-swift:{key}", "connected to nevertheless"),
                    "ms-swift:vllm_mode",
                    changes=(RemoveOption("ms-swift", key),),
                    severity=Severity.WARNING,
                )
