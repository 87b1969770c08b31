"""Passes in the output of tools for ``--help``."""

from __future__ import annotations

import subprocess

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import PassDefinition, PassOption
from tdls.catalogue.sources.tool_help import passes_in_help, tool_source
from tools_at_hand import require_mlir_opt

HELP = """\
OVERVIEW: My optimizer driver

USAGE: my-opt [options] <input file>

OPTIONS:

General options:

  --verbose                                          - Say more
  Compiler passes to run
    Passes:
      --my-fuse                                      -   Fuse - whatever fits
        --depth=<uint>                               - How far
        --greedy                                     - Take all
        --kind=<value>                               - Which ones
    =all                                             -   All
    =few                                             -   Few
        --names=<string>                             - Of functions
      --my-plain                                     -   Do nothing
    Pass Pipelines:
      --my-pipeline                                  -   All of it
  --after                                            - No pass

Generic Options:
"""


def test_passes_have_their_options() -> None:
    assert passes_in_help(HELP) == [
        PassDefinition(
            "my-fuse",
            options=(
                PassOption("depth", "uint", summary="How far"),
                PassOption("greedy", "bool", summary="Take all"),
                PassOption("kind", summary="Which ones", cases=("all", "few")),
                PassOption("names", "string", summary="Of functions"),
            ),
            summary="Fuse - whatever fits",
        ),
        PassDefinition("my-plain", options=(), summary="Do nothing"),
        PassDefinition("my-pipeline", options=(), summary="All of it"),
    ]


def test_other_help_has_no_passes() -> None:
    assert passes_in_help("") == []
    assert passes_in_help("usage: tool [--help]\n      --looks-like-a-pass - but is none\n") == []


def test_upstream_passes_keep_their_versions() -> None:
    shipped = Catalogue.shipped()
    source = tool_source("my-opt", [PassDefinition("cse"), PassDefinition("my-fuse")], shipped)
    known = shipped.pass_definition("cse")
    assert known is not None
    assert [each.versions for each in source.passes.variants("cse")] == [known.versions]
    assert [(each.versions, each.source) for each in source.passes.variants("my-fuse")] == [((), "my-opt")]


def test_mlir_opt_lists_all_that_is_known_of_its_version() -> None:
    tool = require_mlir_opt(22)
    said = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    shipped = Catalogue.shipped().at(22)
    assert sorted(each.name for each in passes_in_help(said)) == sorted(shipped.pass_names())
