"""The grammar next to MLIR's own parser, on texts by hand and generated ones."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar import pieces, texts
from grammar.judge import judge
from samples import some
from tdls.syntax.details import parse_detail
from tdls.syntax.spellings import canonical_type

GENERATED = {"type": pieces.types, "attribute": pieces.attributes, "location": pieces.locations}
ACCEPTED = {
    "type": texts.ACCEPTED_TYPES,
    "attribute": texts.ACCEPTED_ATTRIBUTES,
    "location": texts.ACCEPTED_LOCATIONS,
}
REJECTED = {
    "type": texts.REJECTED_TYPES,
    "attribute": texts.REJECTED_ATTRIBUTES,
    "location": texts.REJECTED_LOCATIONS,
}
IN_A_MODULE = {
    "block_label": '"a.b"() ({{{} "a.c"() : () -> ()}}) : () -> ()',
    "properties": '"a.b"() {} : () -> ()',
    "attribute_dictionary": '"a.b"() {} : () -> ()',
    "successor_list": """
        "a.b"() ({{
          ^bb0: "a.c"() {} : () -> ()
          ^bb1: "a.d"() : () -> ()
          ^0: "a.e"() : () -> ()
        }}) : () -> ()
    """,
    "file_metadata": "{}",
}
"""A module around a piece that cannot be parsed alone."""
BY_MEANING = re.compile(
    "undefined symbol alias|use of undeclared identifier|redefinition of identifier|duplicate key"
    "|referenced attribute does not match|expected valid attribute name"
    "|(invalid|unsupported) .*(element type|width|dimension|space)|must have positive|limited to"
    "|not valid for specified type|out of range|does not match type|inferred shape|zero elements|parsed \\d+ elements"
    "|not consistent|hex data|expected (un)?(signed )?integer elements|unexpected decimal integer literal"
    "|expected i1 type|expected 'true' or 'false' values|non-affine|cannot apply encoding|multiple memory spaces"
    "|memory space to be last|cannot have affine map|expected location attribute|static shape|bitwidth must"
)
"""Messages of MLIR about the meaning of a well-formed text."""

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
generated = settings(max_examples=some(1000))


def is_accepted(kind: str, text: str) -> bool:
    return parse_detail(kind, text).problem is None


@pytest.mark.parametrize("kind", ACCEPTED)
def test_mlir_accepts_the_texts_that_are_said_to_be_good(kind: str) -> None:
    assert [text for text in ACCEPTED[kind] if not judge().verdict(kind, text).accepted] == []


@pytest.mark.parametrize("kind", REJECTED)
def test_mlir_rejects_the_texts_that_are_said_to_be_bad(kind: str) -> None:
    assert [text for text in REJECTED[kind] if judge().verdict(kind, text).accepted] == []


def test_mlir_rejects_texts_that_are_wrong_by_meaning() -> None:
    accepted = [text for text in texts.KNOWN_BY_MEANING_ONLY if judge().verdict("attribute", text).accepted]
    assert accepted == []


@pytest.mark.parametrize("start", IN_A_MODULE)
def test_mlir_agrees_on_pieces_of_modules(start: str) -> None:
    def accepted(text: str) -> bool:
        return judge().verdict("module", IN_A_MODULE[start].format(text)).accepted

    assert [text for text in texts.ACCEPTED_PIECES[start] if not accepted(text)] == []
    assert [text for text in texts.REJECTED_PIECES[start] if accepted(text)] == []


@pytest.mark.parametrize("kind", GENERATED)
def test_texts_that_mlir_accepts_are_accepted(kind: str) -> None:
    counts: Counter[bool] = Counter()

    @generated
    @given(GENERATED[kind], pieces.gaps)
    def run(tokens: list[str], gaps: list[str]) -> None:
        text = pieces.written(tokens, gaps)
        verdict = judge().verdict(kind, text)
        counts[verdict.accepted] += 1
        if verdict.accepted:
            assert is_accepted(kind, text)

    run()
    assert counts[True] > 8 * counts[False]


@pytest.mark.parametrize("kind", GENERATED)
def test_nearly_all_texts_that_mlir_rejects_as_malformed_are_rejected(kind: str) -> None:
    rejected: set[str] = set()
    missed: set[str] = set()

    @generated
    @given(st.data(), GENERATED[kind], pieces.gaps)
    def run(data: st.DataObject, tokens: list[str], gaps: list[str]) -> None:
        text = pieces.written(data.draw(pieces.damaged(tokens)), gaps)
        if not text:
            return
        verdict = judge().verdict(kind, text)
        if verdict.accepted:
            assert is_accepted(kind, text)
        elif not BY_MEANING.search(verdict.message or ""):
            (missed if is_accepted(kind, text) else rejected).add(text)

    run()
    assert len(rejected) >= some(500)
    assert len(missed) <= 0.02 * len(rejected), sorted(missed)[:10]


@generated
@given(pieces.types, pieces.gaps)
def test_canonical_type_is_the_same_type_to_mlir(tokens: list[str], gaps: list[str]) -> None:
    """A use whose type differs from the definition's is an error; opaque bodies and identities differ each time."""
    text = pieces.written(tokens, gaps)
    if re.search(r"[!#][\w.$-]*<|distinct|dense_resource", text) or not judge().verdict("type", text).accepted:
        return
    module = f'%0 = "a.b"() : () -> ({text})\n"a.c"(%0) : ({canonical_type(text)}) -> ()'
    assert judge().verdict("module", module).message is None
