"""What shells offer for the values of arguments and options, as click's ``shell_complete`` takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file or folder."""
    del context, parameter
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def rules(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the rules that the last of several names, with commas between them, may become; codes if it is like one."""
    del context, parameter
    from click.shell_completion import CompletionItem

    from tdls.analysis.rules import RULES

    before, comma, last = incomplete.rpartition(",")
    spellings = [(rule.code if last[:1].isupper() else rule.name, rule.summary) for rule in RULES]
    return [
        CompletionItem(f"{before}{comma}{spelling}", help=summary)
        for spelling, summary in spellings
        if spelling.startswith(last)
    ]


def operations(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the operations that upstream has; those of a project would take a scan."""
    del context, parameter
    from click.shell_completion import CompletionItem

    from tdls.catalogue.catalogue import Catalogue

    return [CompletionItem(name) for name in Catalogue.shipped().operation_names() if name.startswith(incomplete)]
