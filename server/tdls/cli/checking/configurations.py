"""The settings, catalogues, libraries and payloads that apply to files; every file is read once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import without_effects
from tdls.cli.console import console
from tdls.cli.console.console import InputError
from tdls.cli.console.loading import load_catalogue, scanned
from tdls.cli.rendering.checked import shown_file
from tdls.files.boundary import RealPaths
from tdls.project.inputs import projects_for
from tdls.project.root import project_root
from tdls.settings.consent import NOTHING_TRUSTED
from tdls.settings.paths import named_files
from tdls.settings.sources import Overrides, load_settings, missing_files
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.inputs import ScannedProject
    from tdls.project.libraries import SettingsLibraries
    from tdls.settings.consent import Trust
    from tdls.settings.model import BackendChoice, Settings, SettingsProblem
    from tdls.settings.sources import LoadedSettings


_NOTHING_SAID = Overrides()


class Configured(NamedTuple):
    """The settings for the files of one folder."""

    loaded: LoadedSettings
    catalogue: Catalogue
    rests_on_scans: bool
    """Whether the catalogue has, but for the shipped facts, only what the scans of the project found."""
    complaints: tuple[str, ...]
    """Problems of the settings, as sentences for users."""

    @property
    def settings(self) -> Settings:
        """The settings, without the files that they come from."""
        return self.loaded.settings


class Configurations:
    """Settings by folder, with the libraries and payloads that they name; every file is read once."""

    def __init__(self, catalogues: Sequence[Path], overrides: Overrides = _NOTHING_SAID) -> None:
        """`catalogues` are those of the command line, which take precedence. Raises InputError for unusable ones."""
        self.real_paths = RealPaths()
        self._catalogues = tuple(catalogues)
        self._overrides = overrides
        self._loaded: dict[tuple[tuple[Path, ...], tuple[ScannedProject, ...]], Catalogue] = {}
        self._given: dict[tuple[int, int | None, tuple[str, ...]], Catalogue] = {}
        """By the identity of the loaded catalogue, which is kept, the LLVM version and the placeholders of scripts."""
        self._catalogues_with_effects: dict[tuple[int, BackendChoice], Catalogue] = {}
        """By the identity of the loaded catalogue, with the effects that the chosen bindings tell."""
        self._sources: dict[ScannedProject, ProjectCatalogue] = {}
        self._by_folder: dict[Path, Configured] = {}
        self._libraries: dict[tuple[Path, int], SourceFile | None] = {}
        self._texts: dict[Path, str | None] = {}
        self._common: dict[int, SettingsLibraries] = {}
        """Libraries by the identity of the settings that name them; the settings are kept as long."""
        self._catalogue((), ())

    def of(self, path: Path | None) -> Configured:
        """Return the settings for the file at `path`; for a text without a file, those for the current folder."""
        folder = self.real_paths.of(path).parent if path is not None else Path.cwd()
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._load(folder)
        return known

    def complaints(self) -> list[str]:
        """Return the problems of all settings that `of` loaded, each once."""
        return list(dict.fromkeys(text for known in self._by_folder.values() for text in known.complaints))

    def with_libraries(self, path: Path | None, file: SourceFile, configured: Configured) -> SourceFile:
        """Return the script `file` at `path` with its readable libraries."""
        from tdls.project.libraries import files_of_names, libraries_by_name, written_libraries

        written = written_libraries(file)
        paths = self.library_paths(path, written, configured)
        read: dict[Path | None, SourceFile | None] = {
            library: self._library(library, configured.catalogue) for library in paths
        }
        missing = self.common_libraries(configured).missing
        named = libraries_by_name(file, path, files_of_names(path, written), read, missing)
        return file.with_libraries([library for library in read.values() if library is not None], named)

    def payload(self, path: Path | None, file: SourceFile, configured: Configured) -> SourceFile | None:
        """Return the payload of the script `file` at `path`, None if it is not known or cannot be read."""
        from tdls.project.payload import placed_payload, usable_payload, written_payload

        payload = placed_payload(path, written_payload(file), configured.settings)
        file_of_payload = self._library(payload, configured.catalogue) if payload is not None else None
        return usable_payload(file_of_payload) if file_of_payload is not None else None

    def library_paths(self, path: Path | None, written: Iterable[str], configured: Configured) -> list[Path]:
        """Return the paths of the libraries of the script at `path`, which itself names the libraries `written`."""
        from tdls.project.libraries import placed_libraries

        return placed_libraries(path, written, self.common_libraries(configured).paths)

    def common_libraries(self, configured: Configured) -> SettingsLibraries:
        from tdls.project.libraries import libraries_of_settings

        settings = configured.settings
        if id(settings) not in self._common:
            self._common[id(settings)] = libraries_of_settings(settings)
        return self._common[id(settings)]

    def library_text(self, path: Path) -> str | None:
        """Return the text of a library or payload, None if it cannot be read."""
        from tdls.files.reading import text_of

        if path not in self._texts:
            self._texts[path] = text_of(path)
        return self._texts[path]

    def _load(self, folder: Path) -> Configured:
        from tdls.settings.rule_codes import RULE_CODES

        loaded = load_settings(folder, RULE_CODES, overrides=self._overrides)
        files, _ = named_files(loaded.settings.catalogues)
        complaints = [sentence(problem) for problem in (*loaded.problems, *missing_files(loaded))]
        projects = projects_for(project_root(folder), loaded.settings)
        try:
            catalogue = self._catalogue(tuple(files), projects)
        except InputError as error:
            complaints.append(str(error))
            catalogue = self._catalogue((), projects)
        known = self._with_effects(catalogue, loaded.settings)
        scanned_only = not (files or self._catalogues or without_effects(catalogue)) and known is catalogue
        catalogue = known
        target, placeholders = loaded.settings.target_llvm, loaded.settings.placeholders
        given = catalogue.at(target).with_placeholders(placeholders)
        catalogue = self._given.setdefault((id(catalogue), target, placeholders), given)
        return Configured(loaded, catalogue, scanned_only, tuple(complaints))

    def _catalogue(self, files: tuple[Path, ...], projects: tuple[ScannedProject, ...]) -> Catalogue:
        known = self._loaded.get((files, projects))
        if known is None:
            for project in projects:
                if project not in self._sources:
                    self._sources[project] = scanned(project)
            sources = [self._sources[project] for project in projects]
            known = self._loaded[files, projects] = load_catalogue((*files, *self._catalogues), sources)
        return known

    def _with_effects(self, catalogue: Catalogue, settings: Settings) -> Catalogue:
        """Return the catalogue with the effects that installed bindings and operations in Python state."""
        choice = settings.run.backend_choice
        known = self._catalogues_with_effects.get((id(catalogue), choice))
        if known is None:
            known = catalogue
            if len(catalogue.sources) > 1:
                from tdls.project.asked import with_stated_effects

                console.show_warnings()
                known = with_stated_effects(catalogue, settings, self._overrides.trust)
            self._catalogues_with_effects[id(catalogue), choice] = known
        return known

    def _library(self, path: Path, catalogue: Catalogue) -> SourceFile | None:
        from tdls.analysis.checking.hashed_answers import recording
        from tdls.analysis.file.source_file import SourceFile

        key = (path, id(catalogue))
        if key not in self._libraries:
            text = self.library_text(path)
            self._libraries[key] = SourceFile.of(text, recording(catalogue)) if text is not None else None
        return self._libraries[key]


def catalogue_here(catalogues: Sequence[Path], trust: Trust = NOTHING_TRUSTED) -> Catalogue:
    """Return the catalogue for the current folder, with `catalogues` on top. Raises InputError for unusable ones."""
    return Configurations(catalogues, Overrides(trust=trust)).of(None).catalogue


def sentence(problem: SettingsProblem) -> str:
    """Return a problem of settings, with its place, as one line."""
    place = shown_file(problem.file) if problem.file is not None else "settings"
    line = f":{problem.line + 1}" if problem.line is not None else ""
    return f"{place}{line}: {problem.message}; {problem.help}"
