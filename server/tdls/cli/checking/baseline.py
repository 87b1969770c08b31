"""``tdls check --baseline``: leaves out the findings that a baseline file lists, and updates that file."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.console.console import InputError
from tdls.files.boundary import RealPaths, real_path
from tdls.files.reading import read_text, why_no_text
from tdls.files.writing import NotWrittenError, alone_with, write_content
from tdls.limits import BASELINE_SIZE
from tdls.settings.paths import find_configuration
from tdls.settings.sources import load_settings
from tdls.structs import Struct, replace
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.checking.fingerprint import Baseline
    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile
    from tdls.settings.sources import Overrides
    from tdls.text.diagnostic import Fingerprint

_REPORTED_BY_RUNS = frozenset({"failed-run"})


class BaselinePlan(Struct, frozen=True):
    """Baseline options of the command line."""

    file: Path | None = None
    writes: bool = False
    prunes: bool = False

    @property
    def is_wanted(self) -> bool:
        """True if one of the options is given."""
        return self.file is not None or self.writes or self.prunes


def known_findings(plan: BaselinePlan, targets: Iterable[CheckTarget], overrides: Overrides) -> KnownFindings | None:
    """Return the known findings, None if neither the command line nor the settings for `targets` name a file.

    Raises InputError as `KnownFindings` does and if settings name several files, UsageError if there is none to write.
    """
    files = {plan.file} if plan.file is not None else _named_by_settings(targets, overrides)
    if len(files) > 1:
        raise InputError("these files belong to projects with different baselines; check one project after the other")
    for file in files:
        return KnownFindings(plan, file)
    if plan.writes or plan.prunes:
        import click

        raise click.UsageError("say which file with --baseline FILE, or with 'baseline' in tdls.toml")
    return None


def _named_by_settings(targets: Iterable[CheckTarget], overrides: Overrides) -> set[Path]:
    real_paths = RealPaths()
    folders = {real_paths.of(target.path).parent if target.path is not None else Path.cwd() for target in targets}
    by_configuration = {find_configuration(folder): folder for folder in sorted(folders)}
    settings = (load_settings(folder, {}, overrides=overrides).settings for folder in by_configuration.values())
    return {each.baseline for each in settings if each.baseline is not None}


class KnownFindings:
    """The findings in a baseline file, compared with a stream of check results."""

    def __init__(self, plan: BaselinePlan, file: Path) -> None:
        """Read the file. Raises InputError if it is damaged, or missing and not about to be written."""
        self._plan = plan
        self._file = file
        self._folder = real_path(file).parent
        self._baseline = _read(file, may_be_missing=plan.writes)
        self._checked: dict[str, Counter[Fingerprint]] = {}
        """Baseline entries of the files checked so far, by the name of the file."""

    def new_ones(self, results: Iterable[CheckedFile]) -> Iterator[CheckedFile]:
        """Yield `results` without known findings; when the baseline is written, all findings are known."""
        for checked in results:
            name = self._name_of(checked.name)
            if name is None or checked.crash is not None or checked.unreadable is not None:
                yield checked
                continue
            entries = self.recognised(checked.name, [finding.fingerprint for finding in checked.findings])
            self._checked[name] = Counter(entry for entry in entries if entry is not None)
            missing = {failure.rule for failure in checked.failures} | (
                _REPORTED_BY_RUNS if checked.is_run is None else set()
            )
            kept = self._baseline.files.get(name, Counter())  # what was not checked may still be there
            self._checked[name].update({entry: count for entry, count in kept.items() if entry.rule in missing})
            pairs = zip(checked.findings, entries, strict=True)
            yield replace(checked, findings=tuple(finding for finding, entry in pairs if entry is None))

    def recognised(self, path: str, identities: Sequence[Fingerprint]) -> Sequence[Fingerprint | None]:
        """Return for each finding in the file at `path` its baseline entry, None for new findings."""
        name = self._name_of(path)
        if name is None:
            return [None] * len(identities)
        return identities if self._plan.writes else self._baseline.recognised(name, identities)

    def finish(self, *, quiet: bool = False) -> None:
        """Write or prune the file, or note that it can be pruned. Raises InputError if it cannot be written."""
        from tdls.analysis.checking.fingerprint import Baseline

        changes = self._plan.writes or self._plan.prunes
        with alone_with(self._file) if changes else nullcontext():
            if changes:  # somebody else may have written it meanwhile
                self._baseline = _read(self._file, may_be_missing=self._plan.writes)
            others = {name: counts for name, counts in self._baseline.files.items() if _exists(self._folder / name)}
            current = Baseline({**others, **self._checked})
            gone = len(self._baseline) - len(current)
            if self._plan.writes or (self._plan.prunes and gone):
                try:
                    write_content(self._file, current.text().encode("utf-8", "backslashreplace"))
                except NotWrittenError as error:
                    raise InputError(f"{self._file}: {error}") from error
        if self._plan.writes:
            message = f"{self._file}: {counted(len(current), 'finding')} in {counted(len(current.files), 'file')}"
        elif gone and self._plan.prunes:
            message = f"{self._file}: removed {counted(gone, 'finding')}, {len(current)} left"
        elif gone:
            message = f"{self._file}: {counted(gone, 'finding')} can be removed with --prune-baseline"
        else:
            return
        if not quiet:
            console.complain(message, level="note")

    def _name_of(self, path: str) -> str | None:
        """Return the name of the file at `path` in the baseline, or None for a text without a file."""
        file = Path(path)
        if not _exists(file):
            return None
        try:
            return Path(os.path.relpath(real_path(file), self._folder)).as_posix()
        except ValueError:  # another drive
            return real_path(file).as_posix()


def _exists(file: Path) -> bool:
    """Whether a file exists; unlike `Path.exists`, accept names that no file can have."""
    return os.path.exists(file)


def _read(file: Path, *, may_be_missing: bool) -> Baseline:
    from tdls.analysis.checking.fingerprint import Baseline, BaselineError

    try:
        return Baseline.parse(read_text(file, BASELINE_SIZE, "utf-8-sig"))
    except FileNotFoundError as error:
        if may_be_missing:
            return Baseline()
        raise InputError(f"{file}: there is no such file; --write-baseline writes it") from error
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: {why_no_text(error)}") from error
    except BaselineError as error:
        raise InputError(f"{file}: {error}; remove it, and write a new one with --write-baseline") from error
