"""Writes an operation as another version of LLVM does: same operands, attributes, types and regions, another text.

The operation is read by the format of its definition, and each element's text is recorded. The format of the other
definition is then filled with these texts. Only tokens that differ are changed, so layout and comments stay, and the
result counts only if the other format reads the same operation from it.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.changed_operations import changes_between
from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.structs import replace
from tdls.syntax import scanner
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import NotInterpretable, is_unit
from tdls.syntax.parser.assembly.format_reader import assembly_of, read_assembly
from tdls.syntax.parser.assembly.reader import AssemblyReader
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.operation_state import OperationState
from tdls.syntax.parser.parser import Parser
from tdls.syntax.tree import Form, NamedAttribute, TypeUse
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.changed_operations import ChangedOperation
    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.tree import Operation

    _Value = TypeVar("_Value", OperandDefinition, ResultDefinition)

_MOST_TOKENS = 5_000
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
_TYPE_SUFFIX = re.compile(r"(?<=[\w.])\s*:\s*([\w.]+)\s*$")
_IMPLIED = ("i64", "f64")
"""Types of numbers that need not be written."""
_NUMERIC = re.compile(r"(?:[su]?i\d+|index|f\d+)\Z")
_OPTION = re.compile(r"(?<![\w-])([\w-]+)=([\w.,:/+-]+)(?:\s+|\Z)")
_NUMBER_OR_TRUTH = re.compile(r"(?:0|-?[1-9]\d{0,17}|true|false)\Z")
_OF_DIALECT = re.compile(r'#[\w.]+<\s*"?(\w+)"?\s*>')
_PARENTHESES = re.compile(r"[()\s]")
"""Characters that may also be around a single type."""
_Replacement = tuple[Span, str]


class NotRespelledError(Exception):
    """The operation cannot be written in the other form; the message says why, for people."""


def respelled(
    text: str,
    dialect: str,
    written: OperationDefinition,
    meant: OperationDefinition,
    catalogue: Catalogue,
    types: tuple[Sequence[str | None], Sequence[str]],
    around: str,
) -> list[_Replacement]:
    """Return the replacements in `text`, one operation in the form of `written`, that give it the form of `meant`.

    `dialect` is the default dialect there. `types` are those of the operands and of the results, for forms that do not
    write them. Names of new values do not occur in `around`. Raises `NotRespelledError`.
    """
    reading = _Reading(text, catalogue, dialect, written)
    names = dict(_renamed_attributes(reading.node, written, meant))
    typed = node = _typed(reading.node, types[1])
    changes = changes_between(written, meant, catalogue.renamed(written.name))
    groups, count = (node.operand_groups or {}).items(), len(types[0])
    operand_types = {name: types[0][start] or "" for name, (start, end) in groups if start + 1 == end <= count}
    for change in changes:
        changed = _Changed(change, written, meant)
        node = changed.node(node, operand_types)
        names.update(changed.names)
    node = replace(
        node,
        attributes=tuple(_with_units(node.attributes, meant)),
        operand_groups=_renamed(node.operand_groups, written.operands, meant.operands),
        result_groups=_renamed(node.result_groups, written.results[:1], meant.results),
    )
    _compare_definitions(node, (written, meant), names, changes, catalogue.former_attributes(written.name))
    body = _Writer(reading, node, meant, types[0], names).written()
    first, last = reading.body
    replacements = list(_results(typed, node, meant, text, around))
    if written.name != meant.name:
        replacements.append((reading.name, meant.name))
    replacements += _differences(reading, first, last, body)
    again = text
    for span, new in reversed(replacements):
        again = again[: span.start] + new + again[span.end :]
    parser = Parser(scanner.scan(again), catalogue, dialect)
    read = parser.read_operation()
    is_read = read is not None and parser.index == parser.limit and not read.broken and read.form is Form.EXACT
    inside = [region.span for region in read.regions] if read is not None else []
    problems = [each for each in parser.problems if not any(span.start <= each.start < span.end for span in inside)]
    if read is None or not is_read or problems:
        raise NotRespelledError(f"its parts do not fit the format `{' '.join((meant.assembly_format or '').split())}`")
    if read.definition is None or not catalogue.is_at_target(read.definition):
        raise NotRespelledError("the result would be in the form of another version")
    difference = next(_different_parts(node, read, written, read.definition, names), None)
    if difference is not None:
        raise NotRespelledError(f"{difference} would not stay the same")
    return replacements


def is_read_as(text: str, dialect: str, definition: OperationDefinition, catalogue: Catalogue) -> bool:
    """Whether `text` is one operation in the form of `definition`."""
    try:
        parser = _Reading(text, catalogue, dialect, definition).parser
    except NotRespelledError:
        return False
    return parser.index == parser.limit


def _typed(node: Operation, types: Sequence[str]) -> Operation:
    """Return `node` with `types` for its results, if it is written in a form without types."""
    if node.result_types is not None or node.definition is None:
        return node
    results, groups, end = node.definition.results, {}, 0
    if not types and all(result.arity is Arity.ONE for result in results):
        types = ["!transform.any_op"] * len(results)
    if not types and results:
        return node
    for result in results:
        start, end = end, end + (1 if result.arity is Arity.ONE else len(types) - len(results) + 1)
        groups[result.name] = (start, end)
    return replace(node, result_types=tuple(TypeUse(0, 0, type_) for type_ in types), result_groups=groups)


def _renamed(
    groups: Mapping[str, tuple[int, int]] | None, written: Sequence[_Value], meant: Sequence[_Value]
) -> dict[str, tuple[int, int]]:
    """Return groups of operands or results by their names in `meant`, where some got other names at the same places."""
    names: dict[str, str] = {}
    if [each.arity for each in written] == [each.arity for each in meant]:
        names = {old.name: new.name for old, new in zip(written, meant, strict=True)}
    moved = {new for old, new in names.items() if old != new} & names.keys()
    return {name if moved else names.get(name, name): group for name, group in (groups or {}).items()}


def _with_units(attributes: Sequence[NamedAttribute], meant: OperationDefinition) -> Iterator[NamedAttribute]:
    """Yield attributes, a truth that `meant` has as a unit attribute as such, or not at all if it is false."""
    units = {each.name for each in meant.attributes if is_unit(each)}
    for each in attributes:
        if each.name not in units or each.value not in ("true", "false"):
            yield each
        elif each.value == "true":
            yield replace(each, value=None)


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


class _Reading:
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


class _Writer:
    """Fills the format of a definition with the parts of an operation that was read."""

    def __init__(
        self,
        reading: _Reading,
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
        self.used: set[str] = set(_SEGMENTS)

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
            return _case(value, definition) or value
        if definition.type is not None:
            suffix = _TYPE_SUFFIX.search(value)
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
            is_bare = former.type is not None and _TYPE_SUFFIX.search(value) is None and value not in ("true", "false")
            if is_bare and _NUMERIC.match(former.type or "") and former.type not in _IMPLIED:
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
            return texts[best] if has_types else _without_types(texts[best], self.node)
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


def _without_types(text: str, node: Operation) -> str:
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


# Changes of more than spelling


class _Changed:
    """Gives an operation the attributes and results that mean the same in another version."""

    def __init__(self, changed: ChangedOperation, written: OperationDefinition, meant: OperationDefinition) -> None:
        self.changed = changed
        self.meant = meant
        self.definitions = {each.name: each for each in (*meant.attributes, *written.attributes)}
        defaults = {each.name: each.default for each in written.attributes}
        self.defaults = {name: default for name, default in defaults.items() if default is not None}
        self.is_later = max(written.versions) <= changed.last_version
        pairs = changed.names if self.is_later else [pair[::-1] for pair in changed.names]
        self.names = dict(pairs)
        """The names of attributes in the other version, where they are other ones."""

    def node(self, node: Operation, operand_types: Mapping[str, str]) -> Operation:
        """Return the operation, whose operands have these types by name, as the other version has it.

        Raises `NotRespelledError`.
        """
        changed = self.changed
        if changed.reason:
            raise NotRespelledError(changed.reason)
        for name, value, reason in changed.unlike:
            attribute = node.attribute(name)
            plain = self._plain(name, attribute.value) if attribute is not None else self.defaults.get(name)
            if plain == value or (not value and attribute is not None and plain != "[]"):
                raise NotRespelledError(f"`{name}` has no equal there: {reason}")
        node = replace(node, attributes=self._attributes(node))
        if not self.is_later:
            return node
        kept = [each for each in node.attributes if each.name not in changed.drops]
        given = {self.names.get(each.name, each.name) for each in kept}
        added = [NamedAttribute(0, 0, name, value or None, 0, 0) for name, value in changed.adds if name not in given]
        node = replace(node, attributes=(*kept, *added))
        groups, types = dict(node.result_groups or {}), list(node.result_types or ())
        if changed.first_result_last and len(types) > 1:
            types.append(types.pop(0))
            groups = {name: (start - 1, end - 1) for name, (start, end) in groups.items()}
            groups = {
                name: bounds if bounds[0] >= 0 else (len(types) - 1, len(types)) for name, bounds in groups.items()
            }
        known = {name for name, (start, end) in groups.items() if start < end}
        for name, type_ in changed.new_results if node.result_types is not None else ():
            if name not in known:
                groups[name] = (len(types), len(types) + 1)
                types.append(TypeUse(0, 0, operand_types.get(type_, type_)))
        return replace(node, result_types=tuple(types) if node.result_types is not None else None, result_groups=groups)

    def _attributes(self, node: Operation) -> tuple[NamedAttribute, ...]:
        changed = self.changed
        options = node.attribute(changed.pass_options)
        if options is not None:
            if not self.is_later:
                raise NotRespelledError(f"`{options.name}` is a text there")
            new = replace(options, value=_options(options.value or ""))
            return tuple(new if each is options else each for each in node.attributes)
        sizes = node.attribute(changed.three)
        if sizes is not None and (missing := 2 - (sizes.value or "").count(",")) > 0:
            full = replace(sizes, value=(sizes.value or "").rstrip().removesuffix("]") + ", 1" * missing + "]")
            return tuple(full if each is sizes else each for each in node.attributes)
        given = {each.name: self._plain(each.name, each.value) for each in node.attributes}
        for pair in changed.attributes:
            former, latter = pair if self.is_later else reversed(pair)
            if all(given.get(name) == self._plain(name, value) for name, value in former):
                names = [name for name, _ in former]
                place = next(each for each in node.attributes if each.name == names[0])
                kept = [each for each in node.attributes if each.name not in names]
                return (*kept, *(replace(place, name=name, value=value) for name, value in latter))
        return node.attributes

    def _plain(self, name: str, value: str | None) -> str | None:
        definition = self.definitions.get(name)
        if value is None or definition is None:
            return value
        return _case(value, definition) or _TYPE_SUFFIX.sub("", value)


def _options(text: str) -> str:
    """Return the dictionary of pass options for their text in quotes. Raises `NotRespelledError`."""
    inside = text.strip()[1:-1].strip()
    options = list(_OPTION.finditer(inside))
    names = [option[1] for option in options]
    if "".join(option[0] for option in options) != inside or len(set(names)) < len(names):
        raise NotRespelledError("the options are no list of names with plain values")
    values = [option[2] if _NUMBER_OR_TRUTH.match(option[2]) else f'"{option[2]}"' for option in options]
    return "{" + ", ".join(f'"{name}" = {value}' for name, value in zip(names, values, strict=True)) + "}"


def _results(
    before: Operation, after: Operation, meant: OperationDefinition, text: str, around: str
) -> Iterator[_Replacement]:
    """Yield the replacement of the names of results, where others follow or their order changes.

    Raises `NotRespelledError`.
    """
    added = len(after.result_types or ()) - len(before.result_types or ())
    if not before.results:
        return
    first, last = before.results[0], before.results[-1]
    now = after.result_groups or {}
    is_reordered = any(start != now.get(name, (start,))[0] for name, (start, _) in (before.result_groups or {}).items())
    if is_reordered and len(before.results) > 1:
        if first.count > 1:
            raise NotRespelledError("its results are in another order there, and one name stands for several of them")
        names = [text[each.start : each.end] for each in (*before.results[1:], first)]
        yield Span(first.start, last.end), ", ".join(names)
    if added > 0 and last.count > 1:
        count = text.rindex(":", last.start, last.end) + 1
        yield Span(count, last.end), str(last.count + added)
    elif added > 0:
        new = [result.name for result in meant.results[len(meant.results) - added :]]
        yield Span(last.end, last.end), "".join(f", {new_value(name, around)}" for name in new)


def new_value(name: str, around: str) -> str:
    """Return the name of a value that begins with `name` and does not occur in `around`."""
    numbered = (f"%{name}{number or ''}" for number in range(len(around) + 1))
    return next(each for each in numbered if each not in around)


# Comparison


def _renamed_attributes(
    node: Operation, written: OperationDefinition, meant: OperationDefinition
) -> Iterator[tuple[str, str]]:
    """Yield attributes with another name: ``sizes`` has become ``static_sizes`` where operands took over the name."""
    known = {attribute.name for attribute in meant.attributes}
    operands = {operand.name for operand in meant.operands}
    names = [*(attribute.name for attribute in written.attributes), *(attribute.name for attribute in node.attributes)]
    for former in dict.fromkeys(names):
        name = f"static_{former}"
        if former not in known and former in operands and name in known:
            yield former, name


def _compare_definitions(
    node: Operation,
    definitions: tuple[OperationDefinition, OperationDefinition],
    names: Mapping[str, str],
    changes: Sequence[ChangedOperation],
    former: Sequence[str],
) -> None:
    """Raise `NotRespelledError` where the second definition may mean something else, or lacks a part that is used.

    `former` are names of attributes that only versions before those of the facts have.
    """
    written, meant = definitions
    given = {attribute.name for attribute in node.attributes}
    known = {attribute.name: attribute for attribute in meant.attributes}
    own = {attribute.name for attribute in written.attributes}
    for name in sorted(given & {*own, *former}):
        if names.get(name, name) not in known:
            raise NotRespelledError(f"it has no `{name}` there")
    for attribute in written.attributes:
        new = known.get(names.get(attribute.name, attribute.name))
        if attribute.name in given or new is None or attribute.default is None:
            continue
        if _shown(attribute.default) != _shown(new.default):
            raise NotRespelledError(f"`{attribute.name}` has another default there")
    operands = {operand.name for operand in meant.operands}
    for name, (start, end) in (node.operand_groups or {}).items():
        if end > start and name not in operands:
            raise NotRespelledError(f"it has no operand `{name}` there")
    new_names = {former: new for change in changes for former, new in change.results}
    groups = (node.result_groups or {}).keys()
    if len(written.results) == len(meant.results) == 1:
        new_names = {written.results[0].name: meant.results[0].name}
    results, others = (
        [(new_names.get(result.name, result.name), result.arity is Arity.ONE) for result in definition.results]
        for definition in definitions
    )
    if any(change.first_result_last for change in changes):
        results = [*results[1:], *results[:1]]
    if results != [each for each in others if each in results or (each[1] and each[0] not in groups)]:
        raise NotRespelledError("it has other results there")


def _shown(default: str | None) -> str:
    return "" if default == "{}" else (default or "").rpartition("::")[2].strip('"')


def _different_parts(
    before: Operation,
    after: Operation,
    written: OperationDefinition,
    meant: OperationDefinition,
    names: Mapping[str, str],
) -> Iterator[str]:
    if _operands(before) != _operands(after):
        yield "its operands"
    if [type_.text for type_ in before.result_types or ()] != [type_.text for type_ in after.result_types or ()]:
        yield "its types"
    old = _normal(before, (*meant.attributes, *written.attributes), names)
    new = _normal(after, meant.attributes, {})
    for name in old.keys() | new.keys():
        if old.get(name) != new.get(name):
            yield f"`{name}`"
    if len(before.regions) != len(after.regions) or before.symbol_name != after.symbol_name:
        yield "its regions"


def _operands(node: Operation) -> dict[str, list[tuple[str, int | None]]]:
    groups = (node.operand_groups or {}).items()
    return {
        name: [(use.name, use.number) for use in node.operands[start:end]]
        for name, (start, end) in groups
        if end > start
    }


def _normal(node: Operation, definitions: Sequence[AttributeDefinition], names: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes by name, their values without blanks and without types that the definition implies."""
    known = {attribute.name: attribute for attribute in definitions}
    normal: dict[str, str] = {}
    for each in node.attributes:
        attribute = known.get(each.name)
        value = each.value if each.value is not None else "unit"
        if attribute is not None and attribute.spelling is AttributeSpelling.CUSTOM and attribute.mnemonic:
            value = value.removeprefix(f"#{attribute.mnemonic}")
        elif attribute is not None and attribute.cases:
            value = _case(value, attribute) or value
        suffix = _TYPE_SUFFIX.search(value)
        implied = (*_IMPLIED, attribute.type if attribute is not None else None)
        if suffix is not None and suffix[1] in implied:
            value = value[: suffix.start()]
        if each.name not in _SEGMENTS:
            normal[names.get(each.name, each.name)] = "".join(_without_types(value, node).split())
    return normal


