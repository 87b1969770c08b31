"""Forms of upstream operations that C++ parses, or whose format the facts lack, as declarative formats.

A format here reads what the parser of every known version of the operation reads. Directives that upstream has none of
are in `custom_directives`, under names that begin with a lower-case letter.
"""

from __future__ import annotations

_SELECT = "$condition `,` $true_value `,` $false_value attr-dict `:`"
_MAPPED = "custom<appliedMap>($map, ${}) attr-dict"

_COMPARED = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)"
_CONTRACTED = "custom<masks>($acc) attr-dict `:` custom<firstTypes>(type($lhs), type($rhs)) `into` type($acc)"
_READ = "${} `[` $indices `]` `,` $padding (`,` $mask^)? attr-dict `:` type(${}) `,` type($vector)"
_WRITE = "${} `,` ${} `[` $indices `]` (`,` $mask^)? attr-dict `:` type(${}) `,` type(${})"

WRITTEN_FORMATS: dict[str, tuple[str, ...]] = {
    "affine.apply": (_MAPPED.format("mapOperands"),),
    "affine.load": ("$memref custom<affineIndices>($indices) attr-dict `:` type($memref)",),
    "affine.max": (_MAPPED.format("operands"),),
    "affine.min": (_MAPPED.format("operands"),),
    "affine.store": ("$value `,` $memref custom<affineIndices>($indices) attr-dict `:` type($memref)",),
    "affine.vector_load": ("$memref custom<affineIndices>($indices) attr-dict `:` type($memref) `,` type($result)",),
    "affine.vector_store": (
        "$value `,` $memref custom<affineIndices>($indices) attr-dict `:` type($memref) `,` type($value)",
    ),
    "arith.select": (f"{_SELECT} custom<selectedTypes>(type($condition), type($result))",),
    "bufferization.alloc_tensor": (
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)",
    ),
    "llvm.fcmp": (_COMPARED,),
    "llvm.icmp": (_COMPARED,),
    "linalg.yield": ("attr-dict ($values^ `:` type($values))?",),
    "memref.generic_atomic_rmw": ("$memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict",),
    "scf.forall.in_parallel": ("$region attr-dict",),
    "vector.contract": (f"custom<traitOrAttributes>($kind) $lhs `,` $rhs `,` $acc {_CONTRACTED}",),
    "vector.outerproduct": ("$lhs `,` $rhs (`,` $acc^)? attr-dict `:` type($lhs) `,` type($rhs)",),
    "vector.transfer_read": (_READ.format("base", "base"), _READ.format("source", "source")),
    "vector.transfer_write": (
        _WRITE.format("valueToStore", "base", "valueToStore", "base"),
        _WRITE.format("vector", "source", "vector", "source"),
    ),
}
"""By the name of the operation; of several, the first counts whose names the definition has."""

FORMATS_BETWEEN: dict[str, str] = {
    "bufferization.to_memref": "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)",
}
"""Forms that only versions between those of the facts have."""

SETTLED_DIALECTS = frozenset(
    {
        "affine",
        "arith",
        "bufferization",
        "builtin",
        "cf",
        "complex",
        "func",
        "index",
        "linalg",
        "math",
        "memref",
        "scf",
        "tensor",
        "ub",
        "vector",
    }
)
"""Dialects of which the forms of all versions since LLVM 15 are known: text that fits none of them is not MLIR."""

WIDENED = frozenset({"affine.delinearize_index", "affine.linearize_index"})
"""Operations of these dialects that take more types in newer versions than the facts say."""
