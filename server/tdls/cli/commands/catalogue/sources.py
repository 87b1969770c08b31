"""``tdls catalogue sources``: lists the definitions in the files of a project, and files that were not understood."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.source import all_definitions
from tdls.catalogue.sources.work import SourceProblem
from tdls.cli.console import console
from tdls.cli.console.loading import all_conflicts, conflict_lines, scanned
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.project.inputs import projects_for
from tdls.project.root import project_root
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tdls.syntax.parser.assembly.format import parse_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import AnyDefinition
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.definitions import DefiningFile

_COUNTED = {"operations": "operation", "types": "type", "attributes": "attribute", "passes": "pass"}
"""Tables of definitions, and the singular of their names."""


@click.command("sources", short_help="List what was found where in a project, and what was not understood.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path), metavar="[PATH]", default=".")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def sources(path: Path, format_: str) -> int:
    """List the sources that define operations for the scripts in PATH, by default the current folder.

    PATH is a folder or a file. Code that was not understood is listed with the reason; it is left out, and so are
    findings that may rest on it.
    """
    folder = real_path(path) if os.path.isdir(path) else real_path(path).parent
    root = project_root(folder) or folder
    catalogues = [scanned(project) for project in projects_for(root, load_settings(root, RULE_CODES).settings)]
    if format_ == "json":
        console.write([json_text(_document(root, catalogues), indent=2), "\n"])
    else:
        console.write_lines(_page(root, catalogues))
    return console.EXIT_CLEAN


def _page(root: Path, catalogues: Sequence[ProjectCatalogue]) -> Iterator[str]:
    if not catalogues:
        yield f"nothing is read for {root}: project.enabled is false in its settings"
    for source in reversed(catalogues):
        yield from source.places
        rows = [(_shown(file.path, root), _defined(file)) for file in _defining(source)]
        width = max((len(first) for first, _ in rows), default=0)
        yield from (f"  {first:{width}}  {second}" for first, second in rows)
    problems = [problem for source in reversed(catalogues) for problem in _problems(source)]
    if problems:
        yield from ("", "Not understood")
        yield from (f"  {_shown(problem.path, root)}:{problem.line + 1}: {problem.message}" for problem in problems)
    conflicts = list(conflict_lines(all_conflicts(catalogues), root))
    if conflicts:
        yield from ("", "Defined differently; the first one counts", *conflicts)


def _problems(source: ProjectCatalogue) -> Iterator[SourceProblem]:
    """Yield the parts of sources that were not understood, and then the assembly formats."""
    yield from source.definitions.problems
    definitions: Iterator[AnyDefinition] = chain(
        all_definitions(source.operations), all_definitions(source.types), all_definitions(source.attribute_kinds)
    )
    for definition in definitions:
        problem = parse_format(definition.assembly_format or "").problem
        place = definition.defined_at
        if problem is not None and place is not None:
            yield SourceProblem(place.path, place.line, f"{definition.name}: {problem}")


def _defining(source: ProjectCatalogue) -> list[DefiningFile]:
    return [file for file in source.definitions.defining_files if any(getattr(file, table) for table in _COUNTED)]


def _defined(file: DefiningFile) -> str:
    """Return the counts of a file, such as ``3 operations, 1 type (TableGen)``."""
    counts = ((getattr(file, table), table, single) for table, single in _COUNTED.items())
    words = (f"{count} {table if count != 1 else single}" for count, table, single in counts if count)
    return f"{', '.join(words)} ({file.kind.value})"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _document(root: Path, catalogues: Sequence[ProjectCatalogue]) -> dict[str, Any]:
    return {
        "project": str(root),
        "places": [
            {"path": str(searched.place), "files": {kind.value: count for kind, count in searched.counts}}
            for source in catalogues
            for searched in source.definitions.searched_places
        ],
        "files": [
            {"path": str(file.path), "kind": file.kind.value, **{table: getattr(file, table) for table in _COUNTED}}
            for source in catalogues
            for file in _defining(source)
        ],
        "problems": [
            {"path": str(problem.path), "line": problem.line + 1, "message": problem.message}
            for source in catalogues
            for problem in _problems(source)
        ],
        "conflicts": [
            {
                "operation": conflict.name,
                "definitions": [
                    {"source": claim.source, "line": claim.place.line + 1 if claim.place is not None else None}
                    for claim in conflict.claims
                ],
            }
            for conflict in all_conflicts(catalogues)
        ],
    }
