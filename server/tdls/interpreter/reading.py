"""Reads files with MLIR, without running them: what it rejects, in each part between ``// -----``.

MLIR stops at the first error of a text. So a part is read again without the top-level operation that failed, a few
times. MLIR speaks for the dialects that it has: operations of others are replaced by operations of an unknown one, and
an error in which another dialect, a part that was taken out, or a name of another version has a part is dropped. It
does not speak for another version of LLVM than the file is for: what that rejects is doubtful.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.caching.digest import digest
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.model import READ_TEXT, Limits, RunDiagnostic, RunLevel, Status
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import llvm_versions, version_name, version_of_tool
from tdls.structs import Struct, field, replace
from tdls.syntax.layout import unpaired, without_opaque
from tdls.syntax.sections.boundaries import SplitMode
from tdls.syntax.tree import Form
from tdls.text.similarity import is_typing_error
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.interpreter.backend import Backend
    from tdls.semantic.model import Operation, Value

_MOST_READINGS = 8
"""Maximum number of times that a part is read."""
_LARGE = 2_000_000
"""Characters of parts that are not read again, since each time takes as long as the last one."""
_MOST_KEPT = 1000
"""Maximum number of texts whose answers are kept."""
_MARKER = "// -----"
_PROBE = "tdls.probe"
"""A text that MLIR rejects with a list of the dialects that it has."""
_DIALECTS = re.compile(r"(?:Available|Registered) dialects: ([^;\n]*)")
_MISSING = re.compile(r"Dialect [`'](?P<dialect>[\w$]+)' not found for custom op")
_UNKNOWN = re.compile(
    r"custom op '(?P<custom>[\w.$]+)' is unknown(?: \(tried '(?P<tried>[\w.$]+)' as well\))?"
    r"|unregistered operation '(?P<generic>[\w.$]+)' found"
)
_MENTIONED = re.compile(r"[!#]([A-Za-z_]\w*)[.<]")
"""A type or an attribute of a dialect."""
_PLACEHOLDER = "tdls.placeholder"
_ALIAS = re.compile(r"^[ \t]*([!#][\w$-]+)[ \t]*=(.*)$", re.MULTILINE)
_PRINTED = "see current operation"
_SYMBOL = re.compile(r"@[\w$.-]+")
_NAME = re.compile(r"[@%!#][\w$.-]+")
"""A symbol, a value or an alias."""
_EXPECTED = re.compile(r"expected '(\w+)'")
_STRICT = "strict properties"
"""What main says of an attribute that earlier versions have in a dictionary; these do not read its keywords."""
_KEYWORD = re.compile(r"(?<!\w)([a-z_]\w*) *=")
_NO_LINE_BREAK = re.compile(r"[^\n]")


class Rejection(Struct, frozen=True):
    """An error of MLIR in a file, and why it may be none; `doubt` is "" if it is certain."""

    diagnostic: RunDiagnostic
    doubt: str = ""


class Reading(Struct, frozen=True):
    """What MLIR says of a file. `accepted` has the parts that it read as they are, `refused` those that it did not."""

    mlir: str = ""
    rejections: tuple[Rejection, ...] = ()
    accepted: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    seconds: float = 0.0


class _Part(Struct):
    """A part of a file, with the replacements of texts that MLIR does not read."""

    number: int
    file: SourceFile
    start: int
    """Offset of its text in the file."""
    original: str
    replaced: dict[tuple[int, int], str] = field(default_factory=dict)
    """New texts by the start and end of the old ones in the file; lines keep their numbers."""
    gone: set[str] = field(default_factory=set)
    """Symbols and values that replaced operations define."""

    @property
    def text(self) -> str:
        """The text for MLIR, with the columns of the file."""
        pieces, at = [" " * self.file.position(self.start).column], self.start
        for (start, end), new in sorted(self.replaced.items(), key=lambda item: (item[0][0], -item[0][1])):
            if start >= at:
                pieces += [self.original[at - self.start : start - self.start], new]
                at = end
        return "".join([*pieces, self.original[at - self.start :]])

    def place(self, context: Context, operation: Operation) -> tuple[int, int]:
        span = context.to_file(operation.span)
        return span.start, span.end

    def take_out(self, context: Context, operation: Operation) -> bool:
        """Leave out a top-level operation; return whether that was possible: its text has to be whole."""
        start, end = place = self.place(context, operation)
        text = self.original[start - self.start : end - self.start]
        if place in self.replaced or context.section.is_frame or any(map(any, unpaired(without_opaque(text)))):
            return False
        self.gone |= {*_defined_by(operation), *_SYMBOL.findall(_head(context, operation))}
        self.replaced[place] = _NO_LINE_BREAK.sub(" ", text)
        return True

    def put_placeholder(self, context: Context, operation: Operation) -> None:
        """Replace an operation by one of an unknown dialect with the same results, or leave out all around it."""
        types = [_type_of(context, result) for result in operation.results]
        if context.section.is_frame or None in types:
            self.take_out(context, _outermost(operation))
            return
        start, end = self.place(context, operation)
        text = self.original[start - self.start : end - self.start]
        results = text[: operation.location.start - operation.span.start]
        new = f'{results}"{_PLACEHOLDER}"() : () -> ({", ".join(filter(None, types))})'
        lines, last = text.count("\n"), text.rpartition("\n")[2]
        self.replaced[start, end] = f"{new}{chr(10) * lines}{' ' * len(last)}" if lines else new.ljust(len(text))
        self.gone |= set(_defined_by(operation))


class Reader:
    """Reads files with the backend of one choice; keeps its answers by text."""

    def __init__(self, *, is_own: bool) -> None:
        """`is_own` tells whether the user chose this MLIR: then it has the operations of the project's version."""
        self._is_own = is_own
        self._mlir = ""
        self._dialects: frozenset[str] | None = None
        self._known: dict[str, tuple[RunDiagnostic, ...] | None] = {}
        self._seconds = 0.0

    def read(self, file: SourceFile, name: str, backend: Backend, limits: Limits) -> Reading:
        """Read `file`, whose diagnostics are to call it `name`. Raises BackendError if the backend does not start."""
        self._seconds = 0.0
        pending = _parts(file)
        rejections: list[Rejection] = []
        accepted, refused = set[int](), set[int]()
        for _ in range(_MOST_READINGS):
            answers = self._answers([part.text for part in pending], backend, limits)
            limits = limits if limits.deadline is not None else limits.begun()
            left = []
            for part, answer in zip(pending, answers, strict=True):
                errors = [each for each in answer or () if each.level is RunLevel.ERROR]
                if answer is not None and not errors and not part.replaced:
                    accepted.add(part.number)
                if errors:
                    refused.add(part.number)
                    before = len(part.replaced)
                    rejections += filter(None, [self._judged(part, error, name) for error in errors])
                    left += [part] if len(part.replaced) > before else []
            pending = left
            if not pending or sum(len(part.text) for part in pending) > _LARGE:
                break
        once = tuple(dict.fromkeys(rejections))
        return Reading(self._mlir, once, frozenset(accepted), frozenset(refused), self._seconds)

    def _answers(
        self, texts: Sequence[str], backend: Backend, limits: Limits
    ) -> list[tuple[RunDiagnostic, ...] | None]:
        """Return MLIR's diagnostics of each text, None if it crashes there or the time is up."""
        keys = list(map(digest, texts))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            probes = [_PROBE] if self._dialects is None else []
            read = backend.read([*probes, *new.values()], limits)
            self._mlir = read.mlir or self._mlir
            self._seconds += read.seconds
            if read.status is Status.SUCCESS:
                if probes:
                    notes = (note.message for diagnostic in read.diagnostics[0] for note in diagnostic.notes)
                    lists = [match[1] for match in map(_DIALECTS.search, notes) if match is not None]
                    self._dialects = frozenset(map(str.strip, lists[0].split(","))) if lists else None
                self._known.update(zip(new, read.diagnostics[len(probes) :], strict=True))
            elif read.status is Status.CRASH and len(texts) == 1:
                self._known[keys[0]] = None
            elif read.status is Status.CRASH:
                for text in new.values():
                    self._answers([text], backend, limits)
        answers = [self._known.get(key) for key in keys]
        for key in list(self._known)[: max(0, len(self._known) - _MOST_KEPT)]:
            del self._known[key]
        return answers

    def _judged(self, part: _Part, error: RunDiagnostic, name: str) -> Rejection | None:
        """Take out of `part` what failed, and return the error at its place in the file, or None if it is none."""
        missing = _MISSING.search(error.message)
        if missing is not None:
            for home, other in _of_dialect(part, missing["dialect"]):
                part.put_placeholder(home, other)
            return None
        error = _placed(error, part.file.position(part.start).line, name)
        if error.file != name:  # the text names a location
            is_foreign = self._is_foreign(part, part.original)
            return None if is_foreign else Rejection(error, self._other_target(part.file))
        offset = offset_of(part.file, error.line, error.column)
        context = part.file.context_at(offset)
        operation = operation_at(context.model, context.to_local(offset))
        definition = operation.definition if operation is not None else None
        is_of_project = definition is not None and (definition.is_patched or definition.defined_at is not None)
        is_about_other = (
            _mentions(head := _head(context, operation) or part.file.line_text(error.line - 1), part.gone)
            or self._is_foreign(part, f"{head}\n{error.message}")
            or _PLACEHOLDER in error.message
            or (not self._is_own and is_of_project)
            or not self._is_misnamed(part.file.catalogue, error.message)
        )
        if operation is not None:
            part.take_out(context, _outermost(operation))
        return None if is_about_other else Rejection(error, self._doubt(part, context, error, head))

    def _is_foreign(self, part: _Part, text: str) -> bool:
        """Whether `text` mentions a dialect that this MLIR does not have, perhaps by an alias."""
        dialects = _upstream() if self._dialects is None else self._dialects
        dialects = dialects if self._is_own else dialects & _upstream()

        def mentions(words: str) -> bool:
            return any(name not in dialects for name in _MENTIONED.findall(without_opaque(words)))

        aliases = {name for name, value in _ALIAS.findall(part.original) if mentions(value)}
        return mentions(text) or _mentions(text, aliases)

    def _is_misnamed(self, catalogue: Catalogue, message: str) -> bool:
        """Whether no MLIR has the operation that `message` calls unknown; true if it calls none so.

        A name like no other may be that of a later version or of a project.
        """
        unknown = _UNKNOWN.search(message)
        if unknown is None:
            return True
        name = unknown["generic"] or (unknown["custom"] if "." in unknown["custom"] else unknown["tried"]) or ""
        definition = catalogue.operation(name)
        if definition is not None:
            return self._is_own and definition.defined_at is None
        if is_transform_name(name):
            return False
        is_typo = any(is_typing_error(name, each) for each in catalogue.operation_names(name.partition(".")[0]))
        return self._is_own or unknown["custom"] not in (None, name) or is_typo

    def _other_target(self, file: SourceFile) -> str:
        """Return that the file is for another version than this MLIR, "" if it is not."""
        target = file.catalogue.target
        return "" if target in (None, version_of_tool(self._mlir)) else f"the target is LLVM {version_name(target)}"

    def _doubt(self, part: _Part, context: Context, error: RunDiagnostic, head: str) -> str:
        """Return why another version of MLIR may accept what this one rejects, "" if none that counts does.

        `head` is the text of the operation at the place of the error.
        """
        file, version = part.file, version_of_tool(self._mlir)
        if self._is_own or file.catalogue.target is not None:
            return self._other_target(file)
        offset = offset_of(file, error.line, error.column)
        is_keyword = _KEYWORD.match(file.line_text(error.line - 1), file.position(offset).column) is not None
        expected = _EXPECTED.search(error.message)
        keys = {key for inside in head.split("{")[1:] for key in _KEYWORD.findall(inside.partition("}")[0])}
        is_in_dictionary = expected is not None and expected[1] in keys
        is_of_other = _STRICT in error.message or is_keyword or is_in_dictionary
        if is_of_other or not _fits(context, context.to_local(offset), version):
            return "it is written as in another version of LLVM"
        return ""


