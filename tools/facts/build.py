"""Build the shipped facts: ``python tools/facts/build.py --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts import additions, effect_search, writing  # noqa: E402
from facts.bindings_oracle import Bindings  # noqa: E402
from facts.installation import Installation, from_facts, from_tablegen  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from facts.wheel import RELEASES, from_bindings, of_main, of_releases, with_supplement  # noqa: E402
from tdls.catalogue.documents import encode  # noqa: E402
from tdls.catalogue.shipped import FACTS_FOLDER, ShippedSource  # noqa: E402
from tdls.settings.llvm_versions import newest_version  # noqa: E402


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
    if arguments.only_by_hand:
        rebuild(arguments.output)
        return
    known = ShippedSource(arguments.output) if arguments.keep_effects else None
    llvm_22 = from_tablegen(22, arguments.include_22, arguments.tblgen_22)
    llvm_19 = from_tablegen(19, arguments.include_19, arguments.tblgen_19)
    bindings = Bindings(arguments.python, arguments.bindings)
    effect_search.add_effects(llvm_22, OptTool(arguments.mlir_opt_22), known)
    effect_search.add_effects(llvm_19, OptTool(arguments.mlir_opt_19), known)
    llvm_23 = from_bindings(23, bindings, llvm_22)
    effect_search.add_missing_effects(llvm_23, bindings, known)
    _write(arguments.output, [llvm_23, llvm_22, llvm_19])


def rebuild(folder: Path = FACTS_FOLDER) -> None:
    """Build the facts again with what is written by hand or found in wheels; the rest is that of `folder`."""
    derived = {int(path.stem) for path in RELEASES.glob("*.json")} | {newest_version()}
    described = [each for each in from_facts(ShippedSource(folder)) if each.version not in derived]
    with_supplement(described[0])
    _write(folder, described)


def _write(folder: Path, described: list[Installation]) -> None:
    """Write the facts of `described`, the newest first, and of those that are made of them."""
    folder.mkdir(parents=True, exist_ok=True)
    additions.share(described)
    all_versions = (of_main(described[0]), *described, *of_releases(described))
    newest_first = sorted(map(additions.completed, all_versions), key=lambda each: each.version, reverse=True)
    additions.add_names(newest_first)
    dialects = sorted(set().union(*(installation.dialects() for installation in newest_first)))
    for dialect in dialects:
        writing.write_dialect(folder, dialect, newest_first)
    index = {
        "llvm": sorted(installation.version for installation in newest_first),
        "dialects": dialects,
        "renames": additions.renames(newest_first),
        "uses": additions.uses(),
    }
    writing.write_document(folder / "_index.json", index)
    older = [encode(definition) for definition in additions.older(described[-1])]
    additions.add_tables(folder, newest_first)
    others = {"former_attributes": additions.former_attributes(), "absent": additions.absent_in_oldest()}
    writing.write_document(folder / "_older.json", {"operations": older, **others})
    for path in folder.glob("*.json"):
        if path.stem not in dialects and not path.stem.startswith("_"):
            path.unlink()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Build the catalogue's shipped facts.")
    for version in (22, 19):
        parser.add_argument(
            f"--include-{version}",
            type=Path,
            metavar="FOLDER",
            default=Path(f"/usr/lib/llvm-{version}/include"),
            help=f"include folder of LLVM {version} with mlir/ in it (Debian: libmlir-{version}-dev)",
        )
        parser.add_argument(
            f"--tblgen-{version}",
            metavar="TOOL",
            default=f"llvm-tblgen-{version}",
            help=f"llvm-tblgen of LLVM {version} (Debian: llvm-{version})",
        )
        parser.add_argument(
            f"--mlir-opt-{version}",
            metavar="TOOL",
            default=f"mlir-opt-{version}",
            help=f"mlir-opt of LLVM {version} with the test passes (Debian: mlir-{version}-tools)",
        )
    parser.add_argument("--python", default=sys.executable, help="Python that has MLIR's bindings of LLVM 23")
    parser.add_argument("--bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    parser.add_argument(
        "--keep-effects",
        action="store_true",
        help="take effects from the facts in the output folder where they fit, instead of asking MLIR (minutes)",
    )
    parser.add_argument(
        "--only-by-hand",
        action="store_true",
        help="take what is not written by hand (relations.json and its neighbours) from the facts in the output folder",
    )
    parser.add_argument("--output", type=Path, default=FACTS_FOLDER, metavar="FOLDER", help="folder to write to")
    return parser


if __name__ == "__main__":
    sys.exit(main())
