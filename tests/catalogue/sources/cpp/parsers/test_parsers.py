"""The order of operands in the text, from the calls of a parser in C++, in the ways in which projects write them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tdls.bounds.limits import PARSER_TOKENS
from tdls.catalogue.documents.codec import decode_operation, encode
from tdls.catalogue.model import Arity, OperandDefinition, OperationDefinition, SourcePlace
from tdls.catalogue.sources.cpp import joined, read_sources
from tdls.catalogue.sources.cpp.parsers.operands import Holder, ParsedOperands, UnclearError

FILE = Path("MyOps.cpp")
TARGET, LOOP = OperandDefinition("target"), OperandDefinition("loop")
SIZES = OperandDefinition("sizes", arity=Arity.VARIADIC)
FACTORS = OperandDefinition("factors", arity=Arity.VARIADIC)
ANCHOR = OperandDefinition("anchor", arity=Arity.OPTIONAL)
HEAD = """
  OpAsmParser::UnresolvedOperand target, loop, anchor;
  SmallVector<OpAsmParser::UnresolvedOperand, 4> sizes, factors;
  FunctionType type;
  SMLoc place = parser.getCurrentLocation();
"""


class Declared:
    """As `TableGenOperation`."""

    declares_effects = False
    cpp_class = "mlir::transform::my::FuseOp"
    cpp_code = ""

    def __init__(self, *operands: OperandDefinition) -> None:
        self.definition = OperationDefinition("transform.my.fuse", operands=operands, custom_assembly=True)


def source(body: str, before: str = "", head: str = HEAD) -> str:
    return f"""
