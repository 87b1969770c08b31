"""tdls parses all texts that MLIR parses, and finds the same operations, nesting and bindings in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from oracle.bindings import shapes
from oracle.compare import first_difference
from oracle.corpus import corpus
from oracle.from_tree import from_tree
from oracle.generic_form import read_generic
from oracle.parse import printed_shapes, verdicts
from oracle.transform_modules import operation_names
from samples import some
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from oracle.parse import Verdict
    from preparation.reporting import Compared

SAMPLE = some(600)

PRINTED = """\
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    %0:2 = "any.two"(%arg0) : (i32) -> (i32, i32)
    "cf.br"(%0#1)[^bb1] : (i32) -> ()
  ^bb1(%1: i32):  // pred: ^bb0
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


def test_a_sample_of_the_corpus_is_parsed_as_mlir_parses_it(compared: Compared) -> None:
    require_mlir_opt(22)
    found = verdicts(corpus(sample=True)[:SAMPLE])
    assert len(found) > SAMPLE * 0.99
    compared("modules, as mlir-opt parses them", len(found))
    compared("operations of these", sum(verdict.operations for verdict in found))
    assert [_described(verdict) for verdict in found if not verdict.clean] == []


def test_the_sample_has_every_transform_operation_of_upstream() -> None:
    require_mlir_opt(22)
    texts = (module.text for module in corpus(sample=True))
    written = {name for text in texts for name in re.findall(r"transform\.[\w.]+", text)}
    assert set(operation_names()) - written == set()


def test_both_ways_to_ask_mlir_give_the_same_answer(compared: Compared) -> None:
    require_mlir_opt(22)
    require_bindings()
    texts = [module.text for module in corpus(sample=True)[: some(200)]]
    both = [pair for pair in zip(printed_shapes(texts), shapes(texts), strict=True) if all(pair)]
    assert len(both) > some(150)
    compared("modules, as mlir-opt and as the bindings parse them", len(both))
    assert all(printed == bound for printed, bound in both)


@pytest.mark.parametrize(
    ("replaced", "by", "kind"),
    [
        ("(%0#1)[", "(%0#0)[", "operands"),
        ("%0:2 = ", "%0:3 = ", "result count"),
        ("any.two", "any.other", "operation name"),
        ("[^bb1]", "[^bb0]", "successors"),
        ("  ^bb1(%1: i32):  // pred: ^bb0\n", "  ^bb1(%1: i32, %2: i32):\n", "block arguments"),
        ('    "func.return"() : () -> ()\n', "", "missing operation"),
    ],
)
def test_the_comparison_sees_each_kind_of_difference(replaced: str, by: str, kind: str) -> None:
    expected = read_generic(PRINTED)
    catalogue = Catalogue.shipped()
    assert first_difference(expected, from_tree(parse(PRINTED, catalogue))) is None
    changed = PRINTED.replace(replaced, by)
    assert changed != PRINTED
    difference = first_difference(expected, from_tree(parse(changed, catalogue)))
    assert difference is not None
    assert difference.kind == kind


def _described(verdict: Verdict) -> str:
    return f"{verdict.module.title} ({verdict.module.kind}): {verdict.findings()[0]}"
