"""The state of an operation while it is being read (as MLIR's `OperationState`), and the node built from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax.tree import Form, Operation, SymbolUse, ValueUse
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.tree import NamedAttribute, Region, ResultGroup, Signature, Successor, TypeUse
    from tdls.text.span import Span

OPERANDS = "(operands)"
RESULTS = "(results)"
"""Keys of lists of all operands or all results, in the definition's order; no ODS name looks like this."""


_SYMBOLS = frozenset({"SymbolOpInterface", "FunctionOpInterface"})


class OperationState:
    """The parts of an operation read so far: lists by ODS name, or by `OPERANDS`/`RESULTS` for all of them."""

    __slots__ = (
        "attributes",
        "broken",
        "definition",
        "form",
        "name",
        "name_index",
        "region_groups",
        "regions",
        "signature",
        "successor_groups",
        "successors",
        "symbol_name",
        "symbol_span",
        "symbols",
        "trailing_type",
        "types",
        "values",
    )

    def __init__(
        self,
        name: str,
        name_index: int,
        form: Form,
        definition: OperationDefinition | None = None,
        *,
        broken: bool = False,
    ) -> None:
        self.name = name
        self.name_index = name_index
        self.form = form
        self.definition = definition
        self.broken = broken
        self.values: dict[str, list[ValueUse]] = {}
        self.types: dict[str, list[TypeUse]] = {}
        self.attributes: list[NamedAttribute] = []
        self.regions: list[Region] = []
        self.successors: list[Successor] = []
        self.region_groups: dict[str, list[Region]] = {}
        self.successor_groups: dict[str, list[Successor]] = {}
        """By ODS name, if the format names them; the text may have another order than the definition."""
        self.symbols: list[SymbolUse] = []
        self.symbol_name: str | None = None
        self.symbol_span: Span | None = None
        self.signature: Signature | None = None
        self.trailing_type: tuple[list[TypeUse], list[TypeUse]] | None = None

    # Properties of the operation's regions

    @property
    def is_isolated(self) -> bool:
        """True if the regions do not see the values around the operation."""
        if self.definition is not None:
            return "IsIsolatedFromAbove" in self.definition.traits
        return self.symbol_name is not None

    @property
    def is_container(self) -> bool:
        """True if the region holds members: a symbol table whose blocks need no terminator."""
        traits = self.definition.traits if self.definition is not None else ()
        return "SymbolTable" in traits and "NoTerminator" in traits

    @property
    def has_implicit_block(self) -> bool:
        """True if ``{}`` in the custom form stands for a region with one block, whose terminator is implied."""
        if self.definition is None or self.form is Form.GENERIC:
            return False
        return any(trait.startswith("SingleBlock") for trait in self.definition.traits)

    @property
    def may_have_regions(self) -> bool:
        """False if the operation is known to have no regions."""
        return self.definition is None or bool(self.definition.regions)

    @property
    def defines_symbol(self) -> bool:
        """True if the symbol behind the operation's name is defined rather than referred to, as far as is known."""
        if self.definition is not None:
            return is_symbol(self.definition)
        return bool(self.regions) or not self.values.get(OPERANDS)

    def forget_symbol_name(self) -> None:
        """Turn the symbol read as the defined one into a reference."""
        if self.symbol_name is not None and self.symbol_span is not None:
            self.symbols.insert(0, SymbolUse(*self.symbol_span, (self.symbol_name,)))
        self.symbol_name = self.symbol_span = None

    # The finished node

    def build(self, place: tuple[int, int], name_span: Span, results: tuple[ResultGroup, ...]) -> Operation:
        """Create the node of the operation at `place`, whose name is at `name_span`."""
        operands, operand_groups = self._operands()
        operand_types = self._operand_types(operand_groups)
        result_types, result_groups = self._result_types(results)
        return Operation(
            *place,
            self.name,
            name_span,
            self.form,
            self.definition,
            results,
            tuple(operands),
            operand_groups,
            operand_types,
            result_types,
            result_groups,
            tuple(self.attributes),
            self._successors(),
            self._regions(),
            tuple(self.symbols),
            self.symbol_name,
            self.symbol_span,
            self.signature,
            self.broken,
        )

    def _operands(self) -> tuple[list[ValueUse], dict[str, tuple[int, int]] | None]:
        if OPERANDS in self.values or self.definition is None:
            operands = self.values.get(OPERANDS, [])
            groups = None
            is_in_order = self.form is not Form.STRUCTURAL or self._is_read_whole
            if self.definition is not None and is_in_order:
                groups = distribute(self.definition.operands, len(operands), self._segments("operandSegmentSizes"))
            return operands, groups
        operands = []
        groups = {}
        for definition in self.definition.operands:
            begin = len(operands)
            operands.extend(self.values.get(definition.name, ()))
            groups[definition.name] = (begin, len(operands))
        return operands, groups

    @property
    def _is_read_whole(self) -> bool:
        """True if a structural reading of a known operation determines its operands: one group, no regions."""
        definition = self.definition
        if definition is None or definition.custom_assembly:
            return False
        return not definition.regions and len(definition.operands) == 1

    def _successors(self) -> tuple[Successor, ...]:
        groups = self.successor_groups
        if not groups or self.definition is None:
            return tuple(self.successors)
        named = [successor for known in self.definition.successors for successor in groups.get(known.name, ())]
        return (*named, *self.successors)

    def _regions(self) -> tuple[Region, ...]:
        groups = self.region_groups
        if not groups or self.definition is None:
            return tuple(self.regions)
        named = [region for known in self.definition.regions for region in groups.get(known.name, ())]
        return (*named, *self.regions)

    def _segments(self, name: str) -> list[int] | None:
        value = next((a.value for a in self.attributes if a.name == name), None)
        if value is None or ":" not in value:
            return None
        sizes = value.rpartition(":")[2].strip(" >\n\t").split(",")
        numbers = [number for size in sizes if (number := integer(size.strip())) is not None and number >= 0]
        return numbers if len(numbers) == len(sizes) else None

    def _operand_types(self, groups: dict[str, tuple[int, int]] | None) -> tuple[TypeUse | None, ...] | None:
        if OPERANDS in self.types:
            return tuple(self.types[OPERANDS])
        if self.form is Form.STRUCTURAL:
            return self._trailing(0, len(self.values.get(OPERANDS, ())))
        if self.definition is None or groups is None:
            return None
        types: list[TypeUse | None] = []
        for definition in self.definition.operands:
            begin, end = groups[definition.name]
            spelled = self.types.get(definition.name)
            types.extend(spelled if spelled is not None else [None] * (end - begin))
        return tuple(types)

    def _trailing(self, side: int, count: int) -> tuple[TypeUse, ...] | None:
        """Return one side of a structurally read operation's trailing function type, if it has `count` types."""
        if self.trailing_type is None or self.broken or len(self.trailing_type[side]) != count:
            return None
        return tuple(self.trailing_type[side])

    def _one_for_all(self, count: int) -> tuple[TypeUse, ...] | None:
        """Return the only type behind the arrow for each of `count` results with the same constraint."""
        constraints = {result.constraint for result in self.definition.results} if self.definition is not None else ()
        spelled = self._trailing(1, 1) if count > 1 and len(constraints) == 1 else None
        return spelled * count if spelled is not None else None

    def _result_types(
        self, results: tuple[ResultGroup, ...]
    ) -> tuple[tuple[TypeUse, ...] | None, dict[str, tuple[int, int]] | None]:
        if self.form is Form.STRUCTURAL:
            count = sum([group.count for group in results])
            groups = None
            if self.definition is not None:
                groups = distribute(self.definition.results, count, self._segments("resultSegmentSizes"))
            return self._trailing(1, count) or self._one_for_all(count), groups
        if RESULTS in self.types:
            types = tuple(self.types[RESULTS])
            if self.definition is None:
                return types, None
            return types, distribute(self.definition.results, len(types), self._segments("resultSegmentSizes"))
        return self._result_types_by_group()

    def _result_types_by_group(self) -> tuple[tuple[TypeUse, ...] | None, dict[str, tuple[int, int]] | None]:
        if self.definition is None:
            return None, None
        types: list[TypeUse] = []
        groups: dict[str, tuple[int, int]] = {}
        for definition in self.definition.results:
            spelled = self.types.get(definition.name)
            if spelled is None:
                return None, None
            groups[definition.name] = (len(types), len(types) + len(spelled))
            types.extend(spelled)
        return tuple(types), groups


def is_symbol(definition: OperationDefinition) -> bool:
    """Whether operations of this definition define a symbol."""
    return not _SYMBOLS.isdisjoint(definition.traits)


def distribute(
    definitions: Sequence[OperandDefinition | ResultDefinition], count: int, segments: list[int] | None
) -> dict[str, tuple[int, int]] | None:
    """Assign `count` values to the groups of `definitions`, or None if ambiguous or impossible.

    `segments` are the sizes that an attribute spells, as for `AttrSizedOperandSegments`.
    """
    if segments is None:
        flexible = [definition for definition in definitions if definition.arity is not Arity.ONE]
        rest = count - (len(definitions) - len(flexible))
        if len(flexible) > 1 and rest != 0:
            return None
        segments = [1 if d.arity is Arity.ONE else rest for d in definitions]
    if len(segments) != len(definitions) or sum(segments) != count or min(segments, default=0) < 0:
        return None
    groups: dict[str, tuple[int, int]] = {}
    begin = 0
    for definition, size in zip(definitions, segments, strict=True):
        groups[definition.name] = (begin, begin + size)
        begin += size
    return groups
