"""The documents on which servers are measured, with the places of edits and requests.

Every document is accepted without findings, except for the errors of `with_errors`.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

SCRIPT_SEQUENCES = 5
ERROR_NAME = "%nowhere"
_ASKED = re.compile(r"%\w+\b(?!:)|transform\.\w+|!transform")
"""Names, but not those of result packs: mlir-lsp-server-22 crashes at requests about them."""


@dataclass(frozen=True)
class Sample:
    """A text and its measured requests; every place is an offset in code points.

    `script_place` and `payload_place` are offsets after the name of an operand: one more letter makes an unknown name;
    `brace_place` is the offset of the `}` that ends a function or sequence. `requested` are offsets of names and
    keywords in the script.
    """

    name: str
    text: str
    script_place: int
    payload_place: int
    brace_place: int
    requested: tuple[int, ...]

    def with_errors(self) -> Sample:
        """The same with an unknown value in the first sequence and another one in the last function or sequence.

        Places before the first error stay; those behind are not to be used.
        """
        text = self.with_last_error().text
        return replace(self, text=text[: self.script_place] + "_unknown" + text[self.script_place :])

    def with_last_error(self) -> Sample:
        """The same with an unknown value in the last function."""
        last = self.text.rindex(" %last")
        return replace(self, text=self.text[:last] + f" {ERROR_NAME}" + self.text[last + len(" %last") :])


def small_script() -> Sample:
    """A script of about forty lines with a little payload."""
    return _sample("small script", [_sequence(number) for number in range(2)], [_small_function()])


def script_with_payload(megabytes: float) -> Sample:
    """A script of about a hundred lines, and payload functions up to `megabytes`."""
    sequences = [_sequence(number) for number in range(SCRIPT_SEQUENCES)]
    return _sample(f"{megabytes} MB, script and payload", sequences, _up_to(megabytes, _function))


def script_only(megabytes: float) -> Sample:
    """A script of that size, of many named sequences."""
    sequences = _up_to(megabytes, _sequence)
    return _sample(f"{megabytes} MB, script", sequences, [])


def _up_to(megabytes: float, make: object) -> list[str]:
    """Ask `make` for numbered texts until they have the size together."""
    assert callable(make)
    texts: list[str] = []
    left = int(megabytes * 1e6)
    for number in itertools.count():
        if left <= 0:
            break
        texts.append(make(number))
        left -= len(texts[-1])
    return texts


def _sample(name: str, sequences: list[str], functions: list[str]) -> Sample:
    text = "".join(["module attributes {transform.with_named_sequence} {\n", *sequences, *functions, _last(), "}\n"])
    middle = text.index("\n  }\n", len(text) // 2) if functions else text.rindex("\n  }\n", 0, len(text) // 2)
    in_payload = text.rindex("%used", 0, middle) if len(text) > 10_000 else text.rindex("%used")
    return Sample(
        name=name,
        text=text,
        script_place=text.index("tile_using_for %matmul") + len("tile_using_for %matmul"),
        payload_place=in_payload + len("%used"),
        brace_place=middle + len("\n  "),
        requested=tuple(match.start() + 2 for match in _ASKED.finditer(text, 0, text.index("transform.yield"))),
    )


def _last() -> str:
    return """\
  func.func @the_last_one(%last: f32) -> f32 {
    return %last : f32
  }
"""


def _sequence(number: int) -> str:
    return f"""\
  // Tiles the matrix multiplications of a function and marks what came of them.
  transform.named_sequence @tile_{number}(%root: !transform.any_op {{transform.readonly}}) {{
    %matmul = transform.structured.match ops{{["linalg.matmul"]}} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [{number % 64 + 1}, 16, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.foreach %tiled : !transform.any_op {{
    ^bb0(%one: !transform.any_op):
      %parent = transform.get_parent_op %one {{op_name = "scf.for"}} : (!transform.any_op) -> !transform.any_op
      transform.annotate %parent "step" : !transform.any_op
    }}
    %used = transform.param.constant {number} : i64 -> !transform.param<i64>
    transform.annotate %loops#0 "size" = %used : !transform.any_op, !transform.param<i64>
    transform.loop.unroll %loops#2 {{factor = 4}} : !transform.any_op
    %vectors = transform.structured.match ops{{["vector.contract", "vector.transfer_read"]}} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %vectors "seen" : !transform.any_op
    transform.yield
  }}

"""


def _small_function() -> str:
    return """\
  func.func @double(%used: f32) -> f32 {
    %0 = arith.addf %used, %used : f32
    return %0 : f32
  }
"""


def _function(number: int) -> str:
    return f"""\
  // Layer {number}: a product, an activation and a sum over its rows.
  func.func @layer_{number}(%input: memref<128x256xf32>, %weights: memref<256x64xf32>, %output: memref<128x64xf32>,
                        %sums: memref<128xf32>, %scale: f32) -> f32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.000000e+00 : f32
    %half = arith.constant 5.000000e-01 : f32
    linalg.fill ins(%zero : f32) outs(%output : memref<128x64xf32>)
    linalg.matmul ins(%input, %weights : memref<128x256xf32>, memref<256x64xf32>) outs(%output : memref<128x64xf32>)
    scf.for %row = %c0 to %c128 step %c1 {{
      scf.for %column = %c0 to %c64 step %c1 {{
        %value = memref.load %output[%row, %column] : memref<128x64xf32>
        %scaled = arith.mulf %value, %scale : f32
        %positive = arith.cmpf ogt, %scaled, %zero : f32
        %kept = scf.if %positive -> (f32) {{
          scf.yield %scaled : f32
        }} else {{
          %less = arith.mulf %scaled, %half : f32
          scf.yield %less : f32
        }}
        memref.store %kept, %output[%row, %column] : memref<128x64xf32>
      }}
    }}
    %total = scf.for %row = %c0 to %c128 step %c1 iter_args(%all = %zero) -> (f32) {{
      %sum = scf.for %column = %c0 to %c64 step %c1 iter_args(%partial = %zero) -> (f32) {{
        %value = memref.load %output[%row, %column] : memref<128x64xf32>
        %next = arith.addf %partial, %value fastmath<contract> : f32
        scf.yield %next : f32
      }}
      memref.store %sum, %sums[%row] : memref<128xf32>
      %more = arith.addf %all, %sum : f32
      scf.yield %more : f32
    }}
    %used = arith.mulf %total, %half : f32
    %result = arith.subf %used, %zero : f32
    return %result : f32
  }}

"""
