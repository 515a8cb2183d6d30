"""Composition: a primary configuration, its defaults list and the overrides of a command line, with Hydra's refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grpolint.digits import whole
from grpolint.frameworks.hydra.defaults import ComposeError, SearchPath, expand
from grpolint.frameworks.hydra.interpolation import Environment, Resolver
from grpolint.frameworks.hydra.overrides import Override, Sweep
from grpolint.frameworks.hydra.tree import Branch, Leaf, MergeError, Path, Tree, branch_of, clone, leaves, merge, nest
from grpolint.records import Record, field
from grpolint.values import Origin, Unknown, Value, plain

__all__ = ["Composition", "compose", "compose_base", "split_groups"]


class Composition(Record, frozen=False):
    """A composed configuration.

    `base` is what the files make, `tree` what the overrides made of it; both are shared and not to be changed. `refused`
    are the overrides that Hydra would end the program for; they are left out of `tree`. `sweeps` are the overrides that
    need --multirun. `set` are the leaves that overrides made, in order, with the override. `suggest` says whether refusals
    look for keys that could be meant.
    """

    base: Tree
    tree: Tree
    resolver: Resolver
    refused: list[ComposeError] = field(default_factory=list)
    sweeps: list[Override] = field(default_factory=list)
    set: list[tuple[Path, Leaf, Override]] = field(default_factory=list)
    deleted: list[Path] = field(default_factory=list)
    suggest: bool = True
    owned: dict[int, Tree] = field(default_factory=dict)
    """The dictionaries of `tree` that are no longer those of `base`, by identity: each is copied when first changed."""

    def value(self, key: str) -> Value | None:
        """The effective value of a dotted key, interpolations followed; None where there is no such key."""
        return self.resolver.value(tuple(key.split(".")))

    def default(self, key: str) -> Value | None:
        """What the files say of a key, whatever the overrides say of it; interpolations see the overrides."""
        path = tuple(key.split("."))
        node = self.node(path)
        return self.resolver.value_of(node, path) if node is not None else self.value(key)

    def node(self, path: Path) -> Branch | None:
        """The node that the files make at a path, interpolations on the way not followed; None where there is none."""
        at: Branch | None = self.base
        for step in path:
            at = at.get(step) if isinstance(at, dict) else None
        return at


def split_groups(search: SearchPath, overrides: Sequence[Override]) -> tuple[list[Override], list[Override]]:
    """The overrides that choose options of groups, and those that set keys; Hydra's own are in neither."""
    groups: list[Override] = []
    keys: list[Override] = []
    for override in overrides:
        if override.hydra:
            continue
        group = not isinstance(override.value, (dict, Sweep)) and search.is_group(override.key)
        (groups if group else keys).append(override)
    return groups, keys


def compose_base(search: SearchPath, primary: str, groups: Sequence[Override] = ()) -> Tree:
    """The tree that a primary configuration and group choices make, without Hydra's own part. Raises ComposeError."""
    tree: Tree = {}
    resolver = Resolver(tree)
    for part in expand(search, primary, groups):
        try:
            added = nest(part.config.tree, part.package)
            if part.override is not None and part.config.source is not None:
                added = _chosen(added, part.override)
            merge(tree, added, resolver.container)
        except MergeError as error:
            raise ComposeError("bad-config", f"{part.path}: {error}", part.path) from error
    tree.pop("hydra", None)
    return tree


def _chosen(tree: Tree, override: Override) -> Tree:
    """A file of the user's that an override chose: its leaves say so."""
    step = Origin("defaults", override.origins[0].span, override.group_key)
    return {
        key: _chosen(value, override)
        if isinstance(value, dict)
        else Leaf(value.value, (*value.origins, step), value.release, value.span)
        for key, value in tree.items()
    }


