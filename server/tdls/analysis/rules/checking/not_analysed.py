"""The rule `not-analysed`, which runs last: it reports the analyses that exceeded a limit before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.findings import evaluated, handle_findings
from tdls.analysis.rule import Rule
from tdls.limits import CHECKED_ATTRIBUTE, EDITED_OPERATION, FOLLOWED_PAYLOAD, NOT_ANALYSED, TYPE_LENGTH
from tdls.payload.abridged import abridge
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.limits import Limit

_LIST = "dense<["


def find(context: Context) -> Iterator[Finding]:
    """Report, once for a section, the analyses that were given up in it."""
    missing = [f"{analysis} (limit {limit})" for analysis, limit in _given_up(context)]
    if missing:
        yield _left_out(context, "; ".join(missing))


def left_out(context: Context) -> Finding:
    """Return the finding for a section whose head alone is read."""
    return _left_out(
        context, f"nothing is checked here while it is edited; `tdls --check` does it ({EDITED_OPERATION})"
    )


def _left_out(context: Context, missing: str) -> Finding:
    return Finding(RULE.name, RULE.level, f"this is too large to be analysed in full: {missing}", _first_line(context))


def _given_up(context: Context) -> Iterator[tuple[str, Limit]]:
    """Yield each analysis that was given up, as a phrase, with the limit that it exceeded."""
    handles = handle_findings(context) if context.mentions_transform else None
    effects, paths = context.effects, context.reachability
    if any(alias.name in context.model.types.too_long for alias in context.aliases):
        yield "the type of the alias is compared with no other", TYPE_LENGTH
    if handles is not None and handles.given_up is not None:
        yield "what handles stand for is not followed here", handles.given_up
    if effects.given_up is not None:
        yield "what calls do to handles is not followed to the end", effects.given_up
    if paths.given_up is not None:
        yield "handles are not followed from block to block", paths.given_up
    if _has_long_list(context.section.text):
        yield "a list of numbers is not compared with its type", CHECKED_ATTRIBUTE
    if context.mentions_transform and not evaluated(context).is_read:
        yield "only names of operations are looked for in the payload", FOLLOWED_PAYLOAD
    for rule, limit in context.rules_given_up:
        yield f"`{rule}` is not looked for here", limit


def _has_long_list(text: str) -> bool:
    """Whether a list is too long to be checked, and not found right when literals are shortened."""
    text = abridge(text)[0] if len(text) > CHECKED_ATTRIBUTE.most else ""
    start = text.find(_LIST)
    while start >= 0:
        end = text.find(">", start)
        if (end if end >= 0 else len(text)) - start > CHECKED_ATTRIBUTE.most:
            return True
        start = text.find(_LIST, start + 1)
    return False


def _first_line(context: Context) -> Span:
    """Return the first line of a section that is not blank, without surrounding blanks."""
    text = context.section.text
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return Span(start, start + len(text[start : end if end >= 0 else len(text)].rstrip()))


RULE: Final = Rule(NOT_ANALYSED, find=find, is_silent=True)
