"""The settings of a file, and problems of their sources."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.settings.consent import ConsentRequest
    from tdls.text.level import Level


OFF = "off"
PAYLOAD_SYNTAX = (OFF, "certain", "all")


class SettingsProblem(NamedTuple):
    """A problem of a source of settings, in words for people.

    `file` is None for the settings of the editor; `line` (0-based) is None where the place is not known.
    """

    message: str
    help: str
    file: Path | None = None
    line: int | None = None


class PathPattern(NamedTuple):
    """A path or glob as written, relative to `base` unless it is absolute."""

    base: Path
    pattern: str
    root: Path | None = None
    """The folder that symbolic links may not lead out of, or None if they may lead anywhere."""


class Exclusion(NamedTuple):
    """Patterns, as lines of a ``.gitignore`` file in the folder `base`."""

    base: Path
    patterns: tuple[str, ...]


class RuleSelection(NamedTuple):
    """The rules that one source of settings selects, as selectors (`tdls.settings.layer`)."""

    select: tuple[str, ...] | None = None
    """The rules that are checked, in place of those selected before, or None if the source does not set them."""
    extend: tuple[str, ...] = ()
    """Rules that are checked in addition."""
    ignore: tuple[str, ...] = ()
    """Rules that are not checked."""


class FileIgnores(NamedTuple):
    """Rules not checked in files that match `pattern`, as a line of a ``.gitignore`` file in the folder `base`."""

    base: Path
    pattern: str
    rules: tuple[str, ...]


class InlayHints(Struct, frozen=True):
    """The inlay hints that editors show."""

    types: bool = True
    operand_names: bool = True
    consumed: bool = False
    contents: bool = True


class CodeLensSettings(Struct, frozen=True):
    """The code lenses that editors show above definitions."""

    references: bool = True
    run: bool = True
    matches: bool = True


class FormatSettings(Struct, frozen=True):
    """The style of formatted scripts."""

    width: int = 0
    """Number of columns beyond which an operation is broken before its types; 0 breaks none."""


class SetupStep(NamedTuple):
    """``module`` or ``module:function``, which is searched for in the folder `base`, too."""

    base: Path
    name: str


class BackendChoice(Struct, frozen=True):
    """The backend for scripts that settings choose; relative paths are already resolved."""

    backend: str | None = None
    """``bindings``, ``bindings:PACKAGE``, or the command of a tool like ``mlir-opt``."""
    python: str | None = None
    """A Python interpreter that has the bindings; None is the one that runs tdls."""
    setup: tuple[SetupStep, ...] = ()
    """Modules and functions that register a project's dialects, extensions and passes before scripts run."""
    refused: tuple[ConsentRequest, ...] = ()
    """Values of these settings in a project's file that the user has not allowed."""

    def overridden(self, backend: str | None, python: str | None) -> BackendChoice:
        """Return this choice with `backend` and `python` in place of its own where they are not None."""
        named = {name: value for name, value in (("backend", backend), ("python", python)) if value}
        refused = tuple(request for request in self.refused if request.consent.key.rpartition(".")[2] not in named)
        return replace(self, backend=backend or self.backend, python=python or self.python, refused=refused)


class RunSettings(Struct, frozen=True):
    """The settings of runs of scripts."""

    backend_choice: BackendChoice = BackendChoice()
    timeout: float = 30.0
    """Seconds."""
    memory: int = 4096
    """MiB."""
    live: bool = True
    """Whether editors run scripts with payload by themselves after a pause in typing."""
    refresh: str = "save"
    """When editors repeat the runs that they show: ``off``, ``save`` or ``type``."""
    keep_script: bool = False
    """Whether the script is shown together with the payload."""
    explain_matches: bool = True
    """Whether editors run a script again to find out why matchers accepted no operation."""


class ProjectSettings(Struct, frozen=True):
    """The sources in which the definitions of a project's operations are searched for."""

    enabled: bool = True
    """Whether sources of the project are read."""
    definitions: tuple[PathPattern, ...] = ()
    """Files and folders that are read in addition to the project's own folder."""
    include: tuple[PathPattern, ...] = ()
    """Folders that TableGen's ``include`` searches, before those that tdls finds."""
    exclude: Exclusion | None = None
    """Sources below the project's folder that are not read."""
    bindings: bool = True
    """Whether the Python bindings of installed packages are read."""


class Schedule(NamedTuple):
    """A builder of scripts: ``pkg.mod:function`` or a program, with arguments; `base` is the folder that it runs in."""

    base: Path
    entry: str
    arguments: tuple[str, ...] = ()


class PythonSettings(Struct, frozen=True):
    """The settings of Python programs."""

    check: bool = False
    """Whether programs below folders are checked; programs that an invocation names are always checked."""
    payload: Schedule | None = None
    """The function that returns the payload of scripts that programs build."""
    schedules: tuple[Schedule, ...] = ()
    """The builders that are run to get the scripts that they build."""
    refused: tuple[ConsentRequest, ...] = ()
    """Values of these settings in a project's file that the user has not allowed."""


class Settings(Struct, frozen=True):
    """All settings, with their defaults."""

    libraries: tuple[PathPattern, ...] = ()
    """Files whose named sequences all scripts may refer to."""
    payload: tuple[PathPattern, ...] = ()
    """The payload of scripts that have no other, if there is one."""
    catalogues: tuple[PathPattern, ...] = ()
    """Files that describe operations, in ascending order of precedence."""
    locations: tuple[PathPattern, ...] = ()
    """Folders with the sources that locations in payload name."""
    exclude: Exclusion | None = None
    """Files below the project's folder that are not among its scripts."""
    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Levels of rules by name, where they differ from the rules' own levels, or None for a rule that is off."""
    selection: tuple[RuleSelection, ...] = ()
    """The rules that each source selects, in ascending order of precedence."""
    file_ignores: tuple[FileIgnores, ...] = ()
    baseline: Path | None = None
    """A file with known findings."""
    target_llvm: int | None = None
    """The LLVM version that scripts are for, None if they may be for any."""
    placeholders: tuple[str, ...] = ()
    """Shapes of tokens that another program replaces in scripts; ``*`` stands for a name."""
    payload_syntax: str = "certain"
    """The payload mistakes that are reported: ``off``, ``certain`` or ``all``."""
    inlay_hints: InlayHints = InlayHints()
    code_lens: CodeLensSettings = CodeLensSettings()
    run: RunSettings = RunSettings()
    project: ProjectSettings = ProjectSettings()
    python: PythonSettings = PythonSettings()
    format: FormatSettings = FormatSettings()
