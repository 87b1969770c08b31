"""The rule `not-analysed`, which runs last: it reports the analyses that exceeded a limit before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import Rule
from tdls.limits import EDITED_OPERATION, NOT_ANALYSED, TYPE_LENGTH
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.limits import Limit


def find(context: Context) -> Iterator[Finding]:
    """Report, once for a section, the analyses that were given up in it."""
    missing = [f"{analysis} (limit {limit})" for analysis, limit in _given_up(context)]
    if missing:
        yield _left_out(context, "; ".join(missing))


def left_out(context: Context) -> Finding:
    """Return the finding for a section of which only the first line is read."""
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
    for rule, limit in context.rules_given_up:
        yield f"`{rule}` is not looked for here", limit


def _first_line(context: Context) -> Span:
    """Return the first line of a section that is not blank, without surrounding blanks."""
    text = context.section.text
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return Span(start, start + len(text[start : end if end >= 0 else len(text)].rstrip()))


_LEVELS = 5
_CALL = "%{0} = transform.include @{1} failures(propagate) (%a) : (!transform.any_op) -> !transform.any_op"


def _example(calls: int) -> str:
    """Return a script with `_LEVELS` sequences, each of which calls the next one `calls` times."""
    lines = ["module attributes {transform.with_named_sequence} {"]
    for level in range(_LEVELS):
        head = f"  transform.named_sequence @level{level}(%a: !transform.any_op {{transform.readonly}})"
        inner = [_CALL.format(number, f"level{level + 1}") for number in range(calls if level + 1 < _LEVELS else 0)]
        last = ["transform.yield %a : !transform.any_op"]
        lines += [f"{head} -> !transform.any_op {{", *(f"    {line}" for line in (*inner, *last)), "  }"]
    lines.append("  transform.named_sequence @__transform_main(%a: !transform.any_op {transform.readonly}) {")
    for number in range(calls):
        use = f'transform.annotate %{number} "my.seen{number}" : !transform.any_op'
        lines += [f"    {_CALL.format(number, 'level0')}", f"    {use}"]
    return "\n".join([*lines, "    transform.yield", "  }", "}", ""])


RULE: Final = Rule(
    code="TD904",
    name=NOT_ANALYSED,
    level=Level.HINT,
    summary="A section asks for more than tdls looks into",
    documentation="""\
What one section of a file, such as a named sequence, may take is limited: steps, depths and lengths
are counted, and the same text gets the same answer on every machine. Where something takes more, it
is given up, and nothing is said that depends on it; the hint names the limit and what is missing.
All else in the section, and all other sections, are looked at as ever. The manual lists the limits
in its page on configuration. `tdls check` counts such sections in its summary.

Scripts that people write are far from the limits. If yours is not, please report it.

**Fix:** write it with fewer calls in calls or in smaller sequences.
""",
    example_bad=_example(5),
    example_good=_example(1),
    find=find,
    is_silent=True,
)
