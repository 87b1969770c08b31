"""Where the command line meets the terminal: streams, colour, and the ways an invocation can fail."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

import tdls
from tdls.cli.console import progress

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_ERROR = 300
"""Characters of an exception that are shown: some name all of a tree."""
EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 70
"""``EX_SOFTWARE`` of BSD's sysexits.h."""
EXIT_INTERRUPTED = 130
EXIT_OF_SIGNALS = 128
"""What is added to the number of the signal by which the system asked for the end."""


class InputError(click.ClickException):
    """What was asked for cannot be read or does not exist; shown as one line, exit status 2."""

    exit_code = EXIT_USAGE

    def show(self, file: object = None) -> None:  # noqa: ARG002 - signature of click
        """Write the message to standard error."""
        complain(self.format_message())


def write(pieces: Iterable[str], *, to_error: bool = False) -> None:
    """Write to standard output, or to standard error.

    Raises OutputClosedError when nobody reads standard output any more, OutputLostError when it cannot be written.
    """
    stream = sys.stderr if to_error else sys.stdout
    stream.writelines(pieces)
    stream.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Write lines for people, which may have names and texts of others in them. Raises as `write` does."""
    from tdls.text.printable import printable

    write(f"{printable(line)}\n" for line in lines)


def write_exactly(text: str) -> None:
    """Write a file's text to standard output, with its line ends. Raises as `write` does."""
    write(())
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.flush()


def complain(message: str, level: str = "error") -> None:
    """Write one line to standard error; what `message` quotes of others cannot begin another one."""
    from tdls.text.printable import printable

    bold = {"error": "red", "note": "cyan"}.get(level, "yellow")
    prefix = click.style(f"{level}:", fg=bold, bold=True) if wants_colour("auto", sys.stderr) else f"{level}:"
    progress.step_aside()
    sys.stderr.write(f"{prefix} {printable(message)}\n")


def report_internal_error(when: str, trace: str) -> None:
    """Say on standard error that tdls itself is at fault; `trace` ends with the exception."""
    what = trace.strip().splitlines()[-1]
    what = what if len(what) <= _LONGEST_ERROR else f"{what[:_LONGEST_ERROR]} ..."
    report_mistake(f"internal error{f' {when}' if when else ''}: {what}", trace)


def report_mistake(message: str, trace: str) -> None:
    """Say on standard error what a mistake of tdls itself led to; `trace` is for those who look for it."""
    if os.environ.get("TDLS_DEBUG"):
        sys.stderr.write(trace)
    complain(message)
    sys.stderr.write(
        f"This is a mistake in tdls {tdls.__version__}, not in your input. Please report it, with what the\n"
        "same command prints when the environment variable TDLS_DEBUG is set to 1; docs/security.md says where.\n"
    )


def wants_colour(choice: str, stream: TextIO) -> bool:
    """Tell whether to colour what goes to `stream`.

    `choice` is ``auto``, ``always`` or ``never``; ``auto`` follows https://no-color.org.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