def _parts(file: SourceFile) -> list[_Part]:
    """Return the parts that MLIR is to read: none of a program, of a template, or among files for `split-file`."""
    if file.program is not None or file.is_template or re.search(r"^//--- ", file.text, re.MULTILINE):
        return []
    spans: dict[int, FileSpan] = {}
    for index, piece in enumerate(file.sections.pieces):
        span = file.piece_span(index)
        spans[piece.part] = FileSpan(spans.get(piece.part, span).start, span.end)
    return [
        _Part(number, file, span.start, file.slice(span).rstrip().removesuffix(_MARKER).rstrip())
        for number, span in spans.items()
    ]


def _of_dialect(part: _Part, dialect: str) -> list[tuple[Context, Operation]]:
    """Return the outermost operations of a part that are written in a form of `dialect`."""

    def found_in(operations: Iterable[Operation]) -> Iterator[Operation]:
        for operation in operations:
            if operation.name.startswith(f"{dialect}.") and operation.syntax.form is not Form.GENERIC:
                yield operation
            else:
                for block in operation.blocks():
                    yield from found_in(block.operations)

    contexts = [each for each in part.file.contexts if each.part == part.number and f"{dialect}." in each.section.text]
    return [(context, operation) for context in contexts for operation in found_in(context.model.operations)]


