"""Checking one file: from its text to the findings that its project wants to know of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.cli.configured import Configurations
from tdls.cli.rendering.checked import Checked, Finding
from tdls.settings.model import Selection
from tdls.settings.sources import Overrides
from tdls.text.diagnostic import Diagnostic, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tdls.analysis.source_file import SourceFile
    from tdls.cli.configured import Configured
    from tdls.cli.targets import Target

VERIFICATION_RULE = "verify-diagnostics"
_NO_OVERRIDES = Overrides()
_NO_SELECTION = Selection()


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What every file of an invocation is checked with; `split` is the name of a `SplitMode`."""

    catalogues: tuple[Path, ...] = ()
    overrides: Overrides = _NO_OVERRIDES
    split: str = "AUTO"
    verify: bool = False
    selection: Selection = _NO_SELECTION
    """What the command line says about which rules are checked, on top of the settings."""
    possible: bool = False
    """Whether findings count of rules that report what is only possible."""
    errors_on_warning: bool = False
    """Whether warnings are reported as errors."""


class Loaded(NamedTuple):
    """A file that was read, with what it is checked against: libraries, catalogue and settings."""

    target: Target
    text: str
    file: SourceFile
    configured: Configured


class Checker:
    """Checks files with the same settings one after the other."""

    def __init__(self, settings: CheckSettings) -> None:
        """Load the catalogue. Raises InputError for an unusable catalogue file."""
        self._settings = settings
        self._configurations = Configurations(settings.catalogues, settings.overrides)

    def check(self, target: Target) -> Checked:
        """Check one file; never raises."""
        try:
            text = target.read()
        except OSError as error:
            return Checked(target.name, unreadable=error.strerror or str(error))
        except UnicodeDecodeError as error:
            return Checked(target.name, unreadable=f"not UTF-8 text (byte {error.start})")
        try:
            return self._checked(self.load(target, text))
        except Exception:
            import traceback

            return Checked(target.name, crash=traceback.format_exc())

    def load(self, target: Target, text: str) -> Loaded:
        """Return `target`, whose text is `text`, ready to be checked."""
        from tdls.analysis.source_file import SourceFile
        from tdls.syntax.runs import SplitMode

        configured = self._configurations.of(target.path)
        file = SourceFile.of(text, configured.catalogue, split=SplitMode[self._settings.split])
        libraries = self._configurations.libraries(target.path, file, configured)
        return Loaded(target, text, file.with_libraries(libraries), configured)

    def wanted(self, findings: Iterable[Diagnostic], loaded: Loaded) -> list[Diagnostic]:
        """Return those of the `findings` of a file that are asked for, at the levels of the settings."""
        from tdls.analysis.levels import with_levels
        from tdls.analysis.selection import levels

        path = loaded.target.path
        real = path.resolve() if path is not None else None
        settings, selection = loaded.configured.settings, self._settings.selection
        wanted = levels(settings, real, command_line=selection, possible=self._settings.possible)
        return with_levels(findings, wanted)

    def _checked(self, loaded: Loaded) -> Checked:
        from tdls.analysis.identity import identity

        found = self.wanted(loaded.file.findings(), loaded)
        if self._settings.verify:
            found = _differences(loaded.text, found)
        elif self._settings.errors_on_warning:
            found = [_warning_as_error(diagnostic) for diagnostic in found]
        findings = tuple(Finding(diagnostic, identity(loaded.file, diagnostic)) for diagnostic in found)
        return Checked(loaded.target.name, loaded.text if findings else "", findings, loaded.configured.complaints)


def _warning_as_error(diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, level=Level.ERROR) if diagnostic.level is Level.WARNING else diagnostic


def _differences(text: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the differences between what was found and what the file expects, as findings themselves."""
    from tdls.cli.verification import verify

    return [
        Diagnostic(VERIFICATION_RULE, Level.ERROR, mismatch.message, mismatch.span) for mismatch in verify(text, found)
    ]
