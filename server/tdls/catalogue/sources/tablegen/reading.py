"""Reads the operations, types, attributes, passes and dialects of a project's TableGen files."""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tdls.catalogue.model import (
    AttributeKindDefinition,
    OperationDefinition,
    PassDefinition,
    SourcePlace,
    TypeDefinition,
)
from tdls.catalogue.sources.ods import effects, operations
from tdls.catalogue.sources.ods.definitions import RecordIndex
from tdls.catalogue.sources.tablegen.modules import Project
from tdls.catalogue.sources.tablegen.parser import parse, shortened
from tdls.catalogue.sources.tablegen.records import Record
from tdls.catalogue.sources.tablegen.values import DagValue
from tdls.catalogue.sources.work import SourceProblem, reading
from tdls.limits import OverBudget
from tdls.structs import Struct, replace
from tdls.system import garbage_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tdls.catalogue.sources.tablegen.parser import ParsedFile

_SIGNS_IN_CPP = ("getEffects", "allowsRepeatedHandleOperands", "OpAsmParser")
"""Texts in members of a C++ class that are relevant for its operation."""
_DECLARED_EFFECTS = "void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects);"
"""The declaration that mlir-tblgen adds to a class for ``DeclareOpInterfaceMethods<MemoryEffectsOpInterface>``."""
_PRELUDE = Path(__file__).with_name("prelude")
_T = TypeVar("_T")
_D = TypeVar("_D", TypeDefinition, AttributeKindDefinition, PassDefinition)


class TableGenOperation(Struct, frozen=True):
    """An operation that TableGen declares."""

    definition: OperationDefinition
    """The definition, with the effects that traits or decorators decide; all others are unknown."""
    cpp_class: str
    """The qualified name of its C++ class: ``mlir::transform::MyOp``."""
    declares_effects: bool
    """True if C++ (`getEffects`) decides the effects."""
    cpp_code: str = ""
    """Members of the class that are written in TableGen, if they are relevant for the operation."""


class DialectDefinition(Struct, frozen=True):
    """A dialect."""

    name: str
    summary: str
    description: str
    defined_at: SourcePlace | None