using namespace mlir;
{before}
ParseResult transform::my::FuseOp::parse(OpAsmParser &parser, OperationState &result) {{
{head}
{body}
}}
"""


def order(text: str, *operands: OperandDefinition) -> tuple[str, ...]:
    return joined(Declared(*operands), read_sources({FILE: text}))[0].operand_order


@pytest.mark.parametrize(
    "body",
    [
        """
        if (parser.parseOperand(loop) || parser.parseKeyword("by") || parser.parseOperand(target) ||
            parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
          return failure();
        result.addTypes(type.getResults());
        return failure(parser.resolveOperand(target, type.getInput(1), result.operands) ||
                       parser.resolveOperand(loop, type.getInput(0), result.operands));
        """,
        """
        if (failed(parser.parseOperand(loop, /*allowResultNumber=*/false))) return failure();
        if (parser.parseOperand(target).failed()) return parser.emitError(place, "expected a target");
        return parser.resolveOperands({target, loop}, type.getInputs(), place, result.operands);
        """,
        """
        SmallVector<OpAsmParser::UnresolvedOperand> all;
        if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();
        all.push_back(target);
        all.push_back(loop);
        if (all.size() != type.getNumInputs()) return parser.emitError(place) << "expected as many types";
        return parser.resolveOperands(all, type.getInputs(), place, result.operands);
        """,
    ],
)
def test_another_order_than_that_of_the_definition(body: str) -> None:
    assert order(source(body), TARGET, LOOP) == ("loop", "target")


@pytest.mark.parametrize(
    "together",
    [
        "sizes.insert(sizes.begin(), target);",
        "SmallVector<UnresolvedOperand> all = {target}; all.append(sizes); ",
        "SmallVector<UnresolvedOperand, 2> all{target}; llvm::append_range(all, sizes);",
        "SmallVector<UnresolvedOperand> all; all.push_back(target); llvm::copy(sizes, std::back_inserter(all));",
        "SmallVector<UnresolvedOperand> all(sizes); all.insert(all.begin(), target);",
        "SmallVector<UnresolvedOperand> all = {target}; all.insert(all.end(), sizes.begin(), sizes.end());",
    ],
)
def test_lists_that_are_put_together(together: str) -> None:
    read = "if (parser.parseOperandList(sizes) || parser.parseOperand(target)) return failure();"
    segments = (
        "llvm::copy(ArrayRef<int32_t>({1, int32_t(sizes.size())}), result.getOrAddProperties<P>().segments.begin());"
    )
    resolved = (
        f"return parser.resolveOperands({'all' if 'all' in together else 'sizes'}, types, place, result.operands);"
    )
    assert order(source(read + together + segments + resolved), TARGET, SIZES) == ("sizes", "target")


def test_members_in_tablegen() -> None:
    body = "if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();" + RESOLVE
    declared = Declared(TARGET, LOOP)
    declared.cpp_code = (
        "static ParseResult parse(OpAsmParser &parser, OperationState &result) {"
        f" OpAsmParser::UnresolvedOperand loop, target; {body} return success(); }}"
    )
    declared.definition = replace(declared.definition, defined_at=SourcePlace(Path("MyOps.td"), 3))
    assert joined(declared, read_sources({}))[0].operand_order == ("loop", "target")


@pytest.mark.parametrize(
    "body",
    [
        "if (parser.parseOperandList(sizes, Delimiter::Square) || parser.parseOperand(target)) return failure();",
        "if (parseDynamicIndexList(parser, sizes, staticSizes) || parser.parseOperand(target)) return failure();",
        """
        auto one = [&]() -> ParseResult { return parser.parseOperand(sizes.emplace_back()); };
        if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, one) || parser.parseOperand(target))
          return failure();
        """,
        """
        do {
          OpAsmParser::UnresolvedOperand size;
          if (parser.parseOperand(size)) return failure();
          sizes.push_back(size);
        } while (succeeded(parser.parseOptionalComma()));
        if (parser.parseOperand(target)) return failure();
        """,
    ],
)
@pytest.mark.parametrize(
    "resolution",
    [
        "return parser.resolveOperands(sizes, type.getInputs(), place, result.operands);",
        """
        for (auto [size, sizeType] : llvm::zip_equal(sizes, type.getInputs()))
          if (parser.resolveOperand(size, sizeType, result.operands)) return failure();
        return success();
        """,
    ],
)
def test_lists(body: str, resolution: str) -> None:
    first = "if (parser.resolveOperand(target, type.getInput(0), result.operands)) return failure();"
    assert order(source(body + first + resolution), TARGET, SIZES) == ("sizes", "target")


OPTIONAL = """
  if (parser.parseOperand(target)) return failure();
  OptionalParseResult hasAnchor = parser.parseOptionalOperand(anchor);
  if (hasAnchor.has_value() && failed(*hasAnchor)) return failure();
  if (parser.resolveOperand(target, type.getInput(0), result.operands)) return failure();
  if (hasAnchor.has_value()) {
    if (parser.resolveOperand(anchor, type.getInput(1), result.operands)) return failure();
  }
