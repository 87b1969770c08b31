"""What is known of a call in a program that made operations of a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.hover.describe.value import consumers
from tdls.ide.hover.hover import Hover
from tdls.ide.markdown.pieces import code, code_block, paragraphs, section
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.handle_contents import description
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.model import operation_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.programs.built_script import BuiltOperation, BuiltScript
    from tdls.ide.programs.built_scripts import BuiltScripts
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation, Value

_MOST = 3
"""Operations of a call of which more is said than how many there are: loops and helpers make many."""


def program_hover(snapshot: Snapshot, scripts: BuiltScripts, uri: str, offset: int) -> Hover | None:
    """Return what the call at an offset of a program made when its script was built; None if it made nothing."""
    file = snapshot.file(uri)
    made = scripts.made_at(uri, file, offset) if file is not None else None
    if file is None or made is None:
        return None
    place = made.script.now(made.call, file)
    if place is None:
        return None
    told = _Told(snapshot, made.script, uri)
    texts = [text for operation in made.operations[:_MOST] if (text := told.of(operation))]
    more = len(made.operations) - len(texts)
    return Hover(place.span, paragraphs(*texts, _in_last_run(snapshot, uri, place.span.start), _others(more)))


def _others(number: int) -> str:
    if number <= 0:
        return ""
    return f"This call made {number} more operation{'' if number == 1 else 's'}."


def _in_last_run(snapshot: Snapshot, uri: str, start: int) -> str:
    mark = snapshot.marks.get(uri, RunMarks()).handle_at(start)
    return description(mark) if mark is not None else ""


class _Told(NamedTuple):
    """Tells of operations of a script, for readers of the program `uri`."""

    snapshot: Snapshot
    script: BuiltScript
    uri: str

    def of(self, built: BuiltOperation) -> str:
        """Return Markdown about an operation and what becomes of its results."""
        context = self.script.file.context_at(built.offset)
        operation = operation_at(context.model, context.to_local(built.offset))
        if operation is None:
            return ""
        line = self.script.file.line_text(self.script.file.position(built.offset).line).strip()
        return paragraphs(code_block(line), section("Results", self._results(context, operation)))

    def _results(self, context: Context, operation: Operation) -> Iterator[str]:
        for value in operation.results:
            yield f"{code(value.shown)}: {code(value.type or 'a value')}{self._fate(context, value)}"

    def _fate(self, context: Context, value: Value) -> str:
        if kind_of(context.file.catalogue, value.type) not in (HandleKind.OPERATIONS, HandleKind.VALUES):
            return ""
        consuming = consumers(context, value)
        if not consuming:
            return ", live to the end: nothing that is known consumes it"
        steps = (f"{code(step.name)}{self._place(context, step)}" for step in consuming)
        return f", consumed by {', '.join(steps)}"

    def _place(self, context: Context, operation: Operation) -> str:
        """Return where an operation was made, in brackets."""
        call = next(iter(self.script.calls_of(context.to_file(operation.span).start)), None)
        if call is None:
            return ""
        present = self.snapshot.file(call.uri) or self.script.programs[call.uri]
        moved = self.script.now(call, present)
        if moved is None:
            return ""
        line = present.position(moved.span.start).line + 1
        file = "" if moved.uri == self.uri else f"{self.script.path_of(call).name} "
        return f" ([{file}line {line}]({moved.uri}#L{line}))"
