"""Effects of the operations that a project defines in Python, as the registered operations state them.

With consent to run the project's programs, its modules are imported in the confined process for programs, once for each
content of the project's definitions and each state of the Python that runs them.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from tdls.caching.basis import own_digest
from tdls.caching.digest import digest
from tdls.caching.plain_data import dumps, loads
from tdls.caching.user_cache import Cache
from tdls.catalogue.catalogue import without_effects
from tdls.catalogue.source import MemorySource
from tdls.project.catalogue import ProjectCatalogue
from tdls.project.definitions import SourceKind
from tdls.project.root import package_folders, project_python
from tdls.settings.consent import RUN_PROGRAMS, Consent, ConsentRequest

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.settings.consent import Trust
    from tdls.settings.model import Settings

_OWN = ("python_builders", "project/asked.py")
_LOGGER = logging.getLogger(__name__)


def may_ask(root: Path | None, settings: Settings, trust: Trust) -> bool:
    """Return whether the programs of a project may run, and with the Python that its settings name."""
    if root is None or settings.run.backend_choice.refused:
        return False
    return not trust.refused([ConsentRequest(Consent.of(root, RUN_PROGRAMS, value=True), root, None, root, "")])


def with_stated_effects(catalogue: Catalogue, settings: Settings, trust: Trust) -> Catalogue:
    """Return the catalogue with effects that installed bindings state, and operations of projects that may be asked."""
    if unknown := without_effects(catalogue):
        from tdls.interpreter.mlir.effects_at_hand import effects_at_hand

        stated = effects_at_hand(settings.run.backend_choice, unknown)
        catalogue = catalogue.with_source(stated) if stated is not None else catalogue
    for project in catalogue.sources:
        if not isinstance(project, ProjectCatalogue) or project.root is None:
            continue
        files = [str(file.path) for file in project.definitions.defining_files if file.kind is SourceKind.PYTHON]
        if files and may_ask(project.root, settings, trust):
            name = f"the operations that {project.root.name} registers"
            known = _known(project.root, project.fingerprint, files, catalogue, settings)
            catalogue = catalogue.with_source(MemorySource(name, known, is_stated=True)) if known else catalogue
    return catalogue


def _known(
    root: Path, fingerprint: str, files: list[str], catalogue: Catalogue, settings: Settings
) -> list[OperationDefinition]:
    """Return the definitions of the operations in files of a project by their own answers, from the cache if it can."""
    from tdls.interpreter.runs.model import Limits
    from tdls.python_builders.builder import build
    from tdls.python_builders.model import BuildRequest, ProblemKind
    from tdls.python_builders.registered import registered_definitions

    python = settings.run.backend_choice.python or project_python(root)
    folders = [packages.folder for packages in package_folders(root, python)]
    states = [f"{folder}\0{folder.stat().st_mtime_ns}" for folder in folders if os.path.isdir(folder)]
    limits = Limits.of(settings.run)
    states += os.environ.get("PYTHONPATH", ""), str(limits)
    cache, entry = Cache.of_user(), f"asked-{digest(own_digest(_OWN), str(root), python, fingerprint, *states)}"
    kept: tuple[list[OperationDefinition], str] | None = loads(cache.get(entry))
    if kept is None:
        result = build(BuildRequest("", str(root), python, tuple(files), limits, only_asks=True))
        problem = next(iter(result.problems), None) if not result.operations else None
        reason = "; ".join(filter(None, (problem.message, problem.help))) if problem is not None else ""
        kept = registered_definitions(catalogue, result.operations), reason
        if all(each.kind is not ProblemKind.CANCELLED for each in result.problems):
            cache.put(entry, dumps(kept))
    definitions, reason = kept
    if reason:
        _LOGGER.warning("the operations of %s were not asked: %s", root, reason)
    return definitions
