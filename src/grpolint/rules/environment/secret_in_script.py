"""A secret key written into a launch file.

## What it checks
Variables and options that carry a key of Weights & Biases, Hugging Face, OpenAI, GitHub or AWS, written out as a literal
of the right shape.

## Why it matters
Launch files are committed, copied and logged: Ray, Hydra and `set -x` print the environment and the arguments.

## Example
    export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567

## Instead
    : "${WANDB_API_KEY:?export it before the launch}"

## Fix safety
None is offered: the key must be revoked and kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.regex import regex
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.values import Known, Origin

_SHAPES = (
    (regex(r"hf_[A-Za-z0-9]{30,}"), "Hugging Face token"),
    (regex(r"sk-[A-Za-z0-9_-]{32,}"), "API key"),
    (regex(r"gh[pousr]_[A-Za-z0-9]{36}"), "GitHub token"),
    (regex(r"AKIA[0-9A-Z]{16}"), "AWS access key"),
    (regex(r"(?:local-)?[0-9a-f]{40}|wandb_v\d_[A-Za-z0-9_]{40,}"), "Weights & Biases key"),
)
_NAMED = regex(r"(?i)(api_?key|token|secret|passw(or)?d)$")
_PREFIXED = ("hf_", "sk-", "gh", "AKIA", "wandb_")


@rule(
    id="EN001",
    name="secret-in-script",
    summary="an API key or token written into the launch file",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    evidence=(
        Evidence(
            "Weights & Biases documentation: environment variables",
            "https://docs.wandb.ai/guides/track/environment-variables/",
            "WANDB_API_KEY is meant to be supplied by the environment of the machine.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each literal secret; the secret itself is not repeated."""
    for name, word in run.run.env.items():
        yield from _look(run, name, word.text, word.origins)
    for settings in run.run.settings.values():
        for setting in settings:
            if isinstance(setting.value, Known) and isinstance(setting.value.value, str):
                yield from _look(run, setting.key, setting.value.value, setting.value.origins)


def _look(run: Inquiry, name: str, text: str | None, origins: tuple[Origin, ...]) -> Iterator[Finding]:
    if text is None or len(set(text)) < 8:  # xxxxxxxx and 0000 are placeholders
        return
    kind = next((kind for shape, kind in _SHAPES if shape.fullmatch(text)), None)
    if kind is None or not (text.startswith(_PREFIXED) or _NAMED.search(name)):
        return
    spans = [origin.span for origin in origins if origin.span is not None]
    yield run.finding(
        f"{name} holds a {kind} in plain text",
        *(Label(span, "revoke it and keep it out of the file", secret=True) for span in spans[-1:]),
        help="revoke the key and take it from the environment of the machine",
    )
