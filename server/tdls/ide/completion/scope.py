"""The scope of a completion: values, types and names available at the cursor, and the best choice for a snippet."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from tdls.analysis.file.effects import READONLY
from tdls.ide.completion.names import names_in_file
from tdls.ide.completion.site import MOST_ITEMS, abbreviates
from tdls.ide.completion.values import visible_values
from tdls.ide.forms.snippets import Suggestions, plain_types
from tdls.semantic.handle_types import allows, kind_of
from tdls.semantic.transform_dialect import is_transform_name
from tdls.semantic.types import DIALECT_NAME
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.ide.completion.names import UsedName
    from tdls.ide.completion.site import Site
    from tdls.ide.completion.values import VisibleValue
    from tdls.ide.snapshot import Snapshot

Candidate = TypeVar("Candidate")


class CompletionScope:
    """Values and types at a cursor, and those that fit an operand or a result; computed lazily and cached."""

    def __init__(self, site: Site, snapshot: Snapshot) -> None:
        self.site = site
        self.snapshot = snapshot
        self.catalogue = site.catalogue
        self.is_limited = False
        """True if some candidates were left out."""
        self._fitting: dict[tuple[str, str | None], list[VisibleValue]] = {}
        """Values by the constraint of an operand and its only type, if it has one."""
        self._preferred: dict[str, str] = {}
        """Types by constraint."""

    def limited(self, candidates: Sequence[Candidate], name: Callable[[Candidate], str], typed: str) -> list[Candidate]:
        """Return `candidates`; if they exceed `MOST_ITEMS`, only the first ones whose name `typed` abbreviates."""
        if len(candidates) <= MOST_ITEMS:
            return list(candidates)
        self.is_limited = True
        return list(islice((candidate for candidate in candidates if abbreviates(typed, name(candidate))), MOST_ITEMS))

    @cached_property
    def names_in_file(self) -> Counter[UsedName]:
        """The number of occurrences of each operation name around the cursor."""
        return names_in_file(self.site)

    @cached_property
    def used_names(self) -> frozenset[str]:
        """The names of `names_in_file`."""
        return frozenset(used.name for used in self.names_in_file)

    @cached_property
    def values(self) -> list[VisibleValue]:
        """The values in scope, latest definition first."""
        return visible_values(self.site)

    @cached_property
    def _by_name(self) -> dict[str, VisibleValue]:
        return {visible.value.shown: visible for visible in reversed(self.values)}

    def value(self, name: str) -> VisibleValue | None:
        """Return the value in scope with the spelling `name`."""
        return self._by_name.get(name)

    @cached_property
    def taken(self) -> frozenset[str]:
        """All SSA names of the section."""
        operations = self.site.context.model.walk()
        arguments = (a.name for op in self.site.context.model.walk() for block in op.blocks() for a in block.arguments)
        return frozenset([*(group.name for operation in operations for group in operation.syntax.results), *arguments])

    def spelled(self, type_text: str) -> str:
        """Return the alias of a type if the file defines one, else the type."""
        return self._aliases.get(type_text, type_text)

    @cached_property
    def _aliases(self) -> dict[str, str]:
        known = self.site.context.model.types.aliases
        return {value: name for name, value in reversed(known.items()) if name.startswith("!")}

    def preferred_type(self, definition: OperandDefinition | ResultDefinition) -> str:
        """Return the least constrained type that fits the definition; empty if none is known."""
        if definition.type is not None or not _wants_handle(definition):
            return definition.type or ""
        known = self._preferred.get(definition.constraint)
        if known is None:
            fitting = (text for text in plain_types(self.catalogue) if allows(self.catalogue, definition, text))
            known = self._preferred[definition.constraint] = self.spelled(next(fitting, ""))
        return known

    def fits(self, definition: OperandDefinition | ResultDefinition, type_text: str | None) -> bool:
        """Return whether a value of this type is known to satisfy the constraint."""
        if type_text is None:
            return False
        if definition.type is not None:
            return type_text == definition.type
        return allows(self.catalogue, definition, type_text)

    def fitting(self, definition: OperandDefinition) -> list[VisibleValue]:
        """Return the live values whose type fits, latest definition first."""
        key = (definition.constraint, definition.type)
        known = self._fitting.get(key)
        if known is None:
            live = (visible for visible in self.values if visible.consumer is None)
            known = self._fitting[key] = [visible for visible in live if self.fits(definition, visible.value.type)]
        return known

    def types(self, definition: OperandDefinition | ResultDefinition | None) -> list[str]:
        """Return the types that fit: those of values in scope by frequency, then aliases, then the dialect's types."""
        used = Counter(visible.value.type for visible in self.values if visible.value.type is not None)
        known = (
            text for text, _ in used.most_common() if not any(map(self.catalogue.lacks, DIALECT_NAME.findall(text)))
        )
        candidates = [*known, *self._aliases]
        if self.takes_handles(definition):
            candidates += plain_types(self.catalogue)
        if definition is not None:
            fixed = [definition.type] if definition.type is not None else []
            candidates = fixed or [text for text in candidates if allows(self.catalogue, definition, text)]
        return list(dict.fromkeys(candidates))

    def takes_handles(self, definition: OperandDefinition | ResultDefinition | None) -> bool:
        """Return whether the operand or result takes types of the transform dialect."""
        if definition is not None:
            return _wants_handle(definition)
        operation = self.site.expected.operation
        return operation is None or is_transform_name(operation.name)


