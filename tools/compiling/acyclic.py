"""Classes whose objects never lead back to themselves, which are compiled as such.

Python's collector of garbage need not look at them: a tree of a large text is a hundred thousand of them. What says so
stands in blank lines, so that all others keep their numbers.
"""

from __future__ import annotations

import ast

_FUTURE = "from __future__ import annotations"
_IMPORT = "if __import__('typing').TYPE_CHECKING: from mypy_extensions import mypyc_attr as _mypyc_attr"
_DECORATOR = "@_mypyc_attr(acyclic=True)"


def with_acyclic_classes(code: str) -> str:
    """Return the code of a module in which all dataclasses, and what they inherit from, are declared as acyclic."""
    lines = code.split("\n")
    lines[lines.index(_FUTURE) + 1] = _IMPORT
    for class_ in ast.parse(code).body:
        if isinstance(class_, ast.ClassDef) and (class_.decorator_list or not class_.bases):
            first = min([class_.lineno, *(decorator.lineno for decorator in class_.decorator_list)])
            lines[first - 2] = _DECORATOR
    return "\n".join(lines)
