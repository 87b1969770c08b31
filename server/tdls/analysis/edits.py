"""Fixes that replace a former name of an operation by its current one, with the edits that keep its meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix, SectionNote
from tdls.catalogue.changed_operations import changes_of, later_name
from tdls.syntax.tree import Form
from tdls.text.scanning import after_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value


def renaming(context: Context, operation: Operation, rename: Rename) -> SectionFix | None:
    """Return the fix that renames `operation` and keeps its meaning, or None where these edits are not enough.

    The title names the other changes.
    """
    if rename.name is None or rename.by_hand or not _attributes_are_known(context, operation, rename):
        return None
    older = operation.definition
    if older is not None and older.is_older and "type(" not in (older.assembly_format or ""):
        return None
    parts = (
        _added(context.section.text, operation, rename),
        _with_keyword(context.section.text, operation, rename),
        _reordered(operation) if rename.first_result_last else (),
    )
    edits = [edit for part in parts for edit in part or ()]
    if None in parts:
        return None
    edits += [*_renamed_attributes(operation, rename), SectionEdit(name_of(operation), rename.name)]
    return SectionFix(_title(rename), tuple(sorted(edits, key=lambda edit: edit.span)), safe=rename.keeps_meaning)


def in_present_form(
    context: Context, operations: Iterable[Operation], alike: Iterable[tuple[Operation, OperationDefinition]]
) -> tuple[SectionFix | None, tuple[SectionNote, ...]]:
    """Return the fix that gives all operations of an older script their present names and forms, or why there is none.

    Operations `alike` look as today, and had these definitions. Forms change only in a script with a target version.
    """
    fixes: list[SectionFix] = []
    notes: list[SectionNote] = []
    for operation, written in (*((each, each.definition) for each in operations), *alike):
        around = "".join(edit.new_text for fix in fixes for edit in fix.edits)
        fix = _in_present_form(context, operation, written, around)
        if isinstance(fix, SectionFix):
            fixes.append(fix)
        else:
            notes.append(SectionNote(f"it is not rewritten (`{operation.name}`): {fix}", operation.location))
    if notes:
        return None, tuple(notes) if context.catalogue.target is not None else ()
    titles = dict.fromkeys(fix.title for fix in fixes)
    edits = sorted((edit for fix in fixes for edit in fix.edits), key=lambda edit: edit.span)
    return SectionFix(", ".join(titles), tuple(edits), safe=all(fix.safe for fix in fixes)), ()


_PATTERNS = "transform.apply_patterns."
_OPTION = re.compile(r"(\w{1,64})\s{0,9}=\s{0,9}(\"[^\"]{0,64}\"|\w{1,64})")
_BEHIND_OPERAND = re.compile(r"([^:/]*)(?::\s*\(?([^\s()<>]+(?:<[^<>]*>)?)\)?\s*(?:->\s*(\S+)\s*)?)?\Z")


def _as_patterns(context: Context, operation: Operation, rename: Rename) -> SectionFix | str:
    """Return the fix that lists a former operation on functions, now a pattern, in the region of `apply_patterns`.

    The result of the former operation was a handle to its operand.
    """
    text, node = context.section.text, operation.syntax
    definition = next(filter(context.catalogue.is_at_target, context.catalogue.variants(rename.name or "")), None)
    if context.catalogue.target is None or definition is None:
        return rename.note
    function = _function(context, operation)
    behind = _BEHIND_OPERAND.match(text[node.operands[0].end : node.end]) if len(node.operands) == 1 else None
    if function is None or behind is None or len(operation.results) > 1 or behind[3] not in (None, behind[2]):
        return rename.note
    start = node.start
    line = text.rfind("\n", 0, start) + 1
    indent = text[line:start] if not text[line:start].strip() else ""
    patterns = [" ".join((f"{rename.name} {behind[1]}").split())]
    for changed in changes_of(operation.name):
        options = {**dict(changed.adds), **dict(_OPTION.findall(behind[1]))}
        if len(options) > len(changed.adds):
            return rename.note
        patterns = [part.format_map(options) for part in changed.parts]
    type_ = behind[2] or function.type or "!transform.any_op"
    listed = "".join(f"\n{indent}  {pattern}" for pattern in patterns)
    new = f"transform.apply_patterns to {function.shown} {{{listed}\n{indent}}} : {type_}"
    edits = [SectionEdit(node.span, new)]
    for result in operation.results:
        for user in context.users.get(result, ()):
            if _function(context, user) is None:
                uses = zip(user.operands, user.syntax.operands, strict=True)
                edits += [SectionEdit(use.span, function.shown) for operand, use in uses if operand is result]
    edits.sort(key=lambda edit: edit.span)
    return SectionFix("List as a pattern", tuple(edits), safe=True)


def _function(context: Context, operation: Operation) -> Value | None:
    """Return the function of a former operation that became a pattern, None for any other operation."""
    from tdls.analysis.meaning.older_forms import removed_before

    rename = removed_before(context, operation)
    if rename is None or not (rename.name or "").startswith(_PATTERNS) or not operation.operands:
        return None
    value = operation.operands[0]
    inner = _function(context, value.operation) if value is not None and value.operation is not None else None
    return inner or value


def _in_present_form(
    context: Context, operation: Operation, written: OperationDefinition | None, around: str
) -> SectionFix | str:
    """Return the fix for one operation, whose new names do not occur in `around`, or the reason against it."""
    rename = context.catalogue.renamed(operation.name)
    if rename is not None and (rename.name or "").startswith(_PATTERNS) and not rename.former.startswith(_PATTERNS):
        return _as_patterns(context, operation, rename)
    if context.catalogue.target is None or written is None or not written.is_older:
        fix = renaming(context, operation, rename) if rename is not None else None
        return fix or (rename.note if rename is not None and rename.note else "tdls does not know its form")
    name = later_name(written, rename)
    meant = next(filter(context.catalogue.is_at_target, context.catalogue.variants(name or "")), None)
    if meant is None:
        return rename.note if rename is not None and rename.note else "no later operation does the same"
    from tdls.analysis.respelling import respelling

    return respelling(context, operation, written, meant, around)


def name_of(operation: Operation) -> Span:
    """Return the span of the name, without the quotes of the generic form."""
    start, end = operation.location
    return Span(start + 1, end - 1) if operation.syntax.form is Form.GENERIC else Span(start, end)


def _title(rename: Rename) -> str:
    title = f"Rename to `{rename.name}`"
    if rename.adds:
        return f"{title} with `{', '.join(rename.adds)}`"
    if rename.first_result_last:
        return f"{title}, with the first result last"
    return f"{title} ({rename.note})" if rename.note and not rename.keyword else title


def _attributes_are_known(context: Context, operation: Operation, rename: Rename) -> bool:
    """Whether the renamed operation has each given attribute, under its old name or a new one."""
    definition = context.catalogue.operation(rename.name or "")
    if definition is None:
        return False
    known = {attribute.name for attribute in definition.attributes} | {former for former, _ in rename.attributes}
    given = {attribute.name for attribute in operation.syntax.attributes}
    return all(name in known or "." in name for name in given)


def _added(text: str, operation: Operation, rename: Rename) -> tuple[SectionEdit, ...] | None:
    """Return the edits that add attributes, or None where there is no place for them."""
    node = operation.syntax
    if not rename.adds:
        return ()
    added = ", ".join(rename.adds)
    if node.attributes:
        start = node.attributes[0].span.start
        return (SectionEdit(Span(start, start), f"{added}, "),)
    if node.form is Form.GENERIC or not node.operands:
        return None
    end = node.operands[-1].end
    opener = after_blanks(text, end)
    if not text.startswith("{", opener):
        return (SectionEdit(Span(end, end), f" {{{added}}}"),)
    inside = after_blanks(text, opener + 1)
    return (SectionEdit(Span(inside, inside), added),)


def _with_keyword(text: str, operation: Operation, rename: Rename) -> tuple[SectionEdit, ...] | None:
    node = operation.syntax
    if not rename.keyword or node.form is Form.GENERIC:
        return ()
    first = node.operands[0] if node.operands else None
    place = after_blanks(text, first.end) if first is not None else 0
    if first is not None and text.startswith(rename.keyword, place):
        return ()
    if first is None or not text.startswith("[", place):
        return None
    blank = "" if place > first.end else " "
    return (SectionEdit(Span(place, place), f"{blank}{rename.keyword} "),)


def _reordered(operation: Operation) -> tuple[SectionEdit, ...] | None:
    """Return the edits that move the first result, and its type, to the end; None where it has no name of its own."""
    groups, types = operation.syntax.results, operation.syntax.result_types or ()
    if not types or not all(type_.is_spelled for type_ in types) or (groups and groups[0].count > 1):
        return None
    text_of_groups = [group.name if group.count == 1 else f"{group.name}:{group.count}" for group in groups]
    texts = [type_.text for type_ in types]
    edits: list[SectionEdit] = []
    if groups:
        rotated = ", ".join((*text_of_groups[1:], text_of_groups[0]))
        edits.append(SectionEdit(Span(groups[0].span.start, groups[-1].end), rotated))
    pairs = zip(types, (*texts[1:], texts[0]), strict=True)
    edits += [SectionEdit(type_.span, text) for type_, text in pairs if type_.text != text]
    return tuple(edits)


def _renamed_attributes(operation: Operation, rename: Rename) -> Iterator[SectionEdit]:
    names = dict(rename.attributes)
    for attribute in operation.syntax.attributes:
        if attribute.name in names:
            start = attribute.span.start
            yield SectionEdit(Span(start, start + len(attribute.name)), names[attribute.name])
