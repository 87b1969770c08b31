"""Rewritings that keep the meaning of a script are equal to it, and changes that matter are found where they are."""

from __future__ import annotations

import re
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from interpreter.scripts import ENTRY, QUICK, script_of, sequence
from samples import some
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import Backend
from tdls.interpreter.comparison import Verdict, compared, structure_of
from tdls.interpreter.mlir.tool import Tool
from tdls.interpreter.reducing.cuts import Cuts, with_edits
from tdls.interpreter.runs.model import Emit, RunRequest, TextFile
from tdls.structs import replace
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.reducing.cuts import Cut

ANY = "!transform.any_op"
SHIPPED = Catalogue.shipped()
FUNCTIONS_HELD = f'    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'
FUNCTIONS = 3
FUNCTION = """\
  func.func @f{0}(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %c = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.fill ins(%c : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }}
"""
PAYLOAD = TextFile("payload.mlir", f"module {{\n{''.join(map(FUNCTION.format, range(FUNCTIONS)))}}}\n")
HELPERS = (
    f'@mark(%m: {ANY} {{transform.readonly}}) {{\n    transform.annotate %m "marked" : {ANY}\n    transform.yield\n',
    f"""@tile(%m: {ANY} {{transform.consumed}}) -> {ANY} {{
    %t, %l = transform.structured.tile_using_for %m tile_sizes [2] : ({ANY}) -> ({ANY}, {ANY})
    transform.yield %t : {ANY}
""",
    f"""@is_fill(%o: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.match.operation_name %o ["linalg.fill"] : {ANY}
    transform.yield %o : {ANY}
""",
)
CHANGES = {"[0, 4]": "[0, 2]", "[2, 4]": "[4, 4]", "[4, 4]": "[4, 2]", '"a': '"b', "@mark": "@other"}
"""What changes the effect of the last line of a block."""


class Block(NamedTuple):
    """Lines of a schedule that work on one function, of which the last one changes the payload."""

    function: int
    lines: tuple[str, ...]


def block(chance: Random, number: int) -> Block:
    function, size = chance.randrange(FUNCTIONS), chance.choice([0, 2, 4])
    found = f'    %f{number} = transform.structured.match ops{{["func.func"]}} attributes {{sym_name = "f{function}"}} '
    name = chance.choice(["linalg.matmul", "linalg.fill", "arith.constant"])
    match = f'    %m{number} = transform.structured.match ops{{["{name}"]}} in %f{number} : ({ANY}) -> {ANY}\n'
    last = chance.choice(
        [
            f'    transform.annotate %m{number} "a{number}" : {ANY}\n',
            f"    transform.include @mark failures(propagate) (%m{number}) : ({ANY}) -> ()\n",
            f"    %t{number}, %l{number} = transform.structured.tile_using_for %m{number} tile_sizes [{size}, 4] "
            f": ({ANY}) -> ({ANY}, {ANY}{f', {ANY}' if size else ''})\n".replace("%l", "%l:2" if size else "%l"),
            f"    %t{number} = transform.include @tile failures(propagate) (%m{number}) : ({ANY}) -> {ANY}\n",
        ]
    )
    if "tile" in last:
        match = match.replace("arith.constant", "linalg.fill")
        last = last.replace(f"%l:2{number}", f"%l{number}:2")
    return Block(function, (f"{found}in %root : ({ANY}) -> {ANY}\n", match, last))


def request(blocks: list[Block], name: str, helpers: tuple[str, ...] = HELPERS) -> RunRequest:
    body = "".join(line for each in blocks for line in each.lines)
    asked = f"    %u = transform.foreach_match in %root @is_fill -> @mark : ({ANY}) -> {ANY}\n"
    entry = ENTRY.replace("readonly", "consumed")
    head = "module attributes {transform.with_named_sequence} {\n"
    sequences = "".join(f"  transform.named_sequence {helper}  }}\n" for helper in helpers)
    text = f"{head}{sequences}  {entry} {{\n{asked}{body.replace('%root', '%u')}    transform.yield\n  }}\n}}\n"
    return RunRequest(script_of(text, name), payload=PAYLOAD, limits=QUICK)


def blocks_of(seed: int) -> list[Block]:
    """Return blocks of which no two do the same: then it would be unclear which one a change concerns."""
    chance = Random(seed)
    found = [block(chance, number) for number in range(chance.randrange(3, 9))]
    return list({(each.function, re.sub(r"%\w+", "", "".join(each.lines[1:]))): each for each in found}.values())


