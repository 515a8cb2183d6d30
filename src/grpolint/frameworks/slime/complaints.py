"""What slime's parsers refuse or pass over.

Up to 0.2.2 an unknown option ends the program. Since 0.2.3 Megatron's, slime's and SGLang's parsers read the command line
one after the other and each passes over what it does not know, so that a slip of the pen has no effect and nobody says so.
"""

from __future__ import annotations

from functools import lru_cache

from grpolint.catalog.loader import raw
from grpolint.frameworks.complaining import renamed_key
from grpolint.frameworks.flags import Flag, Reading, Syntax
from grpolint.frameworks.slime.releases import CHECKOUT
from grpolint.run import Complaint, Run
from grpolint.versions import satisfies
from grpolint.world import World

__all__ = ["complain"]

PASSES_OVER = ">=0.2.3"
"""Releases that pass over what they do not know."""

_LIKE = 0.88
"""From this likeness on an unknown option is taken for a slip of the pen rather than for an option of a fork."""

_ROUTER = ("router_", "sglang_router_")
"""Options of the router, a package that no table describes."""

_PARSERS = (
    CHECKOUT,
    "slime/backends/megatron_utils/arguments.py",
    "slime/backends/sglang_utils/arguments.py",
)


def complain(run: Run, reading: Reading, syntax: Syntax, world: World) -> None:
    """Add a complaint for each option that no parser has and that looks like a slip of the pen, and for each that lacks its
    value.
    """
    version = run.settings["slime"].version
    if not syntax.tables or "megatron" not in run.settings:
        return  # the FSDP backend's own options stand in no table
    assert run.launch is not None
    own = run.launch.program.rsplit("/", 1)[-1] in ("train.py", "train_async.py")
    program = world.find(run.launch.program) if run.launch.program.endswith(".py") else None
    extends = program is not None and "add_custom_arguments" in program.text
    for flag in reading.flags:
        if flag.option is None:
            _unknown(run, flag, syntax, world, certain=own and not extends and not version.assumed)
        elif flag.bare and not version.assumed:
            detail = f"{flag.typed} needs a value in slime {version.text}, and none follows"
            run.complaints.append(Complaint("missing-value", flag.option.framework, flag.dest, flag.span, detail))


def _unknown(run: Run, flag: Flag, syntax: Syntax, world: World, *, certain: bool) -> None:
    dest = flag.dest
    if not flag.typed.startswith("--") or dest.startswith(_ROUTER) or any(w.condition for w in flag.words):
        return
    if dest in _ever() or dest.removeprefix("no_") in _ever() or _declared(flag.typed, world):
        _elsewhere(run, flag, syntax)
        return
    if dest.startswith("sglang_") and any(key.startswith(dest) for key in syntax.tables[-1].keys()):  # noqa: SIM118
        return  # its parser takes the beginning of a name for the whole
    from difflib import SequenceMatcher

    keys = [key for table in syntax.tables for key in table.keys()]  # noqa: SIM118
    near = max(keys, key=lambda key: SequenceMatcher(None, dest, key).quick_ratio(), default="")
    words = abs(dest.count("_") - near.count("_")) if dest.replace("_", "") != near.replace("_", "") else 0
    if words or SequenceMatcher(None, dest, near).ratio() < _LIKE:
        return  # slime's image has a patched Megatron, whose further options no table has
    version = run.settings["slime"].version.text
    passed_over = satisfies(version, PASSES_OVER)
    what = f"slime {version} ignores {flag.typed}, which none of its parsers has"
    if not passed_over:
        what = f"slime {version} has no option {flag.typed} and refuses to start with it"
    run.complaints.append(Complaint("unknown-key", "slime", dest, flag.span, what, near, certain))


def _elsewhere(run: Run, flag: Flag, syntax: Syntax) -> None:
    """An option that another release has: what took its place in this one, if that is known."""
    version = run.settings["slime"].version
    own = next((table for table in syntax.tables if table.framework == "slime"), None)
    if own is not None:
        verb = "ignores" if satisfies(version.text, PASSES_OVER) else "does not take"
        detail = f"slime {version.text} {verb} {flag.typed}"
        renamed_key(run, own, flag.dest, span=flag.span, detail=detail, certain=not version.assumed)


def _declared(typed: str, world: World) -> bool:
    """Whether a parser in the user's own tree has the option: a fork has options of its own."""
    for path in _PARSERS:
        source = world.find(path)
        if source is not None and (f'"{typed}"' in source.text or f"'{typed}'" in source.text):
            return True
    return False


@lru_cache(maxsize=1)
def _ever() -> frozenset[str]:
    """Destinations of every option that some release of slime, Megatron or SGLang has."""
    found = set(raw("slime", "train")[2]) | set(raw("megatron", "train")[2])
    _, records, options = raw("sglang", "server")
    for key, spans in options.items():
        found.add("sglang_" + key)
        for *_, number in spans:
            for name in records[number].get("flags", ()):
                found.add("sglang_" + name.lstrip("-").replace("-", "_"))
    return frozenset(found)
