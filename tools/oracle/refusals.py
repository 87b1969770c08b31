"""Counts the failures of scripts for which tdls gives the right reason, before a run or after it.

Each case is a script that runs, and mistakes in it or in its payload: replacements of one text, with words of the right
reason. A script with one mistake has to fail, and without it to run, so that the mistake is the reason: any other that
tdls gives is wrong. Sizes vary with the seed, as do the functions around the payload and the steps before.

Usage, from the folder `tools`: ``python -m oracle.refusals [--seed N] [--seeds N] [--backend NAME]``. Exits with 1
where a reason is wrong, or fewer than nine of ten are given.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.runs.model import Limits, RunRequest, Status
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

ANY = "!transform.any_op"
_READING = "as tdls reads it, not MLIR: "
_RULES = frozenset({"fails-on-payload", "never-succeeds", "finds-nothing"})
_LIMITS = Limits(seconds=20.0)
_ENOUGH = 0.9


class Mistake(NamedTuple):
    """A text of a script that runs, the text in its place, and a pattern of the right reason."""

    old: str
    new: str
    reason: str


class Case(NamedTuple):
    """A payload, the name of the operations in it that ``%t`` holds, the steps after that, and mistakes."""

    payload: str
    target: str
    step: str
    mistakes: tuple[Mistake, ...]


_CONSTANTS = "".join(f"    %c{number} = arith.constant {number} : index\n" for number in (0, 1, 2, 3, 4, 16, 17))
_STORE = "      memref.store %v, %m[%i] : memref<16xf32>\n"
_LOOPS_HEAD = "%m: memref<16xf32>, %mm: memref<16x16xf32>, %v: f32, %n: index, %k: index"
_NO_STORE = "      memref.store %v, %mm[%i, %j] : memref<16x16xf32>\n"


def _function(arguments: str, body: str, result: tuple[str, str] | None = None) -> str:
    types, values = (f" -> {result[1]}", f" {result[0]} : {result[1]}") if result else ("", "")
    return f"  func.func @f({arguments}){types} {{\n{body}    return{values}\n  }}\n"


def _loop(body: str, bounds: str = "%c0 to %c16 step %c1", variable: str = "%i") -> str:
    return f"    scf.for {variable} = {bounds} {{\n{body}    }}\n"


def _loops(body: str) -> str:
    return _function(_LOOPS_HEAD, _CONSTANTS + body)


def _structured(name: str, shapes: tuple[str, ...], attributes: str = "") -> str:
    """Return a function with an operation on tensors, the last of `shapes` being that of its result."""
    arguments = ", ".join(f"%a{number}: tensor<{shape}>" for number, shape in enumerate(shapes))
    names, types = [f"%a{number}" for number in range(len(shapes))], [f"tensor<{shape}>" for shape in shapes]
    inputs = f"ins({', '.join(names[:-1])} : {', '.join(types[:-1])})"
    body = f"    %0 = linalg.{name} {attributes}{inputs} outs({names[-1]} : {types[-1]}) -> {types[-1]}\n"
    return _function(arguments, body, ("%0", types[-1]))


def _generic(body: str, kinds: str = '"parallel", "parallel"', into: str = "(i, j)", shape: str = "MxNxf32") -> str:
    maps = f"affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> {into}>"
    head = f"indexing_maps = [{maps}], iterator_types = [{kinds}]"
    operation = f"    %0 = linalg.generic {{{head}}} ins(%a : tensor<MxNxf32>) outs(%b : tensor<{shape}>) {{\n"
    block = f"    ^bb0(%x: f32, %y: f32):\n{body}    }} -> tensor<{shape}>\n"
    return _function(f"%a: tensor<MxNxf32>, %b: tensor<{shape}>", operation + block, ("%0", f"tensor<{shape}>"))


def _on_memrefs(text: str) -> str:
    """Return a function of `_structured` or `_generic` on memrefs."""
    text = re.sub(r"( -> tensor<[^>]*>)(?= \{\n|\n)", "", text.replace("    %0 = linalg", "    linalg"))
    return re.sub(r"return %0 : .*", "return", text).replace("tensor<", "memref<")


_MATMUL = _structured("matmul", ("MxKxf32", "KxNxf32", "MxNxf32"))
_EXP = _structured("exp", ("MxNxf32", "MxNxf32"))
_LARGE = _structured("conv_2d_nhwc_hwcf", ("1x14x14x8xf32", "3x3x8xNxf32", "1x12x12xNxf32"))
_FHWC = _structured("conv_2d_nhwc_fhwc", ("2x6x6x5xf32", "Nx3x3x5xf32", "2x4x4xNxf32"))
_SUM = "      %s = arith.addf %x, %y : f32\n      linalg.yield %s : f32\n"
_COPY = _EXP.replace("exp", "copy")
_COPIES = """\
      %s = memref.subview %m[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
      memref.copy %s, %b : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
      "use"(%b) : (memref<4xf32>) -> ()
"""
_PAD = """\
      %s = tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to tensor<?xf32>
      %0 = tensor.pad %s low[0] high[%k] {
      ^bb0(%j: index):
        tensor.yield %z : f32
      } : tensor<?xf32> to tensor<Mxf32>
      %1 = linalg.exp ins(%0 : tensor<Mxf32>) outs(%b : tensor<Mxf32>) -> tensor<Mxf32>
      "use"(%1) : (tensor<Mxf32>) -> ()
"""
_ON_TENSORS = """\
    %t = tensor.empty() : tensor<16xf32>
    %r = scf.forall (%i) in (16) shared_outs(%o = %t) -> (tensor<16xf32>) {
      %s = tensor.extract_slice %o[%i] [1] [1] : tensor<16xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<16xf32>
      }
    }