def _type_of(context: Context, value: Value) -> str | None:
    """Return the type of a value, else that of a use, any for an unused one, or None if not known."""
    users = context.users.get(value, [])
    if value.type is not None or not users:
        return value.type or "index"
    for user in users:
        spelled = user.syntax.operand_types or ()
        types = [
            known.text for operand, known in zip(user.operands, spelled, strict=False) if operand is value and known
        ]
        if user.has_trait("SameOperandsAndResultType"):
            types += [result.type for result in user.results if result.type is not None]
        if types:
            return types[0]
    return None


def _head(context: Context, operation: Operation | None) -> str:
    """Return the text of an operation without its regions."""
    if operation is None:
        return ""
    regions = [region.syntax.span for region in operation.regions]
    starts = [operation.span.start, *(region.end for region in regions)]
    ends = [*(region.start for region in regions), operation.span.end]
    return " ".join(context.section.text[start:end] for start, end in zip(starts, ends, strict=True))


def _outermost(operation: Operation) -> Operation:
    return [operation, *operation.ancestors()][-1]


def _defined_by(operation: Operation) -> Iterator[str]:
    """Yield the symbols and the results that an operation and those in it define, as uses spell them."""
    for each in operation.walk():
        yield from (f"@{name}" for name in (each.syntax.symbol_name,) if name is not None)
    yield from (result.name for result in operation.results)


