"""What is wrong with how comments that silence are written."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from tdls.analysis.rules import RULES
from tdls.analysis.rules.checking import malformed_suppression, unknown_suppressed_rule
from tdls.analysis.suppression.directives import SuppressionScope, similar_scope
from tdls.analysis.suppression.removal import without_names
from tdls.analysis.suppression.suppressions import suppressions_of
from tdls.text.diagnostic import Diagnostic, Fix, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.directives import ListedName
    from tdls.analysis.suppression.suppressions import PlacedDirective
    from tdls.text.span import FileSpan

_EXAMPLE = "name the rules in brackets: `// tdls: {}[rule-name]`"


def mistakes(file: SourceFile) -> Iterator[Diagnostic]:
    """Yield what is wrong with the directives of `file`, whatever is found in it."""
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
    """A region without an end silences up to the end of the file; that may not be meant."""
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
    rule = unknown_suppressed_rule.RULE
    close = get_close_matches(name.text.casefold(), [known_rule.name for known_rule in RULES], n=1)
    place = placed.place(file, name.span)
    fixes = [Fix(f"Change to `{close[0]}`", (TextEdit(place, close[0]),))] if close else []
    advice = f"did you mean `{close[0]}`?" if close else "`tdls explain` lists all rules"
    message = f"no rule is called `{name.text}`, so nothing is silenced"
    return Diagnostic(rule.name, rule.level, message, place, help=advice, fixes=tuple(fixes))


def _finding(place: FileSpan, message: str, help_text: str, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
    rule = malformed_suppression.RULE
    return Diagnostic(rule.name, rule.level, message, place, help=help_text, fixes=fixes)
