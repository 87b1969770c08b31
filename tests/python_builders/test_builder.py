"""Runs of programs: the modules that they build, and all kinds of ends."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from processes import is_alive
from rpc.answers import eventually
from tdls.interpreter.confinement import linux
from tdls.interpreter.confinement.confinement import protection
from tdls.interpreter.mlir.worker import isolation
from tdls.interpreter.runs.model import Limits
from tdls.python_builders.builder import build
from tdls.python_builders.model import BuildRequest, ProblemKind

if TYPE_CHECKING:
    from pathlib import Path

    from python_builders.programs import Programs
    from tdls.python_builders.model import BuildProblem, BuildResult

FUNCTION = """\
import kit

def schedule(count=1, name="mark"):
    def body(root):
        matmul = kit.match(root)
        for _ in range(count):
            kit.transform.annotate(matmul, name)
    with kit.ir.Context(), kit.ir.Location.unknown():
        return kit.scheduled(body)
"""
PROGRAM = f"{FUNCTION}\nbuilt = schedule()\n"


def problem(result: BuildResult) -> BuildProblem:
    """The only thing that is wrong."""
    (found,) = result.problems
    return found


def where(found: BuildProblem) -> list[tuple[str, int]]:
    """Functions and lines of the calls that led to a problem."""
    return [(frame.function.rpartition(".")[2], frame.line) for frame in found.stack]


def calls(result: BuildResult, words: str) -> list[list[tuple[str, str, int]]]:
    """Files, functions and lines of the calls behind each line of the modules that has `words`."""
    return [
        [(frame.file.rpartition("/")[2], frame.function.rpartition(".")[2], frame.line) for frame in stack]
        for module in result.modules
        for row, line in enumerate(module.text.splitlines())
        if words in line
        for stack in [module.stack_of_row(row)]
    ]


def test_function_is_called_with_the_arguments_of_the_command_line(programs: Programs) -> None:
    programs.write("pkg/plan.py", FUNCTION)
    result = programs.build("pkg.plan:schedule", "2", "name=there")
    assert (result.is_complete, result.problems) == (True, ())
    assert (
        calls(result, 'annotate %0 "there"')
        == [[("plan.py", "body", 7), ("kit.py", "scheduled", 13), ("plan.py", "schedule", 9)]] * 2
    )
    assert result.first is not None
    assert result.first[1:3] == ("schedule", 3)


def test_function_may_leave_context_and_location_to_its_caller(programs: Programs) -> None:
    programs.write("plan.py", "import kit\ndef schedule():\n    return kit.scheduled(kit.match)\n")
    assert "structured.match" in programs.build("plan:schedule").modules[0].text


def test_program_is_main_and_has_arguments(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"{FUNCTION}\nimport sys\nif __name__ == '__main__':\n    print(sys.argv)\n    x = schedule()\n",
    )
    result = programs.build("plan.py", "--size", "4")
    assert result.printed == "['plan.py', '--size', '4']\n"
    assert len(result.modules) == 1


@pytest.mark.parametrize(
    "program",
    [
        "def f(a: int, b: list[str] = ()) -> float: ...\nprint(f.__annotations__)",
        "from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    a: int = 1\nprint(fields(A)[0].type)",
        "class A:\n    a: int\n    b: 'str'\nprint(A.__annotations__)",
        "from typing import NamedTuple\nclass A(NamedTuple):\n    a: int\nprint(A.__annotations__)",
        "from __future__ import annotations\ndef f(a: int): ...\nprint(f.__annotations__)",
        "'Words.'\nprint(__doc__, __name__, __file__)",
        "import sys, os\nprint(sys.argv, os.path.realpath(sys.path[0]), sys.modules['__main__'].__dict__ is globals())",
        "print(1_000 // 3, 7 / 2, f'{1 + 1}', 'é'.encode())",
        "x = 1\ndef f():\n    global x\n    x += 1\nf()\nprint(x, eval('x'), [x for _ in range(2)])",
        "import pickle\nclass A: ...\nprint(type(pickle.loads(pickle.dumps(A()))).__module__)",
        "# -*- coding: latin-1 -*-\nprint(len('é'))",
        "import extra\nprint(extra.WORD)",
    ],
)
def test_program_runs_as_python_runs_it(programs: Programs, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    programs.write("plan.py", program)
    programs.write("more/extra.py", "WORD = 'found'\n")
    monkeypatch.chdir(programs.folder)
    monkeypatch.setenv("PYTHONPATH", "more")
    alone = subprocess.run([sys.executable, "plan.py"], capture_output=True, text=True, encoding="utf-8", check=True)
    assert programs.build("plan.py").printed == alone.stdout


@pytest.mark.parametrize(
    "location",
    ["kit.ir.Location.unknown()", 'kit.ir.Location.file("other.txt", 3, 4)', 'kit.ir.Location.name("somewhere")'],
)
def test_own_locations_of_a_program_give_way(programs: Programs, location: str) -> None:
    programs.write(
        "plan.py",
        f"""\
        import kit
        def body(root):
            with {location}:
                matmul = kit.match(root)
            kit.transform.PrintOp(target=matmul, loc={location})
        def schedule():
            return kit.scheduled(body)
        """,
    )
    result = programs.build("plan:schedule")
    assert calls(result, "structured.match")[0][1:3] == [("kit.py", "match", 18), ("plan.py", "body", 4)]
    assert calls(result, "transform.print")[0][0] == ("plan.py", "body", 5)


def test_tracing_of_the_program_itself_changes_nothing(programs: Programs) -> None:
    programs.write(
        "plan.py",
        """\
        import kit
        def schedule():
            with kit.ir.loc_tracebacks(max_depth=1):
                first = kit.scheduled(kit.match)
            return [first, kit.scheduled(kit.tile)]
        """,
    )
    result = programs.build("plan:schedule")
    assert [len(stack) for stack in calls(result, "structured.match")] == [4]
    assert calls(result, "tile_using_for")[0][-1] == ("plan.py", "schedule", 5)


def test_text_that_is_parsed_is_made_where_it_is_parsed(programs: Programs) -> None:
    programs.write(
        "plan.py",
        """\
        import kit
        text = '''
        module attributes {transform.with_named_sequence} {
          transform.named_sequence @f(%r: !transform.any_op) {
            transform.yield
          }
        }'''
        def schedule():
            return kit.ir.Module.parse(text)
        """,
    )
    assert calls(programs.build("plan:schedule"), "transform.yield") == [[("plan.py", "schedule", 9)]]


def test_modules_not_printed_or_returned_are_found(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
{FUNCTION}
def main():
    with kit.ir.Context(), kit.ir.Location.unknown():
        lost = kit.scheduled(kit.match)
        text = kit.ir.Module.parse("module {{}}")
        alone = kit.transform.NamedSequenceOp("alone", [], [])
        with kit.ir.InsertionPoint(alone.body):
            kit.transform.YieldOp([])
main()
""",
    )
    result = programs.build("plan.py")
    assert ["@alone" in module.text for module in result.modules] == [False, True]


