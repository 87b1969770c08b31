"""Templates get one hint, and no findings that depend on the text of placeholders."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.embedded.templates import template_of
from tdls.text.span import FileSpan, Span

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    HOLE
    transform.yield
  }
}
"""
HOLES = (
    (
        "%1, %2 = transform.structured.tile_using_for %0 tile_sizes [@TILE_SIZE@] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    ),
    "{{ steps | indent(4) }}",
    "{% for step in steps %}",
    "${BODY}",
    "$BODY",
    "<<body>>",
    "%%body%%",
    "##body##",
    "#ifdef FAST\n    transform.annotate %undefined 12\n#endif",
    "{{#steps}}transform.annotate %undefined{{/steps}}",
    'transform.annotate %0 "x" : !transform.any_op\n    transform.annotate %{{name}} "x" : !transform.any_op',
    (
        "%{{name}} = transform.get_parent_op %0 : (!transform.any_op) -> !transform.any_op\n"
        '    transform.annotate %parent "x" : !transform.any_op'
    ),
    'transform.annotate %0 "x" = @VALUE@ : !transform.any_op, !transform.any_param',
    (
        "%1, %2 = transform.structured.tile_using_for %0 tile_sizes [__id0__] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    ),
    (
        "%1, %2 = transform.structured.tile_using_for %0 tile_sizes [%(tile)d, __TILE_N__] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    ),
    "transform.${prefix}.step %0 : !transform.any_op\n    transform.{{other}} %undefined",
)
NO_HOLES = (
    "%0 = transform.structured.match attributes {a, __tag__, __id0__} in %root : (!transform.any_op) -> !any",
    '"test.op"(%__tag__, @__tag__) {b = "%(name)s [__TILE__]"} : () -> ()',
    '"test.op"() {a = "@TILE@ {{x}} ${y} {% z %} __id0__"} : () -> ()',
    "// expected-note @below {{message}} and @NAME@ and ${x}",
    "transform.include @a::@b failures(propagate) () : () -> ()",
    '"test.op"() {__internal_linalg_transform__, __id0__a = 1} : () -> ()',
    '"test.op"(%__id0__, @__id0__) : () -> ()',
    '"unclosed @NAME@',
    "%0 = transform.structured.match attributes {__id0__} in %root : (!transform.any_op) -> !transform.any_op",
    '"test.op"(%$x, %x$y) {a = #d<<b>>, c = !d.e<<f>>} : () -> ()',
    "#include = affine_map<(d0) -> (d0)>",
    "#map = affine_map<(d0)[s0] -> (d0 mod s0)>",
    "func.func private @deep@name()",
    "func.func private @DEEP@NAME()",
)


def rules_in(text: str) -> list[str]:
    return [finding.rule for finding in findings_in_file(SourceFile.of(text, Catalogue.shipped()))]


@pytest.mark.parametrize("hole", HOLES)
def test_a_template_gets_one_hint(hole: str) -> None:
    assert rules_in(SCRIPT.replace("HOLE", hole)) == ["template-placeholder"]


def test_a_hint_is_given_once_for_a_file() -> None:
    sequence = "transform.named_sequence @{0}() {{\n  {{{{body}}}}\n}}\n"
    assert rules_in("".join(sequence.format(name) for name in "abc")) == ["template-placeholder"]


@pytest.mark.parametrize("text", NO_HOLES)
def test_syntax_of_mlir_is_no_placeholder(text: str) -> None:
    assert template_of(text) is None


def test_the_place_is_that_of_the_placeholder() -> None:
    text = '// @A@\n"@B@" @C@'
    start = text.index("@C@")
    template = template_of(text)
    assert template is not None
    assert template.first == Span(start, start + 3)
    assert len(template.read) == len(text)


TILED = """\
%1, %2 = transform.structured.tile_using_for %0 tile_sizes [HOLE] : (!transform.any_op)
-> (!transform.any_op, !transform.any_op)
    """
AROUND: tuple[tuple[str, list[str]], ...] = (
    ('transform.annotate %0 "stale" : !transform.any_op', ["use-after-free"]),
    ('transform.annotate %2 "fresh" : !transform.any_op', []),
    ('transform.annotate %undefined "x" : !transform.any_op', ["undefined-value"]),
    ('transform.anotate %2 "x" : !transform.any_op', ["unknown-transform-operation"]),
    ("transform.annotate %2 12 : !transform.any_op", ["syntax-error"]),
)


@pytest.mark.parametrize(
    "hole", ["@TILE@", "{{tile}}", "${TILE}", "$TILE", "<<tile>>", "%TILE%", "%%tile%%", "__id0__"]
)
@pytest.mark.parametrize(("line", "found"), AROUND)
def test_findings_that_no_hole_can_change_are_kept(hole: str, line: str, found: list[str]) -> None:
    text = SCRIPT.replace("HOLE", TILED.replace("HOLE", hole) + line)
    assert rules_in(text) == ["template-placeholder", *found]


def test_messages_quote_the_template() -> None:
    step = "%{{x}} = transform.structured.generalize %0 : (!transform.any_op) -> !transform.any_op\n"
    used = "transform.structured.generalize %{{x}} : (!transform.any_op) -> !transform.any_op"
    file = SourceFile.of(SCRIPT.replace("HOLE", f"{step}%1 = {used}\n%2 = {used}"), Catalogue.shipped())
    stale = [found for found in findings_in_file(file) if found.rule == "use-after-free"]
    assert [found.message for found in stale] == ["`%{{x}}` was consumed by `transform.structured.generalize`"]
    assert not stale[0].fixes


def test_payload_with_holes_is_left_alone() -> None:
    text = "func.func @f(%a: tensor<@N@xf32>) {\n  %b = arith.addf %a, %c : tensor<4xf32>\n  return\n}\n"
    assert rules_in(text) == ["template-placeholder"]


CALLER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @filled_in failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
SEQUENCES
}
"""


def test_a_sequence_may_be_filled_in() -> None:
    assert rules_in(CALLER.replace("SEQUENCES", "")) == ["unknown-symbol"]
    assert rules_in(CALLER.replace("SEQUENCES", "  {{ sequences }}")) == ["template-placeholder"]


def test_comments_in_templates_may_be_used() -> None:
    text = SCRIPT.replace("HOLE", "{{ steps }} // tdls: ignore[use-after-free]")
    assert rules_in(text) == ["template-placeholder"]


def test_edits_make_and_unmake_templates() -> None:
    text = CALLER.replace("SEQUENCES", "")
    file = SourceFile.of(text, Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)
    place = len(text) - 2
    for start, end, new_text in ((place, place, "  {{ x }}\n"), (place, place + len("  {{ x }}\n"), "")):
        file = file.edited(FileSpan(start, end), new_text)
        findings.advance(file)
        findings.work(lambda: False)
        assert findings.diagnostics() == findings_in_file(SourceFile.of(file.text, Catalogue.shipped()))
    assert [finding.rule for finding in findings.diagnostics()] == ["unknown-symbol"]


SHAPES = ("__*__", "@*@", "TODO", "<+*+>")


def tokens(text: str, *placeholders: str) -> list[str]:
    template = template_of(text, placeholders)
    return [text[slice(*hole.span)] for hole in template.holes] if template is not None else []


@pytest.mark.parametrize("token", ["__id0__", "__TILE_M__", "@tile@", "TODO", "<+m+>"])
@pytest.mark.parametrize("place", ["{}", "%{}", "({})", "a {{}}", "x = {}, y", 'f("{}", {})'])
def test_settings_say_which_tokens_are_placeholders(token: str, place: str) -> None:
    text = place.replace("{}", token)
    assert set(tokens(text, *SHAPES)) == {token}


@pytest.mark.parametrize(
    "text",
    ["__x", "__x___", "a__x__", "__x__a", "____", "__0__", "@x", "@x y@", "TODOS", "// __x__", '"__x__"', "<+m +>"],
)
def test_other_tokens_stay(text: str) -> None:
    assert tokens(text, *SHAPES) == []


def test_placeholders_do_not_overlap() -> None:
    assert tokens("@a@b@ __x__y__ ${__z__}", *SHAPES) == ["@a@", "${__z__}"]
    assert tokens("__x__", "__*__", "__x*") == ["__x__"]


def test_many_beginnings_of_placeholders_are_read_once() -> None:
    for text in ("__" * 100_000, "@a " * 100_000, "a" * 200_000, "TODO" * 50_000):
        assert tokens(text, *SHAPES, "a*b", "__a*") == []


MATCHED = "transform.structured.match attributes {__kind__} in %root : (!transform.any_op) -> !transform.any_op"


def test_findings_follow_the_placeholders_of_settings() -> None:
    text = SCRIPT.replace("HOLE", f"%1 = {MATCHED}\n    transform.annotate %1 12 : !transform.any_op\n    __STEPS__ %1")
    file = SourceFile.of(text, Catalogue.shipped())
    plain = findings_in_file(file)
    assert "template-placeholder" not in [finding.rule for finding in plain]
    known = file.with_catalogue(Catalogue.shipped().with_placeholders(("__*__",)))
    assert [finding.rule for finding in findings_in_file(known)][:1] == ["template-placeholder"]
    assert findings_in_file(known.with_catalogue(Catalogue.shipped())) == plain
