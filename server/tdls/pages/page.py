"""Recorded runs as one self-contained page of HTML: steps, the changes of each, handles and matches."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from functools import cache
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from tdls.interpreter.recording.changes import following_origins
from tdls.pages.document import document
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.interpreter.recording.recording import Recording


class _PageTemplate(Template):
    delimiter = "@@"  # `$` stands for values in the page's script


@cache
def _template() -> tuple[str, str]:
    """Return the template of the page, and its policy: its own style and script, and no other place than its own."""
    text = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    parts = {tag: text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0] for tag in ("style", "script")}
    hashes = (
        f"{tag}-src 'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"
        for tag, part in parts.items()
    )
    return text, "; ".join(
        ["default-src 'none'", *hashes, "connect-src 'self'", "base-uri 'none'", "form-action 'none'"]
    )


def policy() -> str:
    """Return the content security policy of all pages."""
    return _template()[1]


def page(recordings: Sequence[Recording], matches: Sequence[dict[str, Any] | None], version: str = "") -> str:
    """Return the page of `recordings`, whose known states it shows, each with its matches if these were requested.

    A page with a `version` follows what the server that it comes from tells; others are complete.
    """
    files = [file.name for each in recordings for file in (each.request.script, *each.request.others)]
    pairs = zip(recordings, matches, strict=True)
    data = to_send(json.dumps([{**_data(recording), "matches": matched} for recording, matched in pairs]), files)
    # A `<` could end the script element; JSON has it in strings only, where this escape stands for it.
    return _PageTemplate(_template()[0]).substitute(
        title=escape(to_send(files[0], files)) if files else "",
        policy=policy(),
        version=escape(version),
        data=data.replace("<", "\\u003c"),
    )


def to_send(text: str, files: Iterable[str]) -> str:
    """Return a text, or JSON, that names `files`, without the folders of this machine, for others to read."""
    absolute = (path for path in map(Path, files) if path.is_absolute() and len(path.parents) > 1)
    folders = {f"{path.parent}{os.sep}" for path in absolute}
    written = {each for folder in folders for each in (folder, json.dumps(folder)[1:-1])}
    parts = "|".join(map(re.escape, sorted(written, key=len, reverse=True)))
    return re.sub(rf"(?<![\w.~/\\])(?:{parts})", "", text) if parts else text


def _data(recording: Recording) -> dict[str, Any]:
    """Return the document of a recording, with payloads as changes of the previous one, and more data for the page."""
    page_data = document(recording)
    payloads = [text.split("\n") for text in page_data["payloads"]]
    changed = ((after, *ChangedRange.between(before, after)) for before, after in pairwise([[], *payloads]))
    # The first line of each change, the number of removed lines, and the new lines.
    page_data["payloads"] = [(begin, end - begin, after[begin:new_end]) for after, begin, end, new_end in changed]
    page_data["source"] = recording.request.script.original
    page_data["origins"] = list(_origins(recording))
    for step, data in zip(recording.steps, page_data["steps"], strict=True):
        change = recording.change(step)
        data["hunks"] = change.hunks() if change is not None and (change.added or change.removed) else []
    return page_data


def _origins(recording: Recording) -> Iterator[list[tuple[int, int, int]]]:
    """Yield for each payload its groups of lines: their count, the step that made and the step that changed them."""
    before: str | None = None
    texts = ((passing, recording.text(passing)) for passing in range(len(recording.passings)))
    for passing, known in following_origins((passing, text) for passing, text in texts if text is not None):
        text = recording.text(passing)
        if text != before:
            yield [
                (len(list(lines)), _number(recording, made), _number(recording, changed))
                for (made, changed), lines in groupby(known)
            ]
        before = text


def _number(recording: Recording, passing: int | None) -> int:
    step = recording.step_to(passing)
    return step.number if step is not None else 0
