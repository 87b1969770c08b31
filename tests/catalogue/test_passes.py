"""The names of upstream's passes."""

from __future__ import annotations

import pytest

from facts.passes import _listed
from tdls.catalogue.passes import mistyped_passes, upstream_passes
from tools_at_hand import require_mlir_opt


@pytest.mark.parametrize("version", [19, 22])
def test_passes_are_those_that_the_tool_lists(version: int) -> None:
    require_mlir_opt(version)
    shipped = {name for name, versions in upstream_passes().items() if version in versions}
    assert shipped == _listed(f"mlir-opt-{version}")


def test_pipelines_are_among_them() -> None:
    assert upstream_passes()["buffer-deallocation-pipeline"] == (19, 22, 24)
    assert upstream_passes()["mesh-spmdization"] == (19,)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("canonicalise", "canonicalize"),
        ("canonicalizer", "canonicalize"),
        ("--canonicalize", "canonicalize"),
        ("Canonicalize", "canonicalize"),
        ("loop_invariant_code_motion", "loop-invariant-code-motion"),
        ("linalg-generalise-named-ops", "linalg-generalize-named-ops"),
        ("convert-linalg-to-loop", "convert-linalg-to-loops"),
        ("CSE", "cse"),
    ],
)
def test_names_that_are_mistyped(written: str, meant: str) -> None:
    assert mistyped_passes(written) == (meant,)


@pytest.mark.parametrize(
    "name",
    ["canonicalize", "func-bufferize", "dse", "scs", "iree-codegen-cse", "convert-stablehlo-to-linalg", "foo", ""],
)
def test_names_of_upstream_or_of_projects(name: str) -> None:
    assert mistyped_passes(name) == ()
