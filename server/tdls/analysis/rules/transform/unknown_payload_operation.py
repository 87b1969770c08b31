"""The rule `unknown-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.payload_names import unknown_payload_names
from tdls.analysis.rule import FixKind, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that are typing errors: no payload has such an operation."""
    for unknown in unknown_payload_names(context):
        if unknown.is_typing_error:
            yield Finding(
                RULE.name,
                RULE.level,
                f"unknown payload operation `{unknown.spelled.name}`: LLVM has none of this name",
                unknown.spelled.span,
                help=f"did you mean `{unknown.meant[0]}`?",
                fixes=unknown.fixes(),
            )


RULE: Final = Rule("unknown-payload-operation", find=find, is_silent=True, fix=FixKind.UNSAFE)
