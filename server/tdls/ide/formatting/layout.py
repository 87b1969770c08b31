"""The syntax that formatting depends on: starts of statements, labels and regions, and damaged parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.structs import Struct, field
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.tree import Member, Operation, Tree
    from tdls.text.span import Span


class Layout(Struct):
    """Places in a text, as offsets in code points."""

    statements: set[int] = field(default_factory=set)
    """Starts of operations and aliases."""
    unknown: set[int] = field(default_factory=set)
    """Those of `statements` whose assembly format is unknown."""
    labels: set[int] = field(default_factory=set)
    """Starts of block labels."""
    regions: set[int] = field(default_factory=set)
    """Opening braces of regions."""
    kept: list[Span] = field(default_factory=list)
    """Spans that must not change, in textual order."""
    is_damaged: bool = False
    """True if there are syntax errors."""

    @property
    def rests_on_indentation(self) -> bool:
        """True if the parser may have used indentation to group tokens: after errors and in unknown syntax."""
        return self.is_damaged or bool(self.unknown)

    @property
    def places(self) -> tuple[set[int], ...]:
        """All places except `kept`."""
        return self.statements, self.unknown, self.labels, self.regions

    @classmethod
    def of_tree(cls, tree: Tree) -> Layout:
        """Collect the places of `tree`; members with syntax errors and file metadata go to `kept`."""
        layout = cls()
        for member in tree.all_members():
            layout._add(member)
        return layout

    def add(self, other: Layout, offset: int) -> None:
        """Add the places of a part of the text that begins at `offset`."""
        for own, others in zip(self.places, other.places, strict=True):
            own.update(place + offset for place in others)
        self.kept.extend(span.shifted(offset) for span in other.kept)
        self.is_damaged |= other.is_damaged

    def _add(self, member: Member) -> None:
        if member.problems or (member.operation is None and member.alias is None):
            self.kept.append(member.span)
        self.is_damaged |= bool(member.problems)
        if member.alias is not None:
            self.statements.add(member.alias.start)
        for operation in _own_operations(member):
            self.statements.add(operation.start)
            if operation.form is Form.STRUCTURAL:
                self.unknown.add(operation.start)
            for region in operation.regions:
                self.regions.add(region.start)
                self.labels.update(block.label_span.start for block in region.blocks if block.label is not None)


def _own_operations(member: Member) -> Iterator[Operation]:
    """Yield the operation of `member` and all nested ones, except operations that are members themselves."""
    others = {id(child.operation) for child in member.children}
    pending = [member.operation] if member.operation is not None else []
    while pending:
        operation = pending.pop()
        yield operation
        for region in operation.regions:
            for block in region.blocks:
                pending.extend(nested for nested in block.operations if id(nested) not in others)
