"""A match that is split by position, as it is written, and the matches by attribute that stand for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.edits.own_lines import own_lines
from tdls.analysis.handles.matches import looked_in
from tdls.analysis.rules.transform.positional_match import positional_splits
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.syntax.tree import Form
from tdls.system.shared import cached_property
from tdls.text.diagnostic import TextEdit
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.rules.transform.positional_match import PositionalSplit
    from tdls.ide.actions.by_attribute.tags import NameTag
    from tdls.semantic.model import Operation, Value
    from tdls.text.span import FileSpan

_ASKS_FOR_ATTRIBUTES = "op_attrs"
"""What the attribute is called by which a match asks for attributes; it is spelled ``attributes``."""


@dataclass(frozen=True)
class WrittenSplit:
    """Such a match in a section."""

    context: Context
    split: PositionalSplit

    @property
    def results(self) -> tuple[Value, ...]:
        """The handles to the parts."""
        return self.split.operation.results

    @property
    def _makers(self) -> tuple[Operation, ...]:
        """The match, and the copies of its handle."""
        return (self.split.match, *self.split.copies)

    @cached_property
    def _keeps_match(self) -> bool:
        """True if something else uses what the match finds, so that it stays."""
        own = (*self._makers, self.split.operation)
        values = (value for maker in self._makers for value in maker.results)
        return any(user not in own for value in values for user in self.context.users.get(value, []))

    @cached_property
    def names(self) -> dict[str, str]:
        """What each result is called afterwards, by how it is written now: those of a group get names of their own."""
        taken = set(self.context.value_names)
        names: dict[str, str] = {}
        for value in self.results:
            name = value.name if value.number is None else f"{value.name}_{value.number}"
            while value.number is not None and name in taken:
                name += "_"
            taken.add(name)
            names[value.shown] = name
        return names

    @property
    def handles_that_go(self) -> list[FileSpan]:
        """Where handles are defined that nothing defines afterwards."""
        makers = () if self._keeps_match else self._makers
        return [self.context.to_file(value.span) for maker in makers for value in maker.results]

    def check(self) -> None:
        """Raise NotRewrittenError if it cannot be rewritten, whatever the payload is."""
        match = self.split.match
        definition = match.definition
        known = {attribute.name for attribute in definition.attributes} if definition is not None else set()
        if _ASKS_FOR_ATTRIBUTES not in known or match.syntax.form is not Form.EXACT or looked_in(match) is None:
            raise NotRewrittenError(f"`{match.name}`, as it is written here, cannot ask for attributes")
        if self.split.operation.syntax.result_types is None or match.syntax.operand_types is None:
            raise NotRewrittenError("the types of the handles are not known")

    def edits(self, tags: Sequence[NameTag]) -> Iterator[TextEdit]:
        """Yield what replaces it by matches for `tags`, one for each result, where the match stands."""
        text = self.context.section.text
        match = self.split.match
        start = text.rfind("\n", 0, match.span.start) + 1
        indent = text[start : match.span.start] if not text[start : match.span.start].strip() else ""
        matches = [self._match(number, tag) for number, tag in enumerate(tags)]
        kept = (text[match.span.start : match.span.end],) if self._keeps_match else ()
        yield TextEdit(self.context.to_file(match.span), f"\n{indent}".join((*kept, *matches)))
        copies = () if self._keeps_match else self.split.copies
        for operation in (*copies, self.split.operation):
            lines = own_lines(text, operation.span)
            yield TextEdit(self.context.to_file(lines or operation.span), "")
        for value in self.results:
            yield from self._renaming(value)

    def _renaming(self, value: Value) -> Iterator[TextEdit]:
        """Yield what renames uses of a result, if that has no name of its own yet."""
        for user in self.context.users.get(value, []) if value.number is not None else ():
            for operand, use in zip(user.operands, user.syntax.operands, strict=False):
                if operand is value:
                    yield TextEdit(self.context.to_file(use.span), self.names[value.shown])

    def _match(self, number: int, tag: NameTag) -> str:
        """Return the match for the result `number`; see `check`."""
        text, node = self.context.section.text, self.split.match.syntax
        types, operands = self.split.operation.syntax.result_types or (), node.operand_types or ()
        name = text[node.name_span.start : node.name_span.end]
        root = looked_in(self.split.match)
        shown, taken = (root.shown, operands[0]) if root is not None and operands else ("", None)
        given = taken.text if taken is not None else ""
        handle, type_ = self.names[self.results[number].shown], types[number].text
        return f"{handle} = {name} attributes {{{tag.text}}} in {shown} : ({given}) -> {type_}"


def split_at(file: SourceFile, offset: int) -> WrittenSplit | None:
    """Return what is split in the line of an offset, or matched there to be split."""
    if file.program is not None:
        return None
    context, line = file.context_at(offset), file.position(offset).line
    for split in positional_splits(context):
        for operation in (split.operation, split.match):
            place = context.to_file(Span(operation.span.start, operation.location.end))
            if file.position(place.start).line <= line <= file.position(place.end).line:
                return WrittenSplit(context, split)
    return None
