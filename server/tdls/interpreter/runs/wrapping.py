"""Runs scripts without a named sequence: wraps one around them, as upstream's interpreter begins with those only.

An operation that may be at the top level and has no operands is applied to the payload's root at any depth
(`mapPossibleTopLevelTransformOpBlockArguments` of TransformInterfaces.cpp), so its text needs no change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.rules.transform.missing_with_named_sequence import mark_module
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, WITH_NAMED_SEQUENCE, YIELD
from tdls.structs import replace
from tdls.syntax.layout import first_code
from tdls.syntax.sections.sections import SectionKind
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.runs.model import RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Operation

    _Around: TypeAlias = tuple[list[Insertion], list[Insertion]]

WRAPPING_SEQUENCE = "__tdls_entry"
_MODULE = "builtin.module"
_SEQUENCE_BEGIN = f"{NAMED_SEQUENCE} @{WRAPPING_SEQUENCE}(%{WRAPPING_SEQUENCE}: !transform.any_op) {{ "
_SEQUENCE_END = f" {YIELD} }}"
_MODULE_BEGIN = f"module attributes {{{WITH_NAMED_SEQUENCE}}} {{ "
_MODULE_END = " }"
_NO_OPERATION = ("!", "#", "{")
"""First characters of aliases and of the resources at the end of a file."""


def wrapped(request: RunRequest) -> RunRequest:
    """Return `request` with a named sequence around its script, if it has none."""
    if request.operation is None:
        return request
    script = request.script.inserting(insertions_around(request.script, request.operation))
    return replace(request, script=script, entry_point=WRAPPING_SEQUENCE, operation=None)


def insertions_around(script: Script, place: int) -> list[Insertion]:
    """Return insertions that wrap the operation with its name at offset `place` in a named sequence; [] without one.

    The enclosing module must have the attribute ``transform.with_named_sequence``. Where that cannot be inserted, the
    sequence gets a module of its own.
    """
    file = script.file
    context = file.context_at(place)
    local = context.to_local(place)
    operation = next((operation for operation in context.model.walk() if operation.location.start == local), None)
    if operation is None:
        return []
    start, end = context.to_file(operation.span)
    parent = _parent(context, operation)
    around = _around_all(file) if parent is None else _mark(*parent)
    if around is None:
        around = [Insertion(start, _MODULE_BEGIN)], [Insertion(end, _MODULE_END)]
    before, behind = around
    return [*before, Insertion(start, _SEQUENCE_BEGIN), Insertion(end, _SEQUENCE_END), *behind]


def _parent(context: Context, operation: Operation) -> tuple[Context, Operation] | None:
    """Return the parent of `operation` with the context of its spans; None at the top level."""
    if operation.parent is not None:
        return context, operation.parent
    container = context.container
    return (container, container.model.operations[0]) if container is not None else None


def _mark(context: Context, module: Operation) -> _Around | None:
    """Return insertions that allow named sequences in a module; None for other operations and for the generic form."""
    if module.name != _MODULE:
        return None
    if module.has_attribute(WITH_NAMED_SEQUENCE):
        return [], []
    edit = mark_module(module, None, context.section.text)
    if edit is None or edit.span.start < edit.span.end:
        return None
    return [Insertion(context.to_file(edit.span).start, edit.new_text)], []


def _around_all(file: SourceFile) -> _Around | None:
    """Return insertions that spell out a file's implicit module, or None if aliases prevent it."""
    contexts = [context for context in file.contexts if file.sections.pieces[context.index].frame is None]
    begins = [(context, begin) for context in contexts if (begin := first_code(context.section.text)) is not None]
    operations = [
        index
        for index, (context, begin) in enumerate(begins)
        if not context.section.text.startswith(_NO_OPERATION, begin.start)
    ]
    has_gaps = not operations or operations != list(range(operations[0], operations[-1] + 1))
    irregular = (context.tree.members for context, _ in begins if context.section.kind is SectionKind.IRREGULAR)
    if has_gaps or any(member.alias is not None for members in irregular for member in members):
        return None  # aliases next to operations
    (context, begin), (ending, _) = begins[operations[0]], begins[operations[-1]]
    if not ending.tree.members:
        return None
    start = context.to_file(Span(begin.start, begin.start)).start
    end = ending.to_file(ending.tree.members[-1].span).end
    return [Insertion(start, _MODULE_BEGIN)], [Insertion(end, _MODULE_END)]
