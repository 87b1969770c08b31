"""Scans for tests, without the cache of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.project.catalogue import ProjectCatalogue
from tdls.project.inputs import projects_for
from tdls.project.scanning.scanner import Scanner
from tdls.settings.sources import load_settings

if TYPE_CHECKING:
    from pathlib import Path


def scanned(root: Path) -> ProjectCatalogue:
    """Return the definitions in the sources of the project in the folder `root`, by its own settings."""
    project = projects_for(root, load_settings(root, {}).settings)[-1]
    return ProjectCatalogue(root, Scanner(project).scan())


def catalogue_of(root: Path) -> Catalogue:
    """Return the catalogue of the scripts of the project in the folder `root`."""
    return Catalogue.shipped().with_source(scanned(root))
