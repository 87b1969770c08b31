"""What is run, and the documents that show what comes out of it."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

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


@dataclass(frozen=True, slots=True)
class RunTarget:
    """An entry point of the script with the URI `script`; `part` is the number of its part between ``// -----``."""

    script: str
    entry_point: str
    part: int

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
    """A document that shows a view of a run."""

    target: RunTarget
    view: View

    @property
    def name(self) -> str:
        """The name of a file with the document."""
        return f"{self.target.stem}.{self.view.value}"

    @property
    def uri(self) -> str:
        """The URI of the document; all that is needed to run the target again is in it."""
        said = {**asdict(self.target), "view": self.view.value}
        return f"{SCHEME}://run/{quote(self.name)}?{_packed(said)}"

    @classmethod
    def from_uri(cls, uri: str) -> RunDocument | None:
        """Return the document with a URI as `uri` gives it, however an editor spells that; None for others."""
        try:
            said = _unpacked(uri)
            view = View(said.pop("view"))
            return cls(RunTarget(**said), view)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
