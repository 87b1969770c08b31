"""Forms of payload operations that only some versions have.

LLVM 19 and newer write the `output_shape` of ``expand_shape``. LLVM 19 has ``linalg.elemwise_unary`` and
``linalg.elemwise_binary`` with the function as an attribute; since LLVM 21 there is ``linalg.elementwise``, whose kind
got a shorter form on main. Since LLVM 22 the body of ``linalg.map`` has an argument for the output.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.changed_operations import Rename
from tdls.migration.respelling import new_value
from tdls.settings.llvm_versions import older_versions, version_name, version_since
from tdls.syntax.tree import Form
from tdls.text.scanning import after_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

_EXPANDING: Final = ("memref.expand_shape", "tensor.expand_shape")
ELEMENTWISE: Final = "linalg.elementwise"
FORMER: Final = {"linalg.elemwise_unary": "exp", "linalg.elemwise_binary": "add"}
"""The former operations, with the function that they apply without the attribute `fun`."""
_KIND = re.compile(r"(?:kind *= *#linalg\.elementwise_kind<(\w+)>|<(\w+)>)")
_FUNCTION = re.compile(r"#linalg\.\w+_fn<(\w+)>\Z")
_FUNCTION_NAME = re.compile(r"#linalg\.\w+_fn<|>")
_SHAPE = re.compile(r"(tensor|memref)<((?:(?:\d+|\?)x)*)")
_GROUP = re.compile(r"\[([\d\s,]*)\]")
_DICTIONARY = re.compile(r"\{[^{}]*\}")
_ELEMENT = re.compile(r"(?:tensor|memref)<((?:(?:\d+|\?)x)*)([a-z]+\d\w*|index)>\Z")


def unlike_target(context: Context, operation: Operation) -> tuple[str, SectionFix | None] | None:
    """Return what the target does not read in an operation that it has, and the fix, or None if it is read."""
    name, fix = operation.name, None
    if name == ELEMENTWISE and (fix := in_form_of_target(context, operation)) is not None:
        version = version_name(context.catalogue.target or 0)
        return f"`{name}` is written as in another version here, and not as in LLVM {version}", fix
    is_written = "output_shape" in context.section.text[operation.span.start : operation.span.end]
    is_expected = name in _EXPANDING and (context.catalogue.target or 0) >= version_since("output-shape")
    if is_expected and not is_written and operation.syntax.form is Form.EXACT:
        since = version_name(version_since("output-shape"))
        return f"`{name}` has no `output_shape`, which LLVM {since} and newer need", _with_output_shape(
            context, operation
        )
    return _mapped_otherwise(context, operation) if name == "linalg.map" else None


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
    shapes = [_ELEMENT.match(value.type or "") if value is not None else None for value in operation.operands]
    kinds = {(shape[1].count("x"), shape[2]) if shape is not None else None for shape in shapes}
    # nothing is converted or repeated: the numbers of dimensions and the element types are the same
    is_plain = len(kinds) == 1 and None not in kinds and text[name.start : name.end] == operation.name
    if function is None or given or not is_plain:
        return None
    edits = [SectionEdit(Span(*name), ELEMENTWISE + _spelled(context, function[1]))]
    if operation.syntax.attributes:
        dictionary = _DICTIONARY.match(text, after_blanks(text, name.end))
        if dictionary is None or dictionary.end() < max(each.end for each in operation.syntax.attributes):
            return None
        edits.append(SectionEdit(Span(name.end, dictionary.end()), ""))
    return _fix(tuple(edits))


def _with_output_shape(context: Context, operation: Operation) -> SectionFix | None:
    """Return the fix that writes the shape of the result, dynamic sizes computed from those of the source.

    None where they do not tell it: with several dynamic sizes in a group.
    """
    text, node, places = context.section.text, operation.syntax, operation.syntax.attribute("reassociation")
    source, types = operation.operands[0], [value and value.type for value in (*operation.operands, *operation.results)]
    former, expanded = _SHAPE.match(types[0] or ""), _SHAPE.match(types[-1] or "")
    indent = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    if places is None or source is None or former is None or expanded is None:
        return None
    before, sizes = "", expanded[2].split("x")[:-1]
    for number, group in enumerate(_GROUP.findall((places.value or "")[1:-1])):
        places_of = [int(each) for each in group.split(",") if each.strip()]
        dynamic = [each for each in places_of if sizes[each : each + 1] == ["?"]]
        if len(dynamic) > 1 or (dynamic and indent.strip()):
            return None
        for each in dynamic:
            name = f"{number}_of_{operation.results[0].name[1:]}"
            index, whole, factor, part = (
                new_value(f"{word}{name}", text) for word in ("index", "size", "factor", "part")
            )
            product = prod(int(sizes[other]) for other in places_of if other != each)
            lines = [f"{index} = arith.constant {number} : index"]
            lines.append(f"{whole} = {former[1]}.dim {text[slice(*node.operands[0].span)]}, {index} : {source.type}")
            if product != 1:
                lines.append(f"{factor} = arith.constant {product} : index")
                lines.append(f"{part} = arith.divsi {whole}, {factor} : index")
            sizes[each] = whole if product == 1 else part
            before += "".join(f"{line}\n{indent}" for line in lines)
    shape = SectionEdit(Span(places.end, places.end), f" output_shape [{', '.join(sizes)}]")
    edits = (SectionEdit(Span(node.start, node.start), before), shape) if before else (shape,)
    return SectionFix("Write the shape of the result", edits, safe=True)


def _mapped_otherwise(context: Context, operation: Operation) -> tuple[str, SectionFix | None] | None:
    """Return what the target does not read in the body of ``linalg.map``, and the fix, or None if it is read."""
    body, since = operation.body, version_since("mapper-has-output")
    is_new, count = (context.catalogue.target or 0) >= since, len(operation.operands)
    if body is None or operation.syntax.broken or len(body.arguments) != (count - 1 if is_new else count):
        return None
    ends, edit = [each.end if each.type is None else each.type.end for each in body.syntax.arguments], None
    output = _ELEMENT.match(getattr(operation.operands[-1], "type", None) or "")
    if is_new and ends and output is not None:
        argument = f", {new_value('init', context.section.text)}: {output[2]}"
        edit = SectionEdit(Span(ends[-1], ends[-1]), argument)
    elif not is_new and len(ends) > 1 and not context.users.get(body.arguments[-1]):
        edit = SectionEdit(Span(*ends[-2:]), "")
    fix = SectionFix("Give the body the arguments of this version", (edit,), safe=True) if edit is not None else None
    if is_new:
        return f"the body of `linalg.map` has no argument for the output, which LLVM {since} and newer need", fix
    return f"the body of `linalg.map` has an argument for the output, which LLVM before {since} does not have", fix


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
