"""The modules with scripts that a program builds, kept until they can be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULE = "builtin.module"
_SCRIPT_DIALECT = "transform."
_MOST_MODULES = 200
"""How many modules with scripts are told."""
_MOST_HELD = 2_000
"""Of more modules than that, those go which have no script by then."""
_ERROR = "ERROR"
"""The severity that makes a module invalid."""
_PRINTED_OPERATION = "see current operation"
"""How a note begins that has nothing but the operation, as it is printed."""
_ELEMENTS = 32
"""Constants of more elements are printed without them: nothing that is said of a script rests on them."""


class _Held(NamedTuple):
    """A module, or the outermost operation around a script without one."""

    operation: Any
    told: set[tuple[tuple[str, str], ...]]
    """The scripts that it had when it was printed."""


class Collected:
    """Takes what a program makes, and prints what of it has scripts.

    A module counts as it is at the end of the program. One that is handed to a pass or an interpreter counts as it is
    before that, since it may come back without the payload that its script was for; if it has other scripts later, it
    counts once more.
    """

    def __init__(self) -> None:
        self.left_out = 0
        """How many modules with scripts were not printed, since there were too many."""
        self._held: list[_Held] = []
        self._printed: list[dict[str, Any]] = []

    def hold(self, operation: Any) -> None:
        """Keep an operation that may become one with a script."""
        if len(self._held) >= _MOST_HELD:
            self._held = [held for held in self._held if held.told or _has_scripts(held)]
        self._held.append(_Held(operation, set()))

    def about_to_change(self, operation: Any) -> None:
        """Print the module around `operation` as it is, if it has scripts."""
        root = _root(operation)
        held = next((held for held in self._held if _is_alive(held) and _root(held.operation) == root), None)
        if held is None:
            self.hold(root)
            held = self._held[-1]
        self._print(root, held.told, is_complete=True)

    def modules(self, *, is_complete: bool) -> list[dict[str, Any]]:
        """Return what is known of each module with scripts, in the order in which they were printed.

        Unless that `is_complete`, the program ended in the midst of building: what is printed need not verify.
        """
        roots: list[Any] = []
        for held in filter(_is_alive, self._held):
            root = _root(held.operation)
            if not any(root == other for other in roots):
                roots.append(root)
                self._print(root, held.told, is_complete=is_complete)
        return self._printed

    def _print(self, root: Any, told: set[tuple[tuple[str, str], ...]], *, is_complete: bool) -> None:
        signature = tuple((each.name, str(each.location)) for each in _scripts(root))
        if not signature or signature in told:
            return
        told.add(signature)
        if len(self._printed) >= _MOST_MODULES:
            self.left_out += 1
            return
        printed = _printed(root, is_complete=is_complete)
        if printed not in self._printed:
            self._printed.append(printed)


def _is_alive(held: _Held) -> bool:
    """Tell whether the program has not erased it."""
    try:
        return bool(held.operation.name)
    except Exception:  # what bindings raise for that differs
        return False


def _has_scripts(held: _Held) -> bool:
    return _is_alive(held) and any(_scripts(held.operation))


def _root(operation: Any) -> Any:
    """Return the outermost operation around `operation`."""
    while True:
        try:
            parent = operation.parent
        except ValueError:  # how older bindings say that there is none
            return operation
        if parent is None:
            return operation
        operation = parent.operation


def _scripts(operation: Any) -> Iterator[Any]:
    """Yield the transform operations in modules in `operation`, itself included, and those in them."""
    is_script = operation.name.startswith(_SCRIPT_DIALECT)
    if is_script:
        yield operation
    elif operation.name != _MODULE:
        return
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                yield from _scripts(inner.operation)


def _printed(root: Any, *, is_complete: bool) -> dict[str, Any]:
    """Return what MLIR prints of `root`, without and with locations, and what its verifier says of it."""
    flags = {"large_elements_limit": _ELEMENTS, "print_generic_op_form": not is_complete}
    diagnostics = _refusals(root) if is_complete else []
    text = root.get_asm(**flags)
    return {"text": text, "located": root.get_asm(enable_debug_info=True, **flags), "diagnostics": diagnostics}


def _refusals(root: Any) -> list[dict[str, Any]]:
    """Return the errors of MLIR's verifier."""
    seen: list[Any] = []

    def take(diagnostic: Any) -> bool:
        if str(diagnostic.severity).endswith(_ERROR):
            seen.append(_said(diagnostic))
        return True

    handler = root.context.attach_diagnostic_handler(take)
    try:
        is_valid = root.verify()
    except Exception as error:  # MLIRError of newer bindings
        is_valid = False
        seen += map(_said, getattr(error, "error_diagnostics", ()))
    finally:
        handler.detach()
    if is_valid:
        return []
    return seen or [{"message": "it does not verify", "location": str(root.location), "notes": []}]


def _said(diagnostic: Any) -> dict[str, Any]:
    notes = [_said(note) for note in diagnostic.notes if not str(note.message).startswith(_PRINTED_OPERATION)]
    return {"message": str(diagnostic.message).strip(), "location": str(diagnostic.location), "notes": notes}
