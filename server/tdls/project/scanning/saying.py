"""What a file says of operations, by the language that it is written in."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import CatalogueError, load_json_catalogue
from tdls.catalogue.source import all_definitions
from tdls.catalogue.sources.cpp import read_source
from tdls.catalogue.sources.python_modules import read_module
from tdls.catalogue.sources.tablegen import parse
from tdls.catalogue.sources.work import SourceProblem
from tdls.project.definitions import FileDefinitions
from tdls.project.kinds import SourceKind
from tdls.project.scanning.irdl import read_irdl

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.sources.python_modules import PythonDefinitions
    from tdls.project.scanning.irdl import IrdlDefinitions

_GENERATED_NAME = re.compile(r'^  OPERATION_NAME = "([^"\n]+)"', re.MULTILINE)


def said_by(path: Path, kind: SourceKind, text: str) -> Any:
    """Return what the file `path` of a kind says with that text, as `kept_values` can keep it; None for nothing."""
    if kind is SourceKind.TABLEGEN:
        return parse(text)
    if kind is SourceKind.CPP:
        facts = read_source(path, text)
        return facts if facts.functions or facts.bases or facts.problems else None
    if kind is SourceKind.CATALOGUE:
        return _catalogue(path)
    if kind is SourceKind.IRDL:
        return _unless_empty(read_irdl(path, text))
    if kind is SourceKind.BINDINGS and _repeats_upstream(text):
        return None
    return _unless_empty(read_module(path, text))


def _unless_empty(found: IrdlDefinitions | PythonDefinitions) -> IrdlDefinitions | PythonDefinitions | None:
    return found if any(getattr(found, field.name) for field in fields(found) if field.name != "path") else None


def _repeats_upstream(text: str) -> bool:
    """Tell whether a generated module has no operation that tdls does not know: most of those installed have none."""
    names = set(_GENERATED_NAME.findall(text))
    operations = Catalogue.shipped()
    dialects = {name.partition(".")[0] for name in names}
    return names <= {name for dialect in dialects for name in operations.operation_names(dialect)}


def _catalogue(path: Path) -> FileDefinitions | SourceProblem:
    try:
        source = load_json_catalogue(path)
    except CatalogueError as error:
        return SourceProblem(path, 0, str(error))
    return FileDefinitions(
        path,
        SourceKind.CATALOGUE,
        tuple(all_definitions(source.operations)),
        tuple(all_definitions(source.types)),
        tuple(all_definitions(source.attribute_kinds)),
        renames=source.renames,
    )
