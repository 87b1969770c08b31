"""Attacks by other files than the script: sources of a project, settings, catalogues, folders."""

from __future__ import annotations

import json

from soak.attack.model import PLAIN, SCRIPT, Attack, Files, in_project

_HEAD = 'include "mlir/Dialect/Transform/IR/TransformDialect.td"\n'


def _used(statements: str, value: str) -> str:
    """Return TableGen with an operation whose name rests on `value`."""
    return f"{_HEAD}{statements}def XOp : Op<Transform_Dialect, {value}, []> {{ let summary = {value}; }}\n"


def _concatenation(size: int) -> str:
    return _used('defvar x0 = "ab";\n' + "".join(f"defvar x{i + 1} = x{i} # x{i};\n" for i in range(size)), f"x{size}")


def _list_concatenation(size: int) -> str:
    lines = "".join(f"defvar l{i + 1} = !listconcat(l{i}, l{i});\n" for i in range(size))
    return _used(f"defvar l0 = [1, 2];\n{lines}defvar s = !cast<string>(!size(l{size}));\n", "s")


def _classes(size: int) -> str:
    lines = "".join(f"class C{i + 1} : C{i} {{ int f{i + 1} = {i}; }}\n" for i in range(size))
    return _used(f"class C0 {{ int f0 = 0; }}\n{lines}def D : C{size};\n", '"x"')


def _multiclasses(size: int) -> str:
    lines = "".join(f"multiclass M{i + 1} {{ defm a : M{i}; defm b : M{i}; }}\n" for i in range(size))
    return _used(f"class C;\nmulticlass M0 {{ def x : C; }}\n{lines}defm z : M{size};\n", '"x"')


def _nested_json(size: int) -> str:
    return '{"a":' * size + "1" + "}" * size


def _folders(size: int) -> Files:
    return {SCRIPT: PLAIN, **{f"{'d/' * min(level, 200)}f{level}.td": "class C;\n" for level in range(size)}}


def _settings(name: str, text: str) -> Files:
    return {SCRIPT: PLAIN, name: text}


_TABLEGEN = (
    in_project("Ops.td", "TableGen: strings that double", _concatenation, smallest=4, largest=1 << 12),
    in_project("Ops.td", "TableGen: lists that double", _list_concatenation, smallest=4, largest=1 << 12),
    in_project("Ops.td", "TableGen: definitions that double", _multiclasses, smallest=4, largest=1 << 10),
    in_project("Ops.td", "TableGen: chain of classes", _classes, largest=1 << 13),
    in_project(
        "Ops.td",
        "TableGen: parentheses",
        lambda n: _used(f"defvar x = {'!add(1, ' * n}1{')' * n};\n", '"x"'),
        largest=1 << 14,
    ),
    in_project(
        "Ops.td", "TableGen: brackets", lambda n: _used(f"defvar x = {'[' * n}{']' * n};\n", '"x"'), largest=1 << 14
    ),
    in_project("Ops.td", "TableGen: braces", lambda n: _HEAD + "let a = 1 in {\n" * n, largest=1 << 14),
    in_project("Ops.td", "TableGen: open comments", lambda n: _HEAD + "/* " * n),
    in_project("Ops.td", "TableGen: slashes", lambda n: _HEAD + "/" * n),
    in_project("Ops.td", "TableGen: unclosed string", lambda n: _HEAD + '"' + '\\"' * n),
    in_project("Ops.td", "TableGen: open code", lambda n: _HEAD + "[{ " * n),
    in_project("Ops.td", "TableGen: includes of itself", lambda n: 'include "Ops.td"\n' * n, largest=1 << 14),
    in_project(
        "Ops.td",
        "TableGen: loops in loops",
        lambda n: _HEAD + "".join(f"foreach i{i} = [0, 1] in\n" for i in range(n)) + "def : C;\n",
        smallest=4,
        largest=1 << 12,
    ),
    in_project(
        "Ops.td",
        "TableGen: a wide range",
        lambda n: _used(f"foreach i = 0-{10 ** min(n, 30)} in def x#i;\n", '"x"'),
        smallest=2,
    ),
    in_project(
        "Ops.td",
        "TableGen: many operations",
        lambda n: _HEAD + "".join(f'def X{i}Op : Op<Transform_Dialect, "x{i}", []>;\n' for i in range(n)),
        largest=1 << 13,
    ),
    in_project("Ops.td", "TableGen: conditions in words", lambda n: "#ifdef A\n" * n, largest=1 << 15),
)

_CPP_HEAD = '#include "mlir/IR/Dialect.h"\n'
_OPERATION = 'def XOp : Op<Transform_Dialect, "x", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;\n'


def _cpp(body: str) -> Files:
    return {
        SCRIPT: PLAIN,
        "Ops.td": _HEAD + _OPERATION,
        "Ops.cpp": f"{_CPP_HEAD}void transform::XOp::getEffects({body}",
    }


