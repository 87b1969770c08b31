"""The rule `unbound-argument`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import is_external, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.text.level import Level
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report arguments of the entry point after the first, unless the file names the option that binds them."""
    for sequence in sequences:
        signature = sequence.syntax.signature
        if symbol_name(sequence) != ENTRY_POINT or sequence.syntax.broken:
            continue
        if signature is None or len(signature.arguments) < 2 or is_external(sequence):
            continue
        if context.is_called(ENTRY_POINT) or context.binds_trailing_arguments:
            continue
        values = counted(len(signature.arguments) - 1, "value")
        yield Finding(
            RULE.name,
            RULE.level,
            f"nothing here binds this argument: the interpreter has to be given {values} beside the payload root",
            signature.arguments[1].span,
            help="`transform-interpreter{debug-bind-trailing-args=linalg.matmul}` binds payload operations of a name",
        )


RULE: Final = Rule(
    code="TD230",
    name="unbound-argument",
    level=Level.HINT,
    check=check,
    looks_at=NAMED_SEQUENCE,
    shows_when_run=True,
)