def test_module_counts_as_it_is_before_a_pass_changes_it(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
{FUNCTION}
from torch_mlir.passmanager import PassManager
with kit.ir.Context(), kit.ir.Location.unknown():
    module = kit.scheduled(kit.match)
    PassManager.parse("builtin.module(symbol-dce,transform-interpreter)").run(module.operation)
    kit.ir.Operation.parse("module {{}}")
    module.body.operations[0].erase()
""",
    )
    result = programs.build("plan.py")
    assert ["structured.match" in module.text for module in result.modules] == [True]


def test_exception_is_reported_with_its_calls_and_the_modules_built(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
{FUNCTION}
def fail(size):
    return 1 // size
made = schedule()
try:
    fail(0)
except ZeroDivisionError as error:
    raise ValueError("no size") from error
""",
    )
    result = programs.build("plan.py")
    found = problem(result)
    assert (found.kind, found.message, where(found)) == (
        ProblemKind.EXCEPTION,
        "ValueError: no size",
        [("<module>", 17)],
    )
    assert [(note.message, note.stack[0].line) for note in found.notes] == [
        ("caused by: ZeroDivisionError: integer division or modulo by zero", 12)
    ]
    assert not result.is_complete
    assert len(result.modules) == 1


def test_unreadable_program_is_reported_at_its_place(programs: Programs) -> None:
    programs.write("plan.py", "import kit\nvalue = = 3\n")
    found = problem(programs.build("plan.py"))
    assert found.message == "SyntaxError: invalid syntax"
    assert found.stack[0][2:] == (2, 8, 2, 9)


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("sys.exit(3)", "the program ended with exit status 3"),
        ("sys.exit('no matmul')", "the program ended with the words: no matmul"),
        ("os._exit(4)", "the program ended with exit status 4"),
    ],
)
def test_program_that_exits_is_reported_at_the_exit(programs: Programs, ending: str, message: str) -> None:
    programs.write("plan.py", f"{PROGRAM}\nimport os, sys\n{ending}\n")
    result = programs.build("plan.py")
    found = problem(result)
    assert (found.kind, found.message, where(found)) == (ProblemKind.EXIT, message, [("<module>", 14)])
    assert len(result.modules) == 1


