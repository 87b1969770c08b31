"""Runs scripts without a name: upstream's interpreter begins with named sequences only, so one is put around them.

An operation that may stand at the top level and has no operands is applied to the root of the payload wherever it
stands (`mapPossibleTopLevelTransformOpBlockArguments` of TransformInterfaces.cpp), so that nothing in it has to change.
Lines keep their numbers, and places in results are mapped back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tdls.interpreter.jobs.deferred import Deferred
from tdls.interpreter.output.denials import with_reasons
from tdls.interpreter.output.shown import bounded
from tdls.interpreter.placed_edits import Insertion, PlacedEdits
from tdls.interpreter.script import Script
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, WITH_NAMED_SEQUENCE, YIELD
from tdls.syntax.lexing.layout import first_code
from tdls.syntax.sections.sections import SectionKind
from tdls.syntax.tree import Form
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.jobs.backend import Backend
    from tdls.interpreter.model import HandleContents, PayloadItem, Place, RunDiagnostic, RunRequest, RunResult
    from tdls.semantic.model import Operation

    _Around: TypeAlias = tuple[list[Insertion], list[Insertion]]

WRAPPING_SEQUENCE = "__tdls_entry"
_MODULE = "builtin.module"
_SEQUENCE_BEGIN = f"{NAMED_SEQUENCE} @{WRAPPING_SEQUENCE}(%{WRAPPING_SEQUENCE}: !transform.any_op) {{ "
_SEQUENCE_END = f" {YIELD} }}"
_MODULE_BEGIN = f"module attributes {{{WITH_NAMED_SEQUENCE}}} {{ "
_MODULE_END = " }"
_ATTRIBUTES = re.compile(r"\battributes\s*\{(\s*\})?")
_NO_OPERATION = ("!", "#", "{")
"""What aliases and the resources at the end of a file begin with."""


class WrappingBackend:
    """A backend that runs scripts without a name with one that cannot."""

    def __init__(self, inner: Backend) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """What people call it."""
        return self._inner.name

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the backend itself does not start."""
        if request.operation is None:
            return self._carried_out(request)
        edits = PlacedEdits(request.script.text, insertions_around(request.script, request.operation))
        until = edits.edited_offset(request.until) if request.until is not None else None
        script = Script(request.script.name, edits.text, request.script.catalogue)
        wrapped = replace(request, script=script, entry_point=WRAPPING_SEQUENCE, operation=None, until=until)
        return _WayBack(script.name, edits).result(self._carried_out(wrapped))

    def _carried_out(self, request: RunRequest) -> RunResult:
        return bounded(with_reasons(self._inner.run(request)))

    def cancel(self) -> None:
        """End the run that another thread waits for."""
        self._inner.cancel()

    def close(self) -> None:
        """End all processes."""
        self._inner.close()


def insertions_around(script: Script, place: int) -> list[Insertion]:
    """Return what makes a named sequence of the operation whose name is at offset `place`; nothing if there is none.

    The module around it must say that it has named sequences. Where that cannot be written into it, the sequence gets a
    module of its own.
    """
    file = script.file
    context = file.context_at(place)
    operation = _operation_at(context, file.to_local(context, place))
    if operation is None:
        return []
    start, end = file.to_file(context, operation.span)
    parent = _parent(context, operation)
    around = _around_all(file) if parent is None else _mark(*parent)
    if around is None:
        around = [Insertion(start, _MODULE_BEGIN)], [Insertion(end, _MODULE_END)]
    before, behind = around
    return [*before, Insertion(start, _SEQUENCE_BEGIN), Insertion(end, _SEQUENCE_END), *behind]


def _operation_at(context: Context, place: int) -> Operation | None:
    return next((operation for operation in context.model.walk() if operation.location.start == place), None)


def _parent(context: Context, operation: Operation) -> tuple[Context, Operation] | None:
    """Return the operation around `operation` with the context of its places; None at the top level."""
    if operation.parent is not None:
        return context, operation.parent
    container = context.container
    return (container, container.model.operations[0]) if container is not None else None


