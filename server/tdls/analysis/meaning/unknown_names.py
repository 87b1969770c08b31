"""Names of operations in dialects of upstream that no version of LLVM has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.shipped import shipped_source
from tdls.structs import NamedTuple
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource

_LETTERS = re.compile(r"[a-z]", re.IGNORECASE)
_SHORTEST = 3
"""Length of a word in which one letter may be missing or added at the end: shorter ones may be new operations."""
_UNLISTED = frozenset(
    {"arm_neon", "arm_sme", "arm_sve", "dlti", "mpi", "pdl_interp", "ptr", "quant", "vcix", "wasmssa", "xegpu", "xevm"}
)
"""Dialects without Python bindings: what operations LLVM's main branch adds to them is not known."""
_SUFFIXES = frozenset("fisudhx0123456789")
"""Last letters that tell operations apart, as in `addf` and `addi`, `exp` and `exp2`, `sin` and `sinh`."""


class UnknownName(NamedTuple):
    """A name without an operation. `meant` is the likely one, "" without one, or the successor in newer versions."""

    meant: str
    is_slip: bool
    """True if `meant` is certainly intended: one slip of the keyboard separates the names."""


def unknown_name(catalogue: Catalogue, name: str) -> UnknownName | None:
    """Return what is wrong with the name of an undefined operation, or None if another source may define it."""
    dialect = name.partition(".")[0]
    if dialect not in shipped_source().operations.dialects() or catalogue.variants(name) or not catalogue.is_complete:
        return None
    renamed = catalogue.renamed(name)
    if renamed is not None:
        return UnknownName(renamed.name or "", is_slip=False)
    slips = [known for known in catalogue.operation_names(dialect) if is_slip(name, known)]
    if not slips:
        return UnknownName(next(iter(catalogue.similar(name)), ""), is_slip=False)
    slips.sort(key=lambda known: -catalogue.uses(known))
    return UnknownName(slips[0], is_slip=dialect not in _UNLISTED and not is_extended(catalogue, dialect))


def is_extended(catalogue: Catalogue, dialect: str) -> bool:
    """Whether the project, or an installed package, defines what upstream's dialect lacks."""
    own = [_names(source, dialect) for source in catalogue.sources[1:]]  # all are asked, for what is recorded
    return any(not names <= _names(shipped_source(), dialect) for names in own)


def _names(source: CatalogueSource, dialect: str) -> set[str]:
    """Return the names of operations, types and attributes that a source defines in a dialect."""
    tables = (source.operations, source.types, source.attribute_kinds)
    return {name for table in tables for name in table.names(dialect)}


def is_slip(written: str, meant: str) -> bool:
    """Whether one slip of the keyboard separates two names, and no likely name of another operation."""
    if not is_typing_error(written, meant) or _LETTERS.sub("", written) != _LETTERS.sub("", meant):
        return False
    shorter, longer = sorted((written, meant), key=len)
    if len(shorter) == len(longer):
        place = next(at for at, letter in enumerate(written) if letter != meant[at])
        is_last = place == len(written) - 1 or written[place + 1 : place + 2] in ("", ".", "_")
        return not (is_last and written[place] in _SUFFIXES)
    last, before = longer[-1], longer[-2:-1]
    if longer[: len(shorter)] != shorter:
        word = longer.partition(".")[2]
        return word[1:] != shorter.partition(".")[2] or word[0] == word[1:2]
    return last == before or (len(written) < len(meant) and last not in _SUFFIXES and len(shorter) > _SHORTEST)
