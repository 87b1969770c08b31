"""Operations out of Python files, which are never imported: modules that mlir-tblgen generated, and dialects that are
written with ``mlir.dialects.ext``."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from tdls.catalogue.sources.python_modules.classes import PythonDefinitions, linked
from tdls.catalogue.sources.python_modules.generated import generated_classes, generated_operation
from tdls.catalogue.sources.python_modules.written import written_definitions
from tdls.catalogue.sources.work import SourceProblem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PythonDefinitions", "linked", "read_module"]

_GENERATED = re.compile(r"^  OPERATION_NAME = ", re.MULTILINE)
_BASE = re.compile(r"\b(?:Dialect|Operation|Type|Attribute)\b")
_NAMED = re.compile(r"\bname\s*=")


def read_module(path: Path, text: str) -> PythonDefinitions:
    """What a Python file defines; nothing for a file that is of neither form. Never raises."""
    text = text.replace("\r\n", "\n")
    if _GENERATED.search(text) is not None:
        return _read_generated(path, text)
    if not _may_be_written(text):
        return PythonDefinitions(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes in the project's strings
            return written_definitions(path, ast.parse(text))
    except SyntaxError as error:
        return _broken(path, (error.lineno or 1) - 1, f"this is no Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return _broken(path, 0, f"this cannot be read as Python: {error}")


def _may_be_written(text: str) -> bool:
    """Tell whether a line has a base class that it, or the next one, gives a name."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        base = _BASE.search(line)
        if base is not None and any(
            _NAMED.search(rest) for rest in (line[base.end() :], *lines[number + 1 : number + 2])
        ):
            return True
    return False


def _read_generated(path: Path, text: str) -> PythonDefinitions:
    classes = list(generated_classes(text))
    operations = [generated_operation(path, python_class) for python_class in classes]
    problems = [
        SourceProblem(
            path, python_class.line, f"the class of '{python_class.name}' is not in the form that mlir-tblgen gives it"
        )
        for python_class, operation in zip(classes, operations, strict=True)
        if operation is None
    ]
    known = tuple(operation for operation in operations if operation is not None)
    return PythonDefinitions(path, known, problems=tuple(problems))


def _broken(path: Path, line: int, message: str) -> PythonDefinitions:
    return PythonDefinitions(path, problems=(SourceProblem(path, line, message),))
