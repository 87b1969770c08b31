"""Forms with statements inside: sequences, loops over handles, alternatives, calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.handles.forms import Form

REGIONS: tuple[Form, ...] = ()
