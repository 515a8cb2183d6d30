"""Here-documents: their bodies stand behind the line that announces them."""

from __future__ import annotations

import re

from grpolint.regex import regex
from grpolint.shell.scan import Scanner, ShellError
from grpolint.shell.syntax import HereDocument, Literal

__all__ = ["read_documents"]

_DOCUMENT_PLAIN = regex(r"[^\\$`]+")


def read_documents(scanner: Scanner) -> None:
    """The bodies of the here-documents announced on the line that just ended."""
    pending, scanner.pending = scanner.pending, []
    for document in pending:
        start = line = scanner.at
        text, end = scanner.text, scanner.end
        body_end = following = end
        while line < end:
            stop = text.find("\n", line, end)
            stop = stop if stop >= 0 else end
            content = text[line:stop]
            if document.strip:
                content = content.lstrip("\t")
            if scanner.carriage_returns:
                content = content.rstrip()
            if content == document.delimiter:
                body_end, following = line, min(stop + 1, end)
                break
            line = stop + 1
        document.start, document.end = start, body_end
        _pieces(scanner, document)
        scanner.at = following


def _pieces(scanner: Scanner, document: HereDocument) -> None:
    start, end = document.start, document.end
    if document.literal:
        document.pieces = [Literal(scanner.text[start:end], start, end, True)]
    else:
        outer, scanner.at, scanner.end = scanner.end, start, end
        try:
            while scanner.at < end:
                match = _DOCUMENT_PLAIN.match(scanner.text, scanner.at, end)
                if match is not None:
                    document.pieces.append(Literal(match.group(), scanner.at, match.end(), True))
                    scanner.at = match.end()
                else:
                    scanner.inside_quotes(document.pieces, "$`\\")
        except ShellError as error:
            scanner.problem(str(error), error.at)
            document.pieces.append(Literal(scanner.text[error.at : end], error.at, end, True))
        scanner.end = outer
    if document.strip:
        at_line_start = True
        for piece in document.pieces:
            if type(piece) is Literal:
                text = piece.text.lstrip("\t") if at_line_start else piece.text
                piece.text = re.sub(r"\n\t+", "\n", text)
                at_line_start = piece.text.endswith("\n") if piece.text else at_line_start
            else:
                at_line_start = False
