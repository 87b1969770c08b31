"""Comments that say how a script runs: their contents and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.semantic.run_lines import Instructions, expand_path, instructions, run_lines

if TYPE_CHECKING:
    from tdls.text.shell_words import Placed

UPSTREAM_STYLE = """\
// RUN: mlir-opt %s --pass-pipeline="builtin.module(transform-preload-library{transform-library-paths=%p/lib.mlir,%S/b.mlir}, \\
// RUN:   func.func(canonicalize{max-iterations=3}),transform-interpreter{entry-point=in_pipeline debug-bind-trailing-args=^a,^b})" \\
// RUN:   --split-input-file -verify-diagnostics 2>&1 | FileCheck %s --check-prefix=CHECK
module {}
"""  # noqa: E501


def shown(text: str, found: tuple[Placed, ...]) -> list[str]:
    """Return the texts of `found`, which have to be those at their places."""
    for item in found:
        assert "".join(text[place] for place in item.places) == item.text
    return [item.text for item in found]


def test_pass_pipelines_over_several_lines() -> None:
    found = instructions(UPSTREAM_STYLE)
    assert shown(UPSTREAM_STYLE, found.libraries) == ["%p/lib.mlir", "%S/b.mlir"]
    assert shown(UPSTREAM_STYLE, found.entry_points) == ["in_pipeline"]
    assert found.files == ()
    assert found.splits_input
    assert found.verifies_diagnostics


def test_programs_of_a_pipeline() -> None:
    (line,) = run_lines(UPSTREAM_STYLE)
    assert [command[0].text for command in line.commands] == ["mlir-opt", "FileCheck"]
    assert [word.text for word in line.commands[1]] == ["FileCheck", "%s", "--check-prefix=CHECK"]


OPTIONS = {
    "--transform-interpreter=entry-point=a": ("entry_points", ["a"]),
    "-transform-interpreter='entry-point=a'": ("entry_points", ["a"]),
    '--transform-interpreter="disable-expensive-checks entry-point=a"': ("entry_points", ["a"]),
    "--transform-interpreter{entry-point=a}": ("entry_points", ["a"]),
    "--transform-entry-point=a": ("entry_points", ["a"]),
    "--pass-pipeline 'builtin.module(transform-interpreter{entry-point=a})'": ("entry_points", ["a"]),
    "--outer='inner={builtin.module(transform-interpreter{entry-point=a})}'": ("entry_points", ["a"]),
    "--transform-preload-library='transform-library-paths=%p%{fs-sep}lib'": ("libraries", ["%p%{fs-sep}lib"]),
    "--transform-preload-library=transform-library-paths=x,y.mlir": ("libraries", ["x", "y.mlir"]),
    "--transform-library=%p/x.mlir --transform-library=%p/y.mlir": ("libraries", ["%p/x.mlir", "%p/y.mlir"]),
    "--transform=%S/script.mlir": ("files", ["%S/script.mlir"]),
    "-air-transform='filename=%S/script.mlir'": ("files", ["%S/script.mlir"]),
    "%S/payload.mlir": ("files", ["%S/payload.mlir"]),
    "%s --canonicalize": ("files", []),
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options(options: str) -> None:
    text = f"module {{}}\n  // RUN: my-opt {options} > %t.mlir\n"
    field, expected = OPTIONS[options]
    assert shown(text, getattr(instructions(text), field)) == expected


def test_several_run_lines() -> None:
    text = "// RUN: a --transform-entry-point=one\n// RUN: b --transform-entry-point=two && c x.mlir; d y.mlir\n"
    assert shown(text, instructions(text).entry_points) == ["one", "two"]
    assert shown(text, instructions(text).files) == ["x.mlir", "y.mlir"]
    assert [len(line.commands) for line in run_lines(text)] == [1, 3]


def test_comment_of_tdls() -> None:
    text = '// tdls: library=../lib/a.mlir,b.mlir payload="with blanks.mlir" entry-point=@main\n'
    found = instructions(text)
    assert shown(text, found.libraries) == ["../lib/a.mlir", "b.mlir"]
    assert shown(text, found.payloads) == ["with blanks.mlir"]
    assert shown(text, found.entry_points) == ["main"]


@pytest.mark.parametrize(
    "text",
    ["", "// tdls: ignore[use-after-free]\n", '"RUN: a --split-input-file"\n', "// RUN:\n", "// a tdls: payload=x\n"],
)
def test_nothing_said(text: str) -> None:
    assert instructions(text) == Instructions()


@given(st.lists(st.sampled_from([*"{}()[]'\"\\,= |;<>", "// RUN: ", "// tdls: ", "\n", "-", "entry-point=", "a"])))
def test_any_text(pieces: list[str]) -> None:
    text = "// RUN: " + "".join(pieces)
    found = instructions(text)
    for placed in (*found.libraries, *found.payloads, *found.entry_points, *found.files):
        assert shown(text, (placed,)) == [placed.text] != [""]


@pytest.mark.parametrize(
    ("path", "expanded"),
    [
        ("%S/a.mlir", "/tests/a.mlir"),
        ("%p%{fs-sep}a.mlir", "/tests/a.mlir"),
        ("%s", "/tests/x.mlir"),
        ("100%%.mlir", "100%.mlir"),
        ("%t.mlir", None),
        ("%{unknown}/a", None),
        ("../a.mlir", "../a.mlir"),
    ],
)
def test_substitutions(path: str, expanded: str | None) -> None:
    assert expand_path(path, source="/tests/x.mlir", folder="/tests") == expanded
