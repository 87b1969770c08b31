"""Check a text: every rule over every split of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.context import Context
from tdls.analysis.rules import RULES
from tdls.syntax.parser import parse
from tdls.syntax.scanner import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.text.diagnostic import Diagnostic, Fix

_MARKER = re.compile("// -----")
_MARKER_LINE = re.compile(r"^// -----[ \t]*$", re.MULTILINE)


class SplitMode(Enum):
    """Whether ``// -----`` begins a new module.

    `ALWAYS` splits at the marker wherever it stands, as `splitAndProcessBuffer` of MLIR's ToolUtilities.cpp does.
    `AUTO` believes a marker on a line of its own outside of all braces: elsewhere it is a decoration, as no module
    can end there.
    """

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings in one text, in the order of their places, which are offsets into the whole text."""

    diagnostics: tuple[Diagnostic, ...]


def check_text(text: str, *, path: Path | None, catalogue: Catalogue, split: SplitMode = SplitMode.AUTO) -> CheckResult:
    """Check `text` with every rule. `path` is the file it comes from, if any. Never raises on any text."""
    del path
    found: list[Diagnostic] = []
    for offset, part in split_text(text, split):
        context = Context(parse(part, catalogue), catalogue)
        for rule in RULES:
            found.extend(_shifted(diagnostic, offset) for diagnostic in rule.find(context))
    return CheckResult(tuple(sorted(found, key=lambda d: (d.span, d.rule, d.message))))


def split_text(text: str, mode: SplitMode) -> Iterator[tuple[int, str]]:
    """Yield the parts of `text` between ``// -----`` markers with their offsets."""
    start = 0
    for marker in _markers(text, mode):
        yield start, text[start : marker.start()]
        start = marker.end()
    yield start, text[start:]


def _markers(text: str, mode: SplitMode) -> Iterable[re.Match[str]]:
    if mode is SplitMode.NEVER:
        return []
    if mode is SplitMode.ALWAYS:
        return _MARKER.finditer(text)
    markers = list(_MARKER_LINE.finditer(text))
    return _outside_of_braces(text, markers) if markers else []


def _outside_of_braces(text: str, markers: list[re.Match[str]]) -> list[re.Match[str]]:
    tokens = scan(text)
    braces = [
        (tokens.starts[opener], tokens.starts[closer])
        for opener, closer in tokens.partners.items()
        if opener < closer and tokens.kinds[opener] == "{"
    ]
    outermost: list[tuple[int, int]] = []
    for begin, end in sorted(braces):
        if not outermost or begin > outermost[-1][1]:
            outermost.append((begin, end))
    return [m for m in markers if not any(begin < m.start() < end for begin, end in outermost)]


def _shifted(diagnostic: Diagnostic, offset: int) -> Diagnostic:
    if offset == 0:
        return diagnostic
    notes = tuple(replace(n, span=n.span.shifted(offset)) if n.path is None else n for n in diagnostic.notes)
    fixes = tuple(_shifted_fix(fix, offset) for fix in diagnostic.fixes)
    return replace(diagnostic, span=diagnostic.span.shifted(offset), notes=notes, fixes=fixes)


def _shifted_fix(fix: Fix, offset: int) -> Fix:
    return replace(fix, edits=tuple(replace(edit, span=edit.span.shifted(offset)) for edit in fix.edits))
