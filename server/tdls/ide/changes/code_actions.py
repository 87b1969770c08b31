"""Code actions: edits offered at a place, from fixes of findings, suppressions, and marks of arguments."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import check_file, findings_about_comments, findings_in_section
from tdls.analysis.file.finding import placed_edit
from tdls.analysis.fixing import choose, ranks_fixes, sorted_edits, with_tried_fixes
from tdls.analysis.meaning.sequences import add_mark, fitting_mark, marks_of
from tdls.analysis.rules import COMMENT_RULES
from tdls.analysis.suppression.suppressions import silence_in_file, silence_in_line
from tdls.ide.document.semantic_tokens import pieces_in
from tdls.ide.run_marks import RunMarks
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.settings.llvm_versions import newest_version, version_name
from tdls.settings.selection import ALL, with_levels
from tdls.structs import Struct
from tdls.system import cached_property
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation
    from tdls.settings.selection import Levels
    from tdls.syntax.tree import BlockArgument
    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit
    from tdls.text.span import FileSpan


class ActionKind(Enum):
    """The kind of an action, as LSP distinguishes them."""

    QUICK_FIX = "quick fix"
    """Removes a finding."""
    REWRITE = "rewrite"
    """Keeps the meaning of the script."""
    EXTRACT = "extract"
    """Gives a part of the script a name of its own; this kind and the next two are refused where they do not apply."""
    INLINE = "inline"
    """Puts what has a name in the place of its use."""
    RESTRUCTURE = "restructure"
    """Puts a sequence into another form."""
    STEP = "step"
    """Inserts a step that was tried."""
    FIX_ALL = "fix all"
    """Removes all findings of the file that have safe fixes; offered only if the client requests this kind."""
    MIGRATE = "migrate"
    """Writes the file as a version of LLVM does; offered only if the client requests this kind."""


class CodeAction(Struct, frozen=True):
    """A change of the requested file; `edits` do not overlap and have spans of the file.

    `finding` is the finding that it removes. An action is preferred if it is the best one for its finding. A `refusal`
    is the reason why there are no edits.
    """

    title: str
    kind: ActionKind
    edits: tuple[TextEdit, ...]
    finding: Diagnostic | None = None
    is_preferred: bool = False
    refusal: str | None = None


class ActionRequest(Struct, frozen=True, has_dict=True):
    """A request for actions at `span` of a file; `levels` are the user's levels of rules, `marks` those of runs."""

    file: SourceFile
    span: FileSpan
    levels: Levels
    marks: RunMarks

    @cached_property
    def contexts(self) -> list[Context]:
        """The sections that `span` touches, of long ones the windows at its ends."""
        sections = (self.file.sections.pieces[index].section for index in pieces_in(self.file, self.span))
        contexts = map(self.file.context_of, dict.fromkeys(sections))
        return [each for context in contexts for each in dict.fromkeys(map(context.reading, self.span))]

    @cached_property
    def findings(self) -> list[Diagnostic]:
        """The findings that `span` touches."""
        findings = [finding for context in self.contexts for finding in findings_in_section(context)]
        touched = [finding for finding in findings if self.touches(finding.span)]
        left = self.marks.unrefuted([*touched, *findings_about_comments(self.file, self.span)], self.file)
        return with_levels(left, self.levels)

    @cached_property
    def has_errors(self) -> bool:
        """Whether a section that `span` touches has an error, at any place."""
        findings = (finding for context in self.contexts for finding in findings_in_section(context))
        return any(finding.level is Level.ERROR for finding in findings)

    @cached_property
    def all_findings(self) -> list[Diagnostic]:
        """The findings of the whole file."""
        return with_levels(self.marks.unrefuted(check_file(self.file).reported, self.file), self.levels)

    def touches(self, span: FileSpan) -> bool:
        """Return whether `span` and the requested span overlap or touch; both ends are inclusive."""
        return span.start <= self.span.end and self.span.start <= span.end


def proposed_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the fixes of the findings at a place, errors first, without those that did not help in a trial.

    The best of several ranked ones is preferred, and an only one, but that of a hint only where no error may be the
    reason for it. In large sections no fix is tried, as each trial reads the section again; ranked ones are left out.
    """
    for finding in sorted(request.findings, key=lambda finding: list(Level).index(finding.level)):
        if finding.rule == "older-form" and (action := _migration_at(request, finding)) is not None:
            yield action
            continue
        is_doubtful = finding.level is Level.HINT and request.has_errors
        for number, fix in enumerate(_offered(request, finding)):
            is_best = len(finding.fixes) == 1 or (number == 0 and ranks_fixes(finding.rule))
            is_preferred = is_best and not is_doubtful
            yield CodeAction(fix.title, ActionKind.QUICK_FIX, fix.edits, finding, is_preferred)


def fixes_at_calls(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the fixes of findings in the scripts that a program built, at its calls."""
    for finding in request.marks.findings:
        for fix in finding.fixes if request.touches(finding.span) else ():
            yield CodeAction(fix.title, ActionKind.QUICK_FIX, fix.edits, finding, is_preferred=True)


