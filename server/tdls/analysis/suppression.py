"""Comments that silence a rule at one place: ``// tdls: ignore[rule-name]``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.rules import find_rule
from tdls.syntax.comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.context import Context
    from tdls.analysis.source_file import SourceFile
    from tdls.syntax.sections import Section
    from tdls.text.diagnostic import Diagnostic

DIRECTIVE = re.compile(r"//(?:.*\s)?tdls:\s*ignore\[([^\]]*)\]")
"""A comment with the directive; its group is the list of rules, separated by commas."""
_COMMENT_LINE = re.compile(r"\s*//")


def not_suppressed(file: SourceFile, context: Context, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `findings`, made in `context` and with places in `file`, that no comment silences.

    Such a comment stands at the end of the line that the finding begins in, or alone on the line before.
    """
    if not _has_directives(file, context):
        return list(findings)
    return [finding for finding in findings if not _is_suppressed(file, finding)]


def _has_directives(file: SourceFile, context: Context) -> bool:
    """Tell whether a comment could concern a section: one of its own, or at the end of what stands before it."""
    pieces = file.sections.pieces[max(context.index - 1, 0) : context.index + 1]
    return pieces[-1].is_half or any(_mentions_tdls(piece.section) for piece in pieces)


def _mentions_tdls(section: Section) -> bool:
    known: bool | None = section.derived.get("tdls")
    if known is None:
        known = section.derived["tdls"] = "tdls:" in section.text
    return known


def _is_suppressed(file: SourceFile, finding: Diagnostic) -> bool:
    line = file.position(finding.span.start).line
    before = file.line_text(line - 1)
    directives = [file.line_text(line), before if _COMMENT_LINE.match(before) else ""]
    return any(_names(finding, text) for text in directives if "tdls:" in text)


def _names(finding: Diagnostic, line: str) -> bool:
    rule = find_rule(finding.rule)
    wanted = {finding.rule, rule.code.casefold() if rule is not None else finding.rule}
    directives = (DIRECTIVE.match(comment.text) for comment in comments(line))
    silenced = (name.strip().casefold() for match in directives if match for name in match[1].split(","))
    return not wanted.isdisjoint(silenced)
