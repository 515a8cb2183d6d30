"""HF_ENDPOINT without https://.

## What it checks
`HF_ENDPOINT` set to a name of a machine alone.

## Why it matters
huggingface_hub puts the variable in front of every path as it is: each request fails, because such an address has no protocol.

## Example
    export HF_ENDPOINT=hf.example.org

## Instead
    export HF_ENDPOINT=https://hf.example.org

## Fix safety
None is offered: it stands in the environment.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule

_NAME = "env:HF_ENDPOINT"


@rule(
    id="EN039",
    name="endpoint-without-scheme",
    summary="HF_ENDPOINT without https://",
    severity=Severity.ERROR,
    when={_NAME: SET},
    evidence=(
        Evidence(
            "huggingface_hub 1.0.0: huggingface_hub/constants.py",
            "https://github.com/huggingface/huggingface_hub/blob/v1.0.0/src/huggingface_hub/constants.py",
            "Addresses are the variable, without a slash at its end, followed by the path.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it has no protocol."""
    text = run.text(_NAME)
    if text and "://" not in text:
        yield run.finding(
            f"HF_ENDPOINT is {text}, an address without a protocol", (_NAME, "no https://"), help=f"set https://{text}"
        )
