"""A check that is made again says what it said, quickly, and looks again whatever has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fork_server import code_command
from tdls.analysis.rules import find_rule
from tdls.caching.place import quick_folder
from tdls.caching.user_cache import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere every check looks")

USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD, GOOD = USE_AFTER_FREE.example_bad, USE_AFTER_FREE.example_good
PREPARED = "import sys\nimport tdls.files.looks as looks\nfrom tdls.cli.main import main\n"
TRUSTING = PREPARED + "looks._SAFE_AGE = -(1 << 62)\n"
"""What was written just before counts as old: tests do not wait."""
NOTES = """
import tdls.cli.main as entry
looked = []
def look(arguments, run=entry._run):
    looked.append(arguments)
    return run(arguments)
entry._run = look
status = main()
print("looked" if looked else "again", file=sys.stderr)
sys.exit(status)
"""
CALLED = (
    "module attributes {transform.with_named_sequence} {\n"
    "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
    "    transform.include @elsewhere failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    "    transform.yield\n  }\n}\n"
)
LIBRARY = (
    "module attributes {transform.with_named_sequence} {\n"
    "  transform.named_sequence @elsewhere(%root: !transform.any_op {transform.readonly}) {\n"
    "    transform.yield\n  }\n}\n"
)
RECORD = """
def Own_TouchOp : Op<Transform_Dialect, "own.touch", [
    DeclareOpInterfaceMethods<TransformOpInterface>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "around" / "project"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    Path(".git").mkdir()
    Path("scripts", "deep").mkdir(parents=True)
    Path("scripts", "bad.mlir").write_text(BAD, encoding="utf-8")
    Path("scripts", "deep", "good.mlir").write_text(GOOD, encoding="utf-8")
    return project


@pytest.fixture
def _with_bindings_known(known_bindings: Path) -> None:
    """What tdls makes of MLIR's bindings is known, as it is to people from the second check on."""
    shutil.copytree(known_bindings, os.environ["TDLS_CACHE_DIR"])


knows_bindings = pytest.mark.usefixtures("_with_bindings_known")


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = f"{code}\nsys.exit(status)\n"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)


def check(*arguments: str) -> tuple[str, int, str]:
    """Return what a check says, its exit status, and whether it looked or said it again."""
    done = subprocess.run([*code_command(TRUSTING + NOTES), *arguments], capture_output=True, text=True, check=False)
    return done.stdout, done.returncode, done.stderr


def test_the_same_is_said_again_with_nothing_imported() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        + TRUSTING
        + "status = main()\nprint(*set(sys.modules) - before, file=sys.stderr)"
    )
    first, second = (run(code, "--check", "scripts", "--format=concise") for _ in range(2))
    assert first.returncode == second.returncode == 1
    assert first.stdout == second.stdout != ""
    loaded = second.stderr.splitlines()[-1].split()
    heavy = {"click", "typing", "re", "dataclasses", "pathlib", "json", "lark", "hashlib"}
    assert heavy.isdisjoint(loaded)
    assert {name for name in loaded if name.startswith("tdls.")} == {
        *("tdls.cli", "tdls.cli.main", "tdls.cli.repeated", "tdls.cli.console", "tdls.cli.console.streams"),
        *(
            "tdls.caching",
            "tdls.caching.digest",
            "tdls.caching.place",
            "tdls.files",
            "tdls.files.looks",
            "tdls.files.remembered",
        ),
    }


def test_an_edited_script_needs_neither_grammars_nor_what_reads_sources(folder: Path) -> None:
    needless = ["lark", "pygls", "concurrent.futures", "tdls.catalogue.sources.tablegen"]
    needless += ["tdls.catalogue.sources.cpp", "tdls.catalogue.sources.python_modules"]
    code = PREPARED + f"status = main()\nprint(sys.modules.keys() & {set(needless)} or 'none', file=sys.stderr)"
    script = (
        "module attributes {transform.with_named_sequence} {\n  transform.named_sequence @__transform_main(%root:"
        ' !transform.any_op) {\n    %0 = transform.structured.match ops{["linalg.matmul"]} in %root'
        " : (!transform.any_op) -> !transform.any_op\n    transform.print %0 : !transform.any_op\n"
        "    transform.yield\n  }\n}\n"
    )
    for number in range(2):
        (folder / "new.mlir").write_text(f"// {number}\n{script}", encoding="utf-8")
        done = run(code, "--check", "new.mlir")
    assert (done.stdout, done.stderr) == ("no findings in 1 file\n", "none\n")


def test_messages_are_said_again(folder: Path) -> None:
    (folder / "tdls.toml").write_text('rules.nonsense = "error"\n', encoding="utf-8")
    (folder / "empty").mkdir()
    first, second = check("--check", "scripts", "empty"), check("--check", "scripts", "empty")
    assert first[2].count("warning: ") == 2
    assert second == (first[0], first[1], first[2].replace("looked", "again"))


