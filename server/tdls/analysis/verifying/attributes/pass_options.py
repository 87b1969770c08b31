"""The options that an operation hands to a pass: a dictionary in which parameters may stand for values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.verifying.complaint import Complaint, counted
from tdls.syntax.lexing import scanner
from tdls.syntax.tree import Form
from tdls.text.numbers import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

_PARAMETER = re.compile(r"#transform\.param_operand<\s*index\s*=\s*(\d+)", re.ASCII)


def options_are_given(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Check that each option is given once, and that each parameter is the value of one."""
    del context
    attribute = operation.syntax.attribute("options")
    text = (attribute.value or "").strip() if attribute is not None else ""
    if attribute is None or (text and not text.startswith("{")):
        return
    keys = list(_keys(text))
    twice = next((key for index, key in enumerate(keys) if key in keys[:index]), None)
    if twice is not None:
        yield Complaint(f"the option `{twice}` is given twice", attribute.span)
        return
    if operation.syntax.form is not Form.GENERIC or operation.syntax.operand_groups is None:
        return
    count = len(operation.group("dynamic_options"))
    numbers = [number for match in _PARAMETER.finditer(text) if (number := integer(match[1])) is not None]
    wrong = next((number for number in numbers if number >= count), None)
    again = next((number for index, number in enumerate(numbers) if number in numbers[:index]), None)
    if wrong is not None:
        yield Complaint(f"option operand {wrong} is meant, but there are {counted(count, 'operand')}", attribute.span)
    elif again is not None:
        yield Complaint(f"option operand {again} is used twice", attribute.span)
    elif len(numbers) < count:
        unused = next(number for number in range(count) if number not in numbers)
        yield Complaint(f"option operand {unused} is used by no option", attribute.span)


def _keys(text: str) -> Iterator[str]:
    """Yield the keys of a dictionary as they are spelled, without quotes."""
    tokens = scanner.scan(text)
    closer = tokens.partners.get(0, -1)
    index = 1
    while 0 < index < closer:
        if tokens.kinds[index - 1] in ("{", ",") and text[tokens.starts[index]] not in "{[(<":
            yield text[tokens.starts[index] : tokens.ends[index]].strip('"')
        partner = tokens.partners.get(index, -1)
        index = partner + 1 if partner > index else index + 1
