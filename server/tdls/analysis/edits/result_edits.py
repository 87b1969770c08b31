"""Changing the number of results that an operation names and types."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import ResultGroup

_NEW_NAME = "%loops"


def with_result_count(context: Context, operation: Operation, wanted: int) -> tuple[SectionEdit, ...]:
    """Return the edits that give `operation` `wanted` results, at least one, by changes behind its first ones.

    There are none where a result that would go is used, or where types are not spelled. New results have the type of
    the last one.
    """
    types = operation.syntax.result_types
    if not types or not types[-1].is_spelled or wanted < 1:
        return ()
    if any(value in context.users for value in operation.results[wanted:]):
        return ()
    return (*_names(context, operation, wanted), *_types(context, operation, wanted))


def _types(context: Context, operation: Operation, wanted: int) -> Iterator[SectionEdit]:
    types = operation.syntax.result_types or ()
    last = types[-1].span
    if wanted < len(types):
        yield SectionEdit(Span(types[wanted - 1].end, last.end), "")
        return
    more = f", {types[-1].text}" * (wanted - len(types))
    if context.section.text[: types[0].start].rstrip().endswith("("):
        yield SectionEdit(Span(last.end, last.end), more)
    else:
        yield SectionEdit(last, f"({types[-1].text}{more})")


def _names(context: Context, operation: Operation, wanted: int) -> Iterator[SectionEdit]:
    groups = operation.syntax.results
    first = 0
    for group in groups:
        is_last = group is groups[-1]
        if first + group.count >= wanted or (is_last and len(groups) > 1):
            yield SectionEdit(group.span, _spelled(group.name, wanted - first))
            yield from _without(groups, group)
            return
        first += group.count
    if groups:
        end = groups[-1].end
        yield SectionEdit(Span(end, end), f", {_spelled(_free_name(context), wanted - first)}")


def _without(groups: tuple[ResultGroup, ...], last: ResultGroup) -> Iterator[SectionEdit]:
    """Drop the groups behind `last`."""
    if last is not groups[-1]:
        yield SectionEdit(Span(last.end, groups[-1].end), "")


def _spelled(name: str, number: int) -> str:
    return name if number == 1 else f"{name}:{number}"


def _free_name(context: Context) -> str:
    text = context.section.text
    names = (_NEW_NAME if number == 0 else f"{_NEW_NAME}_{number}" for number in count())
    return next(name for name in names if name not in text)