def test_what_was_written_just_before_may_change_unseen() -> None:
    for _ in range(2):
        done = run(PREPARED + "status = main(); print('tdls.cli.command_line' in sys.modules)", "--check", "scripts")
        assert done.stdout.endswith("True\n")


def _write(name: str, text: str) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return write


def _rewrite_in_place(folder: Path) -> None:
    """Change one letter; the size stays, and so does the time that people see."""
    file = folder / "scripts" / "bad.mlir"
    state = file.stat()
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("%matmul", "%matmuI"), encoding="utf-8")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def _link(folder: Path) -> None:
    shutil.move(folder, folder.parents[1] / "moved")
    folder.symlink_to(folder.parents[1] / "moved")
    os.chdir(folder)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a script": _rewrite_in_place,
    "a script less": lambda folder: (folder / "scripts" / "deep" / "good.mlir").unlink(),
    "a script more": _write("scripts/deep/more.mlir", BAD),
    "a folder more": _write("scripts/new/more.mlir", BAD),
    "a script with another name": lambda folder: (folder / "scripts" / "bad.mlir").rename(
        folder / "scripts" / "b.mlir"
    ),
    "settings": _write("tdls.toml", "ignore = ['all']\n"),
    "settings beside scripts": _write("scripts/deep/tdls.toml", "ignore = ['all']\n"),
    "settings around": _write("../tdls.toml", "ignore = ['all']\n"),
    "settings of other tools": _write("pyproject.toml", "[tool.tdls]\nignore = ['all']\n"),
    "rules of git": _write(".gitignore", "deep\n"),
    "rules of git in a folder": _write("scripts/.gitignore", "deep\n"),
    "a repository inside": lambda folder: (folder / "scripts" / "deep" / ".git").mkdir(),
    "definitions": _write("include/Own.td", RECORD),
    "an environment": _write(".venv/lib/python3.11/site-packages/mlir/dialects/_own_ops_gen.py", ""),
    "where the folder is": _link,
    "the permissions": lambda folder: (folder / "scripts" / "bad.mlir").chmod(0o600),
}


@knows_bindings
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_looked_at(change: Callable[[Path], object], folder: Path) -> None:
    assert check("--check", "scripts")[2] == "looked\n"
    assert check("--check", "scripts")[2] == "again\n"
    change(folder)
    after = check("--check", "scripts")
    assert after[2].endswith("looked\n")
    assert after[:2] == check("--check", "scripts", "--no-cache")[:2]


