"""Findings in scripts that programs build, at the Python calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from python_builders.programs import HEAD, needs_columns, shown

if TYPE_CHECKING:
    from python_builders.programs import Programs
    from tdls.python_builders.findings import ProgramFindings


def reported(found: ProgramFindings, *levels: str) -> list[tuple[str, str]]:
    """Files and findings of some levels, with the code that they are at."""
    return [
        (file.path.name, shown(file.text, finding))
        for file in found.files
        for finding in file.findings
        if finding.level.value in (levels or ("error", "warning"))
    ]


STALE = """\
import kit

def body(root):
    matmul = kit.match(root)
    kit.tile(matmul)
    for number in range(3):
        kit.mark(matmul)

def schedule():
    return kit.scheduled(body)
"""


def test_finding_is_at_the_innermost_call_of_the_workspace(programs: Programs) -> None:
    programs.write("plan.py", STALE)
    found = programs.check("plan:schedule")
    assert reported(found) == [("kit.py", 'use-after-free: transform.annotate(handle, "mark")')]
    assert found.unplaced == ()


@needs_columns
def test_notes_are_at_their_calls_with_their_callers(programs: Programs) -> None:
    plan = programs.write("plan.py", STALE)
    (file,) = programs.check("plan:schedule").files
    finding = next(each for each in file.findings if each.level.value == "warning")
    notes = [
        (note.message, (plan.read_text() if note.path == plan else file.text)[note.span.start : note.span.end])
        for note in finding.notes
    ]
    assert notes == [
        ("allocated here", 'structured.MatchOp.match_op_names(root, ["linalg.matmul"])'),
        ("which is called from here", "kit.match(root)"),
        ("freed here", "structured.TileUsingForOp(handle, sizes=[4])"),
        ("which is called from here", "kit.tile(matmul)"),
        ("called from here", "kit.mark(matmul)"),
        ("called from here", "body(main.bodyTarget)"),
        ("called from here", "kit.scheduled(body)"),
    ]


@needs_columns
def test_a_finding_in_a_helper_is_at_the_call_of_the_program_too_with_its_fix(programs: Programs) -> None:
    tiled = STALE.replace("kit.tile(matmul)", "tiles = kit.structured.TileUsingForOp(matmul, sizes=[4]).results")
    plan = programs.write("plan.py", tiled)
    (finding, *others) = programs.check("plan:schedule").at_calls[plan]
    assert shown(tiled, finding) == "use-after-free: kit.mark(matmul)"
    assert (finding.notes[0].path, finding.notes[0].message) == (programs.folder / "kit.py", "in what is called here")
    assert not [note for note in finding.notes if note.path == plan]
    (fix,) = finding.fixes
    (edit,) = fix.edits
    changed = tiled[: edit.span.start] + edit.new_text + tiled[edit.span.end :]
    assert changed == tiled.replace("kit.mark(matmul)", "kit.mark(tiles[0])")
    assert others == []


def test_a_stale_handle_is_reported_once_if_the_program_applies_the_script(programs: Programs) -> None:
    payload = "func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> { %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, "
    payload += "tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32> return %0 : tensor<8x8xf32> }"
    apply = f"""
    payload = kit.ir.Module.parse({payload!r})
    from torch_mlir.dialects.transform import interpreter
    interpreter.apply_named_sequence(payload, module.body.operations[0], module)
    return module
"""
    programs.write(
        "plan.py", STALE.replace("    return kit.scheduled(body)\n", f"    module = kit.scheduled(body){apply}")
    )
    assert reported(programs.check("plan:schedule")) == [
        ("kit.py", 'use-after-free: transform.annotate(handle, "mark")')
    ]


def test_helper_outside_of_the_workspace_is_reported_at_its_call(programs: Programs) -> None:
    """Users do not edit installed packages."""
    programs.write("site-packages/kit.py", (programs.folder / "kit.py").read_text())
    (programs.folder / "kit.py").unlink()
    programs.write("plan.py", f"import sys\nsys.path.append('site-packages')\n{STALE}")
    assert reported(programs.check("plan:schedule")) == [("plan.py", "use-after-free: kit.mark(matmul)")]


@needs_columns
def test_columns_count_characters(programs: Programs) -> None:
    programs.write(
        "plan.py", STALE.replace("        kit.mark(matmul)", "        'ä𝄞', kit.transform.annotate(matmul, 'ß')")
    )
    assert reported(programs.check("plan:schedule")) == [
        ("plan.py", "use-after-free: kit.transform.annotate(matmul, 'ß')")
    ]


def test_operations_without_a_python_call_are_not_reported(programs: Programs) -> None:
    """An unused handle may be a result that the program did not request."""
    programs.write("plan.py", "import kit\ndef schedule():\n    return kit.scheduled(kit.match)\n")
    assert reported(programs.check("plan:schedule"), "error", "warning", "hint") == []


def test_modules_built_before_an_exception_are_checked(programs: Programs) -> None:
    programs.write(
        "plan.py", STALE.replace("range(3):", "[1, 'two']:").replace("kit.mark(matmul)", "number + kit.mark(matmul)")
    )
    found = reported(programs.check("plan:schedule"))
    assert sorted(found) == [
        ("kit.py", 'use-after-free: transform.annotate(handle, "mark")'),
        ("plan.py", "failed-build: number + kit.mark(matmul)"),
    ]


def test_refusal_of_the_verifier_is_an_error_of_mlir(programs: Programs) -> None:
    programs.write(
        "plan.py",
        """\
        import kit
        def body(root):
            kit.transform.IncludeOp([], "nothing", 1, [])
        def schedule():
            return kit.scheduled(body)
        """,
    )
    assert reported(programs.check("plan:schedule")) == [
        ("plan.py", 'mlir: kit.transform.IncludeOp([], "nothing", 1, [])')
    ]


REFUSED = """\
import kit

