"""Paths as texts: `basename`, `dirname`, `realpath` over values that may begin with something unknown."""

from __future__ import annotations

from grpolint.shell.calls import Call, as_line
from grpolint.shell.pieces import EMPTY, Piece, Text, known

__all__ = ["PATH_COMMANDS", "basename", "dirname", "normalise"]


def _cut_suffix(text: Text, suffix: str) -> Text:
    last = text[-1] if text else None
    if last is None or last.unknown is not None or not suffix or last.text == suffix:
        return text
    if last.text.endswith(suffix):
        return (*text[:-1], last.slice(0, len(last.text) - len(suffix)))
    return text


def _without_trailing_slashes(text: Text) -> Text:
    last = text[-1] if text else None
    if last is not None and last.unknown is None and last.text.endswith("/"):
        stripped = last.text.rstrip("/")
        if stripped:
            return (*text[:-1], last.slice(0, len(stripped)))
        if len(text) > 1:
            return _without_trailing_slashes(text[:-1])
        return (last.slice(0, 1),)
    return text


def basename(text: Text) -> Text | None:
    """The part behind the last slash; None if it is in an unknown piece."""
    text = _without_trailing_slashes(text)
    if not text:
        return EMPTY
    for index in range(len(text) - 1, -1, -1):
        piece = text[index]
        if piece.unknown is not None:
            if index == len(text) - 1 or len(text) > 1:
                return None
            continue
        at = piece.text.rfind("/")
        if at >= 0:
            if piece.text == "/" and len(text) == 1:
                return text
            tail = piece.slice(at + 1, len(piece.text))
            return ((tail,) if tail.text else ()) + tuple(text[index + 1 :])
    return text if known(text) is not None else None


def dirname(text: Text) -> Text | None:
    """The part before the last slash, `.` if there is none; None if it is in an unknown piece."""
    text = _without_trailing_slashes(text)
    for index in range(len(text) - 1, -1, -1):
        piece = text[index]
        if piece.unknown is not None:
            if index == 0 and len(text) == 1 and piece.unknown.startswith("script-dir"):
                return (_parent(piece),)
            return None
        at = piece.text.rfind("/")
        if at >= 0:
            head = piece.text[:at].rstrip("/")
            if not head and index == 0:
                return (Piece("/"),)
            return (*text[:index], piece.slice(0, len(head))) if head else text[:index]
    return (Piece("."),)


def _parent(piece: Piece) -> Piece:
    return Piece("", f"{piece.unknown}/..", piece.origins, None, (), piece.symbolic)


def normalise(text: Text) -> Text:
    """A path without `.`, `..` and doubled slashes, as far as its known parts allow."""
    path = known(text)
    if path is not None and "/." not in path and "//" not in path and not path.endswith("/"):
        return text
    base: tuple[Piece, ...] = ()
    rest = text
    if text and text[0].unknown is not None:
        base, rest = (text[0],), text[1:]
    tail = known(rest)
    if tail is None or (not base and not tail.startswith("/")):
        return text
    parts: list[str] = []
    for part in tail.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        elif base:
            base = (_parent(base[0]),) if (base[0].unknown or "").startswith("script-dir") else (_somewhere(base[0]),)
    joined = "/".join(parts)
    if base:
        return (*base, Piece("/" + joined)) if joined else base
    return (Piece("/" + joined),)


def _somewhere(piece: Piece) -> Piece:
    """The parent folder of an unknown one: unknown for the same reason."""
    return Piece("", piece.unknown, piece.origins, None, (), piece.symbolic)


def _basename(call: Call) -> Text | None:
    arguments = call.arguments
    suffix: Text = EMPTY
    if len(arguments) > 2 and known(arguments[0]) == "-s":
        suffix, arguments = arguments[1], arguments[2:]
    elif arguments and known(arguments[0]) == "--":
        arguments = arguments[1:]
    if not suffix and len(arguments) > 1:
        suffix = arguments[1]
    if not arguments:
        return None
    name = basename(arguments[0])
    text = known(suffix)
    if name is None or text is None:
        return None
    return as_line(_cut_suffix(name, text))


def _dirname(call: Call) -> Text | None:
    arguments = [each for each in call.arguments if known(each) != "--"]
    if len(arguments) != 1:
        return None
    found = dirname(arguments[0])
    return None if found is None else as_line(found)


def _realpath(call: Call) -> Text | None:
    paths = [each for each in call.arguments if not (known(each) or "").startswith("-")]
    if len(paths) != 1:
        return None
    return as_line(normalise(call.shell.absolute(paths[0])))


def _readlink(call: Call) -> Text | None:
    if not any((known(each) or "") in ("-f", "-e", "-m", "--canonicalize") for each in call.arguments):
        return None
    return _realpath(call)


def _pwd(call: Call) -> Text | None:
    return as_line(call.shell.working_directory())


PATH_COMMANDS = {
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _realpath,
    "readlink": _readlink,
    "pwd": _pwd,
}