def rewritten(seed: int) -> RunRequest:
    """Return the script with names, order and includes changed."""
    chance, blocks = Random(-seed - 1), blocks_of(seed)
    by_function = {each.function: iter([one for one in blocks if one.function == each.function]) for each in blocks}
    order = [each.function for each in blocks]
    chance.shuffle(order)
    found = request([next(by_function[function]) for function in order], "new.mlir", HELPERS[:: chance.choice([1, -1])])
    text = found.script.text
    for _ in range(chance.randrange(4)):
        included = next((cut for cut in Cuts(text, SHIPPED).spliced() if is_include(text, cut)), ())
        text = with_edits(text, included)
    names = [edit for cut in Cuts(text, SHIPPED).names("__transform_main") for edit in cut]
    text = with_edits(text, names)
    return replace(found, script=script_of(text, "new.mlir"))


def is_include(text: str, cut: Cut) -> bool:
    return re.match(r"(?:%\w+ = )?transform.include", text[cut[0][0] :]) is not None


def changed(seed: int) -> tuple[RunRequest, int]:
    """Return the script with one change, and the number of the block where it is."""
    chance, blocks = Random(-seed - 1), blocks_of(seed)
    at = chance.randrange(len(blocks))
    function, lines = blocks[at]
    new = next((lines[-1].replace(old, other) for old, other in CHANGES.items() if old in lines[-1]), lines[-1])
    match = lines[1].replace("matmul", "FILL").replace("fill", "matmul").replace("FILL", "fill")
    blocks[at] = Block(function, chance.choice([lines[:-1], (lines[0], match, lines[-1]), (*lines[:-1], new)]))
    other = HELPERS[0].replace("@mark", "@other").replace('"marked"', '"other"')
    return request(blocks, "new.mlir", (*HELPERS, other)), at


def is_in_block(run: Recording, step: Step | None, at: int) -> bool:
    """Whether a step is in a block of the schedule, or was executed by an operation there."""
    text = run.request.script.text
    first = text[: text.index("%u = ")].count("\n") + 2 + at * 3
    return step is not None and any(first <= run.place(each).line < first + 3 for each in (*step.path, step))


@pytest.mark.parametrize("seed", range(some(100)))
def test_a_rewriting_is_equal_and_a_change_is_not(seed: int, bindings: Backend) -> None:
    old = request(blocks_of(seed), "old.mlir")
    assert compared(old, rewritten(seed), bindings).verdict is Verdict.EQUAL
    new, at = changed(seed)
    found = compared(old, new, bindings)
    old_text, new_text = (bindings.run(each).texts[Emit.PAYLOAD] for each in (old, new))
    if old_text == new_text:
        assert found.verdict is Verdict.EQUAL
        return
    assert found.verdict is Verdict.DIFFERENT
    assert found.recordings is not None
    assert any(is_in_block(run, step, at) for run, step in zip(found.recordings, found.steps, strict=True))


@pytest.mark.parametrize(
    ("old", "new", "is_equal"),
    [
        ('"a.b"(%x) {k = 1} : (i32) -> ()', '"a.b"(%y) {k = 1} : (i32) -> () loc("f.mlir":1:2)', True),
        ('"a.b"(%x) {k = "%x"} : (i32) -> ()', '"a.b"(%x) {k = "%y"} : (i32) -> ()', False),
        ('"a.b"(%x) {k = #m} : (i32) -> ()', '"a.b"(%y) {k = affine_map<(d0) -> (d0)>} : (i32) -> ()', True),
        ('"a.b"(%x) : (i32) -> ()', '"a.b"(%x) : (i64) -> ()', False),
        ('"a.b"(%x, %z) : (i32) -> ()', '"a.b"(%x, %x) : (i32) -> ()', False),
        ("func.func private @a()\nfunc.func private @b()", "func.func private @b()\nfunc.func private @a()", True),
        ("func.func private @a()", "func.func private @b()", False),
    ],
)
def test_structure(old: str, new: str, is_equal: bool) -> None:
    texts = (f"#m = affine_map<(d0) -> (d0)>\nmodule {{\n{each}\n}}\n" for each in (old, new))
    before, after = (structure_of(text, SHIPPED) for text in texts)
    assert (before == after) is is_equal


def test_each_script_may_have_an_mlir_of_its_own(bindings: Backend) -> None:
    """The options of a pass were a string up to LLVM 19."""
    old, new = (
        RunRequest(
            script_of(sequence(f"{FUNCTIONS_HELD}    %g = transform.apply_registered_pass {step}\n")), limits=QUICK
        )
        for step in (
            f'"canonicalize" to %f {{options = "top-down=false"}} : ({ANY}) -> {ANY}',
            f'"canonicalize" with options = {{ "top-down" = false }} to %f : ({ANY}) -> {ANY}',
        )
    )
    assert compared(old, new, bindings).verdict is Verdict.NOT_COMPARABLE
    with closing(Backend(Tool((str(require_mlir_opt(19)),)))) as tool:
        assert compared(old, new, bindings, tool).verdict is Verdict.EQUAL