"""
_REDUCING = """\
    %r = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%v) -> f32 {
      %l = memref.load %m[%i] : memref<16xf32>
      scf.reduce(%l : f32) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        scf.reduce.return %s : f32
      }
    }
"""
_FILLED = """\
    %e = tensor.empty() : tensor<MxNxf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<MxNxf32>) -> tensor<MxNxf32>
    %0 = linalg.matmul ins(%a, %b : tensor<MxKxf32>, tensor<KxNxf32>) outs(%f : tensor<MxNxf32>) -> tensor<MxNxf32>
"""
_IF = f"    %c = arith.cmpi eq, %n, %k : index\n    scf.if %c {{\n{_STORE.replace('%i', '%c0')}    }}"
_ELSE = f" else {{\n{_STORE.replace('%i', '%c1')}    }}"
_ALLOCA = '      %b = memref.alloca(%i) : memref<?xf32>\n      "use"(%b) : (memref<?xf32>) -> ()\n'
_VIEW = "%s = memref.subview %a0[0, 0] [M, K] [1, 1] : memref<MxKxf32> to memref<MxKxf32>"
_PAYLOADS = {
    "matmul": _MATMUL,
    "matmul-m": _on_memrefs(_MATMUL),
    "matmul-?n": _MATMUL.replace("N", "?"),
    "matmul-?m": _MATMUL.replace("M", "?"),
    "matmul-?k": _MATMUL.replace("K", "?"),
    "small-m": _on_memrefs(_structured("matmul", ("16x4xf32", "4x8xf32", "16x8xf32"))),
    "subviews": _on_memrefs(_MATMUL).replace("linalg.matmul ins(%a0,", f"{_VIEW} linalg.matmul ins(%s,"),
    "filled": _function("%a: tensor<MxKxf32>, %b: tensor<KxNxf32>, %v: f32", _FILLED, ("%0", "tensor<MxNxf32>")),
    "exp": _EXP,
    "exp-m": _on_memrefs(_EXP),
    "copy": _COPY,
    "copy-m": _on_memrefs(_COPY),
    "copy-?": _COPY.replace("M", "?"),
    "softmax": _structured("softmax", ("MxNxf32", "MxNxf32"), "dimension(1) "),
    "conv": _structured("conv_2d_nhwc_hwcf", ("1x1x14x8xf32", "1x3x8xNxf32", "1x1x12xNxf32")),
    "conv-m": _on_memrefs(_structured("conv_2d_nhwc_hwcf", ("1x1x14x8xf32", "1x3x8xNxf32", "1x1x12xNxf32"))),
    "large": _LARGE,
    "large-m": _on_memrefs(_LARGE),
    "large-?": _LARGE.replace("1x14x14", "1x?x14").replace("1x12x12", "1x?x12"),
    "fhwc": _FHWC,
    "fhwc-m": _on_memrefs(_FHWC),
    "fhwc-?": _FHWC.replace("2x6x6", "2x?x6").replace("2x4x4", "2x?x4"),
    "fhwc-2x2": _FHWC.replace("Nx3x3x5", "Nx2x2x5").replace("2x4x4", "2x5x5"),
    "sum": _generic(_SUM),
    "sums": _generic(_SUM, '"parallel", "reduction"', "(i)", "Mxf32"),
    "sums-?": _generic(_SUM, '"parallel", "reduction"', "(i)", "Mxf32").replace("MxN", "Mx?"),
    "calls": _generic(_SUM) + "  func.func private @h(f32) -> f32\n",
    "exp-generic": _generic("      %s = math.exp %x : f32\n      linalg.yield %s : f32\n"),
    "loop": _loops(_loop(_STORE)),
    "two": _loops(_loop(_STORE) + _loop(_STORE.replace("%i", "%j"), variable="%j")),
    "nest": _loops(_loop(_loop(_NO_STORE, variable="%j"))),
    "peeled": _loops(_loop(_STORE, "%c0 to %c16 step %c3")),
    "loads": _loops(_loop("      %l = memref.load %m[%i] : memref<16xf32>\n" + _STORE.replace("%v", "%l"))),
    "affine": _loops(f"    affine.for %i = 0 to 16 {{\n{_STORE.replace('memref.', 'affine.')}    }}\n"),
    "if": _loops(f"{_loop(_STORE)}{_IF}{_ELSE}\n"),
    "forall": _loops(f"    scf.forall (%i) in (16) {{\n{_STORE}    }}\n"),
    "forall-t": _loops(_ON_TENSORS),
    "parallel": _loops(f"    scf.parallel (%i) = (%c0) to (%c16) step (%c1) {{\n{_STORE}    }}\n"),
    "reducing": _loops(_REDUCING),
    "alloc": _loops("    %b = memref.alloc() : memref<4xf32>\n" + _loop(_COPIES, "%c0 to %c16 step %c4")),
    "alloca": _loops(_loop(_ALLOCA)),
    "empty": _loops(_loop(_ALLOCA.replace("memref.alloca", "tensor.empty").replace("memref<", "tensor<"))),
    "pad": _function(
        "%a: tensor<?xf32>, %b: tensor<Mxf32>, %k: index, %v: f32",
        f"{_CONSTANTS}    %z = arith.constant 0.0 : f32\n{_loop(_PAD)}",
    ),
}
_CASES = """
nest | scf.for | OUTER %x = transform.loop.coalesce %u : (A) -> A
  loop.coalesce %u => loop.coalesce %inner # no other loop
  scf.for %j => memref.store %v, %m[%i] : memref<16xf32> scf.for %j # memref.store` beside
  %j = %c0 to %c16 => %j = %c0 to %i # varies
