"""Pack_length is below prompt and response.

## What it checks
`--pack_length` against `--max_prompt_token_length` + `--response_length`, written or by default (512, 256 and 256).

## Why it matters
A sequence of full length has to fit into a pack; open-instruct asserts it while it reads the flags.

## Example
    python open_instruct/grpo_fast.py --max_prompt_token_length 2048 --response_length 8192 --pack_length 8192

## Instead
    python open_instruct/grpo_fast.py --max_prompt_token_length 2048 --response_length 8192 --pack_length 10240

## Fix safety
Safe: the run does not start otherwise; more memory is taken for a pack.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_OURS = "open-instruct:"


@rule(
    id="OI001",
    name="pack-shorter-than-sequence",
    summary="pack_length is below prompt and response",
    severity=Severity.ERROR,
    frameworks={"open-instruct": ">=0.1"},
    evidence=(
        Evidence(
            "open-instruct 0.3.0: open_instruct/data_loader.py",
            "https://github.com/allenai/open-instruct/blob/v0.3.0/open_instruct/data_loader.py",
            "StreamingDataLoaderConfig asserts that pack_length is at least the sum.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the sum if it does not fit."""
    pack = run.integer(f"{_OURS}pack_length")
    prompt, response = run.integer(f"{_OURS}max_prompt_token_length"), run.integer(f"{_OURS}response_length")
    if pack is None or prompt is None or response is None or pack >= prompt + response:
        return
    yield run.finding(
        f"pack_length {pack} < max_prompt_token_length {prompt} + response_length {response} = {prompt + response}",
        (f"{_OURS}pack_length", "tokens of a pack"),
        (f"{_OURS}response_length", "longest response"),
        (f"{_OURS}max_prompt_token_length", "longest prompt"),
        changes=(SetOption("open-instruct", "pack_length", prompt + response, safe=True),),
    )
