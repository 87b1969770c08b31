"""One version of a file: its sections, and lookups across them."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from tdls.analysis.file.context import Context, DefiningOperation
from tdls.analysis.file.prefilter import key_of_mentioned, mentioned_symbols, mentions_transform, template_in
from tdls.catalogue.model import EffectSource, MatchCriterion
from tdls.payload.abridged import Cuts, abridge
from tdls.semantic.symbols import symbols_in
from tdls.semantic.types import TypeTexts
from tdls.structs import NamedTuple
from tdls.syntax.layout import from_code_on
from tdls.syntax.sections.boundaries import SplitMode
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sectioned_text import SectionedText
from tdls.syntax.sections.sections import SectionKind
from tdls.syntax.spellings import symbol_in
from tdls.system import cached_property
from tdls.text.difference import single_edit
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.limits import Limit
    from tdls.semantic.model import Operation
    from tdls.syntax.embedded.masking import MaskedProgram
    from tdls.syntax.sections.sections import Section, SectionRange
    from tdls.syntax.tree import Operation as SyntaxOperation
    from tdls.syntax.tree import SymbolUse
    from tdls.text.span import Span


_Key: TypeAlias = tuple[int, int]
"""The identity of the frame around a level, and the number of its part."""


class LibraryFile(NamedTuple):
    """A library, and how people call it."""

    name: str
    file: SourceFile


class NamedLibraries(NamedTuple):
    """The libraries of a file, by who names them."""

    files: Mapping[str, tuple[LibraryFile, ...]] = MappingProxyType({})
    """Those of its comments, as they are written. A name that leads to no file has none; an unclear one is left out."""
    commands: frozenset[frozenset[str]] = frozenset()
    """The names that stand in one command, and those of comments for tdls."""
    of_settings: tuple[LibraryFile, ...] = ()
    """Those that only settings name."""
    missing: tuple[str, ...] = ()
    """Sentences about names in settings that lead to no file."""

    @property
    def all(self) -> Iterator[tuple[str, LibraryFile]]:
        """Yield each library with its name as it is written, "" for one that only settings name."""
        yield from ((text, library) for text, libraries in self.files.items() for library in libraries)
        yield from (("", library) for library in self.of_settings)


_NOTHING_NAMED = NamedLibraries()
_NO_CUTS = Cuts()
_LONG_LITERAL = 100_000
"""Minimum length, in code points, of a literal that is shortened in files of editors."""


class _LevelSections(NamedTuple):
    """The sections of the file's top level, of one part of it, or of one container."""

    key: _Key
    indices: list[int]
    """Indices of their pieces, in the order of the text; for frames, of the first half."""
    symbols: dict[str, int]
    """Index of the section that seems to define each symbol, judged by the beginning of its text."""
    scripts: list[int]
    """Indices of the sections that mention transform operations."""
    first_of: dict[str, int]
    """Index of the first section that begins with each operation name, as written."""
    named_by: dict[str, dict[str, None]]
    """The keys of `symbols`, by that operation name."""


