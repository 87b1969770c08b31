"""Every upstream transform operation in many shapes, as far as MLIR accepts them.

Candidates are built at random in generic form from the catalogue's definitions; `mlir-opt` decides which
are valid and prints them in custom form.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from oracle.attribute_samples import sample, static_list
from oracle.tools import SPLIT_MARKER, run
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition, ResultDefinition

SCRIPTS = Path(__file__).parent / "scripts"
LLVM_VERSION = 22

_BY_HAND = frozenset({"transform.include", "transform.yield"})
"""Operations without regions that only make sense in company: see the scripts."""

_LENGTHS = {"static_matmul_packed_sizes": 3}
"""Lengths of static lists where only one is valid."""

_HANDLES = ("!transform.any_op", '!transform.op<"linalg.matmul">')
_PARAMETERS = ("!transform.param<i64>", "!transform.any_param")
_TYPES: dict[str, tuple[str, ...]] = {
    "TransformHandleTypeInterface": _HANDLES,
    "TransformAnyHandle": _HANDLES,
    "TransformValueHandleTypeInterface": ("!transform.any_value",),
    "TransformParamTypeInterface": _PARAMETERS,
    "TransformAnyParamTypeOrAnyHandle": (*_HANDLES, *_PARAMETERS),
    "Transform_AnyHandleOrParamType": (*_HANDLES, *_PARAMETERS, "!transform.any_value"),
    "Transform_AnyHandleType": (*_HANDLES, "!transform.any_value"),
    "AnyTypeOf<TransformAnyHandle,Transform_AffineMapParamType>": ("!transform.any_op",),
}

_LIBRARY = """
  transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  module @nested {
    func.func private @deep()
  }
