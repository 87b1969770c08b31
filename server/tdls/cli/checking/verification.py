"""Compares findings with the ``expected-*`` comments of a test, as ``mlir-opt --verify-diagnostics`` does.

Behaviour and wording follow SourceMgrDiagnosticVerifierHandler of mlir/lib/IR/Diagnostics.cpp: one
expectation a line, at its end; a finding is allowed by any expectation of its line, kind and text; every
expectation must be met.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.structs import Struct, field
from tdls.text.given_patterns import GivenPattern, PatternError
from tdls.text.level import Level
from tdls.text.scanning import before_blanks, integer
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.text.diagnostic import Diagnostic

_DESIGNATOR = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-][0-9]+|above|below|unknown) *)?\{\{"
)
_CLOSING = "}}"


class VerificationMismatch(Struct, frozen=True):
    """A difference between findings and expectations, with MLIR's message for it."""

    message: str
    span: FileSpan


def verify(text: str, diagnostics: Iterable[Diagnostic]) -> list[VerificationMismatch]:
    """Return every difference between `diagnostics` with their notes and the expectations written in `text`.

    Places are in the whole text, also where it is split into several modules, as in mlir-opt since LLVM 22. Hints
    take no part, as MLIR has no such level.
    """
    reading = _read_expectations(text)
    by_line: dict[int | None, list[_Expectation]] = {}
    for expected in reading.expectations:
        by_line.setdefault(expected.line, []).append(expected)
    mismatches = reading.mismatches
    for item in _emitted(diagnostics):
        mismatch = _match(item, by_line.get(reading.line(item.span), ()))
        if mismatch is not None:
            mismatches.append(mismatch)
    for expected in reading.expectations:
        if not expected.is_met:
            message = f'expected {expected.kind} "{expected.text}" was not produced'
            mismatches.append(VerificationMismatch(message, expected.span))
    return mismatches


def expected_errors(text: str) -> set[int]:
    """Return the 0-based lines at which `text` expects an error or a warning."""
    expectations = _read_expectations(text).expectations
    wanted = (expectation for expectation in expectations if expectation.kind in ("error", "warning"))
    return {expectation.line - 1 for expectation in wanted if expectation.line is not None}


class _Emitted(Struct, frozen=True):
    """A finding or a note in MLIR's terms; `shown` is the span to report it at if it has no place in this file."""

    kind: str
    message: str
    span: FileSpan | None
    shown: FileSpan


class _Expectation(Struct):
    """An expectation of a comment; `line` is 1-based, None where the place is unknown."""

    kind: str
    line: int | None
    text: str
    pattern: GivenPattern
    span: FileSpan
    is_met: bool = False


class _Expectations(Struct):
    """The expectations of a text, the mistakes in their spelling, and the offsets at which lines start."""

    expectations: list[_Expectation] = field(default_factory=list)
    mismatches: list[VerificationMismatch] = field(default_factory=list)
    line_starts: list[int] = field(default_factory=list)

    def line(self, span: FileSpan | None) -> int | None:
        """Return the 1-based line of `span`; unlike for `LineIndex`, a lone carriage return ends none."""
        return None if span is None else bisect_right(self.line_starts, span.start)


def _emitted(diagnostics: Iterable[Diagnostic]) -> Iterator[_Emitted]:
    for diagnostic in diagnostics:
        if diagnostic.level is Level.HINT:
            continue
        own = next((note for note in diagnostic.notes if note.path is None and note.span == diagnostic.span), None)
        message = own.message if own is not None else diagnostic.message
        yield _Emitted(diagnostic.level.value, message, diagnostic.span, diagnostic.span)
        for note in diagnostic.notes:
            if note is own:
                continue
            span = note.span if note.path is None else None
            yield _Emitted("note", note.message, span, span or diagnostic.span)


def _match(item: _Emitted, candidates: Iterable[_Expectation]) -> VerificationMismatch | None:
    near_miss: _Expectation | None = None
    for expected in candidates:
        if not expected.pattern.occurs_in(item.message):
            continue
        if expected.kind == item.kind:
            expected.is_met = True
            return None
        near_miss = expected
    if near_miss is None:
        return VerificationMismatch(f"unexpected {item.kind}: {item.message}", item.shown)
    message = f"'{item.kind}' diagnostic emitted when expecting a '{near_miss.kind}'"
    return VerificationMismatch(message, near_miss.span)


def _read_expectations(text: str) -> _Expectations:
    reading = _Expectations()
    lines = text.split("\n")
    last_plain_line = 1
    waiting: list[_Expectation] = []
    offset = 0
    for number, line in enumerate(lines, start=1):
        reading.line_starts.append(offset)
        line_end = before_blanks(line, len(line)) - len(_CLOSING)
        match = _DESIGNATOR.search(line) if line.startswith(_CLOSING, max(line_end, 0)) else None
        if match is None or match.end() > line_end:
            while waiting:
                waiting.pop().line = number
            last_plain_line = number
        else:
            span = FileSpan(offset + match.start(), offset + line_end + len(_CLOSING))
            written = line[match.end() : line_end]
            try:
                pattern = _pattern(written, is_regex=match["regex"] is not None)
            except ValueError as error:
                reading.mismatches.append(VerificationMismatch(str(error), span))
            else:
                read = _Expectation(match["kind"], number, written, pattern, span)
                _place(read, match["place"], last_plain_line, len(lines))
                reading.expectations.append(read)
                if match["place"] == "below":
                    waiting.append(read)
        offset += len(line) + 1
    return reading


def _place(expectation: _Expectation, place: str | None, last_plain_line: int, line_count: int) -> None:
    """Set the line of `expectation`; for ``@below`` it is the last line until the line it applies to is read."""
    if place is None or expectation.line is None:
        return
    if place == "unknown":
        expectation.line = None
    elif place == "above":
        expectation.line = last_plain_line
    elif place == "below":
        expectation.line = line_count
    else:
        expectation.line += integer(place) or 0


def _pattern(text: str, *, is_regex: bool) -> GivenPattern:
    """Return the pattern for the text of an expectation; ``expected-*-re`` has regular expressions in double braces.

    Raises ValueError.
    """
    if not is_regex:
        return GivenPattern.of((text, False))
    pieces: list[tuple[str, bool]] = []
    rest = text
    while rest:
        literal, opening, rest = rest.partition("{{")
        pieces.append((literal, False))
        if not opening:
            break
        inner, closing, rest = rest.partition("}}")
        if not closing:
            raise ValueError("found start of regex with no end '}}'")
        pieces.append((inner, True))
    try:
        return GivenPattern.of(*pieces)
    except PatternError as error:
        raise ValueError(f"invalid regex: {error}") from error