def include(root):
    kit.transform.IncludeOp([], "nothing", 1, [])
def first(root):
    include(root)
def second(root):
    include(root)
def schedule():
    made = [kit.scheduled(body) for body in (include, first, second)]
    made[0].operation.verify()
    return made
"""


@needs_columns
def test_an_error_of_the_verifier_is_one_for_all_callers_and_verifications(programs: Programs) -> None:
    programs.write("plan.py", REFUSED)
    assert reported(programs.check("plan:schedule")) == [
        ("plan.py", 'mlir: kit.transform.IncludeOp([], "nothing", 1, [])')
    ]


@pytest.mark.parametrize("ending", ["1 // 0", "raise SystemExit(3)", "import subprocess; subprocess.run(['ls'])"])
def test_what_fails_after_a_script_was_built_is_a_hint(programs: Programs, ending: str) -> None:
    programs.write(
        "plan.py", STALE.replace("    return kit.scheduled(body)", f"    module = kit.scheduled(body)\n    {ending}")
    )
    found = [
        (finding.rule, finding.level.value)
        for file in programs.check("plan:schedule").files
        for finding in file.findings
    ]
    assert found == [("use-after-free", "warning"), ("failed-build", "hint")]


UNLOADED = """\
import kit
from torch_mlir.dialects import ext
class Shop(ext.Dialect, name="shop"): pass
class Fold(Shop.Operation, name="fold"):
    gone: ext.Operand[kit.transform.AnyOpType]
def body(root):
    Fold(root)
def schedule():
    return kit.scheduled(body)
"""


def test_a_dialect_that_is_not_loaded_is_named_with_the_call_that_loads_it(programs: Programs) -> None:
    programs.write("plan.py", UNLOADED)
    (file,) = programs.check("plan:schedule").files
    (finding,) = [finding for finding in file.findings if finding.rule == "mlir"]
    assert finding.message == "expected children ops to implement TransformOpInterface"
    assert finding.help == (
        "the dialect of the operation is not loaded in the context: `shop`; in a file of your own, "
        "write a function that calls `plan.Shop.load()` and then `plan.schedule`, and check that"
    )


UNFINISHED = """\
from torch_mlir import ir
from torch_mlir.dialects import transform
from torch_mlir.passmanager import PassManager
def build():
    module = ir.Module.create()
    module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
    with ir.InsertionPoint(module.body):
        sequence = transform.NamedSequenceOp("main", [transform.AnyOpType.get()], [])
    with ir.InsertionPoint(sequence.body):
        transform.annotate(sequence.bodyTarget, "mark")
    return module
def verified():
    build().operation.verify()
def optimized():
    PassManager.parse("builtin.module(canonicalize)").run(build().operation)
def wrapped():
    try:
        verified()
    except ir.MLIRError as error:
        raise RuntimeError("cannot build") from error
def parsed():
    ir.Module.parse("module { %0 = }")
def applied():
    script = build()
    with ir.InsertionPoint(script.body.operations[0].regions[0].blocks[0]):
        gone = transform.apply_registered_pass(transform.AnyOpType.get(), sequence_root(script), "no-such-pass")
        transform.YieldOp()
    transform.interpreter.apply_named_sequence(
        payload_root=ir.Module.create(), transform_root=script.body.operations[0], transform_module=script
    )
def sequence_root(script):
    return script.body.operations[0].bodyTarget
