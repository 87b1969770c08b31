"""What tdls has to say about places in a file, as plain data for every front end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.text.span import FileSpan


class Level(Enum):
    """How serious a diagnostic is, in MLIR's words; `HINT` is for what is only possible."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    HINT = "hint"


class Subject(Enum):
    """What a finding is about, which decides who wants to hear of it."""

    SCRIPT = "script"
    """An operation of the transform dialect or of an extension, what stands in one, or what stands around one."""
    PAYLOAD = "payload"
    """Payload, and wrong for every version of MLIR and every project."""
    UNREAD_PAYLOAD = "unread-payload"
    """Payload, and wrong only if nobody writes it in a way that is not known."""


class Tag(Enum):
    """How editors may show the text of a diagnostic: struck out, or faded."""

    DEPRECATED = "deprecated"
    UNNECESSARY = "unnecessary"


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the text of `span` by `new_text`."""

    span: FileSpan
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that resolves a diagnostic; `safe` when it cannot change what the script does."""

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A place related to a diagnostic; `path` is None for the diagnostic's own file.

    A note at the place of the diagnostic itself says the same in the words of MLIR's own tools.
    """

    message: str
    span: FileSpan
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class FailedStep:
    """That the operation at a diagnostic was being executed when a run failed: for which time, from 1.

    `document` is the address under which the front end shows the payload as it was before that, "" if it shows none.
    """

    execution: int
    document: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: `rule` is the kebab-case name of the rule that made it."""

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
