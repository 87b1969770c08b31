"""Facts kept with a section: after edits around it, each equals the fact computed for the text read anew."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

import tdls
from tdls.analysis.checking.file_findings import findings_of
from tdls.analysis.file.context import TrackedFact, model_of
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import stale_handles
from tdls.analysis.meaning.choices import spaces
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import OperationDefinition
from tdls.catalogue.source import MemorySource
from tdls.structs import replace
from tdls.syntax.sections.facts import Fact
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.finding import Finding
    from tdls.syntax.sections.sections import Section

CATALOGUE = Catalogue.shipped()


def definition(name: str, assembly_format: str, traits: frozenset[str] = frozenset()) -> OperationDefinition:
    return OperationDefinition(name, operands=(), assembly_format=assembly_format, traits=traits)


CATALOGUES = [
    CATALOGUE,
    CATALOGUE.incomplete(),
    CATALOGUE.at(19),
    CATALOGUE.with_source(
        MemorySource("one", [definition("my.op", "attr-dict"), definition("builtin.steps", "$body")])
    ),
    CATALOGUE.with_source(MemorySource("two", [definition("my.op", "$symbol attr-dict")])),
    CATALOGUE.with_source(
        MemorySource("three", [definition("func.func", "$body", frozenset({"SymbolTable", "NoTerminator"}))])
    ),
]
NAMES = st.sampled_from(["a", "b", "go", "__transform_main"])
TYPES = st.sampled_from(["!transform.any_op", "!transform.any_value", "!transform.param<i64>", "!op", "!other"])


@st.composite
def aliases(draw: st.DrawFn) -> str:
    return f"!{draw(st.sampled_from(['op', 'other']))} = {draw(TYPES.filter(lambda type_text: '.' in type_text))}\n"


@st.composite
def sequences(draw: st.DrawFn) -> str:
    name, kind, effect = draw(NAMES), draw(TYPES), draw(st.sampled_from(["readonly", "consumed"]))
    body = "".join(draw(st.lists(steps(), max_size=3)))
    if draw(st.booleans()):
        return (
            f'"transform.named_sequence"() ({{\n^bb0(%h: {kind}):\n{body}  transform.yield\n}}) '
            f'{{sym_name = "{name}", function_type = ({kind}) -> ()}} : () -> ()\n'
        )
    argument = f"%h: {kind} {{transform.{effect}}}"
    return f"transform.named_sequence @{name}({argument}) {{\n{body}  transform.yield\n}}\n"


@st.composite
def steps(draw: st.DrawFn) -> str:
    kind = draw(TYPES)
    name = draw(NAMES)
    called = f"  transform.include @{name} failures(propagate) (%h) : ({kind}) -> ()\n"
    matched = f"  transform.foreach_match in %h @{name} -> @a : ({kind}) -> {kind}\n"
    comment = "  // tdls: ignore[use-after-free]\n"
    return draw(st.sampled_from([f"  transform.print %h : {kind}\n", called, matched, comment, "  my.op %h @TILE@\n"]))


PAYLOAD = st.sampled_from(
    [
        'func.func @f() {\n  "my.op"() : () -> ()\n  return\n}\n',
        "func.func private @g(f32)\n",
        "%0 = arith.constant 1 : i64\n",
        "// RUN: tool %s --transform-interpreter\n",
        "// -----\n",
        "func.func @broken( {\n",
    ]
)
MEMBERS = st.one_of(aliases(), sequences(), PAYLOAD)


@st.composite
def texts(draw: st.DrawFn) -> list[str]:
    members = draw(st.lists(MEMBERS, max_size=5))
    if draw(st.booleans()):
        inner = "".join(draw(st.lists(MEMBERS, max_size=3)))
        members.append(f"module attributes {{transform.with_named_sequence}} {{\n{inner}}}\n")
    return members


EDITS = st.tuples(st.integers(0, 8), MEMBERS | st.just(""))


@given(texts(), st.lists(EDITS | st.sampled_from(CATALOGUES), max_size=4))
def test_facts_equal_those_of_a_new_file(members: list[str], edits: list[tuple[int, str] | Catalogue]) -> None:
    file = SourceFile.of("".join(members), CATALOGUE)
    ask_everything(file)
    for edit in edits:
        if isinstance(edit, Catalogue):
            file = file.with_catalogue(edit)
            assert fact_values(file) == fact_values(SourceFile.of(file.text, edit))
            continue
        number, replacement = edit
        index = min(number, len(members))
        start = sum(map(len, members[:index]))
        span = FileSpan(start, start + len(members[index]) if index < len(members) else start)
        members[index : index + 1] = [replacement]
        file = file.edited(span, replacement)
        assert fact_values(file) == fact_values(SourceFile.of(file.text, file.catalogue))


def test_only_sections_that_queried_a_new_definition_are_read_again() -> None:
    ours, others = "transform.named_sequence @a() {\n  my.op\n}\n", 'func.func @f() {\n  "their.op"() : () -> ()\n}\n'
    before = SourceFile.of(ours + others, CATALOGUE)
    ask_everything(before)
    after = before.with_catalogue(CATALOGUES[3])
    kept, fresh = (set(sections(file)) for file in (before, after))
    assert [section.text for section in kept & fresh] == [others]
    assert all(operation.definition for operation in next(after.contexts).tree.walk())
    assert sections(after.with_catalogue(CATALOGUES[3])) == sections(after)


def sections(file: SourceFile) -> list[Section]:
    return [context.section for context in file.contexts]


def fact_values(file: SourceFile) -> list[list[object]]:
    return [list(fact_values_of(context)) for context in file.contexts]


def fact_values_of(context: Any) -> Iterator[object]:
    yield context.section.text
    yield from (fact(context.section) for fact in section_facts())
    for fact in facts(TrackedFact):
        if fact is model_of:
            yield [operation.name for operation in fact(context).walk()]
        elif fact is findings_of:
            yield [_with_texts(finding) for finding in fact(context).found]
        elif fact is spaces:
            yield [operation.name for operation, _ in fact(context)]
        elif fact is stale_handles:
            stale = fact(context)
            yield [(use.operation.name, use.operand, use.is_certain) for use in stale.uses.values()]
            yield [(operation.name, [value.name for value in values]) for operation, values in stale.made_by.items()]
        else:
            yield fact(context)


def _with_texts(finding: Finding) -> tuple[object, ...]:
    """A finding whose notes and fixes have the texts of sections: another file has sections of its own."""
    notes = [(note.message, note.span, _text(note.section)) for note in finding.notes]
    fixes = [
        (fix.title, fix.safe, [(edit.span, edit.new_text, _text(edit.section)) for edit in fix.edits])
        for fix in finding.fixes
    ]
    return replace(finding, notes=(), fixes=()), notes, fixes


def _text(section: Section | None) -> str | None:
    return section.text if section is not None else None


ask_everything = fact_values


def facts(kind: type[Any]) -> list[Any]:
    if kind not in _FOUND:
        values = [value for module in modules() for value in vars(module).values() if isinstance(value, kind)]
        _FOUND[kind] = list(dict.fromkeys(values))
    return _FOUND[kind]


def section_facts() -> list[Any]:
    """The facts about sections, without the stores in which others keep things with a section."""
    of_sections = [fact for fact in facts(Fact) if "Section" in fact._compute.__annotations__.values()]
    return [fact for fact in of_sections if not fact.__doc__ or not fact.__doc__.startswith("Store ")]


_FOUND: dict[type[Any], list[Any]] = {}


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(tdls.__path__, "tdls."):
        if not found.name.startswith("tdls.interpreter.") and "__main__" not in found.name:
            yield importlib.import_module(found.name)
    yield importlib.import_module("tdls.interpreter.runs.entry_points")