@pytest.mark.parametrize("ending", ["sys.exit()", "sys.exit(0)", "os._exit(0)", "raise SystemExit"])
def test_ending_well_is_no_problem(programs: Programs, ending: str) -> None:
    programs.write("plan.py", f"{PROGRAM}\nimport os, sys\n{ending}\n")
    result = programs.build("plan.py")
    assert (result.problems, len(result.modules)) == ((), 1)


needs_fork = pytest.mark.skipif(not isolation.is_available(), reason="there is no fork")


@needs_fork
def test_infinite_loop_is_ended_and_reported_at_its_line(programs: Programs) -> None:
    programs.write(
        "plan.py", f"{PROGRAM}\nwhile True:\n    try:\n        abs(1)\n    except BaseException:\n        pass\n"
    )
    result = programs.build("plan.py", limits=Limits(seconds=3.0))
    found = problem(result)
    assert (found.kind, found.message) == (ProblemKind.TIMEOUT, "it was still running after 3 s")
    assert found.stack[0].line in range(13, 18)
    assert len(result.modules) == 1


@needs_fork
def test_program_that_is_stuck_outside_of_python_is_ended(programs: Programs) -> None:
    programs.write(
        "plan.py", "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True:\n    pass\n"
    )
    found = problem(programs.build("plan.py", limits=Limits(seconds=0.5)))
    assert (found.kind, found.message) == (ProblemKind.TIMEOUT, "it was still running after 0.5 s")
    assert where(found)[0] in {("<module>", 3), ("<module>", 4)}


@needs_fork
def test_flood_of_output_is_ended(programs: Programs) -> None:
    programs.write("plan.py", "while True:\n    print('x' * 1000, flush=True)\n")
    found = problem(programs.build("plan.py", limits=Limits(seconds=20.0, output=100_000)))
    assert (found.kind, where(found)) == (ProblemKind.TOO_MUCH_OUTPUT, [("<module>", 2)])


@needs_fork
def test_crash_is_reported_with_its_calls(programs: Programs) -> None:
    programs.write("plan.py", "import os\ndef crash():\n    os.write(2, b'why\\n') and os.abort()\ncrash()\n")
    found = problem(programs.build("plan.py"))
    assert (found.kind, found.message) == (ProblemKind.CRASH, "signal SIGABRT")
    assert found.help == "before that, the program wrote: why"
    assert where(found) == [("crash", 3), ("<module>", 4)]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_limited(programs: Programs) -> None:
    programs.write("plan.py", "taken = []\nwhile True:\n    taken.append(bytearray(10_000_000))\n")
    found = problem(programs.build("plan.py", limits=Limits(seconds=20.0, memory=100_000_000)))
    assert (found.kind, where(found)) == (ProblemKind.OUT_OF_MEMORY, [("<module>", 3)])


