"""``tdls catalogue``: shows definitions of operations and passes, finds them by words, and lists their sources."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.documents import encode
from tdls.catalogue.passes import is_of_tests
from tdls.catalogue.source import all_definitions
from tdls.catalogue.sources.work import SourceProblem
from tdls.cli.checking.configurations import catalogue_here
from tdls.cli.console import console
from tdls.cli.console.loading import all_conflicts, conflict_lines, scanned
from tdls.cli.console.options import JSON, catalogue_option, format_option, operations, trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.ide.forms.operation_page import documentation_address, operation_page, origin_of_effects
from tdls.project.inputs import projects_for
from tdls.project.root import project_root
from tdls.settings.llvm_versions import version_named, version_ranges
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tdls.syntax.parser.assembly.format import parse_format
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AnyDefinition
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.definitions import DefiningFile
    from tdls.settings.consent import Trust

_COUNTED = {"operations": "operation", "types": "type", "attributes": "attribute", "passes": "pass"}
"""Tables of definitions, and the singular of their names."""
_MOST_SIMILAR = 3


@click.group("catalogue")
def command() -> None:
    """Show the known operations."""


@command.command("show", short_help="Show an operation.")
@click.argument("name", metavar="OP", shell_complete=operations)
@click.option("--llvm", "version", metavar="N", help="The definition of LLVM N, not the newest one.")
@format_option
@trust_option
@catalogue_option
def show(name: str, version: str | None, format_: str, trust: Trust, catalogues: tuple[Path, ...]) -> int:
    """Show an operation: operands with their effects, results, attributes, assembly format."""
    catalogue = catalogue_here(catalogues, trust)
    name = _with_prefix(name, catalogue)
    variants = catalogue.variants(name)
    fitting = [variant for variant in variants if version is None or version_named(version) in variant.versions]
    if not fitting:
        known = version_ranges(tuple(sorted(number for variant in variants for number in variant.versions)))
        raise console.InputError(f"'{name}' is not known for LLVM {version}, only for {known}")
    document = {
        "operation": encode(fitting[0]),
        "other_versions": [list(each.versions) for each in variants if each is not fitting[0] and each.versions],
        "documentation": documentation_address(fitting[0]),
        "effects": origin_of_effects(fitting[0], catalogue).partition(" ")[0],
    }
    console.write([json_text(document, indent=2), "\n"] if format_ == JSON else [])
    console.write_lines(operation_page(fitting[0], catalogue) if format_ != JSON else [])
    return console.EXIT_CLEAN


@command.command("search", short_help="Find operations and passes by words of their names and summaries.")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def search(words: tuple[str, ...], dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """Find the operations whose name or summary contains all WORDs, those with the words in their name first.

    Then come the passes, with their options, which may contain WORDs, too. Exit status: 1 if there is none.
    """
    catalogue = catalogue_here(catalogues)
    wanted = [word.lower() for word in words]
    definitions = filter(None, map(catalogue.operation, catalogue.operation_names(dialect)))
    matches = [each for each in definitions if all(word in f"{each.name} {each.summary}".lower() for word in wanted)]
    matches.sort(key=lambda match: (not all(word in match.name for word in wanted), -catalogue.uses(match.name)))
    passes = [
        {"name": each.name, "summary": each.summary, "options": [f"{o.name}={o.type}" for o in each.options or ()]}
        for each in map(catalogue.pass_definition, catalogue.pass_names() if dialect is None else ())
        if each is not None and not is_of_tests(each.name)
    ]
    passes = [each for each in passes if all(word in " ".join(map(str, each.values())).lower() for word in wanted)]
    if format_ == JSON:
        rows = [{"name": known.name, "summary": known.summary} for known in matches]
        similar = {} if matches or passes else {"similar": _similar_ends("_".join(wanted), catalogue)}
        console.write([json_text({"operations": rows, "passes": passes, **similar}, indent=2), "\n"])
    else:
        console.write_lines(f"{known.name}  {known.summary}".rstrip() for known in matches)
        lines = (f"pass {each['name']} {{{' '.join(each['options'])}}}  {each['summary']}" for each in passes)
        console.write_lines(map(str.rstrip, lines))
    return console.EXIT_CLEAN if matches or passes else console.EXIT_FINDINGS


def _with_prefix(name: str, catalogue: Catalogue) -> str:
    """Return the name of the operation that `name` names or ends. Raises InputError."""
    for full in (name, f"transform.{name}"):
        if catalogue.variants(full):
            return full
        if (rename := catalogue.renamed(full)) is not None:
            raise console.InputError(f"'{full}' {rename.fate}")
    ends = [each for each in catalogue.operation_names() if each.endswith(f".{name}")]
    ends = [each for each in ends if each.startswith("transform.")] or ends
    if len(ends) == 1:
        return ends[0]
    similar = [f"'{close}'" for close in ends or catalogue.similar(name) or _similar_ends(name, catalogue)]
    advice = f"did you mean {' or '.join(similar)}?" if similar else "'tdls catalogue list' lists all operations"
    raise console.InputError(f"no operation is called '{name}'; {advice}")


def _similar_ends(name: str, catalogue: Catalogue) -> list[str]:
    """Return the transform operations whose last part is most similar to that of `name`."""
    names = {each: each.rpartition(".")[2] for each in catalogue.operation_names("transform")}
    close = most_similar(name.rpartition(".")[2], names.values())
    return [each for each, last in names.items() if last == close][:_MOST_SIMILAR]


@command.command("list")
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def list_(dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """List the names of all operations."""
    catalogue = catalogue_here(catalogues)
    if dialect is not None and dialect not in catalogue.dialects():
        raise console.InputError(f"no operation of the dialect '{dialect}' is known")
    names = catalogue.operation_names(dialect)
    if format_ == JSON:
        console.write([json_text({"operations": list(names)}, indent=2), "\n"])
    else:
        console.write_lines(names)
    return console.EXIT_CLEAN


@command.command("sources", short_help="List what was found where in a project, and what was not understood.")
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
