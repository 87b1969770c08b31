"""Classifies findings by subject: the script, or the payload; and whether a payload finding holds for every MLIR.

Doubtful payload findings stay silent: text that does not fit the catalogue may belong to another version of MLIR, or to
a project. The script consists of the operations of the transform dialect and its extensions, the operations in their
regions, and the operations around them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.syntax import scanner
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import SectionKind
from tdls.syntax.tree import Form
from tdls.system import cached_property
from tdls.text.diagnostic import Subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import Member
    from tdls.text.span import Span


class Subjects:
    """Classifies findings in one section by subject."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def at(self, place: Span, *, is_certain: bool) -> Subject:
        """Return the subject of a finding at `place`; `is_certain` says whether it holds for every MLIR."""
        operation = self.operation_at(place.start)
        is_script = self._is_script(operation) if operation is not None else self._stands_among_scripts
        return _subject(is_script=is_script, is_certain=is_certain)

    def of(self, operation: Operation, *, is_certain: bool) -> Subject:
        """Return the subject of a finding in `operation`; `is_certain` says whether it holds for every MLIR."""
        return _subject(is_script=self._is_script(operation), is_certain=is_certain)

    def is_only_name(self, name: str) -> bool:
        """Whether each occurrence of the SSA `name` in the section is a known definition or operand.

        A line that is not an operation might be the head of an operation around the following lines.
        """
        return self._is_read and name not in self._unclear_names

    def _is_script(self, operation: Operation) -> bool:
        if any(map(is_transform_operation, (operation, *operation.ancestors()))):
            return True
        if id(operation) in self._around:
            return True
        return self._is_frame and self._context.encloses_scripts

    @property
    def _is_frame(self) -> bool:
        return self._context.section.kind is not SectionKind.PLAIN

    @cached_property
    def _stands_among_scripts(self) -> bool:
        """Whether text outside of all operations counts as a damaged script."""
        return self._context.mentions_transform or (self._is_frame and self._context.encloses_scripts)

    @cached_property
    def _around(self) -> set[int]:
        """The identities of the ancestors of transform operations."""
        indices: set[int] = set()
        for operation in self._context.model.walk():
            if is_transform_operation(operation):
                indices.update(map(id, operation.ancestors()))
        return indices

    # Places

    @cached_property
    def _starts(self) -> list[tuple[int, Operation]]:
        return sorted(
            ((operation.span.start, operation) for operation in self._context.model.walk()), key=lambda item: item[0]
        )

    def operation_at(self, offset: int) -> Operation | None:
        """Return the innermost operation at an offset of the section's text."""
        last = bisect_right(self._starts, offset, key=lambda item: item[0]) - 1
        operation = self._starts[last][1] if last >= 0 else None
        while operation is not None and not offset < operation.span.end:
            operation = operation.parent
        return operation

    # Names

    @cached_property
    def _is_read(self) -> bool:
        """Whether all members of the section are operations and aliases."""
        return all(map(_is_read, self._context.section.tree.all_members()))

    @cached_property
    def _unclear_names(self) -> set[str]:
        """The names with an occurrence that is not a known definition or operand."""
        understood = filter(is_understood, self._context.model.walk())
        places = {start for operation in understood for start in _name_places(operation)}
        tokens = scanner.scan(self._context.section.text)
        names = zip(tokens.kinds, tokens.starts, tokens.spellings, strict=True)
        return {
            spelled.partition("#")[0] for kind, start, spelled in names if kind == scanner.VALUE and start not in places
        }


@Fact
def concerns_of(context: Context) -> Subjects:
    """Return the classifier for findings in a section."""
    return Subjects(context)


def _is_read(member: Member) -> bool:
    return member.operation is not None or member.alias is not None or not member.problems


def is_understood(operation: Operation) -> bool:
    """Whether every name in the text of `operation` is a known definition or operand.

    For a form parsed by C++ this holds for upstream operations without regions, since the form could define region
    arguments, and with no more operands than the definition allows: more means that the reader went too far. Forms of
    projects may have names that stand for nothing, such as `-> %name as type` for a result.
    """
    syntax = operation.syntax
    if syntax.broken or not syntax.name:
        return False
    if syntax.form is not Form.STRUCTURAL:
        return True
    definition = operation.definition
    if definition is None or not definition.versions or definition.regions or operation.regions:
        return False
    has_most = all(operand.arity in (Arity.ONE, Arity.OPTIONAL) for operand in definition.operands)
    return not has_most or len(syntax.operands) <= len(definition.operands)


def has_known_regions(operation: Operation) -> bool:
    """Whether all ancestors of `operation` are defined and unbroken, so that region values and order are known."""
    return all(ancestor.definition is not None and not ancestor.syntax.broken for ancestor in operation.ancestors())


def _name_places(operation: Operation) -> Iterator[int]:
    syntax = operation.syntax
    for node in (*syntax.operands, *syntax.results):
        yield node.start
    for block in operation.blocks():
        yield from (argument.start for argument in block.syntax.arguments)


def _subject(*, is_script: bool, is_certain: bool) -> Subject:
    if is_script:
        return Subject.SCRIPT
    return Subject.PAYLOAD if is_certain else Subject.UNREAD_PAYLOAD
