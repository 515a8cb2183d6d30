"""Compares what the static reading claims with what bash did, argument by argument."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bash_recorder import Call

from grpolint.launch import Launch, Word

CARRY_THEIR_OWN = {"docker run", "ray job submit", "sbatch", "srun"}
"""Wrappers that set variables for the program which the recorded wrapper itself does not see."""


def pattern(word: Word) -> str:
    """Regular expression of a word: an unknown part matches anything, one with alternatives only those."""
    out = []
    for part in word.parts:
        if part.text is not None:
            out.append(re.escape(part.text))
        elif part.alternatives:
            out.append("(?:" + "|".join(map(re.escape, part.alternatives)) + ")")
        else:
            out.append(r"[\s\S]*?")
    return "".join(out)


def arguments(words: Iterable[Word]) -> str:
    """Regular expression of words, each with a NUL in front; words under a condition may be absent."""
    out = []
    for word in words:
        one = "\0" + pattern(word)
        if word.condition is not None or (len(word.parts) == 1 and word.parts[0].unknown is not None):
            one = f"(?:{one})?"
        out.append(one)
    return "".join(out)


def program(launch: Launch) -> str:
    """Regular expression of the program as it stands in a recorded call."""
    name = launch.program
    if re.fullmatch(r"[a-z-]+ [a-z-]+", name):
        return re.escape(name.replace(" ", "\0"))
    if re.search(r"<[^>]*>", name):
        return r"[^\0]*"
    return r"(?:[^\0]*/)?" + re.escape(name.removeprefix("./"))


def same(launch: Launch, call: Call) -> bool:
    """Whether the launch is the recorded call: its program, each argument behind it, its wrappers before it."""
    whole = "\0".join(call.words)
    found = re.fullmatch(r"(?P<before>[\s\S]*\0|)" + program(launch) + arguments(launch.argv), whole)
    if found is None:
        return False
    before = "\0" + found["before"].rstrip("\0")
    inner = {word for own in launch.wrapper_argv for word in own}
    return all(re.search("\0(?:[^\0]*=)?" + pattern(word) + r"(?=\0|$)", before) for word in inner if _recorded(launch))


def _recorded(launch: Launch) -> bool:
    """Whether the wrappers are stubs: small tools such as nohup run for real and leave no trace."""
    small = {"nohup", "env", "nice", "timeout", "stdbuf", "exec", "setsid", "time", "sudo"}
    return not small & set(launch.wrappers)


def environment_differs(launch: Launch, call: Call) -> str:
    """What differs between the environment that the reading claims and the recorded one; empty if nothing."""
    for name, value in call.env.items():
        if name not in launch.env:
            return f"{name} is exported to the program but not claimed"
        if not re.fullmatch(pattern(launch.env[name]), value):
            return f"{name}={value!r} was claimed as {launch.env[name].pattern!r}"
    if CARRY_THEIR_OWN & set(launch.wrappers):
        return ""
    extra = [name for name in launch.env if name not in call.env and name not in ("HOME", "PATH", "PWD")]
    return f"claimed but not exported: {extra}" if extra else ""


def folder_differs(launch: Launch, call: Call) -> str:
    """What differs between claimed and real working folder; empty if nothing is claimed."""
    if launch.cwd is None or CARRY_THEIR_OWN & set(launch.wrappers):
        return ""
    claimed = launch.cwd.pattern
    if re.fullmatch(pattern(launch.cwd), call.folder) or call.folder.endswith("/" + claimed.removeprefix("./")):
        return ""
    return "" if claimed in (".", "") else f"works in {call.folder!r}, claimed {claimed!r}"


def differences(launches: Iterable[Launch], calls: Iterable[Call]) -> list[str]:
    """All that is missed or wrong. A launch under an undecidable condition may or may not have run."""
    out: list[str] = []
    claimed = list(launches)
    missed = []
    for call in calls:
        if not call.is_launch:
            continue
        launch = next((launch for launch in claimed if same(launch, call)), None)
        if launch is None:
            missed.append(call)
            continue
        claimed.remove(launch)
        out += filter(None, (environment_differs(launch, call), folder_differs(launch, call)))
    out += [f"bash ran {call.words}" for call in missed]
    out += [f"never ran: {launch.program} {[word.pattern for word in launch.argv]}" for launch in claimed
            if launch.condition is None]  # fmt: skip
    return out


def unknowns(launches: Iterable[Launch]) -> set[str]:
    """Reasons of the parts that are neither known nor harmless symbols."""
    words = [word for launch in launches for word in (*launch.argv, *launch.env.values())]
    return {part.unknown for word in words for part in word.parts if part.unknown is not None and not part.symbolic}
