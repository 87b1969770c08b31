"""The cache of checks: output is the same with and without it, in any order, and no result is outdated."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import command_line
from samples import every
from tdls.analysis.rules import all_rules
from tdls.analysis.rules.handles import use_after_free
from tdls.caching.basis import digest_of_parts
from tdls.caching.user_cache import Cache, CachePlace
from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.invocation import Invocation, plain_invocation
from tdls.cli.checking.kept import NotKeptError, PlainOptions, decode, encode, plain, print_kept
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.commands.check import command as check_command
from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding
from tdls.cli.rendering.renderer import FORMATS
from tdls.project.scanning.scanner import _SAFE_AGE
from tdls.settings.model import RuleSelection
from tdls.settings.sources import Overrides
from tdls.text.diagnostic import Diagnostic, Fix, Note, Tag, TextEdit
from tdls.text.level import Level
from tdls.text.span import FileSpan
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.MARK}) {
    transform.annotate %loop "seen" : !transform.any_op
    transform.yield
  }
}
"""
SCRIPT = """\
// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/lib.mlir'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%loop: !transform.any_op {transform.consumed}) {
    transform.include @unroll failures(propagate) (%loop) : (!transform.any_op) -> ()
    transform.npu.place %loop : !transform.any_op
    transform.annotate %loop "late" : !transform.any_op
    transform.yield
  }
}
"""
DEFINITION = """\
include "mlir/Dialect/Transform/IR/TransformDialect.td"
def PlaceOp : Op<Transform_Dialect, "npu.place", [TRAIT, MemoryEffectsOpInterface, TransformOpInterface]> {
  let arguments = (ins TransformHandleTypeInterface:$loop);
  let assemblyFormat = "$loop attr-dict `:` type($loop)";
}
"""
HASH = b"0" * 64
NO_SOURCES = "project.enabled = false\n"
EFFECT = {"name": "loop", "constraint": "TransformHandleTypeInterface", "effect": "consumes"}
PLACE = {"name": "transform.npu.place", "operands": [EFFECT], "assembly_format": "$loop attr-dict `:` type($loop)"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def write_project(folder: Path, *, mark: str = "readonly", effect: str = "reads", settings: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    (folder / "lib.mlir").write_text(LIBRARY.replace("MARK", mark), encoding="utf-8")
    place = {**PLACE, "operands": [{**EFFECT, "effect": effect}]}
    (folder / "npu.json").write_text(json.dumps({"format": 1, "operations": [place]}), encoding="utf-8")
    (folder / "tdls.toml").write_text(f"{NO_SOURCES}catalogues = ['npu.json']\n{settings}", encoding="utf-8")


def lines(checked: CheckedFile | None) -> list[int] | None:
    """Return where something was found, None if that is not known."""
    if checked is None:
        return None
    position = checked.source.lines.position
    return [position(finding.diagnostic.span.start).line + 1 for finding in checked.findings]


def known(folder: Path, **settings: object) -> list[int] | None:
    return lines(checker(**settings).known(CheckTarget(str(folder / "script.mlir"), folder / "script.mlir")))


def check(folder: Path, **settings: object) -> list[int] | None:
    return lines(checker(**settings).check(CheckTarget(str(folder / "script.mlir"), folder / "script.mlir")))


def checker(**settings: object) -> Checker:
    overrides = Overrides(inline=("project.bindings = false", 'rules.library-conflict = "off"'))
    return Checker(CheckSettings(overrides=overrides, **settings))  # type: ignore[arg-type]


def test_a_result_holds_as_long_as_nothing_changes_and_in_every_clone(folder: Path) -> None:
    write_project(folder)
    assert known(folder) is None
    assert check(folder) == known(folder) == []
    write_project(folder.parent / "clone")
    assert known(folder.parent / "clone") == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"mark": "consumed"}, [5, 6]),
        ({"effect": "consumes"}, [6]),
    ],
)
def test_a_result_is_not_used_after_a_change(change: dict[str, str], expected: list[int], folder: Path) -> None:
    write_project(folder)
    check(folder)
    write_project(folder, **change)
    assert known(folder) is None
    assert check(folder) == known(folder) == expected
    write_project(folder)
    assert known(folder) == []


