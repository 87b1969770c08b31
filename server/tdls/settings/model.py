"""The settings that hold for a file, and what may be wrong with their sources."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.settings.consent import ConsentRequest
    from tdls.text.diagnostic import Level


class SettingsProblem(NamedTuple):
    """Something that is wrong with a source of settings, in words for people.

    `file` is None for the settings of the editor, `line` (0-based) None where the place is not known.
    """

    message: str
    help: str
    file: Path | None = None
    line: int | None = None


class PathPattern(NamedTuple):
    """A path or glob as written, which counts from `base` if it is relative."""

    base: Path
    pattern: str
    root: Path | None = None
    """The folder that symbolic links may not lead out of, None where they may lead anywhere."""


class Exclusion(NamedTuple):
    """Patterns as in a ``.gitignore`` file of the folder `base`."""

    base: Path
    patterns: tuple[str, ...]


class RuleSelection(NamedTuple):
    """What one source of settings says about which rules are checked, with selectors (`tdls.settings.layer`)."""

    select: tuple[str, ...] | None = None
    """The rules that are checked, instead of those that were; None if the source does not say."""
    extend: tuple[str, ...] = ()
    """Rules that are checked besides."""
    ignore: tuple[str, ...] = ()
    """Rules that are not checked."""


class FileIgnores(NamedTuple):
    """Rules that are not checked in files that match `pattern`, as in a ``.gitignore`` file of the folder `base`."""

    base: Path
    pattern: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InlayHints:
    """Which hints editors show between the words of a script."""

    types: bool = True
    operand_names: bool = True
    consumed: bool = False
    contents: bool = True


@dataclass(frozen=True, slots=True)
class CodeLensSettings:
    """What editors show above definitions."""

    references: bool = True
    run: bool = True
    matches: bool = True


class SetupStep(NamedTuple):
    """``module`` or ``module:function``, which is looked for in the folder `base`, too."""

    base: Path
    name: str


@dataclass(frozen=True, slots=True)
class BackendChoice:
    """What runs scripts, as far as anybody has chosen it; relative paths are resolved already."""

    backend: str | None = None
    """``bindings``, ``bindings:PACKAGE``, or the command of a tool like ``mlir-opt``."""
    python: str | None = None
    """A Python interpreter that has bindings; None is the one that tdls runs in."""
    setup: tuple[SetupStep, ...] = ()
    """What registers a project's dialects, extensions and passes with the bindings before scripts run."""
    refused: tuple[ConsentRequest, ...] = ()
    """What a project's file says of these things and nobody has allowed."""

    def overridden(self, backend: str | None, python: str | None) -> BackendChoice:
        """Return this choice with the backend and the Python that somebody named, where they are not None."""
        named = {name: value for name, value in (("backend", backend), ("python", python)) if value}
        refused = tuple(request for request in self.refused if request.consent.key.rpartition(".")[2] not in named)
        return replace(self, backend=backend or self.backend, python=python or self.python, refused=refused)


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How scripts are run."""

    backend_choice: BackendChoice = BackendChoice()
    timeout: float = 30.0
    """Seconds."""
    memory: int = 4096
    """MiB."""
    refresh: str = "save"
    """When editors run again what they show: ``off``, ``save`` or ``type``."""
    keep_script: bool = False
    """Show the script beside the payload."""
    explain_matches: bool = True
    """Whether editors run a script again to find out why nothing was matched."""


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Where the definitions of a project's operations are looked for."""

    enabled: bool = True
    """False if no sources of the project are read."""
    definitions: tuple[PathPattern, ...] = ()
    """Files and folders that are read besides the project's own folder."""
    include: tuple[PathPattern, ...] = ()
    """Folders that TableGen's ``include`` looks into, before those that are found."""
    exclude: Exclusion | None = None
    """Sources below the project's folder that are not read."""
    bindings: bool = True
    """False if no Python bindings of installed packages are read."""


class Schedule(NamedTuple):
    """What builds scripts: ``pkg.mod:function``, or a program, with arguments; `base` is the folder that it runs in."""

    base: Path
    entry: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonSettings:
    """What is done about Python programs."""

    check: bool = False
    """True if those below folders are checked; those that are named always are."""
    payload: Schedule | None = None
    """What returns the payload of scripts that programs build."""
    schedules: tuple[Schedule, ...] = ()
    """What is run to see what scripts it builds."""
    refused: tuple[ConsentRequest, ...] = ()
    """What a project's file says of these and nobody has allowed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, with their defaults."""

    libraries: tuple[PathPattern, ...] = ()
    """Files with named sequences that are in reach."""
    payload: tuple[PathPattern, ...] = ()
    """The file that scripts are run on which have no other payload, if there is one."""
    catalogues: tuple[PathPattern, ...] = ()
    """Files that describe operations, in the order of precedence, the last one first to be asked."""
    exclude: Exclusion | None = None
    """Files below the project's folder that are none of its scripts."""
    rules: Mapping[str, Level | None] = field(default_factory=lambda: MappingProxyType({}))
    """Levels of rules by name where they differ from the rules' own; None for a rule that is off."""
    selection: tuple[RuleSelection, ...] = ()
    """What each source says about which rules are checked, the one that has the last word last."""
    file_ignores: tuple[FileIgnores, ...] = ()
    baseline: Path | None = None
    """A file with known findings."""
    target_llvm: int | None = None
    """The LLVM version that scripts are for, None if they may be for any."""
    payload_syntax: str = "certain"
    """Which mistakes in payload are reported: ``off``, ``certain`` or ``all``."""
    inlay_hints: InlayHints = InlayHints()
    code_lens: CodeLensSettings = CodeLensSettings()
    run: RunSettings = RunSettings()
    project: ProjectSettings = ProjectSettings()
    python: PythonSettings = PythonSettings()
