"""What snippets consist of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, ResultDefinition


@dataclass(frozen=True, slots=True)
class Stop:
    """A tab stop with the text that stands there at first, or with several to choose from."""

    text: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class OperandSlot:
    """A tab stop for a value that fits the operand."""

    definition: OperandDefinition


@dataclass(frozen=True, slots=True, eq=False)
class TypeSlot:
    """A tab stop for the type of an operand or result."""

    definition: OperandDefinition | ResultDefinition


@dataclass(frozen=True, slots=True, eq=False)
class NameSlot:
    """A new SSA name made of `base`: a tab stop behind the percent sign, or text."""

    base: str
    is_stop: bool = True


SnippetPart: TypeAlias = "str | Stop"
TemplatePart: TypeAlias = "SnippetPart | OperandSlot | TypeSlot | NameSlot"
