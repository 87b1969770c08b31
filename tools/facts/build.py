"""Build the shipped facts: ``python tools/facts/build.py --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts import effect_search, installation, writing  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from tdls.catalogue import shipped  # noqa: E402

_FACTS = REPOSITORY / "server" / "tdls" / "catalogue" / "facts"


def main() -> int:
    """Run the tool; the exit code is 0 on success and 2 where something is missing."""
    arguments = _parser().parse_args()
    try:
        _build(arguments)
    except FactsError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 2
    return 0


def _build(arguments: argparse.Namespace) -> None:
    installations = [
        installation.from_tablegen(22, arguments.include_22, arguments.tblgen_22),
        installation.from_tablegen(19, arguments.include_19, arguments.tblgen_19),
    ]
    known = shipped.ShippedSource(arguments.output) if arguments.keep_effects else None
    for one, tool in zip(installations, (arguments.mlir_opt_22, arguments.mlir_opt_19), strict=True):
        effect_search.add_effects(one, OptTool(tool), known)
    _write(arguments.output, installations)


def _write(folder: Path, installations: list[installation.Installation]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    dialects = sorted(set().union(*(one.dialects() for one in installations)))
    for dialect in dialects:
        writing.write_dialect(folder, dialect, installations)
    versions = sorted(one.version for one in installations)
    writing.write_document(folder / "_index.json", {"llvm": versions, "dialects": dialects})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Build the catalogue's shipped facts.")
    for version, include in ((22, "/usr/lib/llvm-22/include"), (19, "/usr/lib/llvm-19/include")):
        parser.add_argument(
            f"--include-{version}",
            type=Path,
            default=Path(include),
            help=f"include folder of LLVM {version} with mlir/ in it (Debian: libmlir-{version}-dev)",
        )
        parser.add_argument(
            f"--tblgen-{version}", default=f"llvm-tblgen-{version}", help=f"llvm-tblgen of LLVM {version}"
        )
        parser.add_argument(
            f"--mlir-opt-{version}",
            default=f"mlir-opt-{version}",
            help=f"mlir-opt of LLVM {version}, with the test passes",
        )
    parser.add_argument(
        "--keep-effects",
        action="store_true",
        help="take effects from the facts in the output folder where they fit, instead of asking MLIR (minutes)",
    )
    parser.add_argument("--output", type=Path, default=_FACTS, help="folder to write to")
    return parser


if __name__ == "__main__":
    sys.exit(main())
