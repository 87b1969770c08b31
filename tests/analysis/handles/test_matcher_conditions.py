"""The analysis of a matcher's conditions takes time that grows with its text, for every nesting of values."""

from __future__ import annotations

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.operations.accepted import Terms, accepted_by
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.transform_dialect import NAMED_SEQUENCE

ANY = "!transform.any_op"
MANY = 90
"""As a tree, the definition of the last value has two to the power of this many nodes."""


def test_values_that_are_made_of_one_value_twice() -> None:
    catalogue = Catalogue.shipped()
    merging = "\n".join(f"  %v{n + 1} = transform.merge_handles %v{n}, %v{n} : {ANY}" for n in range(MANY))
    signature = f"(%v0: {ANY} {{transform.readonly}}) -> {ANY}"
    text = "".join(
        f"transform.named_sequence @{name}{signature} {{\n{merging}\n  transform.yield %v0 : {ANY}\n}}\n"
        for name in "ab"
    )
    file, terms = SourceFile.of(text, catalogue), Terms()
    matchers = [operation for context in file.contexts for operation in context.model.operations]
    assert [matcher.name for matcher in matchers] == [NAMED_SEQUENCE] * 2
    first, second = (accepted_by(matcher, terms) for matcher in matchers)
    assert first is not None
    assert second is not None
    assert len(first.conditions) == MANY
    assert first.has_all_of(second, catalogue)
