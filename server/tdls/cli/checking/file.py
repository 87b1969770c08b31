"""Checks one file: analyses and runs its text or takes cached findings, and applies the settings of its project."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, TypeVar

from tdls.cli.checking.configurations import Configurations
from tdls.cli.checking.findings_cache import FindingsCache
from tdls.cli.rendering.checked import OF_SEQUENCES, CheckedFile, FingerprintedFinding, at_levels, result_for
from tdls.files.boundary import real_path
from tdls.files.reading import why_no_text
from tdls.files.selection import is_program, split_of
from tdls.settings.model import RuleSelection
from tdls.settings.sources import Overrides
from tdls.structs import NamedTuple, Struct, replace
from tdls.system import garbage_kept
from tdls.text.diagnostic import Diagnostic
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.file.source_file import SourceFile
    from tdls.cli.checking.baseline import KnownFindings
    from tdls.cli.checking.configurations import Configured
    from tdls.cli.checking.script_runs import ScriptRuns
    from tdls.cli.checking.targets import CheckTarget
    from tdls.project.sequences import RepositorySequences
    from tdls.settings.selection import Levels


_MUCH_GARBAGE = 50_000
"""Number of objects, perhaps 10 MB."""


class CheckedRepositories:
    """Named sequences of the repositories of checked files; each is read once, and only if a call needs it."""

    def __init__(self) -> None:
        self._by_root: dict[Path, RepositorySequences] = {}

    def settled(
        self, target: CheckTarget, text: str, configured: Configured, findings: Sequence[FingerprintedFinding]
    ) -> list[FingerprintedFinding]:
        """Return `findings`; findings about sequences that other files of the repository define name these files."""
        if all(finding.diagnostic.rule not in OF_SEQUENCES for finding in findings):
            return list(findings)
        from tdls.project.sequences import called_name, with_file_that_defines

        root = _root(target)
        find = self._sequences(root, configured).find if root is not None else lambda _: None
        named: list[FingerprintedFinding] = []
        for finding in findings:
            name = called_name(text[slice(*finding.diagnostic.span)])
            diagnostic = with_file_that_defines(finding.diagnostic, name, find, root)
            named += [finding._replace(diagnostic=diagnostic)] if diagnostic is not None else []
        return named

    def libraries(self, target: CheckTarget, findings: Sequence[FingerprintedFinding]) -> tuple[str, ...]:
        """Return the entries for ``libraries`` that findings of `settled` propose, from the repository's folder."""
        hints = [finding.diagnostic for finding in findings if finding.diagnostic.rule in OF_SEQUENCES]
        if not hints or (root := _root(target)) is None:
            return ()
        from tdls.project.sequences import shown_from

        paths = (note.path for hint in hints for note in hint.notes if note.path is not None)
        return tuple(dict.fromkeys(shown_from(root, path) for path in paths))

    def _sequences(self, root: Path, configured: Configured) -> RepositorySequences:
        from tdls.project.sequences import RepositorySequences

        if root not in self._by_root:
            self._by_root[root] = RepositorySequences(root, configured.catalogue, configured.settings.exclude)
        return self._by_root[root]


def _root(target: CheckTarget) -> Path | None:
    """Return the project folder of a file, None for a file outside of projects and for standard input."""
    from tdls.project.root import project_root

    return project_root(real_path(target.path).parent) if target.path is not None else None


_Result = TypeVar("_Result")
VERIFICATION_RULE = "verify-diagnostics"
_SIGN = "transform."
"""Text in every program with scripts in its strings; `has_scripts` is more exact, but costs more to import."""
_BINDINGS = "dialects"
"""Text in every program that builds a script with MLIR's bindings, which has one of the next, too."""
_SCRIPT_MAKERS = ("NamedSequenceOp", "SequenceOp", "sequence(")
_NO_OVERRIDES = Overrides()
_NO_SELECTION = RuleSelection()


class CheckSettings(Struct, frozen=True):
    """Options that hold for every file of an invocation; `split` is the name of a `SplitMode`."""

    catalogues: tuple[Path, ...] = ()
    overrides: Overrides = _NO_OVERRIDES
    split: str = "AUTO"
    verify: bool = False
    selection: RuleSelection = _NO_SELECTION
    """Rules selected by the command line, on top of the settings."""
    possible: bool = False
    """Whether rules that report merely possible problems are enabled."""
    errors_on_warning: bool = False
    """Whether warnings are reported as errors."""
    uses_cache: bool = True
    """Whether findings are read from the cache and stored in it."""
    runs: bool = False
    """Whether scripts are run, too. The findings of runs are never cached."""
    requires_matches: bool = False
    """Whether every operation that looks for payload has to find some in a run."""