peeled | scf.for | CAST %x, %y = transform.loop.peel %p : (FOR) -> (A, A)
  step %c3 => step %c4 # divides
  step %c3 => step %c2 # divides
  step %c3 => step %c1 # is 1
  %c16 step %c3 => %n step %c1 # is 1
peeled | scf.for | CAST %x, %y = transform.loop.peel %p {peel_front = true} : (FOR) -> (A, A)
  to %c16 => to %c3 # one iteration
  to %c16 => to %c1 # one iteration
affine | affine.for | transform.loop.unroll %t {factor = 3 : i64} : A
  to 16 => to min affine_map<()[s] -> (s, 16)>()[%n] # a `min`
  = 0 to => = max affine_map<()[s] -> (s, 0)>()[%n] to # a `max`
forall | scf.forall | %x = transform.loop.forall_to_for %t : (A) -> A
  @forall => @forall-t # has results
forall | scf.forall | %x = transform.loop.forall_to_parallel %t : (A) -> A
  @forall => @forall-t # has results
forall+loop | scf.forall | %x = transform.loop.forall_to_for %t : (A) -> A
  ["scf.forall"] => ["scf.for"] # scf.forall.* only
parallel | scf.parallel | %x = transform.loop.parallel_for_to_nested_fors %t : (A) -> A
  @parallel => @reducing # has results
