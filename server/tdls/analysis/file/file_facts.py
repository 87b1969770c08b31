"""What follows from one version of a file, for as long as the version is there."""

from __future__ import annotations

from typing import TypeVar

from tdls.syntax.sections.kept_facts import HasFacts, KeptFact

_F = TypeVar("_F", bound=HasFacts)
_T = TypeVar("_T")


class FileFact(KeptFact[_F, _T]):
    """A function of a version of a file that is computed once for each; decorate the function with it."""
