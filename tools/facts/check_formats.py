"""Does LLVM 23 read the output of LLVM 22, where the catalogue says that the format is the same?

``python tools/facts/check_formats.py --help``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.bindings_oracle import Bindings  # noqa: E402
from facts.effects import observe  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.model import OperationDefinition  # noqa: E402, TC001


def main() -> int:
    """Print counts and every instance that LLVM 23 rejects; the exit code is 0 where there is none."""
    arguments = _parser().parse_args()
    try:
        return _check(OptTool(arguments.mlir_opt), Bindings(arguments.python, arguments.bindings))
    except FactsError as error:
        print(f"check_formats.py: {error}", file=sys.stderr)
        return 2


def _check(tool: OptTool, bindings: Bindings) -> int:
    shared = [definition for definition in _shared() if definition.assembly_format or definition.custom_assembly]
    read = rejected = untried = 0
    observed = observe(tool, shared)
    for definition in shared:
        texts = _readable(tool, [observation.instance.text for observation in observed[definition.name]])
        wrong = [text for text, answer in zip(texts, bindings.printed(texts), strict=True) if answer is None]
        for text in wrong:
            print(f"{definition.name}: LLVM 23 rejects\n{_line_of(definition, text)}")
        read += len(texts)
        rejected += len(wrong)
        untried += not texts
    print(f"{len(shared)} operations ({untried} of them not tried), {read} instances read, {rejected} rejected")
    return 1 if rejected else 0


def _readable(tool: OptTool, texts: list[str]) -> list[str]:
    """Return the texts that LLVM 22 prints and can read again: it prints some instances in a form that it rejects."""
    printed = [text for text in tool.printed(texts) if text is not None]
    again = tool.printed(printed)
    return [text for text, answer in zip(printed, again, strict=True) if answer is not None]


def _shared() -> list[OperationDefinition]:
    catalogue = Catalogue.shipped()
    variants = [variant for name in catalogue.operation_names("transform") for variant in catalogue.variants(name)]
    return [variant for variant in variants if {22, 23} <= set(variant.versions)]


def _line_of(definition: OperationDefinition, text: str) -> str:
    return next((line for line in text.splitlines() if definition.name in line), text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlir-opt", default="mlir-opt-22", metavar="TOOL", help="mlir-opt of LLVM 22")
    parser.add_argument("--python", default=sys.executable, help="Python that has MLIR's bindings of LLVM 23")
    parser.add_argument("--bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    return parser


if __name__ == "__main__":
    sys.exit(main())
