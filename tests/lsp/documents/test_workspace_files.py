"""Files that no document shows: several folders, changes on disk, libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

CREATED, CHANGED, DELETED = 1, 2, 3


def sequence(name: str) -> str:
    return f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @{name}(%root: !transform.any_op {{transform.readonly}}) {{
    transform.yield
  }}
}}
"""


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    both = [tmp_path / "first folder", tmp_path / "zweiter Ördner"]
    for number, folder in enumerate(both):
        folder.mkdir()
        (folder / "script.mlir").write_text(sequence(f"in_folder_{number}"), encoding="utf-8")
    return both


@pytest.fixture(scope="module")
def running() -> Iterator[Workbench]:
    with Workbench() as workbench:
        yield workbench


@pytest.fixture
def workbench(running: Workbench, folders: list[Path]) -> Iterator[Workbench]:
    with running.workspace_folders(*folders):
        yield running


def symbols(workbench: Workbench, query: str = "") -> set[tuple[str, str]]:
    """Name and URI of every symbol of the workspace that the query finds."""
    found = workbench.client.call("workspace/symbol", {"query": query}) or []
    return {(symbol["name"], symbol["location"]["uri"]) for symbol in found}


def names_in(workbench: Workbench, file: Path) -> set[str]:
    return {name for name, uri in symbols(workbench) if uri == file.as_uri()}


def changed(workbench: Workbench, file: Path, kind: int) -> None:
    changes: Json = [{"uri": file.as_uri(), "type": kind}]
    workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def test_changes_on_disk_are_followed(workbench: Workbench, folders: list[Path]) -> None:
    file, new = folders[0] / "script.mlir", folders[0] / "new.mlir"
    assert eventually(lambda: ("@in_folder_0", file.as_uri()) in symbols(workbench))
    file.write_text(sequence("renamed"), encoding="utf-8")
    changed(workbench, file, CHANGED)
    assert eventually(lambda: symbols(workbench, "renamed") == {("@renamed", file.as_uri())})
    new.write_text(sequence("created"), encoding="utf-8")
    changed(workbench, new, CREATED)
    assert eventually(lambda: symbols(workbench, "created") == {("@created", new.as_uri())})
    new.unlink()
    changed(workbench, new, DELETED)
    assert eventually(lambda: symbols(workbench, "created") == set())


def test_open_documents_hide_files(workbench: Workbench, folders: list[Path]) -> None:
    file = folders[0] / "script.mlir"
    assert eventually(lambda: ("@in_folder_0", file.as_uri()) in symbols(workbench))
    document = workbench.open(sequence("only_in_the_editor"), uri=file.as_uri())
    assert eventually(lambda: names_in(workbench, file) == {"@only_in_the_editor"})
    document.close()
    assert eventually(lambda: names_in(workbench, file) == {"@in_folder_0"})


def test_folders_come_and_go(workbench: Workbench, folders: list[Path], tmp_path: Path) -> None:
    expected = {(f"@in_folder_{number}", (folder / "script.mlir").as_uri()) for number, folder in enumerate(folders)}
    assert eventually(lambda: symbols(workbench) == expected), symbols(workbench)
    third = tmp_path / "third"
    third.mkdir()
    (third / "script.mlir").write_text(sequence("in_third"), encoding="utf-8")
    workbench.change_folders(added=[third], removed=[folders[0]])
    assert eventually(lambda: {name for name, _ in symbols(workbench)} == {"@in_folder_1", "@in_third"})
    workbench.change_folders(removed=[third])


def test_a_folder_that_is_closed_while_it_is_read_is_forgotten(running: Workbench, folders: list[Path]) -> None:
    for number in range(200):
        (folders[0] / f"{number}.mlir").write_text(sequence(f"sequence_{number}"), encoding="utf-8")
    with running.workspace_folders(*folders):
        assert eventually(lambda: bool(symbols(running)))
        running.change_folders(removed=[folders[0]])
        assert eventually(lambda: symbols(running) == {("@in_folder_1", (folders[1] / "script.mlir").as_uri())})


def test_files_that_cannot_be_read_are_left_out(running: Workbench, tmp_path: Path) -> None:
    (tmp_path / "binary.mlir").write_bytes(b"\xff\xfe\x00module")
    (tmp_path / "folder.mlir").mkdir()
    (tmp_path / "good.mlir").write_text(sequence("good"), encoding="utf-8")
    with running.workspace_folders(tmp_path):
        assert eventually(lambda: symbols(running) == {("@good", (tmp_path / "good.mlir").as_uri())})


def test_findings_in_files_that_are_not_open_know_their_libraries(workbench: Workbench, folders: list[Path]) -> None:
    script = folders[1] / "caller.mlir"
    include = "    transform.include @in_folder_1 failures(propagate) (%root) : (!transform.any_op) -> ()"
    library = (folders[1] / "script.mlir").as_posix()
    text = sequence("caller").replace("    transform.yield", f"{include}\n    transform.yield")
    script.write_text(f"// tdls: library='{library}'\n{text}", encoding="utf-8")
    changed(workbench, script, CREATED)
    assert eventually(lambda: names_in(workbench, script) == {"@caller"})
    reports = workbench.client.call("workspace/diagnostic", {"previousResultIds": []})["items"]
    (found,) = [report["items"] for report in reports if report["uri"] == script.as_uri()]
    assert [finding["code"] for finding in found] == ["library-conflict"]
