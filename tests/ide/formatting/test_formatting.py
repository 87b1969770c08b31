"""Formatting by example: texts before and after."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tdls.ide.formatting.formatting import format_file, format_range
from tdls.text.span import FileSpan

CASES = {
    "indentation and blanks": (
        """
        !any=!transform.any_op
        module attributes {transform.with_named_sequence}{
            transform.named_sequence @main( %root:!transform.any_op{transform.readonly} ){
          %0=transform.structured.match ops{["linalg.matmul"]} in %root:(!transform.any_op)->!transform.any_op
              %1,%loops:2 = transform.structured.tile_using_for %0 tile_sizes [4,8] : (!any)->(!any,!any, !any)
          transform.yield
            }
        }
        """,
        """
        !any = !transform.any_op
        module attributes {transform.with_named_sequence} {
          transform.named_sequence @main(%root: !transform.any_op {transform.readonly}) {
            %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
            %1, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [4, 8] : (!any) -> (!any, !any, !any)
            transform.yield
          }
        }
        """,
    ),
    "blocks": (
        """
        func.func @f(%c: i1) {
        cf.cond_br %c,^bb1,^bb2
          ^bb1 :
            cf.br ^bb2
            ^bb2:
          return
          }
        """,
        """
        func.func @f(%c: i1) {
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1 :
          cf.br ^bb2
        ^bb2:
          return
        }
        """,
    ),
    "lines of an operation keep their distance to the first one": (
        """
        module {
        %0 = transform.structured.match ops{["linalg.matmul"]}
               attributes {a = 1,
                           b = 2} in %root
        : (!transform.any_op) -> !transform.any_op
        }
        """,
        """
        module {
          %0 = transform.structured.match ops{["linalg.matmul"]}
                 attributes {a = 1,
                             b = 2} in %root
              : (!transform.any_op) -> !transform.any_op
        }
        """,
    ),
    "arguments on lines of their own do not move the body": (
        """
        module {
          transform.named_sequence @long(%a: !transform.any_op,
                                         %b: !transform.any_op) {
              transform.yield
            }
        }
        """,
        """
        module {
          transform.named_sequence @long(%a: !transform.any_op,
                                         %b: !transform.any_op) {
            transform.yield
          }
        }
        """,
    ),
    "a part of an operation with lines of its own moves its body": (
        """
        func.func @f(%i: index) {
          scf.index_switch %i
            case 2 {
            scf.yield
            }
            default {
          }
          return
        }
        """,
        """
        func.func @f(%i: index) {
          scf.index_switch %i
            case 2 {
              scf.yield
            }
            default {
          }
          return
        }
        """,
    ),
    "comments": (
        """
        // Outside.
          // RUN: something
        func.func @f() {
        // CHECK: return
            return // the end
        // last
        }
        """,
        """
        // Outside.
        // RUN: something
        func.func @f() {
          // CHECK: return
          return // the end
          // last
        }
        """,
    ),
    "aligned comments stay aligned": (
        """
        func.func @f(%a: i32) {
          "a"(%a):(i32)->()       // one
          "longer"() : () -> ()   // two

          "b"(%a):(i32)->()     // alone
          return// behind
        }
        """,
        """
        func.func @f(%a: i32) {
          "a"(%a) : (i32) -> ()   // one
          "longer"() : () -> ()   // two

          "b"(%a) : (i32) -> ()     // alone
          return // behind
        }
        """,
    ),
    "blank lines": (
        """
        module {



          module {}



        }


        """,
        """
        module {


          module {}


        }
        """,
    ),
    "types, attributes with a body, strings and properties": (
        """
        #m = affine_map<(d0,d1)->(d0+d1,4)>
        "x.y"() <{a=1,b=[1,2]}> {c=dense<[1,2]>:tensor<2xi32>, d="a,b" } : ()->tensor<4x?xf32,#x.e<a=1>>
        {-#
            dialect_resources: {a: {b:"0x01" } }
        #-}
        """,
        """
        #m = affine_map<(d0,d1)->(d0+d1,4)>
        "x.y"() <{a=1,b=[1,2]}> {c = dense<[1,2]> : tensor<2xi32>, d = "a,b"} : () -> tensor<4x?xf32,#x.e<a=1>>
        {-#
            dialect_resources: {a: {b:"0x01" } }
        #-}
        """,
    ),
    "what is damaged": (
        """
        func.func @broken( {
              return  }
        func.func @sound() {
              return
          }
        """,
        """
        func.func @broken( {
              return  }
        func.func @sound() {
          return
        }
        """,
    ),
    "operations of unknown syntax keep what may be their style": (
        """
        module {
            %0,%1=my.tile %a[ 4,5]using(strategy=fast,depth=2)when{ size <= 4 }{ level=3,on }{
                my.inner
            }else{
            my.other  %0:i32    to tensor<?xf32>{%n} => @x
              } : i32
        }
        """,
        """
        module {
          %0, %1 = my.tile %a[ 4, 5]using(strategy=fast, depth=2)when{ size <= 4 }{level = 3, on} {
            my.inner
          } else {
            my.other  %0:i32 to tensor<?xf32>{%n} => @x
          } : i32
        }
        """,
    ),
    "comments aligned from section to section": (
        """
        !a   = i32  // one
        !bbb = i64  // two
        #c = 1    // three
        """,
        """
        !a = i32    // one
        !bbb = i64  // two
        #c = 1    // three
        """,
    ),
    "markers between the parts of a file": (
        """
        module {
          }
        // -----
          // -----
        module {
        }
        """,
        """
        module {
        }
        // -----
          // -----
        module {
        }
        """,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.shipped()


def formatted(text: str, catalogue: Catalogue, span: FileSpan | None = None, tab_size: int = 2) -> str:
    file = SourceFile.of(text, catalogue)
    if span is None:
        return applied(text, format_file(file, tab_size=tab_size))
    return applied(text, format_range(file, span, tab_size=tab_size))


@pytest.mark.parametrize("name", CASES)
def test_example(name: str, catalogue: Catalogue) -> None:
    before, after = (dedent(text).lstrip("\n") for text in CASES[name])
    assert formatted(before, catalogue) == after.rstrip("\n") + "\n"
    assert formatted(after.rstrip("\n") + "\n", catalogue) == after.rstrip("\n") + "\n"


def test_wide_operations_are_broken_before_their_types(catalogue: Catalogue) -> None:
    name = "transform.structured.tile_using_for"
    types = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    before = f'{{\n%0 = "my.op"(%a) : () -> ()\n%1, %2 = {name} %0 tile_sizes [8]: {types}\n}}\n'
    text = f"module {before}"

    def broken(width: int) -> list[str]:
        return applied(text, format_file(SourceFile.of(text, catalogue), width=width)).splitlines()[2:-1]

    (whole,) = broken(0)
    assert broken(len(whole)) == [whole] == [f"  %1, %2 = {name} %0 tile_sizes [8] : {types}"]
    assert broken(len(whole) - 1) == [f"  %1, %2 = {name} %0 tile_sizes [8]", f"      : {types}"]
    assert broken(60)[1:] == ["      : (!transform.any_op)", "        -> (!transform.any_op, !transform.any_op)"]


def test_line_breaks_stay(catalogue: Catalogue) -> None:
    before = "module {\r\nmodule {\r\n\t}  \r\n}"
    assert formatted(before, catalogue) == "module {\r\n  module {\r\n  }\r\n}\r\n"
    assert formatted("module {}\r\nmodule {}", catalogue) == "module {}\r\nmodule {}\r\n"
    assert formatted("module {}\r\nmodule {}\n\n", catalogue) == "module {}\r\nmodule {}\n"


def test_tabs_count_as_columns(catalogue: Catalogue) -> None:
    before = 'module {\n\t"a"(%a,\n\t    %b) : (i32, i32) -> ()\n}\n'
    assert formatted(before, catalogue, tab_size=4) == 'module {\n  "a"(%a,\n      %b) : (i32, i32) -> ()\n}\n'


def test_formatting_goes_on_where_it_is_needed(catalogue: Catalogue) -> None:
    sound = "  func.func @f() {\n    return\n  }\n"
    file = SourceFile.of(f"module {{\n{sound * 3}}}\n", catalogue)
    assert format_file(file) == []
    place = file.text.rindex("return")
    edited = file.edited(FileSpan(place, place), " ")
    assert applied(edited.text, format_file(edited)) == file.text


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", "// only a comment", "  // a comment \n\n"])
def test_texts_without_operations(text: str, catalogue: Catalogue) -> None:
    assert formatted(text, catalogue) == (f"{text.strip()}\n" if text.strip() else "")


@pytest.mark.parametrize("text", ["}", "{", '"', "  \xa0 module {}", "module {\v}", "%"])
def test_damage_alone_stays(text: str, catalogue: Catalogue) -> None:
    assert formatted(text, catalogue).rstrip("\n") == text


def test_only_the_lines_of_a_range_change(catalogue: Catalogue) -> None:
    before = "module {\n    module {\n          }\nmodule {}\n}\n\n"
    line = before.index("}")
    expected = "module {\n    module {\n    }\nmodule {}\n}\n\n"
    assert formatted(before, catalogue, FileSpan(line, line + 1)) == expected
    behind_line_break = before.index("module {}")
    assert formatted(before, catalogue, FileSpan(line, behind_line_break)) == expected


def test_edits_are_as_small_as_the_changes(catalogue: Catalogue) -> None:
    text = 'module {\n "a"() : ()  -> ()\n}\n'
    edits = format_file(SourceFile.of(text, catalogue))
    assert [(text[edit.span.start : edit.span.end], edit.new_text) for edit in edits] == [("", " ")]
