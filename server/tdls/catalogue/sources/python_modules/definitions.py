"""What one Python file says of operations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
from tdls.catalogue.sources.problems import SourceProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.catalogue.model import AnyDefinition


class PendingDefinition(NamedTuple):
    """A definition whose name lacks the dialect's: that of the class `dialect_class`, perhaps of another file."""

    dialect_class: str
    definition: AnyDefinition


@dataclass(frozen=True, slots=True)
class PythonDefinitions:
    """The operations, types and attributes that a Python file defines, and what of it was not understood."""

    path: Path
    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    problems: tuple[SourceProblem, ...] = ()
    dialects: tuple[tuple[str, str], ...] = ()
    """Classes of dialects, with the names of the dialects."""
    pending: tuple[PendingDefinition, ...] = ()
    """What belongs to dialects of other files; `linked` completes it."""

    @classmethod
    def of(cls, path: Path, dialects: Mapping[str, str], found: Iterable[PendingDefinition]) -> PythonDefinitions:
        """Sort definitions: those of the file's own `dialects`, by class, are complete."""
        complete: list[AnyDefinition] = []
        pending: list[PendingDefinition] = []
        for pending_definition in found:
            if pending_definition.dialect_class in dialects:
                name = f"{dialects[pending_definition.dialect_class]}.{pending_definition.definition.name}"
                complete.append(replace(pending_definition.definition, name=name))
            else:
                pending.append(pending_definition)
        return cls(
            path,
            tuple(definition for definition in complete if isinstance(definition, OperationDefinition)),
            tuple(definition for definition in complete if isinstance(definition, TypeDefinition)),
            tuple(definition for definition in complete if isinstance(definition, AttributeKindDefinition)),
            dialects=tuple(dialects.items()),
            pending=tuple(pending),
        )


def linked(files: Iterable[PythonDefinitions]) -> list[PythonDefinitions]:
    """The same files, each with the definitions that belong to a dialect of another one.

    What belongs to no dialect among them, or to one of several with the same class name, is a problem of its file.
    """
    kept = list(files)
    names: dict[str, set[str]] = {}
    for class_name, name in (pair for file in kept for pair in file.dialects):
        names.setdefault(class_name, set()).add(name)
    known = {class_name: found.pop() for class_name, found in names.items() if len(found) == 1}
    return [_linked(file, known) if file.pending else file for file in kept]


def _linked(file: PythonDefinitions, dialects: Mapping[str, str]) -> PythonDefinitions:
    found = PythonDefinitions.of(file.path, dialects, file.pending)
    problems = [
        SourceProblem(
            file.path,
            pending.definition.defined_at.line if pending.definition.defined_at is not None else 0,
            f"the dialect '{pending.dialect_class}' of '{pending.definition.name}' is defined in no file that was read",
        )
        for pending in found.pending
    ]
    return replace(
        file,
        operations=file.operations + found.operations,
        types=file.types + found.types,
        attributes=file.attributes + found.attributes,
        problems=file.problems + tuple(problems),
        pending=(),
    )
