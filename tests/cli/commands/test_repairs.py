"""Broken scripts that a client of ``tdls mcp`` repairs by its answers alone; MLIR runs what comes out.

The client knows nothing of MLIR: it applies the first fix of the first finding, calls the tool that a help names, or
writes the name that a help quotes in place of the one in the message.
"""

from __future__ import annotations

import itertools
import random
import re
import subprocess
from typing import TYPE_CHECKING, Any

from cli.files import with_line_edits
from rpc.tool_calls import ask, served, told
from samples import at_least, some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Mistake = str | Callable[[random.Random, str], str]
    Ask = Callable[..., dict[str, Any]]

PAYLOAD = """\
  func.func @payload(%c: f32, %a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %x = linalg.fill ins(%c : f32) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
    %y = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%x : tensor<8x32xf32>) -> tensor<8x32xf32>
    return %y : tensor<8x32xf32>
  }
}
"""
RIGHT = (
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.get_parent_op %tiled {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %loops#0 "outer" : !transform.any_op
    %new = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %new {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %new : !transform.any_op
    transform.yield
  }
""",
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %updated = transform.foreach_match in %root @is_fill -> @mark : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %updated : (!transform.any_op) -> !transform.any_op
    transform.include @mark failures(propagate) (%fill) : (!transform.any_op) -> ()
    %generic = transform.structured.generalize %fill : (!transform.any_op) -> !transform.any_op
    transform.print %generic {name = "generic"} : !transform.any_op
    transform.yield
  }
""",
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["linalg.fill", "linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %fill, %matmul = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %forall = transform.structured.tile_using_forall %matmul num_threads [2, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %again = transform.structured.fuse_into_containing_op %fill into %forall
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %count = transform.num_associations %fused : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %count, "fills" : !transform.param<i64>
    transform.structured.vectorize %tiled vector_sizes [4, 8, 16] : !transform.any_op
    transform.yield
  }
""",
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.foreach %matmuls : !transform.op<"linalg.matmul"> {
    ^bb0(%one: !transform.op<"linalg.matmul">):
      %generic = transform.structured.generalize %one : (!transform.op<"linalg.matmul">) -> !transform.any_op
      %order = transform.structured.interchange %generic iterator_interchange = [1, 0, 2]
        : (!transform.any_op) -> !transform.any_op
      transform.annotate %order "changed" : !transform.any_op
    }
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.fuse %fill tile_sizes [4] interchange [0]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    transform.loop.unroll %loops {factor = 2} : !transform.op<"scf.for">
    transform.yield
  }
""",
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [%size]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.op<"scf.for">)
    transform.loop.unroll %loop {factor = 2} : !transform.op<"scf.for">
    %funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %clean = transform.apply_registered_pass "canonicalize" to %funcs : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %clean {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
    } : !transform.any_op
    transform.yield
  }
