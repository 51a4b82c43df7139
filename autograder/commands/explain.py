"""`autograder explain CODE`."""

from __future__ import annotations

import difflib

import click

from autograder.commands import options


@click.command("explain")
@click.argument("code", required=False)
@options.language
def command(code: str | None, language: str) -> None:
    """Tell what a code means, with an example and its repaired form; without CODE, list them."""
    from rich.console import Console

    from autograder.messages import Messages
    from autograder.reports import explain

    messages = Messages(language)
    console = Console(highlight=False)
    if code is None:
        explain.contents(messages, console)
    elif code in messages.codes:
        explain.page(code, messages, console)
    else:
        near = difflib.get_close_matches(code, messages.codes, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"there is no code {code!r}.{hint} "
                               "`autograder explain` lists them all.")
