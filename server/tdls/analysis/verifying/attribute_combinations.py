"""Checks of attributes on their own or against other attributes, operands and regions; checks of pass options."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, TypeVar

from tdls.analysis.verifying.attribute_values import elements_of, inherent, inherent_integers, integers_of
from tdls.analysis.verifying.complaint import Complaint, check_in_context, check_of_operation
from tdls.semantic.transform_dialect import PARAMETER_TYPE
from tdls.settings.llvm_versions import version_since
from tdls.syntax import scanner
from tdls.syntax.tree import Form
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

_T = TypeVar("_T")


@check_in_context
def permutation(
    context: Context, operation: Operation, name: str, *, is_old_check: bool = False
) -> Iterator[Complaint]:
    """Check that the integers of an attribute, or of each of its lists, are 0, 1, ... in some order.

    LLVM 19 only rejects repeated numbers, so a script that may be for it is checked for these only, unless all
    versions have the whole check (`is_old_check`).
    """
    target = context.catalogue.target
    is_old = not is_old_check and (target is None or target < version_since("checked-loop-order"))
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


@check_of_operation
def order_of_loops(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that an order of loops, which may leave out the innermost ones, is a permutation.

    LLVM 19 drops the end of a list that is longer than there are loops.
    """
    attribute, numbers = inherent_integers(operation, name)
    if attribute is None or not numbers:
        return
    orders = (numbers[:length] for length in range(1, len(numbers) + 1))
    if not any(sorted(order) == list(range(len(order))) for order in orders):
        spelled = ", ".join(map(str, numbers))
        yield Complaint(
            f"`{name.removeprefix('static_')}` has to be a permutation, not {spelled}: "
            f"`{operation.name}` fails on any payload",
            attribute.span,
            help=f"name each number from 0 to {len(numbers) - 1} once",
        )


@check_of_operation
def not_zero(operation: Operation, name: str, *, of_parameters: bool = False) -> Iterator[Complaint]:
    """Check that no number of an attribute is 0, since MLIR divides by each.

    With `of_parameters`, it only divides when it computes parameters: for handles, it makes payload that would divide.
    """
    attribute, numbers = inherent_integers(operation, name)
    types = [result.type or "" for result in operation.results]
    if of_parameters and not all(kind.startswith(PARAMETER_TYPE) for kind in types):
        return
    if attribute is not None and numbers is not None and 0 in numbers:
        message = f"`{name.removeprefix('static_')}` cannot be 0: MLIR divides by it, and crashes"
        yield Complaint(message, attribute.span)


