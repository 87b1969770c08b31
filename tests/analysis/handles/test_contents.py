"""Steps from true facts lead to facts that hold on small payloads; from weaker facts they lead to none stronger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.handles.small_payloads import (
    HELD,
    NAMES,
    Held,
    Payload,
    certainty,
    facts_about,
    is_true,
    lists_in,
    payloads,
    repetition,
    says_at_most,
    weaker,
)
from tdls.analysis.handles.contents import Certainty, Contents, again_and_again, one_operation, union

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def drawn(data: st.DataObject, values: Iterable[Any]) -> Any:
    return data.draw(st.sampled_from(sorted(values, key=str)))


def check(data: st.DataObject, step: Callable[..., Contents], known: list[Contents], after: Held) -> None:
    """Check that a step leads from true facts to true ones, and from weaker facts to no stronger ones."""
    found = step(*known)
    assert is_true(found, after)
    assert says_at_most(step(*(data.draw(weaker(facts)) for facts in known)), found)


def several_lists(data: st.DataObject) -> tuple[Payload, list[Held]]:
    payload = data.draw(payloads())
    return payload, data.draw(st.lists(lists_in(payload), min_size=1, max_size=3))


def nests(held: Held, depths: list[int]) -> Held:
    """Return the operations with new ones around each, listed before it."""
    around, names, operations = list(held.payload.around), list(held.payload.names), list[int]()
    new = set(held.payload.new)
    chains: dict[int, list[int]] = {}
    for operation, depth in zip(held.operations, depths, strict=False):
        inner = [operation]
        for _ in range(depth - 1):
            around.append(inner[0])
            names.append(names[operation])
            inner.insert(0, len(around) - 1)
        chains[operation] = inner
        operations += inner
        new |= set(inner) if operation in new else set()
    for chain in chains.values():
        above = around[chain[-1]]
        for number, operation in enumerate(chain):
            around[operation] = chain[number - 1] if number else above
    return Held(Payload(tuple(around), tuple(names), frozenset(new)), tuple(operations))


@given(st.data())
def test_facts_are_those_of_the_held_operations(data: st.DataObject) -> None:
    held = data.draw(HELD)
    facts = data.draw(facts_about(held))
    assert is_true(facts, held)
    assert is_true(data.draw(weaker(facts)), held)


@given(st.data())
def test_part(data: st.DataObject) -> None:
    held = data.draw(HELD)
    kept = [operation for operation in held.operations if data.draw(st.booleans())]
    assume(kept)
    check(data, Contents.part, [data.draw(facts_about(held))], held._replace(operations=tuple(kept)))


@given(st.data())
def test_selected(data: st.DataObject) -> None:
    held = data.draw(HELD)
    names = data.draw(st.sets(st.sampled_from(NAMES)).map(frozenset))
    kept = tuple(operation for operation in held.operations if held.payload.names[operation] in names)
    assume(kept)
    check(data, lambda facts: facts.selected(names), [data.draw(facts_about(held))], held._replace(operations=kept))


@given(st.data())
def test_element(data: st.DataObject) -> None:
    held = data.draw(HELD)
    single = drawn(data, held.operations)
    check(data, Contents.element, [data.draw(facts_about(held))], held._replace(operations=(single,)))


@given(st.data())
def test_deduplicated(data: st.DataObject) -> None:
    held = data.draw(HELD)
    once = held._replace(operations=tuple(dict.fromkeys(held.operations)))
    check(data, Contents.deduplicated, [data.draw(facts_about(held))], once)


@given(st.data(), st.integers(1, 3))
def test_copied(data: st.DataObject, times: int) -> None:
    held = data.draw(HELD)
    count = drawn(data, {Certainty.POSSIBLY, Certainty.NEVER if times == 1 else Certainty.CERTAINLY})
    facts, after = data.draw(facts_about(held)), held._replace(operations=held.operations * times)
    check(data, lambda known: known.copied(count), [facts], after)
    assert says_at_most(facts.copied(Certainty.POSSIBLY), facts.copied(count))


@given(st.data())
def test_replaced(data: st.DataObject) -> None:
    held = data.draw(HELD)
    pairs = [(a, b) for number, a in enumerate(held.operations) for b in held.operations[number + 1 :]]
    assume(not any(a == b or held.payload.is_in(b, a) for a, b in pairs))
    payload, operations = held
    new = frozenset(nested for operation in operations for nested in payload.within(operation))
    named = tuple("x" if number in operations else name for number, name in enumerate(payload.names))
    check(
        data, Contents.replaced, [data.draw(facts_about(held))], Held(Payload(payload.around, named, new), operations)
    )


@given(st.data())
def test_nests(data: st.DataObject) -> None:
    held = data.draw(HELD)
    assume(len(set(held.operations)) == len(held.operations))
    depths = data.draw(st.lists(st.integers(1, 3), min_size=len(held.operations), max_size=len(held.operations)))
    deep = drawn(data, certainty(max(depths) > 1))
    facts = data.draw(facts_about(held))
    check(data, lambda known: known.nests(deep), [facts], nests(held, depths))
    assert says_at_most(facts.nests(Certainty.POSSIBLY), facts.nests(deep))


@given(st.data())
def test_found_in(data: st.DataObject) -> None:
    outer = data.draw(HELD)
    wanted = data.draw(st.sets(st.integers(0, len(outer.payload.around) - 1)))
    found = [nested for operation in outer.operations for nested in outer.payload.within(operation) if nested in wanted]
    assume(found)
    after = outer._replace(operations=tuple(found))
    pairs = [(a, b) for a in outer.operations for b in outer.operations]
    is_in_another = drawn(data, certainty(any(outer.payload.is_in(a, b) for a, b in pairs)))
    own = data.draw(facts_about(after))
    known = Contents(own.names, nesting=own.nesting)
    outer_facts = data.draw(facts_about(outer))
    check(data, lambda facts: known.found_in(facts, is_in_another), [outer_facts], after)
    least = known.found_in(outer_facts, Certainty.POSSIBLY)
    assert says_at_most(least, known.found_in(outer_facts, is_in_another))


@given(st.data())
def test_around(data: st.DataObject) -> None:
    inner = data.draw(HELD)
    found = tuple(above for operation in inner.operations if (above := inner.payload.around[operation]) is not None)
    assume(len(found) == len(inner.operations))
    after = inner._replace(operations=found)
    own = data.draw(facts_about(after))
    known = Contents(own.names, nesting=own.nesting)
    check(
        data,
        lambda facts: known.around(facts, own.repetition, own.outer_first),
        [data.draw(facts_about(inner))],
        after,
    )


@given(st.data())
def test_join(data: st.DataObject) -> None:
    held, other = data.draw(HELD), data.draw(HELD)
    known = [data.draw(facts_about(held)), data.draw(facts_about(other))]
    check(data, Contents.join, known, held)
    check(data, Contents.join, known, other)
    assert known[0].join(known[0]) == known[0]
    assert known[0].join(known[1]) == known[1].join(known[0])
    assert says_at_most(known[0].join(known[1]), known[0])


def shared_by(lists: list[Held]) -> frozenset[Certainty]:
    """Return the certainties that hold for the overlap of lists."""
    if not any(set(a.operations) & set(b.operations) for n, a in enumerate(lists) for b in lists[:n]):
        return frozenset({Certainty.NEVER, Certainty.POSSIBLY})
    others = [{o for k, b in enumerate(lists) if k != n for o in b.operations} for n in range(len(lists))]
    is_each = all(set(held_list.operations) <= rest for held_list, rest in zip(lists, others, strict=True))
    each = {Certainty.EACH} if is_each else set()
    return frozenset({Certainty.CERTAINLY, Certainty.POSSIBLY, *each})


def is_in_earlier(payload: Payload, lists: list[Held]) -> bool:
    pairs = ((earlier, later) for number, later in enumerate(lists) for earlier in lists[:number])
    return any(payload.is_in(b, a) for earlier, later in pairs for a in earlier.operations for b in later.operations)


@given(st.data())
def test_union(data: st.DataObject) -> None:
    payload, lists = several_lists(data)
    shared = drawn(data, shared_by(lists))
    order = drawn(data, certainty(is_in_earlier(payload, lists)))
    known = [data.draw(facts_about(held)) for held in lists]
    after = Held(payload, tuple(operation for held in lists for operation in held.operations))
    check(data, lambda *parts: union(parts, shared, order), known, after)
    assert says_at_most(union(known, Certainty.POSSIBLY, Certainty.POSSIBLY), union(known, shared, order))


@given(st.data())
def test_again_and_again(data: st.DataObject) -> None:
    payload, lists = several_lists(data)
    assume(not is_in_earlier(payload, lists))
    facts = data.draw(facts_about(lists[0]))
    assume(all(is_true(facts, held) for held in lists))
    shared = drawn(data, shared_by(lists)) if len(lists) > 1 else drawn(data, Certainty)
    comes_back = len(lists) > 1 and data.draw(st.booleans())
    after = Held(payload, tuple(operation for held in lists for operation in held.operations))
    check(data, lambda known: again_and_again(known, shared, comes_back=comes_back), [facts], after)


@given(st.data())
def test_a_single_operation(data: st.DataObject) -> None:
    held = data.draw(HELD)
    single = held._replace(operations=held.operations[:1])
    assert is_true(one_operation(frozenset(held.payload.names[operation] for operation in single.operations)), single)


@given(st.data())
def test_certainties_of_a_list(data: st.DataObject) -> None:
    held = data.draw(HELD)
    assert data.draw(facts_about(held)).repetition in repetition(held.operations)
