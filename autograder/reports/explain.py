"""The pages that explain codes, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from autograder.messages import Messages
from autograder.reports.text import wrapped

WIDTH = 88


def page(code: str, messages: Messages, console: Console) -> None:
    """One page: as it stands where there is no terminal, else wrapped, its code set apart."""
    text = messages.page(code).rstrip()
    if not console.is_terminal:
        console.print(Text(text), soft_wrap=True)
        return
    for line in formatted(text, min(console.width, WIDTH)):
        console.print(line, soft_wrap=True)


def formatted(markdown: str, room: int) -> Iterator[Text]:
    """The little Markdown that pages are made of: headings, paragraphs and fenced blocks."""
    fence = ""
    for line in markdown.split("\n"):
        if line.startswith("```"):
            fence = "" if fence else line[3:] or "text"
        elif fence:
            yield Text("  │ ", style="blue").append(
                line, style="default" if fence == "python" else "cyan")
        elif line.startswith("#"):
            for part in wrapped(line.lstrip("# "), room):
                yield Text(part, style="bold")
        else:
            for part in wrapped(line, room):
                yield Text(part)


def contents(messages: Messages, console: Console) -> None:
    """Every code with its title."""
    width = max(len(code) for code in messages.codes)
    room = max(min(console.width, WIDTH) - width - 2, 20)
    for code in messages.codes:
        first, *more = wrapped(messages.title(code), room)
        console.print(Text(f"{code:<{width}}  {first}"), soft_wrap=True)
        for line in more:
            console.print(Text(" " * (width + 2) + line), soft_wrap=True)
