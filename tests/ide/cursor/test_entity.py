"""The entity at a cursor, in well-formed and in damaged texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.cursor import entity
from tdls.ide.cursor.entity import Entity, entity_at
from tdls.syntax import scanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.source_file import SourceFile

SCRIPT = """\
!op = !transform.any_op
#map = affine_map<(d0) -> (d0)>
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @ext(%a: !op {transform.readonly}, !transform.any_op)
  transform.named_sequence @main(%root: !op {transform.readonly}) {
    %match = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !transform.op<"linalg.fill">
    %tile, %loops:2 = transform.structured.tile_using_for %match tile_sizes [8, [4]]
        : (!transform.op<"linalg.matmul">) -> (!op, !op, !op)
    transform.include @ext failures(propagate) (%loops#1) : (!op) -> ()
    transform.foreach_match in %root @a -> @b, @inner::@c -> @"d e" : (!op) -> !op
    "transform.debug.emit_remark_at"(%loops#0) {message = "text", my.map = #map} : (!op) -> ()
    %x = my.op %tile known_by_nobody(#my.kind<3>) {factor = 3 : i64} : !op // %root
    transform.yield
  }
  func.func @f(%arg0: i32, %c: i1) -> i32 {
    cf.cond_br %c, ^exit(%arg0 : i32), ^missing
  ^exit(%z: i32):
    return %z : i32
  }
}
"""


def find(text: str, **others: str) -> tuple[Entity | None, str]:
    """Return the kind of the entity at the cursor of `text`, and its spelling."""
    content, offset = parse_cursor(text)
    file = snapshot_of(content, **others).files[URI]
    context = file.context_at(offset)
    found = entity_at(context, context.to_local(offset))
    return found, file.slice(context.to_file(found.span)) if found is not None else ""


def at(before: str, after: str) -> tuple[Entity | None, str]:
    """Look at the place in `SCRIPT` between the two texts."""
    assert SCRIPT.count(before + after) == 1
    return find(SCRIPT.replace(before + after, f"{before}$0{after}"))


@pytest.mark.parametrize(
    ("before", "after", "kind", "written"),
    [
        ("", "!op = ", entity.AliasDefinition, "!op"),
        ("#m", "ap = ", entity.AliasDefinition, "#map"),
        ("", "module", entity.OperationName, "module"),
        ("transform.structured", ".match", entity.OperationName, "transform.structured.match"),
        ('"transform.debug', ".emit", entity.OperationName, '"transform.debug.emit_remark_at"'),
        ("retu", "rn", entity.OperationName, "return"),
        ("private @e", "xt(", entity.SymbolDefinition, "@ext"),
        ("ext(%", "a:", entity.ValueDefinition, "%a"),
        ("main(%", "root", entity.ValueDefinition, "%root"),
        ("main(%root", ": ", entity.ValueDefinition, "%root"),
        ("%mat", "ch = ", entity.ValueDefinition, "%match"),
        ("%lo", "ops:2", entity.ValueDefinition, "%loops:2"),
        ("", "%z:", entity.ValueDefinition, "%z"),
        ("for %ma", "tch", entity.UsedValue, "%match"),
        ("(%loops#", "1)", entity.UsedValue, "%loops#1"),
        ("^exit(%", "arg0", entity.UsedValue, "%arg0"),
        ("include @e", "xt", entity.UsedSymbol, "@ext"),
        ("@inner::@", "c ->", entity.UsedSymbol, "@c"),
        ("@in", "ner::@c", entity.UsedSymbol, "@inner"),
        ('@"d', " e", entity.UsedSymbol, '@"d e"'),
        ("^ex", "it(%z", entity.LabelEntity, "^exit"),
        ("^ex", "it(%arg0", entity.LabelEntity, "^exit"),
        ("^miss", "ing", entity.LabelEntity, "^missing"),
        ('["linalg', ".matmul", entity.PayloadName, '"linalg.matmul"'),
        ('"linalg', ".fill", entity.PayloadName, '"linalg.fill"'),
        ("!transform", '.op<"linalg.fill', entity.DialectType, "!transform.op"),
        ("#my", ".kind", entity.AttributeKind, "#my.kind"),
        ("my.map = ", "#map", entity.AliasUse, "#map"),
        ("%x = my.op %tile known_by_nobody(#my.kind<3>) {factor = 3 : i64} : ", "!op", entity.AliasUse, "!op"),
        ("mes", "sage", entity.Attribute, "message"),
        ('"te', 'xt"', entity.Attribute, '"text"'),
        ("fac", "tor", entity.Attribute, "factor"),
        ("failures(pro", "pagate", entity.Attribute, "propagate"),
        ("transform.read", "only}, !", entity.Attribute, "transform.readonly"),
        ("fail", "ures", entity.Keyword, "failures"),
        ("known_", "by", entity.Keyword, "known_by_nobody"),
    ],
)
def test_kinds(before: str, after: str, kind: type[Entity], written: str) -> None:
    found, text = at(before, after)
    assert isinstance(found, kind)
    assert text == written


@pytest.mark.parametrize(
    ("before", "after"), [("// %ro", "ot"), ("in %root ", ": (!op) -> !transform.op"), ("[8,", " [4]")]
)
def test_nothing(before: str, after: str) -> None:
    assert at(before, after) == (None, "")


@pytest.mark.parametrize(
    ("before", "after", "told", "expected"),
    [
        ("%lo", "ops:2", lambda group: [value.shown for value in group.values], ["%loops#0", "%loops#1"]),
        ("(%loops#", "1)", lambda use: (use.value.shown, use.operand), ("%loops#1", 0)),
        ("@inner::@", "c ->", lambda symbol: symbol.path, ("inner", "c")),
        ("transform.read", "only}, !", lambda attribute: attribute.argument.name, "%a"),
        ("^miss", "ing", lambda label: label.block, None),
    ],
)
def test_what_entities_tell(before: str, after: str, told: Callable[[Any], object], expected: object) -> None:
    assert told(at(before, after)[0]) == expected


def test_generic_symbol_name() -> None:
    found, text = find('"func.func"() ({\n}) {sym_name = "f$0oo", function_type = () -> ()} : () -> ()\n')
    assert isinstance(found, entity.SymbolDefinition)
    assert (found.name, text) == ("foo", '"foo"')


def test_carriage_returns() -> None:
    content = SCRIPT.replace("for %match", "for %ma$0tch").replace("\n", "\r\n")
    found, text = find(content)
    assert isinstance(found, entity.UsedValue)
    assert text == "%match"


@pytest.mark.parametrize("text", ["$0", "%a = $0", "%$0", "func.func @f(%a$0", "}$0}", '"$0', "!$0", "@$0 = ", "^$0"])
def test_fragments(text: str) -> None:
    find(text)


def test_every_place_of_every_prefix() -> None:
    for end in range(0, len(SCRIPT), 97):
        file = snapshot_of(SCRIPT[:end]).files[URI]
        for offset in range(max(end - 97, 0), end + 1):
            context = file.context_at(offset)
            found = entity_at(context, context.to_local(offset))
            assert found is None or 0 <= found.span.start < found.span.end <= len(context.section.text)


ORACLE = Path(__file__).parents[3] / "tools" / "oracle"
SIGILS = {scanner.VALUE, scanner.BLOCK, scanner.SYMBOL, scanner.TYPE, scanner.ATTRIBUTE}
SOUND = sorted([*(ORACLE / "payload").glob("*.mlir"), *(ORACLE / "scripts").glob("*.mlir")])


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_every_name_of_sound_files_is_understood(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    file = snapshot_of(text).files[URI]
    tokens = scanner.scan(text)
    named = [span for *span, kind in zip(tokens.starts, tokens.ends, tokens.kinds, strict=True) if kind in SIGILS]
    assert [text[start:end] for start, end in named if not is_understood(file, start)] == []


def is_understood(file: SourceFile, offset: int) -> bool:
    """Whether a name is anything, and if it is a value's, which; the value of an alias is not read."""
    context = file.context_at(offset)
    found = entity_at(context, context.to_local(offset))
    if isinstance(found, entity.UsedValue):
        return found.value is not None
    return found is not None or context.tree.members[0].alias is not None
