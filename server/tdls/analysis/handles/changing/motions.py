"""Which operations were moved around in the payload, so that links between sets hold no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tdls.analysis.handles.changing.whereabouts import Whereabouts
    from tdls.analysis.handles.payload.sets import Link, PayloadSet

_MOST_MOTIONS = 32
"""How many motions are told apart by where they were."""


class _Motion(NamedTuple):
    """Operations were moved in a step; `places` are those at which, None: anywhere."""

    step: int
    places: frozenset[int] | None


class Motions:
    """The motions of one run, up to now."""

    def __init__(self, where: Whereabouts) -> None:
        self._where = where
        self._is_known = where.is_known
        self._motions: list[_Motion] = []
        self._known_since = 0
        """The step of the last motion that was forgotten."""
        self.last = 0
        """The last step in which something was moved."""

    def note(self, step: int, places: frozenset[int] | None) -> None:
        """Note that something at `places` was moved in a step."""
        self.last = step
        if not self._is_known:
            return
        self._motions.append(_Motion(step, places))
        if len(self._motions) > _MOST_MOTIONS:
            self._known_since = self._motions.pop(0).step

    def holds(self, link: Link) -> bool:
        """Tell whether the operations of a link still lie to each other as it says."""
        return link.is_firm or link.made >= self.last or (self._is_known and self._stays(link.inner, link.made))

    def _stays(self, payload: PayloadSet, since: int) -> bool:
        """Tell whether nothing of a set was moved after a step."""
        if since < self._known_since:
            return False
        places = self._where.of(payload).all
        if places is None:
            return False
        return all(
            motion.step <= since or (motion.places is not None and motion.places.isdisjoint(places))
            for motion in reversed(self._motions)
        )