def _migration_at(request: ActionRequest, finding: Diagnostic) -> CodeAction | None:
    """Return the action that migrates the script with `finding`, and what MLIR reads together with it."""
    from tdls.ide.changes.migration import part_at

    for whole in whole_migration(request):
        part = part_at(request.file, finding.span.start)
        edits = tuple(edit for edit in whole.edits if part_at(request.file, edit.span.start) == part)
        title = whole.title if edits == whole.edits else whole.title.replace("this file", "this script")
        return CodeAction(title, ActionKind.QUICK_FIX, edits, finding) if edits else None
    return None


def _offered(request: ActionRequest, finding: Diagnostic) -> tuple[Fix, ...]:
    section = request.file.context_at(finding.span.start).section
    if not (section.is_large or section.is_left_out):
        return with_tried_fixes(request.file, finding).fixes
    return () if ranks_fixes(finding.rule) else finding.fixes


def all_safe_fixes(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield one action with the safe fixes of the whole file; of conflicting ones only the first."""
    chosen = choose(request.all_findings)
    if chosen:
        yield CodeAction("Apply all safe fixes", ActionKind.FIX_ALL, sorted_edits(chosen))


def whole_migration(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the action that brings the file to its target version, without one to the newest version."""
    file = request.file
    target = file.catalogue.target or newest_version()
    from tdls.ide.changes.migration import migrate

    migration = migrate(file, target)
    if migration is not None and migration.edits:
        yield CodeAction(f"Migrate this file to LLVM {version_name(target)}", ActionKind.MIGRATE, migration.edits)


def argument_marks(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for the argument at a place, and one for all arguments if the place is in the signature."""
    for context in request.contexts:
        for operation in context.model.walk():
            if operation.syntax.signature is not None and is_transform_operation(operation):
                yield from _for_sequence(request, context, operation)


def _for_sequence(request: ActionRequest, context: Context, sequence: Operation) -> Iterator[CodeAction]:
    edits: list[TextEdit] = []
    is_requested = request.touches(context.to_file(sequence.location))
    for number, argument in enumerate(sequence.syntax.signature.arguments if sequence.syntax.signature else ()):
        mark = fitting_mark(context, sequence, number) if not marks_of(argument) else None
        edit = add_mark(context, argument, mark) if mark is not None else None
        if edit is None:
            continue
        edits.append(placed_edit(context, edit))
        if _is_at(request, context, argument):
            is_requested = True
            yield CodeAction(f"Mark `{argument.name}` as `{mark}`", ActionKind.REWRITE, (edits[-1],))
    if is_requested and len(edits) > 1:
        yield CodeAction("Mark all arguments by what the body does", ActionKind.REWRITE, tuple(edits))


def _is_at(request: ActionRequest, context: Context, argument: BlockArgument) -> bool:
    span = argument.span
    end = argument.type.end if argument.type is not None else span.end
    return request.touches(context.to_file(span._replace(end=end)))


def suppressions(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield two actions for each rule with findings at a place, except those that no comment mends.

    These are rules on comments, which have fixes instead, and syntax errors: MLIR does not read the file.
    """
    unmendable = {*COMMENT_RULES, "syntax-error"}
    findings = {finding.rule: finding for finding in reversed(request.findings) if finding.rule not in unmendable}
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
    (ActionKind.MIGRATE, whole_migration),
)
_IN_PROGRAMS = ((ActionKind.QUICK_FIX, proposed_fixes), (ActionKind.QUICK_FIX, fixes_at_calls))
"""In programs only fixes are offered, as only their edits are escaped for the string literal with the script."""
_AT_A_PLACE = (ActionKind.QUICK_FIX, ActionKind.REWRITE)


def code_actions(
    snapshot: Snapshot, uri: str, span: FileSpan, kinds: Collection[ActionKind] = _AT_A_PLACE, levels: Levels = ALL
) -> list[CodeAction]:
    """Return the actions of these kinds at `span`, in the order of `_ACTIONS`, without duplicate edits.

    `levels` are the user's levels of rules; findings that are off have no actions.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    request = ActionRequest(file, span, levels, snapshot.marks.get(uri, RunMarks()))
    by_edits: dict[object, CodeAction] = {}
    for kind, find in _ACTIONS if file.program is None else _IN_PROGRAMS:
        for action in find(request) if kind in kinds else ():
            by_edits.setdefault(action.edits, action)
    return list(by_edits.values())
