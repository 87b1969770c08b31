"""Diagnostics with their notes, fixes and edits: plain data that every front end renders."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.text.level import Level
    from tdls.text.span import FileSpan


class Subject(Enum):
    """The code that a diagnostic concerns; front ends filter by it."""

    SCRIPT = "script"
    """An operation of the transform dialect or of an extension, its content, or the code around it."""
    PAYLOAD = "payload"
    """Payload, and wrong for every version of MLIR and every project."""
    UNREAD_PAYLOAD = "unread-payload"
    """Payload, and wrong only if no unknown form of the operation is written like this."""


class Tag(Enum):
    """A style in which editors may render the text of a diagnostic: struck out, or faded."""

    DEPRECATED = "deprecated"
    UNNECESSARY = "unnecessary"


class TextEdit(Struct, frozen=True):
    """Replace the text of `span` by `new_text`."""

    span: FileSpan
    new_text: str


class Fix(Struct, frozen=True):
    """A change that resolves a diagnostic; `safe` if it cannot change the script's behaviour."""

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = False


class Note(Struct, frozen=True):
    """A place related to a diagnostic; `path` is None for the diagnostic's own file.

    A note at the place of the diagnostic itself repeats it in the words of MLIR's own tools.
    """

    message: str
    span: FileSpan
    path: Path | None = None


class FailedStep(Struct, frozen=True):
    """The execution, counted from 1, of the operation at a diagnostic during which a run failed.

    `document` is the address under which the front end shows the payload before that execution, "" if it shows none.
    """

    execution: int
    document: str = ""


class Diagnostic(Struct, frozen=True):
    """One finding; `rule` is the kebab-case name of the rule that reported it."""

    rule: str
    level: Level
    message: str
    span: FileSpan
    notes: tuple[Note, ...] = ()
    help: str | None = None
    fixes: tuple[Fix, ...] = ()
    tag: Tag | None = None
    subject: Subject = Subject.SCRIPT
    failed_step: FailedStep | None = None


class Fingerprint(NamedTuple):
    """Identity of a finding without its place; findings that differ only in place share it."""

    rule: str
    symbol: str
    """The symbols around it, the outermost first, as in ``@library::@tile``; may be empty."""
    line: str
    """The line it begins in, without comment, with single blanks; a very long one is cut and ends in a hash."""
