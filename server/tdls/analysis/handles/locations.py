"""Tracks the places of payload sets in the written payload, and relates sets by them.

A place is the index of a written operation (`Payload.listed`). Changes by the script widen the places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import Certainty, Contents, exactly
from tdls.analysis.handles.sets import ANYWHERE, Nesting, PayloadSet, Places, listing
from tdls.payload.tree import ANY_OPERATION, NOTHING, ROOT, Introduced, PlaceTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.analysis.handles.handle_state import HandleState
    from tdls.analysis.handles.matches import Match
    from tdls.analysis.handles.shortfalls import KnownContents
    from tdls.payload.tree import WrittenOperation


class Locations:
    """The places of sets, and those at which the payload may differ from the written one."""

    def __init__(self, state: HandleState, written: tuple[WrittenOperation, ...]) -> None:
        self.tree = PlaceTree(written, state.budget)
        self.is_known = bool(self.tree.operations)
        """True if there is a written payload."""
        self.root_set: PayloadSet | None = None
        """The current set of the payload root."""
        self._state = state
        self._recent: list[PayloadSet] = []
        """Sets that were placed, the latest at the end."""
        self._names, self._budget = state.names, state.budget
        self.containers = frozenset(
            place
            for place, operation in enumerate(written)
            if place != ROOT and operation.parent == ROOT and state.names.are_containers(frozenset((operation.name,)))
        )
        """Places of functions and similar: they stay in place, and so do their contents, under any change."""
        self._left: frozenset[int] = frozenset()
        """Places whose operations may have been moved to other containers."""
        self._changed: dict[int, Introduced] = {}
        """Places at which operations may have been erased or added, with the possible added ones."""
        self._gone: frozenset[int] = frozenset()
        """Places whose written operations may be gone without one of the same name in their place."""
        self._mixed: list[frozenset[int]] = []
        """One entry for each mixing: places whose operations may each have been replaced by any other of them."""

    def put(self, payload: PayloadSet, places: Places) -> None:
        """Record the current places of a set."""
        payload.places, payload.placed = places, len(self._mixed)

    def of(self, payload: PayloadSet) -> Places:
        """Return the current places of a set, after all mixings since they were recorded."""
        places = payload.places
        if places.all is None or payload.placed == len(self._mixed):
            return places
        for mixed in self._mixed[payload.placed :]:
            assert places.all is not None
            if not mixed.isdisjoint(places.all):
                places = Places(places.all | mixed)
        self.put(payload, places)
        return places

    def element(self, payload: PayloadSet) -> Places:
        """Return the places of a single operation of a set."""
        places = self.of(payload)
        return places if places.listed is not None and len(places.listed) == 1 else places.some()

    def all_of(self, several: Iterable[PayloadSet]) -> frozenset[int] | None:
        """Return the union of the places of several sets; None: anywhere."""
        union: frozenset[int] = frozenset()
        for payload in several:
            places = self.of(payload).all
            if places is None:
                return None
            union |= places
        return union

    def is_nowhere(self, payload: PayloadSet) -> bool:
        """Whether a set has no place: the search for it found nothing."""
        return payload.places.all is not None and not payload.places.all

    def root(self) -> Places:
        """Return the place of the root; `ANYWHERE` without a written payload."""
        return listing((ROOT,)) if self.is_known else ANYWHERE

    def are_apart(self, consumed: PayloadSet, other: PayloadSet) -> bool:
        """Whether no operation of `other` can be one of `consumed`, or nested in one."""
        outer, inner = self.of(consumed).all, self.of(other).all
        if outer is None or inner is None:
            return False
        self._budget.spend(1 + len(inner))
        if self._names.are_functions(consumed.facts.names) and self._names.are_functions(other.facts.names):
            return outer.isdisjoint(inner)
        return self.tree.below(outer).isdisjoint(inner)

    def share_nothing(self, first: PayloadSet, other: PayloadSet) -> bool:
        """Whether two sets have disjoint places, and so no common operation."""
        own, others = self.of(first).all, self.of(other).all
        return own is not None and others is not None and own.isdisjoint(others)

    def below(self, places: frozenset[int] | None) -> frozenset[int] | None:
        """Return `places` and all places nested in them; None: anywhere."""
        return self.tree.below(places) if places is not None and self.is_known else None

    # Changes

    def changes_at(
        self,
        places: frozenset[int] | None,
        introduced: Introduced = ANY_OPERATION,
        kept: frozenset[str] = frozenset(),
        *,
        erases: bool = True,
    ) -> None:
        """Record that the payload at and in `places` may have changed.

        Operations with one of the traits in `kept` are still there; all are unless it `erases` some.
        """
        if self.is_known:
            area = self._area(places)
            self._gone |= frozenset(place for place in area if erases and not self._is_kept(place, kept))
            self._change(area, introduced)

    def _change(self, area: frozenset[int], introduced: Introduced) -> None:
        self._budget.spend(len(area))
        for place in area:
            self._changed[place] = self._changed.get(place, NOTHING) | introduced

    def _is_kept(self, place: int, kept: frozenset[str]) -> bool:
        if not kept:
            return False
        return place == ROOT or self._names.have_one_of(self.tree.operations[place].name, kept)

    def mixes(self, places: frozenset[int] | None) -> None:
        """Record that operations at and in `places` may have been replaced by others of them."""
        if self.is_known:
            area = self._area(places)
            self._gone |= area
            self._change(area, ANY_OPERATION)
            self._mixed.append(area)

    def leaves(self, places: frozenset[int] | None) -> None:
        """Record that operations at and in `places` may be in unwritten containers now."""
        if self.is_known:
            self._left |= self._area(places)

    def _area(self, places: frozenset[int] | None) -> frozenset[int]:
        """Return the area that an operation applied to `places` may change: nested places, without containers."""
        if places is None or ROOT in places:
            return self.tree.below(frozenset((ROOT,)))
        return self.tree.below(places) - self.containers

    def functions_of(self, places: frozenset[int] | None) -> frozenset[int] | None:
        """Return the outermost operations around `places`, directly in modules, such as functions; None: anywhere."""
        return frozenset(map(self.tree.outermost, places)) if places is not None else None

    # Searches

    def found(self, scope: PayloadSet, match: Match) -> tuple[Places, bool]:
        """Return the places of the operations that a search in `scope` finds, and whether some are written there.

        Operations that MLIR adds to written ones count as written.
        """
        around, catalogue = self.of(scope), self._state.context.catalogue
        below = self.tree.below(around.all if around.all is not None else frozenset((ROOT,)))
        self._budget.spend(len(below))
        operations = self.tree.operations
        wanted = {place: match.is_wanted(operations[place].name, catalogue) for place in below}
        written = frozenset(place for place, is_it in wanted.items() if is_it is not False)
        hidden = frozenset(
            place
            for place in wanted
            if operations[place].has_more and match.is_made_in(operations[place].name, catalogue)
        )
        is_written = bool(written or hidden)
        if around.all is None:
            return ANYWHERE, is_written
        new = frozenset(
            place
            for place, introduced in self._changed.items()
            if place != ROOT and place in below and match.may_come(operations[place].name, introduced, catalogue)
        )
        everywhere = written | hidden | new | (below & self._left)
        sure_below = self.tree.below(around.sure) - self._gone
        sure = frozenset(place for place in sure_below if wanted.get(place))
        if around.listed is None or everywhere != sure or (wanted.get(ROOT) and operations[ROOT].has_more):
            return Places(everywhere, sure), is_written
        walked = (place for outer in around.listed for place in self.tree.in_order_of_walks(outer))
        return listing(place for place in walked if wanted.get(place)), is_written

    def parents(
        self,
        inner: PayloadSet,
        nth: int,
        is_wanted: Callable[[str], bool | None],
        *,
        are_containers: bool,
        is_deduplicated: bool,
    ) -> Places:
        """Return the places of the `nth` wanted operation around each one of `inner`.

        `are_containers` says whether only functions and other containers are wanted.
        """
        places = self.of(inner)
        if places.all is None:
            return ANYWHERE
        if places.listed is not None and self._gone.isdisjoint(places.all):
            enclosing = [self.tree.enclosing(place, nth, is_wanted) for place in places.listed]
            known = [place for place in enclosing if place is not None]
            if len(known) == len(enclosing):
                return listing(dict.fromkeys(known) if is_deduplicated else known)
        operations = self.tree.operations
        if not are_containers or not self._left.isdisjoint(places.all):
            outer = {ROOT, *(place for each in places.all for place in self.tree.around(each))}
            return Places(
                frozenset(place for place in outer if is_wanted(operations[place].name) is not False) | places.all
            )
        around = [self.tree.enclosing(place, nth, is_wanted) for place in places.all]
        wanted = frozenset(place if place is not None else ROOT for place in around)
        if len(wanted) != 1 or ROOT in wanted:
            return Places(wanted)
        is_one = is_deduplicated or inner.facts.is_one
        return listing(wanted) if is_one else Places(wanted, wanted)

    def is_in_one_of(self, inner: frozenset[int], outer: frozenset[int]) -> bool:
        """Whether all operations at `inner` are certainly in a container at one of `outer`."""
        around = self.containers & outer
        if not around or not self._left.isdisjoint(inner) or not self.containers.isdisjoint(inner):
            return False
        self._budget.spend(len(inner))
        return inner <= self.tree.below(around)

    def feeding(self, payloads: Sequence[PayloadSet]) -> Places:
        """Return the places of the operations that define operands of those in the only one of `payloads`."""
        return self._neighbours(payloads, lambda place: self.tree.operations[place].operands)

    def taking(self, payloads: Sequence[PayloadSet], number: int | None) -> Places:
        """Return the places of the users of results of the only one of `payloads`, or of results `number` only."""
        places = self._neighbours(payloads, lambda place: self._users(place, number))
        listed = self.of(payloads[0]).listed if payloads else None
        if listed is None or places.all is None or not self._changed.keys().isdisjoint((*listed, *places.all)):
            return places
        users = [user for place in listed for user in self._users(place, number)]
        is_one = len(set(users)) == 1
        return listing(users) if is_one else Places(places.all, frozenset(users))

    def _users(self, place: int, number: int | None) -> list[int]:
        uses = self.tree.operations[place].uses
        return [use.user for use in uses if number is None or use.result == number]

    def _neighbours(self, payloads: Sequence[PayloadSet], at: Callable[[int], Iterable[int]]) -> Places:
        """Return the places `at` each place of a set; for a changed place, the whole function, for new operations."""
        places = self.of(payloads[0]).all if len(payloads) == 1 else None
        if places is None or any(self.tree.operations[place].is_made for place in places):
            return ANYWHERE
        changed = frozenset(place for place in places if place in self._changed)
        near = self.below(self.functions_of(changed)) if changed else _NOWHERE
        written = frozenset(other for place in places - changed for other in at(place))
        return Places(near | written if near is not None else None)

    # Facts

    def facts(self, payload: PayloadSet, facts: Contents) -> Contents:
        """Return `facts` refined by the known written operations of `payload`."""
        places = self.of(payload)
        if places.listed is None:
            several = len(places.sure) > 1
            return facts._replace(several=Certainty.CERTAINLY) if several else facts
        listed = places.listed
        if not listed or len(listed) > _MOST_LISTED:
            return facts
        operations = self.tree.operations
        return facts.refined(exactly(listed, lambda place: operations[place].name, self.tree.ancestors))

    # What follows from places

    def place(self, payload: PayloadSet, places: Places) -> None:
        """Record the places of a set, and what follows from them: facts, and links with other sets."""
        self.put(payload, places)
        if places.all is None:
            return
        payload.facts = self.facts(payload, payload.facts)
        root = self.root_set
        if places.listed is not None and not places.listed:
            payload.may_be_empty = True
        elif places.listed != (ROOT,):
            if root is not None and ROOT not in places.all and all(link.outer is not root for link in payload.outer):
                self._state.link(payload, root, Nesting.NESTED, is_firm=True)
            self._relate(payload)
        elif root is not None:
            self._state.link(payload, root, Nesting.PART)
            self._state.link(root, payload, Nesting.PART)
            self.root_set = payload

    def place_known(self, payload: PayloadSet, known: KnownContents) -> None:
        """Apply what the run on the written payload tells of a set."""
        payload.may_be_empty = False
        if known.listed is not None:
            payload.facts = payload.facts.refined(known.listed)
        places = self.of(payload)
        if known.is_written and places.listed != known.places:
            self.place(payload, listing(known.places))
        elif not known.is_written and not places.sure.issuperset(known.places):
            everywhere = places.all.union(known.places) if places.all is not None else None
            self.place(payload, Places(everywhere, places.sure.union(known.places)))

    def _relate(self, payload: PayloadSet) -> None:
        """Link a set with recently placed sets, by their places."""
        del self._recent[:-_MOST_RELATED]
        for other in self._recent:
            if other is not payload and self._state.is_live(other):
                own, others = self.of(payload), self.of(other)
                if not own.sure.isdisjoint(others.sure):
                    self._share(payload, other, own.sure & others.sure)
                self._nest(payload, other, own, others)
                self._nest(other, payload, others, own)
        self._recent.append(payload)

    def _share(self, first: PayloadSet, other: PayloadSet, common: frozenset[int]) -> None:
        """Link two sets that have the operations at the places `common` in common."""
        for part, whole in ((first, other), (other, first)):
            if self._is_all(part, common):
                self._state.link(part, whole, Nesting.PART)
                return
        part = self._some(first, common)
        self._state.link(part, first, Nesting.PART)
        self._state.link(part, other, Nesting.PART)

    def _nest(self, inner: PayloadSet, outer: PayloadSet, places: Places, around: Places) -> None:
        """Link two sets if operations of `inner` are certainly nested in those of `outer`."""
        if not around.sure or places.all is None:
            return
        if self.is_in_one_of(places.all, around.sure):
            self._state.link(inner, outer, Nesting.NESTED, is_firm=True)
            return
        nested = places.sure & self.tree.below(around.sure) - around.sure
        if nested and not self._is_all(inner, nested):
            part = self._some(inner, nested)
            self._state.link(part, inner, Nesting.PART)
            inner = part
        if nested:
            self._state.link(inner, outer, Nesting.NESTED, is_firm=self.containers.issuperset(around.sure))

    def _is_all(self, payload: PayloadSet, places: frozenset[int]) -> bool:
        listed = self.of(payload).listed
        return listed is not None and places.issuperset(listed)

    def _some(self, payload: PayloadSet, places: frozenset[int]) -> PayloadSet:
        """Return a new set of the operations of `payload` at `places`."""
        names = frozenset(self.tree.operations[place].name for place in places)
        facts = Contents(names, repetition=Certainty.NEVER, nesting=payload.facts.part().nesting)
        part = PayloadSet(payload.value, payload.maker, self._state.step, facts)
        self.put(part, Places(places, places))
        return part


_NOWHERE: frozenset[int] = frozenset()
_MOST_LISTED = 64
"""Maximum length of a list whose operations are compared with each other."""
_MOST_RELATED = 32
"""Maximum number of placed sets to compare with a new one."""