def _mentions(text: str, names: set[str]) -> bool:
    return not names.isdisjoint(_NAME.findall(text))


@cache
def _upstream() -> frozenset[str]:
    """Return the dialects of upstream: another of the same name may be that of another project."""
    return frozenset({"builtin", *(name.partition(".")[0] for name in Catalogue.shipped().operation_names())})


def _fits(context: Context, offset: int, version: int | None) -> bool:
    """Whether the operation at an offset is known to be written in a form of `version`."""
    if version not in llvm_versions():
        return True
    catalogue = context.file.catalogue.at(version)
    file = SourceFile.of(context.section.text, catalogue, split=SplitMode.NEVER)
    section, known = file.context_at(offset), operation_at(context.model, offset)
    operation = operation_at(section.model, section.to_local(offset))
    definition = operation.definition if operation is not None else None
    if operation is None or known is None or definition is None or not definition.format_known:
        return True
    return catalogue.is_at_target(definition) and (operation.syntax.form is known.syntax.form)


def _placed(diagnostic: RunDiagnostic, lines: int, name: str) -> RunDiagnostic:
    """Return a diagnostic of a text that begins after so many lines of the file `name`.

    The note that prints the operation again is left out.
    """
    notes = (_placed(note, lines, name) for note in diagnostic.notes if not note.message.startswith(_PRINTED))
    is_own = diagnostic.file == READ_TEXT
    file, line = (name, diagnostic.line + lines) if is_own else (diagnostic.file, diagnostic.line)
    return replace(diagnostic, file=file, line=line, notes=tuple(notes))
