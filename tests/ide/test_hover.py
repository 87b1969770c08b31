"""What hovers say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ide.cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from ide.scripts import BLOCKS, CALLS, HANDLES, LIBRARY, PARTS, cursor_at
from tdls.ide.hover import hover
from tdls.ide.operation_signature import operation_signature


def shown(marked: str, **others: str) -> str:
    """Return the Markdown at the cursor, `""` for none."""
    text, offset = parse_cursor(marked)
    found = hover(snapshot_of(text, **others), URI, offset)
    return found.markdown if found is not None else ""


def hovered(marked: str) -> str:
    """Return the text that the hover is about."""
    text, offset = parse_cursor(marked)
    snapshot = snapshot_of(text)
    found = hover(snapshot, URI, offset)
    assert found is not None
    return snapshot.files[URI].slice(found.span)


def lines(marked: str, **others: str) -> list[str]:
    return [line for line in shown(marked, **others).split("\n") if line]


# Operations


def test_operation() -> None:
    text = shown(cursor_at(HANDLES, "tile_using", "_for"))
    assert "%tiled_linalg_op, %loops... = transform.structured.tile_using_for %target" in text
    assert "tile_sizes [%dynamic_sizes... | <static_sizes> | <scalable_sizes>]" in text
    assert "- `%target`: `TransformHandleTypeInterface`, **consumed**" in text
    assert "- `%dynamic_sizes`: `TransformAnyParamTypeOrAnyHandle`, any number, read" in text
    assert "- `%loops`: `TransformHandleTypeInterface`, any number, produced" in text
    assert "- `interchange`: `DenseI64ArrayAttr`, default `[]`" in text
    assert "- modifies the payload" in text
    assert "LLVM 24 · different in LLVM 19, 22 · formerly `transform.structured.tile`" in text
    assert "https://mlir.llvm.org/docs/Dialects/Transform/#:~:text=transform.structured.tile_using_for%20%28" in text


def test_operation_in_the_generic_form() -> None:
    generic = '%a = "transform.struct$0ured.match"(%b) {ops = ["a.b"]} : (!transform.any_op) -> !transform.any_op\n'
    assert shown(generic).startswith("```mlir\n%results = transform.structured.match")
    assert hovered(generic) == '"transform.structured.match"'


def test_instance_tells_what_the_callee_does() -> None:
    assert lines(cursor_at(CALLS, "inc", "lude @imported"))[-3:-1] == ["**Here**", "- `%new` consumed"]
    assert "- `%all` read" in lines(cursor_at(CALLS, "inc", "lude @action"))


def test_instance_tells_what_the_body_does() -> None:
    assert "- `%tile` read" in lines(cursor_at(HANDLES, "fore", "ach %tile"))
    consuming = HANDLES.replace('"one" : !op', '"one" : !op\n transform.loop.unroll %one {factor = 2} : !op')
    assert "- `%tile` consumed" in lines(cursor_at(consuming, "fore", "ach %tile"))


def test_definition_of_the_version_that_was_read() -> None:
    script = "transform.structured.pa$0d %a pad_to_multiple_of [1] : (!transform.any_op) -> !transform.any_op\n"
    assert "LLVM" in shown(script)


def test_payload_operation() -> None:
    assert "LLVM" in shown("func.func @f(%a: i32) {\n  %b = arith.ad$0di %a, %a : i32\n  return\n}\n")
    assert 'linalg.matmul"(%inputs..., %outputs...)' in shown(cursor_at(HANDLES, "linalg.mat", "mul"))
    assert "docs/Dialects/Linalg/" in shown(cursor_at(HANDLES, "linalg.mat", "mul"))


def test_renamed_operation() -> None:
    text = shown("transform.structured.ti$0le %a\n")
    assert "Exists up to LLVM 17; it is now called `transform.structured.tile_using_for`" in text


def test_unknown_operation() -> None:
    looked = "**tdls looked in**\n\n- LLVM 19 to 24"
    assert shown("my.o$0p %a\n") == f"```mlir\nmy.op\n```\n\nNothing is known of this operation.\n\n{looked}"
    assert "Did you mean `transform.structured.fuse`" in shown("transform.structured.fus$0 %a\n")


def test_operation_of_a_project_is_no_slip() -> None:
    assert "Did you mean" not in shown("transform.my.pipe$0line %a\n")


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("transform.apply_patterns", "`max_iterations`: `I64Attr`, default `-1`"),
        ("transform.get_parent_op", "`nth_parent`: `I64Attr`, default `1`"),
        ("transform.bufferization.one_shot_bufferize", '`memcpy_op`: `StrAttr`, default `"memref.copy"`'),
        ("linalg.matmul", "`indexing_maps`: `AffineMapArrayAttr`, optional"),
        ("linalg.matmul", "`cast`: `TypeFnAttr`, default `cast_signed`"),
    ],
)
def test_defaults_are_spelled_as_in_scripts(operation: str, expected: str) -> None:
    assert expected in shown(f'"{operation}$0"() : () -> ()\n')


def test_description_where_it_is_at_hand() -> None:
    text, offset = parse_cursor(cursor_at(HANDLES, "tile_using", "_for"))
    documented = {"transform.structured.tile_using_for": "What MLIR says."}
    snapshot = replace(snapshot_of(text), descriptions=lambda name: documented.get(name, ""))
    found = hover(snapshot, URI, offset)
    assert found is not None
    assert "\n\nWhat MLIR says.\n\n" in found.markdown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("transform.loop.unroll", "%target {factor = <factor>, ...} : !target"),
        ("transform.payload", "transform.payload attributes {normal_forms = <normal_forms>, ...} { ... }"),
        ("transform.get_parent_op", "%target {...}? : "),
    ],
)
def test_signatures_name_the_attributes_that_a_dictionary_must_have(name: str, expected: str) -> None:
    assert expected in shown(f'"{name}$0"() : () -> ()\n')


def test_every_operation_of_the_catalogue_has_a_signature() -> None:
    for name in CATALOGUE.operation_names():
        definition = CATALOGUE.operation(name)
        assert definition is not None
        text = operation_signature(definition)
        assert name in text
        assert all(f"%{result.name}" in text for result in definition.results)


# Values


TILE = "`transform.structured.tile_using_for %match tile_sizes [8, 4]`"


def test_handle_is_followed_to_the_match() -> None:
    assert lines(cursor_at(HANDLES, "at %o", "ne")) == [
        "```mlir",
        "%one: !op",
        "```",
        "Handle to operations; `!op` is `!transform.any_op`.",
        "**Stands for**",
        "- `%one`: argument #0 of `transform.foreach`, which stands for `%tile` (line 9)",
        f"- `%tile`: result `tiled_linalg_op` of {TILE} (line 5)",
        '- `%match`: result `results` of `transform.structured.match ops{["linalg.matmul"]} in %root` (line 4)',
        "- `%root`: argument #0 of `@main`, marked `transform.readonly` (line 3)",
        "Live here: nothing that is known consumes it before.",
        "Nothing consumes it.",
    ]


def test_consumption() -> None:
    text = shown(cursor_at(HANDLES, "for %mat", "ch"))
    assert "Live here, and consumed by this operation." in text
    assert "**Consumed by**\n\n- `transform.structured.tile_using_for` (line 5)" in text


def test_use_after_consumption() -> None:
    text = shown(cursor_at(HANDLES.replace("foreach %tile", "foreach %match"), "foreach %mat", "ch"))
    assert "**Not live here**: it may be consumed before, by `transform.structured.tile_using_for` (line 5)." in text


def test_consumption_in_a_loop() -> None:
    unroll = "      transform.loop.unroll %tile {factor = 2} : !op\n"
    consuming = HANDLES.replace("    }\n    transform.yield", f"{unroll}    }}\n    transform.yield")
    assert "Live here, and consumed" in shown(cursor_at(consuming, "unroll %ti", "le"))
    assert "- `transform.loop.unroll` (line 12)" in shown(cursor_at(consuming, "foreach %ti", "le"))


def test_operation_that_is_not_known() -> None:
    unknown = HANDLES.replace("    transform.yield", "    transform.my.op %tile : !op\n    transform.yield")
    text = shown(cursor_at(unknown, "foreach %ti", "le"))
    assert "Nothing that is known consumes it." in text
    assert "**Used with an effect that is not known by**\n\n- `transform.my.op` (line 13)" in text


def test_body_that_leaves_its_argument_alone() -> None:
    unused = HANDLES.replace('      transform.debug.emit_remark_at %one, "one" : !op\n', "")
    assert lines(cursor_at(unused, "foreach %ti", "le"))[-1] == "Nothing consumes it."
    unknown = HANDLES.replace("    ^each(%one: !op):\n", "    ^each(%one: !op):\n      transform.my.op %one : !op\n")
    assert "Used with an effect that is not known by**\n\n- `transform.foreach`" in shown(
        cursor_at(unknown, "foreach %ti", "le")
    )


def test_result_group() -> None:
    text = shown(cursor_at(HANDLES, "%lo", "ops:2"))
    assert "%loops#0: !op" in text
    assert "%loops#1: !op" in text
    assert "result #1 of `loops`" in text
    assert "%loops#0" not in shown(cursor_at(HANDLES, "at %loops", "#1"))


def test_parameter_has_no_fate() -> None:
    text = shown("%a$0 = transform.param.constant 4 : i64 -> !transform.param<i64>\n")
    assert "Parameter." in text
    assert "onsume" not in text


def test_payload_value() -> None:
    assert lines(cursor_at(BLOCKS, "return %a", "rg")) == [
        "```mlir",
        "%arg: i32",
        "```",
        "**Comes from**",
        "- `%arg`: argument #0 of `@f` (line 1)",
    ]
    assert "argument #0 of block `^left` of `@g`" in shown(cursor_at(BLOCKS, "return %", "z"))


@pytest.mark.parametrize(
    ("written", "shown_as"),
    [
        ("my.op %a -> tensor<i32>", "my.op %a -> tensor<i32>"),
        ("my.op #my.attribute<b> : i32", "my.op #my.attribute<b> : i32"),
        ('"my.op"(%a) : (i32) -> (i32)', '"my.op"(%a)'),
        ("arith.addi %a, %a : i32", "arith.addi %a, %a"),
    ],
)
def test_operation_behind_a_value_is_shown_without_known_types(written: str, shown_as: str) -> None:
    assert f" of `{shown_as}` (line 2)" in shown(f"func.func @f(%a: i32) {{\n  %b$0 = {written}\n  return\n}}\n")


def test_undefined_value() -> None:
    assert "Nothing in reach defines this value." in shown("my.op %$0a\n")


# Symbols


def test_symbol_with_its_arguments() -> None:
    assert lines(cursor_at(HANDLES, "@ma", "in")) == [
        "```mlir",
        "transform.named_sequence @main(%root: !op {transform.readonly})",
        "```",
        "**Arguments**",
        "- `%root`: read",
        "Defined in `script.mlir`, line 3.",
    ]


def test_argument_without_attribute() -> None:
    text = shown(cursor_at(LIBRARY.replace(" {transform.consumed}", ""), "@hel", "per(%x: !transform.any_op"))
    assert "- `%x`: consumed, as the body does" in text


def test_declaration_names_its_body() -> None:
    expected = "Declared in `script.mlir`, line 2; its body is in `library.mlir`, line 2."
    assert lines(cursor_at(CALLS, "include @imp", "orted"), library=LIBRARY)[-1] == expected
    assert "its body is not known" in shown(cursor_at(CALLS, "include @imp", "orted"))


def test_comment_above_a_symbol() -> None:
    text = "// not this\n\n// Adds one.\n//   Twice.\nfunc.func @f$0() {\n  return\n}\n"
    assert "Adds one.\nTwice.\n" in shown(text)
    assert "not this" not in shown(text)


def test_declaration_has_the_comment_of_its_body() -> None:
    commented = LIBRARY.replace(
        "  transform.named_sequence @imported", "  // Does it all.\n  transform.named_sequence @imported"
    )
    assert commented != LIBRARY
    assert "\n\nDoes it all.\n\n" in shown(cursor_at(CALLS, "include @imp", "orted"), library=commented)


def test_marker_between_parts_is_no_comment() -> None:
    before, marker, after = PARTS.partition("// -----")
    second = after.replace("!a = i64\n", "").replace("@callee(!a)", "@cal$0lee(!a)")
    assert "-----" not in shown(before + marker + second)


def test_undefined_symbol() -> None:
    assert "No symbol of this name is in reach." in shown("my.op {a = @$0b::@c}\n")


# Attributes, types, aliases, blocks, keywords


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[8", ", 4]", "Attribute of `transform.structured.tile_using_for`: `static_sizes`: `DenseI64ArrayAttr`"),
        ('"inn', 'er"', 'message = "inner"'),
        ("transform.read", "only", "The callee only reads the handle"),
        ("transform.with_", "named", "The named sequences inside can be called"),
        ("tile_", "sizes", "Keyword of `transform.structured.tile_using_for`."),
        ("!o", "p =", "!op = !transform.any_op"),
        ("%root: !o", "p {", "Defined in line 1."),
        ("= !transform.any", "_op", "A handle: it stands for operations of the payload."),
        ("^ea", "ch", "^each(%one: !transform.any_op):"),
    ],
)
def test_small_things(before: str, after: str, expected: str) -> None:
    assert expected in shown(cursor_at(HANDLES, before, after))


def test_attribute_that_the_operation_does_not_define() -> None:
    assert "A discardable attribute: `builtin.module` does not define it." in shown(
        "module attributes {my.o$0wn} {\n}\n"
    )


def test_cases_of_an_attribute() -> None:
    assert "one of `propagate`, `suppress`" in shown(cursor_at(CALLS, "@imported failures(pro", "pagate"))


def test_block() -> None:
    assert "Reached from the entry block, `^left`." in shown(cursor_at(BLOCKS, "cf.br ^ri", "ght"))
    assert "No block of this region has this label." in shown("func.func @f() {\n  cf.br ^n$0o\n}\n")


def test_nested_alias() -> None:
    assert "Expanded: `tuple<i32>`." in shown("!a = i32\n!b$0 = tuple<!a>\n")
    assert "Nothing in this file defines this alias." in shown("func.func @f(%a: !b$0) {\n  return\n}\n")


@pytest.mark.parametrize(
    ("type_text", "expected"),
    [
        ("!transform.param<i64>", "```mlir\n!transform.param<type>\n```"),
        ("!transform.param<i64>", "- `type`: `Type`"),
        ("!llvm.ptr", "```mlir\n!llvm.ptr\n```"),
        ("!llvm.ptr", "Its parameters are written as `` (`<` $addressSpace^ `>`)? ``."),
    ],
)
def test_parameters_of_a_type(type_text: str, expected: str) -> None:
    assert expected in shown(f"func.func @f(%a: {type_text[:5]}$0{type_text[5:]}) {{\n  return\n}}\n")


def test_type_that_is_not_known() -> None:
    assert "nothing of the dialect `my`" in shown("func.func @f(%a: !my.ty$0pe) {\n  return\n}\n")


# Texts of all kinds


def test_carriage_returns() -> None:
    windows = HANDLES.replace("\n", "\r\n")
    assert "(line 4)" in shown(cursor_at(windows, "at %o", "ne"))
    assert "\r" not in shown(cursor_at(windows, "at %o", "ne"))


@pytest.mark.parametrize("marked", ["$0", "  $0  ", "// %$0a", "}$0", '"$0', "my.op {a = 3}$0"])
def test_nothing(marked: str) -> None:
    assert shown(marked) == ""


@pytest.mark.parametrize("text", [HANDLES, CALLS, BLOCKS])
def test_every_place_of_damaged_texts(text: str) -> None:
    for end in range(len(text) // 2, len(text), 61):
        snapshot = snapshot_of(text[:end])
        for offset in range(0, end, 13):
            found = hover(snapshot, URI, offset)
            assert found is None or (found.markdown and found.span.start <= offset <= found.span.end)
