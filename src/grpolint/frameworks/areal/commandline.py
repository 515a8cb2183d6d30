"""The arguments of an AReaL program: the script behind a launcher, `--config FILE`, and Hydra's overrides."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.launch import Word

__all__ = ["split"]


def split(argv: Sequence[Word]) -> tuple[Word | None, list[Word]]:
    """The word that names the configuration, and the words that are left for Hydra."""
    config: Word | None = None
    rest: list[Word] = []
    words = iter(argv)
    for at, word in enumerate(words):
        if word.text == "--config":
            config = next(words, None)
        elif word.prefix.startswith("--config="):
            config = word.split_at(len("--config="))[1]
        elif not (at == 0 and (word.parts[-1].text or "").endswith(".py") if word.parts else False):
            rest.append(word)
    return config, rest