class FixPlan(Struct, frozen=True):
    """Options of ``tdls check`` that change files."""

    is_wanted: bool = False
    unsafe: bool = False
    """Whether to apply fixes that may change the behaviour of a script."""
    shows_only: bool = False
    adds_ignore: bool = False
    """Whether findings are silenced by comments, with this `reason`, rather than fixed."""
    reason: str = ""
    known: KnownFindings | None = None
    """Findings that need no comment."""
    migrates_to: int | None = None
    """The version of LLVM that parts of the files are brought to as a whole, in place of fixes one by one."""


class Loaded(NamedTuple):
    """A file that was read, with the libraries, payload, catalogue and settings to check it against."""

    target: CheckTarget
    text: str
    file: SourceFile
    configured: Configured


class Checker:
    """Checks files one by one with the same settings."""

    def __init__(self, settings: CheckSettings) -> None:
        """Load the catalogue. Raises InputError for an unusable catalogue file."""
        self._settings = settings
        self._configurations = Configurations(settings.catalogues, settings.overrides)
        self._levels_of: dict[int, Levels] = {}
        """By the identity of the `Configured` of a folder, which lives as long."""
        self._runs: ScriptRuns | None = None
        self._elsewhere = CheckedRepositories()
        self._cache = FindingsCache.of_user(self._configurations, settings.split) if settings.uses_cache else None

    def check(self, target: CheckTarget) -> CheckedFile:
        """Check one file; never raises."""

        def look(text: str, configured: Configured) -> CheckedFile:
            is_in_program = target.path is not None and is_program(target.path)
            findings, failures = (
                self._findings(target, text, configured) if not is_in_program or _SIGN in text else ([], [])
            )
            if not self._settings.runs or is_in_program:
                checked = self._checked(target, text, configured, findings)
            else:
                checked = self._run(target, text, configured, findings)
            return replace(checked, failures=tuple(failures)) if failures else checked

        if gc.get_count()[0] > _MUCH_GARBAGE:  # of the files before, where collection is disabled for all of them
            gc.collect(1)
        with garbage_kept():
            return self._of_text(target, look)

    def known(self, target: CheckTarget) -> CheckedFile | None:
        """Return the result of `check` from the cache, None if the file has to be analysed; never raises."""
        if self._settings.runs:
            return None
        return self._of_text(target, lambda text, configured: self._kept_result(target, text, configured))

    def load(self, target: CheckTarget, text: str) -> Loaded:
        """Return `target`, whose text is `text`, with the libraries, payload, catalogue and settings for it."""
        from tdls.analysis.checking.hashed_answers import recording
        from tdls.analysis.file.source_file import SourceFile
        from tdls.syntax.sections.boundaries import SplitMode

        configured = self._configurations.of(target.path)
        file = SourceFile.of(
            text, recording(configured.catalogue), split=SplitMode[split_of(target.path, self._settings.split)]
        )
        file = self._configurations.with_libraries(target.path, file, configured)
        payload = self._configurations.payload(target.path, file, configured)
        return Loaded(target, text, file.with_payload(payload), configured)

    def wanted(self, findings: Iterable[Diagnostic], loaded: Loaded) -> list[Diagnostic]:
        """Return the enabled ones of the `findings` of a file, at the levels of the settings."""
        from tdls.settings.selection import with_levels

        return with_levels(findings, self._levels(loaded.target, loaded.configured))

    def _of_text(self, target: CheckTarget, look: Callable[[str, Configured], _Result]) -> _Result | CheckedFile:
        """Return the result of `look` for the text and settings of a file, or why the file cannot be checked."""
        try:
            text = target.read()
        except OSError as error:
            return CheckedFile(target.name, unreadable=error.strerror or str(error))
        except UnicodeDecodeError as error:
            return CheckedFile(target.name, unreadable=why_no_text(error))
        try:
            return look(text, self._configurations.of(target.path))
        except Exception:
            import traceback

            return CheckedFile(target.name, crash=traceback.format_exc())

    def _levels(self, target: CheckTarget, configured: Configured) -> Levels:
        """Return the levels of rules in a file; computed once per folder unless settings ignore rules in some files."""
        from tdls.settings.selection import levels

        known = self._levels_of.get(id(configured))
        if known is not None:
            return known
        real = self._configurations.real_paths.of(target.path) if target.path is not None else None
        selection, possible = self._settings.selection, self._settings.possible
        computed = levels(configured.settings, real, command_line=selection, possible=possible)
        if not configured.settings.file_ignores:
            self._levels_of[id(configured)] = computed
        return computed

    def _kept_result(self, target: CheckTarget, text: str, configured: Configured) -> CheckedFile | None:
        findings = self._kept(target, text, configured)
        return self._checked(target, text, configured, findings) if findings is not None else None

    def _kept(self, target: CheckTarget, text: str, configured: Configured) -> list[FingerprintedFinding] | None:
        return self._cache.get(target.path, text, configured) if self._cache is not None else None

    def _findings(
        self, target: CheckTarget, text: str, configured: Configured
    ) -> tuple[list[FingerprintedFinding], list[RuleFailure]]:
        """Return the findings of the rules in a file, and the rules that fail; caches the findings if none does."""
        from tdls.analysis.checking.file_findings import check_file
        from tdls.analysis.checking.fingerprint import fingerprint
        from tdls.payload.abridged import abridge

        known = self._kept(target, text, configured)
        if known is not None:
            return known, []
        short, cuts = abridge(text)
        file = self.load(target, short).file
        diagnostics, failures = check_file(file)
        findings = [FingerprintedFinding(cuts.restored(each), fingerprint(file, each)) for each in diagnostics]
        if self._cache is not None and not failures:
            self._cache.put(target.path, text, configured, file, findings)
        return findings, failures

    def _run(
        self, target: CheckTarget, text: str, configured: Configured, findings: Sequence[FingerprintedFinding]
    ) -> CheckedFile:
        """Return the result for a file in which all rules find `findings`, with the findings of its runs."""
        from tdls.analysis.checking.fingerprint import fingerprint
        from tdls.cli.checking.script_runs import ScriptRuns
        from tdls.interpreter.errors import BackendError

        self._runs = self._runs or ScriptRuns(
            as_mlir=self._settings.verify, requires_matches=self._settings.requires_matches
        )
        file = self.load(target, text).file
        reported = [finding.diagnostic for finding in at_levels(findings, self._levels(target, configured))]
        try:
            run = self._runs.look(target, file, configured, reported)
        except BackendError as error:
            return replace(self._checked(target, text, configured, findings), unrunnable=str(error))
        of_run = [FingerprintedFinding(diagnostic, fingerprint(file, diagnostic)) for diagnostic in run.findings]
        refuted = {(finding.rule, finding.span) for finding in run.refuted}
        notes = {(finding.rule, finding.span, finding.message): finding.notes for finding in run.confirmed}
        left = [
            each._replace(diagnostic=replace(each.diagnostic, notes=notes.get(key, each.diagnostic.notes)))
            for each in findings
            if (key := (each.diagnostic.rule, each.diagnostic.span, each.diagnostic.message))[:2] not in refuted
        ]
        everything = sorted([*left, *of_run], key=lambda finding: finding.diagnostic.span)
        return replace(self._checked(target, text, configured, everything), is_run=run.is_run, read_by=run.read_by)

    def _checked(
        self, target: CheckTarget, text: str, configured: Configured, findings: Iterable[FingerprintedFinding]
    ) -> CheckedFile:
        """Return the result for a file in which all rules find `findings`."""
        findings = self._elsewhere.settled(target, text, configured, list(findings))
        levels, verifies = self._levels(target, configured), self._settings.verify
        shown = at_levels(findings, levels, errors_on_warning=self._settings.errors_on_warning and not verifies)
        shown = _differences(text, shown) if verifies else shown
        libraries = self._elsewhere.libraries(target, findings)
        result = result_for(target.name, text, findings, shown, configured.complaints, libraries)
        may_build = target.path is not None and not target.is_cell and is_program(target.path) and _BINDINGS in text
        is_builder = may_build and any(maker in text for maker in _SCRIPT_MAKERS)
        return replace(result, hinted=result.hinted._replace(is_builder=True)) if is_builder else result


def _differences(text: str, findings: Sequence[FingerprintedFinding]) -> list[FingerprintedFinding]:
    """Return the differences between the findings and the expectations in `text`, as findings themselves."""
    from tdls.cli.checking.verification import verify
    from tdls.text.diagnostic import Fingerprint

    return [
        FingerprintedFinding(
            Diagnostic(VERIFICATION_RULE, Level.ERROR, mismatch.message, mismatch.span),
            Fingerprint(VERIFICATION_RULE, "", mismatch.message),
        )
        for mismatch in verify(text, [finding.diagnostic for finding in findings])
    ]
