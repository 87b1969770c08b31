"""Naming a library changes the list of libraries, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.settings.toml import with_libraries

TABLE = ("tool", "tdls")


NEW = 'libraries = ["a/b.mlir"]\n'


@pytest.mark.parametrize(
    ("table", "before", "after"),
    [
        ((), "", NEW),
        ((), "# mine\n[run]\ntimeout = 3\n", f"# mine\n{NEW}[run]\ntimeout = 3\n"),
        ((), 'notes = """\nlibraries = [\n"""\n', f'notes = """\nlibraries = [\n"""\n{NEW}'),
        ((), "libraries = []\n", NEW),
        ((), 'exclude = []\nlibraries = [ "x" ] # c\n', 'exclude = []\nlibraries = [ "a/b.mlir", "x" ] # c\n'),
        ((), 'libraries = [ # w\n  "x", # c\n]\n', 'libraries = [ # w\n  "a/b.mlir",\n  "x", # c\n]\n'),
        ((), "libraries = [\n]\n", 'libraries = [\n    "a/b.mlir"\n]\n'),
        (TABLE, "", f"[tool.tdls]\n{NEW}"),
        (TABLE, "[tool.other]\n", f"[tool.other]\n\n[tool.tdls]\n{NEW}"),
        (TABLE, "[tool.tdls]\n[tool.b]\nc = 1\n", f"[tool.tdls]\n{NEW}[tool.b]\nc = 1\n"),
        (TABLE, '[tool.tdls]\nlibraries = ["x"]\n', '[tool.tdls]\nlibraries = ["a/b.mlir","x"]\n'),
        (TABLE, "[tool]\ntdls = {exclude = []}\n", '[tool]\ntdls = {exclude = [],libraries = ["a/b.mlir"]}\n'),
        (TABLE, "[tool]\ntdls.exclude = []\n", f"[tool]\ntdls.exclude = []\ntdls.{NEW}"),
        (TABLE, "[tool.tdls.run]\ntimeout = 3\n", f"[tool.tdls]\n{NEW}[tool.tdls.run]\ntimeout = 3\n"),
    ],
)
def test_entries_are_put_first(table: tuple[str, ...], before: str, after: str) -> None:
    edited = with_libraries(before, table, ["a/b.mlir"])
    assert edited is not None
    assert _without_blank_lines(edited) == _without_blank_lines(after)


def _without_blank_lines(text: str) -> list[str]:
    """Return the other lines: versions of tomlkit differ in the blank ones that they put before tables."""
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ((), "libraries = [\n"),
        ((), 'libraries = "x"\n'),
        ((), "libraries = 3\n"),
        (TABLE, "tool = 3\n"),
        ((), "a = " + "[" * 200 + "]" * 200),
    ],
)
def test_settings_that_are_not_understood_are_kept(table: tuple[str, ...], text: str) -> None:
    assert with_libraries(text, table, ["a"]) is None


@given(text=st.text(st.sampled_from("=[]{}\".'\\\n#0e-_:TZ libraes"), max_size=40))
def test_no_text_is_changed_otherwise(text: str) -> None:
    edited = with_libraries(text, (), ["a"])
    assert edited is None or with_libraries(edited, (), []) == edited


def test_entries_are_quoted() -> None:
    assert with_libraries("", (), ['odd "name"\\é.mlir']) == 'libraries = ["odd \\"name\\"\\\\é.mlir"]\n'