parallel+loop | scf.parallel | %x = transform.loop.parallel_for_to_nested_fors %t : (A) -> A
  ["scf.parallel"] => ["scf.for"] # scf.parallel
pad | tensor.pad | %x = transform.structured.hoist_pad %t by 1 loops : (A) -> A
  scf.for %i = %c0 to %c16 step %c1 => scf.forall (%i) in (16) # no `scf.for`
  tensor.extract_slice %a[%i] [%k] [1] : tensor<?xf32> to => "slice"(%a) : (tensor<?xf32>) -> # not a result of `tensor
matmul+softmax | linalg.matmul | %x = transform.structured.generalize %t : (A) -> A
  ["linalg.matmul"] => ["linalg.softmax"] # applies to
sum+exp | linalg.generic | %x = transform.structured.interchange %t iterator_interchange = [1, 0] : (A) -> A
  ["linalg.generic"] => ["linalg.exp"] # applies to
  [1, 0] => [1, 0, 2] # 2 loops|3
matmul | linalg.matmul | %x = transform.structured.pack %t packed_sizes = [4, 4, 4] : (A) -> GENERIC
  @matmul => @matmul-m # on memrefs
  [4, 4, 4] => [4, 4] # loops|sizes
matmul | linalg.matmul | %x, %y, %z = transform.structured.pad %t {padding_dimensions = [0, 1, 2]} : (A) -> (A, A, A)
  @matmul => @matmul-m # on memrefs
  @matmul => @matmul-?m # #0.* dynamic
  @matmul => @matmul-?k # dynamic
  {padding_dim => {padding_values = [0.0 : f32, 0 : i32, 0.0 : f32], padding_dim # elements of the type
matmul | linalg.matmul | %x:4 = REDUCTION [0, 0, 4] : (A) -> (A, A, A, A)
  @matmul => @matmul-m # on memrefs
  [0, 0, 4] => [4, 0, 0] # parallel dimensions
sums | linalg.generic | %x:4 = REDUCTION [0, 4] : (A) -> (A, A, A, A)
  arith.addf => arith.subf # identity value
  @sums => @sum # parallel dimensions
sums | linalg.generic | %x:4 = transform.structured.split_reduction %t {split_factor = 4} : (A) -> (A, A, A, A)
  @sums => @sum # no reductions
  split_factor = 4 => split_factor = 7 # cannot be split
  @sums => @sums-? # dynamic size
  {split_factor => {insert_split_dimension = 7, split_factor # loops
fhwc+conv | linalg.conv_2d_nhwc_fhwc | %x = transform.structured.transpose_conv2d %t : (A) -> A
  ["linalg.conv_2d_nhwc_fhwc"] => ["linalg.conv_2d_nhwc_hwcf"] # applies to
matmul-m | linalg.matmul | %x = transform.structured.convert_to_loops %t : (A) -> A
  @matmul-m => @matmul # on tensors
matmul | linalg.matmul | transform.structured.vectorize %t : A
  @matmul => @matmul-?m # dynamic size
  @matmul => @matmul-?n # dynamic size
matmul+softmax | linalg.matmul | transform.structured.vectorize %t vector_sizes [M, N, K] : A
  [M, N, K] => [M, N] # loops
  [M, N, K] => [2, N, K] # more than its vector size
  ["linalg.matmul"] => ["linalg.softmax"] # applies to
calls | linalg.generic | transform.structured.vectorize %t : A
  arith.addf %x, %y : f32 => func.call @h(%x) : (f32) -> f32 # func.call
sums | linalg.generic | transform.structured.vectorize %t : A
  arith.addf %x, %y => arith.divf %y, %x # reduces by `arith.divf`
  arith.addf %x, %y => arith.subf %y, %x # reduces by `arith.subf`
large+exp | linalg.exp | transform.structured.vectorize %t : A
  ["linalg.exp"] => ["linalg.conv_2d_nhwc_hwcf"] # more than one spatial
filled | linalg.fill | TILED %z, %w = transform.structured.fuse_into_containing_op %t into %l : (A, A) -> (A, A)
  using_forall %m tile_sizes [4] => using_for %m tile_sizes [4] # cannot be fused by cloning|begins with
  outs(%f => outs(%e # nothing in `scf.forall`
matmul+loop | linalg.matmul | %x, %y = transform.structured.fuse %t tile_sizes [4] : (A) -> (A, A)
  @matmul => @matmul-m # on memrefs
  ["linalg.matmul"] => ["scf.for"] # applies to
matmul+loop | linalg.matmul | %x, %y = transform.structured.tile_using_for %t tile_sizes [4] : (A) -> (A, A)
  ["linalg.matmul"] => ["scf.for"] # applies to
  [4] => [0, 0, 0, 4] # loops|sizes
loop+exp | scf.for | transform.apply_licm to %t : A
  ["scf.for"] => ["linalg.exp"] # applies to
copy-m | linalg.copy | %x = transform.structured.linalg_copy_to_memref %t : (A) -> A
  @copy-m => @copy # on tensors
copy+exp | linalg.copy | %x, %y = transform.structured.gpu.map_copy_to_threads %t COPY : (A) -> (A, A)
  ["linalg.copy"] => ["linalg.exp"] # applies to
  @copy => @copy-? # static
if | scf.if | CAST transform.scf.take_assumed_branch %p take_else_branch : (FOR) -> ()
  @else => # `else` region
matmul | linalg.matmul | %x = transform.structured.split %t after 4 {dimension = 0} : A
  dimension = 0 => dimension = 5 # loops|dimension
matmul | linalg.matmul | %x = transform.split_handle %t : (A) -> A
  %x = transform.split_handle %t : (A) -> A => %x:2 = transform.split_handle %t : (A) -> (A, A) # holds 1|one|1 payload
matmul | linalg.matmul | %x = transform.get_parent_op %t {op_name = "func.func"} : (A) -> A
  "func.func" => "scf.for" # scf.for
  {op_name => {nth_parent = 7 : i64, op_name # parent
filled | linalg.matmul | %x = transform.get_producer_of_operand %t[2] : (A) -> A
  %t[2] => %t[0] # block argument|operand
  %t[2] => %t[7] # operand
"""
"""Payloads, target and step of each case, and its mistakes. ``@name`` is the text of a payload."""
_WORDS = {
    "OUTER": "%inner, %u = transform.split_handle %t : (A) -> (A, A)",
    "CAST": "%p = transform.cast %t : A to FOR",
    "GENERIC": '!transform.op<"linalg.generic">',
    "REDUCTION": "transform.structured.tile_reduction_using_for %t by tile_sizes =",
    "COPY": "total_num_threads = 32 desired_bit_alignment = 32",
    "TILED": '%m = transform.structured.match ops{["linalg.matmul"]} in %root : (A) -> A '
    "%y, %l = transform.structured.tile_using_forall %m tile_sizes [4] : (A) -> (A, A)",
}
"""Parts of steps. ``FOR`` is the type of handles to targets, ``A`` that of any."""


def cases() -> list[Case]:
    """Return all cases."""
    found: list[Case] = []
    for line in _CASES.strip().split("\n"):
        if not line.startswith(" "):
            names, target, step = line.split(" | ")
            several = [_PAYLOADS[name].replace("@f", f"@f{number}") for number, name in enumerate(names.split("+"))]
            step = re.sub(r"\b[A-Z]{2,}\b", lambda word: _WORDS.get(word[0], word[0]), step)
            found.append(Case("".join(several), target, step.replace("FOR", f'!transform.op<"{target}">'), ()))
            continue
        change, _, reason = line.strip().rpartition(" # ")
        old, _, new = change.partition(" =>")
        mistake = Mistake(_spelled(old), _spelled(new.strip()), reason)
        found[-1] = found[-1]._replace(mistakes=(*found[-1].mistakes, mistake))
    return found


def _spelled(text: str) -> str:
    if text == "@else":
        return _ELSE
    return (
        _PAYLOADS[text[1:]].replace("@f", "@f0") if text.startswith("@") else text.replace("} return", "}\n    return")
    )


def script_of(case: Case, seed: int) -> str:
    """Return the script of a case, with tokens for its sizes."""
    random = Random(seed)
    extra = "  func.func @other(%v: f32) {\n    return\n  }\n"
    before, behind = random.choice([("", ""), (extra, ""), ("", extra)])
    match = f'    %t = transform.structured.match ops{{["{case.target}"]}} in %root : ({ANY}) -> {ANY}\n'
    mark = f'    transform.annotate %t "mine" : {ANY}\n' if random.random() < 0.3 else ""
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{before}{case.payload}{behind}"
        f"  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{\n"
        f"{match}{mark}    {case.step}\n    transform.yield\n  }}\n}}\n"
    )


def sized(text: str, seed: int) -> str:
    """Return a script with sizes in place of their tokens."""
    random = Random(seed)
    for token in "MNK":
        size = str(random.choice((8, 16, 32)))
        text = re.sub(rf"(?<![A-Za-z]){token}(?=x|\]|,)|(?<=x){token}(?=x)", size, text)
    return re.sub(r"(?<![\w%@])A\b", ANY, text)


class Judged(NamedTuple):
    """A script with one mistake: what tdls and MLIR say, and whether that is the reason."""

    operation: str
    text: str
    mended: RunResult
    failed: RunResult
    said: tuple[str, ...]
    reason: str

    @property
    def counts(self) -> bool:
        """True if the mistake alone makes the script fail."""
        return self.mended.status is Status.SUCCESS and self.failed.status is Status.FAILURE

    @property
    def is_right(self) -> bool:
        """True if the reason is said."""
        words = (*self.said, *_words(self.failed))
        return any(re.search(self.reason, each, re.DOTALL) for each in words)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What tdls says that is another reason."""
        return tuple(each for each in self.said if not re.search(self.reason, each, re.DOTALL))


def _words(result: RunResult) -> Iterator[str]:
    for diagnostic in result.diagnostics:
        yield diagnostic.message
        yield from (note.message for note in diagnostic.notes)


def judged(case: Case, mistake: Mistake, seed: int, backend: Backend) -> Judged:
    """Run a case with and without one mistake."""
    good = script_of(case, seed)
    texts = [sized(text, seed) for text in (good, good.replace(mistake.old, mistake.new, 1))]
    catalogue = Catalogue.shipped()
    mended, failed = (backend.run(RunRequest(Script("script.mlir", text, catalogue), limits=_LIMITS)) for text in texts)
    findings = findings_in_file(SourceFile.of(texts[1], catalogue))
    said = [each.message for each in findings if each.rule in _RULES and each.level is not Level.HINT]
    said += (word.removeprefix(_READING) for word in _words(failed) if word.startswith(_READING))
    operation = re.findall(r"transform\.([\w.]+) (?:to )?%", case.step)[-1]
    return Judged(operation, texts[1], mended, failed, tuple(said), mistake.reason)


def main() -> int:
    """Judge all cases, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m oracle.refusals", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--backend", default="bindings")
    options = parser.parse_args()
    backend = open_backend(BackendChoice(options.backend))
    seeds = range(options.seed, options.seed + options.seeds)
    try:
        every = [
            judged(case, mistake, seed, backend) for seed in seeds for case in cases() for mistake in case.mistakes
        ]
    finally:
        backend.close()
    counted = [each for each in every if each.counts]
    right, wrong = [each for each in counted if each.is_right], [each for each in counted if each.wrong]
    print(f"{len(every)} mistakes, {len(counted)} of which alone make a script fail")
    print(f"{len(right)} with the right reason, {len(wrong)} with a wrong one")
    for each in every:
        if not each.counts:
            statuses = f"{each.mended.status.value}, {each.failed.status.value}"
            print(f"  no such failure: {each.operation} ({each.reason}): {statuses}")
        elif not each.is_right:
            print(f"  no reason: {each.operation} ({each.reason}): {next(_words(each.failed))}; {each.said}")
    for each in wrong:
        print(f"  wrong: {each.operation} ({each.reason}): {each.wrong}")
    print(dict(Counter(each.operation for each in counted)))
    return 1 if wrong or len(right) < _ENOUGH * len(counted) else 0


if __name__ == "__main__":
    sys.exit(main())
