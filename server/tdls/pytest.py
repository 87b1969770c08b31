"""A plugin of pytest: ``pytest -p tdls.pytest`` checks every script that a test builds with MLIR's Python bindings.

Tests run in pytest's own process, which is not confined, as without the plugin.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tdls.cli.checking.configurations import Configurations
from tdls.python_builders.builder import collected_result
from tdls.python_builders.findings import program_findings
from tdls.python_builders.locations import Workspace
from tdls.python_builders.worker.collected import Collected
from tdls.python_builders.worker.watching import Watching
from tdls.settings.selection import levels, with_levels
from tdls.settings.sources import Overrides
from tdls.text.level import Level
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic


_OFF = "no_tdls"
"""The marker of tests that build wrong scripts on purpose."""


def pytest_configure(config: pytest.Config) -> None:
    """Watch the bindings, which conftest files and tests import later."""
    config.addinivalue_line("markers", f"{_OFF}: this test builds scripts that tdls does not check")
    config.pluginmanager.register(_BuiltScripts(config.rootpath), "tdls-built-scripts")


class _BuiltScripts:
    """Collects the modules that a test builds, and fails the test if they have errors or warnings."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._configurations = Configurations((), Overrides())
        self._collected = Collected()
        self._watching = Watching(self._collected)
        sys.meta_path.insert(0, self._watching)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Forget the modules of earlier tests; those that fixtures of this test build count."""
        self._collected.clear()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Check the modules that one test builds; a test that fails itself keeps its own failure."""
        outcome: Any = yield
        if outcome.excinfo is None and item.get_closest_marker(_OFF) is None:
            found = self._findings()
            if found:
                outcome.force_exception(pytest.fail.Exception("\n".join(found), pytrace=False))
        self._collected.clear()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report mistakes in the settings that were used, which may have silenced findings."""
        from tdls.text.printable import printable

        for complaint in self._configurations.complaints():
            terminalreporter.write_line(f"warning: {printable(complaint)}", yellow=True)

    def _findings(self) -> list[str]:
        """Return the findings in the collected modules, as lines."""
        modules = self._collected.modules(is_complete=True)
        if not modules:
            return []
        ir = self._watching.ir
        bindings = str(Path(ir.__file__).parent) if ir is not None else ""
        catalogue = self._configurations.of(self._root / "conftest.py").catalogue
        result = collected_result(modules, self._collected.operations)
        found = program_findings(result, catalogue, Workspace([self._root], bindings))
        lines = [line for file in found.files for line in self._error_lines(file.path, file.text, file.findings)]
        return lines + [f"error[mlir]: {problem.message}" for problem in found.unplaced]

    def _error_lines(self, path: Path, text: str, findings: Sequence[Diagnostic]) -> Iterator[str]:
        """Yield the errors and warnings in one file that settings do not turn off, with their notes."""
        index = LineIndex(text)
        known = levels(self._configurations.of(path).settings, path, possible=False)
        for finding in with_levels(findings, known):
            if finding.level in (Level.ERROR, Level.WARNING):
                place = f"{path}:{index.position(finding.span.start).line + 1}"
                yield f"{place}: {finding.level.value}[{finding.rule}]: {finding.message}"
                for note in finding.notes:
                    if note.path is None:
                        yield f"{path}:{index.position(note.span.start).line + 1}: note: {note.message}"
                if finding.help is not None:
                    yield f"  help: {finding.help}"
