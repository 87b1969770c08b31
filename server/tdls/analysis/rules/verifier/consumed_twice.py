"""The rule `consumed-twice`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.analysis.verifying.verifiers import verifier_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report handles that MLIR does not allow to be consumed more than once in a body."""
    for operation in operations:
        for check in verifier_of(operation).consumed:
            for complaint in check(context, operation):
                yield complaint.finding(RULE.name, RULE.level)


RULE: Final = Rule("consumed-twice", check=check, holds_for_any_definition=True)
