"""What is compiled for wheels keeps to what mypyc can do."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from checkout.places import ROOT
from compiling.acyclic import with_acyclic_classes, without_putting_off
from compiling.constants import with_final_constants
from compiling.constructors import dataclass_names, with_constructors
from compiling.field_types import missing_types
from compiling.unused_arguments import without_deletions

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER = ROOT / "server"
OF_PYTHON = {"ABC", "Enum", "Exception", "Generic", "NamedTuple", "Protocol", "ValueError"}


def compiled_modules() -> set[Path]:
    """The modules that `pyproject.toml` lets the build compile."""
    settings: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    included, excluded = (
        {path for pattern in hook[key] for path in SERVER.glob(pattern)} for key in ("modules", "without")
    )
    assert excluded <= included
    return included - excluded


@cache
def classes_of(module: Path) -> list[ast.ClassDef]:
    code = module.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(code)) if "class" in code else ()
    return [node for node in nodes if isinstance(node, ast.ClassDef)]


def bases_of(class_: ast.ClassDef) -> Iterator[str]:
    for base in class_.bases:
        yield ast.unparse(base.value if isinstance(base, ast.Subscript) else base)


def test_types_of_fields_are_found_when_a_class_is_made() -> None:
    found = {path: missing_types(path.read_text(encoding="utf-8")) for path in compiled_modules()}
    assert {path: fields for path, fields in found.items() if fields} == {}


def test_a_type_that_only_checkers_see_is_found() -> None:
    code = """
if TYPE_CHECKING:
    from pathlib import Path
    import elsewhere

@dataclass(frozen=True)
class Place:
    path: Path
    far: elsewhere.Path
    other: Path | None
    call: Callable[[Path], None]

class Pair(NamedTuple):
    first: Path
    second: int

class Plain:
    path: Path
"""
    assert missing_types(code) == ["Place.path", "Place.far", "Pair.first"]


def views_behind_operators(code: str) -> list[str]:
    """Operations of sets whose right side is a view of a dictionary, and whose left side is none."""
    operations = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.BinOp)]
    return [ast.unparse(node) for node in operations if is_view(node.right) and not is_view(node.left)]


def is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"keys", "items"}


def test_sets_stay_what_they_are() -> None:
    """A frozen set without the keys of a dictionary is one to mypy, and none to Python, which compiled code refuses."""
    assert views_behind_operators("a - b.keys()\na.keys() - b\na.keys() & b.keys()\na - b") == ["a - b.keys()"]
    found = {path: views_behind_operators(path.read_text(encoding="utf-8")) for path in compiled_modules()}
    assert {path: operations for path, operations in found.items() if operations} == {}


def generators(code: str) -> set[str]:
    """The names of functions that yield."""
    functions = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions if any(isinstance(node, ast.Yield) for node in ast.walk(function))}


def looked_for_in_calls(code: str) -> set[str]:
    """The names of functions in whose answer something is looked for by `in`."""
    compared = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Compare)]
    calls = [
        operand.func
        for node in compared
        for operator, operand in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(operand, ast.Call)
    ]
    return {call.attr if isinstance(call, ast.Attribute) else ast.unparse(call) for call in calls}


def test_nothing_is_looked_for_in_generators() -> None:
    """Compiled ones do not know `in`, outside of loops."""
    assert looked_for_in_calls("a in b.c(1) or a not in d() or a in e") == {"c", "d"}
    code = [path.read_text(encoding="utf-8") for path in compiled_modules()]
    assert set().union(*map(generators, code)) & set().union(*map(looked_for_in_calls, code)) == set()


IMPORTED = """
import importlib, os, sys
for name in sys.argv[1:]:
    process = os.fork()
    if process == 0:
        importlib.import_module(name)
        os._exit(0)
    if os.waitpid(process, 0)[1] != 0:
        print(name)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process for each module")
def test_each_can_be_the_first_that_is_imported() -> None:
    """What a compiled module misses ends the process; modules in Python are asked nothing."""
    paths = [path.relative_to(SERVER).with_suffix("") for path in compiled_modules() if path.name != "__init__.py"]
    names = [".".join(path.parts) for path in paths]
    compiled = [name for name in names if str(find_spec(name).origin).endswith((".so", ".pyd"))]  # type: ignore[union-attr]
    command = [sys.executable, "-c", IMPORTED, *compiled]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == ([], "")


