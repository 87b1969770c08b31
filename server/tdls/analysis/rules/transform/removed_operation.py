"""The rule `removed-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.written_payload import payload_as_written
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform.not_in_target_llvm import absent_names
from tdls.settings.llvm_versions import newest_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that the newest LLVM version lacks, in scripts without a target version.

    A payload that has such an operation is for other versions, and so is its script.
    """
    if context.catalogue.target is not None:
        return
    payload = payload_as_written(context)
    written = {*(each.name for each in payload.root.walk()), *payload.unread.words} if payload is not None else set()
    for finding in absent_names(context, newest_version(), RULE):
        if context.section.text[finding.span.start : finding.span.end].strip('"') not in written:
            yield finding


RULE: Final = Rule("removed-operation", find=find, is_silent=True)
