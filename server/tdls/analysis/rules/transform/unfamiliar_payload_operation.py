"""The rule `unfamiliar-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.payload_names import unknown_payload_names
from tdls.analysis.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that LLVM does not have, but another project may have."""
    for unknown in unknown_payload_names(context):
        if unknown.is_typing_error:
            continue
        meant = " or ".join(f"`{name}`" for name in unknown.meant)
        nearest = context.catalogue.operation(unknown.meant[0]) if unknown.meant else None
        is_of_project = nearest is not None and not nearest.versions
        reason = "no source of the project has" if is_of_project else "LLVM has none of"
        yield Finding(
            RULE.name,
            RULE.level,
            f"possibly unknown payload operation `{unknown.spelled.name}`: {reason} this name",
            unknown.spelled.span,
            help=f"did you mean {meant}?" if meant else "if there is none, nothing is ever matched",
            fixes=unknown.fixes(),
        )


RULE: Final = Rule("unfamiliar-payload-operation", find=find, is_silent=True)
