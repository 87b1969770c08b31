"""Nothing in a repository leads tdls out of it: not the paths that scripts name, nor links."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import command_line

if TYPE_CHECKING:
    import subprocess

READLINK = os.readlink
LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @outside(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @outside failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (tmp_path / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "payload.mlir").write_text("func.func @secret() {\n  return\n}\n", encoding="utf-8")
    return folder


def tdls(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.tdls(*arguments, folder=folder)


@pytest.mark.parametrize(
    "line",
    [
        "// tdls: library=../library.mlir",
        "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/../library.mlir'",
        "// tdls: library=link.mlir",
    ],
)
def test_libraries_that_scripts_name_outside_are_not_read(repository: Path, line: str) -> None:
    (repository / "link.mlir").symlink_to(repository.parent / "library.mlir")
    (repository / "main.mlir").write_text(f"{line}\n{SCRIPT}", encoding="utf-8")
    assert "error[unknown-symbol]" in tdls(repository, "--check", "main.mlir").stdout
    (repository / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    inside = line.replace("../library", "library").replace("link.mlir", "library.mlir")
    (repository / "main.mlir").write_text(f"{inside}\n{SCRIPT}", encoding="utf-8")
    assert "error[library-conflict]" in tdls(repository, "--check", "main.mlir").stdout  # read, but not declared


def test_payloads_that_scripts_name_outside_are_not_read(repository: Path) -> None:
    (repository / "main.mlir").write_text(f"// tdls: payload=../payload.mlir\n{LIBRARY}", encoding="utf-8")
    done = tdls(repository, "run", "main.mlir", "--entry-point", "outside")
    assert done.returncode == 2
    assert f"`../payload.mlir`, which the script names, is outside of {repository}" in done.stderr
    assert "secret" not in done.stdout + done.stderr


def test_files_on_the_command_line_are_read(repository: Path) -> None:
    (repository / "main.mlir").write_text(f"// tdls: payload=../payload.mlir\n{LIBRARY}", encoding="utf-8")
    done = tdls(repository, "run", "main.mlir", "--payload", "../payload.mlir", "--entry-point", "outside")
    assert "is outside of" not in done.stderr


@pytest.mark.parametrize(
    ("settings", "given", "is_read"),
    [
        ([], ["top/scripts/main.mlir"], False),
        ([], ["top/scripts"], False),
        ([], ["top"], True),
        ([], [".", "top/scripts"], True),
        (["top"], ["top/scripts/main.mlir"], True),
        (["top/scripts"], ["top"], False),
        (["top", "top/scripts"], ["top/scripts"], True),
    ],
)
def test_without_a_repository_settings_or_the_given_folder_are_the_boundary(
    tmp_path: Path, settings: list[str], given: list[str], is_read: bool
) -> None:
    (tmp_path / "top" / "scripts").mkdir(parents=True)
    for folder in settings:
        (tmp_path / folder / "tdls.toml").touch()
    (tmp_path / "top" / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    main = f"// tdls: library=../library.mlir\n{SCRIPT}"
    (tmp_path / "top" / "scripts" / "main.mlir").write_text(main, encoding="utf-8")
    for jobs in ("1", "2"):
        printed = tdls(tmp_path, "--check", "--no-cache", "--jobs", jobs, *given).stdout
        assert ("error[library-conflict]" if is_read else "error[unknown-symbol]") in printed, printed


ELSEWHERE = [
    "/net/HOST/share/x.mlir",
    "//HOST/share/x.mlir",
    "\\\\HOST\\share\\x.mlir",
    "../HOST/x.mlir",
    "link/HOST/x.mlir",
]
"""Paths out of the repository, to look at some of which connects to another host."""
NAMING = {
    "s.mlir": [
        "// tdls: library={}",
        "// tdls: payload={}",
        "// RUN: mlir-opt {} --transform-preload-library=transform-library-paths=%s",
        "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths={}'",
    ],
    "tdls.toml": [
        "libraries = ['{}']",
        "libraries = ['{}/*.mlir']",
        "libraries = ['l*/HOST/*', '**/HOST/x*', '**/link']",
        "libraries = ['.', 'l*']",
        "catalogues = ['{}']",
        "payload = '{}'",
        "extend = '{}'",
        "baseline = '{}'",
        "project.definitions = ['{}']",
        "project.include = ['{}']",
        "project.definitions = ['l*/HOST', '**']",
    ],
    "pyproject.toml": [
        "[tool.tdls.run]\nbackend = '{}'",
        "[tool.tdls.run]\npython = '{}'",
        "[tool.tdls.python]\nschedules = ['{}']",
        "[tool.tdls]\npython.check = true\nlibraries = ['{}']",
    ],
    "s.py": ['text = """// tdls: library={}\\nmodule {{\\n  transform.yield\\n}}"""'],
    "ops.td": ['include "{}"\ndef A : B;'],
}


LINKED = (
    "tdls.toml",
    "pyproject.toml",
    ".gitignore",
    "ops.td",
    "s.mlir",
    "t.mlir",
    "mlir.tdls.json",
    ".venv",
    "lib",
    ".git",
)
"""Links of these names lead to another host."""


CASES = [(file, line) for file, lines in NAMING.items() for line in lines]
COMMANDS = (
    ["--check", "--no-cache", "--jobs", "1", "--python", "."],
    ["catalogue", "sources"],
    ["config", "show"],
    ["run", "s.mlir"],
)


@pytest.mark.parametrize(("file", "line"), [*CASES, *((name, "") for name in LINKED)])
def test_nothing_is_asked_of_the_disk_about_a_path_that_leads_out(
    repository: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str
) -> None:
    (repository / "link").symlink_to("/net")
    asked: list[str] = []
    for name in ("stat", "lstat", "readlink", "open", "scandir", "listdir"):
        monkeypatch.setattr(os, name, recording(getattr(os, name), asked))
    for path in ELSEWHERE if line else [""]:
        (repository / "s.mlir").write_text(SCRIPT, encoding="utf-8")
        written = f"{line.format(path)}\n{SCRIPT if file == 's.mlir' else ''}"
        if line:
            (repository / file).write_text(written, encoding="utf-8")
        else:
            if file == ".git":
                (repository / file).rmdir()
            (repository / file).unlink(missing_ok=True)
            (repository / file).symlink_to("/net/HOST/x")
        for command in COMMANDS if line else COMMANDS[:3]:
            assert tdls(repository, *command).returncode in (0, 1, 2)
    assert str(repository / "s.mlir") in asked
    outside = ("/net", "//", str(repository.parent / "HOST"))
    assert [path for path in asked if path.startswith(outside)] == []


def recording(original: Any, asked: list[str]) -> Any:
    """Return a function of `os` that adds the absolute path that it looks at to `asked`, and where links lead."""
    follows = original.__name__ in ("stat", "open", "scandir", "listdir")

    def recorded(path: Any = ".", *arguments: Any, **options: Any) -> Any:
        if isinstance(path, str | os.PathLike):
            full = Path(os.path.normpath(Path(path).absolute()))
            asked.append(str(full))
            followed = (full, *full.parents) if follows and options.get("follow_symlinks", True) else full.parents
            for folder in followed:
                with suppress(OSError, ValueError):
                    asked.append(READLINK(folder))
        return original(path, *arguments, **options)

    return recorded
