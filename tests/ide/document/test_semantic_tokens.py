from __future__ import annotations

import re
from itertools import pairwise

import pytest

from ide.carets import Mark, marks_of
from ide.with_cursor import CATALOGUE, URI, snapshot_of
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.document.semantic_tokens import (
    SemanticToken,
    TokenModifier,
    semantic_tokens,
    source_of_tokens,
    tokens_of_piece,
)
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

SCRIPT = """\
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
//     ^^^^^^^^^^ keyword
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ attribute_name
  transform.named_sequence @vectorize(%func: !op {transform.consumed}, %size: !transform.param<i64>) {
//^^^^^^^^^^^^^^^^^^^^^^^^ transform_operation
//                         ^^^^^^^^^^ symbol.definition
//                                    ^^^^^ handle.definition.consumed
//                                           ^^^ type
//                                                ^^^^^^^^^^^^^^^^^^ attribute_name
//                                                                     ^^^^^ parameter.definition.readonly
//                                                                                             ^^^ type
    transform.structured.vectorize %func vector_sizes [8, %size] : !op, !transform.param<i64> // done
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ transform_operation.modification
//                                 ^^^^^ handle.consumed
//                                       ^^^^^^^^^^^^ keyword
//                                                     ^ number
//                                                        ^^^^^ parameter
//                                                                                            ^^^^^^^ comment
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {
//                                           ^^^^^ handle.definition.readonly
    %all:2 = transform.structured.tile_using_for %root tile_sizes [4] interchange = [0]
//  ^^^^ handle.definition
//       ^ number
//                                               ^^^^^ handle.consumed
//                                                     ^^^^^^^^^^ keyword
//                                                                    ^^^^^^^^^^^ attribute_name
        : (!op) -> (!op, !op)
    %match = transform.structured.match ops{["linalg.matmul", "my.unknown"]} in %root : (!op) -> !op
//                                      ^^^ keyword
//                                           ^^^^^^^^^^^^^^^ payload_operation
//                                                            ^^^^^^^^^^^^ string
//                                                                              ^^^^^ handle.stale
    %results = transform.get_result %match[all] : (!op) -> !transform.any_value
//  ^^^^^^^^ value_handle.definition
//                                         ^^^ keyword
    transform.include @vectorize failures(propagate) (%match, %nowhere) : (!op, !transform.param<i64>) -> ()
//                    ^^^^^^^^^^ symbol
//                                                    ^^^^^^ handle.consumed
//                                                            ^^^^^^^^ value
    transform.structured.tile %match [4] : (!op) -> (!op, !op)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ transform_operation.deprecated.modification
    "transform.annotate"(%match) <{name = "seen"}> : (!op) -> ()
//  ^^^^^^^^^^^^^^^^^^^^ transform_operation.modification
//                                 ^^^^ attribute_name
//                                        ^^^^^^ string
    transform.foreach %all#0 : !op {
//                    ^^^^^^ handle
    ^bb0(%one: !op):
//  ^^^^ label.definition
//       ^^^^ handle.definition
      transform.match.operation_name %one ["linalg.matmul"] : !op
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ matcher_operation
      transform.my.project_operation %one {my.flag} : !op
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ transform_operation
//                                         ^^^^^^^ attribute_name
    }
    transform.yield
  }
  func.func @payload(%a: tensor<4x?xf32>, %i: index) attributes {my.flag, other.flag = #map} {
//^^^^^^^^^ payload_operation
//          ^^^^^^^^ symbol
//                   ^^ value
//                       ^^^^^^ type
//                              ^ number
//                                 ^^^^ type
//                                            ^^^^^ type
//                                                               ^^^^^^^ attribute_name
//                                                                        ^^^^^^^^^^ attribute_name
//                                                                                     ^^^^ attribute
    %s, %t = my.operation %a : tensor<4x?xf32>
//      ^^ value.definition
//           ^^^^^^^^^^^^ payload_operation
    my.operation x, xor : vector<[4]x8xf32>, tensor<*xi8>, memref<0x?xf8E4M3FN>
//               ^ keyword
//                  ^^^ keyword
//                        ^^^^^^ type
//                                ^ number
//                                  ^^^^^^ type
//                                                   ^^^ type
//                                                         ^^^^^^ type
//                                                                   ^^^^^^^^^ type
    cf.br ^bb1
//        ^^^^ label
  }
}
"""


