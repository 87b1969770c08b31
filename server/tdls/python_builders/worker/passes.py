"""Asks the pass manager of the bindings whether the passes that a script applies have its options.

The worker looks up passes that the bindings register only: others are registered where the script runs.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any

from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

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
