"""Application of silencing comments to findings, and findings about the comments themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules import COMMENT_RULES, needs_only_section, rule_of
from tdls.analysis.suppression.directives import SuppressionScope, similar_scope
from tdls.analysis.suppression.suppressions import suppressions_of
from tdls.settings.rule_codes import RULE_CODES
from tdls.text.diagnostic import Diagnostic, Fix, Tag, TextEdit
from tdls.text.level import Level
from tdls.text.positions import Position
from tdls.text.similarity import most_similar
from tdls.text.span import FileSpan
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.directives import ListedName
    from tdls.analysis.suppression.suppressions import Entry, PlacedDirective

_BLANKS = " \t"


def removal(file: SourceFile, entries: Iterable[Entry]) -> tuple[TextEdit, ...]:
    """Return the edits, with spans in `file`, that remove `entries`; for a region, its beginning and its end."""
    by_directive: dict[PlacedDirective, list[ListedName]] = {}
    for entry in entries:
        for half in (entry, entry.partner):
            if half is not None:
                by_directive.setdefault(half.placed, []).append(half.name)
    return tuple(without_names(file, placed, names) for placed, names in by_directive.items())


def without_names(file: SourceFile, placed: PlacedDirective, names: Collection[ListedName]) -> TextEdit:
    """Return the edit that removes `names` from a directive, and the directive if no name is left."""
    kept = [name.text for name in placed.directive.names if name not in names]
    if kept and placed.directive.list_span is not None:
        return TextEdit(placed.place(file, placed.directive.list_span), ", ".join(kept))
    return _without_directive(file, placed)


def _without_directive(file: SourceFile, placed: PlacedDirective) -> TextEdit:
    """Remove the directive with its reason, a comment without other text, and a line that is empty then."""
    line = file.line_text(placed.line)
    line_start = file.offset(Position(placed.line, 0))
    extent = placed.place(file, placed.directive.extent).shifted(-line_start)
    comment = placed.place(file, placed.directive.comment).shifted(-line_start)
    says_before = line[comment.start : extent.start].strip("/" + _BLANKS)
    says_behind = line[extent.end : comment.end].strip(_BLANKS)
    if says_behind:
        end = comment.end - len(line[extent.end : comment.end].lstrip(_BLANKS))
        return TextEdit(FileSpan(extent.start, end).shifted(line_start), "")
    start = len(line[: extent.start if says_before else comment.start].rstrip(_BLANKS))
    if start or says_before:
        return TextEdit(FileSpan(start, len(line)).shifted(line_start), "")
    return TextEdit(FileSpan(line_start, file.offset(Position(placed.line + 1, 0))), "")


_EXAMPLE = "name the rules in brackets: `// tdls: {}[rule-name]`"


def mistakes(file: SourceFile) -> Iterator[Diagnostic]:
    """Yield the findings about malformed directives of `file`, which do not depend on other findings."""
    for placed in suppressions_of(file).directives:
        yield from _malformed(file, placed)
        for name in placed.unknown:
            yield _unknown(file, placed, name)


def _malformed(file: SourceFile, placed: PlacedDirective) -> Iterator[Diagnostic]:
    directive = placed.directive
    if directive.scope is None:
        yield _unknown_word(file, placed)
    elif directive.list_span is None or (directive.is_closed and not directive.names):
        yield _finding(placed.place(file, directive.span), _NAMES_NOTHING, _EXAMPLE.format(directive.word))
    elif not directive.is_closed:
        message = "the list of rules is not closed, so nothing is silenced"
        yield _finding(placed.place(file, directive.span), message, "write `]` behind the last rule")
    else:
        yield from _unpaired(file, placed)


_NAMES_NOTHING = "this comment names no rule, so nothing is silenced"


def _unknown_word(file: SourceFile, placed: PlacedDirective) -> Diagnostic:
    word = placed.directive.word
    meant = similar_scope(word) or SuppressionScope.LINE
    edit = TextEdit(placed.place(file, placed.directive.word_span), meant.value)
    message = f"`{word}` is not how a comment silences rules, so nothing is silenced"
    fix = Fix(f"Change to `{meant.value}`", (edit,))
    return _finding(placed.place(file, placed.directive.span), message, f"write `{meant.value}`", (fix,))


def _unpaired(file: SourceFile, placed: PlacedDirective) -> Iterator[Diagnostic]:
    """Report regions without an end, which silence up to the end of the file (that may not be meant), and lone ends."""
    for entry in placed.entries:
        if entry.partner is not None or entry.scope not in (SuppressionScope.BEGIN, SuppressionScope.END):
            continue
        place = placed.place(file, entry.name.span)
        if entry.scope is SuppressionScope.BEGIN:
            end, file_scope = SuppressionScope.END.value, SuppressionScope.FILE.value
            help_text = f"end it with `// tdls: {end}[{entry.rule}]`, or say `{file_scope}`"
            yield _finding(place, f"the region in which `{entry.rule}` is silenced has no end", help_text)
        else:
            fix = Fix(f"Remove `{entry.name.text}`", (without_names(file, placed, [entry.name]),), safe=True)
            message = f"no region in which `{entry.rule}` is silenced ends here"
            yield _finding(place, message, "remove it, or write where the region begins", (fix,))


def _unknown(file: SourceFile, placed: PlacedDirective, name: ListedName) -> Diagnostic:
    rule = rule_of("unknown-suppressed-rule")
    close = most_similar(name.text.casefold(), RULE_CODES)
    place = placed.place(file, name.span)
    fixes = [Fix(f"Change to `{close}`", (TextEdit(place, close),))] if close is not None else []
    advice = f"did you mean `{close}`?" if close is not None else "`tdls explain` lists all rules"
    message = f"no rule is called `{name.text}`, so nothing is silenced"
    return Diagnostic(rule.name, rule.level, message, place, help=advice, fixes=tuple(fixes))


def _finding(place: FileSpan, message: str, help_text: str, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
    rule = rule_of("malformed-suppression")
    return Diagnostic(rule.name, rule.level, message, place, help=help_text, fixes=fixes)


def unused(file: SourceFile, placed: PlacedDirective, entries: Sequence[Entry]) -> Diagnostic:
    """Return the finding that `entries`, some or all of those of one directive, silence nothing."""
    rule = rule_of("unused-suppression")
    names = dict.fromkeys(f"`{entry.name.text}`" for entry in entries)
    message = f"nothing to silence {_where(placed)} for {enumerated(list(names))}"
    is_whole = len(entries) == len(placed.directive.names)
    action = "Remove the comment" if is_whole else f"Remove {enumerated(list(names))} from the comment"
    fix = Fix(action, removal(file, entries), safe=True)
    return Diagnostic(
        rule.name,
        rule.level,
        message,
        placed.place(file, placed.directive.span),
        help=action[0].lower() + action[1:],
        fixes=(fix,),
        tag=Tag.UNNECESSARY,
    )


def _where(placed: PlacedDirective) -> str:
    if placed.directive.scope is SuppressionScope.FILE:
        return "in this file"
    if placed.directive.scope is SuppressionScope.BEGIN:
        return "in this region"
    return "in the next line" if placed.is_alone else "in this line"


_HIDING = frozenset({"syntax-error", "unknown-symbol", "template-placeholder"})
"""Rules whose findings, silenced or not, mean that other rules see less of the script."""


def not_silenced(file: SourceFile, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `findings`, with spans in `file`, that no comment silences."""
    suppressions = suppressions_of(file)
    if not suppressions:
        return list(findings)
    return [finding for finding in findings if suppressions.silencing(file, finding) is None]


