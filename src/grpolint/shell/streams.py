"""Standard input and output of commands while a script is evaluated."""

from __future__ import annotations

from grpolint.shell.pieces import EMPTY, Text

__all__ = ["Input", "Streams", "take_field", "trim_blanks"]


class Input:
    """A standard input that is read piece by piece; `rest` is None if its content is unknown."""

    __slots__ = ("rest",)

    def __init__(self, text: Text | None) -> None:
        self.rest = text

    @property
    def pending(self) -> bool:
        """Whether known text is left."""
        return bool(self.rest)

    def all(self) -> Text | None:
        """What is left, consumed."""
        text = self.rest
        if text is not None:
            self.rest = EMPTY
        return text

    def line(self, delimiter: str) -> tuple[Text | None, bool]:
        """The next line and whether its end was found; None if the content is unknown."""
        text = self.rest
        if text is None:
            return None, False
        if not delimiter:
            self.rest = EMPTY
            return text, False
        at = 0
        for index, piece in enumerate(text):
            if piece.unknown is None:
                stop = piece.text.find(delimiter)
                if stop >= 0:
                    line = (*text[:index], piece.slice(0, stop)) if stop else text[:index]
                    left = piece.slice(stop + 1, len(piece.text))
                    self.rest = ((left,) if left.text else ()) + text[index + 1 :]
                    return line, True
                at += len(piece.text)
        self.rest = EMPTY
        return text, False


class Streams:
    """Where a command reads from (None is the terminal) and what collects its output (None if nobody reads it)."""

    __slots__ = ("out", "stdin")

    def __init__(self, stdin: Input | None, out: list[Text] | None) -> None:
        self.stdin = stdin
        self.out = out


def trim_blanks(text: Text, separators: str) -> Text:
    """A text without the separators that are blanks at its two ends."""
    blanks = "".join(char for char in separators if char in " \t\n")
    found = list(text)
    while found and found[0].unknown is None:
        stripped = found[0].text.lstrip(blanks) if blanks else found[0].text
        if stripped:
            found[0] = found[0].slice(len(found[0].text) - len(stripped), len(found[0].text))
            break
        found.pop(0)
    while found and found[-1].unknown is None:
        stripped = found[-1].text.rstrip(blanks) if blanks else found[-1].text
        if stripped:
            found[-1] = found[-1].slice(0, len(stripped))
            break
        found.pop()
    return tuple(found)


def take_field(text: Text, separators: str) -> tuple[Text, Text]:
    """The first field of a line, and what follows it, as `read` divides them."""
    blanks = "".join(char for char in separators if char in " \t\n")
    text = trim_blanks(text, separators)
    at = 0
    for index, piece in enumerate(text):
        if piece.unknown is None:
            stops = [stop for char in separators if (stop := piece.text.find(char)) >= 0]
            if stops:
                stop = min(stops)
                head = (*text[:index], piece.slice(0, stop)) if stop else text[:index]
                end = stop
                while end < len(piece.text) and piece.text[end] in blanks:
                    end += 1
                if end < len(piece.text) and piece.text[end] in separators and piece.text[end] not in blanks:
                    end += 1
                left = piece.slice(end, len(piece.text))
                return head, trim_blanks(((left,) if left.text else ()) + text[index + 1 :], separators)
            at += len(piece.text)
    return text, EMPTY
