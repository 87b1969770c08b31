"""Writes an operation, which was read by the format of one definition, by the format of another one."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.catalogue.model import AttributeSpelling
from tdls.syntax import scanner
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import NotInterpretable, is_unit
from tdls.syntax.parser.assembly.format_reader import assembly_of, read_assembly
from tdls.syntax.parser.assembly.reader import AssemblyReader
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.operation_state import OperationState
from tdls.syntax.parser.parser import Parser
from tdls.syntax.tree import Form
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.syntax.tree import NamedAttribute, Operation

_MOST_TOKENS = 5_000
SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
TYPE_SUFFIX = re.compile(r"(?<=[\w.])\s*:\s*([\w.]+)\s*$")
IMPLIED = ("i64", "f64")
"""Types of numbers that need not be written."""
_NUMERIC = re.compile(r"(?:[su]?i\d+|index|f\d+)\Z")
_OF_DIALECT = re.compile(r'#[\w.]+<\s*"?(\w+)"?\s*>')
_PARENTHESES = re.compile(r"[()\s]")
"""Characters that may also be around a single type."""


class NotRespelledError(Exception):
    """The operation cannot be written in the other form; the message says why, for people."""


class _Recorder(AssemblyReader):
    """Records the tokens that each element of the format was read from."""

    def _read_element(self, element: ods.Element) -> None:
        start = self.parser.index
        super()._read_element(element)
        assert isinstance(self.parser, _RecordingParser)
        self.parser.pieces.append((element, start, self.parser.index))


class _RecordingParser(Parser):
    """Reads one operation by the format of one definition."""

    def __init__(self, text: str, catalogue: Catalogue, dialect: str) -> None:
        super().__init__(scanner.scan(text), catalogue, dialect)
        self.pieces: list[tuple[ods.Element, int, int]] = []

    def read(self, definition: OperationDefinition) -> tuple[Operation, int]:
        """Return the operation, and the token behind its name. Raises `Mismatch`."""
        start = self.index
        results = self._read_results()
        name = self.take()
        state = OperationState(definition.name, name, Form.EXACT, definition)
        if not read_assembly(self, state, assembly_of(definition), _Recorder):
            raise NotInterpretable
        return self._finish(start, results, state), name + 1


class Reading:
    """An operation that was read, with the text of each element of its format."""

    def __init__(self, text: str, catalogue: Catalogue, dialect: str, written: OperationDefinition) -> None:
        self.parser = _RecordingParser(text, catalogue, dialect)
        if len(self.parser.kinds) > _MOST_TOKENS:
            raise NotRespelledError("it is too long to be rewritten as a whole")
        try:
            self.node, start = self.parser.read(written)
        except (Mismatch, NotInterpretable):
            raise NotRespelledError("tdls does not know its format") from None
        self.body = (start, self.parser.index)
        """The tokens behind the name."""
        self.name = Span(self.parser.starts[start - 1], self.parser.ends[start - 1])
        self.texts = {element: self.text(first, last) for element, first, last in self.parser.pieces}

    def text(self, first: int, last: int) -> str:
        """Return the text of the tokens from `first` up to `last`."""
        return self.parser.text_between(first, last) if last > first else ""

    def in_dictionary(self, attribute: NamedAttribute) -> bool:
        """Whether an attribute was written as an entry ``name = value`` of a dictionary."""
        return self.parser.text.startswith((attribute.name, f'"{attribute.name}"'), attribute.start)


class Writer:
    """Fills the format of a definition with the parts of an operation that was read."""

    def __init__(
        self,
        reading: Reading,
        node: Operation,
        meant: OperationDefinition,
        types: Sequence[str | None],
        names: Mapping[str, str],
    ) -> None:
        self.reading = reading
        self.node = node
        self.meant = meant
        self.definitions = {attribute.name: attribute for attribute in meant.attributes}
        self.former = {attribute.name: attribute for attribute in (node.definition or meant).attributes}
        self.attributes = {names.get(each.name, each.name): each for each in self.node.attributes}
        self.operands = {operand.name: operand for operand in meant.operands}
        self.results = {result.name: result for result in meant.results}
        self.types = types
        self.used: set[str] = set(SEGMENTS)

    def written(self) -> str:
        """Return the text behind the operation's name. Raises `NotRespelledError`."""
        if self.meant.assembly_format is None or not assembly_of(self.meant).is_known:
            raise NotRespelledError("tdls does not know the format")
        elements = ods.parse_format(self.meant.assembly_format).elements
        for element in elements:
            self.used.update(self._bound(element))
        return _joined(filter(None, map(self._element, elements)))

    def _bound(self, element: ods.Element) -> Iterator[str]:
        """Yield the attributes that have a place of their own in the format."""
        match element:
            case ods.Variable(name=name):
                yield name
            case ods.Custom(args=inner) | ods.Struct(args=inner):
                for part in inner:
                    yield from self._bound(part)
            case ods.OptionalGroup():
                for part in (*element.then, *element.otherwise):
                    yield from self._bound(part)
            case ods.OIList():
                for clause in element.clauses:
                    for part in clause.elements:
                        yield from self._bound(part)
            case ods.Qualified(arg=inner):
                yield from self._bound(inner)

    def _element(self, element: ods.Element) -> str:
        match element:
            case ods.Literal():
                return element.text
            case ods.Variable(name=name):
                return self._variable(name)
            case ods.AttrDict() | ods.PropDict():
                return self._dictionary(element)
            case ods.OptionalGroup():
                is_present = self._is_present(element.anchor)
                return self._all(element.then if is_present != element.inverted else element.otherwise)
            case ods.OIList():
                clauses = (clause for clause in element.clauses if any(map(self._is_present, clause.elements)))
                return _joined(self._all(clause.elements) for clause in clauses)
            case ods.TypeOf(arg=inner):
                return ", ".join(self._types(inner))
            case ods.FunctionalType(inputs=inputs, results=results):
                new = _function_type(self._types(inputs), self._types(results))
                written = self.reading.texts.get(element, "")
                return written if _PARENTHESES.sub("", written) == _PARENTHESES.sub("", new) else new
            case ods.Custom():
                return self._custom(element)
            case ods.Qualified(arg=inner):
                return self._element(inner)
            case ods.Operands():
                return ", ".join(self._spelled(span.start, span.end) for span in self.node.operands)
            case ods.Regions():
                return ", ".join(self._spelled(region.start, region.end) for region in self.node.regions)
        return ""

    def _all(self, elements: Sequence[ods.Element]) -> str:
        return _joined(filter(None, map(self._element, elements)))

    def _spelled(self, start: int, end: int) -> str:
        return self.reading.parser.text[start:end]

    def _variable(self, name: str) -> str:
        if name in self.operands:
            return ", ".join(self._spelled(use.start, use.end) for use in self._group_of(name))
        if name in self.definitions:
            symbol = self.node.symbol_span
            if self.definitions[name].spelling is AttributeSpelling.SYMBOL_NAME and symbol is not None:
                return self._spelled(*symbol)
            attribute = self.attributes.get(name)
            return "" if attribute is None or is_unit(self.definitions[name]) else self._value(attribute, name)
        known = self.reading.texts.get(ods.Variable(name))
        if known is None and self.node.regions and len(self.meant.regions) == 1:
            return ", ".join(self._spelled(region.start, region.end) for region in self.node.regions)
        return known or ""

    def _group_of(self, name: str) -> Sequence[Span]:
        start, end = (self.node.operand_groups or {}).get(name, (0, 0))
        return [use.span for use in self.node.operands[start:end]]

    def _value(self, attribute: NamedAttribute, name: str) -> str:
        """Return the value of an attribute at its own place in the format."""
        definition = self.definitions[name]
        value = attribute.value if attribute.value is not None else "unit"
        if definition.spelling is AttributeSpelling.CUSTOM and definition.mnemonic:
            return value.removeprefix(f"#{definition.mnemonic}").strip()
        if definition.cases:
            return case_of(value, definition) or value
        if definition.type is not None:
            suffix = TYPE_SUFFIX.search(value)
            if suffix is not None and suffix[1] == definition.type:
                return value[: suffix.start()]
        return value

    def _entry(self, attribute: NamedAttribute, name: str) -> str:
        if attribute.value is None:
            return name
        value = attribute.value
        former = self.former.get(attribute.name)
        if former is not None and not self.reading.in_dictionary(attribute):
            if former.cases:
                raise NotRespelledError(f"the value of `{name}` has no known form in a dictionary")
            is_bare = former.type is not None and TYPE_SUFFIX.search(value) is None and value not in ("true", "false")
            if is_bare and _NUMERIC.match(former.type or "") and former.type not in IMPLIED:
                value = f"{value} : {former.type}"
        return f"{name} = {value}"

    def _dictionary(self, element: ods.AttrDict | ods.PropDict) -> str:
        left = {name: each for name, each in self.attributes.items() if name not in self.used}
        if isinstance(element, ods.PropDict):
            left = {name: each for name, each in left.items() if name in self.definitions}
        self.used.update(left)
        if isinstance(element, ods.PropDict):
            flags = {name for name in left if is_unit(self.definitions[name])}
            properties = [name + (f" = {self._value(left[name], name)}" if name not in flags else "") for name in left]
            return f"<{', '.join(properties)}>" if properties else ""
        entries = [self._entry(each, name) for name, each in left.items()]
        if not entries:
            return ""
        return f"attributes {{{', '.join(entries)}}}" if element.with_keyword else f"{{{', '.join(entries)}}}"

    def _is_present(self, element: ods.Element) -> bool:
        match element:
            case ods.Variable(name=name):
                if name in self.operands:
                    return bool(self._group_of(name))
                if name in self.definitions:
                    return name in self.attributes
                return bool(self._variable(name))
            case ods.TypeOf(arg=inner):
                return bool(self._types(inner))
            case ods.Custom(args=arguments):
                return any(map(self._is_present, arguments))
            case ods.Qualified(arg=inner):
                return self._is_present(inner)
            case ods.FunctionalType():
                return True
        return False

    def _custom(self, element: ods.Custom) -> str:
        """Return the text of a custom directive: that of the same one, or of the one that is about most of the same."""
        texts = self.reading.texts
        if element in texts:
            return texts[element]
        about = set(element.args)
        directives = [each for each in texts if isinstance(each, ods.Custom) and about & set(each.args)]
        best = max(directives, key=lambda each: len(about & set(each.args)), default=None)
        if best is not None:
            has_types = any(isinstance(part, ods.TypeOf) for part in element.args)
            return texts[best] if has_types else without_types(texts[best], self.node)
        if element.name == "PackedOrDynamicIndexList" and (packed := self._element(element.args[0])):
            return f"*({packed})"
        types = [self._types(part) for part in element.args if isinstance(part, ods.TypeOf)]
        operands = [self._variable(part.name) for part in element.args if isinstance(part, ods.Variable)]
        if any(operands) and any(types):
            return f"{', '.join(filter(None, operands))} : {', '.join(type_ for group in types for type_ in group)}"
        if len(types) > 1:
            return _function_type(types[0], [type_ for group in types[1:] for type_ in group])
        return next(filter(None, map(self._element, element.args)), "")

    def _types(self, element: ods.Element) -> list[str]:
        match element:
            case ods.Variable(name=name) | ods.TypeOf(arg=ods.Variable(name=name)):
                if name in self.operands:
                    return self._operand_types(*(self.node.operand_groups or {}).get(name, (0, 0)))
                start, end = (self.node.result_groups or {}).get(name, (0, 0))
                return self._result_types()[start:end]
            case ods.Operands():
                return self._operand_types(0, len(self.node.operands))
            case ods.Results():
                return self._result_types()
        return []

    def _operand_types(self, start: int, end: int) -> list[str]:
        pairs = list(zip_longest(self.node.operand_types or (), self.types))[start:end]
        types = [written.text if written is not None else resolved for written, resolved in pairs]
        if None in types:
            raise NotRespelledError("the types of its operands are not known")
        return [text for text in types if text is not None]

    def _result_types(self) -> list[str]:
        types = self.node.result_types
        if types is None:
            if self.node.results or self.meant.results:
                raise NotRespelledError("the types of its results are not known")
            return []
        return [type_.text for type_ in types]


