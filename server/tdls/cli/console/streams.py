"""Standard streams that raise exceptions of their own when they cannot be written."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False  # importing `typing` takes longer than all else that ``--version`` needs
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO

_STREAMS = (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY))
"""The standard streams by descriptor, and the flags to reopen a closed one with: no other file gets the descriptor,
reading and writing fail, and messages to a closed standard error are lost."""


_COMMAND_SIGNS = ("::", "##")
"""How commands to services that read a job's output begin; see `tdls.text.printable`."""


class OutputClosedError(Exception):
    """The reader of standard output went away, as ``head`` does."""


class OutputLostError(Exception):
    """Standard output takes no more: its disk is full, or it was closed before tdls began, as the message says."""


def prepare_streams() -> None:
    """Reopen closed streams, detect failing writes, and escape characters that cannot be encoded.

    Writing to standard output raises OutputClosedError or OutputLostError from here on; standard error never raises.
    """
    for number, (name, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.stdout = _watched(sys.stdout, _StandardOutput, is_guarded=sys.stdout.isatty())
    sys.stderr = _watched(sys.stderr, _Messages, is_guarded=True)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def abandon_output() -> None:
    """Redirect standard output to the null device, so that Python's last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def wants_colour(choice: str, stream: TextIO) -> bool:
    """Return whether to colour the output to `stream`.

    `choice` is ``auto``, ``always`` or ``never``; ``auto`` follows https://no-color.org.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class _Guarded(io.TextIOWrapper):
    """Text for people, such as at a terminal, which obeys nothing in foreign text, whoever prints it."""

    _is_guarding = False
    """True during the import below, about which Python itself may print messages (``-v``)."""

    def write(self, text: str, /) -> int:
        is_plain = text.replace("\n", "").isprintable() and not any(sign in text for sign in _COMMAND_SIGNS)
        if not is_plain and not self._is_guarding:
            self._is_guarding = True
            from tdls.text.printable import printable_for_people

            self._is_guarding = False
            text = printable_for_people(text)
        return super().write(text)


class _StandardOutput(io.FileIO):
    """Standard output, whose failing writes raise OutputClosedError or OutputLostError."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError as error:
            raise OutputClosedError from error
        except OSError as error:
            raise OutputLostError(f"standard output cannot be written: {error.strerror or error}") from error


class _Messages(io.FileIO):
    """Standard error: failing writes are dropped, since they cannot be reported."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data).cast("B"))


def _watched(stream: TextIO, kind: Callable[..., io.FileIO], *, is_guarded: bool) -> TextIO:
    """Return a stream to the same descriptor that writes through `kind`, if that is a plain file.

    Terminals of Windows keep their own way of writing Unicode; replacements by tests stay as they are.
    """
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if buffer is None or not (type(raw) is io.FileIO or stream.isatty()):
        return stream
    is_unbuffered = raw is buffer
    watched = io.BufferedWriter(kind(raw.fileno(), "w", closefd=False)) if type(raw) is io.FileIO else buffer
    return (_Guarded if is_guarded else io.TextIOWrapper)(
        watched, stream.encoding, stream.errors, line_buffering=is_unbuffered or bool(stream.line_buffering)
    )
