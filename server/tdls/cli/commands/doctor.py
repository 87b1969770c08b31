"""``tdls doctor``: reports settings, catalogue, cache and backends, and tries to run a script."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import tdls
from tdls.caching.user_cache import cache_place
from tdls.catalogue.catalogue import without_effects
from tdls.catalogue.shipped import shipped_source
from tdls.catalogue.source import MemorySource
from tdls.cli.checking.configurations import Configurations
from tdls.cli.console import console
from tdls.cli.console.loading import all_conflicts, conflict_lines
from tdls.cli.console.options import trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.interpreter.confinement.confinement import protection, tried_confinement
from tdls.interpreter.inventory import Available, BackendKind, available, chosen_backend, limits_memory, trial
from tdls.interpreter.mlir.worker import isolation
from tdls.project.catalogue import ProjectCatalogue
from tdls.settings.llvm_versions import version_name
from tdls.settings.paths import find_configuration
from tdls.settings.sources import Overrides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.checking.configurations import Configured
    from tdls.interpreter.inventory import Trial
    from tdls.interpreter.mlir.choice import Chosen
    from tdls.project.definitions import Conflict
    from tdls.settings.consent import Trust

_GAP = 2
_INSTALL = "pip install torch-mlir"


class _DoctorReport(NamedTuple):
    """The data of the report; `settings` is the file with settings, or None."""

    folder: Path
    settings: Path | None
    configured: Configured
    conflicts: list[Conflict]
    backends: list[Available]
    chosen: Chosen | None
    trial: Trial


@click.command("doctor")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path), metavar="[PATH]")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@trust_option
def command(path: Path | None, format_: str, trust: Trust) -> int:
    """Show the settings, definitions and MLIR for PATH, a file or a folder, by default the current one, and try a run.

    A program that settings name and that is not allowed is named and not started.

    Exit status: 0 scripts can be run, 1 they cannot; then the output has the remedy.
    """
    findings = _examined(path if path is not None else Path.cwd(), trust)
    if format_ == "json":
        console.write([json_text(_document(findings), indent=2), "\n"])
    else:
        console.write_lines(_page(findings))
    return console.EXIT_FINDINGS if findings.trial.problem else console.EXIT_CLEAN


def _examined(path: Path, trust: Trust) -> _DoctorReport:
    folder = real_path(path) if os.path.isdir(path) else real_path(path).parent
    configured = Configurations((), Overrides(trust=trust)).of(folder / "any.mlir")
    choice = configured.settings.run.backend_choice
    tried = trial(choice)  # first: bindings that do not start are not chosen after it
    backends, chosen = available(choice), chosen_backend(choice)
    if chosen is not None and chosen.python is not None:
        name = chosen.package or tried.backend.partition(" ")[0] or "bindings"
        backends.insert(0, Available(BackendKind.BINDINGS, name, tried.mlir, chosen.python))
    files = [source for source in configured.catalogue.sources[1:] if not isinstance(source, ProjectCatalogue)]
    conflicts = all_conflicts(_scanned(configured), files)
    return _DoctorReport(folder, find_configuration(folder), configured, conflicts, backends, chosen, tried)


def _page(findings: _DoctorReport) -> Iterator[str]:
    settings = findings.settings or f"none for {findings.folder}"
    trial = findings.trial
    times = f"{trial.first * 1000:.0f} ms, {trial.again * 1000:.0f} ms once loaded"
    works = f"scripts can be run, with {trial.mlir or 'MLIR'} ({times})"
    yield f"tdls {tdls.__version__}: {f'scripts cannot be run: {trial.problem}' if trial.problem else works}"
    if trial.problem and _INSTALL not in trial.problem and not trial.is_refused:
        yield f"  {_INSTALL}, or name something that works as run.backend in the settings"
    yield from _table(
        [
            ("Python", f"{platform.python_version()}, {sys.executable}"),
            ("system", platform.platform()),
            ("settings", str(settings)),
            *(("", f"wrong: {complaint}") for complaint in findings.configured.complaints),
            ("catalogue", _known(findings)),
            *_stated_effects(findings),
            *_project(findings),
            ("cache", _cache()),
        ]
    )
    conflicts = list(conflict_lines(findings.conflicts, findings.folder))
    if conflicts:
        yield from ("", "Operations that are defined differently; the first one counts", *conflicts)
    yield from ("", "What can run scripts")
    yield from _table([_row(backend, findings) for backend in findings.backends] or [("nothing is installed",)])
    yield from ("", "How scripts are run")
    reader = (
        f"tdls, and by {findings.trial.mlir or 'MLIR'} in trusted workspaces of editors and with 'tdls --check --run'"
    )
    files = f"are read by {'tdls alone' if findings.trial.problem else reader}"
    yield from _table([("by", _used(findings)), *_protection(), ("files", files)])


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows with their columns aligned."""
    widths = [max(len(row[index]) for row in rows if index < len(row)) for index in range(max(map(len, rows)))]
    for row in rows:
        cells = [cell.ljust(width + _GAP) for cell, width in zip(row, widths, strict=False)]
        yield f"  {''.join(cells)}".rstrip()


