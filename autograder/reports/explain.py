"""The pages that explain codes, in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from autograder.messages import Messages
from autograder.reports.text import wrapped

WIDTH = 88


def page(code: str, messages: Messages, console: Console) -> None:
    """One page."""
    text = messages.page(code)
    if not console.is_terminal:
        console.print(Text(text.rstrip()), soft_wrap=True)
        return
    console.print(Markdown(text, code_theme="ansi_light"), width=min(console.width, WIDTH))


def contents(messages: Messages, console: Console) -> None:
    """Every code with its title."""
    width = max(len(code) for code in messages.codes)
    room = max(min(console.width, WIDTH) - width - 2, 20)
    for code in messages.codes:
        first, *more = wrapped(messages.title(code), room)
        console.print(Text(f"{code:<{width}}  {first}"), soft_wrap=True)
        for line in more:
            console.print(Text(" " * (width + 2) + line), soft_wrap=True)
