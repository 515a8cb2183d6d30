"""Two features that SGLang does not have at once.

## What it checks
`--enable-mixed-chunk`, `--pp-size` above 1 or LoRA with drafts (`--speculative-algorithm`), pipelines with mixed chunks, and
`--enable-torch-compile` with `--disable-cuda-graph-padding`, each in the releases that refuse it.

## Why it matters
SGLang stops at the start.

## Example
    python -m sglang.launch_server --model-path m --enable-mixed-chunk --speculative-algorithm EAGLE

## Instead
    python -m sglang.launch_server --model-path m --speculative-algorithm EAGLE

## Fix safety
None is offered: which of the two is wanted is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies

_PAIRS = (
    ("enable_mixed_chunk", "speculative_algorithm", ">=0.4.9,<0.5.19"),
    ("pp_size", "speculative_algorithm", ">=0.4.9,<0.5.11"),
    ("pp_size", "enable_mixed_chunk", ">=0.4.9,<0.5.11"),
    ("enable_lora", "speculative_algorithm", ">=0.5.8,<0.5.18"),
    ("enable_torch_compile", "disable_cuda_graph_padding", ">=0.5.12"),
)
"""Pairs and the releases in which they are known to be refused."""


@rule(
    id="SG029",
    name="features-refused-together",
    summary="features of SGLang that it refuses together",
    severity=Severity.ERROR,
    frameworks={"sglang": ">=0.4.6"},
    when={"sglang:speculative_algorithm|sglang:enable_mixed_chunk|sglang:disable_cuda_graph_padding": SET},
    evidence=(
        Evidence(
            "sglang 0.5.10: python/sglang/srt/server_args.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.10/python/sglang/srt/server_args.py",
            "check_server_args asserts on mixed chunks and on pipelines, check_lora_server_args raises on drafts.",
        ),
        Evidence(
            "sglang 0.5.23: python/sglang/srt/arg_groups/validation_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.23/python/sglang/srt/arg_groups/validation_hook.py",
            "Graphs without padding and torch.compile exclude each other.",
        ),
        Evidence(
            "sglang 0.5.20: python/sglang/srt/arg_groups/validation_hook.py",
            "https://github.com/sgl-project/sglang/blob/v0.5.20/python/sglang/srt/arg_groups/validation_hook.py",
            "From here on some kinds of drafts stand mixed chunks.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each pair."""
    settings = run.run.settings.get("sglang")
    release = settings.version.text if settings is not None else "0"
    for first, second, releases in _PAIRS:
        if satisfies(release, releases) and _holds(run, first) and _holds(run, second):
            yield run.finding(
                f"SGLang {release} refuses {first} together with {second}",
                (f"sglang:{first}", "one of the two"),
                (f"sglang:{second}", "the other"),
                help="leave out one of the two",
            )


def _holds(run: Inquiry, name: str) -> bool:
    """Whether a feature is in use. Drafts from n-grams are as good as none here."""
    value = run.known(f"sglang:{name}")
    if name == "pp_size":
        return isinstance(value, int) and value > 1
    return value not in (None, False, "", "false") and str(value).upper() != "NGRAM"