def compose(
    base: Tree,
    overrides: Sequence[Override],
    *,
    multirun: bool = False,
    environment: Environment | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    suggest: bool = True,
) -> Composition:
    """Apply overrides of keys to a composed base, which stays as it is."""
    tree = dict(base)
    made = Composition(base, tree, Resolver(tree, environment, functions), suggest=suggest)
    for override in overrides:
        if isinstance(override.value, Sweep):
            if not multirun:
                made.sweeps.append(override)
            _put_quietly(made, override, Unknown("expression:sweep", override.origins, override.value.values))
            continue
        try:
            _apply(made, override)
        except ComposeError as error:
            made.refused.append(error)
            # what the author meant still counts, so that other rules see the value
            if override.mark != "~":
                _put_quietly(made, override, override.value)
    return made


def _apply(made: Composition, override: Override) -> None:
    if override.package is not None:
        raise ComposeError("unknown-key", f"there is no group {override.key}", override.group_key, override)
    if not override.key:
        raise ComposeError("bad-override", "the key is empty", "", override)
    path = tuple(override.key.split("."))
    if override.mark not in ("+", "~"):
        _update(made, override, path, force=override.mark != "")
        return
    current = made.resolver.value(path)
    found = plain(current)
    if isinstance(current, Unknown) and current.reason.startswith("interpolation:"):
        message = f"{override.key} refers to {current.reason.partition(':')[2]}, which does not exist"
        raise ComposeError("bad-override", message, override.key, override)
    if override.mark == "~":
        if found is None and not isinstance(current, Unknown):
            raise ComposeError(
                "unknown-key", f"{override.key} does not exist: ~ cannot delete it", override.key, override
            )
        _delete(made, override, path, current)
        return
    if found not in (None, "???") and not isinstance(override.value, (dict, list, Unknown)):
        raise ComposeError("append-exists", f"{override.key} is there already: + cannot add it", override.key, override)
    _update(made, override, path, force=True)


def _delete(made: Composition, override: Override, path: Path, current: Value | None) -> None:
    wanted, found = override.value, plain(current)
    if not isinstance(current, Unknown) and not isinstance(wanted, Unknown) and wanted not in (None, found):
        message = f"{override.key} is {found} and not {wanted}: ~ does not delete it"
        raise ComposeError("bad-override", message, override.key, override)
    _take(made, path[:-1])
    at: Any = made.tree
    for step in path[:-1]:
        at = at.get(step) if isinstance(at, dict) else None
    if isinstance(at, dict):
        at.pop(path[-1], None)
    made.deleted.append(path)
    made.set = [item for item in made.set if item[0][: len(path)] != path]


def _take(made: Composition, path: Path) -> None:
    """Make the dictionaries along a path the composition's own."""
    at = made.tree
    for step in path:
        below = at.get(step)
        if not isinstance(below, dict):
            return
        if id(below) not in made.owned:
            below = at[step] = dict(below)
            made.owned[id(below)] = below
        at = below


def _update(made: Composition, override: Override, path: Path, *, force: bool) -> None:
    _take(made, path[:-1])
    at: Branch = made.tree
    holder: tuple[Tree, str] | None = None
    for index, step in enumerate(path[:-1]):
        if isinstance(at, Leaf):
            _into_list(made, override, path, index, holder, force=force)
            return
        following = at.get(step)
        if isinstance(following, Leaf) and not isinstance(following.value, list):
            following = None
            if not force:
                raise _unknown(made, override, path)
        if following is None:
            if not force:
                raise _unknown(made, override, path)
            following = at[step] = {}
        holder = (at, step)
        at = following
    if isinstance(at, Leaf):
        _into_list(made, override, path, len(path) - 1, holder, force=force)
        return
    _set(made, override, at, path, force=force)


def _set(made: Composition, override: Override, at: Tree, path: Path, *, force: bool) -> None:
    """Set or merge the last step of a path in the dictionary that holds it."""
    key = path[-1]
    present = at.get(key)
    if present is None and not force:
        raise _unknown(made, override, path)
    like = Leaf(None, override.origins, None, override.origins[0].span)
    value = override.value
    if override.word is not None and override.word.condition is not None:
        value = Unknown(override.word.condition, override.origins, _either(value, present))
    new = branch_of(value, like)
    if isinstance(new, dict) and isinstance(present, dict):
        extra = _extra(new, present)
        if extra is not None and not force:
            raise _unknown(made, override, (*path, *extra))
        present = at[key] = clone(present)
        try:
            merge(present, new, made.resolver.container, path)
        except MergeError as error:
            raise ComposeError("bad-override", str(error), override.key, override) from error
    elif isinstance(new, dict) and present is not None and isinstance(present.value, list):
        raise ComposeError("bad-override", f"{override.key} is a list", override.key, override)
    elif isinstance(value, list) and isinstance(present, dict):
        raise ComposeError("bad-override", f"{override.key} is a dictionary", override.key, override)
    else:
        at[key] = new
    made.set.extend((inner, leaf, override) for inner, leaf in _leaves(new, path, like))


