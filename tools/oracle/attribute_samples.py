"""Values for the attributes of generated operations, chosen by ODS constraint and, where that says little,
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from tdls.catalogue.model import AttributeDefinition

DYNAMIC = -(2**63)
"""Placeholder in a static list for an entry that an operand gives."""

_BY_NAME: dict[str, tuple[str, ...]] = {
    "action": ("@act",),
    "anchor": ("@act",),
    "alignment": ("64 : i64",),
    "attribute_name": ('"target_attr"',),
    "bound": ("unit",),
    "by_rank": ("unit",),
    "copy_back_op": ('"bufferization.materialize_in_destination"', '"linalg.copy"', '"none"'),
    "chipset": ('"gfx942"',),
    "data_layout": ('"e-m:e"',),
    "dialect_name": ('"memref"', '"cf"'),
    "element_type": ("f32",),
    "filter_operand_types": ("[f32, tensor<?xf32>]",),
    "filter_result_type": ("f32", "tensor<4x4xf32>"),
    "function": ("@act",),
    "function_name": ('"act"', "@act"),
    "inner_perm": ("array<i64: 1, 0>", "array<i64>"),
    "keys": ('["key", "inner"]', '["only"]', "[i32]"),
    "mapping": ("[#gpu.block<y>, #gpu.block<x>]", "[#gpu.thread<x>]", "[#gpu.warp<linear_dim_0>]", "[]"),
    "matcher": ("@matcher",),
    "memcpy_op": ('"memref.copy"', '"linalg.copy"'),
    "memory_space": ("1 : i64", "#gpu.address_space<workgroup>", '"L1"'),
    "op_attrs": ('{my.attr = 1 : i64, "other"}', "{}"),
    "matmul_inner_dims_order": ("array<i64: 1, 2, 0>", "array<i64: 0, 1, 2>"),
    "matmul_padded_sizes_next_multiple_of": ("array<i64: 0, 0, 0>", "array<i64: 0, 2, 4>"),
    "outer_perm": ("array<i64: 1, 0>", "array<i64>"),
    "padding_values": ("[0.0 : f32, 1.0 : f32]", "[]", "[0 : i32]"),
    "pass_name": ('"canonicalize"',),
    "raw_dim_list": ("array<i64: 0, -1>", "array<i64>", "array<i64: 2>"),
    "raw_position_list": ("array<i64: 0, 1>", "array<i64: -1>", "array<i64>"),
    "reassociative": ("unit",),
    "selected": ("1 : i64",),
    "selected_region_attr": ("1 : index", "0 : index"),
    "transpose_paddings": ("[[1, 0], [0, 1]]", "[]"),
    "type": ("i32", "vector<4xf32>"),
    "value": ("1 : i64", '"text"', "2.5 : f32", "[1, 2]"),
    "values": ("[1 : i64, 2 : i64]",),
}

_BY_CONSTRAINT: dict[str, tuple[str, ...]] = {
    "AnyAttr": ("1 : i64", "[1 : i64, 2 : i64]", '"any"', "#gpu.address_space<workgroup>"),
    "APIntAttr": ("4 : i64",),
    "ArrayAttr": ("[]", '[1 : i64, "x"]'),
    "BoolArrayAttr": ("[true, false]",),
    "BoolAttr": ("true", "false"),
    "Builtin_StringAttr": ('"name"', '"with \\"quotes\\""'),
    "DenseBoolArrayAttr": ("array<i1: true, false>", "array<i1>"),
    "DenseI32ArrayAttr": ("array<i32: 1, 0>", "array<i32: 0>", "array<i32>"),
    "DenseI64ArrayAttr": ("array<i64: 4, 8>", "array<i64: 1>", "array<i64: 0, 2, 1>", "array<i64>"),
    "DictArrayAttr": ("[{a = 1 : i64}]", "[]"),
    "DictionaryAttr": ("{}", '{"top-down" = false, "max-iterations" = 10 : i64}'),
    "I16Attr": ("1 : i16", "2 : i16"),
    "I64ArrayAttr": ("[1, 0]", "[0]", "[]", "[2, 4, 8]"),
    "I64Attr": ("0 : i64", "1 : i64", "32 : i64", "-1 : i64"),
    "StrArrayAttr": ('["linalg.matmul"]', '["linalg.generic", "linalg.fill"]', '["arith"]'),
    "StrAttr": ('"name"', '"a longer \\22text\\22"'),
    "SymbolNameAttr": ('"symbol"',),
    "SymbolRefArrayAttr": ("[@matcher]", "[@matcher, @act]"),
    "SymbolRefAttr": ("@act", "@nested::@deep"),
    "TypeArrayAttr": ("[i32, f32]",),
    "TypeAttr": ("i32", "tensor<?x4xf32>"),
    "TypedArrayAttrBase<I64ArrayAttr>": ("[[8, 16], [4]]", "[]", "[[1, 0]]"),
    "UnitAttr": ("unit",),
}


def sample(attribute: AttributeDefinition, random: Random) -> str | None:
    """Return a value of `attribute` in the syntax of the generic form, None where there is no idea of one."""
    if attribute.cases:
        return f"{random.randrange(len(attribute.cases))} : {attribute.type or 'i32'}"
    values = _BY_NAME.get(attribute.name) or _BY_CONSTRAINT.get(attribute.constraint)
    return random.choice(values) if values else None


def static_list(dynamic: int, random: Random, length: int | None = None) -> list[int]:
    """Return static sizes with `dynamic` places left to operands."""
    count = max(dynamic, random.randrange(4) if length is None else length)
    entries = [DYNAMIC] * dynamic + [random.choice((0, 1, 4, 16)) for _ in range(count - dynamic)]
    random.shuffle(entries)
    return entries