class SourceFile:
    """One immutable version of a file. Offsets count code points from 0.

    Sections are read on demand. Versions share sections, and also facts about them while the answers on which these
    depend stay the same.
    """

    def __init__(
        self,
        sections: SectionedText,
        libraries: tuple[SourceFile, ...],
        types: dict[int, TypeTexts],
        payload: SourceFile | None = None,
        program: MaskedProgram | None = None,
        named_libraries: NamedLibraries = _NOTHING_NAMED,
        cuts: Cuts = _NO_CUTS,
    ) -> None:
        """Use `of`. `types` are those of another version, by part; they are kept where aliases are the same."""
        self.sections: SectionedText = sections
        """The text that is read; their offsets are those of the file only if nothing was cut."""
        self.cuts = cuts
        """The large literals of the file that are short in its sections."""
        self.program = program
        """The program whose strings contain the scripts; the sections are of its mask. None for MLIR's own files."""
        self.libraries = libraries
        """Files whose named sequences can be used from this one."""
        self.named_libraries = named_libraries
        """Who names these, and how."""
        self.payload = payload
        """The file with the payload of this one's scripts, or None if it is in this file, or not known."""
        self._known_types = types
        self._contexts: dict[int, Context] = {}
        self.facts: dict[object, object] = {}
        """Results computed for this version, by fact; only `Fact` reads and writes it."""
        self._sections_with: dict[Fact[Section, Any], tuple[Section, ...]] = {}
        self.has_structure_of_predecessor = False
        """True if this version differs from its predecessor only inside sections."""

    @classmethod
    def of(
        cls,
        text: str,
        catalogue: Catalogue,
        *,
        split: SplitMode = SplitMode.AUTO,
        libraries: Iterable[SourceFile] = (),
        most: Limit | None = None,
    ) -> SourceFile:
        """Return the first version of a file. Never raises; sections are read on demand.

        `most` limits how much of a section is read, in all versions, and large literals are shortened for reading;
        without it, all is read whole.
        """
        program = _masked(text) if split is SplitMode.PYTHON else None
        is_cut = program is None and most is not None
        read, cuts = abridge(text, _LONG_LITERAL, in_line=True) if is_cut else (text, _NO_CUTS)
        sections = SectionedText.of(program.text if program is not None else read, catalogue, split, most)
        return cls(sections, tuple(libraries), {}, None, program, cuts=cuts)

    def edited(self, span: FileSpan, new_text: str) -> SourceFile:
        """Return the version in which `span` is replaced by `new_text`; it equals `of` that text."""
        program = self.program
        if program is not None:
            program = _masked(program.source[: span.start] + new_text + program.source[span.end :])
            span, new_text = single_edit(self.sections.text, program.text)
        span, new_text, cuts = self._in_sections(span, new_text)
        file = self._with(sections=self.sections.edited(span, new_text), program=program, cuts=cuts)
        file.keep_structure_of(self)
        return file

    def _in_sections(self, span: FileSpan, new_text: str) -> tuple[FileSpan, str, Cuts]:
        """Return an edit as one of the text of the sections, and the cuts after it: its lines are cut afresh."""
        cuts = self.cuts
        start, end = cuts.short_offset(span.start), cuts.short_offset(span.end)
        first = self._line(self.sections.position(start).line).start
        last = max(end, self._line(self.sections.position(end).line).end)
        if not cuts.are_in(first, last) and last - first + len(new_text) < _LONG_LITERAL:
            return FileSpan(start, end), new_text, cuts.replaced(start, end, len(new_text), _NO_CUTS)
        before = self.sections.slice(FileSpan(first, last))
        whole, moved = cuts.put_back(before, first), cuts.offset(first)
        whole = whole[: span.start - moved] + new_text + whole[span.end - moved :]
        after, own = abridge(whole, _LONG_LITERAL, in_line=True)
        changed, new_text = single_edit(before, after)
        return changed.shifted(first), new_text, cuts.replaced(first, last, len(after), own)

    def _with(self, **changes: Any) -> SourceFile:
        """Return another version, with changes to the arguments of the constructor."""
        same = {
            "libraries": self.libraries,
            "types": self._types_by_part,
            "payload": self.payload,
            "program": self.program,
            "named_libraries": self.named_libraries,
            "cuts": self.cuts,
        }
        return SourceFile(**{"sections": self.sections, **same, **changes})

    def keep_structure_of(self, before: SourceFile) -> None:
        """Share data on the order of sections with `before`, if the edit left that order as it was."""
        replaced = self.sections.replaced
        if replaced is None or list(map(_outline, replaced.before)) != list(map(_outline, replaced.after)):
            return
        self.has_structure_of_predecessor = True
        for index, piece in enumerate(replaced.after, replaced.first):
            piece.section.likely_index = index
        if "_levels" in vars(before):
            self._levels = before._levels
        if "_mentions" in vars(before) and _mentioned(replaced.before) == _mentioned(replaced.after):
            self._mentions = before._mentions
        gone = {id(piece.section) for piece in replaced.before}
        fresh = [piece.section for piece in replaced.after if piece.begins_section]
        self._sections_with = {
            fact: (*(section for section in sections if id(section) not in gone), *filter(fact, fresh))
            for fact, sections in tuple(before._sections_with.items())
        }
        if not any(_aliases(piece.section) for piece in (*replaced.before, *replaced.after)):
            self._types_by_part = before._types_by_part
            if "_alias_sections" in vars(before):
                self._alias_sections = before._alias_sections

    def with_libraries(self, libraries: Iterable[SourceFile], named: NamedLibraries = _NOTHING_NAMED) -> SourceFile:
        """Return the same text with other libraries, which are named as `named` says."""
        return self._with(libraries=tuple(libraries), named_libraries=named)

    def with_payload(self, payload: SourceFile | None) -> SourceFile:
        """Return the same text with scripts that run on another file; on the payload in this one if None."""
        return self._with(payload=payload)

    def with_catalogue(self, catalogue: Catalogue) -> SourceFile:
        """Return the same text with other definitions; it equals `of` with `catalogue`.

        Facts about sections are kept where `catalogue` gives the answers on which they depend.
        """
        same = {
            part: types for part, types in self._types_by_part.items() if types.rest_on(catalogue.has_no_parameters)
        }
        return self._with(sections=self.sections.with_catalogue(catalogue), types=same)

    # The text

    @property
    def catalogue(self) -> Catalogue:
        """Definitions of operations, types and attributes."""
        return self.sections.catalogue

    @property
    def length(self) -> int:
        """The number of code points."""
        return self.cuts.offset(self.sections.length)

    @property
    def text(self) -> str:
        """The whole text, joined on first use; for a program, its source."""
        return self.program.source if self.program is not None else self.cuts.put_back(self.sections.text, 0)

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends in a line break has an empty last line."""
        return self.sections.line_count

    def is_cut(self, index: int) -> bool:
        """Whether a large literal of a piece is shortened in the text of its section."""
        return self.cuts.are_in(self.sections.starts[index], self.sections.starts[index + 1])

    @property
    def uncut(self) -> SourceFile:
        """This file; if something was cut, another one of its text, in which nothing is."""
        return SourceFile.of(self.text, self.catalogue, split=self.sections.mode) if self.cuts else self

    def mentions(self, text: str) -> bool:
        """Whether `text`, which is not from a large literal, is anywhere in the file."""
        return text in (self.program.source if self.program is not None else self.sections.text)

    def slice(self, span: FileSpan) -> str:
        if not self.cuts:
            return self.sections.slice(span)
        first = self._line(self.position(span.start).line).start
        last = max(self.cuts.short_offset(span.end), self._line(self.position(span.end).line).end)
        lines, moved = self.cuts.put_back(self.sections.slice(FileSpan(first, last)), first), self.cuts.offset(first)
        return lines[max(span.start, 0) - moved : max(span.end, 0) - moved]

    def position(self, offset: int) -> Position:
        """Return the position of `offset`, which is clamped to the text."""
        if not self.cuts:
            return self.sections.position(offset)
        line = self.sections.position(self.cuts.short_offset(offset)).line
        return Position(line, max(0, min(offset, self.length)) - self.cuts.offset(self.sections.line_start(line)))

    def offset(self, position: Position) -> int:
        """Return the offset of `position`; a column behind the line's end means its end."""
        if not self.cuts or not 0 <= position.line < self.line_count:
            return self.cuts.offset(self.sections.offset(position))
        start, end = map(self.cuts.offset, self._line(position.line))
        return min(start + max(position.column, 0), end)

    def _line(self, line: int) -> FileSpan:
        """Return the place of a line, without its line break, in the text of the sections."""
        start = self.sections.line_start(line)
        return FileSpan(start, start + len(self.sections.line_text(line)))

    def line_text(self, line: int) -> str:
        """Return the text of the 0-based `line` without its line break; empty for lines that do not exist."""
        read = self.sections.line_text(line)
        if self.program is None:
            return self.cuts.put_back(read, self.sections.line_start(line)) if self.cuts and read else read
        start = self.sections.line_start(line) if read else 0
        return self.program.source[start : start + len(read)]

    def holds_script_at(self, offset: int) -> bool:
        """Whether `offset` is in a script: everywhere, except outside of the strings of a program."""
        return self.program is None or self.program.holds_script_at(offset)

    def is_ascii(self, span: FileSpan) -> bool:
        """Whether all text of `span` is known to be ASCII, without looking at it."""
        if self.program is None:
            return self.sections.is_ascii(FileSpan(*map(self.cuts.short_offset, span)))
        return self.program.source[span.start : span.end].isascii()

    # Sections

    @property
    def contexts(self) -> Iterator[Context]:
        """Yield the context of each section in the order of the text."""
        return (self._context(index) for index, piece in enumerate(self.sections.pieces) if piece.begins_section)

    def context_at(self, offset: int) -> Context:
        """Return the context of the section that contains `offset`."""
        return self.context_of(self.sections.pieces[self.piece_at(offset)].section)

    def piece_at(self, offset: int) -> int:
        """Return the index of the piece of the sections' text that contains `offset`, which is clamped to the text."""
        return self.sections.piece_at(self.cuts.short_offset(offset))

    def piece_span(self, index: int) -> FileSpan:
        """Return the place of a piece."""
        return FileSpan(*(self.cuts.offset(self.sections.starts[each]) for each in (index, index + 1)))

    def context_of(self, section: Section) -> Context:
        """Return the context of a section of this version. Raises KeyError for others."""
        index = self.index_of(section)
        if index is None:
            raise KeyError(section)
        return self._context(index)

    def index_of(self, section: Section) -> int | None:
        """Return the index of the section's first piece, or None if it belongs to another version or file."""
        likely = section.likely_index
        if likely is None or not self._begins_at(likely, section):
            likely = self._indices.get(id(section))
        return likely if likely is not None and self._begins_at(likely, section) else None

    def _begins_at(self, index: int, section: Section) -> bool:
        pieces = self.sections.pieces
        return index < len(pieces) and pieces[index].section is section and pieces[index].begins_section

    def _context(self, index: int) -> Context:
        known = self._contexts.get(index)
        if known is None:
            known = self._contexts.setdefault(index, Context(self, index))
        return known

    @cached_property
    def _indices(self) -> dict[int, int]:
        """Indices of pieces by identity of their section; also noted with the sections, which hardly ever move."""
        indices: dict[int, int] = {}
        for index, piece in enumerate(self.sections.pieces):
            if piece.begins_section:
                indices[id(piece.section)] = piece.section.likely_index = index
        return indices

    def sections_with(self, fact: Fact[Section, Any]) -> tuple[Section, ...]:
        """Return the sections for which `fact` is true, in any order.

        After an edit inside sections it is computed for these only.
        """
        known = self._sections_with.get(fact)
        if known is None:
            sections = (piece.section for piece in self.sections.pieces if piece.begins_section)
            known = self._sections_with.setdefault(fact, tuple(section for section in sections if fact(section)))
        return known

    def local_offset(self, context: Context, offset: int) -> int:
        """Return the offset in the section's text of an offset in the file, which has to be in the section."""
        offset = self.cuts.short_offset(offset)
        index = self.sections.piece_at(offset)
        piece = self.sections.pieces[index]
        if piece.section is not context.section and context.window is None:
            return max(0, min(offset - self.sections.starts[context.index], len(context.section.text)))
        return offset - self.sections.starts[index] + piece.begin

    def place_of(self, context: Context, span: Span) -> FileSpan:
        """Return the span in the file of a span in the section's text."""
        index = context.index
        piece, start = self.sections.pieces[index], self.sections.starts[index]
        if not piece.is_half or span.end <= piece.length:
            return FileSpan(self.cuts.offset(span.start + start), self.cuts.offset(span.end + start))
        tail = next(
            other
            for other in range(index + 1, len(self.sections.pieces))
            if self.sections.pieces[other].section is piece.section
        )
        behind = self.sections.starts[tail] - piece.length
        begins_behind = span.start > piece.length or (span.start == piece.length and span.end > span.start)
        begin = span.start + (behind if begins_behind else start)
        return FileSpan(self.cuts.offset(begin), self.cuts.offset(span.end + behind))

    # Lookups across sections

    @property
    def parts(self) -> Iterable[int]:
        """The numbers of the file's parts between ``// -----`` markers."""
        return self._types_by_part

    def types(self, part: int) -> TypeTexts:
        """Return the canonical texts of types in one part of the file, with its aliases resolved."""
        return self._types_by_part[part]

    @cached_property
    def _types_by_part(self) -> dict[int, TypeTexts]:
        aliases: dict[int, list[tuple[str, str]]] = {}
        for piece in self.sections.pieces:
            if piece.frame is None:
                aliases.setdefault(piece.part, []).extend(_aliases(piece.section) if piece.begins_section else ())
        types: dict[int, TypeTexts] = {}
        for part, pairs in aliases.items():
            known = self._known_types.get(part)
            is_same = known is not None and known.made_of == tuple(pairs)
            types[part] = known if known and is_same else TypeTexts(pairs, self.catalogue.has_no_parameters)
        return types

    def defines_aliases(self, index: int, names: frozenset[str]) -> bool:
        """Whether sections before piece `index` in its part define all aliases `names`, sigils included."""
        part = self.sections.pieces[index].part
        sections = (self._alias_sections.get((part, name)) for name in names)
        return all(section is not None and (self.index_of(section) or 0) < index for section in sections)

    def may_define(self, symbol: str) -> bool:
        """Whether a line begins with words and ``@symbol``, as definitions do, or spells the name as a string."""
        return symbol in self._spelled_symbols

    @cached_property
    def _spelled_symbols(self) -> frozenset[str]:
        return frozenset(symbol_in(match[1] or match[2]) for match in _MAY_DEFINE.finditer(self.text))

    def section_defining_alias(self, index: int, name: str) -> Section | None:
        """Return the section with the first definition of the alias `name` in the part of piece `index`."""
        return self._alias_sections.get((self.sections.pieces[index].part, name))

    @cached_property
    def _alias_sections(self) -> dict[tuple[int, str], Section]:
        """The section with the first definition of each alias, by part and name; those in containers come last."""
        by_name: dict[tuple[int, str], Section] = {}
        sections = ((self.index_of(section), section) for section in self.sections_with(_may_define_aliases))
        pieces = [(index, self.sections.pieces[index]) for index, _ in sections if index is not None]
        for _, piece in sorted(pieces, key=lambda item: (item[1].frame is not None, item[0])):
            is_read = piece.frame is None or piece.section.kind is SectionKind.PLAIN
            for name, _ in _aliases(piece.section) if is_read else ():
                by_name.setdefault((piece.part, name), piece.section)
        return by_name

    @cached_property
    def _levels(self) -> dict[_Key, _LevelSections]:
        levels: dict[_Key, _LevelSections] = {}
        for index, piece in enumerate(self.sections.pieces):
            if not piece.begins_section:
                continue
            key = (id(piece.frame), piece.part)
            level = levels.setdefault(key, _LevelSections(key, [], {}, [], {}, {}))
            level.indices.append(index)
            if mentions_transform(piece.section):
                level.scripts.append(index)
            name, symbol = _head(piece.section)
            level.first_of.setdefault(name, index)
            if symbol and symbol not in level.symbols:
                level.symbols[symbol] = index
                level.named_by.setdefault(name, {})[symbol] = None
        return levels

    def _level(self, index: int) -> _LevelSections:
        """Return the level that the section at piece `index` is in."""
        piece = self.sections.pieces[index]
        return self._levels[id(piece.frame), piece.part]

    def lookup(self, index: int, path: Sequence[str]) -> DefiningOperation | None:
        """Return the definition of ``@a::@b`` in the level of piece `index`, or in the libraries."""
        definition = self._lookup_in(self._level(index), path)
        if definition is not None or len(path) != 1:
            return definition
        return next(filter(None, (library.exported(path[0]) for library in self.libraries)), None)

    def section_defining(self, index: int, path: Sequence[str]) -> Section | None:
        """Return the section, of this file or a library, of the definition that `lookup` returns."""
        definition = self.lookup(index, path)
        return definition.context.section if definition is not None else None

    def lookup_in_libraries(self, symbol: str) -> DefiningOperation | None:
        """Return a library's definition, with a body, of a `symbol` that is only declared here."""
        known = (library.exported(symbol) for library in self.libraries)
        return next((each for each in known if each is not None and any(True for _ in each.operation.blocks())), None)

    def section_in_libraries(self, symbol: str) -> Section | None:
        """Return the section of the definition that `lookup_in_libraries` returns."""
        definition = self.lookup_in_libraries(symbol)
        return definition.context.section if definition is not None else None

    def library_definitions(self, symbol: str) -> tuple[Section, ...]:
        """Return the sections of libraries, one for each, that define `symbol`."""
        files = dict.fromkeys(library.file for _, library in self.named_libraries.all)
        exported = (file.exported(symbol) for file in files)
        return tuple(definition.context.section for definition in exported if definition is not None)

    def exported(self, symbol: str) -> DefiningOperation | None:
        """Return the definition of `symbol` in any level of this file, for files that use it as a library."""
        definitions = (
            self._definition(self._levels[key], symbol) for key in self._levels_of.get(key_of_mentioned(symbol), ())
        )
        return next((definition for definition in definitions if definition is not None), None)

    def _lookup_in(self, level: _LevelSections, path: Sequence[str]) -> DefiningOperation | None:
        definition = self._definition(level, path[0])
        for name in path[1:]:
            if definition is None:
                return None
            inner = self._levels.get((id(definition.context.section), definition.context.part))
            nested = self._definition(inner, name) if inner is not None else None
            definition = nested or _defined_in(definition.context, definition.operation, name)
        return definition

    def _definition(self, level: _LevelSections, symbol: str) -> DefiningOperation | None:
        likely = level.symbols.get(symbol)
        if likely is not None:
            definition = _defined_in(self._context(likely), None, symbol)
            if definition is not None:
                return definition
        key = key_of_mentioned(symbol)
        mentions = self._mentions.get(level.key, {}).get(key, ())
        defining = (_defined_in(self._context(index), None, symbol) for index in mentions)
        return next((each for each in defining if each is not None), None)

    @cached_property
    def _mentions(self) -> dict[_Key, dict[str, list[int]]]:
        """Indices, by level and symbol, of the sections that mention symbols after their beginning."""
        mentions: dict[_Key, dict[str, list[int]]] = {}
        for key, level in self._levels.items():
            by_symbol: dict[str, list[int]] = mentions.setdefault(key, {})
            for index in level.indices:
                section = self.sections.pieces[index].section
                for symbol in mentioned_symbols(section) if _mentions_more(section) else ():
                    by_symbol.setdefault(symbol, []).append(index)
        return mentions

    @cached_property
    def _levels_of(self) -> dict[str, list[_Key]]:
        """The levels that may define a symbol, by its `key_of_mentioned`."""
        levels: dict[str, list[_Key]] = {}
        for key, level in self._levels.items():
            heads = map(key_of_mentioned, level.symbols)
            for symbol in dict.fromkeys((*heads, *self._mentions[key])):
                levels.setdefault(symbol, []).append(key)
        return levels

    def section_beginning(self, index: int, symbol: str) -> Section | None:
        """Return the section in the level of piece `index` that seems to begin with the definition of `symbol`."""
        section = self._level(index).symbols.get(symbol)
        return self.sections.pieces[section].section if section is not None else None

    def level_symbols(self, index: int, operation_name: str) -> dict[str, None]:
        """Return the symbols in the level of piece `index` whose definition begins with `operation_name`."""
        return self._level(index).named_by.get(operation_name, {})

    def symbols_of(self, operation_name: str) -> dict[str, None]:
        """Return the symbols whose definition, in any level, begins with `operation_name`."""
        return {symbol: None for level in self._levels.values() for symbol in level.named_by.get(operation_name, ())}

    def is_first(self, index: int, operation_name: str) -> bool:
        """Whether no section before piece `index` in its level begins with `operation_name`."""
        return self._level(index).first_of.get(operation_name, index) >= index

    def is_defined_before(self, index: int, symbol: str) -> bool:
        """Whether a section before piece `index` in its level seems to begin with the definition of `symbol`."""
        return self._level(index).symbols.get(symbol, index) < index

    def encloses_scripts(self, index: int) -> bool:
        """Whether the container whose frame is at piece `index` has a script in it, at any depth."""
        frame = self.sections.pieces[index].section
        return id(frame) in self._frames_of_scripts

    @cached_property
    def _frames_of_scripts(self) -> set[int]:
        """The identities of the frames of containers with scripts."""
        frames: set[int] = set()
        for piece in self.sections.pieces:
            frame = piece.frame if mentions_transform(piece.section) else None
            while frame is not None and id(frame) not in frames:
                frames.add(id(frame))
                index = self.index_of(frame)
                frame = self.sections.pieces[index].frame if index is not None else None
        return frames

    def is_called(self, index: int, symbol: str) -> bool:
        """Whether an operation in the level of piece `index` passes its operands to ``@symbol``."""
        level = self._level(index)
        if level.key in self._levels_left_out:
            return True
        mentioning = self._mentions[level.key].get(key_of_mentioned(symbol), ())
        return any(symbol in called_symbols(self.sections.pieces[each].section) for each in mentioning)

    def section_using_matcher(self, index: int, symbol: str) -> Section | None:
        """Return the first section in the level of piece `index` that executes ``@symbol`` as a matcher."""
        mentioning = self._mentions[self._level(index).key].get(key_of_mentioned(symbol), ())
        sections = (self.sections.pieces[each].section for each in mentioning)
        return next((section for section in sections if symbol in executed_matchers(section)), None)

    @cached_property
    def _levels_left_out(self) -> frozenset[_Key]:
        """The levels with a script that is not read, which may call any symbol."""
        pieces = self.sections.pieces
        left_out = (
            level for level in self._levels.values() if any(pieces[i].section.is_left_out for i in level.scripts)
        )
        return frozenset(level.key for level in left_out)

    @cached_property
    def is_template(self) -> bool:
        """True if the text has placeholders that another program replaces."""
        return any(template_in(piece.section) is not None for piece in self.sections.pieces if piece.begins_section)

    def has_scripts_without(self, sequence: str) -> bool:
        """Whether there are operations of scripts, and no named sequence that is called `sequence`."""
        texts = [piece.section.text for piece in self.sections.pieces]
        written = re.compile(rf"@\"?{re.escape(sequence)}\b|\"{re.escape(sequence)}\"")
        return any("transform." in text for text in texts) and not any(
            written.search(line) for text in texts for line in text.splitlines() if "RUN:" not in line
        )

    @cached_property
    def sequences(self) -> frozenset[str]:
        """The names of named sequences by the text, with ``@``, and `transform.sequence` if it is there."""
        texts = (piece.section.text for piece in self.sections.pieces)
        return frozenset(name or other for text in texts for name, other in _SEQUENCE.findall(text))

    @cached_property
    def has_operations(self) -> bool:
        """True if an operation with a name was read anywhere."""
        trees = (piece.section.tree for piece in self.sections.pieces if piece.begins_section)
        return any(operation.name for tree in trees for operation in tree.top_level())