def described(token: SemanticToken) -> str:
    parts = [token.kind.name, *(modifier.name or "" for modifier in TokenModifier if modifier in token.modifiers)]
    return ".".join(parts).lower()


def tokens_of(text: str, span: FileSpan | None = None) -> list[SemanticToken]:
    return list(semantic_tokens(snapshot_of(text), URI, span))


def written(text: str, tokens: list[SemanticToken]) -> list[tuple[str, str]]:
    return [(text[token.span.start : token.span.end], described(token)) for token in tokens]


@pytest.mark.parametrize("name", ["my", "transform"])
def test_names_without_dialect_read_the_same_in_payload_and_scripts(name: str) -> None:
    text = f"module attributes {{{name}.flag}} {{\n  func.func @f(%a: !{name}.any_op) {{\n    return\n  }}\n}}\n"
    found = dict(written(text, tokens_of(text)))
    assert (found["module"], found["func.func"], found["return"]) == ("keyword", "payload_operation", "keyword")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_tokens_are_those_of_the_carets(line_end: str) -> None:
    text = SCRIPT.replace("\n", line_end)
    found = {}
    file = SourceFile.of(text, CATALOGUE)
    for token in tokens_of(text):
        line, column = file.position(token.span.start)
        found[line, column] = Mark(line, column, text[token.span.start : token.span.end], described(token))
    marks = marks_of(text)
    assert len(marks) > 50
    assert [(mark, found.get(mark[:2])) for mark in marks if found.get(mark[:2]) != mark] == []


def test_tokens_are_in_order_and_do_not_overlap() -> None:
    tokens = tokens_of(SCRIPT)
    assert all(token.span.end <= other.span.start for token, other in pairwise(tokens))


def test_every_prefix_of_a_script_has_tokens_that_cover_its_words() -> None:
    for end in range(0, len(SCRIPT), 97):
        text = SCRIPT[:end]
        tokens = tokens_of(text)
        covered = "".join(text[token.span.start : token.span.end] for token in tokens)
        words = re.findall(r"[%@!]\w+", re.sub(r"//.*|\"[^\"\n]*\"?", "", text))
        assert all(word in covered for word in words)


def test_range_gives_the_tokens_of_the_file_that_touch_it() -> None:
    everything = tokens_of(SCRIPT)
    for start in range(0, len(SCRIPT), 251):
        wanted = FileSpan(start, start + 400)
        touching = [token for token in everything if token.span.start < wanted.end and wanted.start < token.span.end]
        assert tokens_of(SCRIPT, wanted) == touching


def test_parts_have_meanings_of_their_own() -> None:
    part = (
        "!op = {}\nmodule attributes {{transform.with_named_sequence}} {{\n  transform.named_sequence @a(%x: !op)\n}}\n"
    )
    text = part.format("!transform.any_op") + "// -----\n" + part.format("!transform.any_param")
    found = [described(token) for token in tokens_of(text) if text[token.span.start] == "%"]
    assert [kind.partition(".")[0] for kind in found] == ["handle", "parameter"]


def test_an_edit_computes_one_section_and_its_dependents_again() -> None:
    before = SourceFile.of(SCRIPT, CATALOGUE)
    sources = [source_of_tokens(before, index) for index in range(len(before.sections.pieces))]
    for code, count in {"[4] inter": 1, "[8, %size]": 2}.items():
        place = SCRIPT.index(code) + 1
        after = before.edited(FileSpan(place, place), "1")
        changed = [index for index, source in enumerate(sources) if source is not source_of_tokens(after, index)]
        assert len(changed) == count
    place = SCRIPT.index("transform.consumed")
    after = before.edited(FileSpan(place, place + len("transform.consumed")), "transform.readonly")
    include = after.text.index("(%match, %nowhere)") + 1
    (token,) = semantic_tokens(Snapshot({URI: after}, CATALOGUE), URI, FileSpan(include, include + 1))
    assert described(token) == "handle"


def test_payload_without_a_script_is_not_parsed_for_its_tokens() -> None:
    file = SourceFile.of(SCRIPT.replace("transform.", "my."), CATALOGUE)
    for index, piece in enumerate(file.sections.pieces):
        tokens_of_piece(file, index)
        assert not piece.section.is_read


def test_unknown_file_has_no_tokens() -> None:
    assert list(semantic_tokens(snapshot_of(""), "file:///other.mlir")) == []
    assert tokens_of("") == []