@check_of_operation
def not_empty(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that an attribute, which names another one, is not empty: no MLIR reads what is printed then."""
    attribute = inherent(operation, name)
    if attribute is not None and attribute.value == '""':
        message = f"`{name}` is empty: MLIR prints an attribute without a name, which no MLIR reads"
        yield Complaint(message, attribute.span)


@check_of_operation
def launches(operation: Operation, name: str, most: tuple[int, ...], product: int) -> Iterator[Complaint]:
    """Check that the sizes in an attribute, each and together, are in the limits of a launch on a GPU."""
    attribute, numbers = inherent_integers(operation, name)
    if attribute is None or numbers is None or len(numbers) != len(most):
        return
    beyond = next((limit for size, limit in zip(numbers, most, strict=True) if size > limit), None)
    if beyond is None and prod(numbers) <= product:
        return
    limit = f"{product} in all" if beyond is None else f"{beyond} in this dimension"
    message = f"`{name}` has to be at most {limit}: `{operation.name}` fails on any payload"
    yield Complaint(message, attribute.span)


@check_of_operation
def selected(operation: Operation, name: str, spelled: str, operand: str = "") -> Iterator[Complaint]:
    """Check that a choice is made, by the attribute `name` or by an operand; `spelled` is its keyword."""
    is_made = operation.syntax.attribute(name) is not None or (operand and bool(operation.group(operand)))
    if not is_made and operation.syntax.form is not Form.STRUCTURAL and not operation.operands:
        message = f"nothing is selected: the interpreter refuses `{operation.name}` without `{spelled}`"
        yield Complaint(
            message, operation.location, help="a tool that tunes selects a value, or `tdls run --set NAME=VALUE`"
        )


@check_of_operation
def count_is(operation: Operation, name: str, *counts: int) -> Iterator[Complaint]:
    """Check that the number of elements of an attribute is one of `counts`."""
    attribute, length = inherent(operation, name), _length(operation, name)
    if attribute is not None and length is not None and length not in counts:
        wanted = " or ".join("none" if count == 0 else counted(count, "element") for count in counts)
        message = f"`{name}` has to have {wanted}, not {counted(length, 'element')}"
        yield Complaint(message, attribute.span)


@check_of_operation
def one_for_each_nonzero(operation: Operation, name: str, lists: tuple[str, ...]) -> Iterator[Complaint]:
    """Check that a list, if there is one, has as many elements as the first other one with any has but 0."""
    attribute = inherent(operation, name)
    elements = elements_of((attribute.value or "").strip()) if attribute is not None else None
    given = next((numbers for other in lists if (numbers := inherent_integers(operation, other)[1])), None)
    if attribute is None or not elements or given is None:
        return
    loops = sum(number != 0 for number in given)
    if loops != len(elements):
        message = f"`{name}` has {counted(len(elements), 'element')} for {counted(loops, 'loop')}"
        yield Complaint(f"{message}: `{operation.name}` fails on any payload", attribute.span)


@check_of_operation
def some_unless(operation: Operation, name: str, flag: str) -> Iterator[Complaint]:
    """Check that a list has elements unless the flag is set."""
    if operation.syntax.form is Form.STRUCTURAL or operation.syntax.attribute(flag) is not None:
        return
    attribute, numbers = inherent_integers(operation, name)
    if attribute is None or numbers == ():
        message = f"`{operation.name}` needs `{name}`, or `{flag}`"
        yield Complaint(message, attribute.span if attribute is not None else operation.location)


@check_of_operation
def at_least(operation: Operation, name: str, least: int, most: int | None = None) -> Iterator[Complaint]:
    """Check that the integers in an attribute are within bounds, both included."""
    attribute, numbers = inherent_integers(operation, name)
    wrong = [number for number in numbers or () if number < least or (most is not None and number > most)]
    if attribute is not None and wrong:
        bounds = f"from {least} to {most}" if most is not None else f"{least} or greater"
        yield Complaint(f"each number of `{name}` has to be {bounds}, not {wrong[0]}", attribute.span)


@check_of_operation
def one_of(operation: Operation, name: str, *values: str) -> Iterator[Complaint]:
    """Check that a string attribute is one of `values`."""
    attribute = inherent(operation, name)
    if attribute is None or not (attribute.value or "").startswith('"') or (attribute.value or "")[1:-1] in values:
        return
    shown = ", ".join(f'`"{value}"`' for value in values)
    yield Complaint(f"`{name}` has to be one of {shown}, not `{attribute.value}`", attribute.span)


@check_of_operation
def chosen_from(operation: Operation, name: str, options: str) -> Iterator[Complaint]:
    """Check that an attribute is an element of another one."""
    chosen, among = inherent(operation, name), inherent(operation, options)
    if chosen is None or among is None or not chosen.value or not among.value:
        return
    elements = elements_of(among.value.strip())
    is_plain = elements is not None and all(map(_is_plain, (chosen.value.strip(), *elements)))
    if elements is not None and is_plain and _bare(chosen.value) not in map(_bare, elements):
        yield Complaint(f"`{chosen.value}` is not among the `{options}`", chosen.span)


def _is_plain(text: str) -> bool:
    """Whether a value has only one spelling: a number, a boolean or a string."""
    return (
        text in ("true", "false")
        or (text.startswith('"') and "\\" not in text)
        or text.lstrip("-").isdigit()
        or integers_of(text) is not None
    )


def _bare(text: str) -> str:
    return text.strip().removesuffix(": i64").strip()


_DYNAMIC = -(2**63)
"""Stands for a number that is given by an operand."""


@check_of_operation
def some_of(
    operation: Operation, lists: tuple[str, ...], operands: tuple[str, ...] = (), *, shown: str
) -> Iterator[Complaint]:
    """Check that one of `lists` has elements, or one of `operands` is given."""
    lengths = [_length(operation, name) for name in lists]
    is_given = any(operation.group(name) for name in operands) or any(length != 0 for length in lengths)
    if not is_given and (operation.syntax.operand_groups is not None or not operands):
        yield Complaint(f"`{operation.name}` needs {shown}", operation.location)


def _length(operation: Operation, name: str) -> int | None:
    """Return the number of elements of a list attribute, or None if unknown, 0 without the attribute."""
    attribute = inherent(operation, name)
    if attribute is None:
        return 0
    text = (attribute.value or "").strip()
    inside = text.partition(":")[2].rstrip(" >")
    elements = elements_of(f"[{inside}]" if text.startswith("array<") else text)
    return len(elements) if elements is not None else None


@check_in_context
def at_most_one_of(context: Context, operation: Operation, *names: str, since: str = "") -> Iterator[Complaint]:
    """Check that at most one attribute is given, not counting ``false``, in versions `since` a change."""
    if since and (context.catalogue.target or 0) < version_since(since):
        return
    spelled = [each for name in names for each in operation.syntax.attributes if each.name == name]
    given = [each for each in spelled if (each.value or "").strip() != "false"]
    if len(given) > 1:
        yield Complaint(f"`{given[1].name}` cannot stand beside `{given[0].name}`", given[1].span)


@check_of_operation
def needs_flag(operation: Operation, name: str, flag: str) -> Iterator[Complaint]:
    """Check that the flag `name` is set only together with `flag`."""
    attribute = inherent(operation, name)
    if attribute is not None and attribute.value == "true" and (operation.spelled(flag) or "false") == "false":
        yield Complaint(f"`{name}` needs `{flag} = true`", attribute.span)


@check_of_operation
def as_long_as(operation: Operation, name: str, other: str, *, or_empty: bool = False) -> Iterator[Complaint]:
    """Check that a list is as long as another one or, with `or_empty`, empty."""
    attribute, lengths = inherent(operation, name), (_length(operation, name), _length(operation, other))
    if attribute is None or None in lengths or lengths[0] == lengths[1] or (or_empty and lengths[0] == 0):
        return
    wanted = counted(lengths[1] or 0, "element")
    yield Complaint(f"`{name}` has {counted(lengths[0] or 0, 'element')}, but `{other}` has {wanted}", attribute.span)


@check_of_operation
def as_many_as(operation: Operation, name: str, operands: str) -> Iterator[Complaint]:
    """Check that a list has an element for each operand of a group."""
    attribute, length = inherent(operation, name), _length(operation, name)
    count = len(operation.group(operands))
    if attribute is None or length is None or operation.syntax.operand_groups is None or length == count:
        return
    message = f"`{name}` has {counted(length, 'element')} for {counted(count, 'value')} of `{operands}`"
    yield Complaint(message, attribute.span)


@check_of_operation
def one_not_zero(operation: Operation, name: str, other: str) -> Iterator[Complaint]:
    """Check that at each position at most one of two lists has a number other than zero."""
    attribute = inherent(operation, other)
    first, second = (integers_of((operation.spelled(each) or "[]").strip()) for each in (name, other))
    for number, pair in enumerate(zip(first or (), second or (), strict=False)):
        if attribute is not None and 0 not in pair:
            message = f"`{name}` and `{other}` are both given for dimension {number}: {pair[0]} and {pair[1]}"
            yield Complaint(message, attribute.span)
            return


@check_in_context
def places_in(context: Context, operation: Operation, name: str, sizes: str) -> Iterator[Complaint]:
    """Check that the numbers of a list are distinct positions in another list.

    LLVM 19 does not look at the other list, so without a target a permutation is right by itself.
    """
    attribute, count = inherent(operation, name), _length(operation, sizes)
    numbers = integers_of((attribute.value or "").strip()) if attribute is not None else None
    if attribute is None or not numbers or _DYNAMIC in numbers:
        return
    if context.catalogue.target is None and sorted(numbers) == list(range(len(numbers))):
        return
    wrong = next((each for each in numbers if each < 0 or (count is not None and each >= count)), None)
    if wrong is not None:
        most = f" and {count - 1}" if count else ""
        message = f"each number of `{name}` has to be between 0{most}, not {wrong}" if most else ""
        yield Complaint(message or f"`{name}` has to name places in `{sizes}`, not {wrong}", attribute.span)
    elif len(set(numbers)) < len(numbers):
        twice = next(each for index, each in enumerate(numbers) if each in numbers[:index])
        yield Complaint(f"`{name}` names {twice} twice", attribute.span)


@check_of_operation
def one_of_each(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that no two elements of an array are of the same kind, regardless of their parameters."""
    attribute = inherent(operation, name)
    elements = elements_of((attribute.value or "").strip()) if attribute is not None else None
    kinds = [element.partition("<")[0].strip() for element in elements or () if element.startswith("#")]
    twice = next((kind for index, kind in enumerate(kinds) if "." in kind and kind in kinds[:index]), None)
    if attribute is not None and twice is not None:
        yield Complaint(f"`{name}` has more than one `{twice}`", attribute.span)


@check_of_operation
def static_or(operation: Operation, name: str, operand: str) -> Iterator[Complaint]:
    """Check that a number is given either as an attribute or as an operand."""
    attribute, numbers = inherent_integers(operation, name)
    groups = operation.syntax.operand_groups
    if attribute is None or not numbers or groups is None or operand not in groups:
        return
    is_static, is_given = numbers[0] != _DYNAMIC, bool(operation.group(operand))
    if is_static and is_given:
        yield Complaint(f"`{name}` is given beside the operand `{operand}`", attribute.span)
    elif not is_static and not is_given:
        yield Complaint(f"`{name}` stands for the operand `{operand}`, which is missing", attribute.span)


@check_of_operation
def operand_or_name(operation: Operation, operand: str, name: str) -> Iterator[Complaint]:
    """Check that either an operand or the attribute `name` is given."""
    if operation.syntax.operand_groups is None:
        return
    attribute, is_given = inherent(operation, name), bool(operation.group(operand))
    if attribute is not None and is_given:
        yield Complaint(f"`{name}` cannot stand beside the operand `{operand}`", attribute.span)
    elif attribute is None and not is_given:
        yield Complaint(f"`{operation.name}` needs `{name}` or the operand `{operand}`", operation.location)


@check_of_operation
def operands_before(operation: Operation, first: str, others: str) -> Iterator[Complaint]:
    """Check that the operands `others` are given only together with `first`."""
    if operation.group(others) and not operation.group(first):
        yield Complaint(f"`{others}` cannot be given without `{first}`", operation.location)


@check_of_operation
def below_regions(operation: Operation, name: str) -> Iterator[Complaint]:
    """Check that an attribute is the index of a region."""
    attribute, numbers = inherent_integers(operation, name)
    if attribute is not None and numbers and not 0 <= numbers[0] < len(operation.regions):
        count = counted(len(operation.regions), "region")
        yield Complaint(f"`{name}` is {numbers[0]}, but `{operation.name}` has {count}", attribute.span)


_PARAMETER = re.compile(r"#transform\.param_operand<\s*index\s*=\s*(\d+)", re.ASCII)


def options_are_given(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that each option of a pass is given once, and that each operand is the value of exactly one."""
    del context
    attribute = operation.syntax.attribute("options")
    text = (attribute.value or "").strip() if attribute is not None else ""
    if attribute is None or (text and not text.startswith("{")):
        return
    keys = list(_keys(text))
    twice = next(_repeated(keys), None)
    if twice is not None:
        yield Complaint(f"the option `{twice}` is given twice", attribute.span)
        return
    if operation.syntax.form is not Form.GENERIC or operation.syntax.operand_groups is None:
        return
    count = len(operation.group("dynamic_options"))
    numbers = [number for match in _PARAMETER.finditer(text) if (number := integer(match[1])) is not None]
    wrong = next((number for number in numbers if number >= count), None)
    again = next(_repeated(numbers), None)
    if wrong is not None:
        yield Complaint(f"option operand {wrong} is meant, but there are {counted(count, 'operand')}", attribute.span)
    elif again is not None:
        yield Complaint(f"option operand {again} is used twice", attribute.span)
    elif len(numbers) < count:
        unused = next(number for number in range(count) if number not in numbers)
        yield Complaint(f"option operand {unused} is used by no option", attribute.span)


def _repeated(items: Iterable[_T]) -> Iterator[_T]:
    before: set[_T] = set()
    for item in items:
        if item in before:
            yield item
        before.add(item)


def _keys(text: str) -> Iterator[str]:
    """Yield the keys of a dictionary attribute, without quotes."""
    tokens = scanner.scan(text)
    closer = tokens.partners.get(0, -1)
    index = 1
    while 0 < index < closer:
        if tokens.kinds[index - 1] in ("{", ",") and text[tokens.starts[index]] not in "{[(<":
            yield text[tokens.starts[index] : tokens.ends[index]].strip('"')
        partner = tokens.partners.get(index, -1)
        index = partner + 1 if partner > index else index + 1