def _masked(source: str) -> MaskedProgram:
    from tdls.syntax.embedded.masking import masked_program

    return masked_program(source)


def _defined_in(context: Context, table: Operation | None, symbol: str) -> DefiningOperation | None:
    """Return the definition of `symbol` in the symbol table of an operation, or at the top of a section."""
    operation = context.symbols.table_of(table).get(symbol)
    return DefiningOperation(context, operation) if operation is not None else None


def _mentioned(pieces: Iterable[SectionRange]) -> list[frozenset[str]]:
    """Return the symbols that sections mention after their beginning."""
    return [mentioned_symbols(piece.section) if _mentions_more(piece.section) else frozenset() for piece in pieces]


def _outline(piece: SectionRange) -> tuple[object, ...]:
    """Return the properties of a plain section that the rest of a file can see without reading it."""
    return (*_head(piece.section), bool(_aliases(piece.section)), mentions_transform(piece.section))


_SEQUENCE = re.compile(
    r"^[^/\n]*?(?:transform\.named_sequence +(?:private +|public +)?(@[\w$.-]+)|\b(transform\.sequence)\b)",
    re.ASCII | re.MULTILINE,
)
_HEAD = re.compile(r'"?([A-Za-z_][\w$.]*)"?\s+(?:"?[a-z_]+"?\s+){0,4}@("(?:[^"\\\n]|\\.)*"|[\w$.\-]+)', re.ASCII)
_HEAD_NAME = re.compile(r'"?([A-Za-z_][\w$.]*)', re.ASCII)


@Fact
def _head(section: Section) -> tuple[str, str]:
    """Return the name of the first operation, as written, and the symbol that seems to follow it; "" for neither."""
    code = from_code_on(section.text)
    match = _HEAD.match(code)
    name = match or _HEAD_NAME.match(code)
    return (name[1] if name else "", symbol_in(match[2]) if match else "")


@Fact
def called_symbols(section: Section) -> frozenset[str]:
    """Return the symbols of named sequences to which operations of a section pass their operands."""
    return frozenset(
        use.path[0]
        for operation in (section.tree.walk() if mentions_transform(section) else ())
        if operation.definition is not None and operation.definition.effect_source is EffectSource.CALLEE
        for use in operation.symbols
        if len(use.path) == 1
    )


@Fact
def executed_matchers(section: Section) -> frozenset[str]:
    """Return the symbols of named sequences that upstream's operations in a section execute as matchers."""
    operations = section.tree.walk() if mentions_transform(section) else iter(())
    return frozenset(use.path[0] for each in operations for use in matcher_uses(each) if len(use.path) == 1)


def matcher_uses(operation: SyntaxOperation) -> Iterator[SymbolUse]:
    """Yield the symbols of the named sequences that an upstream operation executes as matchers."""
    definition = operation.definition
    attributes = definition.attributes if definition is not None and definition.versions else ()
    names = {attribute.name for attribute in attributes if attribute.asks is MatchCriterion.MATCHERS}
    return symbols_in(operation, names)


@Fact
def _mentions_more(section: Section) -> bool:
    """Whether a section may define or use symbols that its beginning does not show."""
    if section.kind is not SectionKind.PLAIN or "sym_name" in section.text:
        return True
    return section.text.count("@") > (1 if _head(section)[1] else 0)


_ALIAS_DEFINITION = re.compile(r"[!#][\w$\-]+\s*(?:=|//)", re.ASCII)
"""The beginning of a definition, which may follow an operation on its line, and has comments anywhere."""


_MAY_DEFINE = re.compile(
    r'^[ \t]*(?![\w.]*(?:call|constant)[ \t])(?:[\w.]+[ \t]+)+@("(?:[^"\\\n]|\\.)*"|[\w$.-]+)|("(?:[\w$.-]|\\\w\w)+")',
    re.ASCII | re.MULTILINE,
)
"""What may define a symbol: words and its name at the beginning of a line, or the name in a string."""


@Fact
def _may_define_aliases(section: Section) -> bool:
    return section.kind is not SectionKind.PLAIN or _ALIAS_DEFINITION.search(section.text) is not None


@Fact
def _aliases(section: Section) -> tuple[tuple[str, str], ...]:
    if not _may_define_aliases(section):
        return ()
    members = (member.alias for member in section.tree.members)
    return tuple((alias.name, alias.value) for alias in members if alias is not None)
