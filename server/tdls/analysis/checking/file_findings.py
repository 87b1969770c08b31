"""Findings of a file.

Runs the rules over each section, leaves out findings that comments silence, and sorts the rest by place. In programs
with embedded scripts, findings that depend on holes in the strings are left out, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.file.finding import placed
from tdls.analysis.file.prefilter import template_in
from tdls.analysis.rules import COMMENT_RULES, find_rule, rule_of, rules_for
from tdls.analysis.suppression.directives import directives_of
from tdls.limits import RULE_STEPS, Budget, OverBudget
from tdls.semantic.model import operation_at
from tdls.structs import NamedTuple, replace
from tdls.syntax.embedded.templates import HoleKind
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.file.source_file import SourceFile
    from tdls.semantic.model import Operation
    from tdls.syntax.embedded.masking import EmbeddedScript, MaskedProgram
    from tdls.syntax.embedded.templates import Template
    from tdls.text.diagnostic import Diagnostic, Fix
    from tdls.text.span import FileSpan

_Found = TypeVar("_Found", "Diagnostic", "Finding")


def without_repetitions(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return `findings`, sorted by place, without repeated messages of rules with `once_per_file`."""
    seen: set[tuple[str, str]] = set()
    kept: list[Diagnostic] = []
    for finding in findings:
        key = (finding.rule, finding.message)
        if key in seen and (rule := find_rule(finding.rule)) is not None and rule.once_per_file:
            continue
        seen.add(key)
        kept.append(finding)
    return kept


_SYNTAX_ERROR, _TEMPLATE = "syntax-error", "template-placeholder"
_OF_NAMES_ALONE = frozenset({"use-after-free", "invalidated-handle", "possibly-invalidated-handle", "consumed-twice"})
"""Rules whose findings depend only on the uses of names, which a hole in the same operation does not change."""
_OF_THE_MODULE = frozenset({"missing-with-named-sequence", "unknown-symbol"})
"""Rules whose findings depend on the module around a script."""
_CONTENTS = frozenset({"finds-nothing", "fails-on-payload", "wrong-reduction", "dead-arm"})
"""Rules whose findings depend on all search conditions of a script."""
_CHANGED_BY_ANY_HOLE = _CONTENTS | _OF_THE_MODULE | {"unused-handle", "unmarked-argument"}
"""Rules whose findings a hole anywhere in the section can change."""
_OF_VALUE_NAMES = frozenset({"undefined-value", "redefined-value", "use-before-definition"})
"""Rules whose findings change if a hole defines a value."""
_VALUE_NAME = re.compile(r"%[\w$.-]*$", re.ASCII)
_LONGEST_NAME = 100


