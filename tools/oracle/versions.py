"""Compares the findings of tdls for each target version with that version's MLIR: ``python -m oracle.versions --help``.

Each MLIR prints instances of all transform operations that it has, and the scripts of the oracle with their payload.
Its output is right for its version, and without a version; instances of others that it rejects are wrong for its
version.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from facts.bindings_oracle import Bindings
from facts.instances import instances
from facts.oracles import OptTool
from facts.payload_instances import cut_out, made
from oracle.payload_modules import seeds
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import failing_on_reading
from tdls.catalogue.catalogue import Catalogue
from tdls.settings.llvm_versions import newest_version, version_name, version_named
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UPSTREAM = Catalogue.shipped()
_BATCH = 100
_DIALECTS = (
    *("arith.", "async.", "bufferization.", "gpu.", "linalg.", "math.", "memref.", "scf.", "shape."),
    *("sparse_tensor.", "tensor.", "vector."),
)
_SCRIPTS = sorted(
    path for name in ("scripts", "run_corpus", "payload") for path in (Path(__file__).parent / name).glob("*.mlir")
)
_DYNAMIC = "-9223372036854775808"
"""In an attribute of the generic form it means that an operand has the size; people do not write it as a number."""


@dataclass
class Compared:
    """The numbers of one version."""

    printed: int = 0
    scripts: int = 0
    false: list[tuple[str, str, str]] = field(default_factory=list)
    """Target or none, message and text of each error in the output of this MLIR."""
    rejected: int = 0
    """Texts of other versions that it rejects."""
    unsaid: list[tuple[str, str]] = field(default_factory=list)
    """Those of them without a finding, by the version that prints them."""


def texts(version: int, mlir: OptTool | Bindings, most: int) -> list[tuple[str, str]]:
    """Return operations of the version with modules as its MLIR prints them, of at most `most` attempts for each.

    Some prints of MLIR cannot be read again by the same MLIR; these are left out.
    """
    made: dict[str, str] = {}
    for name in UPSTREAM.operation_names("transform"):
        definition = next((each for each in UPSTREAM.variants(name) if version in each.versions), None)
        if definition is not None:
            changed = [*instances(definition, 1), *instances(definition, 2)]
            kept = [*instances(definition, 0), *Random(0).sample(changed, min(most, len(changed)))]
            made |= {instance.text: name for instance in kept}
    names = list(made.values())
    printed = {text: name for name, text in zip(names, _read(mlir, list(made)), strict=True) if text is not None}
    again = _read(mlir, list(printed))
    readable = [(name, text) for (text, name), read in zip(printed.items(), again, strict=True) if read is not None]
    return [(name, text) for name, text in readable if _DYNAMIC not in text]


def payload_texts(mlir: OptTool | Bindings, candidates: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return payload operations with modules as an MLIR prints them, where it has the dialect."""
    printed = zip(candidates, _read(mlir, [text for _, text in candidates]), strict=True)
    made = {text: name for (name, _), text in printed if text is not None and f'"{name}"(' not in text}
    read = zip(made, _read(mlir, list(made)), strict=True)
    return [(made[text], text) for text, again in read if again is not None]


def payload_candidates() -> list[tuple[str, str]]:
    """Return operations of `_DIALECTS`, each alone in the generic form, that LLVM 22 accepts."""
    tool = OptTool("mlir-opt-22")
    written = cut_out(filter(None, tool.generic([text for _, text in seeds()])), UPSTREAM)
    named = [(name, text) for name, each in written.items() if name.startswith(_DIALECTS) for text in each]
    named = [(name, text) for name, text in named if "xegpu." not in text]  # which only some of the tools have
    for name in UPSTREAM.operation_names():
        definition = next((each for each in UPSTREAM.variants(name) if 22 in each.versions), None)
        if definition is not None and name.startswith(_DIALECTS) and name not in written:
            named += [(name, text) for text in made(definition)]
    return [
        each for each, read in zip(named, _read(tool, [text for _, text in named]), strict=True) if read is not None
    ]


def scripts(mlir: OptTool | Bindings) -> list[str]:
    """Return the oracle's scripts and their payload as an MLIR prints them, as far as it can read them."""
    written = [part for path in _SCRIPTS for part in path.read_text(encoding="utf-8").split("// -----")]
    printed = [text for text in _read(mlir, written) if text is not None]
    return [text for text, read in zip(printed, _read(mlir, printed), strict=True) if read is not None]


