"""A runtime environment that Ray refuses.

## What it checks
The JSON of `ray job submit --runtime-env-json`: that it is JSON, that it is an object, and that the values of `env_vars` are texts.

## Why it matters
The job is not submitted: JSONDecodeError, or a TypeError that env_vars wants texts.

## Example
    ray job submit --runtime-env-json '{"env_vars": {"NCCL_DEBUG_SUBSYS": "ALL", "VLLM_USE_V1": 1}}' -- python3 ...

## Instead
    ray job submit --runtime-env-json '{"env_vars": {"NCCL_DEBUG_SUBSYS": "ALL", "VLLM_USE_V1": "1"}}' -- python3 ...

## Fix safety
None is offered: the text stands inside a word of the shell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.launch import Word
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="RA001",
    name="runtime-environment-refused",
    summary="a runtime environment that Ray refuses",
    severity=Severity.ERROR,
    when={"fact:ray_job": "ray job submit"},
    evidence=(
        Evidence(
            "ray: python/ray/_private/runtime_env/validation.py",
            "https://github.com/ray-project/ray/blob/master/python/ray/_private/runtime_env/validation.py",
            "env_vars must be a dictionary of texts; anything else is a TypeError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first fault."""
    options = launcher_options(run.run, "ray job submit")
    flag = options.last("runtime_env_json") if options is not None else None
    if flag is None or not flag.words:
        return
    word = flag.words[-1] if len(flag.words) > 1 else flag.words[0].split_at(flag.words[0].prefix.find("=") + 1)[1]
    labels = [Label(flag.span, "refused")] if flag.span is not None else []
    why = _refused(word)
    if why:
        yield run.finding(f"Ray refuses this runtime environment: {why}", *labels, help="write texts in double quotes")


def _refused(word: Word) -> str:
    """What is wrong with a runtime environment as JSON; empty if nothing is, or nobody can tell."""
    text = "".join(part.text if part.text is not None else "unknown" for part in word.parts)
    try:
        tree = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return f"it is no JSON ({error})" if word.known else ""
    if not isinstance(tree, dict):
        return "it is no object"
    variables = tree.get("env_vars", {})
    if not isinstance(variables, dict):
        return "env_vars is no object"
    for name, value in variables.items():
        if not isinstance(value, str):
            return f"env_vars.{name} is {json.dumps(value)}, and Ray wants a text"
    return ""