def _certain_in_program(file: SourceFile, program: MaskedProgram, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `findings` that hold for the strings of `program`, with fixes for them; `file` is its mask."""
    kept = []
    for finding in findings:
        script = program.script_at(finding.span.start)
        if script is not None and _holds(file, script, finding):
            holes = [slice(*hole.span) for hole in script.holes if hole.is_name]
            written = _with_written(finding, {program.text[each]: program.source[each] for each in holes})
            kept.append(replace(written, fixes=tuple(_written_fixes(program, finding.fixes))))
    return kept


def _with_written(finding: _Found, names: Mapping[str, str]) -> _Found:
    """Return a finding whose messages have the text of holes, the values of `names`, in place of the names read."""

    def restored(text: str) -> str:
        for read, written in names.items():
            text = text.replace(read, written)
        return text

    return replace(
        finding,
        message=restored(finding.message),
        help=restored(finding.help) if finding.help is not None else None,
        notes=tuple(replace(note, message=restored(note.message)) for note in finding.notes),
    )


def _holds(file: SourceFile, script: EmbeddedScript, finding: Diagnostic) -> bool:
    if script.is_guessed or (finding.rule in _OF_THE_MODULE and not script.is_module):
        return False
    if not script.holes or finding.rule in _OF_NAMES_ALONE:
        return True
    has_unknown_operations = any(hole.kind is HoleKind.OPERATIONS for hole in script.holes)
    if finding.rule in _CONTENTS or (has_unknown_operations and finding.rule != _SYNTAX_ERROR):
        return False
    return not _is_next_to_hole(file, script, finding.span)


def _is_next_to_hole(file: SourceFile, script: EmbeddedScript, span: FileSpan) -> bool:
    """Whether the operation of a finding contains a hole; where no operation is read, whether the line does."""
    line, operation = file.position(span.start).line, _operation_at(file, span.start)
    for hole in script.holes:
        other = _operation_at(file, hole.span.start)
        is_known = operation is not None and other is not None
        if other is operation if is_known else file.position(hole.span.start).line == line:
            return True
    return False


def _operation_at(file: SourceFile, offset: int) -> Operation | None:
    context = file.context_at(offset)
    return operation_at(context.model, context.to_local(offset))


def _written_fixes(program: MaskedProgram, fixes: Iterable[Fix]) -> Iterable[Fix]:
    from tdls.syntax.embedded.masking import written_edit

    for fix in fixes:
        edits = tuple(written for edit in fix.edits if (written := written_edit(program, edit)) is not None)
        if len(edits) == len(fix.edits):
            yield replace(fix, edits=edits)


_NAMED_RULES = 3
"""Number of rules to name for one reason of failure; the others are counted."""
_LONGEST_REASON = 300
"""Maximum number of characters of an exception to show: some print a whole tree."""


class RuleFailure(NamedTuple):
    """A mistake in tdls: a rule, or a fact that it uses, raised an exception."""

    rule: str
    trace: str
    """The traceback, which ends with the exception."""

    @property
    def reason(self) -> str:
        """The exception in one line."""
        line = self.trace.strip().splitlines()[-1]
        return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]} ..."


class SectionFindings(NamedTuple):
    """Findings of the rules in a section, with offsets in the section, and the rules that failed there."""

    found: tuple[Finding, ...]
    failures: tuple[RuleFailure, ...] = ()


@TrackedFact
def findings_of(context: Context) -> SectionFindings:
    """Run the rules over a section."""
    if context.section.is_left_out:
        from tdls.analysis.rules.checking.not_analysed import left_out

        return SectionFindings((left_out(context),))
    findings: list[Finding] = []
    failures: list[RuleFailure] = []
    size = _size(context)
    template = template_in(context.section)
    is_prose = template is not None and template.has_control
    for rule in (rule_of(_TEMPLATE),) if is_prose else rules_for(context):
        context.budget = Budget(RULE_STEPS, size)
        try:
            findings += list(rule.findings(context))
        except OverBudget as over:
            context.rules_given_up.append((rule.name, over.limit))
        except Exception as error:
            failures.append(RuleFailure(rule.name, _trace(error)))
    if template is not None:
        findings = list(_certain_in_template(context, template, findings))
    findings = [replace(each, level=Level.HINT) if _is_doubtful(context, each) else each for each in findings]
    return SectionFindings(tuple(findings), tuple(failures))


def _is_doubtful(context: Context, finding: Finding) -> bool:
    """Whether a finding rests on the definition of an operation that the project changes by patches of LLVM."""
    if finding.level is Level.HINT or rule_of(finding.rule).holds_for_any_definition:
        return False
    operation = operation_at(context.model, finding.span.start)
    return operation is not None and operation.definition is not None and operation.definition.is_patched


def _certain_in_template(context: Context, template: Template, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield those of `findings` that hold for any text in the holes of a section, with the placeholders of its text."""
    kinds = {hole.kind for hole in template.holes}
    names_values = HoleKind.VALUE in kinds or any(
        _VALUE_NAME.search(template.read[max(hole.span.start - _LONGEST_NAME, 0) : hole.span.end]) is not None
        for hole in template.holes
        if hole.kind is HoleKind.NAME
    )
    with_holes = {operation_at(context.model, hole.span.start) for hole in template.holes}
    has_unread = None in with_holes or HoleKind.OPERATIONS in kinds
    for finding in findings:
        if finding.rule == _TEMPLATE:
            yield finding
            continue
        if finding.rule not in _OF_NAMES_ALONE:
            places = [finding.span, *(note.span for note in finding.notes if note.section is None)]
            if (
                finding.subject is Subject.PAYLOAD
                or finding.rule in _CHANGED_BY_ANY_HOLE
                or (names_values and finding.rule in _OF_VALUE_NAMES)
                or (has_unread and finding.rule != _SYNTAX_ERROR)
                or any(operation_at(context.model, span.start) in with_holes for span in places)
            ):
                continue
        yield replace(_with_written(finding, template.names), fixes=())


def found_in(context: Context) -> list[Diagnostic]:
    """Return the findings of the rules in a section, silenced or not, with offsets in the file."""
    findings, window = findings_of(context).found, context.window
    if window is not None:  # what is around its run is a copy
        findings = tuple(
            replace(finding, fixes=tuple(fix for fix in finding.fixes if all(window.holds(e.span) for e in fix.edits)))
            for finding in findings
            if window.holds(finding.span)
        )
    return [placed(context, finding) for finding in findings]


def failures_in_words(failures: Iterable[RuleFailure]) -> list[str]:
    """Return a line for each reason of failure, with its rules."""
    by_reason: dict[str, dict[str, None]] = {}
    for failure in failures:
        by_reason.setdefault(failure.reason, {})[failure.rule] = None
    return [f"{_named(list(rules))} failed: {reason}" for reason, rules in by_reason.items()]


def _size(context: Context) -> int:
    try:
        return context.size
    except Exception:
        return 1


def _trace(error: Exception) -> str:
    import traceback

    try:
        return "".join(traceback.format_exception(error))
    except (MemoryError, RecursionError):
        return f"{type(error).__name__}\n"


def _named(rules: list[str]) -> str:
    names = [f"`{name}` ({rule.code})" for name in rules[:_NAMED_RULES] if (rule := find_rule(name)) is not None]
    more = f" and {len(rules) - len(names)} more" if len(rules) > len(names) else ""
    return f"{'rule' if len(rules) == 1 else 'rules'} {', '.join(names)}{more}"


class FileFindings(NamedTuple):
    """Findings to report for a file, and the rules that failed in it, whose findings are missing."""

    reported: list[Diagnostic]
    failures: list[RuleFailure]


class RuleFailedError(Exception):
    """A rule failed where all findings are needed; the message is the traceback."""


def check_file(file: SourceFile) -> FileFindings:
    """Run the rules over a file; reads every section."""
    contexts = [each for context in file.contexts for each in context.readable]
    return FileFindings(reported(file, contexts), failures_of(contexts))


def findings_in_file(file: SourceFile) -> list[Diagnostic]:
    """Return the findings of `check_file`. Raises RuleFailedError if a rule failed, as its findings are missing."""
    findings = check_file(file)
    if findings.failures:
        raise RuleFailedError(findings.failures[0].trace)
    return findings.reported


def failures_of(contexts: Iterable[Context]) -> list[RuleFailure]:
    """Return the rules that fail in the sections of `contexts`, each with its first failure."""
    first: dict[str, RuleFailure] = {}
    for context in contexts:
        for failure in findings_of(context).failures:
            first.setdefault(failure.rule, failure)
    return list(first.values())


def reported(file: SourceFile, contexts: Iterable[Context], *, is_complete: bool = True) -> list[Diagnostic]:
    """Return the findings to report for a file in which only the sections of `contexts` have findings.

    Comments that silence nothing are reported only if `is_complete` and no rule fails.
    """
    contexts = list(contexts)
    is_complete = is_complete and not failures_of(contexts)
    kept = _settled(file, _found(file, contexts), is_complete=is_complete)
    return without_repetitions(sorted(kept, key=lambda finding: (finding.span, finding.rule, finding.message)))


def _settled(file: SourceFile, findings: list[Diagnostic], *, is_complete: bool) -> list[Diagnostic]:
    if not file.sections_with(directives_of):
        return findings
    from tdls.analysis.suppression.silencing import settled

    return settled(file, findings, is_complete=is_complete)


def findings_in_section(context: Context) -> list[Diagnostic]:
    """Return the findings in one section that no comment silences, with offsets in the file.

    Mistakes in the comments themselves are not among them.
    """
    findings = _found(context.file, [context])
    if not context.file.sections_with(directives_of):
        return findings
    from tdls.analysis.suppression.silencing import not_silenced

    return not_silenced(context.file, findings)


def _found(file: SourceFile, contexts: Iterable[Context]) -> list[Diagnostic]:
    findings = [finding for context in contexts for finding in found_in(context)]
    return _certain_in_program(file, file.program, findings) if file.program is not None else findings


def findings_about_comments(file: SourceFile, span: FileSpan) -> list[Diagnostic]:
    """Return the findings about silencing comments at `span`; unused ones only if all sections were checked."""
    if not file.sections_with(directives_of):
        return []
    from tdls.analysis.suppression.suppressions import suppressions_of

    places = (directive.place(file, directive.directive.span) for directive in suppressions_of(file).directives)
    if not any(_meet(place, span) for place in places):
        return []
    known = [(context, findings_of.known(context.section)) for context in file.contexts]
    with_findings = (context for context, kept in known if kept is not None and any(kept.value))
    findings = [finding for context in with_findings for finding in found_in(context)]
    is_complete = all(kept is not None and not kept.value.failures for _, kept in known)
    about_all = _settled(file, findings, is_complete=is_complete)
    return [finding for finding in about_all if finding.rule in COMMENT_RULES and _meet(finding.span, span)]


def _meet(first: FileSpan, second: FileSpan) -> bool:
    return first.start <= second.end and second.start <= first.end
