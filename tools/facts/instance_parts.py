"""Parts of instances: spellings of types, attributes and regions that MLIR may accept."""

from __future__ import annotations

OP = "!transform.any_op"
VALUE = "!transform.any_value"
PARAM = "!transform.param<i64>"
DYNAMIC = "array<i64: -9223372036854775808>"
"""A size that an operand gives."""

CONSUMER = f'"transform.apply_registered_pass"({{0}}) {{{{pass_name = "x"}}}} : ({OP}) -> {OP} '
"""An operation that consumes the operation handle `{0}` at every LLVM version."""

TYPES: dict[str, tuple[str, ...]] = {
    "TransformValueHandleTypeInterface": (VALUE,),
    "TransformParamTypeInterface": (PARAM, "!transform.any_param", "!transform.type"),
    "TransformAnyParamTypeOrAnyHandle": (OP, PARAM),
    "Transform_AnyHandleOrParamType": (OP, VALUE, PARAM),
    "TransformAnyHandle": (OP, VALUE),
}
"""Types by operand or result constraint; where there is none, an operation handle is tried."""

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "UnitAttr": ("unit",),
    "BoolAttr": ("true", "false"),
    "I64Attr": ("1 : i64", "0 : i64", "2 : i64", "-9223372036854775808 : i64"),
    "I32Attr": ("1 : i32",),
    "I16Attr": ("1 : i16",),
    "APIntAttr": ("1 : i64",),
    "StrAttr": ('"x"', '"eq"', '"func"'),
    "Builtin_StringAttr": ('"x"',),
    "AnyAttr": ("1 : i64", '"x"'),
    "ArrayAttr": ("[]", "[1]", '["x"]'),
    "I64ArrayAttr": ("[1]", "[0]", "[]", "[1, 1]"),
    "BoolArrayAttr": ("[true]", "[]"),
    "StrArrayAttr": ('["x"]', "[]"),
    "TypeArrayAttr": ("[i32]", "[]"),
    "DictionaryAttr": ("{}", '{x = "y"}'),
    "DictArrayAttr": ("[{}]", "[]"),
    "DeviceMappingArrayAttr": ("[#gpu.block<x>]", "[]", "[#gpu.thread<x>]"),
    "DenseBoolArrayAttr": ("array<i1: false>", "array<i1>"),
    "DenseI64ArrayAttr": (DYNAMIC, "array<i64: 1>", "array<i64>", "array<i64: 0>", "array<i64: 0, 1, 2>"),
    "DenseI32ArrayAttr": ("array<i32: 1>", "array<i32>"),
    "TypeAttr": ("i32", "() -> ()", f"({OP}) -> ()", "(i32) -> i32"),
    "SymbolNameAttr": ('"x"',),
    "SymbolRefAttr": ("@reads", "@consumes", "@match"),
    "FlatSymbolRefAttr": ("@reads", "@consumes"),
    "SymbolRefArrayAttr": ("[@match]", "[@reads]", "[@consumes]", "[]"),
    "TypedArrayAttrBase<I64ArrayAttr>": ("[[0]]", "[]"),
    "TypedArrayAttrBase<TransformNormalFormAttr>": ("[]",),
}
"""Attributes in generic form by constraint."""

SPECIAL_ATTRIBUTES: dict[tuple[str, str], tuple[str, ...]] = {
    ("transform.structured.pack_greedily", "static_matmul_packed_sizes"): ("array<i64: -9223372036854775808, 1, 1>",),
    ("transform.structured.pack_greedily", "matmul_inner_dims_order"): ("array<i64: 0, 1, 2>",),
    ("transform.apply_registered_pass", "options"): (
        "{x = #transform.param_operand<index = 0 : i64>}",
        "{}",
        '"x=1"',
    ),
    ("transform.foreach_match", "matchers"): ("[@match]", "[@match_two]"),
    ("transform.foreach_match", "actions"): ("[@reads]", "[@match]", "[@consumes]"),
}
_PDL_REGION = (
    f'{{{{^bb0(%w: {OP}): "transform.sequence"(%w) ({{{{^bb1(%s: {OP}): {{0}}"transform.yield"() : () -> ()}}}}) '
    "{{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 1, 0>}} : "
    f"({OP}) -> ()}}}}"
)
SPECIAL_REGIONS: dict[str, tuple[str, ...]] = {
    "transform.structured.replace": ('{"builtin.module"() ({^bb0: }) : () -> ()}',),
    "transform.with_pdl_patterns": (_PDL_REGION.format(""), _PDL_REGION.format(CONSUMER.format("%s"))),
    "transform.smt.constrain_params": (
        '{^bb0(%s: !smt.int): "smt.yield"(%s) : (!smt.int) -> ()}',
        '{^bb0(%s: !smt.int): "smt.yield"() : () -> ()}',
    ),
    "transform.irdl.collect_matching": (
        '{"irdl.dialect"() ({"irdl.operation"() ({^bb0: }) {sym_name = "o"} : () -> ()}) {sym_name = "d"} : () -> ()}',
    ),
}
"""Attributes and regions for operations where MLIR accepts nothing simple."""

TERMINATORS = {
    "SingleBlockImplicitTerminator<YieldOp>": "transform.yield",
    "SingleBlockImplicitTerminator<MatchStructuredYieldOp>": "transform.match.structured.yield",
    "FunctionOpInterface": "transform.yield",
    "NoTerminator": "",
}
"""Terminators of regions by the trait that asks for them; where no trait does, all are tried."""

OUTSIDE = {OP: "%h", VALUE: "%v", PARAM: "%p"}
"""Values of each type that are defined before the operation."""

_SEQUENCE = (
    '"transform.named_sequence"() ({{^bb0({arguments}): {body}"transform.yield"({yielded}) : ({results}) -> ()}}) '
    '{{sym_name = "{name}", arg_attrs = [{effects}], function_type = ({types}) -> ({results})}} : () -> () '
)
_ONE = {"arguments": f"%x: {OP}", "types": OP}
_TWO = {"arguments": f"%x: {OP}, %y: {OP}", "types": f"{OP}, {OP}"}
_NOTHING = {"body": "", "yielded": "", "results": ""}
_CONSUMING = {"body": CONSUMER.format("%x"), "yielded": "", "results": ""}
_FIRST = {"body": "", "yielded": "%x", "results": OP}
_READONLY = "{transform.readonly}"

SYMBOLS = (
    _SEQUENCE.format(name="reads", effects=_READONLY, **_ONE, **_NOTHING)
    + _SEQUENCE.format(name="consumes", effects="{transform.consumed}", **_ONE, **_CONSUMING)
    + _SEQUENCE.format(name="match", effects=_READONLY, **_ONE, **_FIRST)
    + _SEQUENCE.format(name="match_two", effects=f"{_READONLY}, {_READONLY}", **_TWO, **_FIRST)
)
"""Named sequences that instances refer to."""

OUTSIDE_VALUES = "".join(f'{name} = "x.x"() : () -> {value_type} ' for value_type, name in OUTSIDE.items())

MATCHER_PARENT = (
    f'"transform.match.structured"(%h) ({{^bb0(%0: {OP}): ',
    f' "transform.match.structured.yield"() : () -> () }}) : ({OP}) -> ()',
)
"""Text before and after a structured matcher: the operation that has to enclose it, and defines its operand ``%0``."""
