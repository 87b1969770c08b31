"""Finds the operations of a section that only versions of LLVM before those of the shipped facts have.

A script for LLVM 17 is not a collection of mistakes: one finding names its version (`older-form`, or
`unknown-transform-operation` if it begins with a name that is gone). In a script that no such version reads, each of
these operations is a mistake of its own.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.analysis.file.context import OperationKind
from tdls.catalogue.model import Arity
from tdls.catalogue.shipped import shipped_source
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import llvm_versions, older_versions
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation


class OlderForms(NamedTuple):
    """The older operations of a section, those of payload last, and the older versions that have all of them.

    If none has all, but each operation is as in one of two successive versions, `is_between` them.
    """

    operations: tuple[Operation, ...]
    versions: tuple[int, ...]
    is_between: bool = False
    has_target: bool = False
    alike: tuple[tuple[Operation, OperationDefinition], ...] = ()
    """Other operations that look as today and meant something else, with their definitions of that time."""

    @property
    def is_script(self) -> bool:
        """True if the section is written for one of these versions, or for several and meant for a newer one."""
        return bool(self.versions) or (self.has_target and bool(self.operations))

    @property
    def named(self) -> str:
        """The versions, for people; forms between the oldest and the newest of them may be those of no release."""
        older, following = older_versions(), next(each for each in llvm_versions() if each > older_versions()[-1])
        if len(self.versions) == 1 and older[0] < self.versions[0] < older[-1]:
            return f"a version between LLVM {older[0]} and {older[-1]}"
        named = " and ".join(map(str, self.versions)) or f"before {following}"
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
    older: list[Operation] = []
    having: list[set[int]] = []
    for operation in sorted(
        context.operations(OperationKind.UNKNOWN), key=lambda each: not is_transform_name(each.name)
    ):
        versions = _older_versions(context, operation)
        if versions is not None:
            older.append(operation)
            having.append(versions)
    if not older:
        return OlderForms((), ())
    has_target = context.catalogue.target is not None
    newer = [(operation, _lacking(context, operation)) for operation in context.operations(OperationKind.TRANSFORM)]
    lacking = set().union(*(versions for _, versions in newer))
    possible = set(older_versions()).intersection(*having) - lacking
    absent = shipped_source().older.absent
    if not possible and (len(older) > 1 or not any(operation.name in absent for operation, _ in newer)):
        of_all = [*having, *(set(older_versions()) - versions for _, versions in newer)]
        for pair in pairwise(older_versions()):
            if all(not versions.isdisjoint(pair) for versions in of_all):
                return OlderForms(tuple(older), pair, True, has_target, tuple(_alike(context, pair)))
    named = tuple(sorted(possible))
    return OlderForms(tuple(older), named, False, has_target, tuple(_alike(context, named)))


def _alike(context: Context, versions: tuple[int, ...]) -> Iterator[tuple[Operation, OperationDefinition]]:
    for operation in context.operations(OperationKind.TRANSFORM):
        for older in context.catalogue.older(operation.name):
            counts = {len(operation.syntax.result_types or ()), len(older.results)}
            is_fixed = all(result.arity is Arity.ONE for result in older.results)
            is_like = _has_form(context, older) and (not is_fixed or len(counts) == 1)
            if is_like and versions and max(versions) <= max(older.versions):
                yield operation, older


def removed_before(context: Context, operation: Operation) -> Rename | None:
    """Return the rename or removal of an operation whose name no version of the shipped facts has."""
    if operation.definition is not None and not context.catalogue.is_older(operation.definition):
        return None
    return None if context.catalogue.variants(operation.name) else context.catalogue.renamed(operation.name)


def _older_versions(context: Context, operation: Operation) -> set[int] | None:
    """Return the older versions that have the operation, or None if a newer one has it or may have it."""
    definition = operation.definition
    if definition is not None and context.catalogue.is_older(definition):
        same = context.catalogue.older(operation.name)
        return {
            version for form in same if form.assembly_format == definition.assembly_format for version in form.versions
        }
    rename = removed_before(context, operation) if definition is None else None
    if rename is None or rename.last_version > older_versions()[-1]:
        return None
    return {version for version in older_versions() if version <= rename.last_version}


def _lacking(context: Context, operation: Operation) -> set[int]:
    """Return the older versions that do not read the operation as it is written."""
    lacking = {version for version in older_versions()[:1] if operation.name in shipped_source().older.absent}
    if operation.syntax.form is Form.EXACT and operation.operands:  # `sequence` without a root is what it was
        older = (each for each in context.catalogue.older(operation.name) if not _has_form(context, each))
        lacking.update(version for definition in older for version in definition.versions)
    return lacking


def _has_form(context: Context, older: OperationDefinition) -> bool:
    """Whether some later version writes an operation as an older one, but for the properties that main has."""
    formats = (each.assembly_format or "" for each in context.catalogue.variants(older.name))
    return any(each.replace("prop-dict attr-dict", "attr-dict") == older.assembly_format for each in formats)
