"""A sequence declared in a file and defined in a library has the effects on handles of its definition."""

from __future__ import annotations

from tdls.analysis.checking.file_findings import check_file, findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode

HANDLE = "!transform.any_op"
SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }}
  transform.named_sequence private @helper({HANDLE} {{transform.readonly}}) -> {HANDLE}
  transform.named_sequence @__transform_main(%root: {HANDLE} {{transform.readonly}}) {{
    %all = transform.structured.match interface{{LinalgOp}} in %root : ({HANDLE}) -> {HANDLE}
    %given = transform.include @helper failures(propagate) (%root) : ({HANDLE}) -> {HANDLE}
    transform.structured.vectorize %given : {HANDLE}
    transform.annotate %all "seen" : {HANDLE}
    transform.yield
  }}
}}
"""


def library(body: str) -> str:
    sequence = f"""\
  transform.named_sequence @helper(%module: {HANDLE} {{transform.readonly}}) -> {HANDLE} {{
{body}
  }}
"""
    return f"module attributes {{transform.with_named_sequence}} {{\n{sequence}}}\n"


FINDS = library(
    f'    %0 = transform.structured.match ops{{["linalg.matmul"]}} in %module : ({HANDLE}) -> {HANDLE}\n'
    f"    transform.yield %0 : {HANDLE}"
)
FINDS_ANOTHER = library(
    f'    %0 = transform.structured.match ops{{["func.return"]}} in %module : ({HANDLE}) -> {HANDLE}\n'
    f"    transform.yield %0 : {HANDLE}"
)


def rules(*libraries: str) -> list[str]:
    catalogue = Catalogue.shipped()
    files = [SourceFile.of(text, catalogue, split=SplitMode.NEVER) for text in libraries]
    found = findings_in_file(SourceFile.of(SCRIPT, catalogue, split=SplitMode.NEVER, libraries=files))
    return [finding.rule for finding in found if "invalidated" in finding.rule]


def test_searches_of_a_library_find_operations_of_the_payload() -> None:
    assert rules(FINDS) == ["invalidated-handle"]
    assert rules(FINDS_ANOTHER) == []
    assert rules() == ["possibly-invalidated-handle"]


def test_a_declaration_in_another_library_is_no_definition() -> None:
    declaration = library("").replace(" {\n\n  }\n", "\n").replace("%module: ", "")
    assert rules(declaration, FINDS) == ["invalidated-handle"]


def test_failed_searches_of_called_libraries_are_reported() -> None:
    finds_nothing = FINDS.replace("linalg.matmul", "linalg.dot")
    library_file = SourceFile.of(finds_nothing, Catalogue.shipped(), split=SplitMode.NEVER)
    script = SourceFile.of(SCRIPT, Catalogue.shipped(), split=SplitMode.NEVER, libraries=[library_file])
    said = next(finding for finding in findings_in_file(script) if finding.rule == "finds-nothing")
    assert said.message == "in `@helper`, nothing is found: the payload has no `linalg.dot`"
    assert script.slice(said.span) == "@helper"
    assert not said.notes, "places in other files"


def test_calls_within_a_library_are_followed() -> None:
    """The section of the caller has a number that no section of the script has."""
    fillers = "".join(f"  transform.named_sequence @f{number}() {{\n    transform.yield\n  }}\n" for number in range(9))
    body = f"    %0 = transform.include @inner failures(propagate) (%module) : ({HANDLE}) -> {HANDLE}\n"
    begin, _, caller = library(f"{body}    transform.yield %0 : {HANDLE}").removesuffix("}\n").partition("\n")
    inner = FINDS.partition("\n")[2].replace("@helper", "@inner")
    script = SourceFile.of(SCRIPT, Catalogue.shipped())
    for searched, expected in (("linalg.matmul", 1), ("func.return", 0), ("linalg.matmul", 1)):
        text = f"{begin}\n{fillers}{caller}{inner.replace('linalg.matmul', searched)}"
        script = script.with_libraries([SourceFile.of(text, Catalogue.shipped())])
        found, failures = check_file(script)
        assert not failures
        assert sum("invalidated" in finding.rule for finding in found) == expected