class Filling(Suggestions):
    """Fills the tab stops of one snippet from the scope."""

    def __init__(self, scope: CompletionScope, *, for_payload: bool = False) -> None:
        """`for_payload`: the snippet is an operation of the payload, which takes no handles."""
        super().__init__(scope.catalogue)
        self._scope = scope
        self._for_payload = for_payload
        self._chosen: dict[str, VisibleValue] = {}
        self._names: set[str] = set()

    def operand(self, definition: OperandDefinition) -> str:
        """Return the best fitting value in scope that the snippet does not use yet, or the operand's own name."""
        taken = [id(visible) for visible in self._chosen.values()]
        for visible in self._scope.fitting(definition):
            is_fitting = not self._for_payload or kind_of(self._catalogue, visible.value.type) is None
            if is_fitting and id(visible) not in taken:
                self._chosen[definition.name] = visible
                return visible.value.shown
        return super().operand(definition)

    def type_of(self, definition: OperandDefinition | ResultDefinition) -> str:
        """Return the type of the chosen value, or the first one that fits."""
        chosen = self._chosen.get(definition.name)
        if chosen is not None and chosen.value.type is not None:
            return self._scope.spelled(chosen.value.type)
        return self._scope.preferred_type(definition)

    def fresh(self, base: str) -> str:
        """Return an unused SSA name derived from `base`."""
        name, number = f"%{base}", 0
        while name in self._names or name in self._scope.taken:
            number += 1
            name = f"%{base}_{number}"
        self._names.add(name)
        return name

    def arguments(self, definition: OperationDefinition) -> str:
        """Return one read-only handle for a named sequence, nothing for other functions."""
        types = plain_types(self._scope.catalogue)
        if "TransformOpInterface" not in definition.traits or not types:
            return ""
        return f"%arg0: {self._scope.spelled(types[0])} {{{READONLY}}}"

    def terminator(self, definition: OperationDefinition) -> str:
        """Return the ``yield`` or ``return`` of the operation's dialect, without its prefix if that may be omitted."""
        if any(trait.startswith("SingleBlockImplicitTerminator") for trait in definition.traits):
            return ""
        names = (f"{definition.dialect}.{word}" for word in ("yield", "return"))
        known = ((name, self._scope.catalogue.operation(name)) for name in names)
        ending = next(
            (name for name, terminator in known if terminator is not None and "IsTerminator" in terminator.traits), ""
        )
        return ending.removeprefix(f"{definition.default_dialect}.")


def _wants_handle(definition: OperandDefinition | ResultDefinition) -> bool:
    """Return whether the constraint belongs to the transform dialect."""
    return "Transform" in definition.constraint
