"""A recorded run as one page of HTML, which needs nothing else: steps, what each changed, and handles."""

from __future__ import annotations

from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pystache

from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.trace.document import document
from tdls.interpreter.recording.changes import following_origins
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.interpreter.recording.recording import Recording

_TEMPLATE = "page.html"


def page(recordings: Sequence[Recording], matches: Sequence[dict[str, Any] | None]) -> str:
    """Return the page of `recordings` whose states are known, with what each of them matched if that was asked."""
    name = recordings[0].request.script.name if recordings else ""
    told = zip(recordings, matches, strict=True)
    data = json_text([{**_data(recording), "matches": matched} for recording, matched in told])
    template = (Path(__file__).parent / _TEMPLATE).read_text(encoding="utf-8")
    # In a script element a `<` could end it; in strings of JSON, which alone have one, it may be written so.
    html: str = pystache.render(template, {"title": name, "data": data.replace("<", "\\u003c")})
    return html


def _data(recording: Recording) -> dict[str, Any]:
    """Return the document of a recording, with payloads as changes of the one before, and what the page shows of it."""
    found = document(recording)
    payloads = [text.split("\n") for text in found["payloads"]]
    found["payloads"] = [_splice(before, after) for before, after in pairwise([[], *payloads])]
    found["source"] = recording.request.script.original
    found["origins"] = list(_origins(recording))
    for step, data in zip(recording.steps, found["steps"], strict=True):
        change = recording.change(step)
        data["hunks"] = change.hunks() if change is not None and (change.added or change.removed) else []
    return found


def _splice(before: list[str], after: list[str]) -> tuple[int, int, list[str]]:
    """Return what makes `after` of `before`: from which line on, how many lines go, and which come."""
    begin, end_before, end_after = ChangedRange.between(before, after)
    return begin, end_before - begin, after[begin:end_after]


def _origins(recording: Recording) -> Iterator[list[tuple[int, int, int]]]:
    """Yield for each payload of the document how many lines come from which steps: one made, one changed them."""
    before: str | None = None
    for passing, known in following_origins(_states(recording)):
        text = recording.text(passing)
        if text != before:
            yield [
                (len(list(lines)), _number(recording, made), _number(recording, changed))
                for (made, changed), lines in groupby(known)
            ]
        before = text


def _states(recording: Recording) -> Iterable[tuple[int, str]]:
    texts = ((passing, recording.text(passing)) for passing in range(len(recording.passings)))
    return ((passing, text) for passing, text in texts if text is not None)


def _number(recording: Recording, passing: int | None) -> int:
    step = recording.step_to(passing)
    return step.number if step is not None else 0
