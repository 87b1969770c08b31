"""Broken files: nothing raises, and valid definitions are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.sources.tablegen.projects import read_project, read_text
from catalogue.sources.tablegen.snippets import SNIPPETS
from tdls.caching.plain_data import dumps, loads
from tdls.catalogue.sources.tablegen import parse

SOUND = """
class Base<string n> : TransformDialectOp<n, [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface]>;
def AOp : Base<"a"> { let arguments = (ins TransformHandleTypeInterface:$target); }
let cppNamespace = "::my" in {
  def BOp : Base<"b"> {
    let assemblyFormat = [{ $target attr-dict }];
  }
  multiclass M<string n> { def _one : Base<n>; }
}
foreach i = 0...2 in def C#i : Base<!strconcat("c", !cast<string>(i))>;
defm D : M<"d">;
def EOp : Base<"e">;
"""
NAMES = ["a", "b", "c0", "c1", "c2", "d", "e"]
PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "[",
            "]",
            "<",
            ">",
            "(",
            ")",
            "[{",
            "}]",
            '"',
            ";",
            ",",
            ":",
            "=",
            "#",
            "?",
            "...",
            "-",
            "!if(",
            "$x",
        ),
        *("def ", "class ", "let ", " in ", "foreach ", "multiclass ", "defm ", "if ", "then ", "else ", "include "),
        *(
            "/*",
            "*/",
            "//",
            "\n#ifdef X\n",
            "\n#else\n",
            "\n#endif\n",
            "\n#define X\n",
            "0b1",
            "0x",
            "Base<",
            "NAME",
            "\0",
        ),
        *("def X : Base<X>;", "class Loop : Loop;", "class Deep<int n> { int v = Deep<n>.v; }", "defvar i = i;"),
    ]
)
SOURCES = st.sampled_from([SOUND, *SNIPPETS.values()])


def names(text: str) -> list[str]:
    return [operation.definition.name.removeprefix("transform.") for operation in read_text(text).operations]


@given(SOURCES, st.data())
def test_damaged_files_never_raise(source: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(source)))
    length = data.draw(st.integers(0, 12))
    read_text(source[:place] + data.draw(PIECES) + source[place + length :])


@given(st.lists(PIECES | st.sampled_from(["Foo", '"text"', "1", "bit b", "[1, 2]", "!cast<string>"]), max_size=40))
def test_any_tokens_never_raise(pieces: list[str]) -> None:
    read_text("".join(pieces))


@given(st.text(max_size=200))
def test_any_text_never_raises(text: str) -> None:
    parsed = parse(text)
    assert loads(dumps(parsed)) == parsed


def test_sound() -> None:
    assert names(SOUND) == NAMES
    assert not read_text(SOUND).problems


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ("def Broken : : ;", 0),
        ('def Broken : Base<"x" { let a = 1; }', 0),
        ("let x = in def Broken : Base<>;", 0),
        ("}", 0),
        ("garbage here;", 0),
        ("def Broken { let = ; }", 0),
        ('class Broken<int> { string s = "unclosed; }', 0),
        ("foreach in [1] in def X;", 0),
        ('def Unfinished : Base<"x">', 0),
        ('def Unfinished : Base<"x', 0),
        ("def", 0),
        ('def Open : Base<"x"> {\n  let a = 1;', 0),
    ],
)
def test_a_broken_statement_costs_itself_only(broken: str, line: int) -> None:
    found = read_text(broken + "\n" + SOUND)
    assert [operation.definition.name.removeprefix("transform.") for operation in found.operations] == NAMES
    assert [problem.line for problem in found.problems][:1] == [line]


@pytest.mark.parametrize("keyword", ['let cppNamespace = "::my" in', "foreach i = [1] in", "multiclass N"])
def test_a_broken_statement_in_a_block_costs_itself_only(keyword: str) -> None:
    inside = 'def XOp : B<"x">;\n  def Y : : ;\n  def ZOp : B<"z">;'
    text = f"class B<string n> : TransformDialectOp<n>;\n{keyword} {{\n  {inside}\n}}"
    text += '\ndefm N : N;\ndef LastOp : B<"last">;'
    assert names(text) == ["x", "z", "last"]
    assert [problem.line for problem in read_text(text).problems] == [3]


def test_a_broken_file_costs_itself_only() -> None:
    found = read_project(
        Broken='def A : TransformDialectOp<"a" {{{{',
        Sound='include "Broken.td"\ndef B : TransformDialectOp<"b">;',
    )
    assert [operation.definition.name for operation in found.operations] == ["transform.b"]
    assert len(found.problems) == 1


@pytest.mark.sample
@pytest.mark.parametrize(
    "text",
    [
        'class A : B;\nclass B : A;\ndef X : A, Op<Transform_Dialect, "x">;',
        "class A<int n> { int v = A<n>.v; int w = v; }\ndef X : A<1>, Op<Transform_Dialect, !cast<string>(w)>;",
        "class A<list<int> l> { list<int> m = A<l # l>.m; }\ndef XOp : Op<Transform_Dialect, !interleave(A<[1]>.m)>;",
        "defvar a = b;\ndefvar b = a;\nforeach i = a in def X#i;",
        'class A<string s> { string t = s # u; string u = t; }\ndef XOp : A<"x">, Op<Transform_Dialect, t>;',
        "multiclass M { defm A : M; }\ndefm X : M;",
        "[{ " * 50_000,
        "def X : A<" * 20_000,
        "let x = 1 in {\n" * 5_000,
        'def A : Attr<?> { let baseAttr = A; }\ndef XOp : TransformDialectOp<"x"> { let arguments = (ins A:$a); }',
        (
            "class W<int n> : OptionalAttr<?> { let baseAttr = W<!add(n, 1)>; }\n"
            'def XOp : TransformDialectOp<"x"> { let arguments = (ins W<1>:$a, Variadic<W<1>>:$b); }'
        ),
        (
            'def P : And<[P, P]>;\nclass H : Transform_ConcreteOpType<"x"> { let predicate = P; }\n'
            'def XOp : TransformDialectOp<"x"> { let arguments = (ins H<>:$a); let results = (outs H<>:$b); }'
        ),
        'def T : TraitList<[T]>;\ndef XOp : TransformDialectOp<"x", [T]>;',
        'def E : AnyTypeOf<[E]>;\ndef XOp : TransformDialectOp<"x"> { let arguments = (ins AnyTypeOf<[E]>:$a); }',
        "foreach i = 0...99999 in foreach j = 0...99999 in def X#i#_#j;",
        "def X { list<int> l = !range(0, 99999999999); }",
        "def XOp : Op<Transform_Dialect, " + "(" * 5000 + ">;",
        "def XOp : Op<Transform_Dialect, " + "!if(1, " * 400 + "0" + ", 0)" * 400 + ">;",
        "def XOp : Op<Transform_Dialect, " + '"a" # ' * 5000 + '"b">;',
    ],
)
def test_endless_definitions_end(text: str) -> None:
    found = read_text(text + '\ndef LastOp : TransformDialectOp<"last">;')
    assert found.operations[-1].definition.name == "transform.last"


def test_recursion_is_reported() -> None:
    text = "class A<int n> { int v = A<!add(n, 1)>.v; }\ndef XOp : Op<Transform_Dialect, !cast<string>(A<1>.v)>;"
    found = read_text(text)
    assert not found.operations
    assert [problem.line for problem in found.problems] == [1]


def test_missing_endif() -> None:
    (problem,) = read_text("#ifndef G\n#define G\ndef A;\n").problems
    assert (problem.line, "#endif" in problem.message) == (3, True)


def test_parsed_files_can_be_kept() -> None:
    parsed = parse(SOUND)
    assert loads(dumps(parsed)) == parsed
