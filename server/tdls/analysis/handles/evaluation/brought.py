"""Which operations a script may have brought into a payload, besides those of which it is known where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue

SCALARS = frozenset({"arith", "complex", "index", "math", "ub"})
"""Dialects whose operations compute scalars, and have no regions."""


class Brought(NamedTuple):
    """Names of operations that may have come."""

    names: frozenset[str] = frozenset()
    dialects: frozenset[str] = frozenset()
    """Those of which any operation may have come."""
    anything: bool = False

    def __or__(self, other: tuple[object, ...]) -> Brought:
        """Return what may have come where both may."""
        names, dialects, anything = other
        assert isinstance(names, frozenset)
        assert isinstance(dialects, frozenset)
        return Brought(self.names | names, self.dialects | dialects, self.anything or bool(anything))

    @property
    def is_nothing(self) -> bool:
        """True if nothing came."""
        return not (self.names or self.dialects or self.anything)

    def may_have(self, name: str) -> bool:
        """Tell whether an operation with this name may have come."""
        return self.anything or name in self.names or name.partition(".")[0] in self.dialects

    def may_have_trait(self, trait: str | None, catalogue: Catalogue) -> bool:
        """Tell whether an operation with a trait may have come; None stands for one that scalar operations lack."""
        if self.anything or self.dialects - SCALARS:
            return True
        definitions = (catalogue.operation(name) for name in self.names if name.partition(".")[0] not in SCALARS)
        return any(definition is None or trait is None or trait in definition.traits for definition in definitions)


NOTHING = Brought()
ANYTHING = Brought(anything=True)


def bringing(*several: str) -> Brought:
    """Return that operations may come: of a name that has a dot, or of a whole dialect."""
    return Brought(
        frozenset(name for name in several if "." in name), frozenset(name for name in several if "." not in name)
    )
