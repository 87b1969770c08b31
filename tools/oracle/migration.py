"""Compares the output of ``tdls migrate`` with operations that MLIR reads: ``python -m oracle.migration --help``.

One version of MLIR prints instances of all transform operations, another reads them. Those that it rejects are
migrated; it has to accept most of them then, and to print the same generic form.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from facts.bindings_oracle import Bindings
from facts.instances import instances
from facts.oracles import OptTool
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue import changed_operations
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.migration import migrate
from tdls.settings.llvm_versions import version_name, version_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import OperationDefinition

    _Mlir = OptTool | Bindings

_BATCH = 100
_INSTANCES = 12
_UNTYPED_NUMBER = re.compile(r" : i64\b")
_STATIC = re.compile(r"static_(\w+ = )array<i64(?:: )?([^<>]*)>")
"""A list of numbers, which was an array attribute before operands could give some of them."""
_LEFT_OUT = re.compile(r"\w+SegmentSizes = array<[^<>]*>|lower\w+LikeWith\w+Slice = true|\w+ = \[\]|[ ,]")
"""Sizes of groups, empty lists, and a default that LLVM 19 had without a name, which versions spell or leave out."""
_PACKING = re.compile(r'"tensor\.((?:un)?pack)"')
"""Payload operations that were renamed."""
_FAILING = (
    re.compile(r"structured\.pack_transpose .*_perm = \[1\]"),  # no permutation: LLVM 22 verifies this, 19 crashes
    re.compile(r"structured\.tile_reduction_using_forall %\S+ by, "),  # LLVM 19 fails without numbers of threads
    re.compile(r"structured\.winograd_conv2d .*\{m = (?!2 : i64, r = [35] |4 : i64, r = 3 )"),  # LLVM 19 has no such F
    re.compile(r"gpu_shuffle_to_amdgpu .*chipset = \"(?!gfx)"),  # no chip's name
)
"""Instances that pass the older verifier and fail in every run; no script can have them."""


@dataclass
class Migration:
    """The numbers of one pair of versions."""

    printed: int = 0
    rejected: list[str] = field(default_factory=list)
    """Texts that the newer version rejects, and whose operations it has."""
    accepted: list[str] = field(default_factory=list)
    """Those of them that it accepts once they are migrated."""
    by_record: int = 0
    """Number of those that changed in more than their spelling: their forms cannot be compared."""
    changed: list[tuple[str, str]] = field(default_factory=list)
    """Texts whose generic form is another one afterwards, with the migrated text."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Texts that it still rejects, with the migrated text."""


def migrated(text: str, version: int) -> str:
    """Return `text` migrated to `version`."""
    migration = migrate(SourceFile.of(text, Catalogue.shipped()), version, in_editor=False)
    assert migration is not None
    return migration.after.text


def compare(older: str, newer: str, old: int, new: int, names: Sequence[str] = ()) -> Migration:
    """Migrate output of the MLIR `older` of version `old` to version `new`, and have the MLIR `newer` read it."""
    catalogue = Catalogue.shipped()
    printing, reading = _mlir(older), _mlir(newer)
    found = Migration()
    for start in range(0, len(texts := _texts(catalogue, (printing, reading), (old, new), names)), _BATCH):
        batch = texts[start : start + _BATCH]
        found.printed += len(batch)
        read = reading.printed(batch)
        rejected = [text for text, result in zip(batch, read, strict=True) if result is None]
        again = [migrated(text, new) for text in rejected]
        before, after = printing.generic(rejected), reading.generic(again)
        for text, new_text, form, new_form in zip(rejected, again, before, after, strict=True):
            found.rejected.append(text)
            if new_form is None:
                found.unread.append((text, new_text))
                continue
            found.accepted.append(text)
            if form is not None and _operation(form) != _operation(new_form):
                if any(changed_operations.changes_of(name) for name in re.findall(r"transform\.[\w.]+", text)):
                    found.by_record += 1
                else:
                    found.changed.append((text, new_text))
    return found


def _mlir(name: str) -> _Mlir:
    return OptTool(name) if shutil.which(name) is not None else Bindings(sys.executable, name)


def _texts(
    catalogue: Catalogue, tools: tuple[_Mlir, _Mlir], versions: tuple[int, int], names: Sequence[str]
) -> list[str]:
    """Instances as the older MLIR prints and reads them, of the transform operations that both have.

    A wheel may lack some of upstream's extensions, and not every print of MLIR can be read again.
    """
    made: dict[int, list[tuple[str, str]]] = {version: [] for version in versions}
    for name in names or catalogue.operation_names("transform"):
        found = {version: _variant(catalogue, name, version) for version in versions}
        for version, definition in found.items():
            if definition is not None and None not in found.values():
                kept = (*instances(definition, 0)[:2], *instances(definition, 1)[:_INSTANCES])
                made[version] += [(name, instance.text) for instance in kept]
    older, newer = (
        [(name, text) for (name, _), text in zip(made[version], _printed(tool, made[version]), strict=True) if text]
        for tool, version in zip(tools, versions, strict=True)
    )
    known = {name for name, _ in newer}
    readable = _printed(tools[0], older)
    texts = [text for (name, text), again in zip(older, readable, strict=True) if again is not None and name in known]
    return [text for text in texts if not any(failing.search(text) for failing in _FAILING)]


def _variant(catalogue: Catalogue, name: str, version: int) -> OperationDefinition | None:
    return next((variant for variant in catalogue.variants(name) if version in variant.versions), None)


def _printed(mlir: _Mlir, named: Sequence[tuple[str, str]]) -> list[str | None]:
    return [
        text
        for start in range(0, len(named), _BATCH)
        for text in mlir.printed([text for _, text in named[start : start + _BATCH]])
    ]


def _operation(form: str) -> str:
    """Return the characters of the last transform operation of a generic form, sorted, as attributes have any order."""
    line = next((line for line in reversed(form.splitlines()) if '"transform.' in line), "").strip()
    same = _LEFT_OUT.sub("", _PACKING.sub(r'"linalg.\1"', _STATIC.sub(r"\1[\2]", _UNTYPED_NUMBER.sub("", line))))
    return "".join(sorted(same.replace("<{", "{").replace("}>", "}").replace("{}", "")))


def main() -> int:
    """Print the numbers, and each text that is still rejected or has changed; 1 if one has changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("older", help="a tool such as mlir-opt-22, or a package of bindings such as torch_mlir")
    parser.add_argument("newer", help="another one")
    parser.add_argument("--from", dest="old", required=True, metavar="VERSION")
    parser.add_argument("--to", dest="new", required=True, metavar="VERSION")
    arguments = parser.parse_args()
    old, new = version_named(arguments.old), version_named(arguments.new)
    if old is None or new is None:
        parser.error("tdls knows no such version")
    found = compare(arguments.older, arguments.newer, old, new)
    for title, pairs in (("rejected", found.unread), ("changed", found.changed)):
        for before, after in pairs:
            print(f"{title}:\n{before.strip()}\n{after.strip()}\n")
    print(
        f"{version_name(old)} to {version_name(new)}: {found.printed} texts, {len(found.rejected)} rejected, "
        f"{len(found.accepted)} of them accepted after the migration ({found.by_record} by a record of their change), "
        f"{len(found.changed)} changed"
    )
    return 1 if found.changed else 0


if __name__ == "__main__":
    sys.exit(main())