def _row(backend: Available, findings: _DoctorReport) -> tuple[str, ...]:
    mark = "*" if _is_used(backend, findings.chosen) else " "
    return (f"{mark} {backend.kind.value}", backend.name, backend.version or "tells no version", backend.place)


def _is_used(backend: Available, chosen: Chosen | None) -> bool:
    if chosen is None:
        return False
    program = chosen.command[0] if chosen.command else chosen.python
    return backend.name == chosen.package if program is None else backend.place == program


def _used(findings: _DoctorReport) -> str:
    if findings.chosen is None:
        refused = findings.configured.settings.run.backend_choice.refused
        return ", ".join(
            ["nothing", *(f"{request.consent.key} = {request.consent.value} is not allowed" for request in refused)]
        )
    return f"{findings.trial.backend or _name(findings.chosen)}, since {findings.chosen.why}"


def _name(chosen: Chosen) -> str:
    if chosen.command:
        return chosen.command[0]
    package = chosen.package or "bindings"
    return package if chosen.python is None else f"{package} of {chosen.python}"


def _protection() -> Iterator[tuple[str, str]]:
    if isolation.is_available():
        yield "isolation", "a process for each run, forked from one that has MLIR loaded"
    else:
        yield "isolation", "a process for each run, which has to load MLIR: this system cannot fork"
    yield "confined", _confinement()
    yield "memory", "limited" if limits_memory() else "measured while a run goes on: this system does not limit it"


def _confinement() -> str:
    """Return the restrictions that a trial found on a process that runs scripts."""
    held, tried = protection(), tried_confinement()
    kept = [
        words
        for words, is_possible in (
            ("writes only to a temporary folder", tried.can_write),
            ("no network", tried.can_connect),
            ("no other programs", tried.can_start),
        )
        if not is_possible
    ]
    name = f"{held.means.value} {held.version}" if held.version else held.means.value
    if not kept:
        return f"by {name}: runs may write to files, reach the network and start programs"
    return f"{', '.join(kept)}; by {name}"


def _known(findings: _DoctorReport) -> str:
    catalogue = findings.configured.catalogue
    versions = shipped_source().llvm_versions
    others = "".join(f", {source.name}" for source in catalogue.sources[1:] if not isinstance(source, ProjectCatalogue))
    return (
        f"{len(catalogue.operation_names())} operations of LLVM {versions[0]} to {version_name(versions[-1])}{others}"
    )


def _stated_effects(findings: _DoctorReport) -> Iterator[tuple[str, str]]:
    """Yield the sources of effects of operations that only installed bindings know, with the operations."""
    lacking = {each.name for each in without_effects(findings.configured.catalogue)}
    for source in findings.configured.catalogue.sources[1:]:
        if isinstance(source, MemorySource) and source.is_stated:
            names = [name for dialect in source.operations.dialects() for name in source.operations.names(dialect)]
            yield "", f"effects of {len(names)} operations are stated by {source.name}: {', '.join(sorted(names))}"
    if lacking:
        yield "", f"effects are not known, and no MLIR was asked: {', '.join(sorted(lacking))}"


def _project(findings: _DoctorReport) -> Iterator[tuple[str, str]]:
    """Yield the places that were searched for definitions, the one that wins first."""
    places = [place for source in reversed(_scanned(findings.configured)) for place in source.places]
    yield "project", places[0] if places else "nothing is read"
    yield from (("", place) for place in places[1:])
    problems = sum(len(source.definitions.problems) for source in _scanned(findings.configured))
    if problems:
        yield "", f"{problems} places were not understood: see 'tdls catalogue sources'"


def _cache() -> str:
    place = cache_place()
    return f"not used: {place.problem}" if place.folder is None else str(place.folder)


def _scanned(configured: Configured) -> list[ProjectCatalogue]:
    return [source for source in configured.catalogue.sources if isinstance(source, ProjectCatalogue)]


def _document(findings: _DoctorReport) -> dict[str, Any]:
    trial = findings.trial
    return {
        "version": tdls.__version__,
        "python": {"version": platform.python_version(), "path": sys.executable},
        "system": platform.platform(),
        "settings": str(findings.settings) if findings.settings is not None else None,
        "complaints": list(findings.configured.complaints),
        "project": [place for source in _scanned(findings.configured) for place in source.places],
        "conflicts": [
            {"operation": name, "definitions": [claim.source for claim in claims]}
            for name, claims in findings.conflicts
        ],
        "cache": _cache(),
        "operations": len(findings.configured.catalogue.operation_names()),
        "backends": [
            {**backend._asdict(), "kind": backend.kind.value, "used": _is_used(backend, findings.chosen)}
            for backend in findings.backends
        ],
        "used": _used(findings),
        "isolation": isolation.is_available(),
        "confinement": {
            **protection()._asdict(),
            "means": protection().means.name.lower(),
            **tried_confinement()._asdict(),
        },
        "memory": limits_memory(),
        "trial": {**trial._asdict(), "works": not trial.problem},
    }
