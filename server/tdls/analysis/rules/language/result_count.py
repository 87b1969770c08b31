"""The rule `result-count`."""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import FixKind, Rule
from tdls.analysis.rules.language.operand_count import count_bounds
from tdls.catalogue.model import Arity
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.tree import Form
from tdls.text.span import Span
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import TypeUse


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations with more or fewer results than they name, if they name any, or than they can have."""
    for operation in operations:
        syntax = operation.syntax
        if syntax.broken or syntax.form is Form.STRUCTURAL or not syntax.name:
            continue
        finding = _typed_wrongly(context, operation) or _named_wrongly(context, operation)
        if finding is not None:
            yield finding


def _typed_wrongly(context: Context, operation: Operation) -> Finding | None:
    """Report more or fewer result types than any version of the definition allows."""
    types, definition = operation.syntax.result_types, operation.definition
    if types is None or definition is None or _allows(definition, len(types)):
        return None
    variants = [variant for variant in context.catalogue.counting(operation.name) if variant.format_known]
    if not variants or any(_allows(variant, len(types)) for variant in variants):
        return None
    spelled = {0: "no types are", 1: "1 type is"}.get(len(types), f"{len(types)} types are")
    least, most = count_bounds(variants[0].results)
    many = f"{counted_results(least)} or more" if most is None else f"{least} to {counted_results(most)}"
    allowed = counted_results(least) if least == most else many
    message = f"`{operation.name}` has {allowed}, but {spelled} spelled here"
    subject = concerns_of(context).of(operation, is_certain=is_settled(definition))
    named = operation.syntax.result_count
    wanted = named if _allows(variants[0], named) else least
    fixes = _with_types(types, wanted) if types and wanted else ()
    if fixes and named > wanted:
        fixes = (
            SectionFix(f"Take {counted_results(wanted)}", (_with_fewer_names(operation, wanted), *fixes[0].edits)),
        )
    return Finding(RULE.name, RULE.level, message, operation.location, fixes=fixes, subject=subject)


_MOST_SPELLED = 1_000
"""Maximum number of types that a fix spells: a head may claim any number of results."""


def _with_types(types: Sequence[TypeUse], wanted: int) -> tuple[SectionFix, ...]:
    """Return the fix that spells as many types, the last one for those that are missing."""
    if wanted > _MOST_SPELLED:
        return ()
    texts = [type_.text for type_ in types][:wanted]
    listed = ", ".join([*texts, *[texts[-1]] * (wanted - len(texts))])
    is_list = len(types) > 1
    span = Span(types[0].start, types[-1].end)
    edit = SectionEdit(span, listed if is_list else f"({listed})")
    return (SectionFix(f"Spell {counted(wanted, 'type')}", (edit,)),)


def _with_fewer_names(operation: Operation, wanted: int) -> SectionEdit:
    """Return the edit that names only the first results of an operation, `wanted` of them."""
    groups, names = operation.syntax.results, list[str]()
    for group in groups:
        number = min(group.count, wanted)
        names += [f"{group.name}:{number}" if number > 1 else group.name] if number else []
        wanted -= number
    return SectionEdit(Span(groups[0].start, groups[-1].end), ", ".join(names))


def _named_wrongly(context: Context, operation: Operation) -> Finding | None:
    syntax = operation.syntax
    expected = _result_count(operation)
    if expected is None or not syntax.results or syntax.result_count == expected:
        return None
    if _has_another_version(context, operation):
        return None
    first, last = syntax.results[0], syntax.results[-1]
    named = "1 is named" if syntax.result_count == 1 else f"{syntax.result_count} are named"
    message = f"`{operation.name}` has {counted_results(expected)}, but {named} here"
    place = Span(first.start, last.end)
    definition = operation.definition
    is_certain = syntax.form is Form.GENERIC or (definition is not None and is_settled(definition))
    subject = concerns_of(context).of(operation, is_certain=is_certain)
    fixes: tuple[SectionFix, ...] = ()
    if syntax.result_types and definition is not None and _allows(definition, syntax.result_count):
        fixes = _with_types(syntax.result_types, syntax.result_count) if syntax.result_count > expected else ()
    if syntax.result_count < expected:
        fixes = (_with_names(context, operation, expected),)
    elif expected:
        edit = _with_fewer_names(operation, expected)
        fixes = (*fixes, SectionFix(f"Name {counted_results(expected)}", (edit,)))
    return Finding(RULE.name, RULE.level, message, place, fixes=fixes, subject=subject)


def _with_names(context: Context, operation: Operation, expected: int) -> SectionFix:
    """Return the fix that names the results without a name, as the definition does."""
    definitions = operation.definition.results if operation.definition is not None else ()
    syntax, title = operation.syntax, f"Name {counted_results(expected)}"
    last = syntax.results[-1]
    text = context.section.text
    missing = expected - syntax.result_count
    undefined = dict.fromkeys(use.name for use in context.model.unresolved if use.span.start > operation.span.end)
    names = list(undefined) if len(undefined) == missing and not any("#" in name for name in undefined) else []
    is_group = bool(definitions) and definitions[-1].arity is not Arity.ONE and syntax.result_count >= len(definitions)
    if is_group and not names:
        group = f"{last.name}:{last.count + missing}"
        return SectionFix(title, (SectionEdit(Span(last.start, last.end), group),))
    for number in range(syntax.result_count, expected) if not names else ():
        base = f"%{definitions[min(number, len(definitions) - 1)].name}" if definitions else "%result"
        candidates = chain([base], (f"{base}_{more}" for more in count()))
        names.append(next(name for name in candidates if name not in text and name not in names))
    edit = SectionEdit(Span(last.end, last.end), "".join(f", {name}" for name in names))
    return SectionFix(title, (edit,))


def _result_count(operation: Operation) -> int | None:
    if operation.syntax.result_types is not None:
        return len(operation.syntax.result_types)
    definition = operation.definition
    if definition is None or any(result.arity is not Arity.ONE for result in definition.results):
        return None
    return len(definition.results)


def _has_another_version(context: Context, operation: Operation) -> bool:
    """Whether the number of named results is right in another version of LLVM, and no type contradicts it."""
    places = {type_.start for type_ in operation.syntax.operand_types or () if type_ is not None}
    if any(type_.start not in places for type_ in operation.syntax.result_types or ()):
        return False
    fixed = (variant.results for variant in context.catalogue.counting(operation.name))
    counts = {len(results) for results in fixed if all(result.arity is Arity.ONE for result in results)}
    return operation.syntax.result_count in counts


def _allows(definition: OperationDefinition, count: int) -> bool:
    least, most = count_bounds(definition.results)
    return least <= count and (most is None or count <= most)


def counted_results(number: int) -> str:
    """Return ``no results``, ``1 result``, ``2 results``."""
    return {0: "no results", 1: "1 result"}.get(number, f"{number} results")


RULE: Final = Rule("result-count", fix=FixKind.UNSAFE, check=check)
