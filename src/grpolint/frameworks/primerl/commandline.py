"""The arguments of prime-rl's programs: `@ FILE` for the whole, `--trainer @ FILE` for a section, and flags with dots."""

from __future__ import annotations

from collections.abc import Sequence

from grpolint.launch import Word

__all__ = ["split"]


def split(argv: Sequence[Word]) -> tuple[list[tuple[str, Word]], list[Word]]:
    """The files with the section that each is for (empty for the whole), in order, and the words that are left."""
    files: list[tuple[str, Word]] = []
    rest: list[Word] = []
    at = 0
    while at < len(argv):
        word = argv[at]
        following = argv[at + 1] if at + 1 < len(argv) else None
        if word.text == "@" and following is not None:
            section = ""
            if rest and rest[-1].text is not None and rest[-1].text.startswith("--") and "=" not in rest[-1].text:
                section = (rest.pop().text or "")[2:].replace("-", "_")
            files.append((section, following))
            at += 2
            continue
        if word.prefix.startswith("@") and len(word.prefix) > 1:
            files.append(("", word.split_at(1)[1]))
        else:
            rest.append(word)
        at += 1
    return files, rest
