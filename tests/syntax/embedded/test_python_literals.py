"""Compares the string literals that tdls finds in Python programs with those of Python's own parser."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tdls.syntax.embedded.masking import masked_program
from tdls.syntax.embedded.python_literals import StringConstant, StringFilling, string_constants

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
_EVERY = 15


def library_files() -> list[Path]:
    """Every fifteenth module of Python's own library."""
    folders = (LIBRARY, *(LIBRARY / name for name in ("asyncio", "test", "idlelib", "email", "json", "unittest")))
    return sorted(path for folder in folders for path in folder.glob("*.py"))[::_EVERY]


def spans_of_parser(source: str) -> set[tuple[int, int]]:
    """Return starts and ends of strings, without those within f-strings."""
    tree, data = ast.parse(source), source.encode()
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inner = {id(part) for node in joined for part in ast.walk(node) if part is not node}
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in inner)
    strings = (node for node in nodes if is_string(node))
    return {
        (
            len(data[: starts[node.lineno - 1] + node.col_offset].decode()),
            len(data[: starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)].decode()),
        )
        for node in strings
    }


def is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def spans_of_tdls(source: str) -> Iterator[tuple[int, int]]:
    """The same by `string_constants`, which also joins operands of ``+``."""
    for constant in string_constants(source):
        run = [constant.literals[0]]
        for before, literal in zip(constant.literals, constant.literals[1:], strict=False):
            between = source[before.span.end : literal.span.start]
            if any("+" in line.partition("#")[0] for line in between.splitlines()):
                yield run[0].span.start, run[-1].span.end
                run = []
            run.append(literal)
        yield run[0].span.start, run[-1].span.end


def test_literals_are_those_of_python() -> None:
    compared = 0
    for path in library_files():
        source = path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = spans_of_parser(source)
        except (SyntaxError, ValueError):
            continue
        assert set(spans_of_tdls(source)) == expected, path
        compared += len(expected)
    assert compared > 3_000


def test_ordinary_programs_have_no_scripts() -> None:
    for path in library_files():
        assert masked_program(path.read_bytes().decode("utf-8", errors="replace")).scripts == (), path


def only(source: str) -> StringConstant:
    (found,) = string_constants(source)
    return found


@pytest.mark.parametrize(
    ("source", "filling"),
    [
        ('"a" % b', StringFilling.PERCENT),
        ('("a"\n "b") % c', StringFilling.NOTHING),
        ('"a".format(b)', StringFilling.FORMAT),
        ('"a".strip()', StringFilling.NOTHING),
        ('["a", b]', StringFilling.NOTHING),
    ],
)
def test_placeholders_of_a_string(source: str, filling: StringFilling) -> None:
    assert only(source).filling is filling


@pytest.mark.parametrize("source", ['"a"', "def f():\n  'a'\n", 'x = 1; "a"; y = 2', "class A: 'a'", '"a" # b\n'])
def test_documentation_is_a_statement(source: str) -> None:
    assert only(source).is_statement


@pytest.mark.parametrize("source", ['x = "a"', '("a")', '"a".b()', 'f("a")', '"a" + b', '["a"\n]', '"a" % b', '"a", 1'])
def test_used_strings_are_no_statements(source: str) -> None:
    assert not only(source).is_statement


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("f'{a}{{b}}{c!r:>{d}}'", ["{a}", "{c!r:>{d}}"]),
        ('f"{x["a"]}"', ['{x["a"]}']),
        ('f"""{\nx\n}"""', ["{\nx\n}"]),
        ("f'{x'", []),
        ("rf'\\{x}'", []),
        ("f'{\"}\"}'", ['{"}"}']),
        ("F'{a:{\"{\"}}'", ['{a:{"{"}}']),
    ],
)
def test_fields_of_f_strings(source: str, fields: list[str]) -> None:
    literal = string_constants(source)[0].literals[0]
    assert [source[slice(*field)] for field in literal.fields] == fields