"""


@needs_columns
@pytest.mark.parametrize("function", ["verified", "optimized"])
def test_exception_of_mlir_is_at_the_call_that_made_the_operation(programs: Programs, function: str) -> None:
    programs.write("plan.py", UNFINISHED)
    (file,) = programs.check(f"plan:{function}").files
    (finding,) = file.findings
    assert (finding.rule, finding.message) == ("mlir", "expected 'transform.yield' as terminator")
    assert file.text[finding.span.start :].startswith('transform.NamedSequenceOp("main"')
    assert not any("tdls" in note.message or "\n" in note.message for note in finding.notes)


def test_exception_of_mlir_without_an_operation_is_at_the_call_that_raised_it(programs: Programs) -> None:
    programs.write("plan.py", UNFINISHED)
    (file,) = programs.check("plan:parsed").files
    (finding,) = file.findings
    assert finding.message.endswith(" (line 1, column 14 of the text)")
    assert shown(file.text, finding) == 'failed-build: ir.Module.parse("module { %0 = }")'


@needs_columns
def test_failure_of_the_interpreter_is_at_the_call_that_made_the_operation(programs: Programs) -> None:
    """Its exception has nothing but a text, with the locations of all diagnostics."""
    programs.write("plan.py", UNFINISHED)
    (file,) = programs.check("plan:applied").files
    (finding,) = [each for each in file.findings if each.rule == "mlir"]
    assert finding.message == "unknown pass or pass pipeline: no-such-pass"
    assert file.text[finding.span.start :].startswith("transform.apply_registered_pass(")
    raised = next(note for note in finding.notes if note.message.startswith("raised here"))
    assert raised.message == "raised here: Failed to apply named transform sequence"
    assert file.text[raised.span.start :].startswith("transform.interpreter.apply_named_sequence(")
    assert not any("\n" in note.message or ".py" in note.message for note in finding.notes)


NAMED = """\
import kit
from torch_mlir.dialects import transform
from torch_mlir.dialects.transform import structured

def body(root):
    matmul = kit.match(root)
    BODY

def tiled(handle):
    return structured.TileUsingForOp(handle, sizes=[4]).results[0]

def schedule():
    return kit.scheduled(body)
"""
TILED = "structured.TileUsingForOp(matmul, sizes=[4])"


@needs_columns
@pytest.mark.parametrize(
    ("body", "expression"),
    [
        (f"new = {TILED}\n    kit.mark(matmul)", "new.results[0]"),
        (f"new = {TILED}.results[0]\n    transform.annotate(matmul, 'x')", "new"),
        (f"new = {TILED}.results\n    transform.annotate(matmul, 'x')", "new[0]"),
        (f"new, loop = {TILED}.results\n    transform.annotate(matmul, 'x')", "new"),
        (f"new = {TILED}\n    for _ in range(2):\n        kit.mark(matmul)", "new.results[0]"),
        (f"for _ in range(1):\n        new = {TILED}\n        kit.mark(matmul)", "new.results[0]"),
        # The name is not bound, or holds another value, in other runs or at other times.
        (f"if root:\n        new = {TILED}\n    kit.mark(matmul)", None),
        (f"new = {TILED}\n    new = None\n    kit.mark(matmul)", None),
        (f"loop = {TILED}.results[1]\n    kit.mark(matmul)", None),
        (f"{TILED}\n    kit.mark(matmul)", None),
        ("new = tiled(matmul)\n    kit.mark(matmul)", None),
        (f"news = [{TILED}]\n    kit.mark(matmul)", None),
        (f"new = {TILED}\n    (lambda new: kit.mark(matmul))(0)", None),
        (f"new = {TILED}\n    again = matmul\n    kit.mark(again)", None),
    ],
)
def test_help_names_the_handle_that_replaces_a_consumed_one(
    programs: Programs, body: str, expression: str | None
) -> None:
    programs.write("plan.py", NAMED.replace("BODY", body))
    helps = [
        finding.help or ""
        for file in programs.check("plan:schedule").files
        for finding in file.findings
        if finding.level.value == "warning"
    ]
    if expression is None:
        assert all("no longer stands for anything here" in each for each in helps)
    else:
        line = 7 if not body.startswith("for") else 8
        returned = f"the handle that `transform.structured.tile_using_for` returned at line {line}"
        use = "use" if "annotate" in body else f"in the call at plan.py:{7 + body.count(chr(10))}, use"
        assert helps[0] == f"{use} `{expression}`, {returned}, or match again"


PASSES = """\
import kit
from torch_mlir.dialects import transform

def applied(handle, name, **options):
    return transform.apply_registered_pass(transform.AnyOpType.get(), handle, name, options=options)

