"""How MLIR prints upstream operations whose form only C++ knows: an example of each."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.shipped import FACTS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import OperationDefinition


def printed_example(definition: OperationDefinition) -> str | None:
    """Return a line with the operation as MLIR prints it; None where nobody has one, or its form is known anyway."""
    if not definition.versions or (definition.assembly_format is not None and definition.format_known):
        return None
    return _examples().get(definition.name)


@lru_cache(maxsize=1)
def _examples() -> Mapping[str, str]:
    found: dict[str, str] = json.loads((FACTS_FOLDER / "_examples.json").read_text(encoding="utf-8"))
    return found
