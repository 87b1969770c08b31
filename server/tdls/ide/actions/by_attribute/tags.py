"""The attributes that tell operations of a payload apart, and where they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.syntax.tree import Form
from tdls.text.diagnostic import TextEdit
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import Operation as WrittenOperation

_KEYS = ("tag", "schedule_tag")
"""What the attribute may be called: as upstream calls the attribute that says what a payload's root is."""
_LONGEST = 50_000
"""Code points of an operation that gets an attribute, with its regions."""
_BEFORE_BLANKS = re.compile(r"(?<=[^ \t\n])(?=[ \t\n]|\Z)")
_BRACE = re.compile(r"\{")
_SPELLINGS = (" {{{}}}", " attributes {{{}}}", " attrs = {{{}}}")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class NameTag:
    """The attribute ``key = "value"``."""

    key: str
    value: str

    @property
    def text(self) -> str:
        """How it is written."""
        return f'{self.key} = "{self.value}"'


@dataclass(frozen=True)
class TaggedOperation:
    """An operation of the payload that gets an attribute, and the section that it is written in."""

    context: Context
    operation: Operation


def tags_for(
    handles: Sequence[str], parts: Sequence[Sequence[TaggedOperation]], texts: Collection[str]
) -> list[NameTag]:
    """Return a tag for each of `handles`, by its name, that none of its `parts` has and that is in none of `texts`.

    Handles that have numbers for names are called as the operation, with the number. Raises NotRewrittenError.
    """
    operations = [tagged for part in parts for tagged in part]
    key = next((key for key in _KEYS if not any(_has(tagged.operation, key) for tagged in operations)), None)
    if key is None:
        raise NotRewrittenError(f"what it finds has attributes called {' and '.join(f'`{key}`' for key in _KEYS)}")
    names = {tagged.operation.name.rpartition(".")[2] for tagged in operations}
    common = names.pop() if len(names) == 1 else "operation"
    tags: list[NameTag] = []
    dense = ["".join(text.split(" ")) for text in texts]
    for number, handle in enumerate(handles):
        name = handle.removeprefix("%")
        wanted = f"{common}_{number}" if _NUMBER.fullmatch(name) else name
        tags.append(_free(key, wanted, dense, tags))
    return tags


def tagging_edits(tagged: TaggedOperation, tag: NameTag) -> Iterator[TextEdit]:
    """Yield edits of which one gives a written operation an attribute, the likeliest first.

    Where the form of the operation is known it is the first one; else only MLIR knows where attributes are written.
    """
    context, operation = tagged.context, tagged.operation
    whole = context.section.text[operation.span.start : operation.span.end]
    name = operation.location
    written = name.end - name.start
    spelled = operation.name if operation.syntax.form is not Form.GENERIC else f'"{operation.name}"'
    before = name.start - operation.span.start
    text = f"{whole[:before]}{spelled}{whole[before + written :]}"
    for offset, inserted in _places(text, operation.name, tag, context.catalogue) if len(text) <= _LONGEST else ():
        start = operation.span.start + offset - (len(spelled) - written)
        yield TextEdit(context.to_file(Span(start, start)), inserted)


def without_tags(printed: str, tags: Collection[NameTag]) -> str:
    """Return what MLIR printed without attributes."""
    for tag in tags:
        for spelled in (" attributes {{{}}}", " attrs =  {{{}}}", " {{{}}}", "{}, ", ", {}"):
            printed = printed.replace(spelled.format(tag.text), "")
    return printed


def _has(operation: Operation, key: str) -> bool:
    definition = operation.definition
    known = {attribute.name for attribute in definition.attributes} if definition is not None else set()
    return key in known or operation.syntax.attribute(key) is not None


def _free(key: str, name: str, texts: Collection[str], taken: Collection[NameTag]) -> NameTag:
    """Return a tag that is neither in `texts`, which have no blanks, nor `taken`."""
    tag, number = NameTag(key, name), 1
    while tag in taken or any(f'{key}="{tag.value}"' in text for text in texts):
        number += 1
        tag = NameTag(key, f"{name}_{number}")
    return tag


def _places(text: str, name: str, tag: NameTag, catalogue: Catalogue) -> Iterator[tuple[int, str]]:
    """Yield where in the `text` of an operation an attribute may be written, and how."""
    before = _read(text, name, catalogue)
    for offset, inserted in _candidates(text, before, tag) if before is not None else ():
        after = _read(f"{text[:offset]}{inserted}{text[offset:]}", name, catalogue)
        if before is not None and after is not None and _gained(before, after, tag):
            yield offset, inserted


def _candidates(text: str, operation: WrittenOperation, tag: NameTag) -> Iterator[tuple[int, str]]:
    """Yield places, and what may be written there."""
    inside = [(region.start, region.end) for region in operation.regions]

    def outside(pattern: re.Pattern[str]) -> list[int]:
        places = (found.end() for found in pattern.finditer(text, operation.name_span.end))
        return [place for place in places if not any(start < place < stop for start, stop in inside)]

    behind = [(attribute.end, f", {tag.text}") for attribute in reversed(operation.attributes)]
    before = [(place, f"{tag.text}, ") for place in outside(_BRACE)]
    if operation.form is Form.STRUCTURAL:
        yield from (*behind, *before)
    first, *others = outside(_BEFORE_BLANKS)
    for spelling in _SPELLINGS:
        yield from ((place, spelling.format(tag.text)) for place in (first, *reversed(others)))
    yield from behind


def _read(text: str, name: str, catalogue: Catalogue) -> WrittenOperation | None:
    """Return the operation that a text is, if it is read without problems."""
    trees = [context.tree for context in SourceFile.of(text, catalogue).contexts]
    operations = [operation for tree in trees for operation in tree.top_level()]
    if len(operations) != 1 or any(True for tree in trees for _ in tree.problems()):
        return None
    (operation,) = operations
    return operation if not operation.broken and operation.name == name else None


def _gained(before: WrittenOperation, after: WrittenOperation, tag: NameTag) -> bool:
    """Tell whether an operation has an attribute more, and is the same else."""
    gained = after.attribute(tag.key)
    return (
        gained is not None
        and after.form is before.form
        and gained.value == f'"{tag.value}"'
        and len(after.attributes) > len(before.attributes)
        and len(after.operands) == len(before.operands)
        and len(after.regions) == len(before.regions)
    )
