"""Unknown values: why they are unknown, in words, and which option supplies them."""

from __future__ import annotations

__all__ = ["supply", "why"]


def why(reason: str) -> str:
    """A machine-readable reason as words: `env:N` becomes `$N is not set in the documents`."""
    kind, _, what = reason.partition(":")
    text = _WORDS.get(kind)
    return text.format(what) if text is not None and what else reason


_WORDS = {
    "env": "${} is not set in the documents",
    "argument": "the script's argument {} is not known",
    "command": "the output of `{}` is not known",
    "branch": "it depends on the condition at line {}",
    "file": "{} cannot be read",
    "expression": "`{}` is computed when the program runs",
    "computed": "the framework computes it: {}",
    "directive": "`{}` names no number",
    "model": "the architecture of {} is not in the table, and no config.json of it is in the tree",
    "version": "it depends on the release of {}, and the one in use is assumed",
    "program": "{} reads its options with code of its own",
    "fork": "no release known here has the option {}: the program may be a fork",
}


def supply(ref: str, reason: str) -> str:
    """What supplies an unknown value: mostly an option of the command line, `--env N=...`, `--set verl:key=...`."""
    kind, _, what = reason.partition(":")
    if kind == "env" and what.isidentifier():
        return f"--env {what}=..."
    if kind == "version" and what:
        return f"--with {what}==..."
    framework, _, key = ref.partition(":")
    if framework == "version":
        return f"--with {key}==..."
    if framework in ("program", "fork"):
        return ""
    if framework == "fact":
        options = {"nodes": "--nodes N", "gpus_per_node": "--gpus-per-node N"}
        options["world_size"] = "--nodes N --gpus-per-node N"
        if kind == "model":
            return f"--fact {key}=..."
        return options.get(key, f"--fact {key}=..." if reason == "nothing says it" else "")
    if framework == "env":
        return f"--env {key}=..."
    return f"--set {ref}=..." if framework and key else ""
