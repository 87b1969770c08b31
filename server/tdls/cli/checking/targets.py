"""The files that ``tdls --check`` checks, and the settings, catalogues, libraries and payloads that apply to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.catalogue import without_effects
from tdls.cli.console import console
from tdls.cli.console.console import InputError
from tdls.cli.console.loading import STANDARD_INPUT, load_catalogue, read_argument, scanned
from tdls.files.boundary import RealPaths
from tdls.files.reading import read_text
from tdls.files.selection import UnreadablePath, select
from tdls.project.root import project_root
from tdls.project.scanning.listing import projects_for
from tdls.settings.paths import boundary_of, is_excluded, named_files, named_libraries
from tdls.settings.sources import Overrides, load_settings
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.scanning.listing import ScannedProject
    from tdls.settings.model import BackendChoice, Settings, SettingsProblem
    from tdls.settings.sources import LoadedSettings

_NOTHING_SAID = Overrides()


class Configured(NamedTuple):
    """The settings for the files of one folder."""

    loaded: LoadedSettings
    catalogue: Catalogue
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
        self._common: dict[int, list[Path]] = {}
        """Libraries by the identity of the settings that name them; the settings are kept as long."""
        self._catalogue((), ())

    def of(self, path: Path | None) -> Configured:
        """Return the settings for the file at `path`; for a text without a file, those for the current folder."""
        folder = self.real_paths.of(path).parent if path is not None else Path.cwd()
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._load(folder)
        return known

    def with_libraries(self, path: Path | None, file: SourceFile, configured: Configured) -> SourceFile:
        """Return the script `file` at `path` with its readable libraries."""
        from tdls.project.libraries import files_of_names, libraries_by_name, written_libraries

        written = written_libraries(file)
        paths = self.library_paths(path, written, configured)
        read: dict[Path | None, SourceFile | None] = {
            library: self._library(library, configured.catalogue) for library in paths
        }
        named = libraries_by_name(file, path, files_of_names(path, written), read)
        return file.with_libraries([library for library in read.values() if library is not None], named)

    def payload(self, path: Path | None, file: SourceFile, configured: Configured) -> SourceFile | None:
        """Return the payload of the script `file` at `path`, None if it is not known or cannot be read."""
        from tdls.project.libraries import placed_payload, usable_payload, written_payload

        payload = placed_payload(path, written_payload(file), configured.settings)
        found = self._library(payload, configured.catalogue) if payload is not None else None
        return usable_payload(found) if found is not None else None

    def library_paths(self, path: Path | None, written: Iterable[str], configured: Configured) -> list[Path]:
        """Return the paths of the libraries of the script at `path`, which itself names the libraries `written`."""
        from tdls.project.libraries import libraries_of_settings, placed_libraries

        settings = configured.settings
        if id(settings) not in self._common:
            self._common[id(settings)] = libraries_of_settings(settings)
        return placed_libraries(path, written, self._common[id(settings)])

    def library_text(self, path: Path) -> str | None:
        """Return the text of a library or payload, None if it cannot be read."""
        from tdls.files.reading import text_of

        if path not in self._texts:
            self._texts[path] = text_of(path)
        return self._texts[path]

    def _load(self, folder: Path) -> Configured:
        from tdls.analysis.rule_codes import RULE_CODES

        loaded = load_settings(folder, RULE_CODES, overrides=self._overrides)
        files, missing = named_files(loaded.settings.catalogues)
        missing += [*named_libraries(loaded.settings.libraries)[1], *named_files(loaded.settings.payload)[1]]
        complaints = [sentence(problem) for problem in (*loaded.problems, *missing)]
        projects = projects_for(project_root(folder), loaded.settings)
        try:
            catalogue = self._catalogue(tuple(files), projects)
        except InputError as error:
            complaints.append(str(error))
            catalogue = self._catalogue((), projects)
        catalogue = self._with_effects(catalogue, loaded.settings)
        target, placeholders = loaded.settings.target_llvm, loaded.settings.placeholders
        given = catalogue.at(target).with_placeholders(placeholders)
        catalogue = self._given.setdefault((id(catalogue), target, placeholders), given)
        return Configured(loaded, catalogue, tuple(complaints))

    def _catalogue(self, files: tuple[Path, ...], projects: tuple[ScannedProject, ...]) -> Catalogue:
        known = self._loaded.get((files, projects))
        if known is None:
            sources = [self._source(project) for project in projects]
            known = self._loaded[files, projects] = load_catalogue((*files, *self._catalogues), sources)
        return known

    def _with_effects(self, catalogue: Catalogue, settings: Settings) -> Catalogue:
        """Return the catalogue with the effects of operations that only installed bindings know."""
        choice = settings.run.backend_choice
        known = self._catalogues_with_effects.get((id(catalogue), choice))
        if known is None:
            known, unknown = catalogue, without_effects(catalogue)
            if unknown:
                from tdls.interpreter.backends.effects_at_hand import effects_at_hand

                stated = effects_at_hand(choice, unknown)
                known = catalogue.with_source(stated) if stated is not None else catalogue
            self._catalogues_with_effects[id(catalogue), choice] = known
        return known

    def _source(self, project: ScannedProject) -> ProjectCatalogue:
        if project not in self._sources:
            self._sources[project] = scanned(project)
        return self._sources[project]

    def _library(self, path: Path, catalogue: Catalogue) -> SourceFile | None:
        from tdls.analysis.checking.hashed_answers import recording
        from tdls.analysis.file.source_file import SourceFile

        key = (path, id(catalogue))
        if key not in self._libraries:
            text = self.library_text(path)
            self._libraries[key] = SourceFile.of(text, recording(catalogue)) if text is not None else None
        return self._libraries[key]


def catalogue_here(catalogues: Sequence[Path]) -> Catalogue:
    """Return the catalogue for the current folder, with `catalogues` on top. Raises InputError for unusable ones."""
    return Configurations(catalogues).of(None).catalogue


def without_excluded(paths: Iterable[Path], overrides: Overrides) -> list[Path]:
    """Return those of `paths`, found below directories, that the settings of their project do not exclude."""
    real_paths = RealPaths()
    exclusions: dict[Path, Settings] = {}
    kept: list[Path] = []
    for path in paths:
        real = real_paths.of(path)
        folder = real.parent
        if folder not in exclusions:
            exclusions[folder] = load_settings(folder, {}, overrides=overrides).settings
        if not is_excluded(real, exclusions[folder].exclude):
            kept.append(path)
    return kept


def sentence(problem: SettingsProblem) -> str:
    """Return a problem of settings, with its place, as one line."""
    place = shown_file(problem.file) if problem.file is not None else "settings"
    line = f":{problem.line + 1}" if problem.line is not None else ""
    return f"{place}{line}: {problem.message}; {problem.help}"


def shown_file(file: Path) -> str:
    """Return the path of a settings file, from the current folder on if it is below that."""
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


_NAMED = 3


class CheckTarget(Struct, frozen=True):
    """A file to check: `text` is None where it has yet to be read from `path`."""

    name: str
    path: Path | None
    text: str | None = None

    def read(self) -> str:
        """Return the text. Raises OSError, UnicodeDecodeError."""
        return self.text if self.text is not None else read_text(Path(self.name))


def find_targets(
    names: Sequence[str],
    stdin_filename: str | None,
    overrides: Overrides,
    *,
    forces_exclude: bool = False,
    quiet: bool = False,
    with_programs: bool = False,
    allows_empty: bool = False,
) -> tuple[list[CheckTarget], list[UnreadablePath]]:
    """Return the files to check, standard input first and files sorted, and the paths that cannot be read.

    Settings, with `overrides`, exclude files that are not named; with `forces_exclude` named ones, too. Python programs
    below folders are included `with_programs`, and where settings enable that. Directories without a file to check
    cannot be checked; with `allows_empty` they only bring a warning, unless `quiet`. Raises InputError if standard
    input cannot be read.
    """

    def takes_programs(folder: Path) -> bool:
        return with_programs or load_settings(folder, {}, overrides=overrides).settings.python.check

    selection = select((Path(name) for name in names if name != STANDARD_INPUT), boundary_of, takes_programs)
    empty = [UnreadablePath(str(folder), _nothing_to_check(takes_programs(folder))) for folder in selection.empty]
    for problem in empty if allows_empty and not quiet else ():
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    if selection.outside and not quiet:
        console.complain(_not_followed(selection.outside), level="warning")
    for problem in () if quiet else selection.unread_rules:
        console.complain(f"{problem.path}: {problem.message}", level="warning")
    named = set() if forces_exclude else {Path(name) for name in names}
    found = set(without_excluded((file for file in selection.files if file not in named), overrides))
    targets = [CheckTarget(str(file), file) for file in selection.files if file in named or file in found]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, CheckTarget(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    return targets, [*selection.problems, *(() if allows_empty else empty)]


def _nothing_to_check(takes_programs: bool) -> str:
    if takes_programs:
        return "no *.mlir or *.py file to check here"
    return "no *.mlir file to check here (`--python` also checks the scripts in *.py files)"


def without_payload(targets: Iterable[CheckTarget], names: Iterable[str]) -> tuple[list[CheckTarget], int]:
    """Return the `targets` that are among `names` or contain scripts, and the number of the others.

    Standard input is kept, since it is named; unreadable files are, too: the check reports them.
    """
    named = set(map(Path, names))
    found = list(targets)
    kept = [target for target in found if target.text is not None or target.path in named or _may_have_scripts(target)]
    return kept, len(found) - len(kept)


def _may_have_scripts(target: CheckTarget) -> bool:
    from tdls.analysis.file.prefilter import has_scripts

    try:
        return has_scripts(target.read())
    except (OSError, UnicodeDecodeError):
        return True


def _not_followed(links: Sequence[Path]) -> str:
    """Return the warning that links were not followed; it names the first few."""
    named = ", ".join(map(str, links[:_NAMED])) + (f" and {len(links) - _NAMED} more" if len(links) > _NAMED else "")
    return f"{named}: not followed, since it leads out of the repository; what is named on the command line is checked"
