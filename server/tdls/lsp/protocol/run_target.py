"""What is run, and the documents that show what comes out of it."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from tdls.semantic.transform_dialect import ENTRY_POINT, TRANSFORM

if TYPE_CHECKING:
    from pathlib import Path

SCHEME = "tdls"
"""Of documents that the server has the text of."""


class View(Enum):
    """What a document shows of a run; the value is the end of its name."""

    AFTER = "after.mlir"
    """The payload after the run."""
    BEFORE = "before.mlir"
    """The payload before the run, as MLIR prints it."""
    DIFF = "diff"
    """What has changed, as a unified diff."""
    FAILURE = "before-failure.mlir"
    """The payload right before the step in which the run failed."""


OF_SUCCESS = (View.AFTER, View.BEFORE, View.DIFF)
"""The views of a run that succeeded."""


@dataclass(frozen=True, slots=True)
class RunTarget:
    """An entry point of the script with the URI `script`; `part` is the number of its part between ``// -----``."""

    script: str
    entry_point: str
    part: int

    @property
    def is_usual(self) -> bool:
        """True if a run begins here where nobody says where to begin."""
        return self.entry_point == ENTRY_POINT or self.entry_point.startswith(f"{TRANSFORM}.")

    @property
    def stem(self) -> str:
        """The name of the script without its ending."""
        return PurePosixPath(unquote(urlsplit(self.script).path)).stem or "script"


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """What the editor says of how to run a target; None and () leave it to the script and its project.

    `payload` and `libraries` are paths, `until` is the offset (code points) of the last operation to be executed.
    """

    payload: Path | None = None
    libraries: tuple[Path, ...] = ()
    until: int | None = None


class StateDocument(NamedTuple):
    """A document with the payload of one state of a recorded run.

    `generation` is the number of the recording, and `passing` that of the state.
    """

    target: RunTarget
    generation: int
    passing: int

    @property
    def uri(self) -> str:
        """The URI of the document."""
        said = {**asdict(self.target), "generation": self.generation, "passing": self.passing}
        name = f"{self.target.stem}.state-{self.passing}.mlir"
        return f"{SCHEME}://state/{quote(name)}?{_packed(said)}"

    @classmethod
    def from_uri(cls, uri: str) -> StateDocument | None:
        """Return the document with a URI, however an editor spells that; None for others."""
        try:
            said = _unpacked(uri)
            generation, passing = said.pop("generation"), said.pop("passing")
            if not (isinstance(generation, int) and isinstance(passing, int)):
                return None
            return cls(RunTarget(**said), generation, passing)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


class ScheduleDocument(NamedTuple):
    """A document with a script that a program built by calls.

    `program` is the URI of the program, `function` the one that was called, "" if all of the program was run, and
    `number` tells several scripts of it apart, from 0.
    """

    program: str
    function: str
    number: int = 0

    @property
    def name(self) -> str:
        """The name of a file with the document."""
        stem = PurePosixPath(unquote(urlsplit(self.program).path)).stem or "program"
        parts = [stem, self.function, str(self.number + 1) if self.number else "", "mlir"]
        return ".".join(part for part in parts if part)

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return f"{SCHEME}://schedule/{quote(self.name)}?{_packed(self._asdict())}"

    @classmethod
    def from_uri(cls, uri: str) -> ScheduleDocument | None:
        """Return the document with a URI, however an editor spells that; None for others."""
        try:
            found = cls(**_unpacked(uri))
        except (ValueError, TypeError):
            return None
        is_well = isinstance(found.program, str) and isinstance(found.function, str) and type(found.number) is int
        return found if is_well else None


def home_of(uri: str) -> str:
    """Return the URI of the file whose project and settings hold for a document: of a built script, the program."""
    if not uri.startswith(SCHEME):
        return uri
    built = ScheduleDocument.from_uri(uri)
    return built.program if built is not None else uri


def _packed(said: dict[str, Any]) -> str:
    """Return `said` as the query of a URI."""
    text = json.dumps(said, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _unpacked(uri: str) -> dict[str, Any]:
    """Return what is packed in the URI of a document of the server. Raises ValueError or TypeError for others."""
    parts = urlsplit(uri)
    if parts.scheme != SCHEME:
        raise ValueError(uri)
    packed = unquote(parts.query)
    said = json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    if not isinstance(said, dict):
        raise TypeError(said)
    return said


class RunDocument(NamedTuple):
    """A document that shows a view of a run.

    `line` is the number of the line that the run went to, from 1, if it was not to go to the end of the script.
    """

    target: RunTarget
    view: View
    line: int | None = None

    @property
    def name(self) -> str:
        """The name of a file with the document."""
        place = f".to-line-{self.line}" if self.line is not None else ""
        return f"{self.target.stem}{place}.{self.view.value}"

    @property
    def uri(self) -> str:
        """The URI of the document; all that is needed to run the target again is in it."""
        said = {**asdict(self.target), "view": self.view.value}
        said |= {"line": self.line} if self.line is not None else {}
        return f"{SCHEME}://run/{quote(self.name)}?{_packed(said)}"

    @classmethod
    def from_uri(cls, uri: str) -> RunDocument | None:
        """Return the document with a URI as `uri` gives it, however an editor spells that; None for others."""
        try:
            said = _unpacked(uri)
            view, line = View(said.pop("view")), said.pop("line", None)
            return cls(RunTarget(**said), view, line) if line is None or type(line) is int else None
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