@pytest.mark.parametrize(
    ("trait", "expected"), [("FunctionalStyleTransformOpTrait", [6]), ("NavigationTransformOpTrait", [])]
)
def test_operations_of_the_project_count(trait: str, expected: list[int], folder: Path) -> None:
    """A project's TableGen has the effects on a handle; other definitions give other results."""
    write_project(folder)
    (folder / "npu.json").unlink()
    (folder / "tdls.toml").write_text("project.bindings = false\n", encoding="utf-8")
    assert check(folder) == []
    (folder / "Ops.td").write_text(DEFINITION.replace("TRAIT", trait), encoding="utf-8")
    assert known(folder) is None
    assert check(folder) == known(folder) == expected
    (folder / "Ops.td").unlink()
    assert known(folder) == []


def test_a_library_that_comes_or_goes_counts(folder: Path) -> None:
    write_project(folder)
    check(folder)
    (folder / "lib.mlir").unlink()
    assert known(folder) is None
    assert check(folder) == [1, 4]
    (folder / "lib.mlir").write_text("", encoding="utf-8")
    assert known(folder) is None


def test_a_changed_text_is_looked_at(folder: Path) -> None:
    write_project(folder)
    check(folder)
    script = folder / "script.mlir"
    script.write_text(script.read_text(encoding="utf-8").replace("%loop : !transform.any_op", "%x : !transform.any_op"))
    assert known(folder) is None
    assert check(folder) == [5]


def test_levels_and_selection_choose_among_kept_findings(folder: Path) -> None:
    write_project(folder, effect="consumes")
    assert check(folder) == [6]
    write_project(folder, effect="consumes", settings="[rules]\nuse-after-free = 'off'\n")
    assert known(folder) == []
    assert known(folder, selection=RuleSelection(extend=("TD301",))) == [6]
    write_project(folder, effect="consumes", settings="[per-file-ignores]\n'script.mlir' = ['TD3']\n")
    assert known(folder) == []
    assert known(folder, split="ALWAYS") is None
    assert known(folder, uses_cache=False) is None


@pytest.mark.parametrize("damage", [b"", b"[]", HASH + b"[]", HASH + b'[[[],"",[[],[],[],false],{},"","","[]"]]'])
def test_results_of_others_are_made_again(damage: bytes, folder: Path) -> None:
    """What a restored folder has, such as no findings at all, does not count without the secret of the user."""
    write_project(folder, effect="consumes")
    check(folder)
    (entry,) = (folder.parent / "cache").rglob("findings-*")
    entry.write_bytes(damage)
    assert known(folder) is None
    assert check(folder) == known(folder) == [6]


