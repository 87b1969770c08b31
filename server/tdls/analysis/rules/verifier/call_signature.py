"""The rule `call-signature`."""

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
    """Report operations whose operands or results do not fit the named sequences that they refer to."""
    for operation in operations:
        for check in verifier_of(operation).calls:
            complaint = next(check(context, operation), None)
            if complaint is not None:
                yield complaint.finding(RULE.name, RULE.level)


RULE: Final = Rule("call-signature", check=check)