def _read(mlir: OptTool | Bindings, modules: Sequence[str]) -> list[str | None]:
    batches = (modules[start : start + _BATCH] for start in range(0, len(modules), _BATCH))
    return [text for batch in batches for text in mlir.printed(batch)]


def said(text: str, target: int | None) -> str | None:
    """Return the message of a finding that MLIR cannot read the text, if there is one."""
    found = findings_in_file(SourceFile.of(text, UPSTREAM.at(target)))
    return next(
        (each.message for each in found if each.rule in failing_on_reading() and each.level is Level.ERROR), None
    )


def _is_in(version: int, name: str) -> bool:
    """Whether the facts have the operation in a version; a wheel may lack some of upstream's extensions."""
    return any(version in variant.versions for variant in UPSTREAM.variants(name))


def compare(mlirs: dict[int, OptTool | Bindings], most: int, payload: Sequence[tuple[str, str]]) -> dict[int, Compared]:
    """Compare all versions with each other, on transform operations or else on `payload`."""
    printed = {
        version: payload_texts(mlir, payload) if payload else texts(version, mlir, most)
        for version, mlir in mlirs.items()
    }
    found: dict[int, Compared] = {}
    for version, mlir in mlirs.items():
        own = found[version] = Compared(len(printed[version]))
        had = {name for name, _ in printed[version]}
        had |= {name for theirs in printed.values() for name, _ in theirs if not _is_in(version, name)}
        own_scripts = [] if payload else scripts(mlir)
        own.scripts = len(own_scripts)
        for text in (*(text for _, text in printed[version]), *own_scripts):
            for target in (version, None):
                message = said(text, target)
                if message is not None:
                    own.false.append((version_name(target) if target is not None else "any", message, text))
        for other, theirs in printed.items():
            lacking = [each for each in _DIALECTS if payload and not any(name.startswith(each) for name in had)]
            theirs = [(name, text) for name, text in theirs if not any(each in text for each in lacking)]
            different = sorted({text for name, text in theirs if name in had} - {text for _, text in printed[version]})
            for text, again in zip(different, _read(mlir, different), strict=True):
                if again is None:
                    own.rejected += 1
                    if said(text, version) is None:
                        own.unsaid.append((version_name(other), text))
    return found


def _installed(arguments: argparse.Namespace) -> Iterator[tuple[int, OptTool | Bindings]]:
    for version in (19, 22):
        tool = shutil.which(f"mlir-opt-{version}")
        if tool is not None:
            yield version, OptTool(tool)
    yield 23, Bindings(arguments.python, "torch_mlir")
    main_tool = shutil.which(arguments.main)
    if main_tool is not None:
        yield newest_version(), OptTool(main_tool)
    for name, _, command in (each.partition("=") for each in arguments.mlir):
        named = version_named(name)
        if named is None:
            raise SystemExit(f"tdls knows no version {name!r}")
        program, _, package = command.partition(":")
        yield named, Bindings(program, package) if package else OptTool(program)


def main() -> int:
    """Print the numbers of each version; 1 if there is a false error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=60, help="attempts to make an instance of each operation")
    parser.add_argument("--python", default=sys.executable, help="a Python with torch-mlir")
    parser.add_argument("--main", default="iree-opt", help="a tool of LLVM's main branch")
    parser.add_argument(
        "--mlir",
        action="append",
        default=[],
        metavar="VERSION=TOOL",
        help="another version: a tool, or a Python and its package of bindings, `18=venv/bin/python:iree.compiler`",
    )
    parser.add_argument("--payload", action="store_true", help="compare payload operations, not those of scripts")
    parser.add_argument("--examples", action="store_true", help="print each text that tdls judges otherwise than MLIR")
    arguments = parser.parse_args()
    found = compare(dict(_installed(arguments)), arguments.most, payload_candidates() if arguments.payload else ())
    for version, each in found.items():
        for target, message, text in each.false if arguments.examples else ():
            print(f"false error for {target}: {message}\n{text.strip()}\n")
        for other, text in each.unsaid if arguments.examples else ():
            print(f"{version_name(version)} rejects what {other} prints, and tdls is silent:\n{text.strip()}\n")
        targets = Counter(target for target, _, _ in each.false)
        said_of = each.rejected - len(each.unsaid)
        print(
            f"{version_name(version)}: {each.printed} instances and {each.scripts} scripts printed, "
            f"false errors: {dict(targets) or 'none'}; "
            f"{each.rejected} of others rejected, {said_of} said ({said_of / max(1, each.rejected):.1%})"
        )
    return 1 if any(each.false for each in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
