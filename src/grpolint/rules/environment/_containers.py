"""The options that a container is started with."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.frameworks.processes import wrapper
from grpolint.launch import Word
from grpolint.rules.api import Inquiry

__all__ = ["container_options"]

_WITH_VALUE = frozenset(
    [
        "-v",
        "--volume",
        "--mount",
        "-w",
        "--workdir",
        "-e",
        "--env",
        "--env-file",
        "--name",
        "-p",
        "--publish",
        "--network",
        "--net",
        "-u",
        "--user",
        "--entrypoint",
        "-h",
        "--hostname",
        "--cpus",
        "--cpuset-cpus",
        "-m",
        "--memory",
    ]
)
"""Options whose value is the next word and gives neither devices nor shared memory."""


def container_options(run: Inquiry, *names: str) -> Sequence[Word] | None:
    """The words between `docker run` (one of `names`) and the program; None if it is not part of the launch, or if a word
    of them is unknown that may be an option. The last one is the image.
    """
    words = wrapper(run.run, *names)
    if words is None:
        return None
    for at, word in enumerate(words[:-1]):
        value = at > 0 and words[at - 1].text in _WITH_VALUE
        if not word.known and not word.prefix and not value:
            return None
    return words
