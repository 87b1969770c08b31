"""The loops and buffers of printed payload in one line, and after a step of a recording."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.written_payload import payload_in
from tdls.payload.summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording
    from tdls.payload.tree import Payload

_MOST_PAYLOAD = 500_000
"""Maximum length of a payload, in code points, that is read."""


def summary_of_text(text: str, catalogue: Catalogue, targets: Collection[str] = ()) -> str:
    """Return the loops and buffers of a payload, as `summary_of` does."""
    if len(text) > _MOST_PAYLOAD:
        return f"loops and buffers are not read in a payload of more than {_MOST_PAYLOAD:,} characters"
    payload = payload_of_text(text, catalogue)
    return summary_of(payload, targets) if payload is not None else ""


@lru_cache(maxsize=4)
def payload_of_text(text: str, catalogue: Catalogue) -> Payload | None:
    """Return the tree of a printed payload, or None if it has no operations."""
    return payload_in(SourceFile.of(text, catalogue))


def summary_after(recording: Recording, step: Step) -> str:
    """Return the loops around the new handles' operations and the buffers, "" if the step left them as they were."""
    before, after = recording.text(step.before), recording.text(step.after) if step.after is not None else None
    if before is None or after is None or before == after:
        return ""
    targets = {name for new in recording.results(step) for name in (new.contents.names if new.contents else ())}
    catalogue = recording.request.script.catalogue
    summary = summary_of_text(after, catalogue, targets)
    is_same = summary == summary_of_text(before, catalogue, targets)
    return "" if is_same else summary or "no loops, no buffers"
