"""Read-only view of a release's files, with their syntax trees parsed once and names followed across modules."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Any, Protocol

__all__ = ["Module", "Store", "Tree"]


class Store(Protocol):
    """Where a tree's text comes from."""

    def paths(self) -> list[str]:
        """All paths, sorted."""

    def read(self, path: str) -> str:
        """Text of one of `paths`."""


class Module:
    """One parsed file: what its top level binds and imports."""

    def __init__(self, path: str, tree: ast.Module, *, is_package: bool) -> None:
        self.path = path
        self.tree = tree
        self.is_package = is_package
        self.classes: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.values: dict[str, ast.expr] = {}
        self.imports: dict[str, tuple[int, str, str | None]] = {}  # name -> level, module, name in that module
        self.stars: list[tuple[int, str]] = []
        self._scan(tree.body, certain=True)

    def _scan(self, body: list[ast.stmt], *, certain: bool) -> None:
        """Of several bindings of a name the last one counts, but the first among those that only may happen."""

        def put(table: dict[str, Any], name: str, node: ast.AST) -> None:
            if certain or name not in table:
                table[name] = node

        for node in body:
            if isinstance(node, ast.ClassDef):
                put(self.classes, node.name, node)
            elif isinstance(node, ast.FunctionDef):
                put(self.functions, node.name, node)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        put(self.values, target.id, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                put(self.values, node.target.id, node.value)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.split(".")[0]
                    self.imports.setdefault(bound, (0, alias.name if alias.asname else bound, None))
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name == "*":
                        self.stars.append((node.level, node.module or ""))
                    else:
                        self.imports.setdefault(alias.asname or alias.name, (node.level, node.module or "", alias.name))
            elif isinstance(node, (ast.If, ast.Try)):
                self._scan(node.body, certain=False)
                for handler in getattr(node, "handlers", []):
                    self._scan(handler.body, certain=False)
                self._scan(node.orelse, certain=False)
            elif isinstance(node, ast.With):
                self._scan(node.body, certain=certain)


class Tree:
    """Files of one release by path (`verl/trainer/config/ppo_trainer.yaml`), the archive's own top folder removed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._paths = store.paths()
        self._known = set(self._paths)
        self._texts: dict[str, str] = {}
        self._modules: dict[str, Module | None] = {}
        self.unparsed: list[str] = []
        """Python files that this interpreter cannot parse; names in them do not resolve."""

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def paths(self, prefix: str = "", suffix: str = "") -> list[str]:
        """All paths that start and end so, sorted."""
        return [path for path in self._paths if path.startswith(prefix) and path.endswith(suffix)]

    def text(self, path: str) -> str:
        """Text of a file. Raises KeyError if the release has none there."""
        if path not in self._known:
            raise KeyError(path)
        if path not in self._texts:
            self._texts[path] = self._store.read(path)
        return self._texts[path]

    def module(self, path: str) -> Module | None:
        """The parsed file, None if it is absent or this interpreter cannot parse it (then it is in `unparsed`)."""
        if path not in self._modules:
            self._modules[path] = self._parse(path)
        return self._modules[path]

    def _parse(self, path: str) -> Module | None:
        if path not in self._known:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # invalid escapes in other people's strings
                tree = _parsed(self.text(path))
        except (SyntaxError, ValueError):
            self.unparsed.append(path)
            return None
        return Module(path, tree, is_package=path.endswith("/__init__.py"))

    def dotted(self, name: str) -> Module | None:
        """The module of a dotted name (`verl.workers.config`), None if the release does not ship it."""
        path = name.replace(".", "/")
        for root in ("", "src/", "python/"):
            for candidate in (f"{root}{path}.py", f"{root}{path}/__init__.py"):
                if candidate in self._known:
                    return self.module(candidate)
        return None

    def target(self, module: Module, level: int, name: str) -> Module | None:
        """The module that `from <level dots><name> import ...` in `module` reads from."""
        if level == 0:
            return self.dotted(name)
        folder = module.path.rsplit("/", 1)[0] if "/" in module.path else ""
        for _ in range(level - 1):
            folder = folder.rsplit("/", 1)[0] if "/" in folder else ""
        path = f"{folder}/{name.replace('.', '/')}".strip("/")
        for candidate in (f"{path}.py", f"{path}/__init__.py"):
            if candidate in self._known:
                return self.module(candidate)
        return None

    def find(
        self, module: Module, name: str, _seen: frozenset[tuple[str, str]] = frozenset()
    ) -> tuple[Module, ast.AST] | None:
        """Definition of a name as seen in `module`, with the module it stands in, imports followed.

        The node is a class, a function, the expression assigned, or an `ast.Module` where the name is a module.
        None where it leads out of the release.
        """
        if (module.path, name) in _seen:
            return None
        seen = _seen | {(module.path, name)}
        for table in (module.classes, module.functions, module.values):
            if name in table:
                return module, table[name]
        if name in module.imports:
            level, source, inner = module.imports[name]
            if inner is None:
                other = self.dotted(source)
                return (other, other.tree) if other else None
            other = self.target(module, level, source)
            if other is not None:
                found = self.find(other, inner, seen)
                if found is not None:
                    return found
            submodule = self.target(module, level, f"{source}.{inner}" if source else inner)
            return (submodule, submodule.tree) if submodule else None
        for level, source in module.stars:
            other = self.target(module, level, source)
            found = self.find(other, name, seen) if other is not None else None
            if found is not None:
                return found
        return None

    def classes(self, prefix: str = "") -> Iterator[tuple[Module, ast.ClassDef]]:
        """Every class at the top level of the Python files under a prefix."""
        for path in self.paths(prefix, ".py"):
            module = self.module(path)
            if module is not None:
                for node in module.classes.values():
                    yield module, node


_TYPE_PARAMETERS = re.compile(r"^(\s*(?:async\s+)?(?:def|class)\s+\w+)\[[^\]\n]*\]", re.MULTILINE)
_TYPE_ALIAS = re.compile(r"^(\s*)type\s+(\w+)\s*=", re.MULTILINE)


def _parsed(words: str) -> ast.Module:
    """The syntax tree, also under interpreters before 3.12 for sources that need it for their generics."""
    try:
        return ast.parse(words)
    except SyntaxError:
        return ast.parse(_TYPE_ALIAS.sub(r"\1\2 =", _TYPE_PARAMETERS.sub(r"\1", words)))