"""


@dataclass(frozen=True)
class TransformModule:
    """A module with one operation under test. `shape` says which optional parts of it are present."""

    text: str
    operation: str
    shape: str
    printing: str


@dataclass(frozen=True)
class _Candidate:
    operation: str
    shape: str
    text: str


def operation_names(catalogue: Catalogue | None = None) -> list[str]:
    """Return the names of the transform operations upstream has at LLVM 22, by the catalogue."""
    return [definition.name for definition in _definitions(catalogue or Catalogue.shipped())]


def transform_modules(seed: int = 0, *, attempts: int = 30, kept: int = 8) -> list[TransformModule]:
    """Return for each operation up to `kept` shapes MLIR accepts, as built and in generic and custom form.

    `attempts` candidates are made for each operation.
    """
    accepted = _accepted(_candidates(_definitions(Catalogue.shipped()), Random(seed), attempts), kept)
    texts = [candidate.text for candidate, _ in accepted]
    generic = run(texts, "--mlir-print-op-generic")
    modules = []
    for (candidate, custom), outcome in zip(accepted, generic, strict=True):
        assert outcome.text is not None
        for printing, text in (("candidate", candidate.text), ("custom", custom), ("generic", outcome.text)):
            modules.append(TransformModule(text, candidate.operation, candidate.shape, printing))
    return modules


def scripts() -> list[tuple[str, str]]:
    """Return the scripts written by hand as pairs of title and text."""
    found = []
    for path in sorted(SCRIPTS.glob("*.mlir")):
        chunks = path.read_text(encoding="utf-8").split(f"{SPLIT_MARKER}\n")
        found += [(f"{path.stem}:{number}", chunk) for number, chunk in enumerate(chunks)]
    return found


def _definitions(catalogue: Catalogue) -> list[OperationDefinition]:
    names = catalogue.operation_names("transform")
    variants = (variant for name in names for variant in catalogue.variants(name))
    return [variant for variant in variants if LLVM_VERSION in variant.versions]


def candidates_of(definitions: Sequence[OperationDefinition], random: Random, attempts: int) -> list[str]:
    """Return modules around random instances, in generic form, of each operation without regions; not all are valid."""
    return [candidate.text for candidate in _candidates(definitions, random, attempts)]


def _candidates(definitions: Sequence[OperationDefinition], random: Random, attempts: int) -> list[_Candidate]:
    candidates = {}
    for definition in definitions:
        if definition.regions or definition.name in _BY_HAND:
            continue
        for _ in range(attempts):
            candidate = _Builder(definition, random).candidate()
            if candidate is not None:
                candidates[candidate.text] = candidate
    return list(candidates.values())


def _accepted(candidates: Sequence[_Candidate], kept: int) -> list[tuple[_Candidate, str]]:
    """Return the texts that `mlir-opt` takes and its output for them, different shapes of an operation before equal
    ones.
    """
    by_operation: defaultdict[str, list[tuple[_Candidate, str]]] = defaultdict(list)
    for candidate, outcome in zip(candidates, run([each.text for each in candidates]), strict=True):
        if outcome.text is not None:
            by_operation[candidate.operation].append((candidate, outcome.text))
    chosen = []
    for found in by_operation.values():
        first = {pair[0].shape: pair for pair in reversed(found)}
        others = [pair for pair in found if pair is not first[pair[0].shape]]
        chosen += [*first.values(), *others][:kept]
    return chosen


class _Builder:
    """Builds one module around one random instance of an operation."""

    def __init__(self, definition: OperationDefinition, random: Random) -> None:
        self.definition = definition
        self.random = random
        self.arguments: list[str] = []
        self.present: list[str] = []
        self.uniform = random.random() if random.random() < 0.5 else None
        """Relative position in the list of possible types, for all values alike; None chooses each type by itself."""

    def candidate(self) -> _Candidate | None:
        operands = [self._group(group) for group in self.definition.operands]
        results = [self._group(group) for group in self.definition.results]
        groups = zip(self.definition.operands, operands, strict=True)
        attributes = self._attributes({group.name: len(types) for group, types in groups})
        if attributes is None:
            return None
        attributes += self._segments(operands, results)
        text = self._operation([*chain(*operands)], [*chain(*results)], attributes)
        counts = ",".join(str(len(group)) for group in (*operands, *results))
        shape = f"{counts}|{','.join(sorted(self.present))}"
        return _Candidate(self.definition.name, shape, self._module(text))

    def _group(self, group: OperandDefinition | ResultDefinition) -> list[str]:
        types = (group.type,) if group.type else _TYPES.get(group.constraint, _HANDLES)
        count = 1
        if group.arity is Arity.OPTIONAL:
            count = self.random.randrange(2)
        elif group.arity is not Arity.ONE:
            count = self.random.randrange(4)
        same = self.random.choice(types)
        if self.uniform is not None:
            return [types[int(self.uniform * len(types))]] * count
        return [same if self.random.random() < 0.6 else self.random.choice(types) for _ in range(count)]

    def _attributes(self, sizes: dict[str, int]) -> list[str] | None:
        spelled = []
        lengths: dict[str, int] = {}
        for attribute in self.definition.attributes:
            value = self._value(attribute, sizes, lengths)
            if value == "":
                continue
            if value is None:
                return None
            self.present.append(attribute.name)
            spelled.append(f"{attribute.name} = {value}")
        return spelled

    def _value(self, attribute: AttributeDefinition, sizes: dict[str, int], lengths: dict[str, int]) -> str | None:
        """Return the attribute's value, an empty text to leave it out, None if nothing can be said."""
        stem = attribute.name.removeprefix("static_")
        dynamic = sizes.get(f"dynamic_{stem}", sizes.get(stem))
        if attribute.name.startswith("static_") and dynamic is not None:
            scalar = attribute.constraint == "I64Attr"
            length = 1 if scalar else _LENGTHS.get(attribute.name)
            entries = static_list(dynamic, self.random, length)
            lengths["static"] = len(entries)
            return f"{entries[0]} : i64" if scalar else _dense_array("i64", entries)
        if attribute.name == "scalable_sizes":
            flags = [self.random.choice(("true", "false")) for _ in range(lengths.get("static", 0))]
            return _dense_array("i1", flags)
        optional = attribute.optional or attribute.default is not None
        if optional and self.random.random() < 0.5:
            return ""
        return sample(attribute, self.random)

    def _segments(self, operands: list[list[str]], results: list[list[str]]) -> list[str]:
        segments = []
        for trait, name, groups in (
            ("AttrSizedOperandSegments", "operandSegmentSizes", operands),
            ("AttrSizedResultSegments", "resultSegmentSizes", results),
        ):
            if trait in self.definition.traits:
                sizes = ", ".join(str(len(group)) for group in groups)
                segments.append(f"{name} = array<i32: {sizes}>")
        return segments

    def _operation(self, operands: list[str], results: list[str], attributes: list[str]) -> str:
        names = []
        for type_ in operands:
            names.append(f"%arg{len(self.arguments)}")
            self.arguments.append(type_)
        left = f"%r:{len(results)} = " if results else ""
        properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
        extra = ""
        if self.random.random() < 0.25:
            self.present.append("(discardable)")
            extra = " {my.note = 1 : i64, my.flag}"
        location = ""
        if self.random.random() < 0.25:
            self.present.append("(location)")
            location = ' loc("here.py":7:1)'
        if any("linalg" in type_ for type_ in operands):
            self.present.append("(specific handle)")
        return (
            f'{left}"{self.definition.name}"({", ".join(names)}){properties}{extra}'
            f" : ({', '.join(operands)}) -> ({', '.join(results)}){location}"
        )

    def _module(self, operation: str) -> str:
        body = _surrounded(self.definition.name, operation)
        arguments = ["%root: !transform.any_op {transform.consumed}"]
        for number, type_ in enumerate(self.arguments):
            effect = "" if "param" in type_ else " {transform.consumed}"
            arguments.append(f"%arg{number}: {type_}{effect}")
        return (
            f"module attributes {{transform.with_named_sequence}} {{{_LIBRARY}"
            f"  transform.named_sequence private @test({', '.join(arguments)}) {{\n"
            f"    {body}\n    transform.yield\n  }}\n}}\n"
        )


