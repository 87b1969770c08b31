"""Random payloads whose structure is known: operations in each other, and which uses the results of which."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SIZES = (8, 12, 16, 24)
_TENSOR = re.compile(r"tensor<[^<>]*>$")


@dataclass(eq=False, repr=False)
class Node:
    """An operation of the payload.

    `operands` are the operations that define its operands, None for block arguments. `text` is how it is written, where
    it is written at all: the lines in front of its regions, and `end` the line behind that.
    """

    name: str
    parent: Node | None = None
    operands: list[Node | None] = field(default_factory=list)
    text: str = ""
    end: str = ""
    rank: int = 0
    """Number of loops of a structured operation."""
    size: int = 0
    """Number of iterations of each of them, or of the loop itself."""
    on_tensors: bool = True
    results: int = 1
    children: list[Node] = field(default_factory=list)
    is_implied: bool = False
    """True for operations in the region of a named structured operation, which the text of the payload leaves out."""
    marks: frozenset[str] = frozenset()
    """The names of attributes that scripts gave it."""
    is_gone: bool = False
    """True once the operation is erased or replaced."""

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.parent.children.append(self)

    @property
    def type(self) -> str:
        """The type of its result, if it was written with a tensor; "" for others, and for those that transforms
        made."""
        match = _TENSOR.search(self.text)
        return match[0] if match and self.results else ""

    def walk(self) -> Iterator[Node]:
        """Yield the operations nested in it and then the operation itself, in the order of MLIR's walks."""
        for child in list(self.children):
            yield from child.walk()
        yield self

    def is_in(self, ancestor: Node) -> bool:
        """Whether the operation is `ancestor` or nested in it."""
        return any(each is ancestor for each in self.ancestry())

    def ancestry(self) -> Iterator[Node]:
        """Yield the operation and its parents, from inside out."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    @property
    def root(self) -> Node:
        """The module."""
        *_, root = self.ancestry()
        return root

    def consumers(self) -> list[Node]:
        """Return the operations that use its results."""
        return [node for node in self.root.walk() if self in node.operands]

    def function(self) -> Node | None:
        """Return the function it is in."""
        return next((node for node in self.ancestry() if node.name == "func.func"), None)

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the lines of its text."""
        indentation = "  " * depth
        yield from (indentation + line for line in self.text.split("\n"))
        for child in self.children:
            if not child.is_implied:
                yield from child.lines(depth + 1)
        if self.end:
            yield from (indentation + line for line in self.end.split("\n"))


def payload(random: Random) -> Node:
    """Return a module with one to three functions."""
    module = Node("builtin.module", text="", end="", results=0)
    kinds = [
        random.choice((_chain, _chain, _chain, _loops, _loops, _buffers)) for _ in range(random.choice((1, 1, 2, 2, 3)))
    ]
    for number, kind in enumerate(kinds):
        kind(module, f"f{number}", random)
    return module


_IMPLIED = {
    "linalg.matmul": ("arith.mulf", "arith.addf"),
    "linalg.add": ("arith.addf",),
    "linalg.mul": ("arith.mulf",),
    "linalg.exp": ("math.exp",),
    "linalg.abs": ("math.absf",),
}


def _with_body(node: Node) -> Node:
    """Put the operations of its region into `node`, written or not."""
    last: Node | None = None
    for name in _IMPLIED.get(node.name, ()):
        last = Node(name, node, [None, last], is_implied=True)
    Node("linalg.yield", node, [last], is_implied=True, results=0)
    return node


class _Names:
    def __init__(self) -> None:
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"%v{self._count}"


def _function(module: Node, name: str, arguments: str, result: str = "") -> Node:
    to = f" -> {result}" if result else ""
    return Node("func.func", module, text=f"func.func @{name}({arguments}){to} {{", end="}", results=0)


# Producers and consumers on tensors

_UNARY = ("linalg.exp", "linalg.abs")
_BINARY = ("linalg.add", "linalg.mul")


def _chain(module: Node, name: str, random: Random) -> None:
    size = random.choice(SIZES)
    tensor = f"tensor<{size}x{size}xf32>"
    function = _function(module, name, ", ".join(f"%a{number}: {tensor}" for number in range(3)), tensor)
    chain = _Chain(function, tensor, size, random)
    for _ in range(random.randrange(1, 5)):
        chain.add()
    value, node = chain.values[-1]
    Node("func.return", function, [node], text=f"return {value} : {tensor}", results=0)


