"""Findings that were there when a project began to check: they are not told until they are put right."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tdls.analysis.checking.identity import Identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

VERSION = 1


class BaselineError(Exception):
    """A text is no baseline; the message says why."""


class Baseline:
    """How often each finding is known, by file and identity. Files have names as in URLs, relative to the baseline."""

    def __init__(self, known: Mapping[str, Counter[Identity]] | None = None) -> None:
        self.files = {name: Counter(counts) for name, counts in (known or {}).items() if counts}

    @classmethod
    def parse(cls, text: str) -> Baseline:
        """Read what `text` gave. Raises BaselineError."""
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"not JSON: {error}") from error
        if not isinstance(document, dict) or document.get("version") != VERSION:
            raise BaselineError(f"not a baseline of version {VERSION}")
        try:
            return cls({name: _counts(entries) for name, entries in document["findings"].items()})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BaselineError(f"an entry is damaged: {error!r}") from error

    def text(self) -> str:
        """Return the baseline as JSON, sorted, so that versions of it can be compared and merged."""
        findings = {name: [_entry(*item) for item in sorted(self.files[name].items())] for name in sorted(self.files)}
        return json.dumps({"version": VERSION, "findings": findings}, indent=2, ensure_ascii=False) + "\n"

    def __len__(self) -> int:
        """The number of known findings."""
        return sum(sum(counts.values()) for counts in self.files.values())

    def recognised(self, name: str, found: Sequence[Identity]) -> list[Identity | None]:
        """Return for each finding of a file the entry that it is known by, None for new ones.

        No entry serves more findings than it counts. A finding may have another symbol around it than its entry.
        """
        left = Counter(self.files.get(name, ()))
        matches = [_take(left, finding) for finding in found]
        entries: dict[tuple[str, str], list[Identity]] = {}
        for entry in left.elements():
            entries.setdefault((entry.rule, entry.line), []).append(entry)
        for number, finding in enumerate(found):
            candidates = entries.get((finding.rule, finding.line))
            if matches[number] is None and candidates:
                matches[number] = candidates.pop(0)
        return matches


def _take(left: Counter[Identity], wanted: Identity) -> Identity | None:
    if left[wanted] <= 0:
        return None
    left[wanted] -= 1
    return wanted


def _counts(entries: Iterable[Mapping[str, Any]]) -> Counter[Identity]:
    counts: Counter[Identity] = Counter()
    for entry in entries:
        identity = Identity(*(_text(entry[name]) for name in Identity._fields))
        counts[identity] += _positive(entry.get("count", 1))
    return counts


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{value!r} is not a number of findings")
    return value


def _entry(identity: Identity, count: int) -> dict[str, Any]:
    return {**identity._asdict(), **({"count": count} if count > 1 else {})}
