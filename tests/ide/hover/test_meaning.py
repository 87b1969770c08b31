"""The documentation of an attribute."""

from __future__ import annotations

from tdls.ide.hover.attribute import meaning

DOCUMENTATION = """\
Pads the operations. The attribute `nofold` keeps a padding that is not needed. Nothing else.

Options:

- `pad_to_multiple_of`: pads to a multiple
  of each number.
- "copy_back_op": what copies the result back.

```mlir
transform.structured.pad %0 {nofold, `padding_values` = []}
```

| `padding_values` | a table |
"""


def test_an_item_of_a_list() -> None:
    assert meaning("pad_to_multiple_of", DOCUMENTATION) == "`pad_to_multiple_of`: pads to a multiple of each number."
    assert meaning("copy_back_op", DOCUMENTATION) == '"copy_back_op": what copies the result back.'


def test_sentences_that_mention_it() -> None:
    assert meaning("nofold", DOCUMENTATION) == "The attribute `nofold` keeps a padding that is not needed."


def test_neither_code_nor_tables_nor_beginnings_of_names() -> None:
    assert meaning("padding_values", DOCUMENTATION) == ""
    assert meaning("pad_to", DOCUMENTATION) == ""
    assert meaning("nofold", "") == ""
