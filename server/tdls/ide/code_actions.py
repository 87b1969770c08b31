"""Code actions: what can be done about a place at one stroke. One file each under `actions/`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_about_comments, findings_in_section, look_at
from tdls.analysis.checking.selection import ALL, with_levels
from tdls.analysis.file.finding import placed_edit
from tdls.analysis.fixing import choose, ranks_fixes, sorted_edits, with_tried_fixes
from tdls.analysis.meaning.sequences import add_mark, fitting_mark, marks_of
from tdls.analysis.rules import COMMENT_RULES
from tdls.analysis.suppression.suppressions import silence_in_file, silence_in_line
from tdls.ide.semantic_tokens import pieces_in
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tdls.analysis.checking.selection import Levels
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument
    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit
    from tdls.text.span import FileSpan


class ActionKind(Enum):
    """When an action is offered."""

    QUICK_FIX = "quick fix"
    """It gets rid of a finding."""
    REWRITE = "rewrite"
    """It says the same in another way."""
    FIX_ALL = "fix all"
    """It gets rid of all findings of the file that have safe fixes; offered only where asked for."""


@dataclass(frozen=True)
class CodeAction:
    """A change of the file it was asked for; `edits` do not overlap and have places in the file.

    `finding` is what it gets rid of. An action is preferred when nobody could want another one.
    """

    title: str
    kind: ActionKind
    edits: tuple[TextEdit, ...]
    finding: Diagnostic | None = None
    is_preferred: bool = False


@dataclass(frozen=True)
class ActionRequest:
    """A place in a file; `levels` are those that a user gave to rules."""

    file: SourceFile
    span: FileSpan
    levels: Levels

    @cached_property
    def contexts(self) -> list[Context]:
        """The sections that `span` touches."""
        sections = (self.file.sections.pieces[index].section for index in pieces_in(self.file, self.span))
        return [self.file.context_of(section) for section in dict.fromkeys(sections)]

    @cached_property
    def findings(self) -> list[Diagnostic]:
        """The findings that `span` touches."""
        found = [finding for context in self.contexts for finding in findings_in_section(context)]
        touched = [finding for finding in found if self.touches(finding.span)]
        return with_levels([*touched, *findings_about_comments(self.file, self.span)], self.levels)

    @cached_property
    def all_findings(self) -> list[Diagnostic]:
        """The findings of the whole file."""
        return with_levels(look_at(self.file).told, self.levels)

    def touches(self, span: FileSpan) -> bool:
        """Tell whether `span`, with both of its ends, and the place that was asked for have anything in common."""
        return span.start <= self.span.end and self.span.start <= span.end


def proposed_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the fixes of the findings at a place, but for ranked ones that a trial says do not help.

    A safe one that is the only one is preferred. In sections that take long to read none is tried, nor offered.
    """
    for finding in request.findings:
        for fix in _offered(request, finding):
            preferred = fix.safe and len(finding.fixes) == 1
            yield CodeAction(fix.title, ActionKind.QUICK_FIX, fix.edits, finding, preferred)


def _offered(request: ActionRequest, finding: Diagnostic) -> tuple[Fix, ...]:
    if not ranks_fixes(finding.rule):
        return finding.fixes
    is_large = request.file.context_at(finding.span.start).section.is_large
    return () if is_large else with_tried_fixes(request.file, finding).fixes


def all_safe_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield one action with the safe fixes of the whole file; of those that get in each other's way the first only."""
    chosen = choose(request.all_findings)
    if chosen:
        yield CodeAction("Apply all safe fixes", ActionKind.FIX_ALL, sorted_edits(chosen))


def argument_marks(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for the argument at a place, and one for all arguments if the place is in the signature."""
    for context in request.contexts:
        for operation in context.model.walk():
            if operation.syntax.signature is not None and is_transform_operation(operation):
                yield from _for_sequence(request, context, operation)


def _for_sequence(request: ActionRequest, context: Context, sequence: Operation) -> Iterator[CodeAction]:
    edits: list[TextEdit] = []
    is_asked_for = request.touches(context.to_file(sequence.location))
    for number, argument in enumerate(sequence.syntax.signature.arguments if sequence.syntax.signature else ()):
        mark = fitting_mark(context, sequence, number) if not marks_of(argument) else None
        edit = add_mark(context, argument, mark) if mark is not None else None
        if edit is None:
            continue
        edits.append(placed_edit(context, edit))
        if _is_at(request, context, argument):
            is_asked_for = True
            yield CodeAction(f"Mark `{argument.name}` as `{mark}`", ActionKind.REWRITE, (edits[-1],))
    if is_asked_for and len(edits) > 1:
        yield CodeAction("Mark all arguments by what the body does", ActionKind.REWRITE, tuple(edits))


def _is_at(request: ActionRequest, context: Context, argument: BlockArgument) -> bool:
    span = argument.span
    end = argument.type.end if argument.type is not None else span.end
    return request.touches(context.to_file(span._replace(end=end)))


def suppressions(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield two actions for each rule that has findings at a place; comments themselves are put right instead."""
    findings = {finding.rule: finding for finding in reversed(request.findings) if finding.rule not in COMMENT_RULES}
    for rule, finding in findings.items():
        edit = silence_in_line(request.file, finding)
        yield CodeAction(f"Ignore `{rule}` here", ActionKind.QUICK_FIX, (edit,), finding)
    for rule, finding in findings.items():
        edit = silence_in_file(request.file, finding)
        yield CodeAction(f"Ignore `{rule}` in this file", ActionKind.QUICK_FIX, (edit,), finding)


__all__ = ["ActionKind", "CodeAction", "code_actions"]

_ACTIONS: tuple[tuple[ActionKind, Callable[[ActionRequest], Iterator[CodeAction]]], ...] = (
    (ActionKind.QUICK_FIX, proposed_fixes),
    (ActionKind.REWRITE, argument_marks),
    (ActionKind.QUICK_FIX, suppressions),
    (ActionKind.FIX_ALL, all_safe_fixes),
)
_IN_PROGRAMS = ((ActionKind.QUICK_FIX, proposed_fixes),)
"""Only fixes are written as the string that a script is in wants it."""
_AT_A_PLACE = (ActionKind.QUICK_FIX, ActionKind.REWRITE)


def code_actions(
    snapshot: Snapshot,
    uri: str,
    span: FileSpan,
    kinds: Collection[ActionKind] = _AT_A_PLACE,
    levels: Levels = ALL,
) -> list[CodeAction]:
    """Return the actions of these kinds at `span`, the most fitting first; no two make the same edits.

    `levels` are those that a user gave to rules; findings that are off have no actions.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    request = ActionRequest(file, span, levels)
    found: dict[object, CodeAction] = {}
    for kind, find in _ACTIONS if file.program is None else _IN_PROGRAMS:
        for action in find(request) if kind in kinds else ():
            found.setdefault(action.edits, action)
    return list(found.values())
