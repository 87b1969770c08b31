"""Finds the operations of a section that only versions of LLVM before those of the shipped facts have.

A script for LLVM 17 is no collection of mistakes: one finding names its version (`older-form`, or
`unknown-transform-operation` if it begins with a name that is gone). In a script that no such version reads, each of
these operations is a mistake of its own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context import OperationKind
from tdls.catalogue.shipped import shipped_source
from tdls.settings.keys import OLDER_LLVM_VERSIONS
from tdls.syntax.sections.facts import Fact
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation


class OlderForms(NamedTuple):
    """The older operations of a section, and the older versions that have all of them.

    If none has all, but each operation is as in one of two successive versions, `is_between` them.
    """

    operations: tuple[Operation, ...]
    versions: tuple[int, ...]
    is_between: bool = False
    has_target: bool = False

    @property
    def is_script(self) -> bool:
        """True if the section is written for one of these versions, or for several and meant for a newer one."""
        return bool(self.versions) or (self.has_target and bool(self.operations))

    @property
    def named(self) -> str:
        """The versions, for people."""
        named = " and ".join(map(str, self.versions)) or "before 19"
        return f"{'a version between ' if self.is_between else ''}LLVM {named}"

    @property
    def others(self) -> str:
        """A sentence about all operations but the first; "" without any."""
        more = len(self.operations) - 1
        are = "operation is" if more == 1 else "operations are"
        return f"{more} more {are} written as in {self.named}" if self.is_script and more else ""


@Fact
def older_forms(context: Context) -> OlderForms:
    """Find the older operations of the section."""
    found: list[Operation] = []
    having: list[set[int]] = []
    for operation in context.operations(OperationKind.UNKNOWN):
        versions = _older_versions(context, operation)
        if versions is not None:
            found.append(operation)
            having.append(versions)
    if not found:
        return OlderForms((), ())
    has_target = context.catalogue.target is not None
    newer = [(operation, _lacking(context, operation)) for operation in context.operations(OperationKind.TRANSFORM)]
    lacking = set().union(*(versions for _, versions in newer))
    possible = set(OLDER_LLVM_VERSIONS).intersection(*having) - lacking
    if not possible and (len(found) > 1 or not any(operation.name in _absent() for operation, _ in newer)):
        of_all = [*having, *(set(OLDER_LLVM_VERSIONS) - versions for _, versions in newer)]
        for pair in pairwise(OLDER_LLVM_VERSIONS):
            if all(not versions.isdisjoint(pair) for versions in of_all):
                return OlderForms(tuple(found), pair, is_between=True, has_target=has_target)
    return OlderForms(tuple(found), tuple(sorted(possible)), has_target=has_target)


def _absent() -> frozenset[str]:
    """Return the names of operations that the oldest version lacks."""
    return shipped_source().older.absent


def removed_before(context: Context, operation: Operation) -> Rename | None:
    """Return the rename or removal of an operation whose name no version of the shipped facts has."""
    if operation.definition is not None and not operation.definition.is_older:
        return None
    return None if context.catalogue.variants(operation.name) else context.catalogue.renamed(operation.name)


def _older_versions(context: Context, operation: Operation) -> set[int] | None:
    """Return the older versions that have the operation; None if a newer one has it or may have it."""
    definition = operation.definition
    if definition is not None and definition.is_older:
        same = context.catalogue.older(operation.name)
        return {
            version for form in same if form.assembly_format == definition.assembly_format for version in form.versions
        }
    rename = removed_before(context, operation) if definition is None else None
    if rename is None or rename.last_version > OLDER_LLVM_VERSIONS[-1]:
        return None
    return {version for version in OLDER_LLVM_VERSIONS if version <= rename.last_version}


def _lacking(context: Context, operation: Operation) -> set[int]:
    """Return the older versions that do not read the operation as it is written."""
    lacking = {version for version in OLDER_LLVM_VERSIONS[:1] if operation.name in _absent()}
    if operation.syntax.form is Form.EXACT and operation.operands:  # `sequence` without a root is what it was
        lacking.update(_versions_of(context.catalogue.older(operation.name)))
    return lacking


def _versions_of(definitions: tuple[OperationDefinition, ...]) -> Iterator[int]:
    return (version for definition in definitions for version in definition.versions)
