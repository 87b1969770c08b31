"""What MLIR rejects when it reads files: with the bindings, with tools of two versions, and with a project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.reading import Reader
from tdls.interpreter.runs.model import Limits
from tdls.settings.model import BackendChoice
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.reading import Reading
    from tdls.interpreter.runs.model import TextsRead

SPLIT = "\n// -----\n"
LIMITS = Limits(seconds=30.0)


def function(*lines: str, name: str = "f", arguments: str = "%x: f32, %n: i32, %a: tensor<4x8xf32>") -> str:
    return "\n".join([f"func.func @{name}({arguments}) {{", *(f"  {line}" for line in lines), "  return", "}", ""])


GOOD = function("%0 = arith.addf %x, %x : f32")
NO_NAME = function("%0 = arith.adddf %x, %x : f32")
WRONG_TYPE = function("%0 = arith.addf %x, %n : f32", name="g")
WRONG_DIMENSION = function("%0 = tensor.cast %a : tensor<4x9xf32> to tensor<?x?xf32>", name="h")


def read(backend: Backend, text: str, catalogue: Catalogue | None = None, *, is_own: bool = False) -> Reading:
    file = SourceFile.of(text, catalogue or Catalogue.shipped())
    return Reader(is_own=is_own).read(file, "payload.mlir", backend, LIMITS)


def places(reading: Reading) -> list[tuple[int, int]]:
    """Return lines and columns of the certain errors."""
    found = [rejection.diagnostic for rejection in reading.rejections if not rejection.doubt]
    assert all(diagnostic.file == "payload.mlir" for diagnostic in found)
    return sorted((diagnostic.line, diagnostic.column) for diagnostic in found)


def test_each_part_is_read_and_every_mistake_is_found(backend: Backend) -> None:
    """Also the next one of a part, at which MLIR does not arrive by itself."""
    reading = read(backend, SPLIT.join([GOOD, f"{NO_NAME}{WRONG_TYPE}{GOOD.replace('@f', '@k')}", WRONG_DIMENSION]))
    assert places(reading) == [(8, 8), (12, 23), (22, 20)]
    assert (set(reading.accepted), set(reading.refused)) == ({0}, {1, 2})
    assert reading.mlir


def test_an_older_tool_counts_lines_in_each_part() -> None:
    tool = open_backend(BackendChoice(str(require_mlir_opt(19))))
    try:
        assert places(read(tool, SPLIT.join([GOOD, WRONG_TYPE]))) == [(8, 23)]
    finally:
        tool.close()


CALL = function("func.call @wrong(%x) : (f32) -> ()", name="caller")
WITH_OTHERS = function(
    "%0, %1 = mine.two %x {",
    "  mine.yield",
    "} : !mine.type",
    "%2 = arith.addf %0, %x : f32",
    '"mine.use"(%1) : (i32) -> ()',
    "%3 = arith.addf %x, %n : f32",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (function("%0 = mine.exp %x : f32", "mine.store %0"), []),
        (function('%0 = "mine.exp"(%x) {k = #mine.kind<b>} : (f32) -> !mine.type'), []),
        (function("%0 = mine.exp %x : f32", "%1 = arith.addf %x, %n : f32"), [(3, 23)]),
        (WITH_OTHERS, [(7, 23)]),
        ("mine.func @f {\n  mine.yield\n}\nfunc.func @g() {\n  call @f() : () -> ()\n  return\n}\n", []),
        (function("return", arguments="%a: memref<4x!mine.type>"), []),
        (f"!t = !mine.type\n{function('return', arguments='%a: memref<4x!t>')}", []),
        (f"{function('%0 = arith.addf %x, %n : f32', name='wrong', arguments='%x: f32, %n: i32')}{CALL}", [(2, 23)]),
    ],
)
def test_other_dialects_are_no_errors(backend: Backend, text: str, expected: list[tuple[int, int]]) -> None:
    """Neither in themselves nor by what is missing without them; the rest is read."""
    assert places(read(backend, text)) == expected


@pytest.mark.parametrize(
    ("operation", "is_own", "is_error"),
    [
        ("linalg.matmull", False, True),
        ("linalg.fused_attention", False, False),
        ("linalg.fused_attention", True, True),
        ("linalg.copy", False, False),
        ("retrun", False, True),
        ("transform.mine.tile", False, False),
        ("transform.mine.tile", True, False),
    ],
)
def test_unknown_names(tool: Backend, operation: str, is_own: bool, is_error: bool) -> None:
    """One that is nearly that of an operation is a mistake; another may be new, or that of a project."""
    text = function(f"{operation} %x : f32") if operation != "linalg.copy" else function('"linalg.conv"() : () -> ()')
    assert bool(places(read(tool, text, is_own=is_own))) == is_error


@pytest.mark.parametrize(
    "text", [WRONG_TYPE, function('tensor.cast %a : tensor<4x8xf32> to tensor<9xf32> loc("x.py":3:1)')]
)
def test_another_version_than_the_target_is_doubtful(tool: Backend, text: str) -> None:
    """Also where the text names another place."""
    for target, is_certain in ((19, False), (22, True)):
        reading = read(tool, text, Catalogue.shipped().at(target))
        assert [bool(rejection.doubt) for rejection in reading.rejections] == [not is_certain]


@pytest.mark.parametrize(
    "text",
    [
        'memref.global "private" constant @c : memref<2xf32> = dense<[0.1, 0.2]> alignment = 64\n',
        function('gpu.printf "%d" %n : i32'),
    ],
)
def test_forms_of_other_versions_are_doubtful(tool: Backend, text: str) -> None:
    """Of a later and of an earlier one, until the user names the MLIR."""
    assert [bool(rejection.doubt) for rejection in read(tool, text).rejections] == [True]
    assert len(places(read(tool, text, is_own=True))) == 1


def test_a_text_is_read_once(tool: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    original = tool.read

    def counted(texts: Sequence[str], limits: Limits) -> TextsRead:
        asked.append(len(texts))
        return original(texts, limits)

    monkeypatch.setattr(tool, "read", counted)
    reader, catalogue = Reader(is_own=False), Catalogue.shipped()
    parts = [GOOD, WRONG_TYPE]
    for text in (SPLIT.join(parts), SPLIT.join(parts), SPLIT.join([*parts, WRONG_DIMENSION])):
        reader.read(SourceFile.of(text, catalogue), "payload.mlir", tool, LIMITS)
    assert asked == [3, 1, 1, 1]  # with the question for dialects; then what is left of a part


@pytest.mark.parametrize("text", ["//--- a.txt\nno MLIR\n", function("%0 = arith.addf %x, %n : {{TYPE}}")])
def test_texts_that_are_no_mlir_are_not_read(tool: Backend, text: str) -> None:
    reading = read(tool, text)
    assert not reading.accepted | reading.refused
