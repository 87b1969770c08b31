"""Writes an operation as another version of LLVM does: same operands, attributes, types and regions, another text.

The operation is read by the format of its definition, and each element's text is recorded. The format of the other
definition is then filled with these texts. Only tokens that differ are changed, so layout and comments stay, and the
result counts only if the other format reads the same operation from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.changed_operations import changes_between
from tdls.catalogue.model import Arity
from tdls.migration.changes import Changed, compare_definitions, different_parts, renamed_attributes
from tdls.migration.writing import NotRespelledError, Reading, Writer
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.syntax.parser.assembly.attributes import is_unit
from tdls.syntax.parser.parser import Parser
from tdls.syntax.tree import Form, NamedAttribute, TypeUse
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.tree import Operation

    _Value = TypeVar("_Value", OperandDefinition, ResultDefinition)

_Replacement = tuple[Span, str]


def respelled(
    text: str,
    dialect: str,
    written: OperationDefinition,
    meant: OperationDefinition,
    catalogue: Catalogue,
    types: tuple[Sequence[str | None], Sequence[str]],
    around: str,
) -> list[_Replacement]:
    """Return the replacements in `text`, one operation in the form of `written`, that give it the form of `meant`.

    `dialect` is the default dialect there. `types` are those of the operands and of the results, for forms that do not
    write them. Names of new values do not occur in `around`. Raises `NotRespelledError`.
    """
    reading = Reading(text, catalogue, dialect, written)
    names = dict(renamed_attributes(reading.node, written, meant))
    typed = node = _with_types(reading.node, types[1])
    changes = changes_between(written, meant, catalogue.renamed(written.name))
    groups, count = (node.operand_groups or {}).items(), len(types[0])
    operand_types = {name: types[0][start] or "" for name, (start, end) in groups if start + 1 == end <= count}
    for change in changes:
        changed = Changed(change, written, meant)
        node = changed.node(node, operand_types)
        names.update(changed.names)
    node = replace(
        node,
        attributes=tuple(_with_units(node.attributes, meant)),
        operand_groups=_by_new_names(node.operand_groups, written.operands, meant.operands),
        result_groups=_by_new_names(node.result_groups, written.results[:1], meant.results),
    )
    compare_definitions(node, (written, meant), names, changes, catalogue.former_attributes(written.name))
    body = Writer(reading, node, meant, types[0], names).written()
    first, last = reading.body
    replacements = list(_results(typed, node, meant, text, around))
    if written.name != meant.name:
        replacements.append((reading.name, meant.name))
    replacements += _differences(reading, first, last, body)
    again = text
    for span, new in reversed(replacements):
        again = again[: span.start] + new + again[span.end :]
    parser = Parser(scanner.scan(again), catalogue, dialect)
    read = parser.read_operation()
    is_read = read is not None and parser.index == parser.limit and not read.broken and read.form is Form.EXACT
    inside = [region.span for region in read.regions] if read is not None else []
    problems = [each for each in parser.problems if not any(span.start <= each.start < span.end for span in inside)]
    if read is None or not is_read or problems:
        raise NotRespelledError(f"its parts do not fit the format `{' '.join((meant.assembly_format or '').split())}`")
    if read.definition is None or not catalogue.is_at_target(read.definition):
        raise NotRespelledError("the result would be in the form of another version")
    difference = next(different_parts(node, read, written, read.definition, names), None)
    if difference is not None:
        raise NotRespelledError(f"{difference} would not stay the same")
    return replacements


def is_read_as(text: str, dialect: str, definition: OperationDefinition, catalogue: Catalogue) -> bool:
    """Whether `text` is one operation in the form of `definition`."""
    try:
        parser = Reading(text, catalogue, dialect, definition).parser
    except NotRespelledError:
        return False
    return parser.index == parser.limit


def _with_types(node: Operation, types: Sequence[str]) -> Operation:
    """Return `node` with `types` for its results, if it is written in a form without types."""
    if node.result_types is not None or node.definition is None:
        return node
    results, groups, end = node.definition.results, {}, 0
    if not types and all(result.arity is Arity.ONE for result in results):
        types = ["!transform.any_op"] * len(results)
    if not types and results:
        return node
    for result in results:
        start, end = end, end + (1 if result.arity is Arity.ONE else len(types) - len(results) + 1)
        groups[result.name] = (start, end)
    return replace(node, result_types=tuple(TypeUse(0, 0, type_) for type_ in types), result_groups=groups)


def _by_new_names(
    groups: Mapping[str, tuple[int, int]] | None, written: Sequence[_Value], meant: Sequence[_Value]
) -> dict[str, tuple[int, int]]:
    """Return groups of operands or results by their names in `meant`, where some got other names at the same places."""
    names: dict[str, str] = {}
    if [each.arity for each in written] == [each.arity for each in meant]:
        names = {old.name: new.name for old, new in zip(written, meant, strict=True)}
    moved = {new for old, new in names.items() if old != new} & names.keys()
    return {name if moved else names.get(name, name): group for name, group in (groups or {}).items()}


def _with_units(attributes: Sequence[NamedAttribute], meant: OperationDefinition) -> Iterator[NamedAttribute]:
    """Yield attributes, a truth that `meant` has as a unit attribute as such, or not at all if it is false."""
    units = {each.name for each in meant.attributes if is_unit(each)}
    for each in attributes:
        if each.name not in units or each.value not in ("true", "false"):
            yield each
        elif each.value == "true":
            yield replace(each, value=None)


def _results(
    before: Operation, after: Operation, meant: OperationDefinition, text: str, around: str
) -> Iterator[_Replacement]:
    """Yield the replacement of the names of results, where others follow or their order changes.

    Raises `NotRespelledError`.
    """
    added = len(after.result_types or ()) - len(before.result_types or ())
    if not before.results:
        return
    first, last = before.results[0], before.results[-1]
    now = after.result_groups or {}
    is_reordered = any(start != now.get(name, (start,))[0] for name, (start, _) in (before.result_groups or {}).items())
    if is_reordered and len(before.results) > 1:
        if first.count > 1:
            raise NotRespelledError("its results are in another order there, and one name stands for several of them")
        names = [text[each.start : each.end] for each in (*before.results[1:], first)]
        yield Span(first.start, last.end), ", ".join(names)
    if added > 0 and last.count > 1:
        count = text.rindex(":", last.start, last.end) + 1
        yield Span(count, last.end), str(last.count + added)
    elif added > 0:
        new = [result.name for result in meant.results[len(meant.results) - added :]]
        yield Span(last.end, last.end), "".join(f", {new_value(name, around)}" for name in new)


def new_value(name: str, around: str) -> str:
    """Return the name of a value that begins with `name` and does not occur in `around`."""
    numbered = (f"%{name}{number or ''}" for number in range(len(around) + 1))
    return next(each for each in numbered if each not in around)


def _differences(reading: Reading, first: int, last: int, body: str) -> Iterator[_Replacement]:
    """Yield the replacements that turn the tokens from `first` up to `last` into those of `body`.

    Text between two tokens that stay neighbours stays, too.
    """
    from difflib import SequenceMatcher

    old, new = reading.parser, scanner.scan(body)
    count = new.kinds.index(scanner.END)
    matcher = SequenceMatcher(None, old.spellings[first:last], new.spellings[:count], autojunk=False)
    kept = [
        (first + block.a + offset, block.b + offset)
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    ]
    before = (first - 1, -1)
    for after in (*kept, (last, count)):
        if after[0] > before[0] + 1 or after[1] > before[1] + 1:
            end = old.ends[last - 1] if after[0] == last else old.starts[after[0]]
            inserted = range(before[1] + 1, after[1])
            text = body[new.starts[inserted.start] : new.ends[inserted.stop - 1]] if inserted else ""
            blank_before, blank_behind = (_blank(body, new, index) for index in (inserted.start, after[1]))
            gaps = [old.text[old.ends[index] : old.starts[index + 1]] for index in range(before[0], after[0])]
            if after[0] == last:
                gaps[-1] = blank_behind = ""
            yield Span(old.ends[before[0]], end), _filled(gaps, blank_before, text, blank_behind)
        before = after


def _blank(body: str, new: scanner.Tokens, index: int) -> str:
    """Return the text that MLIR prints in front of a token of `body`."""
    return " " if index == 0 else body[new.ends[index - 1] : new.starts[index]] if index < len(new.starts) else ""


def _filled(gaps: list[str], before: str, text: str, behind: str) -> str:
    """Return `text` with blanks around it, or with the comment or line break among `gaps`, which it replaces."""
    comments = [gap for gap in gaps if gap.strip()]
    if len(comments) > 1:
        raise NotRespelledError("comments stand in what would be replaced")
    filling = comments or [gap for gap in gaps if "\n" in gap]
    if not filling:
        return before + text + behind if text else behind
    if text and filling[-1] is gaps[0]:
        return filling[-1] + text + behind
    return (before + text if text else "") + filling[-1]
