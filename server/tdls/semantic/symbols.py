"""Symbol tables and symbol lookup (https://mlir.llvm.org/docs/SymbolsAndSymbolTables/)."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import Struct, field
from tdls.syntax.spellings import symbol_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tdls.semantic.model import Model, Operation
    from tdls.syntax.tree import Operation as SyntaxOperation
    from tdls.syntax.tree import SymbolUse

    Outside: TypeAlias = Callable[[Sequence[str], Operation], Operation | None]


class SymbolTables(Struct, eq=False):
    """The symbols of a model by the identity of the operation whose region defines them; None means the file."""

    tables: dict[int | None, dict[str, Operation]] = field(default_factory=dict)
    roots: frozenset[int] = frozenset()
    """Identities of the model's outermost operations."""
    outside: Outside | None = None
    """Looks up symbols that the model does not define, by path and referring operation."""

    def lookup_nearest(self, path: Sequence[str], origin: Operation) -> Operation | None:
        """Resolve ``@a::@b`` from `origin`, as `SymbolTable::lookupNearestSymbolFrom` does.

        Only the innermost enclosing symbol table is searched; an operation without a definition counts as one if its
        region defines a symbol of that name.
        """
        for ancestor in origin.ancestors():
            table = self.tables.get(id(ancestor))
            if table is not None and (ancestor.has_trait("SymbolTable") or path[0] in table):
                return self._resolve(path, table)
            if ancestor.has_trait("SymbolTable"):
                return None
        is_own = id(root_of(origin)) in self.roots
        operation = self._resolve(path, self.tables.get(None, {})) if is_own else None
        return self.outside(path, origin) if operation is None and self.outside is not None else operation

    def table_of(self, operation: Operation | None) -> dict[str, Operation]:
        """Return the symbols defined directly in the regions of `operation`, or of the file."""
        return self.tables.get(id(operation) if operation is not None else None, {})

    def _resolve(self, path: Sequence[str], table: dict[str, Operation]) -> Operation | None:
        operation = table.get(path[0])
        for name in path[1:]:
            operation = self.table_of(operation).get(name) if operation is not None else None
        return operation


def collect_symbols(model: Model, outside: Outside | None = None) -> SymbolTables:
    """Collect the symbols of `model`; the first definition of a name counts.

    `outside` looks up symbols that `model` does not define, by path and referring operation.
    """
    symbols = SymbolTables(roots=frozenset(map(id, model.operations)), outside=outside)
    for operation in model.walk():
        name = symbol_name(operation)
        if name is None:
            continue
        parent = operation.parent
        symbols.tables.setdefault(id(parent) if parent is not None else None, {}).setdefault(name, operation)
    return symbols


def root_of(operation: Operation) -> Operation:
    """Return the outermost operation that encloses `operation`, or itself."""
    return next(reversed([operation, *operation.ancestors()]))


def symbol_name(operation: Operation) -> str | None:
    """Return the symbol that `operation` defines."""
    return spelled_symbol(operation.syntax)


def spelled_symbol(operation: SyntaxOperation) -> str | None:
    """Return the symbol that `operation` defines, spelled in the custom form or as ``sym_name``."""
    if operation.symbol_name is not None:
        return operation.symbol_name
    spelled = operation.attribute("sym_name")
    return symbol_in(spelled.value) if spelled is not None and spelled.value is not None else None


_BARE = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)


def spelled_reference(symbol: str) -> str:
    """Return how MLIR spells the reference ``@symbol``."""
    return f"@{symbol}" if _BARE.fullmatch(symbol) else f'@"{symbol}"'


PRIVATE = "private"


def is_private(operation: Operation) -> bool:
    """Whether other files cannot use the symbol of an operation."""
    visibility = operation.syntax.attribute("sym_visibility")
    return visibility is not None and visibility.value != '"public"'


def is_external(operation: Operation) -> bool:
    """Whether a function-like operation is a declaration without a body."""
    return not any(region.blocks for region in operation.regions)


def symbols_in(operation: SyntaxOperation, attributes: Collection[str]) -> Iterator[SymbolUse]:
    """Yield the symbols spelled in the named `attributes` of an operation.

    An attribute may occur several times, as in the arms of ``transform.foreach_match``.
    """
    uses = sorted(operation.symbols, key=_start_of)
    for attribute in operation.attributes:
        if attribute.name in attributes:
            begin = bisect_left(uses, attribute.value_start, key=_start_of)
            yield from uses[begin : bisect_left(uses, attribute.value_end, begin, key=_start_of)]


def _start_of(use: SymbolUse) -> int:
    return use.start
