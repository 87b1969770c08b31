"""Brings scripts to a later revision of a project's own operations.

Definitions of both revisions are compared. An operation with another form gets that form if it takes the same
arguments. For an operation that is gone, a new one that takes the same arguments is proposed, if there is exactly one.
Everything else is left, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.analysis.checking.file_findings import certain_in_program
from tdls.analysis.edits import name_of
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, placed
from tdls.analysis.respelling import default_dialect
from tdls.catalogue.model import Arity
from tdls.catalogue.source import MemorySource, NamedDefinition, all_definitions
from tdls.settings.keys import OLDER_LLVM_VERSIONS, version_named
from tdls.structs import Struct, replace
from tdls.syntax import scanner
from tdls.syntax.parser.parser import Parser
from tdls.syntax.parser.respelling import NotRespelledError, respelled
from tdls.syntax.tree import Form
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.source import Table
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.semantic.model import Operation
    from tdls.syntax import tree
    from tdls.text.diagnostic import Diagnostic

_D = TypeVar("_D", bound=NamedDefinition)
RULE = "project-migration"
"""Name of the findings."""
_FORMER = (OLDER_LLVM_VERSIONS[-1] + 1,)
"""The versions that former definitions get, which the target of the catalogue that reads results is not among."""


class Change(Struct, frozen=True):
    """A definition of the first revision that differs from that of the second.

    `after` is None if nothing replaces it. It is `proposed` if it has another name, and only the arguments tell that it
    is the same operation.
    """

    before: OperationDefinition
    after: OperationDefinition | None
    proposed: bool = False

    @property
    def is_renamed(self) -> bool:
        """True if the operation has another name."""
        return self.after is not None and self.after.name != self.before.name

    @property
    def changes_calls(self) -> bool:
        """True if calls that build the operation have to change, too: for its name or its arguments."""
        return self.after is None or self.is_renamed or _arguments(self.before) != _arguments(self.after)

    @property
    def in_words(self) -> str:
        """The change, without the former name."""
        if self.after is None:
            return "it is gone, and no new operation takes the same arguments"
        if self.proposed:
            return f"it is gone; `{self.after.name}` is new and takes the same arguments"
        return f"it is now `{self.after.name}`" if self.is_renamed else "it takes other arguments"


def changes_between(before: ProjectCatalogue, after: ProjectCatalogue) -> dict[str, Change]:
    """Return the changed operations by their former names."""
    former, present = _own(before), _own(after)
    found: dict[str, Change] = {}
    gone: list[OperationDefinition] = []
    for name, definition in former.items():
        rename = after.renamed(name)
        if name in present:
            if _form(definition) != _form(present[name]):
                found[name] = Change(definition, present[name])
        elif rename is not None and rename.name in present:
            found[name] = Change(definition, present[rename.name])
        else:
            gone.append(definition)
    new = [definition for name, definition in present.items() if name not in former]
    for definition in gone:
        alike = [other for other in new if _arguments(other) == _arguments(definition)]
        rivals = [other for other in gone if _arguments(other) == _arguments(definition)]
        is_only_one = len(alike) == 1 and len(rivals) == 1
        found[definition.name] = Change(definition, alike[0] if is_only_one else None, proposed=is_only_one)
    return found


def _own(project: ProjectCatalogue) -> dict[str, OperationDefinition]:
    """Return the definition that counts for each name."""
    table = project.operations
    return {name: table.variants(name)[0] for dialect in table.dialects() for name in table.names(dialect)}


def _arguments(definition: OperationDefinition) -> tuple[object, ...]:
    """Return the parts that an operation shares with one that replaces it: all but name, form and documentation."""
    return (
        [(operand.name, operand.constraint, operand.arity, operand.effect) for operand in definition.operands],
        [(result.name, result.constraint, result.arity, result.effect) for result in definition.results],
        {(each.name, each.constraint, each.optional, each.default, each.cases) for each in definition.attributes},
        [(region.name, region.variadic) for region in definition.regions],
        [(successor.name, successor.variadic) for successor in definition.successors],
    )


def _form(definition: OperationDefinition) -> tuple[object, ...]:
    written = (definition.assembly_format or "").split()
    return (_arguments(definition), written, definition.custom_assembly, definition.format_known)


class ProjectMigration:
    """Migrates scripts from the definitions `before` to those `after`, two revisions of one project."""

    def __init__(self, before: ProjectCatalogue, after: ProjectCatalogue, others: Catalogue) -> None:
        """`others` is the catalogue without the project."""
        self.changes = changes_between(before, after)
        marked = {name: replace(change.before, versions=_FORMER) for name, change in self.changes.items()}
        present = list(all_definitions(after.operations))
        kinds = [*all_definitions(after.types), *_missing(before.types, after.types)]
        attributes = [*all_definitions(after.attribute_kinds), *_missing(before.attribute_kinds, after.attribute_kinds)]
        self.reading = others.with_source(MemorySource("the project", [*marked.values(), *present], kinds, attributes))
        """The catalogue for scripts: text in both forms of an operation has the former one."""
        self._writing = others.with_source(
            MemorySource("the project", [*present, *marked.values()], kinds, attributes)
        ).at(version_named("main"))
        self._former = marked

    def findings(self, file: SourceFile) -> list[Diagnostic]:
        """Return the operations of a file, read with `reading`, that changed, with fixes where they can be migrated."""
        found = [
            placed(context, finding)
            for context in file.contexts
            for operation in context.model.walk()
            if operation.name in self.changes and (finding := self._finding(context, operation)) is not None
        ]
        return certain_in_program(file, file.program, found) if file.program is not None else found

    def _finding(self, context: Context, operation: Operation) -> Finding | None:
        change = self.changes[operation.name]
        former = self._former[operation.name]
        after = change.after
        if after is None or change.is_renamed:
            message = f"`{operation.name}`: {change.in_words}"
        else:
            message = f"`{operation.name}` has another form"
        if after is None:
            return _left(operation, message)
        edits: tuple[SectionEdit, ...]
        definition, form = operation.definition, operation.syntax.form
        if form is Form.EXACT and not change.is_renamed and definition is not None and definition.versions != _FORMER:
            return None
        is_read = form in (Form.EXACT, Form.GENERIC)
        if not is_read and not (change.is_renamed and former.custom_assembly and after.custom_assembly):
            return _left(operation, f"{message}, and its text is not understood")
        difference = _difference(operation.syntax, former, after)
        if difference is None and form is Form.GENERIC and not _has_same_groups(former, after):
            difference = "its groups of operands differ"
        if difference is not None:
            return _left(operation, f"{message}: {difference}")
        try:
            if form is Form.EXACT:
                edits = self._edits(context, operation, former, after)
            else:
                edits = (_name_edit(context, operation, after),) if change.is_renamed else ()
        except NotRespelledError as reason:
            return _left(operation, f"{message}: {reason}")
        if not edits:
            return None
        title = f"Write as `{after.name}`" if change.is_renamed else "Write in the present form"
        fix = SectionFix(title, edits, safe=is_read and not change.proposed)
        return Finding(RULE, Level.WARNING, message, operation.location, fixes=(fix,))

    def _edits(
        self, context: Context, operation: Operation, former: OperationDefinition, after: OperationDefinition
    ) -> tuple[SectionEdit, ...]:
        """Return the edits that write an operation in the form of `after`. Raises NotRespelledError."""
        start, end = operation.syntax.span
        text, dialect = context.section.text[start:end], default_dialect(context, operation)
        edits: list[SectionEdit] = []
        longer = 0
        if former.name != after.name:
            edit = _name_edit(context, operation, after)
            edits.append(edit)
            longer = len(edit.new_text) - (edit.span.end - edit.span.start)
            text = text[: edit.span.start - start] + edit.new_text + text[edit.span.end - start :]
        elif self._reads_the_same(text, dialect, operation):
            return ()
        types = [value.type if value is not None else None for value in operation.operands]
        replacements = respelled(text, dialect, former, after, self._writing, types, context.section.text)
        edits += (
            SectionEdit(Span(start + span.start - longer, start + span.end - longer), new) for span, new in replacements
        )
        return tuple(edits)

    def _reads_the_same(self, text: str, dialect: str, operation: Operation) -> bool:
        """Return whether the present form reads the same from the text. Raises NotRespelledError if it reads others."""
        parser = Parser(scanner.scan(text), self._writing, dialect)
        node = parser.read_operation()
        definition = node.definition if node is not None else None
        if node is None or node.form is not Form.EXACT or definition is None or definition.versions == _FORMER:
            return False
        if parser.problems or node.broken or parser.index != parser.limit:
            return False
        if _parts(node) != _parts(operation.syntax):
            raise NotRespelledError(
                "the present form reads the same text in another way, so it may be migrated already"
            )
        return True


def _missing(before: Table[_D], after: Table[_D]) -> list[_D]:
    known = {definition.name for definition in all_definitions(after)}
    return [definition for definition in all_definitions(before) if definition.name not in known]


def _has_same_groups(former: OperationDefinition, after: OperationDefinition) -> bool:
    return [(each.name, each.arity) for each in former.operands] == [(each.name, each.arity) for each in after.operands]


def _left(operation: Operation, message: str) -> Finding:
    return Finding(RULE, Level.WARNING, message, operation.location)


def _name_edit(context: Context, operation: Operation, after: OperationDefinition) -> SectionEdit:
    """Return the edit of the name; a name without its dialect stays so. Raises NotRespelledError."""
    span = name_of(operation)
    written = context.section.text[span.start : span.end]
    if written == operation.name:
        return SectionEdit(span, after.name)
    elided = operation.name.removesuffix(written)
    if not after.name.startswith(elided):
        raise NotRespelledError("it is written without its dialect, which is another one now")
    return SectionEdit(span, after.name.removeprefix(elided))


def _parts(node: tree.Operation) -> tuple[object, ...]:
    operands = [(use.name, use.number) for use in node.operands]
    groups = {name: (start, end) for name, (start, end) in (node.operand_groups or {}).items() if start < end}
    return operands, groups, {attribute.name: attribute.value for attribute in node.attributes}


def _difference(node: tree.Operation, before: OperationDefinition, after: OperationDefinition) -> str | None:
    """Return the part of its meaning that an operation would lose as one of `after`, in words; None if it keeps all."""
    used = {attribute.name for attribute in node.attributes}
    used |= {name for name, (start, end) in (node.operand_groups or {}).items() if start < end}
    operands = {operand.name: operand for operand in after.operands}
    for operand in before.operands:
        present = operands.pop(operand.name, None)
        is_used = operand.name in used or node.operand_groups is None
        if is_used and present is None:
            return f"it has no operand `{operand.name}` any more"
        if is_used and present is not None and present.effect is not operand.effect:
            return f"it {operand.effect.value} `{operand.name}` before, and {present.effect.value} it now"
    results = [(result.name, result.arity, result.effect) for result in before.results]
    if results != [(result.name, result.arity, result.effect) for result in after.results]:
        return "its results are others"
    attributes = {attribute.name: attribute for attribute in after.attributes}
    for attribute in before.attributes:
        kept = attributes.pop(attribute.name, None)
        if kept is None and attribute.name in used:
            return f"it has no attribute `{attribute.name}` any more"
        if kept is not None and attribute.name not in used and kept.default != attribute.default:
            return f"the default of `{attribute.name}` was {attribute.default} and is {kept.default}"
    needed = [operand.name for operand in operands.values() if operand.arity is Arity.ONE]
    needed += [each.name for each in attributes.values() if not each.optional and each.default is None]
    if needed:
        return f"it needs `{needed[0]}`, too"
    return "it has other regions" if len(before.regions) != len(after.regions) else None
