"""Reachability and dominance in random graphs agree with their definitions."""

from __future__ import annotations

import random

import pytest

from tdls.semantic.dominance import DominatorTree
from tdls.semantic.reachability import reached_from

Graph = list[list[int]]


def _graphs() -> list[Graph]:
    chance = random.Random(1)
    graphs: list[Graph] = []
    for number in range(300):
        size = 1 + number % 9
        graphs.append([[chance.randrange(size) for _ in range(chance.choice((0, 1, 1, 2, 3)))] for _ in range(size)])
    return graphs


def _reached(graph: Graph, start: int, without: int | None = None) -> set[int]:
    """Return the nodes that are reached over at least one edge, on paths that do not go through `without`."""
    found: set[int] = set()
    todo = [start]
    while todo:
        for successor in graph[todo.pop()]:
            if successor not in found and successor != without:
                found.add(successor)
                todo.append(successor)
    return found


@pytest.mark.parametrize("graph", _graphs(), ids=str)
def test_nodes_reach_targets_of_edges(graph: Graph) -> None:
    reached = reached_from(graph)
    for node in range(len(graph)):
        assert {other for other in range(len(graph)) if reached[node] >> other & 1} == _reached(graph, node)


@pytest.mark.parametrize("graph", _graphs(), ids=str)
def test_a_node_dominates_nodes_not_reached_without_it(graph: Graph) -> None:
    tree = DominatorTree(graph)
    reached = {0} | _reached(graph, 0)
    for node in range(len(graph)):
        for other in range(len(graph)):
            around = node == 0 or other in ({0} | _reached(graph, 0, node))
            assert tree.dominates(node, other) is (other not in reached or node == other or not around or node == 0), (
                node,
                other,
            )


def test_a_long_chain_takes_no_recursion() -> None:
    chain = [[number + 1] for number in range(20_000)] + [[0]]
    assert DominatorTree(chain).dominates(1, 20_000)
    assert reached_from(chain)[0] == (1 << 20_001) - 1
