"""Differences between the bindings (a development version of LLVM 24) and LLVM 22, with their reasons.

A run of one of an entry's scripts checks the entry: the run has to differ in just the way that the entry describes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


_TEXTS = frozenset({"module", "payload"})


class Pair(NamedTuple):
    """The same thing of tdls and of ``mlir-opt``."""

    ours: str
    theirs: str


class Difference(Protocol):
    """A known difference, in the scripts whose names begin with one of `scripts`."""

    @property
    def scripts(self) -> tuple[str, ...]:
        """Beginnings of names."""
        ...

    @property
    def reason(self) -> str:
        """The change in MLIR that causes the difference."""
        ...

    def problems(self, found: Mapping[str, Pair]) -> list[str]:
        """Return the deviations from this entry in words; `found` are the results that differ, by name."""
        ...


@dataclass(frozen=True)
class Respelled:
    """Everything that the regular expression `older` finds is spelled `newer`, and that is all."""

    scripts: tuple[str, ...]
    older: str
    newer: str
    reason: str

    def problems(self, found: Mapping[str, Pair]) -> list[str]:
        """Return the results that still differ when they are spelled alike."""
        if not found:
            return ["listed as respelled, but equal"]
        respelled = {name: re.sub(self.older, self.newer, pair.theirs) for name, pair in found.items()}
        return [f"{name}: not only respelled" for name, pair in found.items() if pair.ours != respelled[name]]


@dataclass(frozen=True)
class Changed:
    """The results `kinds` differ: LLVM 22 has `older` in them, the bindings have `newer`; "" says nothing.

    "texts" are module and payload.
    """

    scripts: tuple[str, ...]
    kinds: frozenset[str]
    older: str
    newer: str
    reason: str

    def problems(self, found: Mapping[str, Pair]) -> list[str]:
        """Return differences that are not listed, listed ones that do not occur, and missing texts."""
        kinds = {"texts" if name in _TEXTS else name for name in found}
        problems = [f"{kind}: differs, but is not listed" for kind in sorted(kinds - self.kinds)]
        problems += [f"{kind}: listed as different, but equal" for kind in sorted(self.kinds - kinds)]
        ours, theirs = ("".join(texts) for texts in zip(*found.values(), strict=True)) if found else ("", "")
        if self.older and (self.older not in theirs or self.older in ours):
            problems.append(f"not only said by mlir-opt: {self.older}")
        if self.newer and (self.newer not in ours or self.newer in theirs):
            problems.append(f"not only said by the bindings: {self.newer}")
        return problems


_MADE = frozenset({"texts"})
_SAID = frozenset({"diagnostics"})
_ALL = frozenset({"status", "texts", "diagnostics"})

DIFFERENCES: tuple[Difference, ...] = (
    Changed(
        ("loops: unroll [copies] [100]",),
        _MADE,
        older="%c100 = arith.constant 100 : index",
        newer="",
        reason="a loop that is unrolled completely leaves no constant of its new step behind",
    ),
    Respelled(
        (
            "gpu: nested foralls to threads [block_dims = [32",
            "gpu: nested foralls to threads [block_dims = [64",
            "gpu: foralls to blocks [generate_gpu_launch]",
            "gpu: foralls to blocks [generate_gpu_launch grid_dims = [8",
            "gpu: products as mma.sync [16]",
            "gpu: copies as tma",
            "patterns: gpu: rewrites",
            "conversions: gpu to others",
        ),
        older=r"((?:gpu|nvvm)\.[\w.]+)  (?=[a-z])",
        newer=r"\1 ",
        reason="operations with an enumeration are printed with one blank in front of it",
    ),
    Respelled(
        ("conversions: options of conversions [{illegal_ops",),
        older="('math.sqrt' that was explicitly marked illegal)",
        newer=r'\1: %0 = "math.sqrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32',
        reason="conversions that fail show the operation",
    ),
    Respelled(
        ("conversions: options of conversions [{legal_dialects",),
        older="(failed to legalize operation 'func.func')",
        newer=r"""\1: "func.func"() <{function_type = (f32, memref<4xf32>, index) -> f32, sym_name = "f"}>"""
        r""" ({...}) : () -> ()""",
        reason="conversions that fail show the operation",
    ),
    Respelled(
        ("linalg: decompose a convolution",),
        older=r"dense<1> : vector<1xi64>",
        newer="dense<1> : tensor<1xi64>",
        reason="strides and dilations of the convolutions that are made are tensors, as for other operations",
    ),
    Changed(
        ("linalg: lower an unpack",),
        _ALL,
        older="",
        newer="'transform.structured.lower_unpack' op expected 5 results",
        reason="lower_unpack has one result more, the copy into the destination",
    ),
    Changed(
        ("linalg: destination passing style [func.return]",),
        frozenset({"status", "diagnostics"}),
        older="failed to apply",
        newer="crash",
        reason="the transformation of what it does not support crashes",
    ),
    Changed(
        ("tiling: tile a reduction with a for [", "tiling: tile a reduction with a forall"),
        _MADE,
        older="",
        newer="tensor.dim %arg1, %c0_2 : tensor<?xf32>",
        reason="sizes of destinations are computed while a reduction is tiled, also where nothing uses them",
    ),
    Changed(
        ("patterns: vector: interleaving [interleave_to_shuffle]",),
        _ALL,
        older="",
        newer="custom op 'transform.apply_patterns.vector.interleave_to_shuffle' is unknown",
        reason="interleave_to_shuffle is gone",
    ),
    Changed(
        ("patterns: vector: reductions [",),
        _ALL,
        older="",
        newer="custom op 'transform.apply_patterns.vector.lower_multi_reduction' is unknown",
        reason="lower_multi_reduction was divided into several sets",
    ),
    Changed(
        ("patterns: x86: ",),
        _ALL,
        older="",
        newer="custom op 'transform.apply_patterns.x86vector.",
        reason="the dialect x86vector is called x86",
    ),
    Changed(
        ("gpu: find a descriptor",),
        _ALL,
        older="remark: descriptor",
        newer="custom op 'transform.xegpu.get_desc_op' is unknown",
        reason="get_desc_op is called get_load_op and gives the load",
    ),
    Changed(
        ("gpu: set the layout of a descriptor",),
        _ALL,
        older="remark: with layout",
        newer="custom op 'transform.xegpu.set_desc_layout' is unknown",
        reason="layouts are set on operations that load and store, no more on descriptors",
    ),
    Changed(
        ("gpu: set the layout of what is no descriptor",),
        _SAID,
        older="Expected a xegpu.create_nd_desc op",
        newer="custom op 'transform.xegpu.set_desc_layout' is unknown",
        reason="layouts are set on operations that load and store, no more on descriptors",
    ),
    Changed(
        (
            "gpu: set the layout of operands [result]",
            "gpu: set the layout of operands [nothing]",
            "gpu: set the layout of operands [index = 1]",
        ),
        _ALL,
        older="",
        newer="custom op 'transform.xegpu.set_op_layout_attr' is unknown",
        reason="set_op_layout_attr was replaced by set_anchor_layout",
    ),
    Changed(
        ("gpu: set the layout of operands [result index = 7]", "gpu: set the layout of operands [index = 5]"),
        _SAID,
        older="Index exceeds the number of op",
        newer="custom op 'transform.xegpu.set_op_layout_attr' is unknown",
        reason="set_op_layout_attr was replaced by set_anchor_layout",
    ),
    Changed(
        ("gpu: prefetch [1", "gpu: prefetch [%two"),
        _ALL,
        older="remark: prefetched",
        newer="'transform.xegpu.insert_prefetch' op operand #0 must be TransformHandleTypeInterface instance",
        reason="insert_prefetch takes the operation that loads in place of a value",
    ),
    Changed(
        ("gpu: prefetch [0",),
        _SAID,
        older="nb_prefetch must be a positive integer",
        newer="'transform.xegpu.insert_prefetch' op operand #0 must be TransformHandleTypeInterface instance",
        reason="insert_prefetch takes the operation that loads in place of a value",
    ),
)


NONE = Changed((), frozenset(), older="", newer="", reason="all is equal")


def difference_of(script: str) -> Difference:
    """Return the known differences for the script with that name."""
    return next((known for known in DIFFERENCES if script.startswith(known.scripts)), NONE)
