"""Loading what the first request would wait for: facts of the transform dialect, and the grammar of types."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import TRANSFORM
from tdls.syntax.details import parse_detail

if TYPE_CHECKING:
    from tdls.catalogue.bindings import BindingDescriptions
    from tdls.catalogue.catalogue import Catalogue
    from tdls.lsp.session.session import Session

_TYPE = "tensor<?xf32, affine_map<(d0) -> (d0)>>"
"""A type that needs the grammar to be read."""


async def warm_up(session: Session) -> None:
    """Load facts, descriptions and the grammar in another thread."""
    await asyncio.to_thread(_load, session.catalogue, session.descriptions)


def _load(catalogue: Catalogue, descriptions: BindingDescriptions) -> None:
    for name in catalogue.operation_names(TRANSFORM)[:1]:
        catalogue.variants(name)
        descriptions(name)
    parse_detail("type", _TYPE)
