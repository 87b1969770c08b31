"""Completion of names in strings: payload operations, passes, and options of passes.

Names of the payload come first, then those that scripts name; passes of the file come first, then the project's.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.payload.operations import is_structured
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME, TRANSFORM, holds_payload_names
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.ide.completion.site import Site
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Operation

_T = TypeVar("_T")
_STRING = re.compile(r'"([^"\n]+)"')
_MOST_READ = 3_000
"""Maximum total length, in code points, of unparsed sections to parse for their names."""
_REACH = 300
"""Maximum number of pieces to search, both before and after the cursor."""


class UsedName(NamedTuple):
    """The full name of an operation, and whether the catalogue has it."""

    name: str
    is_known: bool


def names_in_file(site: Site) -> Counter[UsedName]:
    """Count the names of operations around the cursor, within the limits `_REACH` and `_MOST_READ`.

    The operation that contains the cursor does not count.
    """
    counts, _ = _counted(site.file, site.context.index, _names_in, _names_written)
    if site.current is not None:
        counts.subtract([UsedName(site.current.name, site.current.definition is not None)])
    return +counts


def names_in_scripts(site: Site) -> Counter[str]:
    """Count the payload operations named in strings of transform operations around the cursor, as `names_in_file`.

    The operation that contains the cursor does not count.
    """
    counts, _ = _counted(site.file, site.context.index, _payload_names_in)
    if site.current is not None:
        counts.subtract(_payload_names(site.current.syntax))
    return +counts


def _counted(file: SourceFile, here: int, *names: Fact[Section, Counter[_T]]) -> tuple[Counter[_T], bool]:
    """Add up `names` of the sections around piece `here` of `file`, within the limits `_REACH` and `_MOST_READ`.

    `names` counts those in trees, and a second one those in texts, for sections beyond `_MOST_READ`. Return the numbers
    of occurrences, and whether these are the numbers of the whole file.
    """
    counts: Counter[_T] = Counter()
    budget = _MOST_READ
    pieces = file.sections.pieces[max(here - _REACH, 0) : here + _REACH]
    is_complete = len(pieces) == len(file.sections.pieces)
    for piece in pieces:
        if not piece.begins_section:
            continue
        budget -= 0 if piece.section.is_read else len(piece.section.text)
        is_parsed = not piece.section.is_left_out and (piece.section.is_read or budget >= 0)
        is_complete = is_complete and is_parsed
        for of_section in names[:1] if is_parsed else names[1:]:
            counts.update(of_section(piece.section))
    return counts, is_complete


@Fact
def _names_in(section: Section) -> Counter[UsedName]:
    named = (operation for operation in section.tree.walk() if "." in operation.name)
    return Counter(UsedName(operation.name, operation.definition is not None) for operation in named)


_WRITTEN = re.compile(r'^[ \t]*(?:%[\w$.:,% -]*=[ \t]*)?"?([a-z_]\w*\.[\w.$]+)', re.ASCII | re.MULTILINE)


@Fact
def _names_written(section: Section) -> Counter[UsedName]:
    counts = Counter(_WRITTEN.findall(section.text))
    known = section.catalogue.operation
    return Counter({UsedName(name, known(name) is not None): count for name, count in counts.items()})


@Fact
def _payload_names_in(section: Section) -> Counter[str]:
    return Counter(name for operation in section.tree.walk() for name in _payload_names(operation))


def _payload_names(operation: Operation) -> Iterator[str]:
    definitions = operation.definition.attributes if operation.definition is not None else ()
    for definition in definitions:
        attribute = operation.attribute(definition.name) if holds_payload_names(definition) else None
        if attribute is not None and attribute.value is not None:
            yield from _STRING.findall(attribute.value)


_NO_PAYLOAD = (f"{TRANSFORM}.", "builtin.")


def payload_items(site: Site) -> Iterator[CompletionItem]:
    """Yield operation names in quotes; before a dialect is typed, those of payload and scripts, and all dialects."""
    prefix = site.expected.word.prefix.lstrip('"')
    notes = _payload_notes(site)
    for name, _ in names_in_scripts(site).most_common():
        if "." in name and not name.startswith(_NO_PAYLOAD):
            notes.setdefault(name, "in this script")
    for number, (name, note) in enumerate(notes.items()):
        yield _payload_item(site, name, f"0{number:04}", note)
    dialect, dot, _ = prefix.partition(".")
    known = set(notes)
    if dot:
        names = (name for name in site.catalogue.operation_names(dialect) if name not in known)
        yield from (_payload_item(site, name, f"1{name}") for name in names)
        return
    for dialect in sorted(site.catalogue.dialects() - {TRANSFORM}):
        text = f'"{dialect}.'
        yield CompletionItem(f"{dialect}.", ItemKind.DIALECT, site.span, text, f"2{dialect}", text)


def _payload_notes(site: Site) -> dict[str, str]:
    """Return the operations of the payload with the number of each, those that scripts are likely to match first."""
    payload = site.file.payload
    here = site.context.index if payload is None else 0
    names, is_complete = _counted(site.file if payload is None else payload, here, _names_in, _names_written)
    place = "in this file" if payload is None else "in the payload"
    counts = {used.name: count for used, count in names.items() if not used.name.startswith(_NO_PAYLOAD)}
    ordered = sorted(counts, key=lambda name: (_likelihood(site.catalogue.operation(name)), -counts[name], name))
    return {name: f"{counts[name]} {place}" if is_complete else place for name in ordered}


def likely_search(site: Site) -> str:
    """Return the operation that a script searches for next, a structured one of the payload if there is one, or ""."""
    names = [name for name in _payload_notes(site) if _likelihood(site.catalogue.operation(name)) == 0]
    searched = [name for name, _ in names_in_scripts(site).most_common() if "." in name]
    return next((name for name in names if name not in searched), next(iter([*names, *searched]), ""))


def _likelihood(definition: OperationDefinition | None) -> int:
    """Return 0 for structured operations, 2 for constants and terminators, 1 for all others."""
    if definition is None:
        return 1
    if is_structured(definition):
        return 0
    return 2 if _SELDOM_MATCHED & definition.traits else 1


_SELDOM_MATCHED = frozenset({"ConstantLike", "IsTerminator", "ReturnLike"})


def _payload_item(site: Site, name: str, sort_key: str, note: str = "") -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(
        name, ItemKind.PAYLOAD_OPERATION, site.span, text, sort_key, text, note=note, data=("operation", name)
    )


_OPTIONS = "options"
"""The ODS name of the operand list with the options."""


def is_pass_name(site: Site, definition: AttributeDefinition) -> bool:
    """Return whether the attribute at the cursor is the name of a pass."""
    operation = site.expected.operation
    return definition.name == PASS_NAME and operation is not None and operation.name == APPLY_REGISTERED_PASS


def in_pass_options(site: Site) -> bool:
    """Return whether the cursor is in the braces with the options of a pass."""
    operation = site.expected.operation
    return operation is not None and operation.name == APPLY_REGISTERED_PASS and operation.reading == _OPTIONS
