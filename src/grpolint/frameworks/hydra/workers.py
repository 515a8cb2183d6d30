"""Environment variables that a configuration passes on to the workers of its program."""

from __future__ import annotations

from grpolint.frameworks.hydra.compose import Composition
from grpolint.frameworks.hydra.tree import Leaf
from grpolint.launch import Part, Word
from grpolint.run import Run
from grpolint.values import Unknown

__all__ = ["put_environment"]


def put_environment(run: Run, made: Composition, section: str) -> None:
    """Put the variables below a dotted section (`ray_init.runtime_env.env_vars`) into the run's environment."""
    steps = section.split(".")
    node = made.tree
    for step in steps:
        below = node.get(step)
        if not isinstance(below, dict):
            return
        node = below
    for name, leaf in node.items():
        if not isinstance(leaf, Leaf):
            continue
        value = made.resolver.value_of(leaf, (*steps, name))
        if isinstance(value, Unknown):
            part = Part(None, value.reason, value.origins)
        elif value.value is None:
            continue
        else:
            part = Part(str(value.value), None, value.origins)
        run.env[name] = Word((part,), leaf.span)
