"""Interface of TableGen records for ODS, independent of their evaluator, and indices of records."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_T = TypeVar("_T")


class RecordFields(Protocol):
    """Fields by name, as in the output of ``llvm-tblgen --dump-json``; None stands for an unset field.

    The keys ``!name``, ``!anonymous`` and ``!superclasses`` exist, too.
    """

    def __getitem__(self, field: str, /) -> Any: ...

    def get(self, field: str, default: Any = None, /) -> Any:
        """Return the field, or `default`."""
        ...


class RecordSet(Protocol):
    """A set of records, and their references to each other."""

    def instances(self, class_name: str) -> Iterable[RecordFields]: ...

    def follow(self, value: Any) -> RecordFields | None:
        """Return the record that the value of a field refers to, or None for other values."""
        ...

    def arguments(self, dag: Any) -> list[tuple[Any, str]]:
        """Return pairs of value (record, string or number) and name of a dag such as ``(ins A:$a, B:$b)``."""
        ...


class RecordIndex:
    """Records, and indices of records that others refer to by C++ names."""

    def __init__(self, records: RecordSet) -> None:
        self._records = records
        self.follow = records.follow
        self.arguments = records.arguments
        self._remembered: dict[tuple[object, int], tuple[RecordFields, Any]] = {}

    def remembered(self, find: Callable[[RecordIndex, RecordFields], _T], record: RecordFields) -> _T:
        """Return the cached result of `find` for a record, since operations share most of their constraints."""
        key = (find, id(record))
        if key not in self._remembered:
            self._remembered[key] = (record, find(self, record))  # the record, too, so that no other record gets its id
        found: _T = self._remembered[key][1]
        return found

    def record_arguments(self, dag: Any) -> list[tuple[RecordFields, str]]:
        """Return pairs of value and name of a dag, for the values that are records."""
        return [(value, name) for value, name in self.arguments(dag) if hasattr(value, "get")]

    @cached_property
    def types(self) -> tuple[RecordFields, ...]:
        return tuple(self._records.instances("TypeDef"))

    @cached_property
    def types_by_class(self) -> dict[str, list[RecordFields]]:
        """Dialect types by C++ class."""
        return _by(self.types, "cppType")

    @cached_property
    def attributes_by_class(self) -> dict[str, list[RecordFields]]:
        """Dialect attributes by C++ class, without leading colons."""
        return _by(self._records.instances("AttrDef"), "cppType")

    @cached_property
    def enums_by_class(self) -> dict[str, RecordFields]:
        """Enums by qualified C++ class, without leading colons."""
        found: dict[str, RecordFields] = {}
        for enum in self._records.instances("EnumInfo"):
            name = f"{enum['cppNamespace']}::{enum['className']}"
            found.setdefault(without_colons(name), enum)
        return found


def is_a(record: RecordFields, class_name: str) -> bool:
    """Whether the record derives from the TableGen class."""
    return class_name in record["!superclasses"]


def without_colons(cpp_name: str | None) -> str:
    """Return a C++ name without leading colons: ``mlir::Type`` for ``::mlir::Type``; "" for None."""
    return (cpp_name or "").removeprefix("::")


def _by(records: Iterable[RecordFields], field: str) -> dict[str, list[RecordFields]]:
    found: dict[str, list[RecordFields]] = {}
    for record in records:
        found.setdefault(without_colons(record.get(field)), []).append(record)
    return found
