"""The last lines of a check have advice for a maintainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from command_line import tdls

if TYPE_CHECKING:
    from pathlib import Path

SEQUENCE = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @{name}(%root: !transform.any_op {{transform.readonly}}) {{
    {operation}
    transform.yield
  }}
}}
"""
LEFT_OUT = "file without transform operations left out"
INCLUDE = "transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()"


def last_lines(folder: Path) -> list[str]:
    output = tdls("--check", ".", folder=folder).stdout
    return output.rpartition("\n\n")[2].splitlines()


def write(folder: Path, path: str, name: str, operation: str = "") -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(SEQUENCE.format(name=name, operation=operation), encoding="utf-8")


def test_the_summary_has_files_left_out_and_advice(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, "main.mlir", "__transform_main", INCLUDE)
    write(tmp_path, "lib/tiling.mlir", "tile")
    write(tmp_path, "template.mlir", "other", "transform.{{ step }}")
    write(tmp_path, "own.mlir", "own", "transform.ours.step %root : !transform.any_op")
    (tmp_path / "payload.mlir").write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    assert last_lines(tmp_path) == [
        f"1 error in 1 file (4 checked); 1 {LEFT_OUT} (--payload checks them); 1 template",
        'hint: scripts call sequences of files that are not libraries; in `tdls.toml`: libraries = ["lib/tiling.mlir"]',
        (
            "hint: no source knows 1 operation, such as `transform.ours.step`; `tdls catalogue sources` says where tdls"
            " looked, `project.definitions` names more places"
        ),
    ]


def test_many_libraries_are_named_by_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in "abcd":
        write(tmp_path, f"lib/{name}.mlir", name)
        write(tmp_path, f"main_{name}.mlir", "main", INCLUDE.replace("tile", name))
    assert last_lines(tmp_path)[1].endswith('libraries = ["lib"]')


def test_the_advice_ends_when_it_is_followed(tmp_path: Path) -> None:
    write(tmp_path, "main.mlir", "__transform_main", INCLUDE)
    write(tmp_path, "lib/tiling.mlir", "tile")
    (tmp_path / "tdls.toml").write_text('libraries = ["lib"]\n', encoding="utf-8")
    assert tdls("--check", "--fix", ".", folder=tmp_path).returncode == 0  # declares the sequence
    assert last_lines(tmp_path) == ["no findings in 2 files"]
