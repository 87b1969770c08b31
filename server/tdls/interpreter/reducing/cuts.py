"""Cuts: edits that make a text with MLIR smaller. Each may make it one that MLIR rejects, which a run tells."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from tdls.semantic.resolver import resolve
from tdls.semantic.symbols import symbol_name
from tdls.semantic.types import TypeTexts
from tdls.syntax.layout import comments
from tdls.syntax.parser.parser import parse
from tdls.syntax.scanner import ATTRIBUTE, SYMBOL, TYPE, VALUE, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Block, Model, Operation, Value
    from tdls.syntax.tree import Alias, Node

Edit: TypeAlias = tuple[int, int, str]
"""Start and end of a range of the text, and what replaces it."""
Cut: TypeAlias = tuple[Edit, ...]
"""Edits that belong together."""

_EMPTY_DICTIONARY = re.compile(r"[ ]?\battributes[ ]\{\s{0,9}\}|[ ]?\{\s{0,9}\}(?=[ ]?(?:[:,)\n]))")
_NUMBER = re.compile(r"(?<![\w%@^#!.$:-])\d+(?=x|[^\w.]|$)|(?<=x)\d+(?=x)")
_ELEMENT = re.compile(r"(?<![\w%@^#!.$-])(?:(?<=x)|\b)(?:f64|f16|bf16|i64|i16|i8|complex<f\d+>)\b")
_ARROW = re.compile(r"\s{0,99}->\s{0,99}\(?\s{0,99}\Z")


def tidy(text: str) -> str:
    """Return a text without comments, blank lines and blanks at ends of lines."""
    text = with_edits(text, [(comment.span.start, comment.span.end, "") for comment in comments(text)])
    return "".join(f"{line}\n" for line in (each.rstrip(" \t") for each in text.split("\n")) if line)


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` after `edits`; of those that overlap, the first one that replaces counts, and all that delete."""
    pieces, end = [], 0
    for start, stop, new in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if start >= end:
            pieces += [text[end:start], new]
        end = max(end, stop)
    return "".join([*pieces, text[end:]])


def model_of(text: str, catalogue: Catalogue) -> Model:
    """Return the operations of a whole file."""
    tree = parse(text, catalogue, looks_for_typos=False)
    aliases = [(member.alias.name, member.alias.value) for member in tree.members if member.alias is not None]
    return resolve(tree, TypeTexts(aliases))


