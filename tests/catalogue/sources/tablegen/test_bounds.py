"""tdls gives up a definition beyond the limits, with the reason, and reads the rest of the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from catalogue.sources.tablegen.projects import read_text
from tdls import limits
from tdls.catalogue.sources.tablegen import read_units
from tdls.catalogue.sources.tablegen.operators import matches
from tdls.catalogue.sources.work import WORK, ProjectWork
from tdls.limits import OverBudget

if TYPE_CHECKING:
    from tdls.catalogue.sources.tablegen import TableGenDefinitions
    from tdls.limits import Limit

LAST = '\ndef LastOp : TransformDialectOp<"last">;'


def summary(expression: str) -> str:
    return f'def XOp : TransformDialectOp<"x"> {{ let summary = {expression}; }}'


def doubled(first: str, count: int) -> str:
    return f"defvar x0 = {first};\n" + "".join(f"defvar x{i + 1} = x{i} # x{i};\n" for i in range(count))


TOO_MUCH = {
    "doubled texts": (doubled('"aaaaaaaa"', 40) + summary("x40"), limits.LENGTH_OF_TEXT),
    "doubled lists": (doubled("[1, 2]", 40) + summary('"" # !size(x40)'), limits.ELEMENTS_OF_LIST),
    "folded texts": (summary('!foldl("aa", !range(40), all, one, all # all)'), limits.LENGTH_OF_TEXT),
    "substituted texts": (
        summary('!subst("a", !foldl("a", !range(18), b, i, b # b), !foldl("a", !range(18), b, i, b # b))'),
        limits.LENGTH_OF_TEXT,
    ),
    "a long range": (summary('"" # !size(!range(1000000000000))'), limits.ELEMENTS_OF_LIST),
    "many copies": (summary('"" # !size(!listsplat(1, 1000000000000))'), limits.ELEMENTS_OF_LIST),
    "many bits": ("class B { bits<1000000000> b = 1; }\ndef b : B;" + summary('"" # b.b{0}'), limits.ELEMENTS_OF_LIST),
    "recursive classes": (
        "class A<int n> { string v = A<!add(n, 1)>.v # A<!add(n, 2)>.v; }\n" + summary("A<1>.v"),
        limits.NESTED_VALUES,
    ),
    "long chains of variables": (
        'defvar x0 = "a";\n' + "".join(f'defvar x{i + 1} = x{i} # "";\n' for i in range(5000)) + summary("x5000"),
        limits.NESTED_VALUES,
    ),
}


@pytest.mark.parametrize(("text", "limit"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_definitions_that_ask_for_too_much_are_left_out(text: str, limit: Limit) -> None:
    found = read_text(text + LAST)
    assert names(found) == ["transform.last"]
    assert [problem.message for problem in found.problems] == [f"`XOp` asks for more than {limit}; it is left out"]


@pytest.mark.parametrize("pattern", ["a*a*a*a*b", "(a+)+$", "(a|a)*b"])
def test_patterns_are_looked_for_without_going_back(pattern: str) -> None:
    found = read_text(summary(f'"" # !match("{"a" * 400}", "{pattern}")') + LAST)
    assert names(found) == ["transform.x", "transform.last"]


TOO_MANY = {
    "multiclasses": "multiclass M0 { def _x; }\n"
    + "".join(f"multiclass M{i + 1} {{ defm a : M{i}; defm b : M{i}; }}\n" for i in range(30))
    + "defm z : M30;",
    "loops": "def A;\nforeach a = 0...9999 in foreach b = 0...9999 in def X#a#_#b;",
    "endless multiclasses": "multiclass M { defm a : M; }\ndefm z : M;",
    "multiclasses that derive from themselves": "multiclass M : M { }\ndefm z : M;",
}


@pytest.mark.parametrize("text", TOO_MANY.values(), ids=TOO_MANY.keys())
def test_statements_that_ask_for_too_much_are_left_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.catalogue.sources.work.DEFINITION_STEPS", few(limits.DEFINITION_STEPS))
    found = read_text(text + LAST)
    assert names(found) == ["transform.last"]
    (problem,) = found.problems
    assert problem.line == text.count("\n")
    assert problem.message.startswith("this statement asks for more than ")


def test_loops_count_even_if_there_is_nothing_in_them() -> None:
    assert read_text("foreach a = 0...999 in { }" + LAST).problems == ()
    found = read_text("foreach a = 0...9999 in foreach b = 0...9 in { }" + LAST)
    assert names(found) == ["transform.last"]
    assert [problem.message.partition(" asks")[0] for problem in found.problems] == ["this statement"]


@pytest.mark.parametrize("shape", ["parents", "traits", "constraints"])
def test_definitions_that_double_at_each_level_are_left_out(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.catalogue.sources.work.DEFINITION_STEPS", few(limits.DEFINITION_STEPS))
    levels = range(40)
    text = {
        "parents": "class A0 { int x = 1; }\n"
        + "".join(f"class A{i + 1} : A{i}, A{i};\n" for i in levels)
        + 'class B : A40;\ndef b : B;\ndef XOp : TransformDialectOp<"x">, B;',
        "traits": "".join(f"def T{i} : TraitList<[T{i + 1}, T{i + 1}]>;\n" for i in levels)
        + 'def T40 : NativeTrait<"Q", "">;\ndef XOp : TransformDialectOp<"x", [T0]>;',
        "constraints": "".join(f"defvar c{i} = AnyTypeOf<[c{i + 1}, c{i + 1}]>;\n" for i in levels)
        + 'defvar c40 = AnyTypeOf<[I1]>;\ndef XOp : TransformDialectOp<"x"> { let arguments = (ins c0:$a); }',
    }[shape]
    found = read_text(text + LAST)
    assert names(found) == ["transform.last"]
    assert any(problem.message.startswith("`XOp` asks for more than") for problem in found.problems)


TOO_DEEP = {
    "fields": summary("x" + ".y" * 5000),
    "elements": summary("x" + "[0]" * 5000),
    "lets": "let a = 1 in " * 5000 + "def B;",
    "branches": "if 1 then def B; " + "else if 1 then def B; " * 5000,
    "brackets": summary("(" * 5000),
}


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP.keys())
def test_statements_that_are_nested_too_deeply_are_left_out(text: str) -> None:
    found = read_text(text + LAST)
    assert names(found) == ["transform.last"]
    assert ["nested too deeply" in problem.message for problem in found.problems] == [True]


def test_long_chains_of_classes_are_given_up_where_they_are_used() -> None:
    chain = "class A0 { int x = 1; }\n" + "".join(f"class A{i + 1} : A{i};\n" for i in range(3000))
    found = read_text(chain + 'def XOp : TransformDialectOp<"x">, A3000;' + LAST)
    assert names(found) == ["transform.last"]


def test_a_file_that_asks_for_too_much_is_given_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.catalogue.sources.work.FILE_STEPS", few(limits.FILE_STEPS))
    loops = "foreach i = 0...999 in def X#i;\n" * 50
    paths = Path("/p/large.td"), Path("/p/small.td")
    found = read_units({paths[0]: loops + LAST, paths[1]: LAST}, [], lambda _: None)
    places = [operation.definition.defined_at for operation in found.operations]
    assert [place.path for place in places if place is not None] == [paths[1]]
    assert [(problem.path, problem.message.partition(" asks")[0]) for problem in found.problems] == [
        (paths[0], "what this file defines from here on")
    ]


def test_includes_that_lead_from_file_to_file_are_followed() -> None:
    files = {Path(f"/p/{i}.td"): f'include "{i + 1}.td"\ndef A{i};' for i in range(2000)}
    files[Path("/p/2000.td")] = LAST
    assert names(read_units(files, [], lambda _: None)) == ["transform.last"]


def test_includes_in_circles_and_of_all_by_all_end() -> None:
    every = "".join(f'include "{i}.td"\n' for i in range(150))
    files = {Path(f"/p/{i}.td"): f"{every}def A{i};" for i in range(149)}
    files[Path("/p/149.td")] = every + LAST
    assert names(read_units(files, [], lambda _: None)) == ["transform.last"]


def test_numbers_that_no_bits_hold_do_not_fit() -> None:
    found = read_text(summary("9" * 5000) + LAST)
    assert names(found) == ["transform.last"]
    assert len(found.problems[0].message) < 200


def test_patterns_are_searched_where_that_is_quick() -> None:
    assert matches("abc", "^a.*c$")
    assert not matches("abc", "(d|e)")
    assert not matches("abc", "[")


def test_spent_steps_count_for_the_definition() -> None:
    project = ProjectWork()
    with project.definition("file"):
        WORK.spend(10)
        with project.definition("other"):
            WORK.spend(limits.DEFINITION_STEPS.most - 1)
            with pytest.raises(OverBudget):
                WORK.spend()
        WORK.spend(limits.DEFINITION_STEPS.most - 11)
    WORK.spend(10 * limits.DEFINITION_STEPS.most)


def few(limit: Limit) -> Limit:
    """The same limit, so that a test takes less time."""
    return type(limit)(limit.name, 20_000, limit.unit, limit.subject, limit.beyond)


def names(found: TableGenDefinitions) -> list[str]:
    return [operation.definition.name for operation in found.operations]
