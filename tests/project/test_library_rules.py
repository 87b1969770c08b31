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
MATCHING = """\
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.foreach_match in %root @match -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
"""
MATCHER = """\
  transform.named_sequence @match(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %a ["func.func"] : !transform.any_op
    transform.yield %a : !transform.any_op
  }
"""
DECLARED_MATCHER = declared("match", result=" -> !transform.any_op")
LIBRARY = module(defined(), MATCHER, defined("private", name="inner"))
NAMELESS = module(
    "  transform.named_sequence @mark(!transform.any_op {transform.readonly}) {\n"
    "  ^bb0(%a: !transform.any_op):\n    transform.yield\n  }\n"
)
TWICE = "defined by two libraries: `0.mlir` and `1.mlir`"
CASES: dict[str, tuple[str, list[str | None], list[str]]] = {
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
    "empty": (module(declared(), CALLING), [""], ["no library that is named defines it"]),
    "not declared": (module(CALLING), [LIBRARY], ["`@mark` of the library `0.mlir` is not declared here"]),
    "not declared, without a name": (
        module(CALLING),
        [NAMELESS],
        ["`@mark` of the library `0.mlir` is not declared here"],
    ),
    "an action is not declared": (module(DECLARED_MATCHER, MATCHING), [LIBRARY], ["`@mark` of the library"]),
    "a matcher is not declared": (module(declared(), MATCHING), [LIBRARY], ["`@match` of the library"]),
    "a matcher and an action": (module(declared(), DECLARED_MATCHER, MATCHING), [LIBRARY], []),
    "a matcher without a body": (
        module(declared(), DECLARED_MATCHER, MATCHING),
        [module(defined())],
        ["`@match` is only declared here, and no library that is named defines it"],
    ),
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


IN_SETTINGS = {
    **{name: CASES[name] for name in ("declared and defined", "not declared", "private body", "more arguments")},
    **{name: CASES[name] for name in ("an action is not declared", "a matcher without a body", "other marks", "empty")},
    "not there": (module(declared(), CALLING), [None], ["no library that is named defines it"]),
    "not there, and not declared": (module(CALLING), [None], ["no named sequence `@mark` is in reach"]),
}


def checked(path: Path, *options: str) -> list[dict[str, str]]:
    done = tdls("check", "--no-cache", "--format", "json", *options, str(path), folder=path.parent)
    return json.loads(done.stdout)["diagnostics"]  # type: ignore[no-any-return]


def is_run(path: Path, libraries: str) -> bool:
    pipeline = f"builtin.module(transform-preload-library{{transform-library-paths={libraries}}},transform-interpreter)"
    mlir = [str(require_mlir_opt(22)), str(path), f"--pass-pipeline={pipeline}"]
    return subprocess.run(mlir, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("case", IN_SETTINGS.values(), ids=IN_SETTINGS)
def test_libraries_of_settings_fit_as_mlir_sees_them(
    case: tuple[str, list[str | None], list[str]], tmp_path: Path
) -> None:
    script, (library,), expected = case
    (tmp_path / "tdls.toml").write_text('libraries = ["0.mlir"]\n', encoding="utf-8")
    (tmp_path / "script.mlir").write_text(script, encoding="utf-8")
    if library is not None:
        (tmp_path / "0.mlir").write_text(library, encoding="utf-8")
    found = checked(tmp_path / "script.mlir")
    assert [part in each["message"] for part, each in zip(expected, found, strict=True)] == [True] * len(expected)
    assert library is not None or all("0.mlir" in each["help"] for each in found)
    assert is_run(tmp_path / "script.mlir", str(tmp_path / "0.mlir")) is (expected == [])


@pytest.mark.parametrize(
    "name", ["not declared", "not declared, without a name", "an action is not declared", "other marks", "another type"]
)
def test_a_script_whose_declarations_are_repaired_runs(name: str, tmp_path: Path) -> None:
    script, (library,), _ = CASES[name]
    path = tmp_path / "script.mlir"
    path.write_text("// tdls: library=0.mlir\n" + script, encoding="utf-8")
    (tmp_path / "0.mlir").write_text(library or "", encoding="utf-8")
    assert checked(path, "--fix", "--unsafe-fixes") == []
    assert is_run(path, str(tmp_path / "0.mlir"))
    assert tdls("run", str(path), folder=tmp_path).returncode == 0


ALIASES = """\
!mine = !transform.op<"func.func">
module attributes {transform.with_named_sequence} {
  transform.named_sequence @"mark all"(%a: !mine, %b: !transform.any_op {transform.readonly, mine.x})
      -> (!mine, !mine) {
    transform.loop.unroll %a { factor = 2 } : !mine
    transform.yield %a, %a : !mine, !mine
  }
}
"""
DECLARATION = (
    'transform.named_sequence private @"mark all"(%a: !transform.op<"func.func"> {transform.consumed}, '
    '%b: !transform.any_op {transform.readonly}) -> (!transform.op<"func.func">, !transform.op<"func.func">)'
)
USING = """\
// A script.
#alias = 1
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first() {
    transform.yield
  }

  // What it does.
  // More.
  transform.named_sequence @__transform_main(%a: !transform.op<"func.func">, %b: !transform.any_op) {
    %0:2 = transform.include @"mark all" failures(propagate) (%a, %b)
      : (!transform.op<"func.func">, !transform.any_op) -> (!transform.op<"func.func">, !transform.op<"func.func">)
    transform.yield
  }
}
"""


@pytest.mark.parametrize("begin", ["{ // These.", "{"])
@pytest.mark.parametrize("first", ["  transform.named_sequence @first", "transform.named_sequence @first"])
def test_a_declaration_says_all_that_mlir_compares(begin: str, first: str, tmp_path: Path) -> None:
    path = tmp_path / "script.mlir"
    opener = "module attributes {transform.with_named_sequence} "
    script = USING.replace("  transform.named_sequence @first", first).replace(opener + "{", opener + begin)
    path.write_text(script, encoding="utf-8")
    (tmp_path / "tdls.toml").write_text('libraries = ["0.mlir"]\n', encoding="utf-8")
    (tmp_path / "0.mlir").write_text(ALIASES, encoding="utf-8")
    checked(path, "--fix")
    assert path.read_text(encoding="utf-8") == script.replace(opener + begin, f"{opener}{begin}\n  {DECLARATION}")


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
    messages = [finding["message"] for finding in checked(path, "--isolated")]
    assert len(messages) == len(expected)
    assert all(part in message for part, message in zip(expected, messages, strict=True)), messages
    assert is_run(path, named.replace("%p", str(tmp_path))) is (expected == [])