class Cuts:
    """All cuts of one text, by kind."""

    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self.text = text
        self._catalogue = catalogue
        self.model = model_of(text, catalogue)
        self._uses: dict[int, list[tuple[Operation, int]]] = defaultdict(list)
        """The operands that are a value, by its identity."""
        self._users_of_symbol: dict[str, list[Operation]] = defaultdict(list)
        self._symbols: dict[str, Operation] = {}
        for operation in self.model.walk():
            for number, value in enumerate(operation.operands):
                self._uses[id(value)].append((operation, number))
            for symbol in operation.syntax.symbols:
                self._users_of_symbol[symbol.path[-1]].append(operation)
            if (name := symbol_name(operation)) is not None:
                self._symbols[name] = operation

    def operations(self) -> Iterator[Cut]:
        """Yield the removal of each operation, with all that uses it."""
        for operation in self.model.walk():
            removed: dict[int, Operation] = {}
            self._remove(operation, removed)
            if not any(map(_ends_block, removed.values())):
                yield tuple((*_lines(self.text, each.span.start, each.span.end), "") for each in removed.values())

    def _remove(self, operation: Operation, removed: dict[int, Operation]) -> None:
        pending = [operation]
        while pending:
            operation = pending.pop()
            if id(operation) in removed:
                continue
            removed[id(operation)] = operation
            pending += (user for result in operation.results for user, _ in self._uses[id(result)])
            pending += self._users_of_symbol[symbol_name(operation) or ""]

    def aliases(self) -> Iterator[Cut]:
        """Yield the removal of each alias without uses, and the replacement of others by an equal or the first one."""
        others: list[Alias] = []
        for start, end, alias in _aliases(self.text, self._catalogue):
            uses = [edit for edit in _renamed_alias(self.text, alias.name, "") if not start <= edit[0] < end]
            like = [other for other in others if other.name[0] == alias.name[0]]
            other = next((other for other in like if other.value == alias.value), like[0] if like else None)
            if other is not None or not uses:
                name = other.name if other is not None else ""
                yield ((*_lines(self.text, start, end), ""), *((begin, behind, name) for begin, behind, _ in uses))
            others.append(alias)

    def forwarded(self) -> Iterator[Cut]:
        """Yield the removal of each operation whose results other values of the same types can replace."""
        for operation in self.model.walk():
            edits = [(*_lines(self.text, operation.span.start, operation.span.end), "")]
            for result in operation.results:
                other = next((value for value in _visible(operation) if value.type == result.type), None)
                if self._uses[id(result)] and other is None:
                    break
                edits += self._renamed(result, other.shown if other is not None else "")
            else:
                if operation.results:
                    yield tuple(edits)

    def _renamed(self, value: Value, name: str) -> Iterator[Edit]:
        for user, number in self._uses[id(value)]:
            use = user.syntax.operands[number]
            yield use.start, use.end, name

    def spliced(self) -> Iterator[Cut]:
        """Yield operations replaced by the content of one of their regions, and calls by that of the called one."""
        for number, operation in enumerate(self.model.walk()):
            called = self._symbols.get(operation.syntax.symbols[0].path[-1]) if operation.syntax.symbols else None
            if called is not None and not operation.regions:
                for block in called.blocks():
                    yield self._in_place(operation, block, operation.operands, f"_{number}")
            elif symbol_name(operation) is None:
                for block in operation.blocks():
                    yield self._in_place(operation, block, list(_visible(operation)), "")

    def _in_place(self, operation: Operation, block: Block, given: list[Value | None], suffix: str) -> Cut:
        """Return `operation` replaced by the content of `block`, whose names get a suffix in a copy."""
        inner = block.operations[:-1] if block.operations and _ends_block(block.operations[-1]) else block.operations
        if not inner:
            return ()
        start, end = inner[0].span.start, inner[-1].span.end
        left = list(given)
        names: dict[int, str] = {}
        for argument in block.arguments:
            value = next((value for value in left if value is not None and value.type == argument.type), None)
            if value is not None:
                names[id(argument)] = value.shown
                if suffix:
                    left.remove(value)
        edits = [edit for argument in block.arguments for edit in self._renamed(argument, names.get(id(argument), "%"))]
        if suffix:
            nested = [each for outer in inner for each in outer.walk()]
            arguments = (argument for each in nested for block in each.blocks() for argument in block.arguments)
            defined = {value.name for value in (*(result for each in nested for result in each.results), *arguments)}
            edits += (
                (token_start, token_end, f"{name}{suffix}")
                for name, token_start, token_end in _names(self.text[start:end], start, VALUE)
                if name in defined
            )
        edits = [edit for edit in edits if start <= edit[0] < end]
        shifted = [(edit[0] - start, edit[1] - start, edit[2]) for edit in edits]
        whole = (operation.span.start, operation.span.end, with_edits(self.text[start:end], shifted))
        results: list[Edit] = []
        for result, value in zip(operation.results, block.yielded, strict=False):
            if value is not None:
                name = names.get(id(value), f"{value.name}{suffix}")
                results += self._renamed(result, name if value.number is None else f"{name}#{value.number}")
        return (whole, *results)

    def results(self) -> Iterator[Cut]:
        """Yield functions without results."""
        for operation in self.model.walk():
            signature, body = operation.syntax.signature, operation.body
            if signature is None or not signature.results or body is None or body.terminator is None:
                continue
            arrow = _ARROW.search(self.text, operation.span.start, signature.results[0].start)
            if arrow is not None:
                end = signature.results[-1].end
                end += "(" in arrow[0] and self.text[end : end + 1] == ")"
                yield (arrow.start(), end, ""), (body.terminator.location.end, body.terminator.span.end, "")

    def parts(self) -> Iterator[Cut]:
        """Yield operations without one attribute or operand, and functions without one argument."""
        for operation in self.model.walk():
            signature = operation.syntax.signature
            arguments = signature.arguments if signature is not None else ()
            for attribute in (*operation.syntax.attributes, *(each for one in arguments for each in one.attributes)):
                yield self._without([attribute])
            for argument in arguments:
                end = argument.type.end if argument.type is not None else argument.end
                yield (self._with_comma(argument.start, end),)
            types = operation.syntax.operand_types or ()
            for number, operand in enumerate(operation.syntax.operands):
                written = types[number] if number < len(types) else None
                yield self._without([operand, written] if written is not None and written.is_spelled else [operand])

    def _without(self, nodes: Iterable[Node]) -> Cut:
        return tuple(self._with_comma(node.start, node.end) for node in nodes)

    def _with_comma(self, start: int, end: int) -> Edit:
        """Return the removal of a member of a list, with the comma behind or before it."""
        behind = re.compile(r"\s{0,99},[ ]?").match(self.text, end)
        if behind is not None:
            return start, behind.end(), ""
        before = self.text[:start].rstrip()
        return (len(before) - 1 if before.endswith(",") else start), end, ""

    def emptied(self) -> Iterator[Cut]:
        """Yield the removal of dictionaries that have nothing left."""
        return (((match.start(), match.end(), ""),) for match in _EMPTY_DICTIONARY.finditer(self.text))

    def numbers(self, new: int) -> Iterator[Cut]:
        """Yield each larger number replaced by `new`, wherever it is written."""
        yield from self._everywhere(_NUMBER, lambda word: str(new) if int(word) > new else word)

    def elements(self) -> Iterator[Cut]:
        """Yield each type of scalars replaced by a usual one, wherever it is written."""
        yield from self._everywhere(_ELEMENT, lambda word: "i32" if word.startswith("i") else "f32")

    def _everywhere(self, pattern: re.Pattern[str], new: Callable[[str], str]) -> Iterator[Cut]:
        edits: dict[str, list[Edit]] = defaultdict(list)
        for match in pattern.finditer(self.text):
            if new(match[0]) != match[0]:
                edits[match[0]].append((match.start(), match.end(), new(match[0])))
        return map(tuple, edits.values())

    def lines(self) -> Iterator[Cut]:
        """Yield the removal of each line."""
        start = 0
        for line in self.text.splitlines(keepends=True):
            yield ((start, start + len(line), ""),)
            start += len(line)

    def names(self, kept: str) -> Iterator[Cut]:
        """Yield neutral names for all values, and for all symbols but `kept`."""
        values: dict[str, str] = {}
        for name, _, _ in _names(self.text, 0, VALUE):
            values.setdefault(name, f"%{len(values)}")
        yield tuple((start, end, values[name]) for name, start, end in _names(self.text, 0, VALUE))
        new = {name: f"@s{number}" for number, name in enumerate(name for name in self._symbols if name != kept)}
        symbols = {f"@{quote}{name}{quote}": neutral for name, neutral in new.items() for quote in ("", '"')}
        yield tuple((start, end, symbols.get(name, name)) for name, start, end in _names(self.text, 0, SYMBOL))


