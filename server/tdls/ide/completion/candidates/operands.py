"""Values that may be used at a cursor: live ones first, consumed ones last and marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.item import CompletionItem, ItemKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.candidates.scope import CompletionScope
    from tdls.ide.completion.candidates.values import VisibleValue
    from tdls.ide.completion.site import Site
    from tdls.semantic.model import Operation
    from tdls.syntax.expected.model import Operand

_FITS, _UNKNOWN, _MISFIT, _CONSUMED = range(4)


def operand_items(site: Site, scope: CompletionScope, operand: Operand) -> Iterator[CompletionItem]:
    """Yield the values in scope for the operand, of very many those that are defined last."""
    for visible in scope.limited(scope.values, lambda candidate: candidate.value.shown, site.expected.word.prefix):
        tier = _tier(scope, visible, operand)
        name = visible.value.shown
        yield CompletionItem(
            name,
            ItemKind.VALUE,
            site.span,
            name,
            f"{tier}{visible.distance:04}",
            name,
            detail=visible.value.type or "",
            note=_note(site, visible.consumer),
            preselect=tier == _FITS and visible.distance == 0,
            data=("value", name),
        )


def _tier(scope: CompletionScope, visible: VisibleValue, operand: Operand) -> int:
    if visible.consumer is not None:
        return _CONSUMED
    if operand.definition is None or visible.value.type is None:
        return _UNKNOWN
    return _FITS if scope.fits(operand.definition, visible.value.type) else _MISFIT


def _note(site: Site, consumer: Operation | None) -> str:
    if consumer is None:
        return ""
    return f"consumed by {consumer.name} in line {site.line_of(consumer) + 1}"
