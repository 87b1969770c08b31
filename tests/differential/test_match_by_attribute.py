"""Matches that are split by position, rewritten to matches by attribute: MLIR does the same with both.

What is rewritten is run once more on the payload with attributes, script by script, with another backend: what comes
out has to be equal with all its attributes. Where something would change, or cannot be told, a reason is given.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.actions.by_attribute.comparison import EditedFile
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.rewriting import rewritten_by
from tdls.ide.actions.by_attribute.written_split import split_at
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.script import Script
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.jobs.backend import Backend

ANY = "!transform.any_op"
FILLS = """\
func.func @f(%c: f32, %a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = linalg.fill ins(%c : f32) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""
CHAIN = """\
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @chain(%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %c: tensor<16x32xf32>, %z: f32) -> tensor<16x32xf32> {
  %empty = tensor.empty() : tensor<16x32xf32>
  %zero = linalg.fill {note} ins(%z : f32) outs(%empty : tensor<16x32xf32>) -> tensor<16x32xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x32xf32>) outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %exp = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<16x32xf32>) outs(%c : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<16x32xf32>
  %twice = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%exp : tensor<16x32xf32>) outs(%c : tensor<16x32xf32>) attrs = {kept = 1 : i64} {
  ^bb0(%in: f32, %out: f32):
    %e = arith.addf %in, %in : f32
    linalg.yield %e : f32
  } -> tensor<16x32xf32>
  return %twice : tensor<16x32xf32>
}
"""  # noqa: E501 - as people write it
LOOPS = """\
func.func @loops(%m: memref<8xf32>, %v: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  scf.for %i = %zero to %eight step %one {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  scf.for %i = %zero to %eight step %one {
    %x = memref.load %m[%i] : memref<8xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %m[%i] : memref<8xf32>
  }
  return
}
func.func private @outside(f32) -> f32
func.func @calls(%x: f32) -> f32 {
  %a = call @outside(%x) : (f32) -> f32
  %b = func.call @outside(%a) : (f32) -> f32
  "test.some"(%b) : (f32) -> ()
  "test.some"(%a) {other = 2 : i64} : (f32) -> ()
  return %b : f32
}
"""


class Case(NamedTuple):
    """A script's body on a payload; `reason` is a part of why it is not rewritten."""

    body: str
    payload: str
    reason: str = ""
    before: str = ""


def match(names: str, handle: str = "%all", root: str = "%root") -> str:
    listed = ", ".join(f'"{name}"' for name in names.split())
    return f"{handle} = transform.structured.match ops{{[{listed}]}} in {root} : ({ANY}) -> {ANY}\n"


def split(results: str, handle: str = "%all") -> str:
    types = ", ".join([ANY] * len(results.split(",")))
    return f"{results} = transform.split_handle {handle} : ({ANY}) -> ({types})\n"


def tile(handle: str) -> str:
    return (
        f"%tiled{handle[1:]}, %loop{handle[1:]} = transform.structured.tile_using_for {handle} tile_sizes [4] : "
        f"({ANY}) -> ({ANY}, {ANY})\n"
    )


def note(handle: str) -> str:
    return f'transform.annotate {handle} "seen_{handle[1:]}" : {ANY}\n'


TWO = match("linalg.fill") + split("%first, %second")
CAST = f"""%as = transform.cast %all : {ANY} to !transform.op<"linalg.fill">
%first, %second = transform.split_handle %as : (!transform.op<"linalg.fill">) -> ({ANY}, !transform.op<"linalg.fill">)
"""
CASES = {
    "annotated": Case(TWO + note("%second"), FILLS),
    "tiled": Case(TWO + tile("%second") + note("%first"), FILLS),
    "both tiled": Case(TWO + tile("%second") + tile("%first"), FILLS),
    "numbers": Case(match("linalg.fill", "%0") + split("%1, %2", "%0") + note("%2"), FILLS),
    "a group": Case(
        match("linalg.fill") + f"%parts:2 = transform.split_handle %all : ({ANY}) -> ({ANY}, {ANY})\n"
        f'transform.annotate %parts#1 "seen" : {ANY}\n',
        FILLS,
    ),
    "a name that is taken": Case(
        match("func.func", "%parts_0") + match("linalg.fill")
        + f"%parts:2 = transform.split_handle %all : ({ANY}) -> ({ANY}, {ANY})\n"
        f'transform.annotate %parts#0 "seen" : {ANY}\ntransform.annotate %parts_0 "function" : {ANY}\n',
        FILLS,
    ),
    "a cast in between": Case(match("linalg.fill") + CAST + note("%first"), FILLS),
    "operations in between": Case(
        match("linalg.fill") + match("func.func", "%f") + note("%f") + split("%first, %second") + tile("%first"), FILLS
    ),
    "the rest together": Case(
        match("arith.constant") + f"%first, %rest = transform.split_handle %all {{overflow_result = 1}} : ({ANY}) -> "
        f"({ANY}, {ANY})\n" + note("%rest"),
        LOOPS,
    ),
    "of several names": Case(
        match("linalg.fill linalg.matmul") + split("%fill, %matmul") + tile("%matmul") + note("%fill"), CHAIN
    ),
    "bodies": Case(match("linalg.generic") + split("%exp, %double") + tile("%double"), CHAIN),
    "by interface": Case(
        f"%all = transform.structured.match interface{{LinalgOp}} in %root : ({ANY}) -> {ANY}\n"
        + split("%a, %b, %c, %d") + tile("%c") + tile("%d"),
        CHAIN,
    ),
    "loops": Case(
        match("scf.for") + split("%writes, %adds")
        + f"transform.loop.unroll %adds {{factor = 2}} : {ANY}\n", LOOPS,
    ),
    "stores": Case(match("memref.store") + split("%here, %there") + note("%there"), LOOPS),
    "constants": Case(match("arith.constant") + split("%a, %b, %c") + note("%b"), LOOPS),
    "calls, also in short": Case(match("func.call") + split("%a, %b") + note("%b"), LOOPS),
    "generic forms": Case(match("test.some") + split("%a, %b") + note("%b"), LOOPS),
    "functions": Case(match("func.func") + split("%a, %b, %c") + note("%c"), LOOPS),
    "in a function": Case(
        match("func.func", "%functions") + f"%f, %g, %h = transform.split_handle %functions : ({ANY}) -> "
        f"({ANY}, {ANY}, {ANY})\n" + note("%f"),
        LOOPS,
    ),
    "beside the script": Case(TWO + tile("%first"), "", before=FILLS),
    "used elsewhere, too": Case(TWO + note("%all") + tile("%second"), FILLS),
    "a cast that is used elsewhere, too": Case(
        match("linalg.fill") + CAST + 'transform.annotate %as "all" : !transform.op<"linalg.fill">\n' + note("%first"),
        FILLS,
    ),
    "remarks that show the script": Case(
        TWO + note("%second") + f'transform.debug.emit_remark_at %root, "here" : {ANY}\n', "", before=FILLS
    ),
    "beside the script, loops": Case(match("scf.for") + split("%x, %y") + note("%y"), "", before=LOOPS),
    "generic form": Case(
        f'%all = "transform.structured.match"(%root) <{{ops = ["linalg.fill"]}}> : ({ANY}) -> {ANY}\n'
        + split("%a, %b"),
        FILLS,
        "`transform.structured.match`, as it is written here, cannot ask for attributes",
    ),
    "no payload": Case(TWO, "", "there is no payload"),
    "too few": Case(match("linalg.fill") + split("%a, %b, %c"), FILLS, "the script failed"),
    "made by the script": Case(
        match("linalg.matmul", "%mm") + tile("%mm") + match("tensor.extract_slice") + split("%a, %b, %c"),
        CHAIN,
        "a `tensor.extract_slice` that it finds is not written in the payload, but made by the script",
    ),
    "several of one": Case(
        match("scf.for", "%loops") + f"%l, %m = transform.split_handle %loops : ({ANY}) -> ({ANY}, {ANY})\n"
        f"transform.loop.unroll %m {{factor = 2}} : {ANY}\n" + match("memref.load") + split("%a, %b"),
        LOOPS,
        "the script makes several of one `memref.load`, which it tells apart",
    ),
    "in a loop": Case(
        match("linalg.fill", "%every") + f"transform.foreach %every : {ANY} {{\n^bb0(%one: {ANY}):\n"
        + match("linalg.fill") + split("%a, %b") + "}\n",
        FILLS,
        "`transform.split_handle` is executed 2 times in this run",
    ),
    "never reached": Case(
        match("linalg.conv_2d", "%none") + f"transform.foreach %none : {ANY} {{\n^bb0(%one: {ANY}):\n"
        + match("linalg.fill") + split("%a, %b") + "}\n",
        FILLS,
        "`transform.split_handle` is never executed in this run",
    ),
    "attributes that count": Case(
        TWO + f"transform.apply_cse to %root : {ANY}\n",
        FILLS.replace("outs(%0 :", "outs(%a :"),
        "the script makes another payload",
    ),
}  # fmt: skip


class Rewritten(NamedTuple):
    """A script and its payload before and behind the rewriting; the payload is None where the script has it."""

    before: RunRequest
    after: RunRequest


def request_of(case: Case) -> RunRequest:
    consumed = "consumed" if "apply_cse" not in case.body else "readonly"
    text = f"""module attributes {{transform.with_named_sequence}} {{
{case.before}transform.named_sequence @__transform_main(%root: {ANY} {{transform.{consumed}}}) {{
{case.body}transform.yield
}}
}}
"""
    script = Script.of("script.mlir", SourceFile.of(text, Catalogue.shipped()))
    return RunRequest(script, TextFile("payload.mlir", case.payload) if case.payload else None)


def rewriting_of(case: Case, backend: Backend) -> Rewritten:
    before = request_of(case)
    files = {before.script.name: before.script.file}
    if before.payload is not None:
        files[before.payload.name] = SourceFile.of(before.payload.text, before.script.catalogue)
    place = before.script.text.rindex("transform.split_handle")
    split = split_at(before.script.file, place)
    assert split is not None
    edits = rewritten_by(backend, before, split, files).edits
    edited = {name: EditedFile(file, edits[name]).applied_to(file.text) for name, file in files.items()}
    script = Script.of("script.mlir", SourceFile.of(edited["script.mlir"], Catalogue.shipped()))
    payload = TextFile("payload.mlir", edited["payload.mlir"]) if before.payload is not None else None
    return Rewritten(before, RunRequest(script, payload))


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    require_bindings()
    with contextlib.closing(open_backend(BackendChoice("bindings:torch_mlir"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def tool() -> Iterator[Backend]:
    with contextlib.closing(open_backend(BackendChoice(str(require_mlir_opt(22))))) as opened:
        yield opened


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.reason])
def test_both_do_the_same(name: str, backend: Backend, tool: Backend) -> None:
    rewritten = rewriting_of(CASES[name], backend)
    assert "split_handle" not in rewritten.after.script.text.replace("split_handle %functions", "")
    if rewritten.after.payload is None:
        assert "tag = " in tool.run(rewritten.after).texts[Emit.PAYLOAD]
        return
    old, new = (tool.run(RunRequest(run.script, rewritten.after.payload)) for run in rewritten)
    assert (old.status, new.status) == (Status.SUCCESS, Status.SUCCESS), new.diagnostics
    assert old.texts == new.texts


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.reason])
def test_what_is_not_rewritten(name: str, backend: Backend) -> None:
    with pytest.raises(NotRewrittenError) as raised:
        rewriting_of(CASES[name], backend)
    assert CASES[name].reason in str(raised.value)


def test_one_more_operation_shifts_nothing(backend: Backend) -> None:
    script = rewriting_of(CASES["tiled"], backend).after
    assert script.payload is not None
    more = "  %more = linalg.fill ins(%c : f32) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    payload = script.payload.text.replace("  %0 =", f"{more}  %0 =")
    result = backend.run(RunRequest(script.script, TextFile("payload.mlir", payload)))
    assert result.status is Status.SUCCESS
    assert result.texts[Emit.PAYLOAD].count("seen_first, tag") == 1
