"""Operations that changed in more than their spelling: uses with the same meaning in another version of LLVM, and
other uses.

The records are shipped facts. Each was confirmed by runs of both versions.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdls.settings.llvm_versions import version_name
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.catalogue.model import OperationDefinition

_TABLE: Final = Path(__file__).resolve().parent / "facts" / "_changes.json"
_Attributes = tuple[tuple[str, str], ...]


class ChangedOperation(Struct, frozen=True):
    """The change of an operation that had its former attributes and results up to `last_version`."""

    name: str
    last_version: int
    attributes: tuple[tuple[_Attributes, _Attributes], ...] = ()
    """Attributes with values that mean the same: the former ones, and the new ones."""
    becomes: str = ""
    """The later name, where another operation got the former one."""
    former_results: int = 0
    """The number of results of the former operation that the record is about; 0 for any."""
    names: tuple[tuple[str, str], ...] = ()
    """Former and new names of attributes."""
    adds: _Attributes = ()
    """Attributes that the later operation needs to behave like the former one; "" for the value of a unit attribute."""
    three: str = ""
    """The list of numbers that had its last ones, 1 by default, left out, and later needs three of them."""
    drops: tuple[str, ...] = ()
    """Attributes that say what the results say later."""
    results: tuple[tuple[str, str], ...] = ()
    """Former and new names of results."""
    new_results: tuple[tuple[str, str], ...] = ()
    """Names and types of results that follow the former ones; or the operand that has the type."""
    first_result_last: bool = False
    takes_over: tuple[str, str] = ("", "")
    """The operand that is a handle to the same payload afterwards, and the new result that replaces it then."""
    pass_options: str = ""
    """The attribute whose text, ``a=1 b=2``, has become a dictionary, ``{"a" = 1, "b" = 2}``."""
    unlike: tuple[tuple[str, str, str], ...] = ()
    """Attributes without an equal in the other versions, with a value of theirs, which may be the default (any that is
    given if empty), and the reason."""
    parts: tuple[str, ...] = ()
    """Operations of later versions that do the same together: with the same text behind their names, or with the
    values of former attributes in the text of each, which are in `adds` where the text has none."""
    parts_with: tuple[str, str] = ("", "")
    """The attribute, and its value, with which they do."""
    for_each: tuple[str, ...] = ()
    """The body of a `transform.foreach` over the operands that does the same, whose arguments are called as these:
    ``{operation}`` is the former operation on one of each, ``{type}`` the type of the first. The last line yields."""
    but_for: tuple[str, ...] = ()
    """The payload operations for which that body does something else."""
    reason: str = ""
    """Why no operation of the other versions means the same; empty if one does."""


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return table


@lru_cache(maxsize=1)
def _changes() -> Mapping[str, tuple[ChangedOperation, ...]]:
    found: dict[str, tuple[ChangedOperation, ...]] = {}
    for item in _table()["changes"]:
        change = ChangedOperation(**{key: _frozen(value) for key, value in item.items()})
        found[change.name] = (*found.get(change.name, ()), change)
    return found


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def changes_of(name: str) -> tuple[ChangedOperation, ...]:
    """Return the records of an operation by its former name."""
    return _changes().get(name, ())


def other_behaviour(name: str) -> tuple[str, str]:
    """Return why an operation does another thing in later versions, unless there is another operation beside it.

    The result is the name of that operation and the reason; both are empty if it does the same.
    """
    beside, reason = _table()["other_behaviour"].get(name, ("", ""))
    return beside, reason


def is_verified_otherwise(what: str, version: int | None) -> bool:
    """Whether `version` rejects uses of an operation or attribute, or another mistake, that others leave unverified."""
    return version is not None and version_name(version) in _table()["verified"].get(what, ())


def changes_between(
    definition: OperationDefinition, other: OperationDefinition, rename: Rename | None
) -> Sequence[ChangedOperation]:
    """Return the changes of an operation, which may have got another name, between the versions of two definitions."""
    older, newer = sorted((definition, other), key=lambda each: max(each.versions, default=0))
    found = [
        change
        for name in dict.fromkeys((older.name, newer.name))
        for change in changes_of(name)
        if change.former_results in (0, len(definition.results))
        and min(older.versions, default=0) <= change.last_version < min(newer.versions, default=0)
        and (name == older.name or rename is None or change.last_version > rename.last_version)
    ]
    if rename is None:
        return found
    if rename.first_result_last:
        found = [change for change in found if not change.first_result_last]
    adds = tuple((name.strip(), value.strip()) for name, _, value in (each.partition("=") for each in rename.adds))
    return [
        ChangedOperation(
            rename.former,
            max(rename.last_version, *definition.versions),
            names=rename.attributes,
            adds=adds,
            first_result_last=rename.first_result_last,
            reason=rename.note if rename.by_hand and not found else "",
        ),
        *found,
    ]


def later_name(definition: OperationDefinition, rename: Rename | None) -> str | None:
    """Return the name of an operation in later versions than those of `definition`, or None if none does the same."""
    found = (
        change.becomes for change in changes_of(definition.name) if change.last_version >= max(definition.versions)
    )
    return next(filter(None, found), definition.name if rename is None else rename.name)


class Rename(Struct, frozen=True):
    """The rename or removal of an operation in LLVM: `former` existed up to the major version `last_version`.

    `name` is the new name, None if the operation was removed. `note` describes other changes, for people.
    """

    former: str
    name: str | None
    last_version: int
    note: str = ""
    adds: tuple[str, ...] = ()
    """Attributes, as they are written, that the operation of the new name needs to behave like the former one."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Former and new names of attributes."""
    keyword: str = ""
    """The keyword that is new in front of the first list behind the operands."""
    first_result_last: bool = False
    by_hand: bool = False
    """True if more has to be changed than the other fields describe."""
    payload: str = ""
    """The text that replaces the name of a removed payload operation in its custom form, which begins with the name of
    another operation."""
    matched: str = ""
    """The attribute that distinguishes these operations from others of that name, as a dictionary's entry."""

    @property
    def fate(self) -> str:
        """What became of it, for people, after its name."""
        became = f"it is now called `{self.name}`" if self.name else "it was removed"
        note = f" ({self.note})" if self.note else ""
        return f"exists up to LLVM {self.last_version}; {became}{note}"

    @property
    def keeps_meaning(self) -> bool:
        """True if the operation of the new name does the same once the changes of the other fields are made."""
        is_explained = bool(self.adds or self.attributes or self.keyword or self.first_result_last)
        return self.name is not None and not self.by_hand and (is_explained or not self.note)
