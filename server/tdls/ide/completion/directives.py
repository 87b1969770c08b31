"""What may be written in comments for tdls: ``// tdls: expect-matches=3``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.ide.completion.item import Completion, CompletionItem, ItemKind
from tdls.semantic.run_lines import KEY
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile

_BEFORE = re.compile(
    r"(?<!/)//{1,9}[ \t]{0,40}tdls:[ \t]{0,40}(?:(?P<key>[a-z-]{1,40})=)?(?P<word>[\w.<>-]{0,40})", re.ASCII
)
_DIRECTIVES = {
    "entry-point=": "the named sequence that the script begins with",
    "expect-matches=": "how many operations the match in this line, or in the next one, finds",
    "library=": "a file or folder with named sequences",
    "payload=": "the file that the script is applied to",
}
_COUNTS = {
    "1": "exactly so many",
    "1..": "at least so many",
    "..4": "at most so many",
    "2..4": "from the one to the other",
}


def directive_completion(file: SourceFile, offset: int) -> Completion | None:
    """Return what may be written at `offset` if that is in a comment for tdls; None elsewhere."""
    position = file.position(offset)
    line = file.line_text(position.line)[: position.column]
    found = _BEFORE.fullmatch(line, max(0, line.find("//")))
    if found is None or found["key"] not in (None, KEY):
        return None
    offered = _DIRECTIVES if found["key"] is None else _COUNTS
    span = FileSpan(offset - len(found["word"]), offset)
    items = (
        CompletionItem(text, ItemKind.KEYWORD, span, text, f"{number:02}", text, detail=detail)
        for number, (text, detail) in enumerate(offered.items())
    )
    return Completion(tuple(items))
