"""Extract matcher from match: a search by names becomes a matcher, which ``foreach_match`` can use, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import READONLY
from tdls.ide.refactorings.place import RefusalError
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, YIELD
from tdls.syntax.tree import Form
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.ide.refactorings.place import Place
    from tdls.text.diagnostic import TextEdit

_MATCH = "transform.structured.match"
_TYPE = "!transform.any_op"


def extract_matcher(place: Place) -> list[TextEdit] | None:
    """Return the edits that give the match here a matcher, which ``collect_matching`` applies; None elsewhere.

    Both walk the same operations in the same order, the root included, and an operation of several roots fails only
    for a match. Raises RefusalError.
    """
    match = place.operation(_MATCH)
    if match is None:
        return None
    sequence = place.sequence_around(match)
    names = match.syntax.attribute("ops")
    other = next((attribute.name for attribute in match.syntax.attributes if attribute is not names), None)
    if other is not None:
        raise RefusalError(f"no operation of matchers asks for what `{other}` says")
    if names is None or names.value is None or match.syntax.form is not Form.EXACT:
        raise RefusalError("it names no operations")
    found = sorted(match.required_names or ())
    name = place.symbol(f"match_{found[0].replace('.', '_')}" if len(found) == 1 else "matcher")
    step = "  "
    matcher = (
        f"{NAMED_SEQUENCE} @{name}(%op: {_TYPE} {{{READONLY}}}) -> {_TYPE} {{",
        f"{step}transform.match.operation_name %op {names.value} : {_TYPE}",
        f"{step}{YIELD} %op : {_TYPE}",
        "}",
    )
    searched = Span(match.location.start, match.syntax.operands[0].start)
    return [place.insertion_before(sequence, matcher), place.edit(searched, f"transform.collect_matching @{name} in ")]
