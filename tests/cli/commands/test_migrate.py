"""``tdls migrate``."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import tdls

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %add = transform.structured.match ops{["linalg.add", "linalg.sub"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
"""
ALONE = "\n".join([*SCRIPT.splitlines()[:2], *SCRIPT.splitlines()[4:]]) + "\n"
MIGRATED = ALONE.replace("{factor = 4 : i64}", "factor = 4")


def migrate(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
    done = tdls("migrate", *arguments, text=text or "")
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("script.mlir")
    path.write_text(ALONE, encoding="utf-8")
    return path


def test_a_file_is_written_once(file: Path) -> None:
    assert migrate("script.mlir")[0] == 0
    assert file.read_text(encoding="utf-8") == MIGRATED
    assert migrate("script.mlir", "--check") == (0, "", "note: 1 file needs no change for LLVM main\n")


def test_operations_that_the_version_does_not_read_are_listed(file: Path) -> None:
    """LLVM 22 prefetches for a value, later versions for an operation."""
    result = "%value = transform.get_result %root[0] : (!transform.any_op) -> !transform.any_value"
    prefetch = "transform.xegpu.insert_prefetch %value nb_prefetch = 1 : (!transform.any_value) -> !transform.any_op"
    file.write_text(ALONE.replace("    transform.yield", f"    {result}\n    {prefetch}\n    transform.yield"))
    code, _, errors = migrate("script.mlir", "--from", "22")
    assert code == 1
    assert "script.mlir:5:37: left as it is: `transform.xegpu.insert_prefetch` expects a handle to operations" in errors
    assert "{factor = 4 : i64}" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--diff", "--check"])
def test_a_preview_writes_nothing(file: Path, option: str) -> None:
    code, output, _ = migrate("script.mlir", option)
    assert code == 1
    assert ("+    transform.loop.unroll %root factor = 4" in output) == (option == "--diff")
    assert file.read_text(encoding="utf-8") == ALONE


@pytest.mark.parametrize(
    ("options", "output"), [((), ""), (("--diff",), ""), (("--check",), "0 lines to migrate, 2 places by hand")]
)
def test_a_module_is_migrated_as_a_whole_or_left_with_its_places(
    file: Path, options: tuple[str, ...], output: str
) -> None:
    file.write_text(SCRIPT, encoding="utf-8")
    code, said, errors = migrate("script.mlir", *options)
    assert (code, said.strip().removeprefix("script.mlir: ")) == (1, output)
    assert "script.mlir:3:45: left as it is: LLVM main has no operation `linalg.add`" in errors
    assert file.read_text(encoding="utf-8") == SCRIPT


def test_scripts_in_strings_of_programs_are_migrated_one_by_one(file: Path) -> None:
    program = file.with_name("program.py")
    program.write_text(f'ONE = """\n{ALONE}"""\nTWO = """\n{SCRIPT}"""\n', encoding="utf-8")
    assert migrate("program.py")[0] == 1
    assert program.read_text(encoding="utf-8") == f'ONE = """\n{MIGRATED}"""\nTWO = """\n{SCRIPT}"""\n'


def test_files_of_other_versions_are_left_out(file: Path) -> None:
    code, _, errors = migrate("script.mlir", "--from", "main", "--to", "22")
    assert (code, file.read_text(encoding="utf-8")) == (0, ALONE)
    assert "not written for LLVM main" in errors


def test_standard_input_goes_to_standard_output() -> None:
    assert migrate("-", "--to", "2026-10", text=ALONE)[:2] == (0, MIGRATED)
    assert migrate("-", "--to", "22", text=MIGRATED)[:2] == (0, ALONE.replace(" : i64", ""))
    assert migrate("-", "--to", "7", text=ALONE)[0] == 2


@pytest.mark.parametrize("name", [(), ("--stdin-filename", "p.mlir")])
@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [("func.func @f() {\r\n  return\r\n}", (), ""), (MIGRATED, ("--from", "19"), "is not written for LLVM 19")],
)
def test_standard_input_comes_back(text: str, options: tuple[str, ...], reason: str, name: tuple[str, ...]) -> None:
    status, output, errors = migrate(*options, *name, "-", text=text)
    assert (status, output) == (0, text)
    assert reason in errors


@pytest.mark.parametrize("option", ["--diff", "--check", "--to=main"])
def test_files_that_cannot_be_read_are_reported(file: Path, option: str) -> None:
    file.with_name("binary.mlir").write_bytes(b"transform.\xff")
    code, _, errors = migrate(".", option)
    assert code == 2
    assert errors.count("binary.mlir: not UTF-8 text (byte 10)") == 1
    assert (file.read_text(encoding="utf-8") == MIGRATED) == (option == "--to=main")
