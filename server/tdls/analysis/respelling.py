"""The fix that writes an operation as the target version of LLVM does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.changed_operations import changes_between
from tdls.migration.respelling import new_value, respelled
from tdls.migration.writing import NotRespelledError
from tdls.settings.llvm_versions import version_name
from tdls.syntax.tree import Form
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.changed_operations import ChangedOperation
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import FileSpan


MIGRATING: Final = ("not-in-target-llvm", "older-form", "unknown-transform-operation")
"""The rules whose safe fixes bring a script to its target version."""


def respelling(
    context: Context, operation: Operation, written: OperationDefinition, meant: OperationDefinition, around: str = ""
) -> SectionFix | str:
    """Return the fix that gives `operation`, as `written` defines it, the form of `meant`, or the reason against it.

    Names of new values do not occur in `around`, nor in the section.
    """
    target = context.catalogue.target
    if target is None:
        return "tdls does not know its definition"
    if written.is_older and meant.regions and not operation.syntax.regions and len(operation.operands) == 1:
        return _in_region(context, operation, meant, around)
    changes = changes_between(written, meant, context.catalogue.renamed(written.name))
    for change in changes:
        if change.for_each and max(written.versions) <= change.last_version:
            return _for_each(context, operation, change, context.section.text + around)
    start, end = operation.syntax.span
    text, dialect = context.section.text[start:end], default_dialect(context, operation)
    operands = [None if value is None else _type_of(context, value) for value in operation.operands]
    types = operands, [_type_of(context, value) for value in operation.results]
    around = context.section.text + around
    try:
        replacements = respelled(text, dialect, written, meant, context.catalogue, types, around)
    except NotRespelledError as reason:
        return str(reason)
    edits = [SectionEdit(Span(start + span.start, start + span.end), new) for span, new in replacements]
    for change in changes:
        if change.first_result_last and len(operation.syntax.results) == 1:
            edits += _renumbered(context, operation)
        if change.takes_over[0]:
            later = _later_uses(context, operation, change.takes_over, around)
            if later is None:
                return f"`{change.takes_over[0]}` is used where the new result is not known"
            edits += later
    edits.sort(key=lambda edit: edit.span)
    return SectionFix(f"Write as in LLVM {version_name(target)}", tuple(edits), safe=True)


def _in_region(context: Context, operation: Operation, meant: OperationDefinition, around: str) -> SectionFix | str:
    """Return the fix that lists the words of a dictionary as patterns in the region that `meant` has, or the reason.

    Other words are transformations of their own: ``cse`` of ``transform.apply_cse``, and ``licm`` for each loop.
    """
    text, node, value = context.section.text, operation.syntax, operation.operands[0]
    names = context.catalogue.operation_names("transform")
    type_ = "!transform.any_op" if value is None else _type_of(context, value)
    indent = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    indent = indent if not indent.strip() else ""
    patterns, others, target = [], [], text[node.operands[0].start : node.operands[0].end]
    for attribute in node.attributes:
        word = attribute.name
        matches = [name for name in names if name.startswith(f"{meant.name}.") and name.endswith(f".{word}")]
        other = context.catalogue.operation(f"transform.apply_{word}")
        if len(matches) == 1 and attribute.value is None:
            patterns.append(f"\n{indent}  {matches[0]}")
            continue
        if other is None or attribute.value is not None:
            return f"no patterns of LLVM are called `{word}`"
        name = target
        if other.operands[0].applies_to:
            name = new_value("loops", context.section.text + around)
            match = f"transform.structured.match interface{{LoopLikeInterface}} in {target}"
            others.append(f"\n{indent}{name} = {match} : ({type_}) -> {type_}")
        others.append(f"\n{indent}{other.name} to {name} : {type_}")
    listed = f"{meant.name} to {target} {{{''.join(patterns)}\n{indent}}} : {type_}{''.join(others)}"
    return SectionFix("List as patterns", (SectionEdit(node.span, listed),), safe=True)


def _for_each(context: Context, operation: Operation, change: ChangedOperation, around: str) -> SectionFix | str:
    """Return the fix that does the same for each payload operation in turn, or the reason against it."""
    text, node, (start, name_end) = context.section.text, operation.syntax, operation.location
    values = [value for value in operation.operands if value is not None]
    groups = sorted((bounds, name) for name, bounds in (node.operand_groups or {}).items() if bounds[0] < bounds[1])
    if node.form is not Form.EXACT or not len(node.operands) == len(groups) == len(values):
        return "its operands are not known one by one"
    maker = values[0].operation
    names = maker.required_names if maker is not None else None
    if change.but_for and (names is None or not names.isdisjoint(change.but_for)):
        return f"its target may be `{change.but_for[0]}`, for which no later operation does the same"
    types = [_type_of(context, value) for value in values]
    arguments = [new_value(name, around) for _, name in groups]
    former = text[name_end : node.end]
    for use, argument in zip(reversed(node.operands), reversed(arguments), strict=True):
        former = former[: use.start - name_end] + argument + former[use.end - name_end :]
    lines = [re.sub(r"%(\w+)", lambda name: new_value(name[1], around), line) for line in change.for_each]
    before = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    indent = before if not before.strip() else ""
    kept = lines if node.results else lines[:-1]
    body = "".join(f"\n{indent}  {line.format(operation=operation.name + former, type=types[0])}" for line in kept)
    operands = ", ".join(text[use.start : use.end] for use in node.operands)
    results = f" -> {', '.join(types[:1] * len(operation.results))}" if node.results else ""
    declared = ", ".join(f"{name}: {type_}" for name, type_ in zip(arguments, types, strict=True))
    loop = f"transform.foreach {operands} : {', '.join(types)}{results} {{\n{indent}^bb0({declared}):{body}\n{indent}}}"
    return SectionFix("Write as a loop", (SectionEdit(Span(start, node.end), loop),), safe=True)


def _type_of(context: Context, value: Value) -> str:
    """Return the type of a value; if its definition does not say it, that which an operation with this operand says."""
    if value.type is not None:
        return value.type
    types = {True: "", False: ""}
    for user in context.users.get(value, ()):
        for operand, type_ in zip(user.operands, user.syntax.operand_types or (), strict=False):
            if operand is value and type_ is not None:
                types[type_.is_spelled] = types[type_.is_spelled] or type_.text
    definition = value.operation
    first = next((each.type for each in definition.operands if each is not None), None) if definition else None
    default = first if first == "!pdl.operation" else "!transform.any_op"
    return types[True] or types[False] or default


def _renumbered(context: Context, operation: Operation) -> Iterator[SectionEdit]:
    """Yield the edits of the uses of results that one name stands for, where the first of them becomes the last."""
    (group,), count = operation.syntax.results, len(operation.results)
    for number, result in enumerate(operation.results):
        for user in context.users.get(result, ()) if count > 1 else ():
            for operand, use in zip(user.operands, user.syntax.operands, strict=True):
                if operand is result:
                    yield SectionEdit(use.span, f"{group.name}#{(number - 1) % count}")


def _later_uses(
    context: Context, operation: Operation, takes_over: tuple[str, str], around: str
) -> list[SectionEdit] | None:
    """Return the edits that replace the uses of an operand behind `operation` by its new result.

    The next operation of the same kind replaces the uses behind itself. None if a use is not in the same block.
    """
    start, _ = (operation.syntax.operand_groups or {})[takes_over[0]]
    value, results = operation.operands[start], operation.syntax.results
    if value is None or (results and results[-1].count > 1):
        return None
    name, edits = new_value(takes_over[1], around), []
    for user in context.users.get(value, ()):
        if user.span.start <= operation.span.start:
            continue
        if user.block is not operation.block or not results:
            return None
        uses = zip(user.operands, user.syntax.operands, strict=True)
        edits += [SectionEdit(use.span, name) for operand, use in uses if operand is value]
        if user.name == operation.name:
            break
    return edits


def is_migrated(finding: Diagnostic) -> bool:
    """Whether a migration applies a fix of `finding`."""
    return finding.rule in MIGRATING and any(fix.safe for fix in finding.fixes)


def reasons_to_leave(finding: Diagnostic) -> Iterator[tuple[FileSpan, str]]:
    """Yield the places that a migration leaves as they are because of `finding`, each with the reason in one line."""
    notes = [note for note in finding.notes if note.message.startswith("it is not rewritten")]
    here = [note.message for note in notes if note.span == finding.span]
    if here or not notes:
        advice = [finding.help] if finding.help is not None and not any(finding.help in each for each in here) else []
        yield finding.span, "; ".join([finding.message, *here, *advice])
    yield from ((note.span, note.message) for note in notes if note.span != finding.span)


def default_dialect(context: Context, operation: Operation) -> str:
    """Return the dialect whose prefix operations in the block of `operation` may omit."""
    for around in operation.ancestors():
        if (dialect := context.catalogue.default_dialect(around.name)) is not None:
            return dialect
    return "builtin"
