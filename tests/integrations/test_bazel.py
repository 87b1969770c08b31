"""The rule for Bazel, evaluated as Starlark, with stand-ins for Bazel's own functions."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest
import starlark

from integrations.support import ROOT, installed, run, snippet, write_project

if TYPE_CHECKING:
    from pathlib import Path

RULE = (ROOT / "integrations" / "bazel" / "tdls.bzl").read_text(encoding="utf-8")
GLOBALS = starlark.Globals.extended_by([starlark.LibraryExtension.StructType, starlark.LibraryExtension.Json])
ODD = "it's $HOME; `x`.mlir"
BAZEL = """
def _keep(**values):
    return struct(**values)

attr = struct(label = _keep, label_list = _keep)
rule = _keep
DefaultInfo = _keep
"""
ANALYSIS = """
def _file(path):
    return struct(short_path = path)

def _runfiles(files):
    return struct(merge = lambda others: [file.short_path for file in files] + others)

_written = []

def _write(output, content, is_executable):
    _written.append(content)

def _analysed(srcs, config, catalogues):
    files = struct(
        srcs = [_file(path) for path in srcs],
        data = [_file("lib.mlir")],
        catalogues = [_file(path) for path in catalogues],
        config = [_file(config)] if config else [],
    )
    info = tdls_test.implementation(struct(
        label = struct(name = "scripts"),
        attr = struct(tdls = {DefaultInfo: struct(default_runfiles = ["tdls.runfiles"])}),
        executable = struct(tdls = _file("tdls")),
        file = struct(config = _file(config) if config else None),
        files = files,
        actions = struct(declare_file = _file, write = _write),
        runfiles = _runfiles,
    ))
    return [info[0].executable.short_path, info[0].runfiles, _written[0]]
"""


def evaluated(text: str) -> Any:
    """Return the value of the last expression of a Starlark program."""
    return starlark.eval(starlark.Module(), starlark.parse("program.bzl", text), GLOBALS)


def analysed(*srcs: str, config: str | None = None, catalogues: tuple[str, ...] = ()) -> tuple[str, list[str], str]:
    """Return the rule's results for a target: its program's name, its runfiles, and the program."""
    call = f"_analysed(srcs = {json.dumps(srcs)}, config = {config!r}, catalogues = {json.dumps(catalogues)})"
    name, runfiles, launcher = evaluated(BAZEL + RULE + ANALYSIS + call)
    return name, runfiles, launcher


def test_runfiles() -> None:
    name, runfiles, _ = analysed("a.mlir", config="tdls.toml", catalogues=("npu.json",))
    assert name == "scripts.sh"
    assert runfiles == ["a.mlir", "lib.mlir", "npu.json", "tdls.toml", "tdls", "tdls.runfiles"]


def test_attributes_of_the_page() -> None:
    attributes = set(evaluated(f"{BAZEL}{RULE}\nlist(tdls_test.attrs.keys())"))
    of_every_test = {"name", "args"}
    given: set[str] = set()
    loader = starlark.Module()
    loader.add_callable("tdls_test", lambda **values: given.update(values))
    loader.add_callable("py_console_script_binary", lambda **_: None)
    page = starlark.Module()
    page.add_callable("glob", lambda patterns: patterns)
    program = starlark.parse("BUILD.bazel", snippet("starlark"))
    modules = loader.freeze()
    starlark.eval(page, program, GLOBALS, starlark.FileLoader(lambda _: modules))
    assert {"name", "srcs", "tdls"} <= given <= attributes | of_every_test


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which grammars may stay from one test to the next."""
    return tmp_path_factory.mktemp("kept")


@pytest.mark.skipif(os.name == "nt", reason="the program is a script for a shell")
@pytest.mark.parametrize(
    ("sources", "config", "arguments", "status"),
    [
        (["good/script.mlir"], None, [], 0),
        (["good/script.mlir", ODD], None, [], 1),
        ([ODD], None, ["--exit-zero"], 0),
        ([ODD], "o'ff.toml", [], 0),
    ],
)
def test_launcher(
    tmp_path: Path, kept: Path, sources: list[str], config: str | None, arguments: list[str], status: int
) -> None:
    write_project(tmp_path)
    (tmp_path / "bad" / "script.mlir").rename(tmp_path / ODD)
    for name in ("tdls.toml", "o'ff.toml"):
        (tmp_path / name).write_text('rules.use-after-free = "off"\n', encoding="utf-8")
    (tmp_path / "tdls").symlink_to(installed("tdls"))
    launcher = tmp_path / "scripts.sh"
    launcher.write_text(analysed(*sources, config=config)[2], encoding="utf-8")
    launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR)
    done = run(str(launcher), *arguments, folder=tmp_path, TEST_TMPDIR=str(kept))
    assert done.returncode == status, done.stderr
