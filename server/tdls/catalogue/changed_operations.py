"""Operations that changed in more than their spelling: uses with the same meaning in another version of LLVM, and
other uses.

Each record was confirmed by runs of both versions.
"""

from __future__ import annotations

from typing import Final

from tdls.structs import Struct

_Attributes = tuple[tuple[str, str], ...]


class ChangedOperation(Struct, frozen=True):
    """The change of an operation that had its former attributes and results up to `last_version`."""

    name: str
    last_version: int
    attributes: tuple[tuple[_Attributes, _Attributes], ...] = ()
    """Attributes with values that mean the same: the former ones, and the new ones."""
    results: tuple[tuple[str, str], ...] = ()
    """Former and new names of results."""
    new_results: tuple[tuple[str, str], ...] = ()
    """Names and types of results that follow the former ones."""
    pass_options: str = ""
    """The attribute whose text, ``a=1 b=2``, has become a dictionary, ``{"a" = 1, "b" = 2}``."""
    unlike: tuple[tuple[str, str, str], ...] = ()
    """Attributes without an equal in the other versions, with a value of theirs (any if empty), and the reason."""
    parts: tuple[str, ...] = ()
    """Operations of later versions that do the same one after the other, with the same text behind their names."""
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
        "transform.structured.lower_unpack", 22, new_results=(("copy_op", '!transform.op<"linalg.copy">'),)
    ),
    ChangedOperation(
        "transform.structured.split",
        19,
        reason="in later versions its result is one list; transform.split_handle takes the two parts from that, "
        "but only if the target is a single operation",
    ),
    ChangedOperation(
        "transform.structured.tile_reduction_using_forall",
        19,
        results=(("split_linalg_op", "split_op"), ("combining_linalg_op", "combining_op")),
        unlike=(("tile_sizes", "", "up to LLVM 19 they make a loop in each thread, later they are its whole tile"),),
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
)
CHANGED: Final = {change.name: change for change in _CHANGES}
"""The records by the name of the operation."""


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
    def keeps_meaning(self) -> bool:
        """True if the operation of the new name does the same once the changes of the other fields are made."""
        is_explained = bool(self.adds or self.attributes or self.keyword or self.first_result_last)
        return self.name is not None and not self.by_hand and (is_explained or not self.note)