@needs_fork
@pytest.mark.parametrize(
    ("ending", "status"),
    [("raise ValueError", 1), ("os._exit(5)", 5), ("raise SystemExit(6)", 6), ("raise SystemExit('x')", 1)],
)
def test_child_of_the_program_says_nothing_but_its_exit_status(programs: Programs, ending: str, status: int) -> None:
    programs.write("plan.py", f"{PROGRAM}\nimport os\nif os.fork() == 0:\n    {ending}\nprint(os.wait()[1] >> 8)\n")
    result = programs.build("plan.py")
    assert (result.problems, len(result.modules), result.printed) == ((), 1, f"{status}\n")


def test_threads_are_waited_for(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"{FUNCTION}\nimport threading\nkept = []\nthreading.Thread(target=lambda: kept.append(schedule())).start()\n",
    )
    assert len(programs.build("plan.py").modules) == 1


def test_missing_module_is_reported_with_the_python(programs: Programs) -> None:
    programs.write("plan.py", "import mlir_of_nobody.ir\n")
    found = problem(programs.build("plan.py"))
    assert found.message == "ModuleNotFoundError: No module named 'mlir_of_nobody'"
    assert where(found) == [("<module>", 1)]
    assert found.help == (
        f"{sys.executable} does not find `mlir_of_nobody`; "
        "name the Python that has it with `--python` or the setting `run.python`, or set PYTHONPATH"
    )


def test_mlir_means_the_renamed_package_that_is_installed(programs: Programs) -> None:
    kit = (programs.folder / "kit.py").read_text(encoding="utf-8")
    programs.write("kit.py", kit.replace("torch_mlir", "mlir"))
    programs.write("plan.py", f"{FUNCTION}import mlir.ir, torch_mlir.ir\nassert mlir.ir is torch_mlir.ir\nschedule()\n")
    (programs.folder / "mlir" / "lib").mkdir(parents=True)
    result = programs.build("plan.py")
    assert (result.problems, len(result.modules)) == ((), 1)
    assert result.note == "`mlir` is not installed: it means `torch_mlir` in this check"
    programs.write("mlir/__init__.py", "")
    assert problem(programs.build("plan.py")).message.startswith("ImportError: cannot import name 'ir' from 'mlir'")


@pytest.mark.parametrize("folder", ["", "src/", "python/"])
def test_package_of_the_project_itself_is_found(programs: Programs, folder: str) -> None:
    programs.write(f"{folder}shop/__init__.py", "")
    programs.write("examples/plan.py", "import shop.plans\n")
    found = problem(programs.build("examples/plan.py"))
    place = str(programs.folder / folder)
    assert found.help is not None
    assert found.help.endswith(f"; it is in {place}: install that project, or set PYTHONPATH={place}")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("nothing.py", "cannot be read: No such file or directory"),
        ("nothing:f", "there is no module nothing"),
        ("kit:schedule", "the module kit has no schedule; did you mean scheduled?"),
        ("kit:HEAD", "the module kit has no HEAD"),
    ],
)
def test_missing_entry_is_reported(programs: Programs, entry: str, message: str) -> None:
    found = problem(programs.build(entry))
    assert (found.kind, found.message) == (ProblemKind.NO_ENTRY, message)


def test_program_that_builds_nothing_is_reported(programs: Programs) -> None:
    programs.write("plan.py", "import kit\n")
    programs.write("other.py", "import json\n")
    assert problem(programs.build("plan.py")).message.startswith("no script was built: no module")
    assert "`tdls check` checks its strings" in problem(programs.build("other.py")).message


def test_bindings_that_are_too_old_are_reported(programs: Programs) -> None:
    """They are known by their folder with libraries; these are stand-ins for the module `ir` of older ones."""
    programs.write("mlir/_mlir_libs/__init__.py", "")
    programs.write("mlir/__init__.py", "")
    programs.write(
        "mlir/ir.py",
        """\
        class Module: pass
        class Operation: pass
        class OpView: pass
        """,
    )
    programs.write("plan.py", "import mlir.ir\n")
    found = problem(programs.build("plan.py"))
    assert found.kind is ProblemKind.NO_BINDINGS
    assert "loc_tracebacks" in found.message


