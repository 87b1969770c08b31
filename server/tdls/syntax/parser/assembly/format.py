"""Parses ODS declarative assembly formats by `grammar/assembly_format.lark` into frozen records."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias, cast

from tdls import structs
from tdls.caching.basis import Basis
from tdls.caching.kept_files import KeptResults
from tdls.grammars import MAKERS, parser, part_of
from tdls.limits import FORMAT_DEPTH, FORMAT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token, Tree


_GRAMMAR = "assembly_format"
_SHOWN = 200
"""Maximum number of characters of a malformed format to show."""
FORMATS = Basis("formats", (*MAKERS, part_of(_GRAMMAR), "limits.py", "syntax/parser/assembly/format.py"))
"""The parts of tdls that determine the content of cached formats."""


class Literal(structs.Struct, frozen=True):
    """A keyword or punctuation."""

    text: str


class Whitespace(structs.Struct, frozen=True):
    """Blanks that only the printer uses."""


class Variable(structs.Struct, frozen=True):
    """``$name``: an operand, attribute, region, result or successor."""

    name: str
    is_keyword: bool = False
    """True for ``enum($name)``: an enumeration without the brackets of its attribute."""


class String(structs.Struct, frozen=True):
    """A C++ string argument of a custom directive."""

    text: str


class AttrDict(structs.Struct, frozen=True):
    """``attr-dict`` or ``attr-dict-with-keyword``."""

    with_keyword: bool


class PropDict(structs.Struct, frozen=True):
    """``prop-dict``."""


class Operands(structs.Struct, frozen=True):
    """``operands``: all operands."""


class Results(structs.Struct, frozen=True):
    """``results``: all results."""


class Regions(structs.Struct, frozen=True):
    """``regions``: all regions."""


class Successors(structs.Struct, frozen=True):
    """``successors``: all successors."""


class FunctionalType(structs.Struct, frozen=True):
    """``functional-type(inputs, results)``."""

    inputs: Element
    results: Element


class TypeOf(structs.Struct, frozen=True):
    """``type(argument)``."""

    arg: Element


class Qualified(structs.Struct, frozen=True):
    """``qualified(argument)``: with the dialect's prefix."""

    arg: Element


class Ref(structs.Struct, frozen=True):
    """``ref(argument)``: a part that was read before, passed to a custom directive."""

    arg: Element


class Custom(structs.Struct, frozen=True):
    """``custom<name>(arguments)``: parsed by C++ upstream."""

    name: str
    args: tuple[Element, ...]


class Params(structs.Struct, frozen=True):
    """``params``: all parameters of a type or attribute."""


class Struct(structs.Struct, frozen=True):
    """``struct(arguments)``: ``key = value`` pairs of a type or attribute, in any order."""

    args: tuple[Element, ...]


class OptionalGroup(structs.Struct, frozen=True):
    """``(then):(otherwise)?``; the element at `anchor_index` decides which branch is printed.

    The anchor is in `then`, or in `otherwise` if the group is `inverted`.
    """

    then: tuple[Element, ...]
    otherwise: tuple[Element, ...]
    anchor_index: int
    inverted: bool = False

    @property
    def anchor(self) -> Element:
        """The element marked by ``^``."""
        return (self.otherwise if self.inverted else self.then)[self.anchor_index]


class Clause(structs.Struct, frozen=True):
    """One alternative of an `OIList`."""

    elements: tuple[Element, ...]


class OIList(structs.Struct, frozen=True):
    """``oilist(a | b)``: clauses in any order, each at most once."""

    clauses: tuple[Clause, ...]


Element: TypeAlias = (
    Literal
    | Whitespace
    | Variable
    | String
    | AttrDict
    | PropDict
    | Operands
    | Results
    | Regions
    | Successors
    | FunctionalType
    | TypeOf
    | Qualified
    | Ref
    | Custom
    | Params
    | Struct
    | OptionalGroup
    | OIList
)


class Format(structs.Struct, frozen=True):
    """A whole format; one that is malformed or too large has no elements but a `problem`, for its author."""

    elements: tuple[Element, ...]
    problem: str | None = None


@cache
def parse_format(text: str) -> Format:
    """Parse the assembly format of an operation, type or attribute, after FormatGen.cpp of mlir-tblgen.

    Formats recur from run to run, so they are kept in the user's cache folder, also those with a problem.
    """
    kept = _kept_formats()
    parsed = kept.get(text)
    if parsed is None:
        parsed = _parse(text)
        kept.put(text, parsed)
    return parsed