_SOURCES = (
    Attack("C++: braces", lambda n: _cpp(") {" + "{" * n)),
    Attack("C++: parentheses", lambda n: _cpp(") {" + "(" * n)),
    Attack(
        "C++: conditions in conditions",
        lambda n: _cpp(") {" + "if (a) { " * n + "consumesHandle(x, effects);" + "}" * n + "}"),
        largest=1 << 14,
    ),
    Attack(
        "C++: one condition after the other",
        lambda n: _cpp(") {" + "".join(f"if (getA{i}()) consumesHandle(getX(), effects);\n" for i in range(n)) + "}"),
        largest=1 << 14,
    ),
    Attack("C++: unclosed comment", lambda n: _cpp(") {" + "/* " * n)),
    Attack("C++: unclosed string", lambda n: _cpp(') {"' + '\\"' * n)),
    Attack("C++: templates", lambda n: _cpp(") {" + "a<" * n)),
    Attack("C++: raw strings", lambda n: _cpp(") {" + 'R"(' * n)),
    Attack("C++: calls in calls", lambda n: _cpp(") { " + "f(" * n + ")" * n + "; }")),
    Attack(
        "C++: macros",
        lambda n: {
            **_cpp(") { M0 }"),
            "M.cpp": "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(n)),
        },
        smallest=4,
        largest=1 << 14,
    ),
    in_project(
        "ops.py",
        "Python: the words of a generated module in one line",
        lambda n: f'"""{"Dialect Operation name " * n}"""\n',
    ),
    in_project(
        "ops.py", "Python: parentheses", lambda n: "from mlir.dialects import ext\nx = " + "(" * n, largest=1 << 15
    ),
    in_project(
        "ops.py",
        "Python: nested expressions",
        lambda n: f"from mlir.dialects import ext\nx = {'-' * n}1\n",
        largest=1 << 15,
    ),
    in_project(
        "ops.py",
        "Python: indentation",
        lambda n: (
            "from mlir.dialects import ext\n" + "".join(f"{' ' * i}if x:\n" for i in range(min(n, 90))) + "\n" * n
        ),
    ),
    in_project(
        "ops.py",
        "Python: many operations",
        lambda n: (
            "from mlir.dialects import ext\nclass D(ext.Dialect, name='d'): pass\n"
            + "".join(f"class X{i}(D.Operation, name='x{i}'): a: ext.Operand\n" for i in range(n))
        ),
        largest=1 << 12,
    ),
)

_SETTINGS = (
    Attack(
        "settings: a long string and an unknown key",
        lambda n: _settings("tdls.toml", f'unknown = """\n{"-" * n}\n"""\n'),
    ),
    Attack(
        "settings: dashes in pyproject.toml",
        lambda n: _settings("pyproject.toml", f'[tool.tdls]\nunknown = """{"-- " * n}"""\n'),
    ),
    Attack(
        "settings: unknown keys",
        lambda n: _settings("tdls.toml", "".join(f"k{i} = 1\n" for i in range(n))),
        largest=1 << 14,
    ),
    Attack(
        "settings: nested arrays",
        lambda n: _settings("tdls.toml", f"libraries = {'[' * n}{']' * n}\n"),
        largest=1 << 15,
    ),
    Attack("settings: dotted keys", lambda n: _settings("tdls.toml", f"{'.'.join(['a'] * n)} = 1\n"), largest=1 << 15),
    Attack(
        "settings: patterns of stars",
        lambda n: _settings("tdls.toml", f'exclude = ["{"*a" * n}*b"]\n'),
        largest=1 << 12,
    ),
    Attack(
        "settings: folders of stars",
        lambda n: _settings("tdls.toml", f'libraries = ["{"**/" * n}x.mlir"]\n'),
        largest=1 << 12,
    ),
    Attack(
        "settings: many ignored files",
        lambda n: _settings("tdls.toml", "[per-file-ignores]\n" + "".join(f'"x{i}/*" = ["all"]\n' for i in range(n))),
        largest=1 << 12,
    ),
    Attack(
        "settings: an integer of many digits",
        lambda n: _settings("tdls.toml", f"target-llvm = {'9' * n}\n"),
        largest=1 << 16,
    ),
    Attack(
        "settings: extended by a chain",
        lambda n: {
            SCRIPT: PLAIN,
            "tdls.toml": 'extend = "t1.toml"\n',
            **{f"t{i}.toml": f'extend = "t{i + 1}.toml"\n' for i in range(1, n)},
        },
        largest=1 << 11,
    ),
    Attack(
        "catalogue: nested",
        lambda n: {SCRIPT: PLAIN, "tdls.toml": 'catalogues = ["c.json"]\n', "c.json": _nested_json(n)},
    ),
    Attack(
        "catalogue: many operations",
        lambda n: {
            SCRIPT: PLAIN,
            "tdls.toml": 'catalogues = ["c.json"]\n',
            "c.json": json.dumps({"operations": [{"name": f"transform.x.y{i}"} for i in range(n)]}),
        },
        largest=1 << 13,
    ),
    Attack(
        "baseline: nested", lambda n: {SCRIPT: PLAIN, "tdls.toml": 'baseline = "b.json"\n', "b.json": _nested_json(n)}
    ),
    Attack(
        ".gitignore: patterns of stars",
        lambda n: {SCRIPT: PLAIN, ".gitignore": f"{'*a' * n}*b\n{'a' * 100}\n"},
        largest=1 << 12,
    ),
    Attack("folders in folders", _folders, largest=1 << 10),
    Attack(
        "a library of many sequences",
        lambda n: {
            SCRIPT: PLAIN,
            "tdls.toml": 'libraries = ["lib.mlir"]\n',
            "lib.mlir": "".join(f"transform.named_sequence @s{i}() {{\n  transform.yield\n}}\n" for i in range(n)),
        },
        largest=1 << 13,
    ),
)

PROJECTS: tuple[Attack, ...] = (*_TABLEGEN, *_SOURCES, *_SETTINGS)
