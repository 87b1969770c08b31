"""Keeps the modules with scripts that a program builds until they can be printed; reads their calls and passes."""

from __future__ import annotations

import importlib
import os
import re
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.output.taken_diagnostics import bindings_text
from tdls.python_builders.worker.registered import RegisteredOperations
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType, FrameType, TracebackType


_OWN = (str(Path(__file__).parents[2]) + os.sep, "<frozen ")
"""Prefixes of the names of tdls's own files and of Python's import system."""
_MOST_FRAMES = 100
_UNIT = 2
"""Bytes of an instruction; Python has one place for each instruction."""


def stack_of_frame(frame: FrameType | None) -> list[list[Any]]:
    """Return the calls that led to `frame`, innermost first, each as the fields of a `Frame`, without tdls's own."""
    return list(islice(_frames(frame), _MOST_FRAMES))


def stack_of_traceback(traceback: TracebackType | None) -> list[list[Any]]:
    """Return the calls that led to the raise of an exception, innermost first, as `stack_of_frame` does."""
    calls: list[list[Any]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not _is_own(code):
            calls.append(_call(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    return calls[::-1][:_MOST_FRAMES]


def first_line(function: Any) -> list[Any] | None:
    """Return the first line of a function of Python, as the fields of a `Frame`, or None for other callables."""
    code = getattr(_innermost(function), "__code__", None)
    return [code.co_filename, _name(code), code.co_firstlineno, 0, 0, 0] if code is not None else None


def own_location(ir: Any, context: Any) -> Any:
    """Return the current calls as a location of MLIR."""
    calls = [_location(ir, context, call) for call in stack_of_frame(sys._getframe())]
    if not calls:
        return ir.Location.unknown(context)
    return ir.Location.callsite(calls[0], calls[1:], context) if len(calls) > 1 else calls[0]


def _location(ir: Any, context: Any, call: list[Any]) -> Any:
    file, name, line, column, end_line, end_column = call
    place = (file, line, column, end_line, end_column) if end_line else (file, line, column)
    return ir.Location.name(name, ir.Location.file(*place, context), context)


def _frames(frame: FrameType | None) -> Iterator[list[Any]]:
    while frame is not None:
        if not _is_own(frame.f_code):
            yield _call(frame.f_code, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back


def _call(code: CodeType, instruction: int, line: int | None) -> list[Any]:
    places = getattr(code, "co_positions", None)
    if places is not None and instruction >= 0:
        start, end, column, end_column = next(islice(places(), instruction // _UNIT, None), (None,) * 4)
        if start is not None and end is not None and column is not None and end_column is not None:
            return [code.co_filename, _name(code), start, column, end, end_column]
    return [code.co_filename, _name(code), line or 0, 0, 0, 0]


def _name(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)


def _is_own(code: CodeType) -> bool:
    return code.co_filename.startswith(_OWN)


def _innermost(function: Any) -> Any:
    """Return the function behind wrappers and partial applications."""
    for _ in range(_MOST_FRAMES):
        inner = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
        if inner is None:
            break
        function = inner
    return function


_MODULE = "builtin.module"
_SCRIPT_DIALECT = "transform."
_MOST_MODULES = 200
"""Maximum number of modules with scripts to report."""
_MOST_HELD = 2_000
"""Number of held operations from which on those without a script are dropped."""
_ERROR = "ERROR"
"""The severity that makes a module invalid."""
_PRINTED_OPERATION = "see current operation"
"""Beginning of notes that contain only the printed operation."""
_ELEMENTS = 32
"""Constants of more elements are printed without them: no finding in a script depends on them."""


class _Held(NamedTuple):
    """A module, or the outermost operation around a script without one."""

    operation: Any
    printed: set[tuple[tuple[str, str], ...]]
    """The scripts in it when it was printed, by the names and locations of their operations."""


class Collected:
    """Takes the operations that a program makes, and prints the modules with scripts.

    A module is printed as it is at the end of the program. One that is passed to a pass manager or an interpreter is
    printed before that, since the pass may remove the payload that its script was for; it is printed once more if it
    has other scripts later.
    """

    def __init__(self) -> None:
        self.registered = RegisteredOperations()
        self.passes = RegisteredPasses()
        self.operations: list[dict[str, Any]] = []
        """The answers of operations that are defined in Python, each once."""
        self.is_finished = False
        """True if the program ended early, but not before its scripts were complete."""
        self.unloaded: set[str] = set()
        """Dialects of operations in scripts that were not loaded in the context."""
        self.left_out = 0
        """The number of modules that are not printed, since there were too many before."""
        self._lost: dict[tuple[str, str], list[dict[str, Any]]] = {}
        """Diagnostics on attributes that the bindings dropped, by the name and location of the operation."""
        self._held: list[_Held] = []
        self._printed: list[dict[str, Any]] = []

    def clear(self) -> None:
        """Forget all operations."""
        self._held, self._printed = [], []
        self.operations = []

    def hold(self, operation: Any) -> None:
        """Keep an operation that has a script or may get one."""
        if len(self._held) >= _MOST_HELD:
            self._held = [
                held for held in self._held if held.printed or (_is_alive(held) and any(_scripts(held.operation)))
            ]
        self._held.append(_Held(operation, set()))

    def lose(self, operation: Any, names: Sequence[str]) -> None:
        """Note attributes that an operation was created with and does not have: MLIR takes no value of that kind."""
        location = str(operation.location) if names else ""
        for name in names:
            message = f"`{operation.name}` is created without the attribute `{name}`: MLIR drops a value of that kind"
            lost = self._lost.setdefault((operation.name, location), [])
            lost.append({"message": message, "location": location, "notes": []})

    def about_to_change(self, operation: Any) -> None:
        """Print the module around `operation` as it is, if it has scripts."""
        root = root_of(operation)
        held = next((held for held in self._held if _is_alive(held) and root_of(held.operation) == root), None)
        if held is None:
            self.hold(root)
            held = self._held[-1]
        self._print(root, held.printed, is_complete=True)

    def modules(self, *, is_complete: bool) -> list[dict[str, Any]]:
        """Return the text, locations and verifier's diagnostics of each module with scripts, in the order of printing.

        Unless `is_complete`, the program ended early: modules may be unfinished; they are verified if all are valid.
        """
        roots: list[tuple[Any, _Held]] = []
        for held in filter(_is_alive, self._held):
            root = root_of(held.operation)
            if any(_scripts(root)) and not any(root == other for other, _ in roots):
                roots.append((root, held))
        if not is_complete:
            can_ask = not any(answer["problem"] for root, _ in roots for answer in self._answers(root))
            self.is_finished = is_complete = bool(roots) and can_ask and not any(_refusals(root) for root, _ in roots)
        for root, held in roots:
            self._print(root, held.printed, is_complete=is_complete)
        return self._printed

    def _answers(self, root: Any) -> list[dict[str, Any]]:
        return [answer for each in _in_scripts(root) if (answer := self.registered.answer(each)) is not None]

    def _print(self, root: Any, signatures: set[tuple[tuple[str, str], ...]], *, is_complete: bool) -> None:
        signature = tuple((each.name, str(each.location)) for each in _scripts(root))
        if not signature or signature in signatures:
            return
        signatures.add(signature)
        if len(self._printed) >= _MOST_MODULES:
            self.left_out += 1
            return
        answers = self._answers(root)
        can_verify = not any(answer["problem"] for answer in answers)  # else the verifier, which asks, too, would crash
        dialects = {each.name.partition(".")[0] for each in _in_scripts(root)}
        self.unloaded |= {name for name in dialects if not root.context.is_dialect_loaded(name)}
        printed = _printed(root, is_complete=is_complete and can_verify)
        if is_complete and can_verify and not printed["diagnostics"]:
            native = (self.registered.native_answer(each) for each in _in_scripts(root))
            answers += [answer for answer in native if answer is not None]
        for answer in answers:
            if answer not in self.operations:
                self.operations.append(answer)
        refusals = (self.passes.refusal(each) for each in _in_scripts(root))
        printed["diagnostics"] += [refusal for refusal in refusals if refusal is not None]
        for each in _in_scripts(root):
            printed["diagnostics"] += self._lost.get((each.name, str(each.location)), ())
        if printed not in self._printed:
            self._printed.append(printed)


def _is_alive(held: _Held) -> bool:
    """Return whether the program has not erased the operation."""
    try:
        return bool(held.operation.name)
    except Exception:  # versions of the bindings raise different ones
        return False


def root_of(operation: Any) -> Any:
    """Return the outermost operation around `operation`."""
    while True:
        try:
            parent = operation.parent
        except ValueError:  # older bindings raise this where there is no parent
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


def _in_scripts(operation: Any, *, inside: bool = False) -> Iterator[Any]:
    """Yield all operations, of any dialect, that are in transform operations."""
    inside = inside or operation.name.startswith(_SCRIPT_DIALECT)
    if not inside and operation.name != _MODULE:
        return
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                if inside:
                    yield inner.operation
                yield from _in_scripts(inner.operation, inside=inside)


def _printed(root: Any, *, is_complete: bool) -> dict[str, Any]:
    """Return the text of `root`, without and with locations, and its verifier's diagnostics."""
    flags = {"large_elements_limit": _ELEMENTS, "print_generic_op_form": not is_complete}
    diagnostics = _refusals(root) if is_complete else []
    text = root.get_asm(**flags)
    return {"text": text, "located": root.get_asm(enable_debug_info=True, **flags), "diagnostics": diagnostics}


def _refusals(root: Any) -> list[dict[str, Any]]:
    seen: list[Any] = []

    def take(diagnostic: Any) -> bool:
        if str(diagnostic.severity).endswith(_ERROR):
            seen.append(diagnostic_fields(diagnostic))
        return True

    handler = root.context.attach_diagnostic_handler(take)
    try:
        is_valid = root.verify()
    except Exception as error:  # MLIRError of newer bindings
        is_valid = False
        seen += map(diagnostic_fields, getattr(error, "error_diagnostics", ()))
    finally:
        handler.detach()
    if is_valid:
        return []
    return seen or [{"message": "it does not verify", "location": str(root.location), "notes": []}]


def diagnostic_fields(diagnostic: Any) -> dict[str, Any]:
    """Return a diagnostic of MLIR, with its notes, as the fields of a report."""
    message, location = bindings_text(diagnostic, "message"), bindings_text(diagnostic, "location")
    notes = [diagnostic_fields(note) for note in diagnostic.notes]
    notes = [note for note in notes if not is_printed_operation(note["message"])]
    return {"message": message.strip(), "location": location, "notes": notes}


def is_printed_operation(note: str) -> bool:
    """Return whether a note of MLIR contains only the printed operation."""
    return note.startswith(_PRINTED_OPERATION)


_OPTIONS = "options"
_PASS = re.compile(r"[\w-]{1,200}")
_PLAIN = re.compile(r"[\w.-]{1,200}")
"""Values of options that mean the same in the text of a pipeline."""
_PARSER = "<Pass-Options-Parser>: "
"""Beginning of messages about options."""
_MOST_ASKED = 200
"""Maximum number of passes with options that the worker looks up."""


class RegisteredPasses:
    """Finds the reasons why MLIR does not create the passes that operations name."""

    def __init__(self) -> None:
        self._bindings = ""
        """The module ``ir`` of the bindings by its name, "" before its import."""
        self._known: dict[str, str] = {}
        """Why pipelines are not created, "" for those that are."""

    def watch_operations(self, ir: Any) -> None:
        """Ask the bindings of the module `ir` from now on."""
        self._bindings = ir.__name__

    def refusal(self, operation: Any) -> dict[str, Any] | None:
        """Return a diagnostic, as the fields of a report, on the options of the pass that `operation` applies."""
        if operation.name != APPLY_REGISTERED_PASS or not self._bindings or _OPTIONS not in operation.attributes:
            return None
        name = str(operation.attributes[PASS_NAME].value)
        options = list(_written(operation.attributes[_OPTIONS]))
        if not _PASS.fullmatch(name) or not options or None in options:
            return None
        context = operation.context
        if self._problem(f"any({name})", context):
            return None
        problem = self._problem(f"any({name}{{{' '.join(map(str, options))}}})", context)
        message = f"MLIR does not create the pass `{name}`: {problem}"
        return {"message": message, "location": str(operation.location), "notes": []} if problem else None

    def _problem(self, pipeline: str, context: Any) -> str:
        """Return the first line of MLIR's message about a pipeline."""
        if pipeline not in self._known and len(self._known) < _MOST_ASKED:
            manager = importlib.import_module(".passmanager", self._bindings.rpartition(".")[0]).PassManager
            self._known[pipeline] = ""
            try:
                manager.parse(pipeline, context)
            except Exception as error:  # versions of the bindings raise different ones
                self._known[pipeline] = str(error).strip().split("\n", 1)[0].removeprefix(_PARSER)
        return self._known.get(pipeline, "")


def _written(options: Any) -> Iterator[str | None]:
    """Yield options as the text of a pipeline has them; None for values that parameters give, or that need quotes."""
    if type(options).__name__ != "DictAttr":  # before LLVM 22, a string
        return
    for entry in options:
        name = str(getattr(entry, "name", entry))
        value = getattr(options[name], "value", None)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        is_plain = isinstance(value, (bool, int, str)) and _PLAIN.fullmatch(text) and _PLAIN.fullmatch(name)
        yield f"{name}={text}" if is_plain else None
