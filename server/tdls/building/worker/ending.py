"""How a program ended, as a record of JSON: what it raised, and where."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from tdls.building.worker.program import NoEntryError
from tdls.building.worker.stacks import stack_of_traceback

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 4_000
"""Characters of a message."""
_MOST_CAUSES = 3


class TimeUpError(BaseException):
    """The time of the program is up."""


def problem_of(error: BaseException) -> dict[str, Any] | None:
    """Return what kept the program from its end, None if that is how it ends well."""
    if isinstance(error, NoEntryError):
        return {"kind": "no-entry", "message": str(error), "stack": [], "notes": []}
    stack = stack_of_traceback(error.__traceback__)
    if isinstance(error, SystemExit):
        return exit_problem(error.code, stack)
    kind = "out-of-memory" if isinstance(error, MemoryError) else "exception"
    notes = [{"message": f"{how}: {_words(cause)}", "stack": _stack(cause)} for how, cause in _causes(error)]
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return {"kind": kind, "message": _words(error), "stack": _stack(error), "notes": notes, "missing": missing}


def exit_problem(code: Any, stack: list[list[Any]]) -> dict[str, Any] | None:
    """Return that a program ended itself with `code`, as `sys.exit` takes it; None if that says that all is well."""
    if code is None or code == 0:
        return None
    how = f"with exit status {code}" if isinstance(code, int) else f"with the words: {_cut(str(code))}"
    return {"kind": "exit", "message": f"the program ended {how}", "stack": stack, "notes": []}


def _stack(error: BaseException) -> list[list[Any]]:
    """Return the calls that led to an exception; of a program that cannot be read, the place in it comes first."""
    stack = stack_of_traceback(error.__traceback__)
    if not isinstance(error, SyntaxError) or error.filename is None:
        return stack
    line, text = error.lineno or 1, error.text or ""
    column = len(text[: max((error.offset or 1) - 1, 0)].encode())
    end_line, end_offset = getattr(error, "end_lineno", None), getattr(error, "end_offset", None)
    if end_line != line or not end_offset or end_offset <= (error.offset or 1):
        return [[error.filename, "<module>", line, column, line, column + 1], *stack]
    end_column = len(text[: end_offset - 1].encode())
    return [[error.filename, "<module>", line, column, line, end_column], *stack]


def _words(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    return _cut("".join(traceback.format_exception_only(type(error), error)).strip())


def _causes(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    """Yield the exceptions that this one came of, and how."""
    for _ in range(_MOST_CAUSES):
        cause, context = error.__cause__, error.__context__
        if cause is not None:
            error = cause
            yield "caused by", error
        elif context is not None and not error.__suppress_context__:
            error = context
            yield "raised while this was handled", error
        else:
            return


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
