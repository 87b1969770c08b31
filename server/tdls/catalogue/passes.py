"""Checks names of passes and pipelines, which `transform.apply_registered_pass` runs by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.sources.tool_help import ToolSource
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue

_FEWEST_LETTERS = 5
"""Shorter names differ by one letter from too many others."""
_OF_TESTS = "test-"
_DIGITS = re.compile(r"\d+", re.ASCII)


def is_of_tests(name: str) -> bool:
    """Whether `name` is a pass that upstream defines for its own tests."""
    return name.startswith(_OF_TESTS)


def tool_without(catalogue: Catalogue, name: str) -> str:
    """Return the name of the tool that runs scripts if it does not register the pass `name`, else "".

    "" also if no such tool is known, and if the project defines the pass, since the tool may be rebuilt with it.
    """
    others = [source for source in catalogue.sources if source.passes.variants(name)]
    tools = (source for source in catalogue.sources if isinstance(source, ToolSource))
    is_of_project = any(not variant.versions for source in others for variant in source.passes.variants(name))
    return "" if is_of_project else next((tool.name for tool in tools if tool not in others), "")


def mistyped_passes(catalogue: Catalogue, name: str) -> tuple[str, ...]:
    """Return the known passes that an unknown name misspells; empty if it may be a pass that tdls does not know.

    Projects have families of passes, some registered in sources that tdls does not read. So a pass of a project is a
    candidate only if it differs in hyphens, underscores and case alone.
    """
    if catalogue.pass_variants(name):
        return ()
    known, letters = catalogue.pass_names(), _letters(name)
    same = tuple(candidate for candidate in known if _letters(candidate) == letters)
    return same or tuple(candidate for candidate in known if _is_slip(catalogue, name, candidate))


def _is_slip(catalogue: Catalogue, name: str, candidate: str) -> bool:
    if len(candidate) < _FEWEST_LETTERS or not is_typing_error(name, candidate):
        return False
    if _DIGITS.sub("", name) == _DIGITS.sub("", candidate):
        return False
    return any(variant.versions for variant in catalogue.pass_variants(candidate))


def _letters(name: str) -> str:
    return name.replace("-", "").replace("_", "").casefold()