class TableGenDefinitions(Struct, frozen=True):
    """All definitions of a project's TableGen files."""

    operations: tuple[TableGenOperation, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    passes: tuple[PassDefinition, ...] = ()
    dialects: tuple[DialectDefinition, ...] = ()
    problems: tuple[SourceProblem, ...] = ()
    missing_includes: tuple[str, ...] = ()
    """Included files that were not found, as they are written, which is not a problem in itself."""


def read_units(
    files: Mapping[Path, str], include_folders: Sequence[Path], read: Callable[[Path], str | None]
) -> TableGenDefinitions:
    """Read a project's TableGen `files`, given with their texts. Never raises.

    An include is searched for in the folder of its file, in `include_folders`, and among `files` by the end of the
    path; `read` returns the text of a file that is not among them, or None. Paths are absolute.
    Definitions of included files outside of `files` are not part of the result.
    """
    return read_parsed({path: parse(text) for path, text in files.items()}, include_folders, read)


def read_parsed(
    files: Mapping[Path, ParsedFile],
    include_folders: Sequence[Path],
    read: Callable[[Path], str | None],
    parse_text: Callable[[str], ParsedFile] = parse,
) -> TableGenDefinitions:
    """Read files as `read_units`, but already parsed. `parse_text` parses other files that they include: `parse`, or a
    cached form of it."""
    with garbage_kept(), reading():
        project = Project(files, include_folders, read, _prelude, parse_text)
        return _ProjectReader(project, files).result()


class _Records:
    """The records of a project, with the interface that ODS needs (`RecordSet`)."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def instances(self, class_name: str) -> Iterator[Record]:
        return (
            record
            for module in self._project.others()
            for record in module.records
            if not record.anonymous and record.is_a(class_name)
        )

    def follow(self, value: Any) -> Record | None:
        return value if isinstance(value, Record) else None

    def arguments(self, dag: Any) -> list[tuple[Any, str]]:
        return [(value, name or "") for value, name in dag.items] if isinstance(dag, DagValue) else []


class _ProjectReader:
    def __init__(self, project: Project, files: Mapping[Path, ParsedFile]) -> None:
        self.project = project
        self.files = files
        self.definitions = RecordIndex(_Records(project))
        self.problems = [
            SourceProblem(path, line, message) for path, file in files.items() for line, message in file.problems
        ]

    def result(self) -> TableGenDefinitions:
        operations = tuple(self._all("Op", self._operation))
        types = tuple(self._all("TypeDef", self._type))
        kinds = tuple(self._all("AttrDef", self._attribute))
        registered = tuple(self._all("PassBase", self._pass))
        dialects = tuple(self._all("Dialect", self._dialect))
        self._report_lost_operations()
        problems = (*self.problems, *self.project.problems)
        return TableGenDefinitions(
            operations, types, kinds, registered, dialects, problems, tuple(sorted(self.project.missing_includes))
        )

    def _report_lost_operations(self) -> None:
        """Report records that may be operations, by their names, and derive from a class that was not found."""
        for record in self._own_records():
            if record.name.endswith("Op") and record.unknown and not record.is_a("Op"):
                missing = [name for name in record.superclasses if self.project.owner("classes", name) is None]
                named = "".join(f" `{name}`" for name in missing[:1])
                self._report(
                    record, f"`{record.name}` derives from the class{named}, which was not found; it is left out"
                )

    def _all(self, class_name: str, read: Callable[[Record], _T | None]) -> Iterator[_T]:
        """Yield the results of `read` for the project's own records of a class, each name and place once."""
        seen: set[tuple[str, SourcePlace | None]] = set()
        for record in self._own_records():
            found = None
            try:
                with self.project.work.definition(record.place.path if record.place is not None else None):
                    if record.is_a(class_name) and (record.name, record.place) not in seen:
                        seen.add((record.name, record.place))
                        found = read(record)
            except OverBudget as over:
                self._give_up(record, over)
            if found is not None:
                yield found

    def _own_records(self) -> Iterator[Record]:
        for module in self.project.modules:
            if module.path in self.files:
                yield from module.records

    def _give_up(self, record: Record, over: OverBudget) -> None:
        if record.place is not None:
            self.project.report(over, record.place.path, record.place.line, f"`{shortened(record.name)}`")

    def _report(self, record: Record, message: str) -> None:
        if record.place is not None:
            self.problems.append(SourceProblem(record.place.path, record.place.line, message))

    def _operation(self, record: Record) -> TableGenOperation | None:
        name = operations.operation_name(self.definitions, record)
        if name is None:
            self._report(record, f"the name of `{record.name}` is not known, since its dialect or mnemonic is not")
            return None
        definition = operations.operation(self.definitions, record)
        decided, in_cpp = effects.with_effects(self.definitions, record, definition)
        described = replace(
            decided, summary=_line(record["summary"]), description=_text(record["description"]), defined_at=record.place
        )
        return TableGenOperation(described, _cpp_class(record), in_cpp, self._cpp_code(record))

    def _cpp_code(self, record: Record) -> str:
        fields = [record["extraClassDeclaration"], record["extraClassDefinition"]]
        code = [str(field).replace("$cppClass::", "") for field in fields if field]
        if effects.are_declared_in_cpp(self.definitions, record):
            code.append(_DECLARED_EFFECTS)
        return "\n".join(code) if any(sign in part for part in code for sign in _SIGNS_IN_CPP) else ""

    def _type(self, record: Record) -> TypeDefinition | None:
        found = operations.dialect_type(self.definitions, record)
        return _described(found, record) if found is not None else None

    def _attribute(self, record: Record) -> AttributeKindDefinition | None:
        found = operations.attribute_kind(self.definitions, record)
        return _described(found, record) if found is not None else None

    def _pass(self, record: Record) -> PassDefinition | None:
        found = operations.pass_definition(self.definitions, record)
        return _described(found, record) if found is not None else None

    def _dialect(self, record: Record) -> DialectDefinition | None:
        name = record["name"]
        if not isinstance(name, str):
            return None
        return DialectDefinition(name, _line(record["summary"]), _text(record["description"]), record.place)


def _described(definition: _D, record: Record) -> _D:
    return replace(
        definition, summary=_line(record["summary"]), description=_text(record["description"]), defined_at=record.place
    )


def _line(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""


def _text(text: Any) -> str:
    """Return a description as Markdown, without the indentation of its file."""
    return cleandoc("\n" + text.replace("\r", "")) if isinstance(text, str) else ""


def _cpp_class(record: Record) -> str:
    """Return the class that mlir-tblgen makes: the definition's name behind the first underscore, in its namespace."""
    before, _, name = record.name.partition("_")
    class_name = name or before if before else record.name
    namespace = record["cppNamespace"]
    parts = [part for part in str(namespace or "").strip().split("::") if part]
    return "::".join((*parts, class_name))


@cache
def _prelude() -> Project:
    """Return replacements for MLIR's own files that are not found, each visible in all: see ``prelude/README.md``."""
    files = {path: parse(path.read_text(encoding="utf-8")) for path in sorted(_PRELUDE.glob("*.td"))}
    return Project(files, (), lambda _: None)
