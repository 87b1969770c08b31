"""Reads the inputs of commands: texts, catalogues, and the definitions of projects."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import progress
from tdls.cli.console.console import InputError
from tdls.files.reading import read_stream, read_text, why_no_text
from tdls.limits import SCRIPT_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.definitions import Claim, Conflict
    from tdls.project.inputs import ScannedProject

STANDARD_INPUT = "-"


@contextmanager
def given_back(*, is_rewritten: bool) -> Iterator[None]:
    """Write standard input to standard output as it is, if it `is_rewritten`, where an error ends the body.

    So a filter of an editor never empties a file. Raises InputError if standard input cannot be read.
    """
    if not is_rewritten:
        yield
        return
    replaced = sys.stdin  # which closes its buffer when nothing refers to it
    source = replaced.buffer
    try:
        begin = source.read(SCRIPT_SIZE.most + 1)
    except OSError as error:
        raise InputError(f"{STANDARD_INPUT}: {error.strerror or error}") from error
    sys.stdin = io.TextIOWrapper(io.BytesIO(begin), encoding="utf-8")
    try:
        yield
    except Exception:
        import shutil

        sys.stdout.buffer.write(begin)
        shutil.copyfileobj(source, sys.stdout.buffer)
        sys.stdout.flush()
        raise


def read_argument(argument: str) -> str:
    """Return the text of the file `argument`, or of standard input for ``-``. Raises InputError."""
    try:
        if argument == STANDARD_INPUT:
            return read_stream(sys.stdin.buffer, SCRIPT_SIZE).decode("utf-8")
        return read_text(Path(argument))
    except OSError as error:
        raise InputError(f"{argument}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{argument}: {why_no_text(error)}") from error


def load_catalogue(files: Iterable[Path], sources: Iterable[CatalogueSource] = ()) -> Catalogue:
    """Return the shipped catalogue with the operations of `sources` and then of `files` added. Raises InputError."""
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.documents import CatalogueError, load_json_catalogue

    catalogue = Catalogue.shipped()
    try:
        for source in (*sources, *map(load_json_catalogue, files)):
            catalogue = catalogue.with_source(source)
    except CatalogueError as error:
        raise InputError(str(error)) from error
    return catalogue


def scanned(project: ScannedProject) -> ProjectCatalogue:
    """Return the definitions of `project`, showing progress. Slow only if sources changed since the last scan."""
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.scanning.scanner import Scanner

    doing = "scanning the project" if project.root is not None else "scanning installed packages"
    progress.say(doing)
    definitions = Scanner(project).scan(partial(progress.say, doing))
    progress.say("checking")
    return ProjectCatalogue(project.root, definitions)


def all_conflicts(catalogues: Sequence[ProjectCatalogue], files: Sequence[CatalogueSource] = ()) -> list[Conflict]:
    """Return the operations that `catalogues` define differently, within one and among them, by name.

    The last one of `catalogues` wins; `files` are catalogues that win over them.
    """
    conflicts = [conflict for source in catalogues for conflict in source.definitions.conflicts]
    ordered: list[CatalogueSource] = [*reversed(files), *reversed(catalogues)]
    for number, source in enumerate(ordered):
        conflicts += _between(source, ordered[number + 1 :])
    return sorted(conflicts)


def conflict_lines(conflicts: Iterable[Conflict], root: Path) -> Iterator[str]:
    """Yield a line for each of `conflicts`, with paths relative to `root`."""
    for name, claims in conflicts:
        yield f"  {name}: {', then '.join(_shown(claim, root) for claim in claims)}"


def _between(winner: CatalogueSource, others: Iterable[CatalogueSource]) -> Iterator[Conflict]:
    """Yield the operations of `winner` that one of `others` defines differently."""
    from tdls.catalogue.source import all_definitions
    from tdls.project.definitions import Claim, Conflict
    from tdls.project.scanning.assembly import shape

    tables = [other.operations for other in others]
    dialects = winner.operations.dialects() & frozenset().union(*(table.dialects() for table in tables))
    for definition in all_definitions(winner.operations):
        if definition.dialect not in dialects:
            continue
        variants = [variants[0] for table in tables if (variants := table.variants(definition.name))]
        differing = [other for other in variants if shape(other) != shape(definition)]
        if differing:
            claims = (Claim(each.source, each.defined_at) for each in (definition, *differing))
            yield Conflict(definition.name, tuple(claims))


def _shown(claim: Claim, root: Path) -> str:
    source = claim.source.removeprefix(f"{root}/")
    return f"{source}:{claim.place.line + 1}" if claim.place is not None else source
