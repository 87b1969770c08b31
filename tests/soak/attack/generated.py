"""Attacks that the grammars give: each production nested, repeated, cut off, and with a damaged end.

Types, attributes, locations, TableGen and assembly formats are made from `grammar/`; operations, C++ and Python,
for which there is no grammar there, from the lists below, one row for each production.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from soak.attack.model import PLAIN, SCRIPT, Attack, in_module, in_sequence
from soak.attack.productions import Production, joined, productions
from tdls.grammars import load, parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from soak.attack.model import Files

_MLIR = {
    "SCALAR_TYPE": "i32",
    "BOOL": "true",
    "DIMENSION": "4",
    "INTEGER": "1",
    "FLOAT": "1.0",
    "STRING": '"s"',
    "BARE_IDENTIFIER": "d0",
    "SYMBOL": "@s",
    "VALUE": "%v",
    "RESULT_NUMBER": "#0",
    "BLOCK": "^b",
    "TYPE_ALIAS": "!t",
    "DIALECT_TYPE": "!a.b",
    "DIALECT_TYPE_HEAD": "!a.b",
    "ATTRIBUTE_ALIAS": "#t",
    "DIALECT_ATTRIBUTE": "#a.b",
    "DIALECT_ATTRIBUTE_HEAD": "#a.b",
    "BODY_TEXT": "x",
    "AFFINE_OPERATOR": "mod",
}
_FORMATS = {"LITERAL": "`x`", "VARIABLE": "$a", "STRING": '"s"', "NAME": "N"}
_TABLEGEN = {
    "DEF": "def",
    "DEFM": "defm",
    "IDENTIFIER": "X",
    "STRING": '"s"',
    "CODE": "[{ c }]",
    "INTEGER": "1",
    "BINARY": "0b1",
    "TRUE": "true",
    "FALSE": "false",
    "VARIABLE": "$v",
    "OPERATOR": "!add",
    "BIT": "bit",
    "INT": "int",
    "STRING_TYPE": "string",
    "CODE_TYPE": "code",
    "DAG": "dag",
}

_OPERATIONS = (
    ("generic operation", '"a.b"() ({', "}) : () -> ()"),
    ("generic operation with two regions", '"a.b"() ({}, {', "}) : () -> ()"),
    ("generic operation with a known name", '"scf.execute_region"() ({', "}) : () -> ()"),
    ("generic function", '"func.func"() ({', "}) {sym_name = @f} : () -> ()"),
    ("properties", '"a.b"() <{a = [', "]}> : () -> ()"),
    ("module", "module {", "}"),
    ("named module", "module @m attributes {a} {", "}"),
    ("function", "func.func @f(%a: i32 {a.b}) -> i32 {", "}"),
    ("named sequence", "transform.named_sequence @s(%a: !transform.any_op {transform.readonly}) {", "}"),
    ("sequence", "transform.sequence failures(propagate) {^bb0(%a: !transform.any_op):", "transform.yield }"),
    ("foreach", "transform.foreach %a : !transform.any_op {^bb0(%b: !transform.any_op):", "}"),
    ("alternatives", "transform.alternatives %a : !transform.any_op {}, {", "}"),
    ("loop", "scf.for %i = %a to %b step %c iter_args(%x = %y) -> (i32) {", "}"),
    ("condition", "scf.if %a {} else {", "}"),
    ("switch", "scf.index_switch %a case 2 {", "} default {}"),
    ("expression", "emitc.expression %a : (i32) -> i32 {", "}"),
    (
        "generic structured operation",
        "linalg.generic {a = []} ins(%a : i32) outs(%b : i32) {^bb0(%c: i32):",
        "} -> i32",
    ),
    ("map of a shorthand", "linalg.map { arith.addf } ins(", ") outs()"),
    ("unknown operation", "foreign.op %a {", "} : i32"),
    ("unknown loop", "foreign.for %i = %a to %b {", "}"),
    ("blocks", '"a.b"() ({^a(%b: i32):', '"c.d"()[^a] : () -> ()}) : () -> ()'),
    ("location", '"a.b"() : () -> () loc(callsite("a" at ', "))"),
    ("operands", '"a.b"(%a, ', ") : () -> ()"),
    ("group of an unknown operation", "foreign.op (", ")"),
    ("list of an unknown operation", "foreign.op [%a, ", "]"),
    ("values of a pass", '%x = transform.apply_registered_pass "p" with options = {"a" = [', "]} to %y"),
    ("sizes", "%x = transform.structured.tile_using_for %y tile_sizes [[", "]] : (!t) -> !t"),
)
"""Productions that contain operations or are parts of them: name, text before and behind the contents."""
_REPEATED_OPERATIONS = (
    ("result", "%a, "),
    ("results", "%a:2, %b = "),
    ("successor", "[^a(%b : i32), "),
    ("block", "^a(%b: i32):\n"),
    ("open argument", "^a(%b: "),
    ("colon", ": \n"),
    ("value and colon", "%a : \n"),
    ("operation", '%a = "a.b"(%a) : (i32) -> i32\n'),
    ("operation without a type", '"a.b"(%a)\n'),
    ("known operation", "%h = transform.get_parent_op %h : (!transform.any_op) -> !transform.any_op\n"),
    ("known operation without a type", "%h = transform.get_parent_op %h :\n"),
    ("unknown operation with an open type", "foreign.op %a : (!a.b<\n"),
    ("open type in one line", "(!a.b<"),
    ("open type behind a colon", " : (!transform.x.y<"),
    ("arrow", "->()"),
    ("arrow of types", " : (!p)->()"),
    ("alias", "!a = i32\n"),
    ("attribute alias", "#a = [#a]\n"),
    ("open alias", "!a = tuple<\n"),
    ("symbol", "@a::"),
    ("quoted operation", '"a.b" '),
    ("loc", "loc("),
    ("attribute", '"a.b"() {a = '),
    ("entry", "{a, "),
    ("use of one name", "transform.include @a failures(propagate) (%a) : (i32) -> ()\n"),
)

_CPP_HEAD = '#include "mlir/IR/Dialect.h"\n'
_CPP_FUNCTION = "void transform::XOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {"
_CPP = (
    ("block", "{", "}"),
    ("condition", "if (getA()) {", "}"),
    ("condition without braces", "if (getA()) ", "x();"),
    ("else", "if (a) {} else {", "}"),
    ("loop", "for (auto a : getA()) {", "}"),
    ("counted loop", "for (int i = 0; i < n; ++i) {", "}"),
    ("while", "while (a) {", "}"),
    ("switch", "switch (a) { case 1: ", "}"),
    ("call", "consumesHandle(", ", effects);"),
    ("member call", "a.b(", ")"),
    ("lambda", "auto f = [&](int a) {", "};"),
    ("called lambda", "[&] {", "}();"),
    ("parentheses", "(", ")"),
    ("negation", "if (!(", "))"),
    ("both", "if (a && (", "))"),
    ("choice", "x = a ? (", ") : b;"),
    ("subscript", "a[", "]"),
    ("template", "f<", ">()"),
    ("cast", "static_cast<A>(", ")"),
    ("initialiser", "A a{", "};"),
    ("comment", "/* ", " */"),
    ("class", "class A : public B<", "> {};"),
    ("namespace", "namespace a {", "}"),
    ("conditional", "#if A\n", "\n#endif\n"),
    ("macro", "#define M(a) ", "\n"),
    ("raw string", 'R"(', ')"'),
)
_PYTHON_HEAD = (
    "from mlir.dialects import ext\nfrom mlir.dialects import transform\nclass D(ext.Dialect, name='d'): pass\n"
)
_PYTHON = (
    ("list", "[", "]"),
    ("call", "f(", ")"),
    ("dictionary", "{1: ", "}"),
    ("lambda", "lambda: ", ""),
    ("choice", "a if b else ", ""),
    ("attribute", "(a", ").b"),
    ("sum", "a + ", ""),
    ("minus", "-", "1"),
    ("comparison", "a < ", "b"),
    ("f-string", "f'{", "}'"),
    ("concatenation", "'a' ", ""),
    ("decorator", "@f\n", "\ndef g(): pass\n"),
    ("class", "class A(D.Operation, name='a'): a: ext.Operand\n", ""),
    ("base", "class A(A, ", "): pass"),
    ("subscript", "A[", "]"),
    ("else if", "if a: pass\nel", ""),
    ("assignment", "a = ", "a"),
    ("script", 'S = """\n"a.b"() ({ ', '\n"""\n'),
)
_NAMES = ("a" * 200, "b" * 200, "d/" * 100 + "a")
_PATTERNS = (
    ("star", "*a", ""),
    ("stars", "*", ""),
    ("any folders", "**/", ""),
    ("folders", "*/", ""),
    ("any", "?", ""),
    ("any number", "?*", ""),
    ("set", "[a-z]*", ""),
    ("set of sets", "[[:alpha:]]*", ""),
    ("open set", "[a", ""),
    ("escape", "\\a*", ""),
    ("negation", "!", ""),
    ("alternatives", "{a,b}", ""),
)
_JSON = (
    ("object", '{"operations": ', "}"),
    ("list", "[", "]"),
    ("text", '"a", ', ""),
    ("operation", '{"operations": [{"name": "transform.x.y", "operands": [', "]}]}"),
    ("number", "1", ""),
    ("escape", '"\\u0041", ', ""),
)
_KNOWN = (
    ("files", '{"version": 1, "findings": {"a": [], ', "}}"),
    ("entries", '{"version": 1, "findings": {"a": [{"rule": "x"}, ', "]}}"),
    ("long name", '{"version": 1, "findings": {"../', '": []}}'),
)
_TOML = (
    ("list", "exclude = [", "]"),
    ("table", "[a.", "]"),
    ("inline table", "a = {a = ", "}"),
    ("key", "a.", "a = 1"),
    ("text", 'a = """', '"""'),
    ("tables", "[[a]]\n", ""),
    ("rule", '[rules]\n"a" = "off"\n', ""),
    ("ignored", '[per-file-ignores]\n"*" = ["', '"]'),
)
_PATCHED = "mlir/include/mlir/Dialect/Transform/X.td"
_PATCH_HEAD = f"--- a/{_PATCHED}\n+++ b/{_PATCHED}\n@@ -1 +1 @@\n"
_PATCH = (
    ("file", _PATCH_HEAD, ""),
    ("definition", '+def AOp : Op<A, "a.b"> {\n', ""),
    ("base", "+def AOp : Op<", ""),
    ("member", "-  AOp::apply(", ")\n"),
    ("blanks", "+def A :  \t", ""),
)
_RUN = (
    ("pipe", "mlir-opt %s | ", ""),
    ("option", "--a=b ", ""),
    ("pipeline", "--pass-pipeline=builtin.module(", ")"),
    ("options of a pass", "--transform-interpreter=entry-point={", "}"),
    ("quotes", "'a ", "'"),
    ("substitution", "%{", "}"),
    ("next line", "\\\n// RUN: ", ""),
    ("group", "( ", " )"),
)


def _variants(name: str, production: Production, text: Callable[[str], Files]) -> Iterator[Attack]:
    """Yield the attacks that one production gives, `text` making the files of a text of its kind."""
    head, before, inside, behind, tail = map(joined, production[1:])
    short = joined(production.behind[:-1])

    def attack(kind: str, pieces: Callable[[int], list[str]]) -> Attack:
        return Attack(f"{name}: {kind}", lambda size: text(joined(pieces(size))))

    yield attack("whole", lambda n: [head, *[before] * n, inside, *[behind] * n, tail])
    yield attack("cut off", lambda n: [head, *[before or behind] * n])
    if before and behind:
        yield attack("half closed", lambda n: [head, *[before] * n, inside, *[behind] * (n // 2), tail])
        yield attack("closed without an end", lambda n: [head, *[before] * n, inside, *[short] * n, tail])
        yield attack("lines", lambda n: [head, *[f"{before}\n"] * n, inside, *[f"{behind}\n"] * n, tail])


def _listed(
    language: str, rows: Iterable[tuple[str, str, str]], text: Callable[[str], Files], inside: str = ""
) -> Iterator[Attack]:
    for name, before, behind in rows:
        production = Production(name, (), (before,), (inside,), tuple(behind.split(" ")), ())
        yield from _variants(f"{language}, {name}", production, text)


def _script(text: str) -> Files:
    return {SCRIPT: text}


def _in_attribute(text: str) -> Files:
    return _script(f'"a.b"() {{a = {text}}} : () -> ()\n')


def _in_type(text: str) -> Files:
    return _script(in_sequence(f"%x = foreign.op %root : (!transform.any_op) -> {text}"))


def _in_known_type(text: str) -> Files:
    return _script(in_sequence(f"%x = transform.get_parent_op %root : (!transform.any_op) -> {text}"))


def _in_options(text: str) -> Files:
    return _script(in_sequence(f'%x = transform.apply_registered_pass "p" with options = {{"a" = {text}}} to %root'))


def _in_metadata(text: str) -> Files:
    return _script(f"!alias = i32\n{text}\n")


def _grammar(
    language: str, start: str, texts: Iterable[Callable[[str], Files]], name: str, samples: dict[str, str]
) -> Iterator[Attack]:
    grammar = load(name, [start]) if name == "tablegen" else parser(name)
    for number, production in enumerate(productions(grammar, start, samples)):
        label = f"{language}, {number} {production.rule.strip('_')}"
        for text in texts:
            yield from _variants(label, production, text)


def _tablegen(text: str) -> Files:
    return {SCRIPT: "", "Ops.td": f'include "mlir/Dialect/Transform/IR/TransformDialect.td"\n{text}\n'}


def _operation(assembly_format: str) -> Files:
    arguments = "let arguments = (ins TransformHandleTypeInterface:$a)"
    operation = (
        f'def XOp : Op<Transform_Dialect, "x"> {{ {arguments}; let assemblyFormat = [{{ {assembly_format} }}]; }}'
    )
    return {**_tablegen(operation), SCRIPT: in_sequence('transform.x %root "x" x x : !transform.any_op')}


def _among_files(path: str) -> Callable[[str], Files]:
    return lambda text: {SCRIPT: PLAIN, **{f"{name}.mlir": PLAIN for name in _NAMES}, path: f"{text}\n"}


def _excluded(text: str) -> Files:
    quoted = json.dumps(text.replace("\n", " "))
    settings = f"exclude = [{quoted}]\nlibraries = [{quoted}]\n[per-file-ignores]\n{quoted} = ['all']"
    return _among_files("tdls.toml")(settings)


def _named_by(settings: str) -> Callable[[str], Files]:
    return lambda text: {SCRIPT: PLAIN, "tdls.toml": settings, "x.json": text}


def _in_library(text: str) -> Files:
    call = "transform.include @s0 failures(propagate) (%root) : (!transform.any_op) -> ()"
    settings = "libraries = ['lib.mlir']\npayload = 'lib.mlir'\n"
    return {SCRIPT: in_sequence(call), "tdls.toml": settings, "lib.mlir": in_module(text)}


def _cpp(head: str) -> Callable[[str], Files]:
    return lambda text: {
        **_tablegen('def XOp : Op<Transform_Dialect, "x", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;'),
        "Ops.cpp": f"{_CPP_HEAD}{head}{text}{'}' * bool(head)}\n",
    }


def _python(text: str) -> Files:
    return {SCRIPT: "", "ops.py": f"{_PYTHON_HEAD}{text}\n"}


def _keyword_samples() -> dict[str, str]:
    """Return a sample for each terminal of MLIR that is a keyword, which the grammar names by it."""
    patterns = (terminal.name for terminal in parser("mlir").terminals if terminal.pattern.type == "re")
    return {name: name.lstrip("_").lower() for name in patterns} | _MLIR


def _scripts() -> Iterator[Attack]:
    samples = _keyword_samples()
    yield from _grammar("attribute", "attribute", (_in_attribute,), "mlir", samples)
    yield from _grammar("type", "type", (_in_type, _in_known_type), "mlir", samples)
    yield from _grammar("metadata", "file_metadata", (_in_metadata,), "mlir", samples)
    yield from _listed("options of a pass", (("list", "[", "]"), ("parameter", "[%a, ", "]")), _in_options, "1")
    yield from _listed("MLIR", _OPERATIONS, _script)
    yield from _listed("MLIR in a script", _OPERATIONS, lambda text: _script(in_sequence(text)))
    for name, repeated in _REPEATED_OPERATIONS:
        for head in ("", "a.b ", "%x = transform.get_parent_op %y : (!p)"):
            yield Attack(f"MLIR, {name} behind {head!r}: repeated", lambda n, r=repeated, h=head: _script(h + r * n))  # type: ignore[misc]


def _sources() -> Iterator[Attack]:
    yield from _grammar("TableGen", "statement", (_tablegen,), "tablegen", _TABLEGEN)
    yield from _grammar("assembly format", "start", (_operation,), "assembly_format", _FORMATS)
    yield from _listed("C++", _CPP, _cpp(""))
    yield from _listed("C++ effects", _CPP, _cpp(_CPP_FUNCTION))
    yield from _listed("Python", _PYTHON, _python)
    yield from _listed("ignored files", _PATTERNS, _among_files(".gitignore"))
    yield from _listed("patterns of settings", _PATTERNS, _excluded)
    yield from _listed("settings", _TOML, lambda text: {SCRIPT: PLAIN, "tdls.toml": text})
    yield from _listed("pyproject", _TOML, lambda text: {SCRIPT: PLAIN, "pyproject.toml": f"[tool.tdls]\n{text}"})
    yield from _listed("patch", _JSON, lambda text: {SCRIPT: PLAIN, "x.tdls.json": text})
    yield from _listed("catalogue", _JSON, _named_by("catalogues = ['x.json']"))
    yield from _listed("baseline", (*_JSON, *_KNOWN), _named_by("baseline = 'x.json'"))
    yield from _listed("patch of LLVM", _PATCH, lambda text: {SCRIPT: PLAIN, "x.patch": _PATCH_HEAD + text})
    yield from _listed("library", _OPERATIONS, _in_library)
    yield from _listed("RUN line", _RUN, lambda text: _script(f"// RUN: {text}\n{PLAIN}"))


GENERATED: tuple[Attack, ...] = (*_scripts(), *_sources())