def _function_type(inputs: Sequence[str], results: Sequence[str]) -> str:
    is_one = len(results) == 1 and not results[0].startswith("(")
    return f"({', '.join(inputs)}) -> {results[0] if is_one else '(' + ', '.join(results) + ')'}"


def without_types(text: str, node: Operation) -> str:
    """Return a list of values and integers without the types of operands, which LLVM 18 writes inside of it."""
    types = sorted({type_.text for type_ in node.operand_types or () if type_ is not None}, key=len, reverse=True)
    for typed in (f"{colon}{type_}" for type_ in types for colon in (" : ", ": ", ":")):
        text = text.replace(typed, "")
    return text


def _joined(parts: Iterator[str]) -> str:
    """Join texts by blanks, without any inside of brackets and before commas."""
    text = ""
    for part in parts:
        glued = not text or text.endswith(("(", "[")) or part.startswith(",") or part in (")", "]", "[", "(")
        text += part if glued else f" {part}"
    return text


def case_of(value: str, definition: AttributeDefinition) -> str | None:
    """Return the case of an enumeration that `value` stands for."""
    if value.strip('"') in definition.cases:
        return value
    inner = _OF_DIALECT.fullmatch(value)
    if inner is not None and inner[1] in definition.cases:
        return inner[1]
    number = TYPE_SUFFIX.sub("", value)
    numbers = dict(zip(map(str, definition.case_numbers or ()), definition.cases, strict=False))
    return numbers.get(number)
