"""The fix of `result-count` where a head claims more results than anyone spells."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue


@pytest.mark.parametrize(("claimed", "fixes"), [(3, 2), (200_000, 1)])
def test_no_fix_spells_any_number_of_types(claimed: int, fixes: int) -> None:
    text = f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    %r:{claimed} = transform.structured.tile_using_for %root tile_sizes [1]
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""
    found = [one for one in findings_in_file(SourceFile.of(text, Catalogue.shipped())) if one.rule == "result-count"]
    assert [len(one.fixes) for one in found] == [fixes]  # the last one names fewer results
