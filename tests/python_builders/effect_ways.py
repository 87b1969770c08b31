"""Ways to write the effects of an operation in Python, from ``ways.txt``, as a package of modules.

A way has the effects on `target`, on the other operands, on the result and on the payload, as MLIR gets them, and
the body of `get_effects` or a class ``Effects``.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

PACKAGE = "ways"
_FIELDS = re.compile(r"(?P<name>[\w ]+): (?P<effects>[a-z ]+)\n(?P<code>.*)", re.DOTALL)
_FILES = {
    "__init__.py": "",
    "dialect.py": "from torch_mlir.dialects import ext\nclass Ways(ext.Dialect, name='ways'): pass\n",
    "shared.py": """\
from torch_mlir import ir
from torch_mlir.dialects import transform

def reading(op, effects):
    transform.only_reads_handle(op.op_operands, effects)

class Reading(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op, effects):
        reading(op, effects)
""",
}
_HEAD = """\
import functools
from collections.abc import Sequence
from torch_mlir import ir
from torch_mlir.dialects import ext, transform
from torch_mlir.dialects.transform import consumes_handle, modifies_payload, only_reads_handle, produces_handle
from . import shared
from .dialect import Ways

FIRST = 0
COUNT = 1
HEAD = slice(0, 1)

def consuming(values, effects):
    consumes_handle(values, effects)

def first(op):
    return op.op_operands[:1]

def parted(op):
    return op.op_operands[:1], op.op_operands[1:]

"""
_MODEL = """
class Effects(ir.MemoryEffectsOpInterface):
    KEPT = 1
    @staticmethod
    def get_effects(op, effects):
"""
_OPERATION = """
class Op(Ways.Operation, name="{name}"):
    target: ext.Operand[transform.AnyOpType]
    {other}
    made: ext.Result[transform.AnyOpType]
    {attribute}

    @classmethod
    def attach_interface_impls(cls, ctx=None):
        Effects.attach(cls.OPERATION_NAME, context=ctx)
"""
_OTHERS = "others: Sequence[ext.Operand[transform.AnyOpType]]"


class Way(NamedTuple):
    """One way, with its effects; those of `operation` in the package."""

    name: str
    effects: str
    code: str

    @property
    def operation(self) -> str:
        """The name of its operation."""
        return f"ways.{self.name.replace(' ', '_')}"

    @property
    def text(self) -> str:
        """The text of its module."""
        model = self.code if "class Effects" in self.code or "Effects =" in self.code else None
        other = "other: ext.Operand[transform.AnyOpType]" if self.name == "negative slice" else _OTHERS
        attribute = "erases: ir.IntegerAttr" if self.name == "attribute" else ""
        operation = _OPERATION.format(name=self.operation[5:], other=other, attribute=attribute)
        return _HEAD + (model or _MODEL + indent(self.code, " " * 8)) + operation


def _ways() -> list[Way]:
    blocks = Path(__file__).with_name("ways.txt").read_text(encoding="utf-8").split("## ")[1:]
    fields = [found for block in blocks if (found := _FIELDS.fullmatch(block)) is not None]
    return [Way(each["name"], each["effects"], each["code"]) for each in fields]


WAYS = _ways()


def files() -> dict[str, str]:
    """Return the texts of the package by path."""
    modules = {f"way_{way.operation[5:]}.py": way.text for way in WAYS}
    return {f"{PACKAGE}/{path}": text for path, text in {**_FILES, **modules}.items()}