class _Chain:
    def __init__(self, function: Node, tensor: str, size: int, random: Random) -> None:
        self._function, self._tensor, self._size, self._random = function, tensor, size, random
        self._names = _Names()
        self._initial: tuple[str, Node] | None = None
        self.values: list[tuple[str, Node | None]] = [(f"%a{number}", None) for number in range(3)]

    def add(self) -> None:
        """Add an operation that uses the last value, and its other operands."""
        kind = self._random.choice(("matmul", "matmul", "unary", "binary", "generic", "filled"))
        first, second = self.values[-1], self._random.choice(self.values)
        out = self._filled() if kind == "filled" or self._random.random() < 0.4 else self.values[0]
        value = self._names.new()
        name, operands, rank, text = self._spelled(kind, first, second, out)
        sources = [node for _, node in operands]
        node = Node(name, self._function, sources, f"{value} = {text}", rank=rank, size=self._size)
        self.values.append((value, _with_body(node)))

    def _spelled(
        self, kind: str, first: tuple[str, Node | None], second: tuple[str, Node | None], out: tuple[str, Node | None]
    ) -> tuple[str, list[tuple[str, Node | None]], int, str]:
        tensor = self._tensor
        if kind == "unary":
            name = self._random.choice(_UNARY)
            return name, [first, out], 2, f"{name} ins({first[0]} : {tensor}) outs({out[0]} : {tensor}) -> {tensor}"
        if kind == "generic":
            maps = "[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]"
            head = f'linalg.generic {{indexing_maps = {maps}, iterator_types = ["parallel", "parallel"]}}'
            body = "{\n^bb0(%i: f32, %o: f32):\n  linalg.yield %i : f32\n}"
            text = f"{head} ins({first[0]} : {tensor}) outs({out[0]} : {tensor}) {body} -> {tensor}"
            return "linalg.generic", [first, out], 2, text
        name = self._random.choice(_BINARY) if kind == "binary" else "linalg.matmul"
        both = f"ins({first[0]}, {second[0]} : {tensor}, {tensor})"
        rank = 2 if kind == "binary" else 3
        return name, [first, second, out], rank, f"{name} {both} outs({out[0]} : {tensor}) -> {tensor}"

    def _filled(self) -> tuple[str, Node | None]:
        zero, empty, filled = (self._names.new() for _ in range(3))
        constant = Node("arith.constant", self._function, text=f"{zero} = arith.constant 0.0 : f32")
        tensor = Node("tensor.empty", self._function, text=f"{empty} = tensor.empty() : {self._tensor}")
        text = f"{filled} = linalg.fill ins({zero} : f32) outs({empty} : {self._tensor}) -> {self._tensor}"
        fill = Node("linalg.fill", self._function, [constant, tensor], text, rank=2, size=self._size)
        return filled, _with_body(fill)


# Loops over buffers


def _loops(module: Node, name: str, random: Random) -> None:
    size = random.choice((8, 12, 16))
    buffer = f"memref<{size}x{size}xf32>"
    function = _function(module, name, f"%m: {buffer}, %n: {buffer}, %c: i1")
    nest = _NestedHandle(function, buffer, size, random)
    for _ in range(random.randrange(1, 4)):
        nest.add(function, random.randrange(1, 4))
    Node("func.return", function, text="return", results=0)


class _NestedHandle:
    def __init__(self, function: Node, buffer: str, size: int, random: Random) -> None:
        self._buffer, self._size, self._random = buffer, size, random
        self._names = _Names()
        self._bounds = {
            value: Node("arith.constant", function, text=f"%c{value} = arith.constant {value} : index")
            for value in (0, 1, size)
        }

    def add(self, parent: Node, depth: int, variables: tuple[tuple[str, Node | None], ...] = ()) -> None:
        """Add a loop with loops in it, `depth` in all, and a store in the innermost."""
        variable = self._names.new()
        bounds = [self._bounds[value] for value in (0, self._size, 1)]
        is_parallel = not variables and self._random.random() < 0.15
        if is_parallel:
            text = f"scf.forall ({variable}) in ({self._size}) {{"
            loop = Node("scf.forall", parent, [], text, "}", size=self._size, results=0)
        else:
            text = f"scf.for {variable} = %c0 to %c{self._size} step %c1 {{"
            loop = Node("scf.for", parent, [*bounds], text, "}", size=self._size, results=0)
        variables = (*variables, (variable, None))
        if depth > 1:
            for _ in range(self._random.choice((1, 1, 1, 2))):
                self.add(loop, depth - 1, variables)
        else:
            self._body(loop, variables)

    def _body(self, loop: Node, variables: tuple[tuple[str, Node | None], ...]) -> None:
        if self._random.random() < 0.25:
            loop = Node("scf.if", loop, [None], "scf.if %c {", "}", results=0)
        indices = ", ".join((variables[-1][0], variables[0][0]))
        value, other = self._names.new(), self._names.new()
        load = Node("memref.load", loop, [None] * 3, f"{value} = memref.load %m[{indices}] : {self._buffer}")
        name = self._random.choice(("arith.addf", "arith.mulf"))
        compute = Node(name, loop, [load, load], f"{other} = {name} {value}, {value} : f32")
        text = f"memref.store {other}, %n[{indices}] : {self._buffer}"
        Node("memref.store", loop, [compute, None, None, None], text, results=0)


# Structured operations on buffers


def _buffers(module: Node, name: str, random: Random) -> None:
    size = random.choice(SIZES)
    buffer = f"memref<{size}x{size}xf32>"
    function = _function(module, name, ", ".join(f"%a{number}: {buffer}" for number in range(3)))
    zero = Node("arith.constant", function, text="%zero = arith.constant 0.0 : f32")

    def add(name: str, operands: list[Node | None], rank: int, text: str) -> None:
        _with_body(Node(name, function, operands, text, rank=rank, size=size, on_tensors=False, results=0))

    for _ in range(random.randrange(1, 3)):
        if random.random() < 0.5:
            text = f"linalg.fill ins(%zero : f32) outs(%a2 : {buffer})"
            add("linalg.fill", [zero, None], 2, text)
        if random.random() < 0.7:
            text = f"linalg.matmul ins(%a0, %a1 : {buffer}, {buffer}) outs(%a2 : {buffer})"
            add("linalg.matmul", [None] * 3, 3, text)
        else:
            text = f"linalg.exp ins(%a0 : {buffer}) outs(%a2 : {buffer})"
            add("linalg.exp", [None] * 2, 2, text)
    Node("func.return", function, text="return", results=0)
