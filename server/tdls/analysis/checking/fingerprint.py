"""Fingerprints of findings, and baselines: known findings, which are not reported again until they are fixed."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any

from tdls.analysis.file.context import TrackedFact
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple
from tdls.syntax.layout import comments
from tdls.syntax.sections.facts import Fact
from tdls.text.diagnostic import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import Span

_LONGEST_LINE = 160
_SHOWN = 100


def fingerprint(file: SourceFile, finding: Diagnostic) -> Fingerprint:
    """Return the fingerprint of `finding`, which has its span in `file`."""
    context = file.context_at(finding.span.start)
    line = file.position(finding.span.start).line
    lines = _normalised_lines(file)
    if line not in lines:
        lines[line] = _normalised(file.line_text(line))
    symbols = "::".join(_symbols(context, finding.span.start))
    return Fingerprint(finding.rule, symbols, lines[line])


@Fact
def _normalised_lines(file: SourceFile) -> dict[int, str]:
    """Cache of normalised lines by 0-based number, filled on demand."""
    del file
    return {}


def _symbols(context: Context, offset: int) -> Iterator[str]:
    yield from _containers(context)
    place = context.to_local(offset)
    named = _named(context)
    index = bisect_right(named, place, key=lambda named_operation: named_operation.span.start) - 1
    around: list[str] = []
    while index >= 0:
        around += [named[index].name] if place < named[index].span.end else []
        index = named[index].outer
    yield from (f"@{name}" for name in reversed(around))


def _containers(context: Context) -> Iterator[str]:
    if context.container is not None:
        yield from _containers(context.container)
        operation = context.container_operation
        name = symbol_name(operation) if operation is not None else None
        yield from () if name is None else (f"@{name}",)


class _Named(NamedTuple):
    """An operation that defines a symbol."""

    span: Span
    name: str
    outer: int
    """Index of the innermost one around it, or -1."""


@TrackedFact
def _named(context: Context) -> list[_Named]:
    """Return the operations of a section that define symbols, sorted by their starts."""
    named: list[_Named] = []
    open_ones: list[int] = []
    for operation in context.model.walk():
        name = symbol_name(operation)
        if name is None:
            continue
        while open_ones and named[open_ones[-1]].span.end <= operation.span.start:
            open_ones.pop()
        named.append(_Named(operation.span, name, open_ones[-1] if open_ones else -1))
        open_ones.append(len(named) - 1)
    return named


def _normalised(line: str) -> str:
    """Remove the comment, unless nothing else is on the line, and repeated blanks."""
    code = next((line[: comment.span.start] for comment in comments(line)), line)
    words = " ".join(code.split()) or " ".join(line.split())
    if len(words) <= _LONGEST_LINE:
        return words
    import hashlib

    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{words[:_SHOWN]}... {digest}"


VERSION = 1


class BaselineError(Exception):
    """A text is not a baseline; the message has the reason."""


class Baseline:
    """Number of known findings, by file and fingerprint. File names are as in URLs, relative to the baseline."""

    def __init__(self, known: Mapping[str, Counter[Fingerprint]] | None = None) -> None:
        self.files = {name: Counter(counts) for name, counts in (known or {}).items() if counts}

    @classmethod
    def parse(cls, text: str) -> Baseline:
        """Read the result of `Baseline.text`. Raises BaselineError."""
        try:
            document: Any = json.loads(text)
        except ValueError as error:
            raise BaselineError(f"not JSON: {error}") from error
        except RecursionError as error:
            raise BaselineError("nested too deeply; a baseline has no such nesting") from error
        if not isinstance(document, dict) or document.get("version") != VERSION:
            raise BaselineError(f"not a baseline of version {VERSION}")
        try:
            return cls({name: _counts(entries) for name, entries in document["findings"].items()})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BaselineError(f"an entry is damaged: {error!r}") from error

    def text(self) -> str:
        """Return the baseline as JSON, sorted, so that versions of it can be compared and merged."""
        findings = {
            name: [{**key._asdict(), **({"count": count} if count > 1 else {})} for key, count in sorted(known.items())]
            for name, known in sorted(self.files.items())
        }
        return json.dumps({"version": VERSION, "findings": findings}, indent=2, ensure_ascii=False) + "\n"

    def __len__(self) -> int:
        """The number of known findings."""
        return sum(sum(counts.values()) for counts in self.files.values())

    def recognised(self, name: str, fingerprints: Sequence[Fingerprint]) -> list[Fingerprint | None]:
        """Return for each finding of a file its entry in the baseline, None for new ones.

        No entry matches more findings than it counts. The symbol around a finding may differ from that of its entry.
        """
        left = Counter(self.files.get(name, ()))
        matches: list[Fingerprint | None] = []
        for wanted in fingerprints:
            matches.append(wanted if left[wanted] > 0 else None)
            left[wanted] -= matches[-1] is not None
        entries: dict[tuple[str, str], list[Fingerprint]] = {}
        for entry in left.elements():
            entries.setdefault((entry.rule, entry.line), []).append(entry)
        for number, finding in enumerate(fingerprints):
            candidates = entries.get((finding.rule, finding.line))
            if matches[number] is None and candidates:
                matches[number] = candidates.pop(0)
        return matches


def _counts(entries: Iterable[Mapping[str, Any]]) -> Counter[Fingerprint]:
    counts: Counter[Fingerprint] = Counter()
    for entry in entries:
        fingerprint = Fingerprint(*(_text(entry[name]) for name in Fingerprint._fields))
        counts[fingerprint] += _positive(entry.get("count", 1))
    return counts


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{value!r} is not a number of findings")
    return value