def test_python_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    result = build(BuildRequest("plan.py", str(tmp_path), str(tmp_path / "python")))
    assert (problem(result).kind, result.modules) == (ProblemKind.NO_BINDINGS, ())


def test_refusals_of_the_verifier_have_calls(programs: Programs) -> None:
    programs.write(
        "plan.py",
        """\
        import kit
        def schedule():
            module = kit.scheduled(lambda root: None)
            del module.operation.attributes["transform.with_named_sequence"]
            return module
        """,
    )
    result = programs.build("plan:schedule")
    found = problem(result)
    assert found.kind is ProblemKind.VERIFIER
    assert "transform.with_named_sequence" in found.message
    assert where(found)[:2] == [("__init__", found.stack[0].line), ("scheduled", 11)]
    assert result.modules[0].text.startswith('"builtin.module"')
    assert calls(result, "transform.yield")[0][1] == ("kit.py", "scheduled", 14)


def test_program_cannot_write_outside_of_its_folder_nor_start_programs(programs: Programs) -> None:
    programs.write("plan.py", "from pathlib import Path\nPath(__file__).with_name('new').touch()\n")
    found = problem(programs.build("plan.py"))
    assert not (programs.folder / "new").exists()
    assert found.message.startswith("PermissionError")
    assert "docs/security.md" in (found.help or "")


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="Linux only, as docs/security.md says")
GREEDY = {
    "raises its limit": "resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)",
    "raises it by another way": "resource.prlimit(0, resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)",
    "raises that of files": "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)",
    "raises that of its parent": "resource.prlimit(os.getppid(), resource.RLIMIT_DATA, (1 << 30,) * 2)",
    "leaves its group": "os.setpgid(0, 0)",
    "leaves its session": "os.setsid()",
    "has its parent wait": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "has all others wait": "os.setpriority(os.PRIO_USER, 0, 19)",
    "ends its parent": "os.kill(os.getppid(), 9)",
}


@linux_only
@pytest.mark.skipif(not protection().filters_calls, reason="this system filters no calls")
@pytest.mark.parametrize("name", GREEDY)
def test_program_cannot_raise_limits_nor_reach_other_processes(name: str, programs: Programs) -> None:
    if name == "ends its parent" and protection().version < linux.FIRST_WITH_SIGNALS:
        pytest.skip("the kernel lets it")
    programs.write(
        "plan.py",
        f"""\
        import os, resource, sys
        try:
            {GREEDY[name]}
        except (OSError, ValueError):
            sys.exit("refused")
        """,
    )
    found = problem(programs.build("plan.py", limits=Limits(seconds=20.0, memory=300_000_000)))
    assert found.message == "the program ended with the words: refused"


TOGETHER = {
    "shared memory": """\
        import mmap, time
        taken = [mmap.mmap(-1, 50_000_000) for _ in range(8)]
        for each in taken:
            each.write(b"x" * 50_000_000)
        time.sleep(60)
        """,
    "several processes": """\
        import os, time
        children = [os.fork() for _ in range(3)]
        taken = bytearray(b"x" * 60_000_000)
        time.sleep(60)
        """,
}


@linux_only
@pytest.mark.parametrize("name", TOGETHER)
def test_memory_of_all_processes_is_limited(name: str, programs: Programs) -> None:
    programs.write("plan.py", TOGETHER[name])
    result = programs.build("plan.py", limits=Limits(seconds=50.0, memory=150_000_000))
    found = problem(result)
    assert (found.kind, found.message) == (
        ProblemKind.OUT_OF_MEMORY,
        "its processes needed more than 143 MiB together",
    )
    assert result.first is not None
    assert result.first.line == 1