def _mark(context: Context, module: Operation) -> _Around | None:
    """Return what lets a module have named sequences; None for other operations and for the generic form."""
    if module.name != _MODULE or module.syntax.form is Form.GENERIC or not module.regions:
        return None
    if module.syntax.attribute(WITH_NAMED_SEQUENCE) is not None:
        return [], []
    start, end = module.span.start, module.regions[0].syntax.start
    attributes = _ATTRIBUTES.search(context.section.text, start, end)
    if attributes is None:
        place, text = end, f"attributes {{{WITH_NAMED_SEQUENCE}}} "
    else:
        place = attributes.start() + attributes[0].index("{") + 1
        text = WITH_NAMED_SEQUENCE if attributes[1] else f"{WITH_NAMED_SEQUENCE}, "
    return [Insertion(context.file.to_file(context, Span(place, place)).start, text)], []


def _around_all(file: SourceFile) -> _Around | None:
    """Return what makes the module that a file has without saying so explicit; None if aliases are in the way."""
    contexts = [context for context in file.contexts if file.sections.pieces[context.index].frame is None]
    begins = [(context, begin) for context in contexts if (begin := first_code(context.section.text)) is not None]
    operations = [
        index
        for index, (context, begin) in enumerate(begins)
        if not context.section.text.startswith(_NO_OPERATION, begin.start)
    ]
    has_gaps = not operations or operations != list(range(operations[0], operations[-1] + 1))
    if has_gaps or any(_is_mixed(context) for context, _ in begins):
        return None
    (context, begin), (ending, _) = begins[operations[0]], begins[operations[-1]]
    if not ending.tree.members:
        return None
    start = file.to_file(context, Span(begin.start, begin.start)).start
    end = file.to_file(ending, ending.tree.members[-1].span).end
    return [Insertion(start, _MODULE_BEGIN)], [Insertion(end, _MODULE_END)]


def _is_mixed(context: Context) -> bool:
    """Tell whether a section holds aliases beside operations."""
    is_irregular = context.section.kind is SectionKind.IRREGULAR
    return is_irregular and any(member.alias is not None for member in context.tree.members)


class _WayBack:
    """Maps the places of a result to those of the request that was wrapped."""

    def __init__(self, name: str, edits: PlacedEdits) -> None:
        """`name` is that of the script."""
        self._name = name
        self._edits = edits

    def result(self, result: RunResult) -> RunResult:
        """Return `result` with places of the script as it was, and without the handle that was added."""
        handles = (self._handle(handle) for handle in result.handles)
        return replace(
            result,
            diagnostics=self._diagnostics(result.diagnostics),
            running=self._place(result.running),
            handles=tuple(handle for handle in handles if handle.start < handle.end),
            origins=Deferred(lambda: list(map(self._place, result.origins))),
        )

    def _diagnostics(self, diagnostics: tuple[RunDiagnostic, ...]) -> tuple[RunDiagnostic, ...]:
        return tuple(
            replace(
                diagnostic,
                column=self._column(diagnostic.file, diagnostic.line, diagnostic.column),
                notes=self._diagnostics(diagnostic.notes),
            )
            for diagnostic in diagnostics
        )

    def _place(self, place: Place | None) -> Place | None:
        return replace(place, column=self._column(place.file, place.line, place.column)) if place is not None else None

    def _handle(self, handle: HandleContents) -> HandleContents:
        moments = tuple(replace(moment, items=tuple(map(self._item, moment.items))) for moment in handle.moments)
        if handle.file != self._name:
            return replace(handle, moments=moments)
        start, end = (self._edits.original_offset(offset) for offset in (handle.start, handle.end))
        return replace(handle, start=start, end=end, moments=moments)

    def _item(self, item: PayloadItem) -> PayloadItem:
        return replace(item, place=self._place(item.place))

    def _column(self, file: str | None, line: int, column: int) -> int:
        return self._edits.original_column(line, column) if file == self._name else column
