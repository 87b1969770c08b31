"""The rule `unfitting-types`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.analysis.verifying.type_relations import by_traits, parameters_of_types
from tdls.analysis.verifying.verifiers import verifier_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations whose operands and results have types that do not fit each other."""
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken:
            continue
        checks = (parameters_of_types, by_traits, *verifier_of(operation).types)
        complaint = next(chain.from_iterable(each(context, operation) for each in checks), None)
        if complaint is not None:
            yield complaint.finding(RULE.name, RULE.level)


RULE: Final = Rule("unfitting-types", check=check)
