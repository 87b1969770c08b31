"""Operations that changed in more than their spelling: uses with the same meaning in another version of LLVM, and
other uses.

Each record was confirmed by runs of both versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import OperationDefinition

_Attributes = tuple[tuple[str, str], ...]


class ChangedOperation(Struct, frozen=True):
    """The change of an operation that had its former attributes and results up to `last_version`."""

    name: str
    last_version: int
    attributes: tuple[tuple[_Attributes, _Attributes], ...] = ()
    """Attributes with values that mean the same: the former ones, and the new ones."""
    becomes: str = ""
    """The later name, where another operation got the former one."""
    former_results: int = 0
    """The number of results of the former operation that the record is about; 0 for any."""
    names: tuple[tuple[str, str], ...] = ()
    """Former and new names of attributes."""
    adds: _Attributes = ()
    """Attributes that the later operation needs to behave like the former one; "" for the value of a unit attribute."""
    three: str = ""
    """The list of numbers that had its last ones, 1 by default, left out, and later needs three of them."""
    drops: tuple[str, ...] = ()
    """Attributes that say what the results say later."""
    results: tuple[tuple[str, str], ...] = ()
    """Former and new names of results."""
    new_results: tuple[tuple[str, str], ...] = ()
    """Names and types of results that follow the former ones; or the operand that has the type."""
    first_result_last: bool = False
    takes_over: tuple[str, str] = ("", "")
    """The operand that is a handle to the same payload afterwards, and the new result that replaces it then."""
    pass_options: str = ""
    """The attribute whose text, ``a=1 b=2``, has become a dictionary, ``{"a" = 1, "b" = 2}``."""
    unlike: tuple[tuple[str, str, str], ...] = ()
    """Attributes without an equal in the other versions, with a value of theirs, which may be the default (any that is
    given if empty), and the reason."""
    parts: tuple[str, ...] = ()
    """Operations of later versions that do the same together: with the same text behind their names, or with the
    values of former attributes in the text of each, which are in `adds` where the text has none."""
    parts_with: tuple[str, str] = ("", "")
    """The attribute, and its value, with which they do."""
    reason: str = ""
    """Why no operation of the other versions means the same; empty if one does."""


_CHANGES: Final = (
    ChangedOperation(
        "transform.apply_patterns.vector.lower_contraction",
        19,
        unlike=(
            (
                "lowering_strategy",
                "matmulintrinsics",
                "later only transform.apply_conversion_patterns.vector.vector_to_llvm lowers to intrinsics of LLVM",
            ),
        ),
    ),
    ChangedOperation(
        "transform.apply_patterns.vector.lower_multi_reduction",
        22,
        parts=(
            "transform.apply_patterns.vector.reorder_multi_reduction_dims",
            "transform.apply_patterns.vector.multi_reduction_flattening",
            "transform.apply_patterns.vector.multi_reduction_unrolling",
        ),
        parts_with=("lowering_strategy", "innerreduction"),
    ),
    ChangedOperation(
        "transform.apply_patterns.vector.lower_transpose",
        19,
        unlike=(
            (
                "lowering_strategy",
                "flat_transpose",
                "later only transform.apply_conversion_patterns.vector.vector_to_llvm lowers to intrinsics of LLVM",
            ),
        ),
    ),
    ChangedOperation("transform.apply_registered_pass", 19, pass_options="options"),
    ChangedOperation(
        "transform.bufferization.one_shot_bufferize",
        17,
        attributes=(((("create_deallocs", "false"),), ()),),
        names=(("allow_return_allocs", "allow_return_allocs_from_loops"),),
        drops=("target_is_module",),
        new_results=(("transformed", "target"),),
        unlike=(
            (
                "create_deallocs",
                "true",
                (
                    "up to LLVM 17 it frees what it allocates, as the default says, later the pass "
                    "buffer-deallocation-pipeline does; write create_deallocs = false where nothing has to be freed"
                ),
            ),
        ),
    ),
    ChangedOperation("transform.gpu.map_foreach_to_blocks", 16, three="gridDim"),
    ChangedOperation("transform.gpu.map_nested_foreach_to_threads", 16, three="blockDim"),
    ChangedOperation("transform.loop.outline", 17, new_results=(("call", "!transform.any_op"),)),
    ChangedOperation("transform.loop.peel", 17, new_results=(("remainder_loop", "!transform.any_op"),)),
    ChangedOperation("transform.split_handles", 16, drops=("num_result_handles",)),
    ChangedOperation("transform.structured.bufferize_to_allocation", 17, adds=(("emit_dealloc", ""),)),
    ChangedOperation("transform.structured.convert_to_loops", 18, new_results=(("result", "!transform.any_op"),)),
    ChangedOperation(
        "transform.structured.fuse_into_containing_op",
        17,
        new_results=(("new_containing_op", "containing_op"),),
        takes_over=("containing_op", "new_containing_op"),
    ),
    ChangedOperation(
        "transform.structured.lower_unpack", 22, new_results=(("copy_op", '!transform.op<"linalg.copy">'),)
    ),
    ChangedOperation(
        "transform.structured.pad",
        17,
        former_results=1,
        adds=(("copy_back_op", '"none"'),),
        new_results=(("pad", "!transform.any_op"), ("copy", "!transform.any_op")),
    ),
    ChangedOperation(
        "transform.structured.pad",
        17,
        former_results=2,
        attributes=(
            ((("copy_back", "false"),), (("copy_back_op", '"none"'),)),
            ((("copy_back", "true"),), ()),
        ),
        new_results=(("copy", "!transform.any_op"),),
    ),
    ChangedOperation("transform.structured.pad", 19, names=(("pack_paddings", "nofold_flags"),)),
    ChangedOperation(
        "transform.structured.split",
        19,
        reason="in later versions its result is one list; transform.split_handle takes the two parts from that, "
        "but only if the target is a single operation",
    ),
    ChangedOperation("transform.structured.tile_reduction_using_forall", 17, first_result_last=True),
    ChangedOperation(
        "transform.structured.tile_reduction_using_for",
        19,
        results=(("split_linalg_op", "split_op"), ("combining_linalg_op", "combining_op")),
    ),
    ChangedOperation(
        "transform.structured.tile_reduction_using_forall",
        19,
        results=(("split_linalg_op", "split_op"), ("combining_linalg_op", "combining_op")),
        unlike=(("tile_sizes", "", "up to LLVM 19 they make a loop in each thread, later they are its whole tile"),),
    ),
    ChangedOperation(
        "transform.structured.vectorize", 17, becomes="transform.structured.vectorize_children_and_apply_patterns"
    ),
    ChangedOperation(
        "transform.structured.winograd_conv2d",
        19,
        attributes=(
            ((("m", "2"), ("r", "3")), (("fmr", "0 : i32"),)),
            ((("m", "4"), ("r", "3")), (("fmr", "1 : i32"),)),
            ((("m", "2"), ("r", "5")), (("fmr", "2 : i32"),)),
        ),
    ),
    ChangedOperation(
        "transform.vector.lower_vectors",
        16,
        adds=(
            ("contraction_lowering", "outerproduct"),
            ("multireduction_lowering", "innerparallel"),
            ("split_transfers", '"linalg-copy"'),
            ("transpose_lowering", "eltwise"),
        ),
        parts=(
            "transform.apply_patterns.vector.lower_contraction lowering_strategy = {contraction_lowering}",
            "transform.apply_patterns.vector.transfer_permutation_patterns",
            "transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = {multireduction_lowering}",
            "transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = {split_transfers}",
            "transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1",
            "transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true",
            "transform.apply_patterns.vector.lower_shape_cast",
            "transform.apply_patterns.vector.lower_transpose lowering_strategy = {transpose_lowering}",
        ),
    ),
)
OTHER_BEHAVIOUR: Final = {
    "transform.apply_patterns.vector.reduction_to_contract": (
        "transform.apply_patterns.vector.sink_ops",
        "since LLVM 21 it no longer sinks transposes and broadcasts; transform.apply_patterns.vector.sink_ops does",
    ),
}
"""Operations that do another thing in later versions, unless the second operation is beside them, and the reason."""
CHANGED: Final = {
    name: tuple(change for change in _CHANGES if change.name == name) for name in {change.name for change in _CHANGES}
}
"""The records by the former name of the operation."""


def changes_between(
    definition: OperationDefinition, other: OperationDefinition, rename: Rename | None
) -> Sequence[ChangedOperation]:
    """Return the changes of an operation, which may have got another name, between the versions of two definitions."""
    older, newer = sorted((definition, other), key=lambda each: max(each.versions, default=0))
    found = [
        change
        for name in dict.fromkeys((older.name, newer.name))
        for change in CHANGED.get(name, ())
        if change.former_results in (0, len(definition.results))
        and max(older.versions, default=0) <= change.last_version < min(newer.versions, default=0)
        and (name == older.name or rename is None or change.last_version > rename.last_version)
    ]
    if rename is None:
        return found
    if rename.first_result_last:
        found = [change for change in found if not change.first_result_last]
    adds = tuple((name.strip(), value.strip()) for name, _, value in (each.partition("=") for each in rename.adds))
    return [
        ChangedOperation(
            rename.former,
            max(rename.last_version, *definition.versions),
            names=rename.attributes,
            adds=adds,
            first_result_last=rename.first_result_last,
            reason=rename.note if rename.by_hand and not found else "",
        ),
        *found,
    ]


def later_name(definition: OperationDefinition, rename: Rename | None) -> str | None:
    """Return the name of an operation in later versions than those of `definition`; None if none does the same."""
    found = (
        change.becomes for change in CHANGED.get(definition.name, ()) if change.last_version >= max(definition.versions)
    )
    return next(filter(None, found), definition.name if rename is None else rename.name)


class Rename(Struct, frozen=True):
    """The rename or removal of an operation in LLVM: `former` existed up to the major version `last_version`.

    `name` is the new name, None if the operation was removed. `note` describes other changes, for people.
    """

    former: str
    name: str | None
    last_version: int
    note: str = ""
    adds: tuple[str, ...] = ()
    """Attributes, as they are written, that the operation of the new name needs to behave like the former one."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Former and new names of attributes."""
    keyword: str = ""
    """The keyword that is new in front of the first list behind the operands."""
    first_result_last: bool = False
    by_hand: bool = False
    """True if more has to be changed than the other fields describe."""
    payload: str = ""
    """The text that replaces the name of a removed payload operation in its custom form, which begins with the name of
    another operation."""
    matched: str = ""
    """The attribute that distinguishes these operations from others of that name, as a dictionary's entry."""

    @property
    def fate(self) -> str:
        """What became of it, for people, after its name."""
        became = f"it is now called `{self.name}`" if self.name else "it was removed"
        note = f" ({self.note})" if self.note else ""
        return f"exists up to LLVM {self.last_version}; {became}{note}"

    @property
    def keeps_meaning(self) -> bool:
        """True if the operation of the new name does the same once the changes of the other fields are made."""
        is_explained = bool(self.adds or self.attributes or self.keyword or self.first_result_last)
        return self.name is not None and not self.by_hand and (is_explained or not self.note)
