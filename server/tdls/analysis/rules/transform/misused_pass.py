"""The rule `misused-pass`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.handles.held_names import HeldNames, listed
from tdls.analysis.handles.written_payload import IS_FOR_OTHER_INTERPRETER
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.attribute_values import SpelledKind, elements_of, kind_of_value
from tdls.semantic.transform_dialect import PASS_NAME
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.text.level import Level
from tdls.text.similarity import SimilarNames, is_typing_error
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import PassDefinition, PassOption
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute

_OPTIONS: Final = "options"
_MOST_SHOWN = 8
_INTEGERS = frozenset({"int", "long", "uint", "ulong"})
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)", re.ASCII)
_BOOLEANS = frozenset({"true", "True", "TRUE", "1", "false", "False", "FALSE", "0"})


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report upstream's passes with options that they do not have, with wrong values, or for other operations.

    All are hints where another tool runs the script: it may have a pass of the same name, and apply it otherwise.
    """
    for finding in _certain(context, operations) if context.catalogue.is_complete else ():
        is_possible = finding.level is Level.HINT or context.ask(IS_FOR_OTHER_INTERPRETER)
        yield replace(finding, level=Level.HINT) if is_possible else finding


def _certain(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    held, similar = HeldNames(context), SimilarNames(0.6)
    for operation in operations:
        if operation.syntax.broken:
            continue
        named, options = operation.syntax.attribute(PASS_NAME), operation.syntax.attribute(_OPTIONS)
        if named is None or not (named.value or "").startswith('"'):
            continue
        variants = context.catalogue.pass_variants((named.value or "")[1:-1])
        if not variants or not all(each.versions for each in variants):  # unknown, or a project defines it, too
            continue
        definition = variants[0]
        yield from _wrong_operation(held, operation, named, definition)
        if options is not None and (options.value or "").startswith("{"):
            yield from _options(options, definition, similar)


def _wrong_operation(
    held: HeldNames, operation: Operation, named: NamedAttribute, definition: PassDefinition
) -> Iterator[Finding]:
    target = operation.operands[0] if operation.operands else None
    names = held.of(target) if target is not None else None
    if target is None or not names or not definition.runs_on or definition.runs_on in names:
        return
    yield Finding(
        RULE.name,
        RULE.level,
        f"the pass `{definition.name}` runs on `{definition.runs_on}` only, but `{target.shown}` holds {listed(names)}",
        Span(named.value_start, named.value_end),
        (SectionNote(f"`{target.shown}` is defined here", target.span),),
        f"apply it to a handle to `{definition.runs_on}`",
    )


def _options(attribute: NamedAttribute, definition: PassDefinition, similar: SimilarNames) -> Iterator[Finding]:
    known = {option.name: option for option in definition.options or ()}
    for key, value in _entries(attribute):
        name = (attribute.value or "")[key.start : key.end].strip('"')
        place = Span(attribute.value_start + key.start, attribute.value_start + key.end)
        option = known.get(name)
        if option is None and name:
            yield _no_option(definition, name, place, similar)
        elif option is not None:
            wanted = _wanted(option, (attribute.value or "")[value.start : value.end].strip())
            if wanted is not None:
                message = f"the option `{name}` of the pass `{definition.name}` takes {wanted}"
                shown = Span(attribute.value_start + value.start, attribute.value_start + value.end)
                yield Finding(RULE.name, RULE.level, message, shown)


def _entries(attribute: NamedAttribute) -> Iterator[tuple[Span, Span]]:
    """Yield the spans of each key of a dictionary and of its value, as offsets in the attribute's value."""
    tokens = scanner.scan(attribute.value or "")
    closer = tokens.partners.get(0, -1)
    index = 1
    while 0 < index < closer:
        start = end = index
        while end < closer and tokens.kinds[end] != ",":
            partner = tokens.partners.get(end, -1)
            end = partner + 1 if partner > end else end + 1
        if end - start > 2 and tokens.kinds[start + 1] == "=":
            key = Span(tokens.starts[start], tokens.ends[start])
            yield key, Span(tokens.starts[start + 2], tokens.ends[end - 1])
        index = end + 1


def _no_option(definition: PassDefinition, name: str, place: Span, similar: SimilarNames) -> Finding:
    """Report an unknown option: a typing error with certainty, another one as possible: a newer MLIR may have it."""
    names = sorted(option.name for option in definition.options or ())
    near = similar.to(name, (names,))
    is_slip = near is not None and is_typing_error(name, near)
    message = f"the pass `{definition.name}` has no option `{name}`"
    fixes = (SectionFix(f"Change to `{near}`", (SectionEdit(place, f'"{near}"'),)),) if near is not None else ()
    shown = ", ".join(f"`{each}`" for each in names[:_MOST_SHOWN]) + (", ..." if len(names) > _MOST_SHOWN else "")
    known = f"it has {shown}" if names else "it has no options"
    return Finding(
        RULE.name,
        RULE.level if is_slip else Level.HINT,
        message if is_slip else f"{message} in any version of LLVM that tdls knows",
        place,
        help=f"did you mean `{near}`?" if near is not None else known,
        fixes=fixes if is_slip else (),
    )


def _wanted(option: PassOption, text: str) -> str | None:
    """Return the values that an option takes, as a phrase, where it cannot take `text`, or None if it may."""
    values = (elements_of(text) or ()) if kind_of_value(text) is SpelledKind.ARRAY else (text,)
    phrase = _kind(option)
    wrong = next((value for value in values if phrase is not None and not _fits(option, value)), None)
    return f"{phrase}, not `{wrong}`" if wrong is not None else None


def _kind(option: PassOption) -> str | None:
    if option.cases:
        return "one of " + ", ".join(f'`"{case}"`' for case in option.cases)
    if option.type == "bool":
        return "`true` or `false`"
    return "an integer" if option.type in _INTEGERS else None


def _fits(option: PassOption, text: str) -> bool:
    """Whether the option can take a value; handles and values of unknown types always fit."""
    kind = kind_of_value(text)
    if kind is SpelledKind.STRING and "\\" not in text:
        inside = text[1:-1]
        if "," in inside or not inside:
            return True
    elif kind in (SpelledKind.INTEGER, SpelledKind.BOOLEAN):
        inside = text.partition(":")[0].strip()
    else:
        return True
    if option.cases:
        return inside in option.cases
    if option.type == "bool":
        return inside in _BOOLEANS
    return _NUMBER.fullmatch(inside) is not None


RULE: Final = Rule("misused-pass", check=check, shows_when_run=True)