def _case(value: str, definition: AttributeDefinition) -> str | None:
    """Return the case of an enumeration that `value` stands for."""
    if value.strip('"') in definition.cases:
        return value
    inner = _OF_DIALECT.fullmatch(value)
    if inner is not None and inner[1] in definition.cases:
        return inner[1]
    number = _TYPE_SUFFIX.sub("", value)
    numbers = dict(zip(map(str, definition.case_numbers or ()), definition.cases, strict=False))
    return numbers.get(number)


# Edits


def _differences(reading: _Reading, first: int, last: int, body: str) -> Iterator[_Replacement]:
    """Yield the replacements that turn the tokens from `first` up to `last` into those of `body`.

    Text between two tokens that stay neighbours stays, too.
    """
    from difflib import SequenceMatcher

    old, new = reading.parser, scanner.scan(body)
    count = new.kinds.index(scanner.END)
    matcher = SequenceMatcher(None, old.spellings[first:last], new.spellings[:count], autojunk=False)
    kept = [
        (first + block.a + offset, block.b + offset)
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    ]
    before = (first - 1, -1)
    for after in (*kept, (last, count)):
        if after[0] > before[0] + 1 or after[1] > before[1] + 1:
            end = old.ends[last - 1] if after[0] == last else old.starts[after[0]]
            inserted = range(before[1] + 1, after[1])
            text = body[new.starts[inserted.start] : new.ends[inserted.stop - 1]] if inserted else ""
            blank_before, blank_behind = (_blank(body, new, index) for index in (inserted.start, after[1]))
            gaps = [old.text[old.ends[index] : old.starts[index + 1]] for index in range(before[0], after[0])]
            if after[0] == last:
                gaps[-1] = blank_behind = ""
            yield Span(old.ends[before[0]], end), _filled(gaps, blank_before, text, blank_behind)
        before = after


def _blank(body: str, new: scanner.Tokens, index: int) -> str:
    """Return the text that MLIR prints in front of a token of `body`."""
    return " " if index == 0 else body[new.ends[index - 1] : new.starts[index]] if index < len(new.starts) else ""


def _filled(gaps: list[str], before: str, text: str, behind: str) -> str:
    """Return `text` with blanks around it, or with the comment or line break among `gaps`, which it replaces."""
    comments = [gap for gap in gaps if gap.strip()]
    if len(comments) > 1:
        raise NotRespelledError("comments stand in what would be replaced")
    filling = comments or [gap for gap in gaps if "\n" in gap]
    if not filling:
        return before + text + behind if text else behind
    if text and filling[-1] is gaps[0]:
        return filling[-1] + text + behind
    return (before + text if text else "") + filling[-1]