"""


def test_the_order_of_the_definition() -> None:
    assert order(source(OPTIONAL + "return success();"), TARGET, ANCHOR) == ("target", "anchor")
    one_list = """
      if (parser.parseOperandList(sizes)) return failure();
      return parser.resolveOperands(sizes, type.getInputs(), place, result.operands);
    """
    assert order(source(one_list), TARGET, ANCHOR, SIZES) == ("target", "anchor", "sizes")


HELPER = """
static ParseResult parseTail(OpAsmParser &p, OperationState &state,
                             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &list,
                             OpAsmParser::UnresolvedOperand &one) {
  if (p.parseOperandList(list) || p.parseKeyword("of") || p.parseOperand(one)) return failure();
  return p.parseOptionalAttrDict(state.attributes);
}
"""


def test_functions_of_the_project_are_followed() -> None:
    body = """
      if (parseTail(parser, result, sizes, target)) return failure();
      if (parser.resolveOperand(target, type.getInput(0), result.operands)) return failure();
      return parser.resolveOperands(sizes, type.getInputs().drop_front(), place, result.operands);
    """
    assert order(source(body, HELPER), TARGET, SIZES) == ("sizes", "target")
    assert order(source(body), TARGET, SIZES) == ()


def test_groups_that_get_what_was_read_between_those_of_one_operand() -> None:
    body = """
      if (parser.parseOperandList(factors) || parser.parseOperand(loop) || parser.parseOperandList(sizes) ||
          parser.parseOperand(target)) return failure();
      if (parser.resolveOperand(target, type, result.operands) ||
          parser.resolveOperands(sizes, types, place, result.operands) ||
          parser.resolveOperands(factors, types, place, result.operands) ||
          parser.resolveOperand(loop, type, result.operands))
        return failure();
    """
    assert order(source(body), TARGET, SIZES, FACTORS, LOOP) == ("factors", "loop", "sizes", "target")
    assert order(source(body), TARGET, SIZES, LOOP) == ()
    assert order(source(body), TARGET, ANCHOR, SIZES, FACTORS, LOOP) == ()


ALL = "return parser.resolveOperands(sizes, types, place, result.operands);"
READ = "if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();"
OPTIONALS = [OperandDefinition(name, arity=Arity.OPTIONAL) for name in ("one", "two", "three", "four")]
ONE_WAY = "resolveOperands({loop, target}, types, place, result.operands)"
OTHER_WAY = "resolveOperands({more, anchor}, types, place, result.operands)"


@pytest.mark.parametrize(
    "ways",
    [
        f"if (isPlain) {{ if (parser.{ONE_WAY}) return failure(); }} else if (parser.{OTHER_WAY}) return failure();",
        f"if (isPlain) return parser.{ONE_WAY}; return parser.{OTHER_WAY};",
    ],
)
def test_ways_to_resolve_of_which_one_is_taken(ways: str) -> None:
    read = """
      OpAsmParser::UnresolvedOperand more;
      if (isPlain) { if (parser.parseOperand(target) || parser.parseOperand(loop)) return failure(); }
      else if (parser.parseOperand(more) || parser.parseOperand(anchor)) return failure();
    """
    assert order(source(read + ways), *OPTIONALS) == ()
    in_order = read.replace("(target)", "(swap)").replace("(loop)", "(target)").replace("(swap)", "(loop)")
    assert order(source(in_order + ways), *OPTIONALS) == ("one", "two", "three", "four")


RESOLVE = """
  if (parser.resolveOperand(target, type.getInput(0), result.operands) ||
      parser.resolveOperand(loop, type.getInput(1), result.operands)) return failure();
