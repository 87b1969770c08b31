"""The rule `yielded-values`."""

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
    """Report bodies whose yielded values differ from the results of the operation around them."""
    for operation in operations:
        for check in verifier_of(operation).yielded:
            for complaint in check(context, operation):
                yield complaint.finding(RULE.name, RULE.level)


RULE: Final = Rule("yielded-values", check=check)
