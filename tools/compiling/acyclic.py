"""Classes whose objects never lead back to themselves, which are compiled as such.

Python's collector of garbage need not look at them: a tree of a large text is a hundred thousand of them. What says so
stands in blank lines, so that all others keep their numbers.
"""

from __future__ import annotations

import ast
import re

_FUTURE = "from __future__ import annotations"
_IMPORT = "if __import__('typing').TYPE_CHECKING: from mypy_extensions import mypyc_attr as _mypyc_attr"
_DECORATOR = "@_mypyc_attr(acyclic=True)"
_PUT_OFF = re.compile(
    r"(_dealloc\([^()\n]* \*self\)\n\{\n) *CPy_TRASHCAN_BEGIN\(.*\n((?:.*\n){2}) *CPy_TRASHCAN_END\(.*\n"
)
"""What frees an object of an acyclic class: others are taken from the collector before."""


def with_acyclic_classes(code: str) -> str:
    """Return the code of a module in which all dataclasses, and what they inherit from, are declared as acyclic."""
    lines = code.split("\n")
    lines[lines.index(_FUTURE) + 1] = _IMPORT
    for class_ in ast.parse(code).body:
        if isinstance(class_, ast.ClassDef) and (class_.decorator_list or not class_.bases):
            first = min([class_.lineno, *(decorator.lineno for decorator in class_.decorator_list)])
            lines[first - 2] = _DECORATOR
    return "\n".join(lines)


def without_putting_off(c_code: str) -> str:
    """Return what mypyc made of a module, where objects of acyclic classes are freed at once, however deep they are.

    Python (until 3.13) puts off what is freed inside of fifty others by a note for the collector, in front of the
    object; where these have none, what stands there is another object. Tuples, in which all that is nested stands, are
    put off instead, so that nothing recurses deeply.
    """
    return _PUT_OFF.sub(r"\1\2", c_code)