def test_a_folder_that_cannot_be_written_does_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project(folder, effect="consumes")
    (folder / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("TDLS_CACHE_DIR", str(folder / "file" / "inside"))
    assert check(folder) == [6]
    assert known(folder) is None


def test_the_folder_may_be_named_from_the_current_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project(folder)
    monkeypatch.setenv("TDLS_CACHE_DIR", ".kept")
    assert check(folder) == known(folder) == []
    assert list((folder / ".kept" / "tdls-cache").glob("findings-*"))


def test_findings_survive_as_text() -> None:
    library = Path("/somewhere/lib.mlir").absolute()
    rule = use_after_free.RULE.name
    note, edit = Note("there", FileSpan(1, 2), library), TextEdit(FileSpan(0, 1), "\n\ud800")
    odd = Diagnostic(
        rule, Level.HINT, "é\x00", FileSpan(0, 3), (note,), "help", (Fix("do", (edit,), True),), Tag.DEPRECATED
    )
    text = "".join(rule.text.example_bad for rule in all_rules())
    found = checker(possible=True).check(CheckTarget("a.mlir", None, text)).findings
    findings = [*found, FingerprintedFinding(odd, found[0].fingerprint)]
    assert decode(encode(findings, [Path("other"), library]), [Path("other"), library]) == findings
    with pytest.raises(NotKeptError):
        encode(findings, [])


def test_kept_findings_equal_fresh_ones() -> None:
    """For everything that tests of the analysis have, at once and again."""
    fixtures = sorted((Path(__file__).parents[2] / "analysis" / "fixtures").rglob("*.mlir"))
    assert fixtures
    targets = [CheckTarget(str(file), file) for file in fixtures]
    fresh = list(map(checker(possible=True, uses_cache=False).check, targets))
    assert list(map(checker(possible=True).check, targets)) == fresh
    assert list(map(checker(possible=True).known, targets)) == fresh


def test_another_tdls_has_results_of_its_own(tmp_path: Path) -> None:
    cache = Cache(CachePlace(tmp_path))
    package, copy = tmp_path / "one" / "tdls", tmp_path / "other" / "tdls"
    package.mkdir(parents=True)
    (package / "a.py").write_text("1", encoding="utf-8")
    shutil.copytree(package, copy)
    os.utime(copy / "a.py", (0, 0))
    first = digest_of_parts((".",), cache, package)
    assert digest_of_parts((".",), cache, package) == digest_of_parts((".",), cache, copy) == first
    (copy / "a.py").write_text("2", encoding="utf-8")
    assert digest_of_parts((".",), cache, copy) != first
    (copy / "a.py").write_text("1", encoding="utf-8")
    (copy / "b.py").write_text("", encoding="utf-8")
    assert digest_of_parts((".",), cache, copy) != first


def tdls(*arguments: str) -> tuple[int, str, str]:
    done = command_line.tdls(*arguments)
    return done.returncode, done.stdout, done.stderr


def test_processes_and_kept_results_change_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tree with one process and with two, cold and warm."""
    monkeypatch.setattr("tdls.cli.checking.workers._BYTES_WORTH_A_WORKER", 1)
    for number, rule in enumerate(all_rules()):
        write_project(folder / f"p{number % 3}", effect="consumes" if number % 2 else "reads")
        (folder / f"p{number % 3}" / f"{rule.name}.mlir").write_text(rule.text.example_bad, encoding="utf-8")
    (folder / "p1" / "latin.mlir").write_bytes(b"// \xe9\n")
    command = ["--check", ".", "--format", "sarif"]
    cold = tdls(*command, "--jobs", "1", "--no-cache")
    assert cold[0] == 2
    assert tdls(*command, "--jobs", "2") == cold
    assert tdls(*command, "--jobs", "2") == cold
    assert tdls(*command, "--jobs", "1") == cold


def test_cleaning(folder: Path) -> None:
    write_project(folder)
    check(folder)
    status, said, _ = tdls("clean")
    assert status == 0
    assert "removed" in said
    assert [file.name for file in (folder.parent / "cache").rglob("*") if file.is_file()] == ["CACHEDIR.TAG"]
    assert known(folder) is None


def test_kept_findings_are_printed_as_the_long_way_prints_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A folder of its own: other tests write to the checkout meanwhile.
    shutil.copytree(Path(__file__).parents[2] / "analysis" / "fixtures", folder, dirs_exist_ok=True)
    (folder / ".git").mkdir()
    time.sleep(1.5 * _SAFE_AGE / 1e9)  # what is younger is not kept
    fixtures = sorted(map(str, folder.rglob("*.mlir")))[:: every(1)]
    command_line.tdls("--check", *fixtures)
    kept = [name for name in fixtures if print_kept(*plain([name])) is not None]
    assert len(kept) > len(fixtures) // 2
    for format_name in FORMATS:
        for options in ((), ("--possible", "--error-on-warning", "--color=always"), ("--exit-zero", "-q")):
            command = ("check", *options, "--format", format_name, *kept)
            with monkeypatch.context() as patch:
                patch.delattr("tdls.cli.checking.invocation.plain_invocation")
                short = command_line.tdls(*command)
            with monkeypatch.context() as patch:
                patch.setattr("tdls.cli.checking.kept.print_kept", lambda *_: None)
                long = command_line.tdls(*command)
            assert (short.stdout, short.stderr, short.returncode) == (long.stdout, long.stderr, long.returncode)


def spelled_options() -> Iterator[str]:
    """Yield each option of `check` in each spelling, with each of its values, and some of them together."""
    yield from ("", "-q --exit-zero", "--possible --error-on-warning", "--color=never --format github")
    for option in check_command.params:
        if isinstance(option, click.Option):
            values = option.type.choices if isinstance(option.type, click.Choice) else [1]
            for spelling in (*option.opts, *option.secondary_opts):
                if option.is_flag:
                    yield spelling
                else:
                    yield from (f"{spelling}{separator}{value}" for value in values for separator in " =")


PLAIN = [options for options in spelled_options() if plain([*options.split(), "some.mlir"])[1]]
"""What is read without click; all else is read with it."""


def test_some_options_are_plain() -> None:
    assert {option.split()[0].partition("=")[0] for option in PLAIN if option} >= {"-q", "--format", "--possible"}
    assert plain(["--fix", "some.mlir"]) == (PlainOptions(), [])


@pytest.mark.parametrize("options", PLAIN)
def test_a_plain_command_line_is_read_as_click_reads_it(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Invocation] = []
    monkeypatch.setattr(Invocation, "run", lambda self: len(read.append(self) or ""))  # type: ignore[func-returns-value]
    arguments = [*options.split(), "some.mlir", "other"]
    assert command_line.tdls("check", *arguments).returncode == 0
    monkeypatch.setattr("tdls.cli.checking.kept.plain", lambda _: (PlainOptions(), []))
    assert command_line.tdls("check", *arguments).returncode == 0
    plainly, by_click = read
    assert plainly == by_click
    assert plain_invocation(*plain(arguments)) == plainly


@pytest.mark.parametrize(
    "change",
    [
        {"tdls.toml": "rules.use-after-free = 'error'"},
        {"pyproject.toml": "[tool.tdls]\nignore = ['TD301']"},
        {"npu.td": DEFINITION.replace("TRAIT, ", "")},
        {"sub/npu.td": DEFINITION.replace("TRAIT, ", "")},
        {".gitignore": "sub/"},
        {".git/info/exclude": "sub/"},
        {"sub/old.td": ""},
        {"tdls.toml": "nothing = 1"},
        {"tdls.toml": "baseline = 'missing.json'"},
        {"tdls.toml": "libraries = ['old.mlir']"},
        {"script.mlir": "module {}"},
    ],
    ids=str,
)
def test_nothing_outdated_is_printed(change: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.project.scanning.scanner._SAFE_AGE", -(10**15))  # as if all files were old
    subprocess.run([require_tool("git", "Debian package git"), "init", "--quiet", str(folder)], check=True)
    (folder / "sub").mkdir()
    for name in ("sub/old.td", "old.mlir", "tdls.toml", ".gitignore"):
        (folder / name).touch()
    (folder / "script.mlir").write_text(use_after_free.RULE.text.example_bad, encoding="utf-8")
    command = ("--check", "--possible", "script.mlir")
    command_line.tdls(*command)
    assert print_kept(*plain(command[1:])) == 1
    for name, text in change.items():
        (folder / name).write_text(text, encoding="utf-8")
    again, fresh = command_line.tdls(*command), command_line.tdls(*command, "--no-cache")
    assert (again.stdout, again.stderr, again.returncode) == (fresh.stdout, fresh.stderr, fresh.returncode)
