"""Where the command line meets the terminal: streams, colour, and the ways an invocation can fail."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

import tdls

if TYPE_CHECKING:
    from collections.abc import Iterable

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 70
"""``EX_SOFTWARE`` of BSD's sysexits.h."""
EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141


class InputError(click.ClickException):
    """What was asked for cannot be read or does not exist; shown as one line, exit status 2."""

    exit_code = EXIT_USAGE

    def show(self, file: object = None) -> None:  # noqa: ARG002 - signature of click
        """Write the message to standard error."""
        complain(self.format_message())


class OutputClosedError(Exception):
    """The reader of standard output went away, as ``head`` does."""


def write(pieces: Iterable[str], *, to_error: bool = False) -> None:
    """Write to standard output, or to standard error. Raises OutputClosedError when nobody reads it any more."""
    stream = sys.stderr if to_error else sys.stdout
    try:
        for piece in pieces:
            stream.write(piece)
        stream.flush()
    except BrokenPipeError as error:
        raise OutputClosedError from error


def write_exactly(text: str) -> None:
    """Write a file's text to standard output, with its line ends. Raises OutputClosedError as `write` does."""
    write(())
    try:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise OutputClosedError from error


def complain(message: str, level: str = "error") -> None:
    """Write one line to standard error."""
    bold = {"error": "red", "note": "cyan"}.get(level, "yellow")
    prefix = click.style(f"{level}:", fg=bold, bold=True) if wants_colour("auto", sys.stderr) else f"{level}:"
    sys.stderr.write(f"{prefix} {message}\n")


def report_internal_error(when: str, trace: str) -> None:
    """Say on standard error that tdls itself is at fault; `trace` ends with the exception."""
    if os.environ.get("TDLS_DEBUG"):
        sys.stderr.write(trace)
    what = trace.strip().splitlines()[-1]
    complain(
        f"internal error{f' {when}' if when else ''}: {what}\n"
        f"This is a mistake in tdls {tdls.__version__}, not in your input. Please report it, with what the\n"
        "same command prints when the environment variable TDLS_DEBUG is set to 1."
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


def prepare_streams() -> None:
    """Keep characters that the terminal's encoding lacks from ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def abandon_output() -> None:
    """Point standard output to nowhere, so that Python's last flush does not fail on a closed pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
