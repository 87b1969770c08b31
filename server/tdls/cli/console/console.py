"""Output to the terminal, its colour, the exit statuses, and the errors that end an invocation."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import tdls
from tdls.cli.console import progress
from tdls.cli.console.streams import wants_colour
from tdls.system import shortage_in

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_ERROR = 300
"""Maximum number of characters of an exception to show: some messages contain a whole tree."""
EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 70
"""``EX_SOFTWARE`` of BSD's sysexits.h."""
EXIT_INTERRUPTED = 130
EXIT_OF_SIGNALS = 128
"""Added to the number of the signal by which the system requested the end."""


class InputError(Exception):
    """An input cannot be read or does not exist; shown as one line, exit status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def write(pieces: Iterable[str], *, to_error: bool = False) -> None:
    """Write to standard output, or to standard error.

    Raises OutputClosedError when the reader of standard output is gone, OutputLostError when it cannot be written.
    """
    stream = sys.stderr if to_error else sys.stdout
    stream.writelines(pieces)
    stream.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Write lines for people, with foreign names and texts in them escaped. Raises as `write` does."""
    from tdls.text.printable import printable

    write(f"{printable(line)}\n" for line in lines)


def write_exactly(text: str) -> None:
    """Write a file's text to standard output, with its line ends unless that is a terminal. Raises as `write` does."""
    if sys.stdout.isatty():
        write([text])
        return
    write(())
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.flush()


def complain(message: str, level: str = "error") -> None:
    """Write one line to standard error; foreign text in `message` is escaped, and cannot begin another line."""
    from tdls.text.printable import printable

    colour = {"error": 31, "note": 36}.get(level, 33)
    prefix = f"\x1b[{colour}m\x1b[1m{level}:\x1b[0m" if wants_colour("auto", sys.stderr) else f"{level}:"
    progress.step_aside()
    sys.stderr.write(f"{prefix} {printable(message)}\n")


def show_warnings() -> None:
    """Show what modules log from here on as warnings of tdls."""
    import logging

    class Complaints(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complain(record.getMessage(), record.levelname.lower())

    logger = logging.getLogger(tdls.__name__)
    if not logger.handlers:
        logger.addHandler(Complaints())


def report_internal_error(when: str, trace: str) -> int:
    """Report an unexpected error on standard error, and return the exit status.

    `trace` is the traceback, which ends with the exception.
    """
    if shortage_in(trace) is not None:
        return report_mistake(when, trace)
    error = trace.strip().splitlines()[-1]
    error = error if len(error) <= _LONGEST_ERROR else f"{error[:_LONGEST_ERROR]} ..."
    return report_mistake(f"internal error{f' {when}' if when else ''}: {error}", trace)


def report_mistake(message: str, trace: str) -> int:
    """Report the effect of an unexpected error on standard error, and return the exit status.

    It is a mistake in tdls itself unless the machine lacks something. `trace` is shown if TDLS_DEBUG is set.
    """
    if os.environ.get("TDLS_DEBUG"):
        sys.stderr.write(trace)
    shortage = shortage_in(trace)
    if shortage is not None:
        complain(": ".join(filter(None, (message, shortage))))
        return EXIT_USAGE
    complain(message)
    sys.stderr.write(
        f"This is a mistake in tdls {tdls.__version__}, not in your input. Please report it, with what the\n"
        "same command prints when the environment variable TDLS_DEBUG is set to 1; docs/security.md says where.\n"
    )
    return EXIT_INTERNAL
