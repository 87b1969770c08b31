"""A bar on the terminal for what takes long."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

import click

from tdls.cli.console import streams

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Item = TypeVar("_Item")
_PATIENCE = 1.0
"""Seconds that may pass without a bar."""


def with_progress(items: Iterable[_Item], total: int, *, hidden: bool = False) -> Iterator[_Item]:
    """Yield `items`; if they take long, a bar on standard error shows how many of `total` there are.

    There is none where standard error is no terminal. Where standard output is one, too, all items are waited for, so
    that the bar and what is said of them do not mix.
    """
    if hidden or total < 2 or not sys.stderr.isatty():
        return iter(items)
    counted = _counted(items, total)
    return iter(list(counted)) if sys.stdout.isatty() else counted


def _counted(items: Iterable[_Item], total: int) -> Iterator[_Item]:
    started = time.monotonic()
    remaining = iter(items)
    for number, item in enumerate(remaining, start=1):
        yield item
        if time.monotonic() - started > _PATIENCE and number < total:
            yield from _behind_bar(remaining, number, total)


def _behind_bar(items: Iterator[_Item], number: int, total: int) -> Iterator[_Item]:
    streams.leave_out_messages(True)
    try:
        with click.progressbar(length=total, label="checking", file=sys.stderr, show_pos=True) as bar:
            bar.update(number)
            for item in items:
                yield item
                bar.update(1)
    finally:
        streams.leave_out_messages(False)
