"""Text for a terminal: measured in columns, broken into lines, with nothing in it that steers."""

from __future__ import annotations

import re

from rich.cells import cell_len

WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\uffef"
_PIECE = re.compile(rf"\s+|[{WIDE}]|[^\s{WIDE}]+")
_CLOSING = "，。、；：？！）》」』”’…％"
_OPENING = "（《「『“‘"


def shown(text: str, tab: int = 4) -> str:
    """Text as it may be printed: tabs as spaces, anything that could steer a terminal as '?'."""
    return "".join(c if c.isprintable() else "?" for c in text.expandtabs(tab))


def cut(text: str, room: int) -> str:
    """`text` in at most `room` columns, with … where something is left out."""
    if cell_len(text) <= room:
        return text
    kept = ""
    for char in text:
        if cell_len(kept) + cell_len(char) > room - 1:
            break
        kept += char
    return kept + "…"


def padded(text: str, room: int) -> str:
    """`text`, filled up with spaces to `room` columns."""
    return text + " " * max(room - cell_len(text), 0)


def wrapped(text: str, room: int) -> list[str]:
    """`text` in lines of at most `room` columns, broken at spaces and between Chinese characters.

    No line begins with a closing mark or ends with an opening one; a word too long is cut.
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if cell_len(line + piece.rstrip()) <= room:
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = piece.lstrip()
        while cell_len(line) > room:
            head = cut(line, room + 1)[:-1] or line[0]
            lines.append(head)
            line = line[len(head):]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> list[str]:
    """What a line may not be broken inside of."""
    pieces: list[str] = []
    for piece in _PIECE.findall(text):
        glued = pieces and (piece[0] in _CLOSING or pieces[-1][-1] in _OPENING)
        if glued and not pieces[-1].isspace():
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces
