"""Builds the tree of payload operations that a script is run on, from the same part of its file or another file.

RUN lines and comments decide whether a run begins with the script on the written payload.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.queries import Question, on_any_edit
from tdls.analysis.file.run_commands import may_change_payload, uses_other_interpreter
from tdls.limits import FOLLOWED_PAYLOAD
from tdls.payload.operations import PayloadOperation
from tdls.payload.tree import NOTHING, Introduced, Payload, added_by_mlir, bringing
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import Section, SectionKind
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Collection

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Operation as SyntaxOperation

_MODULE = "builtin.module"
_IMPORTS_XDSL = re.compile(r"^[ \t]*(?:import|from)[ \t]+xdsl\b|\bimportorskip\([\"']xdsl[\"'.]", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][\w.$]*", re.ASCII)
_NAME = re.compile(r"(?:^|=)[ \t]*\"?([A-Za-z_]\w*\.[\w.$]+)", re.ASCII | re.MULTILINE)
"""The name of an operation where most are: at the beginning of a line, or behind its results."""


def payload_as_written(context: Context) -> Payload | None:
    """Return the payload that the interpreter passes to the script in the section of `context`; None if not known."""
    parts = context.ask(_PAYLOAD_SECTIONS)
    if parts is None:
        return None
    is_long = sum(len(member.section.text) for member in parts[-1]) > FOLLOWED_PAYLOAD.most
    searched = {member.section for member in parts[-1] if is_long and _is_payload(member.section)}
    sections = (member.section for members in parts for member in members)
    unsound = [section for section in sections if section not in searched and not _is_sound(section)]
    if not all(map(_is_script, unsound)):
        return None
    _ = context.types
    payload = _Builder(context, adds_bodies=True, searched=searched).build(parts[-1])
    return payload._replace(is_script_known=not unsound) if payload is not None else None


def payload_in(file: SourceFile) -> Payload | None:
    """Return the payload in a file without scripts, or None if it is empty, or cannot be read completely."""
    members = tuple(_Member(piece.section, piece.frame) for piece in file.sections.pieces if piece.begins_section)
    return _Builder(next(file.contexts), adds_bodies=False).build(members) if members else None


class _Member(NamedTuple):
    """A section, and the frame around it."""

    section: Section
    frame: Section | None


def _payload_sections(file: SourceFile, index: int, _: object) -> tuple[tuple[_Member, ...], ...] | None:
    """Return the sections in the same part of the file, then those of the payload file if there is one.

    Returns None if there are none but scripts, or if the payload is changed before.
    """
    own = _members(file, index)
    if file.payload is not None:
        return own, _members(file.payload, 0)
    frames = (member.section for member in own if not _is_script(member.section))
    if all(each.kind is SectionKind.FRAME and {o.name for o in each.tree.top_level()} <= {_MODULE} for each in frames):
        return None
    if _is_for_other_interpreter(file):
        return None
    is_changed = any(may_change_payload(piece.section) for piece in file.sections.pieces if piece.begins_section)
    return None if is_changed else (own,)


def _is_for_other_interpreter(file: SourceFile, *_: object) -> bool:
    if file.program is not None:
        return _IMPORTS_XDSL.search(file.program.source) is not None
    return any(uses_other_interpreter(piece.section) for piece in file.sections.pieces if piece.begins_section)


_PAYLOAD_SECTIONS: Final = Question(_payload_sections, on_any_edit)
"""Which sections of the payload does a run begin with?"""
IS_FOR_OTHER_INTERPRETER: Final = Question(_is_for_other_interpreter, on_any_edit)
"""Does the file show that an interpreter other than MLIR's runs its scripts, by RUN lines or imports of xDSL?"""


def _members(file: SourceFile, index: int) -> tuple[_Member, ...]:
    """Return the sections that are in one part of `file` with the piece at `index`."""
    return _by_part(file)[file.sections.pieces[index].part]


@Fact
def _by_part(file: SourceFile) -> dict[int, tuple[_Member, ...]]:
    begins = (piece for piece in file.sections.pieces if piece.begins_section)
    parts = groupby(begins, key=attrgetter("part"))
    return {part: tuple(_Member(piece.section, piece.frame) for piece in pieces) for part, pieces in parts}


def _is_payload(section: Section) -> bool:
    """Whether a section is neither a frame nor mentions scripts."""
    return not section.is_frame and not mentions_transform(section)


@Fact
def _is_sound(section: Section) -> bool:
    if section.kind is SectionKind.IRREGULAR or section.is_left_out:
        return False
    return all(map(_is_known, section.tree.walk())) and not any(section.tree.problems())


def _is_script(section: Section) -> bool:
    """Whether a section has operations of scripts only."""
    is_whole = section.kind is SectionKind.PLAIN and not section.is_left_out
    return is_whole and all(is_transform_name(member.name) for member in section.tree.top_level())


def _is_known(operation: SyntaxOperation) -> bool:
    """Whether an operation is one of upstream, or of payload, however it is written."""
    if operation.broken:
        return False
    is_upstream = operation.definition is not None and bool(operation.definition.versions)
    return is_upstream or not is_transform_name(operation.name)


def _unread(section: Section) -> Introduced:
    """Return the operations that text in forms that `mlir-opt` does not read may have in it.

    Of an operation that the project defines, and whose form is read, that is the operation itself: findings are
    possible only, since the project's tool may change the payload before the script runs.
    """
    introduced = NOTHING
    for operation in section.tree.walk():
        definition = operation.definition
        is_read = operation.form is Form.GENERIC if definition is None else bool(definition.versions)
        if definition is not None and operation.form in (Form.EXACT, Form.GENERIC):
            if not is_read:  # an operation of the project: its text shows all of it
                introduced = introduced | bringing(operation.name)
        elif not is_read:
            words = frozenset(_WORD.findall(section.text, operation.start, operation.end))
            introduced = introduced | Introduced(dialects=frozenset((operation.name.partition(".")[0],)), words=words)
    return introduced


@Fact
def _words(section: Section) -> frozenset[str]:
    return frozenset(_WORD.findall(section.text))


@Fact
def _has_project_operations(section: Section) -> bool:
    """Whether an operation of a section whose tree is not read may be one of a project."""
    definitions = map(section.catalogue.operation, set(_NAME.findall(section.text)))
    return any(definition is None or not definition.versions for definition in definitions)


def _has_payload(outer: PayloadOperation) -> bool:
    """Whether an operation contains others than scripts and declarations."""
    for operation in outer.children:
        if operation.name == _MODULE:
            if _has_payload(operation):
                return True
        elif not is_transform_name(operation.name):
            written = operation.written
            if operation.children or (written is not None and written.syntax.symbol_name is None):
                return True
    return False


class _Builder:
    """Builds payload operations from the operations of sections."""

    def __init__(self, context: Context, *, adds_bodies: bool, searched: Collection[Section] = ()) -> None:
        self._adds_bodies = adds_bodies
        """True if the operations that MLIR adds to written ones are wanted, too."""
        self._searched = searched
        """Sections whose trees are not read."""
        self._file = context.file.payload or context.file
        self._own = context
        self._by_written: dict[int, PayloadOperation] = {}
        self._frames: dict[int, PayloadOperation] = {}

    def build(self, members: tuple[_Member, ...]) -> Payload | None:
        """Return the payload of sections, outer ones first, or None if it is empty, or a frame is not known."""
        top: list[PayloadOperation] = []
        read = [member for member in members if member.section not in self._searched]
        for section, frame in read:
            around = self._frames.get(id(frame)) if frame is not None else None
            if frame is not None and around is None:
                return None
            context = self._own if section is self._own.section else self._file.context_of(section)
            made = [self._operation(operation, around, section) for operation in context.model.operations]
            if section.is_frame:
                if len(made) != 1:
                    return None
                self._frames[id(section)] = made[0]
            (around.children if around is not None else top).extend(made)
        root = self._root(top)
        if not self._searched and not _has_payload(root):
            return None
        unread = reduce(or_, (_unread(member.section) for member in read), NOTHING)
        may_change = not unread.is_nothing or any(map(_has_project_operations, self._searched))
        words = frozenset[str]().union(*map(_words, self._searched))
        unread |= Introduced(words=words) if words else NOTHING
        named = [each.alias for member in reversed(read) for each in reversed(member.section.tree.members)]
        aliases = {each.name: each.value for each in named if each is not None and each.name.startswith("#")}
        return Payload(root, self._by_written, aliases, unread, is_read=not words, may_change=may_change)

    def _root(self, top: list[PayloadOperation]) -> PayloadOperation:
        """Return the outermost module, which MLIR adds unless it is written."""
        if len(top) == 1 and top[0].name == _MODULE:
            return top[0]
        root = PayloadOperation(_MODULE, None)
        root.children = top
        for operation in top:
            operation.parent = root
        return root

    def _operation(self, written: Operation, parent: PayloadOperation | None, section: Section) -> PayloadOperation:
        made = PayloadOperation(written.name, parent, written, section.text)
        self._by_written[id(written)] = made
        made.children = [
            self._operation(nested, made, section) for block in written.blocks() for nested in block.operations
        ]
        if self._adds_bodies:
            added = added_by_mlir(written.syntax, section.text)
            made.children += [PayloadOperation(name, made, is_as_written=False, is_added=True) for name in added]
        return made
