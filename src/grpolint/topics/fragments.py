"""Fragments of configuration: a topic's advice in the syntax of a framework and of its release.

How an option is written is asked of the framework itself, for a minimal launch of that release; an option that the release
does not have is left out and said to be missing. Where the syntax has comments, the reasons are comments.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from grpolint.changes import AddEnv, SetOption
from grpolint.documents.source import Source
from grpolint.records import Record
from grpolint.run import Run
from grpolint.topics.base import Advice, Asked, Topic

__all__ = ["FRAMEWORKS", "Base", "Fragment", "fragment"]

WIDTH = 100
"""Columns of a comment."""


class Base(Record):
    """Where a fragment of a framework belongs: minimal documents, of which the one with most of the options is taken.

    `form` is array (a shell array that a launch takes), json or yaml. A document of the form array is the command that
    the array is added to. `start` is how many words of it are shown to the reader.
    """

    form: str
    documents: tuple[str, ...]
    start: int = 9

    def command(self, number: int) -> str:
        """The command as a hint for the reader."""
        words = self.documents[number].split()
        return " ".join(words[: self.start]) + (" ..." if len(words) > self.start else "")

    def document(self, number: int, fragment: str = "") -> Source:
        """A document of the form, with a fragment in it where one can be added."""
        text = self.documents[number]
        if self.form == "array":
            return Source("fragment.sh", f"{fragment}{text}{_USE if fragment else ''}\n")
        return Source(f"fragment.{self.form}", fragment or text)


ARRAY = "GRPOLINT"
_USE = f' "${{{ARRAY}[@]}}"'

FRAMEWORKS: dict[str, Base] = {
    "verl": Base(
        "array",
        (
            "python3 -m verl.trainer.main_ppo",
            "python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer",
        ),
    ),
    "openrlhf": Base("array", ("python3 -m openrlhf.cli.train_ppo_ray",)),
    "trl": Base("yaml", ("output_dir: out\nlearning_rate: 1.0e-6\nnum_generations: 8\nmax_completion_length: 256\n",)),
    "slime": Base(
        "array", ("python3 train.py --hf-checkpoint MODEL --rollout-num-gpus 8 --n-samples-per-prompt 8",), 2
    ),
    "megatron": Base(
        "array",
        ("torchrun pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 64",),
        2,
    ),
    "deepspeed": Base("json", ('{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1}',)),
    "accelerate": Base("yaml", ("compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\n",)),
    "vllm": Base("array", ("vllm serve MODEL",)),
    "sglang": Base("array", ("python3 -m sglang.launch_server --model-path MODEL",)),
}
"""The frameworks in whose syntax fragments are written."""


class Fragment(Record):
    """A fragment: its text, what is to be told beside it where the syntax has no comments, and the release it is for.

    `changes` are those that it makes, `missing` the keys that the release does not have. `number` is the document of its
    `Base` that it belongs to.
    """

    text: str
    beside: tuple[str, ...]
    asked: Asked
    changes: tuple[SetOption | AddEnv, ...]
    missing: tuple[str, ...]
    number: int


def fragment(topic: Topic, framework: str, versions: dict[str, str], gpu: str | None = None) -> Fragment | None:
    """What a topic advises for a framework of `FRAMEWORKS`; None if it has nothing to say of it.

    `versions` are the releases in use by framework, as far as they are known; without one the newest is taken.
    """
    from grpolint.catalog import newest

    asked = Asked(framework, versions.get(framework) or newest(framework) or "unknown", gpu)
    advice = topic.advice(asked)
    if advice is None:
        return None
    base = FRAMEWORKS[framework]
    runs = [
        _run(base.document(number), {**versions, framework: asked.version}) for number in range(len(base.documents))
    ]
    number = max(range(len(runs)), key=lambda each: (_fit(runs[each], advice), -each))
    run = runs[number]
    there = [each for each in advice if not isinstance(each.change, SetOption) or _has(run, each.change)]
    missing = tuple(each.change.key for each in advice if each not in there and isinstance(each.change, SetOption))
    changes = tuple(each.change for each in there if isinstance(each.change, (SetOption, AddEnv)))
    release = f"{framework} {asked.version}{'' if framework in versions else ' (newest known)'}"
    told = tuple(f"{asked.framework} {asked.version} has no {key}" for key in missing)
    parts = _Parts(tuple(there), run, f"grpolint {topic.name} avoid: {release}", told, base.command(number))
    text, beside = {"array": _array, "json": _json, "yaml": _yaml}[base.form](parts)
    return Fragment(text, beside, asked, changes, missing, number)


def _run(source: Source, versions: dict[str, str]) -> Run:
    from grpolint.reader import read
    from grpolint.world import Supplied

    return read(source, Supplied(versions=versions)).runs[0]


def _fit(run: Run, advice: tuple[Advice, ...]) -> int:
    return sum(isinstance(each.change, SetOption) and _has(run, each.change) for each in advice)


def _has(run: Run, change: SetOption) -> bool:
    """Whether the release has the option, or an open section for it."""
    settings = run.settings.get(change.framework)
    if settings is None:
        return False
    if settings.option(change.key) is not None or settings.default(change.key) is not None:
        return True
    section = change.key.rpartition(".")[0]
    if not section.endswith(_HANDED_ON):
        return False
    return settings.default(section) is not None or any(key.startswith(f"{section}.") for key in settings.keys())  # noqa: SIM118


_HANDED_ON = (".override_transformer_config", ".override_optimizer_config", ".override_ddp_config")
"""Sections of verl that take any key, because Megatron gets them as they are."""


def _reason(advice: Advice) -> str:
    return advice.why + (f" ({', '.join(advice.refs)})" if advice.refs else "")


def _comment(text: str, indent: str = "") -> list[str]:
    from textwrap import wrap

    return wrap(
        text,
        WIDTH,
        initial_indent=f"{indent}# ",
        subsequent_indent=f"{indent}#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


class _Parts(Record):
    """What a fragment is written from: the advice that the release has options for, and the lines about the rest."""

    advice: tuple[Advice, ...]
    run: Run
    head: str
    missing: tuple[str, ...]
    command: str

    def notes(self) -> list[str]:
        """What is said without an option."""
        return [self.head, *(_reason(each) for each in self.advice if each.change is None), *self.missing]

    def exports(self) -> list[tuple[str, str]]:
        """Variables to set: the line of shell and the reason."""
        import shlex

        set_ = [(each.change, _reason(each)) for each in self.advice if isinstance(each.change, AddEnv)]
        return [(f"export {change.name}={shlex.quote(change.value)}", reason) for change, reason in set_]

    def options(self) -> list[tuple[SetOption, str]]:
        """Options to set, with the reason."""
        return [(each.change, _reason(each)) for each in self.advice if isinstance(each.change, SetOption)]

    def spelled(self, change: SetOption) -> str:
        """The option as the leading framework writes it; empty where leaving it out is the only way."""
        from grpolint.frameworks.registry import frameworks

        leader = next(each for each in frameworks() if each.name == self.run.trainer)
        return leader.spell(change.key, change.value, None, self.run)


def _array(parts: _Parts) -> tuple[str, tuple[str, ...]]:
    lines = [line for text in parts.notes() for line in _comment(text)]
    for export, reason in parts.exports():
        lines += [*_comment(reason), export]
    options: list[str] = []
    said = ""
    for change, reason in parts.options():
        spelled = parts.spelled(change)
        if not spelled:
            lines += _comment(f"leave {change.key} out: {reason}")
            continue
        options += _comment(reason, "    ") if reason != said else []
        options.append(f"    {spelled}")
        said = reason
    if options:
        lines += [f"{ARRAY}=(", *options, ")", *_comment(f"add it to the launch: {parts.command}{_USE}")]
    return "\n".join(lines), ()


def _json(parts: _Parts) -> tuple[str, tuple[str, ...]]:
    told = [f"{change.key}: {reason}" for change, reason in parts.options()]
    told += [f"{export}: {reason}" for export, reason in parts.exports()]
    return json.dumps(_tree(parts, lambda change, _: change.value), indent=2), (*parts.notes(), *told)


def _yaml(parts: _Parts) -> tuple[str, tuple[str, ...]]:
    lines = [line for text in parts.notes() for line in _comment(text)]
    lines += [line for export, reason in parts.exports() for line in _comment(f"{export}: {reason}")]

    def put(tree: dict[str, Any], indent: str) -> None:
        for key, each in tree.items():
            if isinstance(each, dict):
                lines.append(f"{indent}{key}:")
                put(each, indent + "  ")
            else:
                change, reason = each
                lines.extend([*_comment(reason, indent), f"{indent}{parts.spelled(change)}"])

    put(_tree(parts, lambda change, reason: (change, reason)), "")
    return "\n".join(lines), ()


def _tree(parts: _Parts, leaf: Callable[[SetOption, str], Any]) -> dict[str, Any]:
    """The options nested as their dotted names say."""
    tree: dict[str, Any] = {}
    for change, reason in parts.options():
        *sections, last = change.key.split(".")
        at = tree
        for section in sections:
            at = at.setdefault(section, {})
        at[last] = leaf(change, reason)
    return tree
