"""ODS declarative assembly formats as data: `grammar/assembly_format.lark` to frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Union, cast

from tdls.syntax.grammars import parser

if TYPE_CHECKING:
    from lark import Token, Tree


@dataclass(frozen=True, slots=True)
class Literal:
    """A keyword or punctuation that is written as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Whitespace:
    """Blanks that only the printer cares for."""


@dataclass(frozen=True, slots=True)
class Variable:
    """``$name``: an operand, attribute, region, result or successor."""

    name: str


@dataclass(frozen=True, slots=True)
class String:
    """A C++ string argument of a custom directive."""

    text: str


@dataclass(frozen=True, slots=True)
class AttrDict:
    """``attr-dict`` or ``attr-dict-with-keyword``."""

    with_keyword: bool


@dataclass(frozen=True, slots=True)
class PropDict:
    """``prop-dict``."""


@dataclass(frozen=True, slots=True)
class Operands:
    """``operands``: all of them."""


@dataclass(frozen=True, slots=True)
class Results:
    """``results``: all of them."""


@dataclass(frozen=True, slots=True)
class Regions:
    """``regions``: all of them."""


@dataclass(frozen=True, slots=True)
class Successors:
    """``successors``: all of them."""


@dataclass(frozen=True, slots=True)
class FunctionalType:
    """``functional-type(inputs, results)``."""

    inputs: Element
    results: Element


@dataclass(frozen=True, slots=True)
class TypeOf:
    """``type(argument)``."""

    arg: Element


@dataclass(frozen=True, slots=True)
class Qualified:
    """``qualified(argument)``: with the dialect's prefix."""

    arg: Element


@dataclass(frozen=True, slots=True)
class Ref:
    """``ref(argument)``: something read before, given to a custom directive."""

    arg: Element


@dataclass(frozen=True, slots=True)
class Custom:
    """``custom<name>(arguments)``: read by C++."""

    name: str
    args: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class OptionalGroup:
    """``(then):(otherwise)?``; `anchor` is the anchored element, which one of the branches holds."""

    then: tuple[Element, ...]
    otherwise: tuple[Element, ...]
    anchor: Element | None


@dataclass(frozen=True, slots=True)
class Clause:
    """One alternative of an `OIList`."""

    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class OIList:
    """``oilist(a | b)``: clauses in any order, each at most once."""

    clauses: tuple[Clause, ...]


Element = Union[
    Literal, Whitespace, Variable, String, AttrDict, PropDict, Operands, Results, Regions, Successors,
    FunctionalType, TypeOf, Qualified, Ref, Custom, OptionalGroup, OIList,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A whole format."""

    elements: tuple[Element, ...]


@cache
def parse_format(text: str) -> Format:
    """Parse a format. Raises ValueError if it is malformed."""
    import lark

    try:
        tree = parser("assembly_format", ("start",)).parse(text)
    except lark.UnexpectedInput as error:
        position = getattr(error, "pos_in_stream", None)
        raise ValueError(f"malformed assembly format at offset {position}: {text!r}") from error
    return Format(_elements(tree))


_SIMPLE: dict[str, Element] = {
    "attr_dict": AttrDict(with_keyword=False),
    "attr_dict_with_keyword": AttrDict(with_keyword=True),
    "prop_dict": PropDict(),
    "operands": Operands(),
    "results": Results(),
    "regions": Regions(),
    "successors": Successors(),
}
_UNARY = {"type_of": TypeOf, "qualified": Qualified, "ref": Ref}


def _elements(tree: Tree[Token]) -> tuple[Element, ...]:
    return tuple(_element(child) for child in tree.children if child is not None)


def _element(node: Tree[Token] | Token) -> Element:
    tree = cast("Tree[Token]", node)
    kind = str(tree.data)
    if kind in ("directive", "anchor"):
        return _element(tree.children[0])
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind in _UNARY:
        return _UNARY[kind](_element(tree.children[0]))
    if kind == "functional_type":
        return FunctionalType(_element(tree.children[0]), _element(tree.children[1]))
    if kind == "custom":
        name, *arguments = tree.children
        return Custom(str(name), tuple(_element(argument) for argument in arguments if argument is not None))
    if kind == "group":
        return _group(tree)
    if kind == "oilist":
        return OIList(tuple(Clause(_elements(cast("Tree[Token]", clause))) for clause in tree.children))
    return _leaf(kind, str(tree.children[0]))


def _leaf(kind: str, text: str) -> Element:
    if kind == "variable":
        return Variable(text[1:])
    if kind == "string":
        return String(text[1:-1])
    spelled = text[1:-1]
    return Literal(spelled) if spelled.strip() and spelled != "\\n" else Whitespace()


def _group(tree: Tree[Token]) -> OptionalGroup:
    branches = [cast("Tree[Token]", child) for child in tree.children if child is not None]
    anchors = [child for branch in branches for child in branch.children if _is_anchor(child)]
    then = _elements(branches[0])
    otherwise = _elements(branches[1]) if len(branches) > 1 else ()
    return OptionalGroup(then, otherwise, _element(anchors[0]) if anchors else None)


def _is_anchor(node: Tree[Token] | Token) -> bool:
    return str(cast("Tree[Token]", node).data) == "anchor"
