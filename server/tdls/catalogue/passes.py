"""The passes and pipelines that upstream registers, by name: what `transform.apply_registered_pass` may run."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.shipped import FACTS_FOLDER
from tdls.catalogue.similarity import is_typing_error

if TYPE_CHECKING:
    from collections.abc import Mapping

_FEWEST_LETTERS = 5
"""Shorter names are a letter away from too much."""
_OF_TESTS = "test-"


@lru_cache(maxsize=1)
def upstream_passes() -> Mapping[str, tuple[int, ...]]:
    """Return the LLVM versions that have each pass or pipeline, by its name."""
    found: dict[str, list[int]] = json.loads((FACTS_FOLDER / "_passes.json").read_text(encoding="utf-8"))
    return {name: tuple(versions) for name, versions in found.items()}


def is_of_tests(name: str) -> bool:
    """Tell whether it is one of the passes that upstream has for its own tests."""
    return name.startswith(_OF_TESTS)


@lru_cache(maxsize=256)
def mistyped_passes(name: str) -> tuple[str, ...]:
    """Return the upstream passes that are meant by a name that none has; empty if it may be a pass of a project."""
    known = upstream_passes()
    if name in known:
        return ()
    letters = _letters(name)
    same = tuple(candidate for candidate in known if _letters(candidate) == letters)
    return same or tuple(
        candidate for candidate in known if len(candidate) >= _FEWEST_LETTERS and is_typing_error(name, candidate)
    )


def _letters(name: str) -> str:
    return name.replace("-", "").replace("_", "").casefold()
