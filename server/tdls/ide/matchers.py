"""Which named sequences are matchers: those that an operation asks whether they accept an operation of the payload."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import TRANSFORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.sections import Section
    from tdls.syntax.tree import Operation

MATCHER_ATTRIBUTES = ("matcher", "matchers")
"""Attributes whose symbols are matchers."""
ACTION_ATTRIBUTES = ("action", "actions")
"""Attributes whose symbols are named sequences that run where a matcher accepts."""


def matcher_names(file: SourceFile) -> frozenset[str]:
    """Return the last names of the symbols that `file` uses as matchers. Reads only sections that could do so."""
    mention = _mention(file.catalogue)
    sections = dict.fromkeys(piece.section for piece in file.sections.pieces)
    return frozenset(name for section in sections for name in _names_in(section, mention))


def _names_in(section: Section, mention: re.Pattern[str]) -> frozenset[str]:
    known: frozenset[str] | None = section.derived.get("matchers")
    if known is None:
        known = frozenset(_matchers(section)) if mention.search(section.text) else frozenset()
        section.derived["matchers"] = known
    return known


def _matchers(section: Section) -> Iterator[str]:
    for operation in section.tree.walk():
        if operation.definition is not None and _asks_matchers(operation.definition):
            yield from (path[-1] for path in _paths(operation))


def _paths(operation: Operation) -> Iterator[tuple[str, ...]]:
    for attribute in operation.attributes:
        if attribute.name in MATCHER_ATTRIBUTES:
            symbols = (use for use in operation.symbols if attribute.value_start <= use.start < attribute.value_end)
            yield from (use.path for use in symbols)


def _asks_matchers(definition: OperationDefinition) -> bool:
    return any(attribute.name in MATCHER_ATTRIBUTES for attribute in definition.attributes)


@lru_cache(maxsize=8)
def _mention(catalogue: Catalogue) -> re.Pattern[str]:
    """Match the name of an operation that asks matchers."""
    known = ((name, catalogue.operation(name)) for name in catalogue.operation_names(TRANSFORM))
    names = [re.escape(name) for name, definition in known if definition is not None and _asks_matchers(definition)]
    return re.compile("|".join(names) or "(?!)")
