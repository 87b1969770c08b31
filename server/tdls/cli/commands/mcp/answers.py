"""Answers of tools, as flat as a reader needs them and no longer than asked for: what does not fit can be asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.cli.rendering.json_text import json_text
from tdls.files.reading import read_text
from tdls.ide.changes.line_edits import line_edits
from tdls.syntax.embedded.notebook import cell_named, code_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USUAL_TOKENS = 2_000
_CHARACTERS = 3
"""Characters of a token, of MLIR's text rather few."""
_SHORTEST = 600
"""Characters of the smallest budget."""
_MORE = 200
"""Characters for how to ask on."""
LONGEST_LINE = 300
"""Characters of a line of code to show with a place."""
_WRITTEN_BACK = frozenset({"edits", "text", "form", "function"})
"""Members that are written into files: they are whole, or left out."""


class Sources:
    """The files of the documents' positions that the server may read."""

    def __init__(self, may_read: Callable[[str], bool], path: str = "", text: str | None = None) -> None:
        """`text` is that of the file `path` in this call, None for the one on the disk."""
        self._may_read = may_read
        self._texts: dict[str, str] = {} if text is None else {path: text}

    def text(self, path: str) -> str:
        """Return the text of a file, empty if it is not read."""
        if path not in self._texts:
            try:
                notebook, number = cell_named(path) or (path, 0)
                text = read_text(Path(notebook)) if self._may_read(path) else ""
                self._texts[path] = code_cells(text).get(number, "") if number else text
            except (OSError, ValueError):
                self._texts[path] = ""
        return self._texts[path]

    def line(self, path: str, number: int) -> str:
        """Return a line, from 1, without its indentation."""
        lines = self.text(path).split("\n", number)
        return _cut(lines[number - 1].strip(), LONGEST_LINE) if 0 < number <= len(lines) else ""


def flat(value: Any, sources: Sources) -> Any:
    """Return a part of a document with places as ``FILE:LINE:COLUMN``, with their lines, and without what is empty."""
    if isinstance(value, list):
        return [flat(each, sources) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() >= {"path", "range"}:
        start = (value["range"] or {}).get("start", {"line": 1, "column": 1})
        place = {"path": value["path"], "line": start["line"], "column": start["column"]}
        rest = {name: each for name, each in value.items() if name not in ("path", "uri", "range", "source", "fixes")}
        fixes = [_fix(fix, sources.text(value["path"])) for fix in value.get("fixes", ())]
        return flat({"place": place, **rest, "fixes": fixes}, sources)
    members = {}
    for name, each in value.items():
        if isinstance(each, dict) and each.keys() >= {"path", "line", "column"}:
            members[name] = f"{each['path']}:{each['line']}:{each['column']}"
            if name == "place" and (code := sources.line(each["path"], each["line"])):
                members["source"] = code
        elif each not in (None, "", [], {}) and (each is not False or name == "safe"):
            members[name] = flat(each, sources)
    return members


def _fix(fix: dict[str, Any], text: str) -> dict[str, Any]:
    spans = [(*(edit["range"][end]["offset"] for end in ("start", "end")), edit["new_text"]) for edit in fix["edits"]]
    return {"title": fix["title"], "safe": fix["safe"], "edits": line_edits(text, sorted(spans))}


def fitted(
    head: dict[str, Any], parts: Sequence[tuple[str, Sequence[Any]]], tokens: int = USUAL_TOKENS, offset: int = 0
) -> dict[str, Any]:
    """Return an answer of at most `tokens`: `head`, and lists by name without their first `offset` items.

    What does not fit is counted, with the offset that gives it.
    """
    room = max(tokens * _CHARACTERS, _SHORTEST)
    answer: dict[str, Any] = shortened(head, room // 4)
    answer |= {name: [] for name, _ in parts}
    room -= _size(answer) + _MORE
    items = [(name, item) for name, of_part in parts for item in of_part]
    number = max(offset, 0)
    tokens_left = ""
    for name, item in items[number:]:
        if _size(item) > room:
            if name in _WRITTEN_BACK:
                tokens_left = f" and tokens={_tokens_for(item) + tokens // 2}" if number == max(offset, 0) else ""
                break
            if number > max(offset, 0):
                break
            item = shortened(item, room)
        answer[name].append(item)
        room -= _size(item)
        number += 1
    if number < len(items):
        answer["more"] = f"{len(items) - number} of {len(items)} items are left: ask with offset={number}{tokens_left}"
    return answer


def shortened(value: Any, room: int) -> Any:
    """Return `value` with long texts, lists and objects cut until it has at most `room` characters."""
    cut, most = value, room
    while _size(cut) > room and most:
        most //= 2
        cut = _cut(value, most)
    return cut


def _size(value: Any) -> int:
    return len(as_text(value))


def _tokens_for(item: Any) -> int:
    return _size(item) // _CHARACTERS + USUAL_TOKENS


def as_text(answer: Any) -> str:
    """Return an answer as JSON that is read by people, too."""
    return json_text(answer, indent=1, ensure_ascii=False)


def _cut(value: Any, most: int) -> Any:
    """Return `value` with at most `most` characters of each text, and as many items of each list and object."""
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]} ... and {len(value) - most:,} more characters"
    if not isinstance(value, (list, dict)):
        return value
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    kept: dict[Any, Any] = {}
    size = 0
    for name, item in items:
        is_left_out = name in _WRITTEN_BACK and _size(item) > most
        kept[name] = f"left out: ask with tokens={_tokens_for(item)}" if is_left_out else _cut(item, most)
        size += _size(kept[name])
        if size > most:
            break
    rest = len(items) - len(kept)
    if isinstance(value, dict):
        return kept | ({"...": f"{rest:,} more"} if rest else {})
    return [*kept.values(), *([f"... and {rest:,} more"] if rest else [])]