def _leaves(node: Branch, path: Path, like: Leaf) -> list[tuple[Path, Leaf]]:
    """The leaves of a value; an empty dictionary is one."""
    return [
        (inner, leaf if isinstance(leaf, Leaf) else Leaf({}, like.origins, None, like.span))
        for inner, leaf in leaves(node, path)
    ]


def _either(value: Any, present: Branch | None) -> tuple[Any, ...]:
    """The two possible values under a condition, where both are plain."""
    if isinstance(present, Leaf) and not present.interpolation and not isinstance(value, Unknown):
        return (value, present.value)
    return ()


def _extra(new: Tree, present: Tree) -> Path | None:
    """The first key of `new` that `present` does not have."""
    for key, value in new.items():
        if key not in present:
            return (key,)
        old = present[key]
        if isinstance(value, dict) and isinstance(old, dict):
            inner = _extra(value, old)
            if inner is not None:
                return (key, *inner)
    return None


def _into_list(
    made: Composition, override: Override, path: Path, index: int, holder: tuple[Tree, str] | None, *, force: bool
) -> None:
    """Set something inside the list at `path[:index]`, which `holder` (dictionary and key) holds."""
    if holder is None:
        raise _unknown(made, override, path)
    tree, key = holder
    changed = _copied(tree[key].value)
    at: Any = changed
    for step in path[index:-1]:
        if isinstance(at, list):
            at = at[place] if (place := whole(step)) is not None and place < len(at) else None
        else:
            at = at.get(step) if isinstance(at, dict) else None
    last = path[-1]
    if isinstance(at, list) and (place := whole(last)) is not None and place < len(at):
        at[place] = override.value
    elif isinstance(at, dict) and (force or last in at):
        at[last] = override.value
    else:
        raise _unknown(made, override, path)
    tree[key] = Leaf(changed, override.origins, None, override.origins[0].span)
    made.set.append((path[:index], tree[key], override))


def _copied(value: Any) -> Any:
    """Plain data copied as far as it may be changed."""
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return {key: _copied(item) for key, item in value.items()} if isinstance(value, dict) else value


def _unknown(made: Composition, override: Override, path: Path) -> ComposeError:
    """The refusal of a key that the configuration does not have, with keys that could be meant."""
    at: Branch | None = made.tree
    depth = 0
    for step in path:
        following = at.get(step) if isinstance(at, dict) else None
        if following is None:
            break
        at, depth = following, depth + 1
    key = ".".join(path)
    if not made.suggest or not isinstance(at, dict) or depth >= len(path):
        return ComposeError("unknown-key", f"{key} is not in the configuration", key, override)
    from difflib import get_close_matches

    near = get_close_matches(path[depth], at, 3, 0.7)
    choices = [".".join((*path[:depth], name, *path[depth + 1 :])) for name in near]
    return ComposeError("unknown-key", f"{key} is not in the configuration", key, override, choices)


def _put_quietly(made: Composition, override: Override, value: Any) -> None:
    """Set a key whether or not the configuration has it."""
    path = tuple(override.key.split("."))
    _take(made, path[:-1])
    at = made.tree
    for step in path[:-1]:
        following = at.get(step)
        if not isinstance(following, dict):
            following = at[step] = {}
        at = following
    like = Leaf(None, override.origins, None, override.origins[0].span)
    at[path[-1]] = branch_of(value, like)
    made.set.extend((inner, leaf, override) for inner, leaf in _leaves(at[path[-1]], path, like))