@cache
def _kept_formats() -> KeptResults[Format]:
    return KeptResults(FORMATS.name())


def _parse(text: str) -> Format:
    import lark

    if len(text) > FORMAT_LENGTH.most:
        return Format((), f"assembly format with more than {FORMAT_LENGTH}")
    steps = accumulate((character == "(") - (character == ")") for character in text)
    if max(steps, default=0) > FORMAT_DEPTH.most:
        return Format((), f"assembly format with more than {FORMAT_DEPTH}")
    try:
        return Format(_elements(parser(_GRAMMAR).parse(text)))
    except lark.UnexpectedInput as error:
        end = error.pos_in_stream is None or getattr(error, "token", "?") == ""
        offset = len(text) if end else error.pos_in_stream
        shown = f"{text[:_SHOWN]!r}{' ...' * (len(text) > _SHOWN)}"
        return Format((), f"malformed assembly format at offset {offset}: {shown}")
    except _GroupError as error:
        return Format((), str(error))


class _GroupError(Exception):
    """An optional group is malformed."""


JOINED = ("=>", "::")
"""Tokens that formats have as two literals."""
_CONSTANT: dict[str, Element] = {
    "attr_dict": AttrDict(with_keyword=False),
    "attr_dict_with_keyword": AttrDict(with_keyword=True),
    "prop_dict": PropDict(),
    "operands": Operands(),
    "results": Results(),
    "regions": Regions(),
    "successors": Successors(),
    "params": Params(),
}


def _elements(tree: Tree[Token]) -> tuple[Element, ...]:
    """Return the elements of a rule; literals that are one token where no blank is between them are one literal."""
    elements: list[Element] = []
    for element in map(_element, _subtrees(tree)):
        last = elements[-1] if elements else None
        joined = last.text + element.text if isinstance(last, Literal) and isinstance(element, Literal) else ""
        if joined in JOINED:
            elements[-1] = Literal(joined)
        else:
            elements.append(element)
    return tuple(elements)


def _subtrees(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the children of a rule that has no tokens of its own."""
    return cast("list[Tree[Token]]", tree.children)


def _element(tree: Tree[Token]) -> Element:
    kind = str(tree.data)
    constant = _CONSTANT.get(kind)
    return constant if constant is not None else _MAKERS[kind](tree)


def _literal(tree: Tree[Token]) -> Element:
    text = str(tree.children[0])[1:-1]
    return Whitespace() if text in ("", " ", "\\n") else Literal(text)


def _custom(tree: Tree[Token]) -> Element:
    name, *arguments = tree.children
    return Custom(str(name), tuple(_element(argument) for argument in cast("list[Tree[Token]]", arguments)))


def _group(tree: Tree[Token]) -> Element:
    branches = _subtrees(tree)
    anchors = [
        (index, branch is not branches[0])
        for branch in branches
        for index, child in enumerate(_subtrees(branch))
        if child.data == "anchor"
    ]
    if len(anchors) != 1:
        raise _GroupError(f"an optional group of an assembly format needs one anchor `^`, not {len(anchors)}")
    otherwise = _elements(branches[1]) if len(branches) > 1 else ()
    return OptionalGroup(_elements(branches[0]), otherwise, *anchors[0])


_MAKERS: dict[str, Callable[[Tree[Token]], Element]] = {
    "literal": _literal,
    "variable": lambda tree: Variable(str(tree.children[0])[1:]),
    "string": lambda tree: String(str(tree.children[0])[1:-1].replace("\\", "")),
    "anchor": lambda tree: _elements(tree)[0],
    "functional_type": lambda tree: FunctionalType(*_elements(tree)),
    "type_of": lambda tree: TypeOf(*_elements(tree)),
    "enum": lambda tree: Variable(str(_subtrees(tree)[0].children[0])[1:], is_keyword=True),
    "qualified": lambda tree: Qualified(*_elements(tree)),
    "ref": lambda tree: Ref(*_elements(tree)),
    "custom": _custom,
    "struct": lambda tree: Struct(_elements(tree)),
    "group": _group,
    "oilist": lambda tree: OIList(tuple(Clause(_elements(clause)) for clause in _subtrees(tree))),
}
