"""Write the facts about steps, `_steps.json`, with which `tdls try` proposes steps: ``python tools/facts/steps.py``.

Forms are operations to try on a handle: those of `_FORMS`, and the snippets of all other operations that take one
handle to operations and nothing else. With FOLDER..., each a project with scripts, it is counted anew which operation
follows which; the first operation of a block follows the operation around it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from tdls.analysis.file.source_file import SourceFile  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.model import ResultDefinition  # noqa: E402
from tdls.catalogue.shipped import FACTS_FOLDER, STEPS  # noqa: E402
from tdls.ide.forms.snippets import Stop, Suggestions, operation_snippet  # noqa: E402
from tdls.semantic.handle_types import ANY_OPERATION, HandleKind, allowed_kinds  # noqa: E402
from tdls.semantic.transform_dialect import TRANSFORM  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperandDefinition, OperationDefinition
    from tdls.semantic.model import Operation

_PLACEHOLDER = re.compile(r"@|\b0\b|\bby :|\bto :|\[all\]|cast ")
"""Initial contents of snippets that mean nothing, and operations that only rename."""
_MOST_OF_A_PROJECT = 40
"""Scripts of one project that count for a pair, so that no project has its way alone."""
_LEAST = 2
"""Pairs that fewer scripts have are left out."""


_CANONICAL = "transform.apply_patterns.canonicalization"
_LINALG, _SCF, _VECTOR, _TENSOR, _MEMREF = (
    f"transform.apply_patterns.{dialect}." for dialect in ("linalg", "scf", "vector", "tensor", "memref")
)
_LOWERINGS = (
    "contraction", "outerproduct", "broadcast", "shape_cast", "transpose", "transfer", "masks", "masked_transfers",
)  # fmt: skip
_PATTERNS = (
    _CANONICAL,
    f"{_LINALG}tiling_canonicalization {_SCF}for_loop_canonicalization {_CANONICAL}",
    f"{_VECTOR}reduction_to_contract {_VECTOR}transfer_permutation_patterns {_CANONICAL}",
    " ".join(f"{_VECTOR}lower_{name}" for name in _LOWERINGS),
    f"{_LINALG}fold_unit_extent_dims_via_reshapes {_TENSOR}reassociative_reshape_folding {_CANONICAL}",
    f"{_VECTOR}cast_away_vector_leading_one_dim {_VECTOR}lower_multi_reduction",
    f"{_VECTOR}cast_away_vector_leading_one_dim {_VECTOR}rank_reducing_subview_patterns",
    f"{_MEMREF}fold_memref_alias_ops",
    (
        f"{_TENSOR}merge_consecutive_insert_extract_slice {_TENSOR}drop_redundant_insert_slice_rank_expansion "
        f"{_TENSOR}fold_tensor_subset_ops_into_vector_transfers"
    ),
    f"{_LINALG}erase_unnecessary_inputs",
)
_FORMS: dict[str, tuple[str, ...]] = {
    "structured.match": ('%+$base = transform.structured.match ops{["$name"]} in $h : ($t) -> $any',),
    "structured.tile_using_for": (
        ("%+tiled, %+loops:$n = transform.structured.tile_using_for $h tile_sizes $sizes : ($t) -> ($any, $each)"),
    ),
    "structured.tile_using_forall": (
        ("%+tiled, %+forall = transform.structured.tile_using_forall $h tile_sizes $parallel : ($t) -> ($any, $any)"),
    ),
    "structured.fuse": (
        "%+fused, %+loops:$n = transform.structured.fuse $h tile_sizes $sizes : ($t) -> ($any, $each)",
        ("%+fused, %+loops:$n = transform.structured.fuse $h {tile_sizes = $sizes} : ($t) -> ($any, $each)"),
    ),
    "structured.tile_reduction_using_for": (
        (
            "%+fill, %+split, %+combined, %+loop = transform.structured.tile_reduction_using_for $h by "
            "tile_sizes = $reduction : ($t) -> ($any, $any, $any, $any)"
        ),
    ),
    "structured.fuse_into_containing_op": (
        (
            "%+fused, %+containing = transform.structured.fuse_into_containing_op $h into $loop : ($t, "
            "$loop_t) -> ($any, $any)"
        ),
    ),
    "structured.pad": (
        (
            "%+padded, %+pad, %+copy = transform.structured.pad $h {padding_values = [$zeros], "
            "padding_dimensions = [$numbers]} : ($t) -> ($any, $any, $any)"
        ),
    ),
    "structured.pack": (
        ('%+packed = transform.structured.pack $h packed_sizes = $sizes : ($t) -> (!transform.op<"linalg.generic">)'),
    ),
    "structured.vectorize": (
        "transform.structured.vectorize $h : $t",
        "transform.structured.vectorize $h vector_sizes $sizes : $t",
    ),
    "structured.interchange": (
        ("%+interchanged = transform.structured.interchange $h iterator_interchange = $reverse : ($t) -> $any"),
    ),
    "structured.split_reduction": (
        (
            "%+init, %+fill, %+split, %+combined = transform.structured.split_reduction $h {split_factor = "
            "$factor, insert_split_dimension = 0} : ($t) -> ($any, $any, $any, $any)"
        ),
    ),
    "structured.vectorize_children_and_apply_patterns": (
        "%+vectorized = transform.structured.vectorize_children_and_apply_patterns $h : ($t) -> $any",
    ),
    "get_parent_op": (
        '%+loop = transform.get_parent_op $h {op_name = "scf.for"} : ($t) -> $any',
        '%+loop = transform.get_parent_op $h {op_name = "scf.forall"} : ($t) -> $any',
        "%+func = transform.get_parent_op $h {isolated_from_above} : ($t) -> $any",
    ),
    "loop.peel": ("%+main, %+rest = transform.loop.peel $loop : ($loop_t) -> ($any, $any)",),
    "loop.pipeline": ("%+pipelined = transform.loop.pipeline $loop : ($loop_t) -> $any",),
    "structured.hoist_pad": ("%+hoisted = transform.structured.hoist_pad $h by 1 loops : ($t) -> $any",),
    "structured.multitile_sizes": (
        (
            "%+low, %+high, %+point = transform.structured.multitile_sizes $h {target_size = 8, dimension = 0} "
            ": ($t) -> $any"
        ),
    ),
    "structured.split": ("%+parts = transform.structured.split $h after $first {dimension = 0} : $t",),
    "get_consumers_of_result": ("%+consumers = transform.get_consumers_of_result $h[0] : ($t) -> $any",),
    "get_producer_of_operand": (
        "%+producer = transform.get_producer_of_operand $h[0] : ($t) -> $any",
        "%+producer = transform.get_producer_of_operand $h[1] : ($t) -> $any",
        "%+producer = transform.get_producer_of_operand $h[2] : ($t) -> $any",
    ),
    "split_handle": ("%+part:$n = transform.split_handle $h : ($t) -> ($each)",),
    "loop.unroll": (
        "transform.loop.unroll $loop {factor = 4} : $loop_t",
        "transform.loop.unroll $loop {factor = 2} : $loop_t",
    ),
    "apply_patterns": tuple(f"transform.apply_patterns to $h {{ {names} }} : $t" for names in _PATTERNS),
    "apply_registered_pass": (
        '%+lowered = transform.apply_registered_pass "convert-linalg-to-loops" to $h : ($t) -> $any',
        '%+lowered = transform.apply_registered_pass "loop-invariant-code-motion" to $h : ($t) -> $any',
    ),
    "bufferization.one_shot_bufferize": (
        (
            "%+bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} $h "
            "{bufferize_function_boundaries = true} : ($t) -> $any"
        ),
    ),
}
"""Operations with values: ``%+`` begins the name of a result, ``$`` that of a slot of `tdls.ide.runs.next_steps`."""


def main() -> int:
    """Write the forms, and count if asked to."""
    parser = argparse.ArgumentParser(description="Write the facts about steps of scripts.")
    parser.add_argument("projects", type=Path, nargs="*", metavar="FOLDER", help="a checkout of a project with scripts")
    parser.add_argument("--output", type=Path, default=FACTS_FOLDER / STEPS, metavar="FILE", help="what to write")
    arguments = parser.parse_args()
    following: dict[str, dict[str, int]] = json.loads(arguments.output.read_text(encoding="utf-8"))["following"]
    if arguments.projects:
        following = {}
        pairs = counted(arguments.projects).items()
        for (before, after), count in sorted(pairs, key=lambda entry: (-entry[1], entry[0])):
            if count >= _LEAST:
                following.setdefault(before, {})[after] = count
    tables = ({"forms": forms()}, {"following": dict(sorted(following.items()))})
    texts = [
        f'"{name}": {{\n' + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()) + "}"
        for each in tables
        for name, table in each.items()
    ]
    arguments.output.write_text("{" + ",\n".join(texts) + "}\n", encoding="utf-8", newline="\n")
    return 0


def forms() -> dict[str, list[str]]:
    """Return the forms of all operations that can be steps, by name."""
    catalogue = Catalogue.shipped()
    found = {f"{TRANSFORM}.{name}": list(several) for name, several in _FORMS.items()}
    for name in catalogue.operation_names(TRANSFORM):
        definition = catalogue.operation(name)
        if definition is None or name in found or not _is_step(definition):
            continue
        slots = _Slots(catalogue)
        snippet = operation_snippet(definition, slots)
        stops = [part for part in snippet.parts if isinstance(part, Stop)] if snippet is not None else []
        is_whole = all(stop.text or stop.choices for stop in stops) and slots.operands == 1
        if snippet is not None and is_whole and _PLACEHOLDER.search(snippet.plain) is None:
            found[name] = [snippet.plain]
    return dict(sorted(found.items()))


def _is_step(definition: OperationDefinition) -> bool:
    others = ("IsTerminator", "FunctionOpInterface", "MatchOpInterface")
    takes_operations = HandleKind.OPERATIONS in allowed_kinds(definition.operands[0]) if definition.operands else False
    is_step = "TransformOpInterface" in definition.traits and definition.traits.isdisjoint(others)
    return is_step and takes_operations and not definition.regions and definition.assembly_format is not None


class _Slots(Suggestions):
    """Fills a snippet with the slots of a form."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(catalogue)
        self.operands = 0

    def operand(self, definition: OperandDefinition) -> str:  # noqa: ARG002 - all others are left out
        self.operands += 1
        return "$h"

    def type_of(self, definition: OperandDefinition | ResultDefinition) -> str:
        if definition.type:
            return definition.type
        kinds = {HandleKind.VALUES: "!transform.any_value", HandleKind.PARAMETERS: "!transform.any_param"}
        allowed = allowed_kinds(definition)
        usual = ANY_OPERATION if isinstance(definition, ResultDefinition) else "$t"
        return usual if HandleKind.OPERATIONS in allowed else next((kinds[each] for each in allowed), usual)

    def fresh(self, base: str) -> str:
        return f"%+{base}"


def counted(projects: list[Path]) -> Counter[tuple[str, str]]:
    """Return how many scripts have each pair of operations, of each project up to `_MOST_OF_A_PROJECT`."""
    catalogue = Catalogue.shipped()
    pairs: Counter[tuple[str, str]] = Counter()
    for project in projects:
        texts = {path.read_text(encoding="utf-8", errors="replace") for path in sorted(project.rglob("*.mlir"))}
        of_project = Counter(pair for text in texts for pair in set(_pairs(text, catalogue)))
        pairs.update({pair: min(count, _MOST_OF_A_PROJECT) for pair, count in of_project.items()})
    return pairs


def _pairs(text: str, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield each operation of LLVM in a script with the one before it, by their present names."""
    if f"{TRANSFORM}." not in text:
        return
    for context in SourceFile.of(text, catalogue).contexts:
        for operation in context.model.walk():
            for block in operation.blocks():
                before = _name(operation)
                for each in block.operations:
                    after = _name(each)
                    if before and after:
                        yield before, after
                    before = after or before


def _name(operation: Operation) -> str:
    definition = operation.definition
    return definition.name if definition is not None and definition.dialect == TRANSFORM else ""


if __name__ == "__main__":
    sys.exit(main())
