"""Which payload operations a handle can hold, by their names, for certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.handles.payload.interfaces import STRUCTURED
from tdls.analysis.handles.payload.names import PayloadNames, names_of_type

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Value


class HeldNames:
    """Answers for the handles of one section; None where a handle may hold anything."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._nesting = PayloadNames(context.catalogue)

    def of(self, value: Value) -> frozenset[str] | None:
        """Return the names that the operations which `value` holds may have, by its type or by how it was made."""
        by_type = self.by_type(value)
        return frozenset({by_type}) if by_type is not None else self.by_making(value)

    def by_type(self, value: Value) -> str | None:
        """Return the name that the type of `value` asks for."""
        return next(iter(names_of_type(value.type) or ()), None)

    def by_making(self, value: Value) -> frozenset[str] | None:
        """Return the names that follow from what made `value`, whatever its type is."""
        owner = value.operation or (value.block.region.parent if value.block is not None else None)
        run = handle_findings(self.context).run_of(owner) if owner is not None else None
        if run is None or not run.is_known(value):
            return None
        return run.set_of(value).facts.names or None

    def may_become(self, names: frozenset[str]) -> bool:
        """Tell whether patterns can replace what a handle holds by one of `names`, so that it holds these then.

        Upstream's `TrackingListener` takes an operation of the same name, or a constant.
        """
        definitions = (self.context.catalogue.operation(name) for name in names)
        return any(definition is None or "ConstantLike" in definition.traits for definition in definitions)

    def can_be_in(self, inner: frozenset[str], outer: frozenset[str]) -> bool:
        """Tell whether one of `inner` can be, or be nested in, one of `outer`."""
        return any(map(self._has_written_body, outer)) or self._nesting.may_cover(outer, inner)

    def can_have(self, trait: str, outer: frozenset[str]) -> bool:
        """Tell whether one of `outer`, or something nested in it, can have `trait`, which no scalar operation has."""
        definitions = (self.context.catalogue.operation(name) for name in outer)
        return any(
            definition is None or trait in definition.traits or _has_free_body(definition) for definition in definitions
        )

    def can_contain(self, outer: str, inner: frozenset[str]) -> bool:
        """Tell whether an operation called `outer` can have one of `inner` nested in it."""
        return self._has_written_body(outer) or self._nesting.may_contain(outer, inner)

    def _has_written_body(self, name: str) -> bool:
        """Tell whether a structured operation may have anything in it, since its body is not made by MLIR."""
        definition = self.context.catalogue.operation(name)
        return definition is not None and definition.written_body


def listed(names: frozenset[str]) -> str:
    """Return names in words; of many only the first ones."""
    shown = [f"`{name}`" for name in sorted(names)]
    return " or ".join(shown if len(shown) <= 3 else [*shown[:2], "others"])


def _has_free_body(definition: OperationDefinition) -> bool:
    """Tell whether people write what is in the operation; MLIR makes the bodies of structured ones."""
    return bool(definition.regions) and (definition.written_body or STRUCTURED not in definition.traits)