def body(root):
    function = kit.match(root)
    for options in ({"max-iterations": 3}, {"top-down": False, "region-simplify": "normal"}):
        function = applied(function, "canonicalize", **options)
    function = applied(function, "pass-of-another-tool", depth=1)
    function = applied(function, "canonicalize", **{"max-iterations": kit_parameter()})
    CHANGED

def kit_parameter():
    from torch_mlir import ir
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
    return transform.ParamConstantOp(transform.ParamType.get(number.type), number).result

def schedule():
    return kit.scheduled(body)
"""


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("pass", []),
        ('applied(function, "canonicalize", depth=1)', ["no such option depth"]),
        ("kit.structured.MatchOp(function.type, root, ops=kit.ir.UnitAttr.get())", ["MLIR drops a value of that kind"]),
    ],
)
def test_options_and_attributes_that_the_bindings_do_not_take(
    programs: Programs, changed: str, expected: list[str]
) -> None:
    programs.write("plan.py", PASSES.replace("CHANGED", changed))
    found = programs.check("plan:schedule")
    refusals = [(file.path.name, each.message) for file in found.files for each in file.findings if each.rule == "mlir"]
    assert [(name, message.rpartition(": ")[2]) for name, message in refusals] == [
        ("plan.py", each) for each in expected
    ]


def test_a_value_that_an_option_cannot_have_is_reported_once(programs: Programs) -> None:
    changed = 'applied(function, "canonicalize", **{"max-iterations": "many"})'
    programs.write("plan.py", PASSES.replace("CHANGED", changed))
    found = programs.check("plan:schedule")
    rules = [each.rule for file in found.files for each in file.findings if "max-iterations" in each.message]
    assert rules == ["misused-pass"]


def test_exception_of_mlir_that_caused_another_is_one_line(programs: Programs) -> None:
    programs.write("plan.py", UNFINISHED)
    (file,) = programs.check("plan:wrapped").files
    (finding,) = file.findings
    assert finding.message == "RuntimeError: cannot build"
    assert "caused by: Verification failed: expected 'transform.yield' as terminator" in [
        note.message for note in finding.notes
    ]


def test_program_without_a_place_is_reported_apart(programs: Programs) -> None:
    found = programs.check("nothing.py")
    assert (found.files, [problem.message for problem in found.unplaced]) == (
        (),
        ["cannot be read: No such file or directory"],
    )


def test_operation_that_python_defines_is_reported_at_its_call_and_the_rest_is_checked(programs: Programs) -> None:
    programs.write(
        "plan.py",
        """\
        import kit
        from torch_mlir.dialects import ext
        class Mine(ext.Dialect, name="mine"):
            pass
        class Touch(Mine.Operation, name="touch"):
            handle: ext.Operand[kit.transform.AnyOpType]
        def body(root):
            matmul = kit.match(root)
            Touch(matmul)
            kit.tile(matmul)
            kit.mark(matmul)
        def schedule():
            Mine.load()
            return kit.scheduled(body)
        """,
    )
    found = reported(programs.check("plan:schedule"))
    assert ("plan.py", "mlir: Touch(matmul)") in found
    assert ("kit.py", 'use-after-free: transform.annotate(handle, "mark")') in found


@pytest.mark.parametrize(
    ("comment", "is_silenced"),
    [
        ("kit.mark(matmul)  # tdls: ignore[use-after-free]: not run", True),
        ("kit.mark(matmul)  # noqa", False),
    ],
)
def test_comments_at_a_caller_silence_findings_in_its_callees(
    programs: Programs, comment: str, *, is_silenced: bool
) -> None:
    programs.write("plan.py", STALE.replace("kit.mark(matmul)", comment))
    assert (
        ("kit.py", 'use-after-free: transform.annotate(handle, "mark")')
        not in reported(programs.check("plan:schedule"))
    ) is is_silenced


@pytest.mark.parametrize(
    "comment",
    [
        "    # tdls: ignore[use-after-free]: checked by hand\n    transform.annotate(handle, 'mark')",
        "    transform.annotate(handle, 'mark')  # by hand, tdls: ignore[TD301]",
        "    # tdls: ignore-begin[TD301]\n    transform.annotate(handle, 'mark')\n    # tdls: ignore-end[TD301]",
        "    transform.annotate(handle, '# \\u00e9')\n# tdls: ignore-file[use-after-free]",
    ],
)
def test_comments_of_programs_silence_as_those_of_scripts(programs: Programs, comment: str) -> None:
    own = HEAD.replace('    transform.annotate(handle, "mark")', comment)
    assert own != HEAD
    programs.write("kit.py", own)
    programs.write("plan.py", STALE)
    assert [rule for _, rule in reported(programs.check("plan:schedule")) if rule.startswith("use-after-free")] == []