""",
)
COUNT = 40
"""Number of broken scripts to repair."""


def slip(chance: random.Random, word: str) -> str:
    """Return a word with a letter left out, doubled, or swapped with the next one."""
    at = chance.randrange(1, max(2, len(word) - 1))
    return chance.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
        ]
    )


def last_part(chance: random.Random, name: str) -> str:
    begin = name.rfind(".") + 1
    return name[:begin] + slip(chance, name[begin:])


FORMER = {"tile_using_for": "tile", "tile_using_forall": "tile_to_forall_op", "vectorize": "masked_vectorize"}
MISTAKES: dict[str, tuple[str, Mistake]] = {
    "an operation is misspelt": (r"(?<=transform\.)(?:\w+\.)*\w{5,}", last_part),
    "an operation has no dialect": (
        r"transform\.(?=structured|annotate|include|print|split_handle|loop)",
        "",
    ),
    "an operation has its former name": (
        r"(?<=structured\.)(?:tile_using_forall|tile_using_for|vectorize)\b(?= )",
        lambda _, old: FORMER[old],
    ),
    "a handle is misspelt": (r"(?<=[ (]%)\w{4,}(?= ?[),:{\"])", slip),
    "a handle has no sign": (r"(?<= )%(?=\w+ (?:tile_sizes|num_threads|:|into|\{|\"))", ""),
    "a keyword is misspelt": (r"tile_sizes|num_threads|vector_sizes|failures|iterator_interchange|(?<=\w )into", slip),
    "a keyword is missing": (
        r" (?:tile_sizes|num_threads|vector_sizes|into|to(?= %)|in(?= %))(?= )",
        "",
    ),
    "types are missing": (r"(?: |\n +): (?:\(.*|!transform\S*)(?=\n)", ""),
    "a type is misspelt": (r"(?<=!transform\.)\w+", slip),
    "a type is wrong": (r"(?<=: )!transform\.any_op(?=\n)", "!transform.any_value"),
    "a result has no name": (r"(?<=%)\w+, %\w+(?::2)?(?= =)", lambda _, old: old.split(",")[0]),
    "a result has no type": (r"(?<=-> )\(!transform\.\S+, .*\)", lambda _, old: old[1:].split(", ")[0]),
    "an operand is missing": (r"(?<=[a-z]) %\w+(?= (?:tile_sizes|num_threads|:|into))", ""),
    "an operand is too many": (
        r"(?<= )%\w+(?= (?:tile_sizes|num_threads|:|into))",
        lambda _, old: f"{old}, %root",
    ),
    "a symbol is misspelt": (r"(?<!sequence @)(?<=@)(?:is_fill|mark)", slip),
    "a bracket is missing": (r"[\]})](?= (?:in|\{|:|->|failures)|\n)", ""),
    "a terminator is missing": (r"\n    transform\.yield.*(?=\n)", ""),
    "a payload operation is misspelt": (r"(?<=\[\")\w+\.\w+(?=\"\])", last_part),
    "the module has no mark": (r" attributes \{transform\.with_named_sequence\}", ""),
    "an arrow is misspelt": (r"->", lambda chance, old: chance.choice(["=>", "-", old[:0]])),
    "a quote is missing": (r"\"\w[\w.]*\"", lambda chance, old: chance.choice([old[1:], old[:-1]])),
    "an equals sign is missing": (r" =(?= transform)", ""),
}
"""Kinds of mistakes: where they may be made, and what then stands there."""


def broken() -> Iterator[tuple[str, str]]:
    """Yield scripts with one mistake each, of all kinds in turn, and the kind."""
    chance = random.Random(63)
    for kind in itertools.cycle(MISTAKES):
        pattern, mistake = MISTAKES[kind]
        text = chance.choice([right for right in RIGHT if re.search(pattern, right)])
        place = chance.choice([*re.finditer(pattern, text)])
        new = mistake if isinstance(mistake, str) else mistake(chance, place[0])
        if new != place[0]:
            yield kind, text[: place.start()] + new + text[place.end() :] + PAYLOAD


def repaired(text: str, call: Ask) -> str:
    """Return what a client makes of `text` that knows only what answers say."""
    seen = {text}
    for _ in range(8):
        findings = [each for each in call("check", path="s.mlir", text=text)["findings"] if each["level"] != "hint"]
        for finding in findings:
            fixes = [with_line_edits(text, fix["edits"]) for fix in finding.get("fixes", ())]
            fixes += [with_what_help_says(text, finding, call)]
            if (new := next((fix for fix in fixes if fix not in seen), None)) is not None:
                text = new
                break
        else:
            return text
        seen.add(text)
    return text


def with_what_help_says(text: str, finding: dict[str, Any], call: Ask) -> str:
    if "`tdls migrate`" in finding.get("help", ""):
        return with_line_edits(text, call("migrate", path="s.mlir", text=text, to="22")["edits"])
    said, meant = (re.findall(r"`([^`]+)`", finding.get(part, "")) for part in ("message", "help"))
    line = int(finding["place"].split(":")[-2]) - 1
    lines = text.split("\n")
    if len(meant) == 1 and said:
        lines[line] = lines[line].replace(said[-1], meant[0], 1)
    return "\n".join(lines)


def test_broken_scripts_are_repaired_by_the_answers_alone(tmp_path: Path) -> None:
    mlir_opt = require_mlir_opt(22)

    def complaint(text: str) -> str:
        command = [str(mlir_opt), "--transform-interpreter", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""

    numbers = itertools.count(2)
    with served(tmp_path) as server:

        def call(tool: str, **arguments: Any) -> dict[str, Any]:
            number = next(numbers)
            ask(server, number, tool, **arguments)
            found: dict[str, Any] = told(server, number)
            return found

        left = []
        scripts = list(itertools.islice(broken(), some(COUNT)))
        for kind, text in scripts:
            new = repaired(text, call)
            if words := complaint(new):
                left.append(f"{kind}: {words.splitlines()[0]}\n{text}")
    assert len(scripts) - len(left) >= at_least(0.9) * len(scripts), "\n".join(left)


def test_the_scripts_are_right_as_they_are() -> None:
    mlir_opt = require_mlir_opt(22)
    for text in RIGHT:
        command = [str(mlir_opt), "--transform-interpreter", "-"]
        subprocess.run(command, input=text + PAYLOAD, capture_output=True, text=True, check=True)