def names_from_tdls(module: Path) -> set[str]:
    nodes = ast.walk(ast.parse(module.read_text(encoding="utf-8")))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tdls")]
    return {alias.asname or alias.name for node in imports for alias in node.names}


def test_what_is_compiled_inherits_from_nothing_else() -> None:
    compiled = compiled_modules()
    allowed = {class_.name for module in compiled for class_ in classes_of(module)} | OF_PYTHON
    bases = {(module, class_.name): set(bases_of(class_)) for module in compiled for class_ in classes_of(module)}
    assert {place: others for place, found in bases.items() if (others := found - allowed)} == {}


def test_what_is_not_compiled_inherits_from_nothing_compiled() -> None:
    compiled = compiled_modules()
    names = {class_.name for module in compiled for class_ in classes_of(module)}
    for module in set(SERVER.rglob("*.py")) - compiled:
        inherited = names & {base for class_ in classes_of(module) for base in bases_of(class_)}
        assert not inherited or not inherited & names_from_tdls(module), module


def test_constants_are_declared_and_lines_stay_where_they_are() -> None:
    code = """\
from __future__ import annotations

LIMIT = 3
_NAMES: dict[str, int] = {}
_T = TypeVar("_T")
Alias = int
FINAL: Final = 1
"""
    declared = with_final_constants(code)
    assert declared.splitlines()[1:] == [
        "",
        "LIMIT: _Final = 3",
        "_NAMES: _Final[dict[str, int]] = {}",
        '_T = TypeVar("_T")',
        "Alias = int",
        "FINAL: Final = 1",
    ]
    assert declared.splitlines()[0].endswith("import Final as _Final")


def test_arguments_are_not_deleted_and_lines_stay_where_they_are() -> None:
    code = "def check(context, operation):\n    del context, operation\n    del known[3:], known.other\n    yield 1\n"
    assert without_deletions(code) == code.replace("del context, operation", "pass")


RECORDS = """\
from __future__ import annotations

from elsewhere import Far


@dataclass(slots=True)
class Near:
    start: int
    end: int = 0
    \"\"\"Where it ends.\"\"\"

    def size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Named(Near):
    name: str | None = None
    parts: list[str] = field(default_factory=list)


class Plain:
    name: str


@dataclass
class Farther(Far):
    more: int


@dataclass
class Checked:
    more: int

    def __post_init__(self) -> None: ...
"""


def test_constructors_are_written_and_lines_stay_where_they_are() -> None:
    assert dataclass_names(RECORDS) == {"Near", "Named", "Farther", "Checked"}
    written = with_constructors(RECORDS, {"Far", "Near", "Named"}).splitlines()
    near, named = [line for line, other in zip(written, RECORDS.splitlines(), strict=True) if line != other]
    places = "start: int, end: int = 0"
    set_places = "self.start = start; self.end = end"
    others = "name: str | None = None, parts: list[str] | None = None"
    set_others = "self.name = name; self.parts = list() if parts is None else parts"
    assert near == f"    def __init__(self, {places}) -> None: {set_places}  # type: ignore"
    assert named == f"    def __init__(self, {places}, {others}) -> None: {set_places}; {set_others}  # type: ignore"


def test_acyclic_classes_are_declared_and_lines_stay_where_they_are() -> None:
    declared, before = with_acyclic_classes(RECORDS).splitlines(), RECORDS.splitlines()
    changed = [number for number, line in enumerate(declared) if line != before[number]]
    assert len(declared) == len(before)
    assert [declared[number] for number in changed[1:]] == ["@_mypyc_attr(acyclic=True)"] * 5
    assert [before[number + 1].split("(")[0] for number in changed[1:]] == [
        "@dataclass", "@dataclass", "class Plain:", "@dataclass", "@dataclass"
    ]  # fmt: skip


FREEING = """\
static void
use_dealloc(UseObject *self)
{
    CPy_TRASHCAN_BEGIN(self, use_dealloc)
    CPyDef_use_clear((PyObject *)self);
    Py_TYPE(self)->tp_free((PyObject *)self);
    CPy_TRASHCAN_END(self)
    done: ;
}
"""


def test_objects_without_a_note_for_the_collector_are_freed_at_once() -> None:
    kept = [line for line in FREEING.splitlines(keepends=True) if "TRASHCAN" not in line]
    assert without_putting_off(FREEING) == "".join(kept)
    tracked = FREEING.replace("{\n", "{\n    PyObject_GC_UnTrack(self);\n")
    assert without_putting_off(FREEING + tracked) == "".join(kept) + tracked
