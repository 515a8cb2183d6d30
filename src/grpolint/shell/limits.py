"""`ulimit`: the limits that the programs of a script inherit."""

from __future__ import annotations

from grpolint.documents.source import Span
from grpolint.shell.launch_words import RESOURCES
from grpolint.shell.pieces import Element, known, unknown
from grpolint.shell.reading import Invocation

__all__ = ["ulimit"]

_NORMAL = 0


def ulimit(call: Invocation) -> int:
    """`ulimit -n 65535`: sets soft limits in the state; without a value it prints one that nobody knows."""
    shell = call.shell
    hard = soft = printed = False
    letter = ""
    for element in call.elements[1:]:
        text = known(element.text)
        if text is not None and text.startswith("-") and len(text) > 1:
            printed = printed or bool(letter)
            letter = ""
            for each in text[1:]:
                hard, soft = hard or each == "H", soft or each == "S"
                letter = each if each not in "HSa" else letter
        else:
            if letter in RESOURCES and (soft or not hard):
                limit = unknown("command:ulimit") if text in ("hard", "soft") else element.text
                span = Span(shell.source, call.node.start, call.node.end)
                shell.state.limits = {**shell.state.limits, RESOURCES[letter]: Element(limit, span)}
            letter = ""
    if call.streams.out is not None and (printed or letter or len(call.elements) == 1):
        call.streams.out.append(unknown("command:ulimit"))
    shell.done(True)
    return _NORMAL
