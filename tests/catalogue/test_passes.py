"""The names of passes: upstream's, and those of a project."""

from __future__ import annotations

import pytest

from facts.passes import _listed
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import PassDefinition, PassOption
from tdls.catalogue.passes import mistyped_passes
from tdls.catalogue.source import MemorySource
from tdls.settings.llvm_versions import llvm_versions
from tools_at_hand import require_mlir_opt

SHIPPED = Catalogue.shipped()


@pytest.mark.parametrize("version", [19, 22])
def test_passes_are_those_that_the_tool_lists(version: int) -> None:
    require_mlir_opt(version)
    shipped = Catalogue.shipped().at(version)
    assert set(shipped.pass_names()) == {each.name for each in _listed(f"mlir-opt-{version}")}


def test_pipelines_are_among_them() -> None:
    (pipeline,) = SHIPPED.pass_variants("buffer-deallocation-pipeline")
    assert pipeline.versions == llvm_versions()
    assert [each.versions for each in SHIPPED.pass_variants("mesh-spmdization")] == [(18, 19, 20, 21)]


def test_options_and_restrictions_are_shipped() -> None:
    canonicalize, outlining = map(SHIPPED.pass_definition, ("canonicalize", "gpu-kernel-outlining"))
    assert canonicalize is not None
    options = {option.name: option for option in canonicalize.options or ()}
    assert options["max-iterations"] == PassOption("max-iterations", "long")
    assert options["disable-patterns"] == PassOption("disable-patterns", "string", is_list=True)
    assert options["region-simplify"].cases == ("disabled", "normal", "aggressive")
    assert canonicalize.runs_on == ""
    assert outlining is not None
    assert outlining.runs_on == "builtin.module"


UPSTREAM, OWN = "upstream", "with passes of a project"


@pytest.mark.parametrize(
    ("passes", "written", "meant"),
    [
        (UPSTREAM, "canonicalise", "canonicalize"),
        (UPSTREAM, "canonicalizer", "canonicalize"),
        (UPSTREAM, "--canonicalize", "canonicalize"),
        (UPSTREAM, "Canonicalize", "canonicalize"),
        (UPSTREAM, "loop_invariant_code_motion", "loop-invariant-code-motion"),
        (UPSTREAM, "linalg-generalise-named-ops", "linalg-generalize-named-ops"),
        (UPSTREAM, "convert-linalg-to-loop", "convert-linalg-to-loops"),
        (UPSTREAM, "CSE", "cse"),
        *[(UPSTREAM, name, None) for name in ("canonicalize", "func-bufferize", "dse", "scs", "iree-codegen-cse", "")],
        *[(UPSTREAM, name, None) for name in ("convert-stablehlo-to-linalg", "foo")],
        *[(OWN, name, None) for name in ("canonicalise", "my-tile-1", "my-tile-3", "my-tyle-1")],
        (OWN, "my_tile_1", "my-tile-1"),
        (OWN, "canonicalizee", "canonicalize"),
    ],
)
def test_names_that_are_mistyped(passes: str, written: str, meant: str | None) -> None:
    own = MemorySource("own", passes=map(PassDefinition, ("my-tile-1", "my-tile-2", "canonicalise")))
    catalogue = SHIPPED if passes == UPSTREAM else SHIPPED.with_source(own)
    assert mistyped_passes(catalogue, written) == ((meant,) if meant else ())
