"""Attacks on reading: characters, comments, brackets, numbers and nesting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.attack.model import PLAIN, Attack, in_sequence, script

_DEEP = 1 << 15

if TYPE_CHECKING:
    from collections.abc import Callable


def _generic(attributes: str = "", types: str = "() -> ()") -> str:
    return f'"test.op"() {attributes} : {types}\n'


def _nested(opening: str, closing: str, size: int, middle: str = "") -> str:
    return opening * size + middle + closing * size


def _nested_lines(head: str, size: int, middle: str) -> str:
    opening = "".join(f"{' ' * min(level, 40)}{head} {{\n" for level in range(size))
    return opening + middle + "}\n" * size


def _blocks(size: int) -> str:
    blocks = "".join(f"^b{number}:\n  cf.br ^b{number + 1}\n" for number in range(size))
    return f'"test.op"() ({{\n{blocks}^b{size}:\n  return\n}}) : () -> ()\n'


def _successors(size: int) -> str:
    targets = ", ".join(["^a"] * size)
    return f'"test.op"() ({{\n  "test.br"()[{targets}] : () -> ()\n^a:\n  "test.br"()[^a] : () -> ()\n}}) : () -> ()\n'


def _repeated(bracket: str) -> Callable[[int], str]:
    return lambda size: bracket * size


def _deep(opening: str, closing: str) -> Callable[[int], str]:
    return lambda size: _generic(_nested(opening, closing, size))


def _metadata(size: int) -> str:
    resources = ", ".join(f'a{number}: "0x00"' for number in range(size))
    return f"{{-# dialect_resources: {{ builtin: {{ {resources} }} }} #-}}\n"


_COMMENTS = (
    script("slashes before the script", lambda n: "/" * n + "\n" + PLAIN),
    script("comments before the script", lambda n: "// a comment\n" * n + PLAIN),
    script("blank lines before the script", lambda n: "\n" * n + PLAIN),
    script("blanks before the script", lambda n: " " * n + PLAIN),
    script("slashes behind a string", lambda n: f'module {{\n  "a" {"/" * n}\n}}\n'),
    script("comments behind a string", lambda n: 'module {\n  "a" ' + "// c\n" * n + "}\n"),
    script("slashes that are no comment", lambda n: "/ " * n + PLAIN),
    script("RUN line with many pipes", lambda n: f"// RUN: {'%s | %s ' * n}\n{PLAIN}"),
    script("many RUN lines", lambda n: "// RUN: mlir-opt %s | FileCheck %s\n" * n + PLAIN),
    script("RUN lines that go on", lambda n: "// RUN: mlir-opt %s \\\n" * n + PLAIN),
    script("RUN line with quotes", lambda n: f"// RUN: {chr(34) * n} %s\n{PLAIN}"),
    script("many parts", lambda n: f"// -----\n{PLAIN}" * n, largest=1 << 11),
    script("empty parts", lambda n: "// -----\n" * n + PLAIN),
    script("suppressions", lambda n: "// tdls: ignore[use-after-free]: no reason\n" * n + PLAIN),
    script("one long suppression", lambda n: f"// tdls: ignore[{'use-after-free, ' * n}]\n{PLAIN}"),
    script("expectations", lambda n: "// expected-error @+1 {{x}}\n" * n + PLAIN),
    script("expectations of many braces", lambda n: f"// expected-error @below {{{{{'{{}}' * n}}}}}\n{PLAIN}"),
    script("lines that end in CR", lambda n: "// c\r" * n + PLAIN),
)

_CHARACTERS = (
    script("NULs", lambda n: "\0" * n + PLAIN, largest=1 << 22),
    script("characters that nothing begins with", lambda n: "\\;'`~" * n),
    script("wide characters", lambda n: "\U0001f600é" * n),
    script("unclosed string of escapes", lambda n: '"' + '\\"' * n),
    script("unclosed strings", lambda n: 'module {\n  "a\n' * n),
    script("string of escapes", lambda n: _generic('{a = "' + "\\n" * n + '"}')),
    script("one long name", lambda n: f"{'a' * n}.b\n"),
    script("one long value", lambda n: f"%{'a' * n} = test.op\n"),
    script("percent signs", lambda n: "%" * n),
    script("signs of all kinds", lambda n: "%!#@^" * n),
    script("dots", lambda n: f"a{'.a' * n}\n"),
    script("a long symbol reference", lambda n: _generic(f"{{a = @a{'::@a' * n}}}")),
    script("integer of many digits", lambda n: _generic(f"{{a = {'9' * n}}}")),
    script(
        "sizes of many digits",
        lambda n: in_sequence(
            f"%0, %1 = transform.structured.tile_using_for %root tile_sizes [{'9' * n}] "
            ": (!transform.any_op) -> (!transform.any_op, !transform.any_op)"
        ),
    ),
    script("results of many digits", lambda n: f"%0:{'9' * n} = test.op\n"),
    script("float of many digits", lambda n: _generic(f"{{a = 1.{'0' * n}e{'9' * n}}}")),
    script("hexadecimal blob", lambda n: _generic(f'{{a = dense<"0x{"00" * n}"> : tensor<{n}xi8>}}')),
)

_BRACKETS = (
    *(script(f"only {bracket}", _repeated(bracket)) for bracket in "{}[]()<>"),
    *(
        script(f"deep {opening}{closing}", _deep(opening, closing), largest=_DEEP)
        for opening, closing in ("()", "[]", "{}", "<>")
    ),
    script("brackets of all kinds", lambda n: "([{<" * n + "}>)]" * n),
    script(
        "braces in a staircase", lambda n: "".join(" " * min(i, 200) + "test.op {\n" for i in range(n)), largest=_DEEP
    ),
    script(
        "closing braces in a staircase", lambda n: "".join(" " * min(i, 200) + "}\n" for i in range(n)), largest=_DEEP
    ),
    script("arrows and colons", lambda n: "-> : :: ... " * n),
    script("metadata", lambda n: "{-#" * n + "#-}" * n),
    script("metadata with many resources", _metadata, largest=1 << 16),
)

_NESTING = (
    script("nested tuples", lambda n: _generic(types=f"() -> {_nested('tuple<', '>', n, 'i32')}"), largest=_DEEP),
    script("nested functions types", lambda n: _generic(types=f"{_nested('(', ') -> ()', n)}"), largest=_DEEP),
    script("nested arrays", lambda n: _generic(f"{{a = {_nested('[', ']', n)}}}"), largest=_DEEP),
    script("nested dictionaries", lambda n: _generic(f"{{a = {_nested('{a = ', '}', n, '{}')}}}"), largest=_DEEP),
    script(
        "nested locations",
        lambda n: f"test.op loc({_nested('callsite(', ' at unknown)', n, 'unknown')})\n",
        largest=_DEEP,
    ),
    script(
        "nested affine expressions",
        lambda n: _generic(f"{{a = affine_map<(d0) -> ({_nested('(', ')', n, 'd0')})>}}"),
        largest=_DEEP,
    ),
    script("long affine expressions", lambda n: _generic(f"{{a = affine_map<(d0) -> (d0{' + d0' * n})>}}")),
    script(
        "affine maps of many dimensions",
        lambda n: _generic(f"{{a = affine_map<({', '.join(f'd{i}' for i in range(n))}) -> (d0)>}}"),
        largest=1 << 16,
    ),
    script("nested dialect types", lambda n: _generic(types=f"() -> {_nested('!a.b<', '>', n, 'i32')}"), largest=_DEEP),
    script(
        "nested dense", lambda n: _generic(f"{{a = dense<{_nested('[', ']', n, '0')}> : tensor<1xi32>}}"), largest=_DEEP
    ),
    script("nested modules, a line each", lambda n: _nested_lines("module", n, PLAIN), largest=_DEEP),
    script("nested modules in one line", lambda n: _nested("module {", "}", n) + "\n", largest=_DEEP),
    script("nested regions", lambda n: _nested('"test.op"() ({', "}) : () -> ()", n) + "\n", largest=_DEEP),
    script("nested regions, a line each", lambda n: '"test.op"() ({\n' * n + "}) : () -> ()\n" * n, largest=_DEEP),
    script("nested unknown operations", lambda n: _nested_lines("foreign.op", n, ""), largest=_DEEP),
    script(
        "nested loops of payload",
        lambda n: "func.func @f(%a: index) {\n" + _nested_lines("scf.for %i = %a to %a step %a", n, "") + "return\n}\n",
        largest=_DEEP,
    ),
    script("nested sequences", lambda n: _nested_lines("transform.sequence failures(propagate)", n, ""), largest=_DEEP),
)

_LINES = (
    script(
        "many arguments in one line",
        lambda n: f"func.func @f({', '.join(f'%a{i}: i32' for i in range(n))}) {{\n  return\n}}\n",
        largest=1 << 16,
    ),
    script("many operations in one line", lambda n: f"module {{ {_generic().strip() * n} }}\n", largest=1 << 16),
    script("many operations", lambda n: f"module {{\n{_generic() * n}}}\n", largest=1 << 16),
    script("many blank lines between operations", lambda n: f"module {{\n{_generic()}{chr(10) * n}{_generic()}}}\n"),
    script("many modules", lambda n: "module {\n}\n" * n, largest=1 << 16),
    script("many attributes", lambda n: _generic(f"{{{', '.join(f'a{i} = {i}' for i in range(n))}}}"), largest=1 << 16),
    script("many results", lambda n: f"{', '.join(f'%{i}' for i in range(n))} = test.op\n", largest=1 << 16),
    script("many blocks", _blocks, largest=1 << 14),
    script("many successors", _successors, largest=1 << 16),
    script("unfinished lines", lambda n: "module {\n" + "  %0 = test.op,\n" * n, largest=1 << 15),
    script("lines that begin operations and do not go on", lambda n: "transform.\n" * n, largest=1 << 15),
    script(
        "mistakes",
        lambda n: in_sequence(*["transform.structured.vectorize %nothing : !transform.any_op"] * n),
        largest=1 << 12,
    ),
    script("redefinitions", lambda n: "%0 = test.op\n" * n, largest=1 << 13),
)

SHAPES: tuple[Attack, ...] = (*_COMMENTS, *_CHARACTERS, *_BRACKETS, *_NESTING, *_LINES)
