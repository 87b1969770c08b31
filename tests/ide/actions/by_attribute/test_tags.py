"""Where attributes of operations are written, by their forms; and what they are called."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.tags import NameTag, TaggedOperation, tagging_edits, tags_for, without_tags

TAG = NameTag("tag", "first")
FORMS = {
    "%0 = linalg.fill ins(%c : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>": 'linalg.fill {tag = "first"} ins',
    "%0 = linalg.fill {other} ins(%c : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>": '{tag = "first", other} ins',
    "%0 = arith.addf %a, %b : f32": '%a, %b {tag = "first"} : f32',
    "%0 = arith.constant 1 : index": 'arith.constant {tag = "first"} 1',
    "%0 = memref.alloc() : memref<4xf32>": 'alloc() {tag = "first"} :',
    "func.func @f(%a: f32) -> f32 {\n  return %a : f32\n}": ' -> f32 attributes {tag = "first"} {',
    '"test.some"() : () -> ()': '"test.some"() {tag = "first"} : () -> ()',
    '"test.some"() <{a = 1 : i64}> {b} : () -> ()': '<{a = 1 : i64}> {b, tag = "first"} :',
}


def tagged(text: str) -> TaggedOperation:
    file = SourceFile.of(text, Catalogue.shipped())
    context = next(iter(file.contexts))
    return TaggedOperation(context, next(context.model.walk()))


@pytest.mark.parametrize("text", FORMS)
def test_the_likeliest_place(text: str) -> None:
    edit = next(iter(tagging_edits(tagged(text), TAG)))
    assert FORMS[text] in f"{text[: edit.span.start]}{edit.new_text}{text[edit.span.end :]}"


def test_handles_give_their_names() -> None:
    operation = tagged("%0 = arith.constant 1 : index")
    assert tags_for(["%a", "%b"], [[operation], [operation]], []) == [
        NameTag("tag", "a"),
        NameTag("tag", "b"),
    ]
    assert tags_for(["%0", "%1"], [[operation]], []) == [
        NameTag("tag", "constant_0"),
        NameTag("tag", "constant_1"),
    ]


def test_what_is_there_already_is_not_taken() -> None:
    operation = tagged("%0 = arith.constant 1 : index")
    assert tags_for(["%a"], [[operation]], ['%0 = arith.constant {tag  = "a"} 2 : index']) == [NameTag("tag", "a_2")]
    with_tag = tagged("%0 = arith.constant {tag} 1 : index")
    assert tags_for(["%a"], [[with_tag]], []) == [NameTag("schedule_tag", "a")]
    with pytest.raises(NotRewrittenError, match="has attributes called `tag` and `schedule_tag`"):
        tags_for(["%a"], [[tagged("%0 = arith.constant {tag, schedule_tag} 1 : index")]], [])


@pytest.mark.parametrize(
    ("printed", "without"),
    [
        ('linalg.fill {tag = "first"} ins(', "linalg.fill ins("),
        ('scf.for {\n} {a, tag = "first", z}', "scf.for {\n} {a, z}"),
        ('{tag = "first", z}', "{z}"),
        ('{a, tag = "first"}', "{a}"),
        ('@f() attributes {tag = "first"} {', "@f() {"),
        ('outs(%a : f32) attrs =  {tag = "first"} {', "outs(%a : f32) {"),
        ('{tag = "firstly"}', '{tag = "firstly"}'),
    ],
)
def test_what_mlir_prints_without_them(printed: str, without: str) -> None:
    assert without_tags(printed, [TAG]) == without