def test_program_that_has_less_than_its_limits_is_let_be(programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
{FUNCTION}
import os, tempfile, time
taken = bytearray(b"x" * 60_000_000)
children = [os.fork() for _ in range(3)] if hasattr(os, "fork") else []
if 0 in children:
    time.sleep(1)
    os._exit(0)
with tempfile.TemporaryFile() as file:
    file.write(taken)
    time.sleep(0.6)
x = schedule()
""",
    )
    limits = Limits(seconds=50.0, memory=300_000_000, files=200_000_000)
    assert programs.build("plan.py", limits=limits).problems == ()


FILES = {
    "files": """open(f"{tempfile.gettempdir()}/{number}", "wb").write(b"x" * 1_000_000)""",
    "files without a name": """kept.append(tempfile.TemporaryFile()); kept[-1].write(b"x" * 1_000_000)""",
    "empty files": """open(f"{tempfile.gettempdir()}/{number}", "wb").close()""",
    "folders in folders": """os.mkdir("x" * 200); os.chdir("x" * 200)""",
}


@pytest.mark.parametrize("name", FILES)
def test_temporary_files_are_limited_together(name: str, programs: Programs) -> None:
    if "without" in name and sys.platform != "linux":
        pytest.skip("Linux only; docs/security.md says what holds elsewhere")
    programs.write(
        "plan.py",
        f"""\
        import os, tempfile, time
        kept = []
        os.chdir(tempfile.gettempdir())
        for number in range(30_000):
            {FILES[name]}
            if len(kept) > 100:
                break
        time.sleep(60)
        """,
    )
    found = problem(programs.build("plan.py", limits=Limits(seconds=50.0, files=50_000_000)))
    assert found.message == "its temporary files had more than 47.7 MiB together"
    assert found.kind is ProblemKind.TOO_MUCH_OUTPUT


@linux_only
@pytest.mark.parametrize("ending", ["pass", "os.abort()", "time.sleep(60)"])
def test_no_process_outlives_the_run(ending: str, programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
        import os, sys, time
        reader, writer = os.pipe()
        if os.fork() == 0:
            try:
                os.setsid()
            except OSError:
                pass
            if os.fork() == 0:
                os.write(writer, str(os.getpid()).encode())
                time.sleep(300)
            os._exit(0)
        print(os.read(reader, 20).decode(), flush=True)
        {ending}
        """,
    )
    result = programs.build("plan.py", limits=Limits(seconds=3.0))
    assert eventually(lambda: not is_alive(int(result.printed)))


FORGED = {
    "no JSON": b"nonsense",
    "other JSON": b"[1, 2]",
    "other types": b'{"problem": {"kind": "exception", "message": 1, "stack": [], "notes": []}}',
    "an unknown kind": b'{"problem": {"kind": "x", "message": "", "stack": [], "notes": []}}',
    "deep": b"[" * 100_000,
    "calls that are none": b'{"first": ["x"], "modules": []}',
}


@needs_fork
@pytest.mark.parametrize("name", FORGED)
def test_report_that_the_program_wrote_is_refused(name: str, programs: Programs) -> None:
    programs.write(
        "plan.py",
        f"""\
        import os
        for number in range(3, 40):
            try:
                if os.readlink(f"/proc/self/fd/{{number}}").endswith("(deleted)"):
                    os.ftruncate(number, 0)
                    os.pwrite(number, {FORGED[name]!r}, 0)
            except OSError:
                pass
        os.kill(os.getpid(), 0)
        import signal
        signal.setitimer(signal.ITIMER_REAL, 0)
        import ctypes
        ctypes.CDLL(None)._exit(0)
        """,
    )
    found = problem(programs.build("plan.py"))
    assert found.kind is ProblemKind.CRASH
    assert found.message.startswith("the report of the program cannot be read: ")


def test_modules_that_are_too_many_are_counted(programs: Programs) -> None:
    programs.write("plan.py", PROGRAM.replace("built =", "built = [schedule(count) for count in range(203)], "))
    assert programs.build("plan.py").note == "only 200 modules with scripts are checked, 4 more are not"
