"""What attributes of an operation say together: lists that reorder, that count others, or that are chosen from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.verifying.attributes.values import elements_of, inherent, integers_of
from tdls.analysis.verifying.complaint import Complaint, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.verifying.complaint import Check
    from tdls.semantic.model import Operation


_IN_BOUNDS_SINCE = 22


def permutation(name: str) -> Check:
    """Return a check that the integers of an attribute are 0, 1, ... in some order; or those of each of its lists.

    LLVM 19 only looks for numbers that occur twice, so a script that may be for it is held to no more.
    """

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        is_old = context.catalogue.target is None or context.catalogue.target < _IN_BOUNDS_SINCE
        attribute = inherent(operation, name)
        text = (attribute.value or "").strip() if attribute is not None else ""
        lists = [text, *(elements_of(text) or ())] if text.startswith("[") else [text]
        for each in lists:
            numbers = integers_of(each) if each.startswith(("[", "array<")) else None
            if attribute is None or numbers is None or (is_old and len(set(numbers)) == len(numbers)):
                continue
            if sorted(numbers) != list(range(len(numbers))):
                spelled = ", ".join(map(str, numbers))
                yield Complaint(
                    f"`{name}` has to be a permutation, not {spelled}",
                    attribute.span,
                    help=f"name each number from 0 to {len(numbers) - 1} once",
                )

    return check


def count_is(name: str, *counts: int) -> Check:
    """Return a check that an attribute has one of some numbers of integers."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        del context
        attribute = inherent(operation, name)
        numbers = integers_of(attribute.value.strip()) if attribute is not None and attribute.value else None
        if attribute is not None and numbers is not None and len(numbers) not in counts:
            wanted = " or ".join("none" if count == 0 else counted(count, "element") for count in counts)
            message = f"`{name}` has to have {wanted}, not {counted(len(numbers), 'element')}"
            yield Complaint(message, attribute.span)

    return check


def at_least(name: str, least: int, most: int | None = None) -> Check:
    """Return a check of the bounds of the integers in an attribute."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        del context
        attribute = inherent(operation, name)
        numbers = integers_of(attribute.value.strip()) if attribute is not None and attribute.value else None
        wrong = [number for number in numbers or () if number < least or (most is not None and number > most)]
        if attribute is not None and wrong:
            bounds = f"from {least} to {most}" if most is not None else f"{least} or greater"
            yield Complaint(f"each number of `{name}` has to be {bounds}, not {wrong[0]}", attribute.span)

    return check


def spelled_like(name: str, other: str) -> Check:
    """Return a check that two dense arrays, where both are spelled in the generic form, have as many elements."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        del context
        first, second = inherent(operation, name), inherent(operation, other)
        counts = [_count(attribute.value) for attribute in (first, second) if attribute is not None]
        if first is None or len(counts) < 2 or None in counts or counts[0] == counts[1]:
            return
        yield Complaint(f"`{name}` has {counts[0]} elements, but `{other}` has {counts[1]}", first.span)

    return check


def _count(text: str | None) -> int | None:
    """Return the number of elements of ``array<i64: 1, 2>``."""
    if text is None or not text.startswith("array<"):
        return None
    inside = text.partition(":")[2]
    return inside.count(",") + 1 if inside else 0


def one_of(name: str, *values: str) -> Check:
    """Return a check that a string is one of some."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        del context
        attribute = inherent(operation, name)
        if attribute is None or not (attribute.value or "").startswith('"') or (attribute.value or "")[1:-1] in values:
            return
        shown = ", ".join(f'`"{value}"`' for value in values)
        yield Complaint(f"`{name}` has to be one of {shown}, not `{attribute.value}`", attribute.span)

    return check


def chosen_from(name: str, options: str) -> Check:
    """Return a check that an attribute is one of the elements of another one."""

    def check(context: Context, operation: Operation) -> Iterator[Complaint]:
        """Yield what is otherwise in `operation`."""
        del context
        chosen, among = inherent(operation, name), inherent(operation, options)
        if chosen is None or among is None or not chosen.value or not among.value:
            return
        elements = elements_of(among.value.strip())
        is_plain = elements is not None and all(map(_is_plain, (chosen.value.strip(), *elements)))
        if elements is not None and is_plain and _bare(chosen.value) not in map(_bare, elements):
            yield Complaint(f"`{chosen.value}` is not among the `{options}`", chosen.span)

    return check


def _is_plain(text: str) -> bool:
    """Tell whether a value has one spelling: a number, a boolean or a string."""
    return (
        text in ("true", "false")
        or (text.startswith('"') and "\\" not in text)
        or text.lstrip("-").isdigit()
        or integers_of(text) is not None
    )


def _bare(text: str) -> str:
    return text.strip().removesuffix(": i64").strip()
