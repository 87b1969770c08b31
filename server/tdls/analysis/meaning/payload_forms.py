"""Forms of payload operations that only some versions have.

LLVM 19 and newer write the `output_shape` of ``expand_shape``. LLVM 19 has ``linalg.elemwise_unary`` and
``linalg.elemwise_binary`` with the function as an attribute; since LLVM 21 there is ``linalg.elementwise``, whose kind
got a shorter form on main.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.changed_operations import Rename
from tdls.settings.llvm_versions import older_versions, version_since
from tdls.syntax.tree import Form
from tdls.text.scanning import after_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

EXPANDING: Final = ("memref.expand_shape", "tensor.expand_shape")
ELEMENTWISE: Final = "linalg.elementwise"
FORMER: Final = {"linalg.elemwise_unary": "exp", "linalg.elemwise_binary": "add"}
"""The former operations, with the function that they apply without the attribute `fun`."""
_KIND = re.compile(r"(?:kind *= *#linalg\.elementwise_kind<(\w+)>|<(\w+)>)")
_FUNCTION = re.compile(r"#linalg\.\w+_fn<(\w+)>\Z")
_FUNCTION_NAME = re.compile(r"#linalg\.\w+_fn<|>")
_STATIC = re.compile(r"(?:tensor|memref)<((?:\d+x)+)")
_DICTIONARY = re.compile(r"\{[^{}]*\}")
_ELEMENT = re.compile(r"(?:tensor|memref)<((?:(?:\d+|\?)x)*)([a-z]+\d\w*|index)>\Z")


def in_form_of_target(context: Context, operation: Operation) -> SectionFix | None:
    """Return the fix that writes an elementwise operation as the target does, or None if none is needed or certain."""
    text, name = context.section.text, operation.location
    if operation.name == ELEMENTWISE:
        kind = _KIND.match(text, after_blanks(text, name.end))
        spelled = _spelled(context, kind[1] or kind[2]) if kind is not None else ""
        if kind is None or kind[0].replace(" ", "") == spelled.replace(" ", ""):
            return None
        return _fix((SectionEdit(Span(name.end, kind.end()), spelled),))
    given = {attribute.name: attribute.value or "" for attribute in operation.syntax.attributes}
    function = _FUNCTION.match(given.pop("fun", f"#linalg.a_fn<{FORMER[operation.name]}>"))
    given.pop("cast", None)
    if function is None or given or not _has_one_shape(operation) or text[name.start : name.end] != operation.name:
        return None
    edits = [SectionEdit(Span(*name), ELEMENTWISE + _spelled(context, function[1]))]
    if operation.syntax.attributes:
        dictionary = _DICTIONARY.match(text, after_blanks(text, name.end))
        if dictionary is None or dictionary.end() < max(each.end for each in operation.syntax.attributes):
            return None
        edits.append(SectionEdit(Span(name.end, dictionary.end()), ""))
    return _fix(tuple(edits))


def lacks_output_shape(context: Context, operation: Operation) -> bool:
    """Whether the target needs the shape of an expanded result, which the operation has not."""
    node = operation.syntax
    is_needed = (context.catalogue.target or 0) >= version_since("output-shape")
    return is_needed and node.form is Form.EXACT and "output_shape" not in context.section.text[node.start : node.end]


def with_output_shape(operation: Operation) -> SectionFix | None:
    """Return the fix that writes the shape of the result, or None if it is not static."""
    places = operation.syntax.attribute("reassociation")
    shape = _STATIC.match(operation.results[0].type or "") if len(operation.results) == 1 else None
    if places is None or shape is None or "?" in (operation.results[0].type or ""):
        return None
    new = f" output_shape [{', '.join(shape[1].rstrip('x').split('x'))}]"
    return SectionFix("Write the shape of the result", (SectionEdit(Span(places.end, places.end), new),), safe=True)


def _has_one_shape(operation: Operation) -> bool:
    """Whether nothing is converted or repeated: the numbers of dimensions and the element types are the same."""
    shapes = [_ELEMENT.match(value.type or "") if value is not None else None for value in operation.operands]
    return len({shape and (shape[1].count("x"), shape[2]) for shape in shapes} | {None}) == 2 and None not in shapes


def _spelled(context: Context, kind: str) -> str:
    is_short = (context.catalogue.target or 0) >= version_since("short-elementwise")
    return f" <{kind}>" if is_short else f" kind=#linalg.elementwise_kind<{kind}>"


def _fix(edits: tuple[SectionEdit, ...]) -> SectionFix:
    return SectionFix(f"Write as `{ELEMENTWISE}` of this version", edits, safe=True)


def search_of_target(context: Context, name: str) -> Rename | None:
    """Return how a search for the former operation `name` finds the same payload as `ELEMENTWISE`.

    None where the payload is not in the file, or other operations become the same.
    """
    operations = [operation for each in context.file.contexts for operation in each.model.walk()]
    kinds = {operation.name: set[str]() for operation in operations if operation.name in (ELEMENTWISE, *FORMER)}
    for operation in operations:
        if operation.name in FORMER:
            kinds[operation.name].add(_FUNCTION_NAME.sub("", operation.spelled("fun") or FORMER[operation.name]))
    former_kinds = kinds.pop(name, set[str]())
    if not former_kinds or ELEMENTWISE in kinds or (kinds and len(former_kinds) > 1):
        return None
    matched = f"kind = #linalg.elementwise_kind<{min(former_kinds)}>" if kinds else ""
    return Rename(name, None, max(older_versions()), payload=ELEMENTWISE, matched=matched)
