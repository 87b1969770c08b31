"""Libraries that a script names: tdls has findings in the script if MLIR refuses it, and none if it does not."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

READS = "%a: !transform.any_op {transform.readonly}"
CONSUMES = "%a: !transform.any_op {transform.consumed}"


def module(*sequences: str) -> str:
    return "module attributes {transform.with_named_sequence} {\n" + "".join(sequences) + "}\n"


def declared(name: str = "mark", arguments: str = READS, result: str = "") -> str:
    return f"  transform.named_sequence private @{name}({arguments}){result}\n"


def defined(visibility: str = "", name: str = "mark", arguments: str = READS) -> str:
    return (
        f"  transform.named_sequence {visibility} @{name}({arguments}) {{\n"
        '    transform.annotate %a "mine.seen" : !transform.any_op\n'
        "    transform.yield\n  }\n"
    )


CALLING = """\
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @mark failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
"""
IDLE = """\
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
"""
TWICE = "defined by two libraries: `0.mlir` and `1.mlir`"
CASES = {
    "declared and defined": (module(declared(), CALLING), [module(defined())], []),
    "declared in two libraries": (
        module(IDLE),
        [module(declared(), defined(name="a")), module(declared(), defined(name="b"))],
        [],
    ),
    "declared in one library, defined in another": (
        module(declared(), CALLING),
        [module(declared(), defined(name="other")), module(defined())],
        [],
    ),
    "private ones are renamed": (module(defined("private"), CALLING), [module(defined())], []),
    "private in the library": (module(defined(), CALLING), [module(defined("private"))], []),
    "private in one of two": (
        module(declared(), CALLING),
        [module(defined("private")), module(defined())],
        [],
    ),
    "declared and not called": (module(declared(), IDLE), [module(defined(name="other"))], []),
    "not there": (module(IDLE), [None], ["the library `%p/0.mlir` does not exist"]),
    "does not parse": (
        module(IDLE),
        [module(defined()).replace('%a "mine.seen"', '%a, "mine.seen"')],
        ["MLIR cannot read the library `0.mlir`"],
    ),
    "empty": (module(declared(), CALLING), [""], ["no library that this file names defines `@mark`"]),
    "private body": (module(declared(), CALLING), [module(defined("private"))], ["`@mark` is private in the library"]),
    "defined twice": (module(defined(), CALLING), [module(defined())], ["is defined here and in the library `0.mlir`"]),
    "two entry points": (module(IDLE), [module(IDLE)], ["`@__transform_main` is defined here and in the library"]),
    "two libraries": (module(declared(), CALLING), [module(defined()), module(defined())], [TWICE, TWICE]),
    "two libraries that nothing calls": (module(IDLE), [module(defined()), module(defined())], [TWICE]),
    "more arguments": (
        module(declared(), CALLING),
        [module(defined(arguments=f"{READS}, %b: !transform.any_op {{transform.readonly}}"))],
        ["it has 1 argument, the definition 2"],
    ),
    "another result": (
        module(declared(result=" -> !transform.any_op"), IDLE),
        [module(defined())],
        ["it has 1 result, the definition 0"],
    ),
    "another type": (
        module(declared(arguments=READS.replace("any_op", 'op<"func.func">')), IDLE),
        [module(defined())],
        ['argument #0 has the type `!transform.op<"func.func">`, in the definition `!transform.any_op`'],
    ),
    "other marks": (
        module(declared(), IDLE),
        [module(defined(arguments=CONSUMES))],
        ["argument #0 is marked `transform.readonly`, in the definition `transform.consumed`"],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_libraries_fit_as_mlir_sees_them(case: tuple[str, list[str | None], list[str]], tmp_path: Path) -> None:
    script, libraries, expected = case
    for number, text in enumerate(libraries):
        if text is not None:
            (tmp_path / f"{number}.mlir").write_text(text, encoding="utf-8")
    named = ",".join(f"%p/{number}.mlir" for number in range(len(libraries)))
    pipeline = f"builtin.module(transform-preload-library{{transform-library-paths={named}}},transform-interpreter)"
    path = tmp_path / "script.mlir"
    path.write_text(f'// RUN: mlir-opt %s --pass-pipeline="{pipeline}"\n{script}', encoding="utf-8")
    done = tdls("check", "--isolated", "--no-cache", "--format", "json", str(path), folder=tmp_path)
    messages = [finding["message"] for finding in json.loads(done.stdout)["diagnostics"]]
    assert len(messages) == len(expected)
    assert all(part in message for part, message in zip(expected, messages, strict=True)), messages
    mlir = [str(require_mlir_opt(22)), str(path), f"--pass-pipeline={pipeline.replace('%p', str(tmp_path))}"]
    ran = subprocess.run(mlir, capture_output=True, check=False)
    assert (ran.returncode == 0) is (expected == [])