def _names(text: str, shift: int, kind: str) -> Iterator[tuple[str, int, int]]:
    """Yield the names of one kind with their places; those of values without numbers behind them."""
    tokens = scan(text)
    for number in range(tokens.count):
        if tokens.kinds[number] == kind:
            name = tokens.spellings[number].partition("#")[0] if kind == VALUE else tokens.spellings[number]
            yield name, tokens.starts[number] + shift, tokens.starts[number] + len(name) + shift


def _aliases(text: str, catalogue: Catalogue) -> Iterator[tuple[int, int, Alias]]:
    """Yield the aliases of a file with their places."""
    for member in parse(text, catalogue, looks_for_typos=False).members:
        if member.alias is not None:
            yield member.start, member.end, member.alias


def _renamed_alias(text: str, name: str, new: str) -> list[Edit]:
    names = _names(text, 0, TYPE if name.startswith("!") else ATTRIBUTE)
    return [(start, end, new) for found, start, end in names if found == name]


def _ends_block(operation: Operation) -> bool:
    is_last = operation.block is not None and operation is operation.block.operations[-1]
    return is_last and (operation.definition is None or operation.has_trait("IsTerminator"))


def _visible(operation: Operation) -> Iterator[Value]:
    """Yield values that `operation` can use: its operands, and nearest first, all before it and around it."""
    yield from (value for value in operation.operands if value is not None)
    inner: Operation | None = operation
    while inner is not None and inner.block is not None:
        for before in reversed(inner.block.operations[: inner.index]):
            yield from before.results
        yield from inner.block.arguments
        inner = inner.parent if not inner.block.region.parent.has_trait("IsolatedFromAbove") else None


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of whole lines if nothing else is on them."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last + 1
    return (start, end) if text[first:start].strip() or text[end:last].strip() else (first, last)


def merged(script: str, payload: str | None, libraries: Iterable[str], catalogue: Catalogue) -> str:
    """Return script, libraries and payload as one file."""
    texts = [script, *libraries, *([payload] if payload is not None else ())]
    values: dict[str, str] = {}
    for number, text in enumerate(texts):
        aliases = [alias for _, _, alias in _aliases(text, catalogue)]
        others = [alias.name for alias in aliases if values.setdefault(alias.name, alias.value) != alias.value]
        edits = [edit for name in others for edit in _renamed_alias(text, name, f"{name}_{number}")]
        texts[number] = with_edits(text, edits)
    trees = [parse(text, catalogue, looks_for_typos=False) for text in texts]
    written: Mapping[str, None] = {
        text[member.start : member.end]: None
        for text, tree in zip(texts, trees, strict=True)
        for member in tree.members
        if member.alias is not None
    }
    rests = [
        with_edits(text, [(member.start, member.end, "") for member in tree.members if member.alias is not None])
        for text, tree in zip(texts, trees, strict=True)
    ]
    inner = "".join(_content(text, catalogue) for text in rests[1 : len(texts) - (payload is not None)])
    model = model_of(rests[0] + inner, catalogue)
    bodies = {symbol_name(operation) for operation in model.walk() if any(operation.blocks())} - {None}
    declared = [
        (operation.span.start, operation.span.end, "")
        for operation in model.walk()
        if not any(operation.blocks()) and symbol_name(operation) in bodies
    ]
    whole = with_edits(rests[0] + inner, declared)
    module = next((operation for operation in model_of(whole, catalogue).operations if operation.regions), None)
    if inner and module is not None:
        end = module.regions[0].syntax.end - 1
        whole = f"{whole[:end]}{whole[module.span.end :]}{whole[end : module.span.end]}\n"
    if payload is not None:
        whole = f"module {{\n{rests[-1]}\n{whole}\n}}\n"
    return tidy("\n".join([*written, whole]))


def _content(text: str, catalogue: Catalogue) -> str:
    """Return the operations of a library, without the module around them."""
    operations = model_of(text, catalogue).operations
    if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
        region = operations[0].regions[0].syntax
        return text[region.start + 1 : region.end - 1]
    return text
