"""Messages of a set-up, its lock, and its test for a finished environment."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from preparation import set_up, tools
from preparation.environment import Environment
from preparation.locking import only_one
from preparation.node_packages import NO_NPM, PATTERN_CHECK, install_packages
from preparation.set_up import Purpose, obstacles
from preparation.tools import Tool, missing

TESTS = Path(__file__).parents[1]
PATIENCE = 60
NOWHERE = Tool("no-such-package", ("no-such-program",), "TDLS_NO_SUCH_PROGRAM")
HOLDER = """\
import sys
from pathlib import Path
from preparation.locking import only_one
with only_one(Path(sys.argv[1]), lambda: print("waiting", flush=True)):
    print("held", flush=True)
    sys.stdin.readline()
"""


def holder(lock: Path) -> subprocess.Popen[str]:
    """Start a process that holds the lock until it gets a line."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)], cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
def without_apt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_up, "can_use_apt", lambda: False)


class TestPackagesOfNpm:
    """The tool that checks regular expressions; its lock file has the hash of each package."""

    def test_lock_file(self) -> None:
        lock = json.loads((PATTERN_CHECK / "package-lock.json").read_text(encoding="utf-8"))
        assert lock["lockfileVersion"] == 3
        assert all("integrity" in package for name, package in lock["packages"].items() if name)

    def test_said_at_once_where_npm_is_missing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        needed = Purpose((), needs_tools=True, needs_mlir=False, packages=(tmp_path,))
        assert NO_NPM in obstacles(needed, [])
        assert NO_NPM not in obstacles(replace(needed, needs_tools=False), [])
        (tmp_path / "package-lock.json").touch()
        assert install_packages(tmp_path) == NO_NPM

    def test_installed_packages_are_kept(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        (tmp_path / "package-lock.json").touch()
        (tmp_path / "node_modules").mkdir()
        (tmp_path / "node_modules" / ".package-lock.json").touch()
        assert install_packages(tmp_path) is None


class TestWhatIsMissing:
    def test_program_of_the_search_path(self) -> None:
        python = Tool("no-such-package", ("no-such-program", Path(sys.executable).name))
        assert missing((python, NOWHERE)) == [NOWHERE]

    @pytest.mark.usefixtures("without_apt")
    def test_said_where_nothing_can_be_installed(self) -> None:
        (said_of_it,) = obstacles(Purpose((NOWHERE,), needs_tools=True, needs_mlir=True), [NOWHERE])
        assert said_of_it == (
            "no-such-program is missing: install it (Debian package no-such-package), "
            "or set TDLS_NO_SUCH_PROGRAM to its path"
        )

    @pytest.mark.usefixtures("without_apt")
    def test_left_to_the_tests_that_need_it(self) -> None:
        assert obstacles(Purpose((NOWHERE,), needs_tools=False, needs_mlir=False), [NOWHERE]) == []

    def test_program_from_the_command_line(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv(NOWHERE.variable, sys.executable)
        assert missing((NOWHERE,)) == []
        monkeypatch.setenv(NOWHERE.variable, str(tmp_path))
        (said_of_it,) = obstacles(Purpose((NOWHERE,), needs_tools=True, needs_mlir=True), missing((NOWHERE,)))
        assert said_of_it == f"TDLS_NO_SUCH_PROGRAM is {tmp_path}, which is no program that can be started"

    def test_python_from_the_command_line(self, tmp_path: Path) -> None:
        other = str(tmp_path / "python")
        (said_of_it,) = obstacles(Purpose((), needs_tools=True, needs_mlir=False, other_python=other), [])
        assert said_of_it.startswith(f"TDLS_E2E_PYTHON is {other}, which is no Python with MLIR")

    @pytest.mark.usefixtures("without_apt")
    def test_python_that_makes_no_environments(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(set_up, "has_venv", lambda: False)
        (said_of_it,) = obstacles(Purpose((), needs_tools=False, needs_mlir=False), [])
        assert "cannot create environments" in said_of_it

    def test_nothing_is_installed_where_something_stands_in_the_way(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(set_up, "can_use_apt", lambda: False)
        monkeypatch.setattr(tools, "run", pytest.fail)
        monkeypatch.setattr(set_up, "only_one", pytest.fail)
        assert set_up.set_up(Purpose((NOWHERE,), needs_tools=True, needs_mlir=True)) is not None


class TestTheLock:
    def test_second_waits_for_the_first(self, tmp_path: Path) -> None:
        lock = tmp_path / "lock"
        both = [holder(lock), holder(lock)]
        holders = {said(process): process for process in both}
        assert set(holders) == {"held", "waiting"}
        holders["held"].communicate("\n", PATIENCE)
        assert said(holders["waiting"]) == "held"
        holders["waiting"].communicate("\n", PATIENCE)

    def test_is_free_again_when_a_set_up_was_killed(self, tmp_path: Path) -> None:
        lock = tmp_path / "lock"
        first = holder(lock)
        assert said(first) == "held"
        first.kill()
        first.communicate(timeout=PATIENCE)
        with only_one(lock, pytest.fail):
            assert lock.exists()


class TestTheEnvironment:
    @pytest.fixture
    def checkout(self, tmp_path: Path) -> Path:
        (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
        return tmp_path

    def environment(self, checkout: Path, place: Path, monkeypatch: pytest.MonkeyPatch, *, stamp: str) -> Environment:
        """Return an environment whose Python finds tdls in `place`, and MLIR."""
        made = Environment(checkout / ".venv", checkout)
        made.folder.mkdir()
        (made.folder / "tdls-set-up.txt").write_text(stamp or made.fingerprint, encoding="utf-8")
        monkeypatch.setattr("preparation.environment.answer", lambda _: json.dumps([str(place), True]))
        return made

    def test_is_complete_with_its_stamp(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        ours = checkout / "server" / "tdls" / "__init__.py"
        assert self.environment(checkout, ours, monkeypatch, stamp="").has_mlir() is True

    def test_is_made_anew_where_it_was_interrupted(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        ours = checkout / "server" / "tdls" / "__init__.py"
        assert self.environment(checkout, ours, monkeypatch, stamp="half").has_mlir() is None
        assert Environment(checkout / "none", checkout).has_mlir() is None

    def test_is_made_anew_where_it_holds_another_tdls(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        copy = checkout / ".venv" / "lib" / "tdls" / "__init__.py"
        assert self.environment(checkout, copy, monkeypatch, stamp="").has_mlir() is None

    def test_is_made_anew_for_other_requirements(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        ours = checkout / "server" / "tdls" / "__init__.py"
        made = self.environment(checkout, ours, monkeypatch, stamp="")
        (checkout / "pyproject.toml").write_text("[project]\nname = 'other'\n", encoding="utf-8")
        assert made.has_mlir() is None
