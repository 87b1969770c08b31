"""The rule `attribute-value`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.analysis.verifying.attributes import by_definition, dialect_attributes
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.semantic.transform_dialect import is_transform_definition
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.verifying.complaint import Complaint
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report attributes that are missing, of a wrong kind, or out of bounds."""
    mentions_dialect = context.mentions_transform
    for operation in operations:
        for wrong in dialect_attributes(context, operation) if mentions_dialect else ():
            yield wrong.finding(RULE.name, RULE.level)
        definition = operation.definition
        if definition is None or operation.syntax.broken or not is_transform_definition(definition):
            continue
        complaint = next(_complaints(context, operation), None)
        if complaint is not None:
            yield complaint.finding(RULE.name, RULE.level)


def _complaints(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield the errors in the attributes of an operation; those after one of a wrong kind are not certain.

    In a form that is not known, attributes may be spelled in other ways.
    """
    if operation.syntax.form is Form.STRUCTURAL:
        return
    yield from by_definition(context, operation)
    for check in verifier_of(operation).attributes:
        yield from check(context, operation)


RULE: Final = Rule("attribute-value", check=check)