def _dense_array(element: str, entries: Sequence[object]) -> str:
    return f"array<{element}: {', '.join(map(str, entries))}>" if entries else f"array<{element}>"


def _surrounded(name: str, operation: str) -> str:
    """Put the operation into the operation that has to be around it."""
    if name.startswith("transform.apply_patterns."):
        return f"transform.apply_patterns to %root {{\n      {operation}\n    }} : !transform.any_op"
    if name.startswith("transform.match.structured."):
        return _inside_match(name, operation)
    converted = "transform.apply_conversion_patterns to %root {\n"
    converter = "    } with type_converter {\n      "
    end = '\n    } {legal_dialects = ["func"]} : !transform.any_op'
    if name.startswith("transform.type_conversion.") or name.endswith("_type_converter"):
        return f"{converted}{converter}{operation}{end}"
    if name.startswith("transform.apply_conversion_patterns."):
        usual = "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"
        return f"{converted}      {operation}\n{converter}{usual}{end}"
    return operation


def _inside_match(name: str, operation: str) -> str:
    results = "()"
    if "(!transform.any_value) ->" not in operation:
        operation = operation.replace("%arg0", "%inner", 1)
    terminator = '"transform.match.structured.yield"() : () -> ()'
    if name.endswith(".yield"):
        operation = operation.replace("%inner", "%arg0")
        results = operation.partition(" : ")[2].partition(" -> ")[0] or results
        operation, terminator = "", operation
    return (
        '"transform.match.structured"(%root) <{failure_propagation_mode = 1 : i32}> ({\n'
        "    ^bb0(%inner: !transform.any_op):\n"
        f"      {operation}\n      {terminator}\n"
        f"    }}) : (!transform.any_op) -> {results}"
    )
