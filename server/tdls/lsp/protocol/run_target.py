"""Run targets, and the URIs of the virtual documents that show runs, recorded states, built scripts and bytecode.

Each URI holds all data needed to make its document again.
"""

from __future__ import annotations

import base64
import json
import re
from enum import Enum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from tdls.semantic.transform_dialect import ENTRY_POINT, TRANSFORM
from tdls.structs import NamedTuple, Struct, as_dict

if TYPE_CHECKING:
    from pathlib import Path

SCHEME = "tdls"
"""URI scheme of documents whose text the server provides."""
_CELL = "vscode-notebook-cell:"
"""Beginning of the URI of a notebook's cell; the path is that of the notebook."""


def named_path(uri: str) -> PurePosixPath:
    """Return the path in a URI of any scheme, as people read it."""
    return PurePosixPath(unquote(re.split("[?#]", uri, maxsplit=1)[0]))


class View(Enum):
    """Kind of text that a document shows of a run; the value is the suffix of its name."""

    AFTER = "after.mlir"
    """The payload after the run."""
    BEFORE = "before.mlir"
    """The payload before the run, as MLIR prints it."""
    DIFF = "diff"
    """The changes of the payload, as a unified diff."""
    FAILURE = "before-failure.mlir"
    """The payload right before the failed step."""


OF_SUCCESS = (View.AFTER, View.BEFORE, View.DIFF)
"""The views of a successful run."""


class RunTarget(Struct, frozen=True):
    """An entry point of the script with the URI `script`; `part` numbers the parts between ``// -----``."""

    script: str
    entry_point: str
    part: int

    @property
    def is_usual(self) -> bool:
        """True if a run begins here by default."""
        return self.entry_point == ENTRY_POINT or self.entry_point.startswith(f"{TRANSFORM}.")

    @property
    def stem(self) -> str:
        """The file name of the script without its suffix."""
        return named_path(self.script).stem or "script"


class TargetOptions(Struct, frozen=True):
    """The editor's options for running a target; None and () mean the defaults of the script and its project.

    `payload` and `libraries` are paths, `until` is the offset (code points) of the last operation to execute, `values`
    are those of choices by name.
    """

    payload: Path | None = None
    libraries: tuple[Path, ...] = ()
    until: int | None = None
    values: tuple[tuple[str, str], ...] = ()


class StateDocument(NamedTuple):
    """A document with the payload of one state of a recorded run.

    `generation` is the number of the recording, `passing` the number of the state.
    """

    target: RunTarget
    generation: int
    passing: int

    @property
    def uri(self) -> str:
        fields = {**as_dict(self.target), "generation": self.generation, "passing": self.passing}
        name = f"{self.target.stem}.state-{self.passing}.mlir"
        return f"{SCHEME}://state/{quote(name)}?{_packed(fields)}"

    @classmethod
    def from_uri(cls, uri: str) -> StateDocument | None:
        """Return the document of a URI made by `uri`, in any percent-encoding, or None for other URIs."""
        try:
            fields = _unpacked(uri)
            generation, passing = fields.pop("generation"), fields.pop("passing")
            if not (isinstance(generation, int) and isinstance(passing, int)):
                return None
            return cls(RunTarget(**fields), generation, passing)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


class ScheduleDocument(NamedTuple):
    """A document with a script that a Python program built.

    `program` is the URI of the program, `function` the called function, or "" if the whole program was run, and
    `number` counts its scripts from 0.
    """

    program: str
    function: str
    number: int = 0

    @property
    def name(self) -> str:
        stem = named_path(self.program).stem or "program"
        parts = [stem, self.function, str(self.number + 1) if self.number else "", "mlir"]
        return ".".join(part for part in parts if part)

    @property
    def uri(self) -> str:
        return f"{SCHEME}://schedule/{quote(self.name)}?{_packed(self._asdict())}"

    @classmethod
    def from_uri(cls, uri: str) -> ScheduleDocument | None:
        """Return the document of a URI made by `uri`, in any percent-encoding, or None for other URIs."""
        try:
            document = cls(**_unpacked(uri))
        except (ValueError, TypeError):
            return None
        is_named = isinstance(document.program, str) and isinstance(document.function, str)
        return document if is_named and type(document.number) is int else None


def home_of(uri: str) -> str:
    """Return the URI of the file whose project and settings apply to a document: what its text is made of."""
    if uri.startswith(_CELL):
        return f"file:{uri.removeprefix(_CELL).partition('#')[0]}"
    if not uri.startswith(SCHEME):
        return uri
    built = ScheduleDocument.from_uri(uri)
    return built.program if built is not None else bytecode_of(uri) or uri


def bytecode_of(uri: str) -> str | None:
    """Return the URI of a file of bytecode, for that of the document with its text, or None for other URIs.

    Editors make such a URI themselves: ``tdls://bytecode/NAME.mlir?URI``.
    """
    head, _, query = uri.partition("?")
    return unquote(query) if head.startswith(f"{SCHEME}://bytecode/") else None


def _packed(fields: dict[str, Any]) -> str:
    """Return `fields` as base64-encoded JSON for the query of a URI."""
    text = json.dumps(fields, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _unpacked(uri: str) -> dict[str, Any]:
    """Return the fields encoded in the URI of a virtual document. Raises ValueError or TypeError for other URIs."""
    parts = urlsplit(uri)
    if parts.scheme != SCHEME:
        raise ValueError(uri)
    packed = unquote(parts.query)
    fields = json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    if not isinstance(fields, dict):
        raise TypeError(fields)
    return fields


class RunDocument(NamedTuple):
    """A document that shows a view of a run.

    `line` is the 1-based line at which the run stopped, or None for a run to the end of the script.
    """

    target: RunTarget
    view: View
    line: int | None = None

    @property
    def name(self) -> str:
        place = f".to-line-{self.line}" if self.line is not None else ""
        return f"{self.target.stem}{place}.{self.view.value}"

    @property
    def uri(self) -> str:
        """The URI of the document, which holds all data needed to run the target again."""
        fields = {**as_dict(self.target), "view": self.view.value}
        fields |= {"line": self.line} if self.line is not None else {}
        return f"{SCHEME}://run/{quote(self.name)}?{_packed(fields)}"

    @classmethod
    def from_uri(cls, uri: str) -> RunDocument | None:
        """Return the document of a URI made by `uri`, in any percent-encoding, or None for other URIs."""
        try:
            fields = _unpacked(uri)
            view, line = View(fields.pop("view")), fields.pop("line", None)
            return cls(RunTarget(**fields), view, line) if line is None or type(line) is int else None
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
