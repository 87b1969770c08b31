"""Why a handle stood for nothing in a run, as far as the run and the script tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.matches import names_asked
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.model import HandleContents
    from tdls.semantic.model import Operation, Value
    from tdls.text.span import FileSpan

_MOST_NAMES = 3


def is_empty(handle: HandleContents) -> bool:
    """Tell whether a handle to operations was reached, and never stood for any."""
    is_of_operations = handle.kind is HandleKind.OPERATIONS
    return is_of_operations and bool(handle.moments) and not any(moment.count for moment in handle.moments)


def why_empty(file: SourceFile, span: FileSpan, known: Mapping[FileSpan, Sequence[HandleContents]]) -> str:
    """Return why the handle that is defined at `span` was empty, "" if that is not known.

    `known` is what the handles of the file stood for, by the places where they are defined.
    """
    context = file.context_at(span.start)
    operation = _defining(context, span)
    if operation is None:
        return ""
    operands = [(value, _contents(context, value, known)) for value in operation.operands if value is not None]
    for value, contents in operands:
        if contents is not None and is_empty(contents):
            return f"`{value.shown}` was empty already"
    looked_at = ((value, it) for value, it in operands if it is not None and it.moments)
    found = next(looked_at, None)
    if found is None or found[1].kind is not HandleKind.OPERATIONS:
        return ""
    value, contents = found
    held = f"what `{value.shown}` stood for{_shown(contents)}"
    names = names_asked(operation)
    if names:
        return f"there was no {' or '.join(f'`{name}`' for name in sorted(names))} in {held}"
    return f"`{operation.name}` had nothing for it, given {held}"


def _defining(context: Context, span: FileSpan) -> Operation | None:
    operations = context.model.walk()
    return next((it for it in operations if any(_place(context, result) == span for result in it.results)), None)


def _contents(
    context: Context, value: Value, known: Mapping[FileSpan, Sequence[HandleContents]]
) -> HandleContents | None:
    """Return what one value stood for, which may be a result of a group."""
    handles = known.get(_place(context, value), ())
    if len(handles) == 1:
        return handles[0]
    return next((handle for handle in handles if value.shown.endswith(f"#{handle.number}")), None)


def _place(context: Context, value: Value) -> FileSpan:
    return context.to_file(value.span)


def _shown(contents: HandleContents) -> str:
    """Return in brackets what a handle stood for at all moments; "" if that differs."""
    first = contents.moments[0].names
    if any(moment.names != first for moment in contents.moments) or not 0 < len(first) <= _MOST_NAMES:
        return ""
    return f" ({', '.join(f'{count} x {name}' for name, count in first.items())})"