@knows_bindings
@pytest.mark.parametrize("variable", ["NO_COLOR", "VIRTUAL_ENV", "HOME"])
def test_variables_count(variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert [check("--check", "scripts")[2] for _ in range(2)] == ["looked\n", "again\n"]
    monkeypatch.setenv(variable, str(tmp_path))
    assert check("--check", "scripts")[2] == "looked\n"


@knows_bindings
@pytest.mark.parametrize(
    "options",
    [["--no-cache"], ["--output-file=found.txt"], ["--fix"], ["--write-baseline", "--baseline=known.json"], ["-"]],
    ids=" ".join,
)
def test_who_does_more_than_look_does_it_again(options: list[str]) -> None:
    for _ in range(2):
        assert check("--check", "scripts", *options)[2].endswith("looked\n")


@knows_bindings
def test_libraries_and_definitions_of_all_kinds_count(folder: Path) -> None:
    (folder / "tdls.toml").write_text("libraries = ['lib/*.mlir']\ncatalogues = ['own.tdls.json']\n", encoding="utf-8")
    (folder / "own.tdls.json").write_text('{"tdls-catalogue": 1}', encoding="utf-8")
    (folder / "lib").mkdir()
    (folder / "scripts" / "calls.mlir").write_text(CALLED, encoding="utf-8")
    arguments = ["--check", "scripts/calls.mlir", "--possible"]
    assert [check(*arguments)[2].splitlines()[-1] for _ in range(2)] == ["looked", "again"]
    for name in ("lib/library.mlir", "other.mlir"):
        (folder / name).write_text(LIBRARY, encoding="utf-8")
        assert [check(*arguments)[2].splitlines()[-1] for _ in range(2)] == ["looked", "again"]
    (folder / "own.tdls.json").write_text("{}", encoding="utf-8")
    assert check(*arguments)[2].splitlines()[-1] == "looked"


def _plain(folder: Path) -> None:
    del folder


def _with_everything(folder: Path) -> None:
    """Give the project something of each kind that is looked for."""
    for name, text in {
        "base.toml": "possible = true\n",
        "tdls.toml": "extend = 'base.toml'\nlibraries = ['lib', 'more/**/*.mlir']\nexclude = ['left/out']\n"
        "project.definitions = ['defs/*.td']\nproject.include = ['inc']\n",
        "lib/library.mlir": LIBRARY,
        "more/deep/other.mlir": LIBRARY.replace("@elsewhere", "@other"),
        "scripts/calls.mlir": "// RUN: mlir-opt %s "
        "--transform-preload-library='transform-library-paths=%S/named.mlir'\n"
        + CALLED.replace("@elsewhere", "@nowhere"),
        "scripts/with_payload.mlir": "// tdls: payload=payload.mlir\n" + LIBRARY + "// match\n",
        "scripts/without_payload.mlir": "// tdls: payload=none.mlir\n" + LIBRARY + "// match\n",
        "scripts/payload.mlir": "func.func private @f()\n",
        "unnamed.mlir": LIBRARY.replace("@elsewhere", "@nowhere"),
        "left/out/bad.mlir": BAD,
        ".gitignore": "ignored\n",
        "defs/Own.td": 'include "Common.td"\n' + RECORD,
        "inc/Common.td": "",
        "lib/Own.cpp": "void OwnTouchOp::getEffects() {}\n",
        "inner/.git/HEAD": "",
        "inner/include/Inner.td": "",
        "dialect.irdl": "irdl.dialect @own {}\n",
        "python/own.py": "class Own: pass\n",
        "own.tdls.json": "{}",
        ".venv/pyvenv.cfg": "",
        ".venv/lib/python3.11/site-packages/own/dialects/_own_ops_gen.py": "",
    }.items():
        _write(name, text)(folder)
    (folder / "linked.mlir").symlink_to("scripts/bad.mlir")
    (folder / "lost.mlir").symlink_to("nowhere.mlir")
    (folder / "linked").symlink_to("scripts")


WATCHED = """
import os, sys
seen = set()
def watch(name):
    original = getattr(os, name)
    def watched(path=".", *arguments, **options):
        if not isinstance(path, int):
            seen.add(os.path.join(os.getcwd(), os.fspath(path)))
        return original(path, *arguments, **options)
    setattr(os, name, watched)
for name in ("stat", "lstat", "scandir", "listdir", "open", "readlink"):
    watch(name)
"""
UNCOVERED = """
noted = {}
original = looks.end
def end():
    found = original()
    if found is not None:
        looks_of_check = set(seen)
        found._follow_ends()
        noted.update(found._found)
        noted["seen"] = looks_of_check
    return found
looks.end = end
status = main()
seen_then = noted.pop("seen")
noted.update(sys.modules["tdls.files.remembered"]._own_looks()._found)
states = {path for kind, path in noted if kind == "s"}
ends = {path + "/" for kind, path in noted if kind == "e"}
known = {path for _, path in noted}
cache = os.environ["TDLS_CACHE_DIR"]
own = cache, sys.base_prefix, *__import__("tdls").__path__
def is_covered(path):
    return (path in known or path == os.path.dirname(cache) or os.path.dirname(path) in states or path.startswith(own)
            or any(end.startswith(path.rstrip("/") + "/") for end in ends))
print(*sorted(path for path in seen_then if not is_covered(path)), sep="\\n", file=sys.stderr)
"""


@pytest.mark.parametrize("prepare", [_plain, _with_everything])
@pytest.mark.parametrize(
    "arguments", [["."], ["scripts/bad.mlir"], ["scripts/calls.mlir", "linked.mlir"]], ids=" ".join
)
def test_all_that_is_looked_at_is_noted(prepare: Callable[[Path], None], arguments: list[str], folder: Path) -> None:
    prepare(folder)
    code = WATCHED + TRUSTING + UNCOVERED
    for _ in range(2):  # with nothing kept, and with everything
        Path("scripts", "deep", "new.mlir").write_text(GOOD, encoding="utf-8")
        done = run(code, "--check", *arguments, "--possible")
        assert done.returncode in {0, 1, 2}
        assert "Traceback" not in done.stderr
        lines = done.stderr.strip().splitlines()
        assert [line for line in lines if line.startswith("/")] == []


def test_the_folder_is_found_as_quickly_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = cache_folder()
    assert folder is not None
    assert quick_folder() == str(folder)
    monkeypatch.delenv("TDLS_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    for caches in ("", str(tmp_path / "caches")):
        monkeypatch.setenv("XDG_CACHE_HOME", caches)
        found = cache_folder()
        assert sys.platform == "darwin" or quick_folder() == str(found)
    assert found is not None
    found.chmod(0o777)
    assert quick_folder() is None


def test_a_mistake_of_the_quick_way_is_told_as_all_are() -> None:
    broken = f"{PREPARED}from tdls.cli import repeated\nrepeated.say_again = lambda _: 1 / 0\nsys.exit(main())\n"
    command = [sys.executable, "-c", broken, "--check", "scripts"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "internal error: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr
