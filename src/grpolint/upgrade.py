"""What another release of a framework changes for one run: the same file read against both releases, and compared."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from grpolint.catalog.fit import misfit
from grpolint.catalog.history import successor
from grpolint.check import check
from grpolint.differences import Difference, facts, same, settings_of
from grpolint.documents.source import Source, Span
from grpolint.findings import Severity
from grpolint.reader import Reading, read
from grpolint.records import Record, replace
from grpolint.report.collect import Item, collect
from grpolint.run import Run, Settings, Version
from grpolint.values import Known, Value, plain
from grpolint.world import Supplied

__all__ = ["IMPORTANT", "Declared", "Refused", "Upgrade", "UpgradeError", "upgrades"]

IMPORTANT = (
    "*adv_estimator", "*advantage*estimator*", "*loss_agg_mode", "*loss_type", "*norm_adv*", "*scale_rewards", "*num_generations",
    "*rollout.n", "*n_samples_per_prompt", "*temperature", "*top_p", "*top_k", "*clip_ratio*", "epsilon*", "*eps_clip*",
    "*kl_loss_coef", "*kl_coef", "*kl_penalty", "*kl_loss_type", "*use_kl*", "beta", "*entropy_coeff", "*.optim.lr", "learning_rate",
    "*adam.lr", "*weight_decay", "*betas", "*warmup*", "*lr_scheduler*", "*grad_clip", "*clip_grad", "*gradient_clipping",
    "max_grad_norm", "*batch_size*", "*gradient_accumulation*", "*max_prompt_length", "*max_response_length", "*max_completion_length",
    "*dtype", "bf16", "fp16", "*shuffle", "*seed", "*truncation", "*epochs", "*rollout_correction*", "*importance_sampling*",
    "*rollout_is*", "*use_dynamic_bsz", "*mask_truncated*", "*enable_thinking*", "*lora_*", "*enable_sleep*", "*free_cache_engine",
    "*gpu_memory_utilization", "*enforce_eager", "*strategy", "*reward_manager*", "*reward_kwargs*", "*sync_ref*", "*num_iterations",
)  # fmt: skip
"""Options that decide what is trained or whether it fits; a default of theirs that moves is told first."""

_DECLARED = ("type", "choices", "min", "max", "nargs", "deprecated")


class UpgradeError(ValueError):
    """An upgrade that cannot be told. `str(error)` is one sentence."""


class Refused(Record):
    """An option of the file that the new release does not take. `names` are what took its place, as far as it is known."""

    framework: str
    key: str
    span: Span | None
    message: str
    since: str
    names: tuple[str, ...]


class Declared(Record):
    """An option of the file of which the new release says something else. `problem` says why its value no longer fits."""

    framework: str
    key: str
    span: Span | None
    changes: tuple[tuple[str, Any, Any], ...]
    problem: str


class Upgrade(Record):
    """All that changes for one run. Facts and findings are only told where nothing is refused."""

    run: Run
    versions: dict[str, tuple[Version, str]]
    refused: tuple[Refused, ...]
    defaults: tuple[Difference, ...]
    declared: tuple[Declared, ...]
    facts: tuple[Difference, ...]
    findings: tuple[Item, ...]
    gone: tuple[Item, ...]
    """Findings under the old release that the new one no longer has."""
    added: int
    """Options that are new and have a default."""

    @property
    def must(self) -> bool:
        """Whether the file has to be changed."""
        errors = any(item.severity is Severity.ERROR for item in self.findings)
        return bool(self.refused) or errors or any(each.problem for each in self.declared)

    @property
    def important(self) -> tuple[Difference, ...]:
        """The defaults that decide what is trained."""
        return tuple(each for each in self.defaults if _important(each, self.run))


def _important(moved: Difference, run: Run) -> bool:
    if not any(plain(value) or isinstance(plain(value), (int, float)) for value in (moved.before, moved.after)):
        return False  # from one kind of nothing to another
    if moved.key.startswith("critic.") and plain(run.fact("uses_critic")) is False:
        return False
    return any(fnmatchcase(moved.key, pattern) for pattern in IMPORTANT)


def upgrades(source: Source, given: Supplied, target: dict[str, str], start: dict[str, str]) -> list[Upgrade]:
    """What the releases `target` change for each run of a file that now runs with `start` (both: release by framework).

    A release that `start` does not name is found near the file or inferred from its options. Raises UpgradeError where
    nothing tells it, and where no run has the framework.
    """
    now = replace(given, versions={**given.versions, **start})
    first = read(source, now)
    if not first.runs:
        raise UpgradeError(f"{source.path}: no training launch recognised")
    base = {name: _base(name, first, start) for name in target}
    named = {
        name: version.text for name, version in base.items() if version.origin != "checkout"
    }  # which is read itself
    versions = {**now.versions, **named}
    old = read(source, replace(now, versions=versions))
    new = read(source, replace(now, versions={**versions, **target}))
    earlier, later = collect(check(old)), collect(check(new))
    found = []
    for before, after in zip(old.runs, new.runs, strict=True):
        pairs = {name: (base[name], target[name]) for name in target if name in before.settings}
        if pairs:
            found.append(_upgrade(before, after, pairs, earlier, later))
    return found


def _base(name: str, reading: Reading, start: dict[str, str]) -> Version:
    """The release that a file runs with now. Raises UpgradeError."""
    mine = [run.settings[name] for run in reading.runs if name in run.settings]
    if not mine:
        there = ", ".join(dict.fromkeys(each for run in reading.runs for each in run.settings))
        raise UpgradeError(f"--to {name}: no run of {reading.source.path} uses {name}; they use {there}")
    if name in start:
        return Version(start[name], False, "--from")
    for settings in mine:
        if settings.version.origin != "newest known":
            return settings.version
    inferred = next(filter(None, map(_inferred, mine)), None)
    if inferred is None:
        raise UpgradeError(
            f"nothing tells which {name} the file runs with now; name it with --from {name}==VERSION or --python ENV"
        )
    return inferred


def _inferred(settings: Settings) -> Version | None:
    """The newest release that has every option of the file, if the newest of all has not."""
    from grpolint.catalog import table, versions

    names = [each.name for each in settings.tables]
    keys = [each.key for each in settings if each.span is not None]
    for text in reversed(versions(settings.framework)):
        tables = [found for name in names if (found := table(settings.framework, name, text)) is not None]
        if all(any(key in each for each in tables) for key in keys):
            newest = text == versions(settings.framework)[-1]
            return None if newest else Version(text, True, "inferred from its options")
    return None


def _upgrade(
    old: Run, new: Run, pairs: dict[str, tuple[Version, str]], earlier: list[Item], later: list[Item]
) -> Upgrade:
    refused = _refused(old, new)
    taken = {(each.framework, each.key) for each in refused}
    defaults, added = _defaults(old, new, taken)
    before = {_mark(item) for item in earlier}
    after = {_mark(item) for item in later}
    return Upgrade(
        new,
        pairs,
        tuple(refused),
        tuple(sorted(defaults, key=lambda each: not _important(each, new))),
        tuple(_declared(old, new)),
        # What is refused decides nothing any more: what would follow from that is not what will be run.
        () if refused else tuple(facts(old, new)),
        () if refused else tuple(item for item in later if _mark(item) not in before),
        () if refused else tuple(item for item in earlier if _mark(item) not in after),
        added,
    )


def _mark(item: Item) -> tuple[Any, ...]:
    return (item.entry.id, _place(item.span)) if item.span is not None else (item.entry.id, item.finding.message)


def _place(span: Span | None) -> tuple[str, int] | None:
    return (span.source.path, span.start) if span is not None else None


def _refused(old: Run, new: Run) -> list[Refused]:
    known = {(each.framework, each.key) for each in old.complaints}
    found = []
    for each in new.complaints:
        if (each.framework, each.key) in known:
            continue
        settings = new.settings.get(each.framework)
        rename = _successor(settings, each.key) if settings is not None else None
        names = rename[1] if rename is not None else ()
        if not names and each.suggestion is not None and each.kind == "unknown-key":
            names = ()  # a likely spelling is no rename
        found.append(Refused(each.framework, each.key, each.span, each.detail, rename[0] if rename else "", names))
    return found


def _successor(settings: Settings, key: str) -> tuple[str, tuple[str, ...]] | None:
    for table in settings.tables:
        found = successor(settings.framework, table.name, key, table.version)
        if found is not None:
            return found.version, found.new
    return None


def _defaults(old: Run, new: Run, taken: set[tuple[str, str]]) -> tuple[list[Difference], int]:
    """Options that the file leaves alone and that have another value now, a new name followed; how many are new."""
    found: list[Difference] = []
    added = 0
    for name, before in old.settings.items():
        after = new.settings.get(name)
        if after is None or before.version.text == after.version.text:
            continue
        moved: set[str] = set()
        for each in settings_of(before, after):
            if any(each.set) or (name, each.key) in taken or each.key.endswith("_target_"):
                continue
            if each.after is None:
                renamed = _successor(after, each.key)
                for key in renamed[1] if renamed is not None and len(renamed[1]) == 1 else ():
                    moved.add(key)
                    value = after.value(key) if before.value(key) is None and after.get(key) is None else None
                    if _alike(each.before, value) and not same(each.before, value):
                        found.append(Difference(name, key, each.before, value, each.set))
            elif each.before is not None:
                found.append(each)
            elif each.key not in moved:
                added += 1
    # Two frameworks that share their options (TRL and transformers) may tell the same change twice.
    unique = {(each.key, repr((plain(each.before), plain(each.after)))): each for each in found}
    return list(unique.values()), added


def _alike(before: Value | None, after: Value | None) -> bool:
    """Whether two defaults are of one kind, so that a renamed option can be compared with what it was."""
    one, other = plain(before), plain(after)
    return after is not None and (one is None or other is None or type(one) is type(other))


def _declared(old: Run, new: Run) -> list[Declared]:
    """Options of the file of which the two releases say different things."""
    found = []
    for name, after in new.settings.items():
        before = old.settings.get(name)
        if before is None or before.version.text == after.version.text:
            continue
        for setting in after:
            was, now = before.option(setting.key), after.option(setting.key)
            if was is None or now is None or setting.span is None:
                continue
            changes = tuple(
                (field, was.record.get(field), now.record.get(field))
                for field in _DECLARED
                if was.record.get(field) != now.record.get(field) and not _widened(field, was, now)
            )
            renamed, earlier = _successor(after, setting.key), _successor(before, setting.key)
            if renamed is not None and earlier is None:
                changes = (("renamed", renamed[0], renamed[1]),)
            if changes:
                found.append(Declared(name, setting.key, setting.span, changes, _problem(setting.value, was, now)))
    return found


def _widened(field: str, was: Any, now: Any) -> bool:
    """Whether only more is known of a type: a default of null told nothing of it, and a float takes every int."""
    kinds = str(was.record.get("type")), str(now.record.get("type"))
    return field == "type" and (kinds[0] in ("null", "None") or kinds == ("int", "float"))


def _problem(value: Value, was: Any, now: Any) -> str:
    if not isinstance(value, Known) or misfit(was, value.value):
        return ""
    return misfit(now, value.value)