def settled(file: SourceFile, findings: Iterable[Diagnostic], *, is_complete: bool = True) -> list[Diagnostic]:
    """Return those of `findings` that no comment silences, and the findings about silencing comments.

    `findings` are the findings of rules in `file`. Comments are reported as unused only if `is_complete` and the script
    has no errors: more findings may appear when errors are fixed.
    """
    if not suppressions_of(file):
        return list(findings)
    return _Settling(file, list(findings), is_complete=is_complete).result()


class _Settling:
    """One pass over the findings of a file, which records the entries that silence something."""

    def __init__(self, file: SourceFile, findings: list[Diagnostic], *, is_complete: bool) -> None:
        self._file = file
        self._suppressions = suppressions_of(file)
        self._found = findings
        self._used: set[Entry] = set()
        self._is_complete = is_complete

    def result(self) -> list[Diagnostic]:
        """Return the remaining findings.

        Comments silence findings about comments, too, except that they are unused themselves.
        """
        kept = list(self._unsilenced(self._found))
        is_damaged = any(finding.rule in _HIDING for finding in self._found)
        if not self._is_complete or is_damaged or any(finding.level is Level.ERROR for finding in kept):
            return [*kept, *self._unsilenced(mistakes(self._file))]
        kept += self._unsilenced([*mistakes(self._file), *self._unused(about_comments=False)])
        return [*kept, *self._unused(about_comments=True)]

    def _unsilenced(self, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for finding in findings:
            entry = self._suppressions.silencing(self._file, finding)
            if entry is None:
                yield finding
            else:
                self._used.add(entry)

    def _unused(self, *, about_comments: bool) -> Iterator[Diagnostic]:
        for placed in self._suppressions.directives:
            entries = [entry for entry in placed.entries if (entry.rule in COMMENT_RULES) is about_comments]
            idle = [
                entry
                for entry in entries  # the end of a region cannot be unused, nor a rule that is not checked here
                if entry not in self._used and entry.scope is not SuppressionScope.END
                if about_comments or (needs_only_section(entry.rule) and not rule_of(entry.rule).command)
            ]
            if idle:
                yield unused(self._file, placed, idle)
