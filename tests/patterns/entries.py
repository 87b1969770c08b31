"""Functions through which untrusted texts enter tdls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from catalogue.sources.tablegen.projects import read_text
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.sources.cpp.reading import read_source
from tdls.catalogue.sources.python_modules import read_module
from tdls.cli.checking.verification import verify
from tdls.ide.code_lens import code_lenses
from tdls.ide.folding_range import folding_ranges
from tdls.ide.formatting.formatting import format_file
from tdls.ide.semantic_tokens import semantic_tokens
from tdls.ide.snapshot import Snapshot
from tdls.ide.symbols import document_symbols
from tdls.interpreter.observing.origins import origins
from tdls.interpreter.output.diagnostics import read_diagnostics
from tdls.interpreter.output.taken_diagnostics import callers
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.locations import first_place
from tdls.semantic.run_lines import instructions
from tdls.settings.toml import line_of_key
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Callable

_CATALOGUE: Final = Catalogue.shipped()
_URI: Final = "file:///a.mlir"
_KEY: Final = ("tool", "tdls", "rules")


def _file(text: str) -> SourceFile:
    return SourceFile.of(text, _CATALOGUE)


def _in_sequence(text: str) -> str:
    return f"module {{\n  transform.named_sequence @a(%x: !transform.any_op) {{\n    {text}\n  transform.yield }}\n}}\n"


def _planned(text: str) -> None:
    entry_points(_file(text))
    instructions(text)


def _shown(text: str) -> None:
    snapshot = Snapshot({_URI: _file(text)}, _CATALOGUE)
    document_symbols(snapshot, _URI)
    code_lenses(snapshot, _URI)
    folding_ranges(snapshot, _URI)
    list(semantic_tokens(snapshot, _URI))


def _printed(text: str) -> None:
    read_diagnostics(text, {})
    origins(text, text)
    callers(text)
    first_place(text)


ENTRIES: Final[dict[str, Callable[[str], object]]] = {
    "check": lambda text: findings_in_file(_file(text)),
    "check in a sequence": lambda text: findings_in_file(_file(_in_sequence(text))),
    "check behind a name": lambda text: findings_in_file(_file(_in_sequence(f'"a" {text}'))),
    "check in a comment": lambda text: findings_in_file(_file(f"// {text}\nmodule {{\n}}\n")),
    "check in a string": lambda text: findings_in_file(_file(_in_sequence(f'transform.a %x "{text}'))),
    "editor": _shown,
    "editor in a sequence": lambda text: _shown(_in_sequence(text)),
    "formatting": lambda text: format_file(_file(_in_sequence(text))),
    "plan": _planned,
    "plan in a RUN line": lambda text: _planned(f"// RUN: tdls {text}\nmodule {{\n}}\n"),
    "verification": lambda text: verify(f"// expected-error {text}{{{{a}}}}\n{text}", ()),
    "TableGen": read_text,
    "C++": lambda text: read_source(Path("a.cpp"), text),
    "C++ in a function": lambda text: read_source(Path("a.cpp"), f"void A::getEffects(int e) {{\n{text}\n}}\n"),
    "Python": lambda text: read_module(Path("a.py"), text),
    "Python in a class": lambda text: read_module(Path("a.py"), f'class A(Operation, name="a.b"):\n  {text}\n'),
    "generated Python": lambda text: read_module(
        Path("a.py"), f'class A(OpView):\n  OPERATION_NAME = "a.b"\n  {text}\n'
    ),
    "TOML": lambda text: line_of_key(f'[tool.tdls]\n{text}\na = """\n{text}', _KEY),
    "lists": integers_in,
    "what tools print": _printed,
}


_PLACES: Final = {
    "TableGen": ("catalogue/sources/tablegen/", "catalogue/sources/ods/"),
    "C++": ("catalogue/sources/cpp/",),
    "C++ in a function": ("catalogue/sources/cpp/",),
    "Python": ("catalogue/sources/python_modules/", "project/scanning/reading.py"),
    "Python in a class": ("catalogue/sources/python_modules/", "project/scanning/reading.py"),
    "generated Python": ("catalogue/sources/python_modules/", "project/scanning/reading.py"),
    "TOML": ("settings/",),
    "verification": ("cli/",),
    "what tools print": ("interpreter/",),
    "lists": ("analysis/meaning/payload_names.py", "analysis/handles/"),
    "plan in a RUN line": ("semantic/run_lines.py", "text/", "interpreter/"),
}
_SCRIPTS: Final = (
    "syntax/",
    "semantic/",
    "analysis/",
    "ide/",
    "interpreter/runs/entry_points.py",
)


def places_of(name: str) -> tuple[str, ...]:
    """Return where in the package the patterns are that an entry leads to."""
    return _PLACES.get(name, _SCRIPTS)
