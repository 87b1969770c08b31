"""Naming a library changes the list of libraries, and nothing else."""

from __future__ import annotations

import pytest

from tdls.settings.toml import with_libraries

TABLE = ("tool", "tdls")


@pytest.mark.parametrize(
    ("table", "before", "after"),
    [
        ((), "", 'libraries = ["a/b.mlir"]\n'),
        ((), "# mine\n[run]\ntimeout = 3\n", 'libraries = ["a/b.mlir"]\n# mine\n[run]\ntimeout = 3\n'),
        ((), "libraries = []\n", 'libraries = ["a/b.mlir"]\n'),
        ((), 'exclude = []\nlibraries = [ "x" ] # c\n', 'exclude = []\nlibraries = [ "a/b.mlir", "x" ] # c\n'),
        ((), 'libraries = [\n  "x",\n]\n', 'libraries = ["a/b.mlir", \n  "x",\n]\n'),
        ((), "libraries = [\n]\n", 'libraries = ["a/b.mlir"\n]\n'),
        (TABLE, "[tool.tdls]\nexclude = []\n", '[tool.tdls]\nlibraries = ["a/b.mlir"]\nexclude = []\n'),
        (TABLE, '[tool.tdls]\nlibraries = ["x"]\n', '[tool.tdls]\nlibraries = ["a/b.mlir", "x"]\n'),
    ],
)
def test_entries_are_put_first(table: tuple[str, ...], before: str, after: str) -> None:
    assert with_libraries(before, table, ["a/b.mlir"]) == after


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ((), "libraries = [\n"),
        ((), 'libraries = "x"\n'),
        ((), "libraries = 3\n"),
        ((), 'notes = """\nlibraries = [\n"""\n'),
        (TABLE, "[tool.other]\n"),
        (TABLE, "[tool]\ntdls = {exclude = []}\n"),
    ],
)
def test_settings_that_are_not_understood_are_kept(table: tuple[str, ...], text: str) -> None:
    assert with_libraries(text, table, ["a"]) is None


def test_entries_are_quoted() -> None:
    assert with_libraries("", (), ['odd "name"\\é.mlir']) == 'libraries = ["odd \\"name\\"\\\\é.mlir"]\n'