"""


@pytest.mark.parametrize(
    "body",
    [
        "if (parseLoop(parser, loop) || parser.parseOperand(target)) return failure();" + RESOLVE,
        READ + RESOLVE + "if (parser.resolveOperand(loop, type, result.operands)) return failure();",
        READ
        + "for (Type type : types) if (parser.resolveOperand(loop, type, result.operands)) return failure();"
        + RESOLVE,
        READ + "for (Type type : types) sizes.push_back(loop); sizes.push_back(target);" + ALL,
        READ + "SmallVector<OpAsmParser::UnresolvedOperand> all = {target, loop, extra};" + ALL.replace("sizes", "all"),
        READ + "sizes.insert(sizes.begin() + 1, target); sizes.push_back(loop);" + ALL,
        READ + "for (;;) sizes.insert(sizes.begin(), target); sizes.push_back(loop);" + ALL,
        READ + "llvm::append_range(sizes, others); sizes.append({target, loop});" + ALL,
        READ + "std::swap(loop, target);" + RESOLVE,
        READ + "loop = target;" + RESOLVE,
        "if (parser.parseOperand(loop) || parser.parseOperand(target) || addMore(result)) return failure();" + RESOLVE,
        "if (parser.parseOperand(loop) || parser.parseArgument(arg) || parser.parseOperand(target)) return failure();"
        + RESOLVE,
        """
        if (succeeded(parser.parseOptionalKeyword("swapped"))) {
          if (parser.parseOperand(target) || parser.parseOperand(loop)) return failure();
        } else if (parser.parseOperand(loop) || parser.parseOperand(target)) {
          return failure();
        }
        """
        + RESOLVE,
        """
        if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();
        if (isSwapped) {
          if (parser.resolveOperands({loop, target}, types, place, result.operands)) return failure();
          return success();
        }
        """
        + RESOLVE,
        """
        auto both = [&]() -> ParseResult { return failure(parser.parseOperand(loop) || parser.parseOperand(target)); };
        if (both()) return failure();
        """
        + RESOLVE,
        """
        for (int i = 0; i < count; ++i)
          if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();
        """
        + RESOLVE,
        READ + "SmallVector<Value> values; return parser.resolveOperands({target, loop}, types, place, values);",
        READ + "return parser.resolveOperand(target, type, result.operands);",
        "#ifdef SWAPPED\nif (parser.parseOperand(loop)) return failure();\n#endif\n"
        "if (parser.parseOperand(target)) return failure();" + RESOLVE,
        "auto &other = parser; if (other.parseOperand(loop) || parser.parseOperand(target)) return failure();"
        + RESOLVE,
        "goto end; if (parser.parseOperand(loop) || parser.parseOperand(target)) return failure();" + RESOLVE,
    ],
)
def test_what_is_not_certain_is_not_known(body: str) -> None:
    assert order(source(body), TARGET, LOOP) == ()


@pytest.mark.parametrize(
    "body",
    [
        """
        if (parser.parseCommaSeparatedList([&]() -> ParseResult {
              return failure(parser.parseOperand(sizes.emplace_back()) || parser.parseOperand(factors.emplace_back()));
            })) return failure();
        """,
        """
        while (succeeded(parser.parseOptionalComma()))
          if (parser.parseOperand(sizes.emplace_back()) || parser.parseOperand(factors.emplace_back()))
            return failure();
        """,
        """
        while (succeeded(parser.parseOptionalComma())) {
          if (parser.parseOperand(target)) return failure();
        }
        sizes.push_back(target);
        if (parser.parseOperandList(factors)) return failure();
        """,
    ],
)
def test_lists_that_take_turns_are_not_followed(body: str) -> None:
    resolution = """
      return failure(parser.resolveOperands(sizes, types, place, result.operands) ||
                     parser.resolveOperands(factors, types, place, result.operands));
    """
    assert order(source(body + resolution), SIZES, FACTORS) == ()


def test_a_parser_of_another_class_does_not_count() -> None:
    text = source(OPTIONAL + "return success();")
    assert order(text.replace("transform::my::FuseOp", "transform::other::FuseOp"), TARGET, ANCHOR) == ()
    assert order(text + text.replace("parseOperand(target)", "parseOperand(anchor)"), TARGET, ANCHOR) == ()


def test_what_is_larger_than_the_limit_is_not_followed() -> None:
    calls = "if (parser.parseComma()) return failure();" * (PARSER_TOKENS.most // 12)
    assert order(source(OPTIONAL + calls), TARGET, ANCHOR) == ()
    repeated = "static ParseResult more(OpAsmParser &p) { return failure(more(p) || more(p)); }"
    assert order(source("if (more(parser)) return failure();" + OPTIONAL, repeated), TARGET, ANCHOR) == ()
    nested = "if (" + "parser.parse(" * 500 + ")" * 500 + ") return failure();"
    assert order(source(nested + OPTIONAL), TARGET, ANCHOR) == ()


def test_following_takes_no_more_steps_than_the_limit() -> None:
    nested = "if (" + "(" * 2_000 + "x" + ")" * 2_000 + ") return failure();"
    assert order(source(nested + OPTIONAL), TARGET, ANCHOR) == ()
    assert order(source("if ((((x)))) return failure();" + OPTIONAL), TARGET, ANCHOR) == ("target", "anchor")


def test_no_list_holds_an_operand_twice() -> None:
    operands, sizes = ParsedOperands(), Holder(is_list=True)
    operands.read_into(sizes)
    with pytest.raises(UnclearError):
        operands.move(sizes, sizes)
    operands.resolve(sizes)
    with pytest.raises(UnclearError):
        operands.resolve(sizes)


def test_catalogue_files_have_the_order() -> None:
    definition = joined(Declared(TARGET, ANCHOR), read_sources({FILE: source(OPTIONAL)}))[0]
    item = encode(definition)
    assert item["operand_order"] == ["target", "anchor"]
    assert decode_operation(item).operand_order == ("target", "anchor")
