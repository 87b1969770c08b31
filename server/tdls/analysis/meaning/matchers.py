"""Named sequences used as matchers: other operations run them to test whether they accept a payload operation."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.file.prefilter import key_of_mentioned, mentioned_symbols
from tdls.semantic.symbols import spelled_symbol, symbols_in
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.sections.sections import Section

MATCHER_ATTRIBUTES = ("matcher", "matchers")
"""Attributes whose symbols are matchers."""
ACTION_ATTRIBUTES = ("action", "actions")
"""Attributes whose symbols are named sequences to run where a matcher accepts."""


def matcher_names(*files: SourceFile) -> frozenset[str]:
    """Return the last names of the symbols that one of `files` uses as matchers, and of all symbols these refer to.

    `files` are all scripts of a run: a script uses matchers of its libraries. Reads only sections that use matchers or
    may define them.
    """
    pending = {name for file in files for name in used_matchers(file)}
    by_symbol = _by_symbol(context.section for file in files for context in file.contexts) if pending else {}
    names: set[str] = set()
    while pending:
        name = pending.pop()
        names.add(name)
        for section in by_symbol.get(key_of_mentioned(name), ()):
            pending |= _referred_in(section).get(name, frozenset()) - names
    return frozenset(names)


def used_matchers(file: SourceFile) -> frozenset[str]:
    """Return the last names of the symbols that `file` itself uses as matchers."""
    return frozenset(name for context in file.contexts for name in _matchers_in(context))


def _by_symbol(sections: Iterable[Section]) -> dict[str, list[Section]]:
    """Return the sections that may define each symbol, keyed as by `mentioned_symbols`."""
    by_symbol: dict[str, list[Section]] = {}
    for section in sections:
        for symbol in mentioned_symbols(section):
            by_symbol.setdefault(symbol, []).append(section)
    return by_symbol


@TrackedFact
def _matchers_in(context: Context) -> frozenset[str]:
    mentions = context.catalogue.ask(names_of_asking).search(context.section.text)
    operations = context.section.tree.walk() if mentions else ()
    asking = (each for each in operations if each.definition is not None and _runs_matchers(each.definition))
    return frozenset(use.path[-1] for each in asking for use in symbols_in(each, MATCHER_ATTRIBUTES))


def _runs_matchers(definition: OperationDefinition) -> bool:
    return any(attribute.name in MATCHER_ATTRIBUTES for attribute in definition.attributes)


@lru_cache(maxsize=8)
def names_of_asking(catalogue: Catalogue) -> re.Pattern[str]:
    """Return a pattern that matches the name of each transform operation with a matcher attribute."""
    known = ((name, catalogue.operation(name)) for name in catalogue.operation_names(TRANSFORM))
    names = [re.escape(name) for name, definition in known if definition is not None and _runs_matchers(definition)]
    return re.compile("|".join(names) or "(?!)")


@Fact
def _referred_in(section: Section) -> dict[str, set[str]]:
    """Return the last names of referenced symbols, by the innermost symbol whose definition has the reference."""
    references: dict[str, set[str]] = {}
    todo = [(operation, "") for operation in section.tree.top_level()]
    while todo:
        operation, around = todo.pop()
        references.setdefault(around, set()).update(use.path[-1] for use in operation.symbols)
        inside = spelled_symbol(operation) or around
        blocks = (block for region in operation.regions for block in region.blocks)
        todo += ((nested, inside) for block in blocks for nested in block.operations)
    return references
