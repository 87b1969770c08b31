"""The rule `library-not-named`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.sequences import has_body, is_outermost, used_sequences
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import is_external
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report used sequences that are only declared here, and that no named library defines.

    Without any library it is a hint, for a script with an entry point: its libraries may be named when it is run.
    """
    seen: set[str] = set()
    for operation in context.operations(OperationKind.TRANSFORM):
        for use in used_sequences(operation):
            name = use.path[0]
            target = context.symbols.lookup_nearest(use.path, operation) if len(use.path) == 1 else None
            if target is None or target.name != NAMED_SEQUENCE or not is_external(target) or name in seen:
                continue
            seen.add(name)
            is_here = context.definition_of(target).context.file is context.file
            if not is_here or not is_outermost(context, operation) or context.is_in_template:
                continue
            has_libraries = any(context.named_libraries)
            is_run = has_libraries or context.symbols.lookup_nearest((ENTRY_POINT,), operation) is not None
            bodies = (has_body(each.definition.operation) for each in context.library_definitions(name))
            if context.knows_all_libraries and is_run and not any(bodies):
                message = f"`@{name}` is only declared here, and no library that is named defines it"
                advice = [*context.named_libraries.missing, "define it in one of them, or name the library that does"]
                yield Finding(RULE.name, RULE.level if has_libraries else Level.HINT, message, use.span, help=advice[0])


RULE: Final = Rule("library-not-named", find=find, shows_when_run=True, holds_for_any_definition=True)
