"""Comments that silence a rule at one place: ``// tdls: ignore[rule-name]``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.rules import find_rule
from tdls.syntax.comments import comments

if TYPE_CHECKING:
    from tdls.analysis.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic

DIRECTIVE = re.compile(r"//(?:.*\s)?tdls:\s*ignore\[([^\]]*)\]")
"""A comment with the directive; its group is the list of rules, separated by commas."""
_COMMENT_LINE = re.compile(r"\s*//")


def is_suppressed(file: SourceFile, finding: Diagnostic) -> bool:
    """Tell whether a comment silences `finding`, which has its place in `file`.

    The comment stands at the end of the line that the finding begins in, or alone on the line before.
    """
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
