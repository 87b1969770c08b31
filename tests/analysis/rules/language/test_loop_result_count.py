"""The rule's number of loops is that of MLIR's verifier, which accepts the number of results that the fix sets."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from oracle.tools import run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic

ANY = "!transform.any_op"
SIZES = ["[]", "[0, 0]", "[8]", "[8, 0, 4]", "[[8], 4]", "[%size, 0, 4]", "[0, %size]"]
TILINGS = [
    "transform.structured.tile_using_for %root tile_sizes {sizes}",
    "transform.structured.fuse %root tile_sizes {sizes}",
    "transform.structured.fuse %root tile_sizes {sizes} {{use_forall}}",
]
NAMES = ["%tiled", "%tiled, %loop", "%tiled, %loops:2", "%tiled, %outer, %inner", "%all:4", ""]


def script(tiling: str, sizes: str, names: str) -> str:
    operation = tiling.format(sizes=sizes)
    size = ", !transform.param<i64>" if "%size" in sizes else ""
    count = {"%tiled": 1, "%tiled, %loop": 2, "%all:4": 4, "": 2}.get(names, 3)
    assigned = f"{names} = " if names else ""
    results = ", ".join([ANY] * count)
    return f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @main(%root: {ANY} {{transform.consumed}}) {{
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    {assigned}{operation} : ({ANY}{size}) -> ({results})
    transform.yield
  }}
}}
"""


SCRIPTS = [script(*case) for case in product(TILINGS, SIZES, NAMES) if "fuse" not in case[0] or "[[" not in case[1]]


def findings(text: str) -> list[Diagnostic]:
    return [
        finding
        for finding in findings_in_file(SourceFile.of(text, Catalogue.shipped()))
        if finding.rule == "loop-result-count"
    ]


@pytest.fixture(scope="module", autouse=True)
def mlir() -> None:
    require_mlir_opt(22)


def test_findings_are_those_of_the_verifier() -> None:
    for text, outcome in zip(SCRIPTS, run(SCRIPTS), strict=True):
        found = findings(text)
        assert bool(found) is (outcome.text is None), text
        if found:
            assert "loop" in outcome.diagnostics[0].message


def test_the_verifier_accepts_fixed_loops() -> None:
    wrong = [(text, findings(text)) for text in SCRIPTS]
    fixed = [applied(text, found[0].fixes[0].edits) for text, found in wrong if found]
    assert len(fixed) > 50
    assert [text for text, outcome in zip(fixed, run(fixed), strict=True) if outcome.text is None] == []


def test_results_that_are_used_stay() -> None:
    text = script(TILINGS[0], "[8]", "%tiled, %loops:2")
    used = text.replace(
        "    transform.yield", f"    transform.loop.unroll %loops#1 {{factor = 2}} : {ANY}\n    transform.yield"
    )
    assert findings(text)[0].fixes
    assert not findings(used)[0].fixes
