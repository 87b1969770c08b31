"""Records behave as dataclasses do."""

from __future__ import annotations

import copy
import pickle
from inspect import signature
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from tdls.structs import REQUIRED, NamedTuple, Struct, as_dict, defaults_of, field, replace

T = TypeVar("T")


class Place(Struct, frozen=True):
    file: str
    line: int = 1
    KINDS: ClassVar[int] = 2

    @property
    def next(self) -> int:
        return self.line + 1


class NamedPlace(Place, frozen=True):
    name: str = ""
    line: int = 7


class Tally(Struct):
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts.append(0)


class Node(Struct, Generic[T], eq=False, has_dict=True):
    value: T


class Nothing(Struct, frozen=True):
    pass


class Pair(NamedTuple):
    first: int
    second: str = "b"

    @property
    def both(self) -> str:
        return f"{self.first}{self.second}"


@pytest.fixture(params=[0, 100], ids=["the first ones", "later ones"], autouse=True)
def instances(request: pytest.FixtureRequest) -> None:
    """Make so many instances of each class that they have a compiled constructor, or none."""
    for _ in range(request.param):
        Place("a"), NamedPlace("a"), Tally(), Pair(1)


def test_named_tuples_are_those_of_python() -> None:
    pair: Any = Pair(1)
    assert pair == (1, "b") == Pair(second="b", first=1) == Pair(1, second="b") == Pair._make((1, "b"))
    assert (pair.first, pair.second, pair.both, repr(pair)) == (1, "b", "1b", "Pair(first=1, second='b')")
    assert (pair._asdict(), pair._replace(first=2)) == ({"first": 1, "second": "b"}, (2, "b"))
    assert type(copy.deepcopy(pickle.loads(pickle.dumps(pair)))) is Pair
    match pair:
        case Pair(first, second="b"):
            assert first == 1
    for arguments, named in (((), {}), ((1, 2, 3), {}), ((1,), {"first": 1}), ((1,), {"z": 1})):
        with pytest.raises(TypeError, match=r"Pair\.__new__\(\)"):
            Pair(*arguments, **named)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="z"):
        pair._replace(z=1)


def test_fields_are_given_by_place_and_by_name() -> None:
    assert (Place("a").file, Place("a").line, Place(line=3, file="b").line, Place("a").next) == ("a", 1, 3, 2)
    assert Place.KINDS == 2
    assert as_dict(NamedPlace("a", name="n")) == {"file": "a", "line": 7, "name": "n"}
    assert defaults_of(NamedPlace) == {"file": REQUIRED, "line": 7, "name": ""}


@pytest.mark.parametrize("arguments", [(), ("a", 1, 2)])
def test_wrong_arguments_are_refused_by_name(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"Place\.__init__\(\)"):
        Place(*arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        replace(Place("a"), z=1)


def test_other_attributes_are_refused() -> None:
    with pytest.raises(AttributeError):
        Tally().more = 1  # type: ignore[attr-defined]
    node = Node(1)
    node.more = 2  # type: ignore[attr-defined]
    assert vars(node) == {"more": 2}


def test_equality_and_hashes_are_those_of_fields() -> None:
    assert Place("a") == Place("a", 1)
    assert Place("a") != Place("a", 2)
    assert NamedPlace("a", 1) != Place("a", 1)
    assert len({Place("a"), Place("a", 1), Place("b"), Nothing(), Nothing()}) == 3
    assert Tally() == Tally()
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tally())


def test_a_node_equals_itself_only() -> None:
    node = Node[int](1)
    assert node == node
    assert node != Node(1)
    assert len({node, Node(1)}) == 2


def test_made_defaults_are_not_shared() -> None:
    first, second = Tally(), Tally()
    first.counts.append(1)
    assert second.counts == [0]
    assert Tally([5]).counts == [5, 0]


@pytest.mark.parametrize("record", [Place("a"), NamedPlace("a", 2, "n"), Nothing()])
def test_records_are_copied_and_kept(record: Struct) -> None:
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == copy.copy(record) == replace(record) == record
    assert eval(repr(record)) == record


def test_patterns_match_by_place() -> None:
    match NamedPlace("a", name="n"):
        case Place(file, line):
            assert (file, line) == ("a", 7)


def test_signature_is_that_of_the_fields() -> None:
    assert str(signature(NamedPlace)) == "(file, line=7, name='')"


def test_repr_of_a_recursive_record_ends() -> None:
    tally = Tally()
    tally.counts.append(tally)  # type: ignore[arg-type]
    assert repr(tally) == "Tally(counts=[0, ...])"


@pytest.mark.parametrize("base", [Struct, NamedTuple])
@pytest.mark.parametrize("default", [[], {}, set()], ids=repr)
def test_a_default_that_instances_would_share_is_refused(base: type, default: object) -> None:
    body = {"__annotations__": {"values": "list[int]"}, "values": default, "__module__": __name__}
    with pytest.raises(TypeError, match=r"^Shared\.values: instances would share this (list|dict|set): use `field`$"):
        type(base)("Shared", (base,), body)
