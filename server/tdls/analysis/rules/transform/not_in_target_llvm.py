"""The rule `not-in-target-llvm`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.edits import name_of, renaming
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.meaning.payload_forms import (
    ELEMENTWISE,
    FORMER,
    in_form_of_target,
    search_of_target,
    unlike_target,
)
from tdls.analysis.meaning.payload_names import lacking_names
from tdls.analysis.respelling import default_dialect, respelling
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.changed_operations import Rename, changes_of
from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.migration.respelling import is_read_as
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import newest_version, version_name, version_ranges, version_since
from tdls.structs import replace
from tdls.syntax.scanner import ATTRIBUTE, TYPE, scan
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Tag
from tdls.text.level import Level
from tdls.text.scanning import after_blanks
from tdls.text.span import Span, own_lines
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.meaning.payload_names import SpelledName
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.source import VersionedDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.scanner import Tokens

_SIZES: Final = "operandSegmentSizes"
_QUANTIZED: Final = ("quant.any", "quant.uniform")
_FLOAT: Final = re.compile(r"b?f\d")
_BRACKETED: Final = "`<` $value `>`"
"""The format of an enumeration that is written in brackets behind its name."""
_OPENED_BY: Final = {"StrAttr": '"', "DictionaryAttr": "{"}
"""The first character of a value, by the kind of its attribute."""


def find(context: Context) -> Iterator[Finding]:
    """Report operations, types and attributes that the target LLVM version lacks or writes in another way."""
    if context.catalogue.target is None:
        return
    yield from absent_names(context, context.catalogue.target, RULE)
    for operation in context.model.walk():
        definition = operation.definition
        if definition is None or (context.catalogue.is_older(definition) and is_transform_name(operation.name)):
            yield from _former_payload(context, operation)
            continue
        if (
            _is_at_target(context.catalogue, operation.name)
            and (unlike := unlike_target(context, operation)) is not None
        ):
            message, fix = unlike
            yield Finding(RULE.name, RULE.level, message, operation.location, fixes=(fix,) if fix is not None else ())
            continue
        if operation.syntax.form is Form.GENERIC and _is_strict(context.catalogue):
            yield from _without_properties(context, operation)
        if context.catalogue.is_at_target(definition):
            former = _former(context, operation, definition)
            if former is not None or _in_dictionary(context, operation, definition):
                yield _changed(context, operation, former or definition, definition)
            continue
        at_target = [
            variant for variant in context.catalogue.variants(operation.name) if context.catalogue.is_at_target(variant)
        ]
        if not at_target and _must_be_known(context.catalogue, operation, definition):
            yield _absent(context, operation, definition)
        elif at_target and operation.syntax.form is Form.EXACT:
            former = _former(context, operation, definition)
            yield _changed(context, operation, former or definition, at_target[0])
    yield from _absent_kinds(context)


def absent_names(context: Context, version: int, rule: Rule) -> Iterator[Finding]:
    """Report names of payload operations in strings that a version lacks, as findings of `rule`."""
    catalogue = context.catalogue
    for operation, spelled in lacking_names(context, version):
        variants, rename = catalogue.variants(spelled.name), catalogue.renamed(spelled.name)
        last = f"LLVM {rename.last_version} has" if rename is not None else ""
        help_text = f"{_versions(variants) if variants else last} it"
        if rename is not None and (rename.note or rename.name):
            help_text = rename.note or f"it is called `{rename.name}` there"
        message = f"LLVM {version_name(version)} has no operation `{spelled.name}`, so nothing is found"
        level = Level.WARNING if rule.level is Level.ERROR else rule.level
        if spelled.name in FORMER:
            rename = search_of_target(context, spelled.name)
            help_text += f"; {ELEMENTWISE} replaced it"
        fixes = _matching(context, operation, spelled, rename) if rename is not None and rule is RULE else ()
        yield Finding(rule.name, level, message, spelled.span, help=help_text, fixes=fixes)


def _must_be_known(catalogue: Catalogue, operation: Operation, definition: OperationDefinition) -> bool:
    """Whether MLIR has to know the operation; some dialects of payload allow unknown ones in the generic form."""
    if is_transform_name(operation.name):
        return True
    is_renamed = _renamed(catalogue, definition).name is not None
    return operation.syntax.form is not Form.GENERIC and (is_renamed or _has_dialect(catalogue, operation.name))


def _without_properties(context: Context, operation: Operation) -> Iterator[Finding]:
    """Report inherent attributes in the dictionary of a generic transform operation, which main reads as others."""
    text, attributes = context.section.text, operation.syntax.attributes
    operands_end = text.find(")", operation.location.end) + 1
    is_read = text.startswith("<", after_blanks(text, operands_end))
    meant = next(filter(context.catalogue.is_at_target, context.catalogue.variants(operation.name)), None)
    moved = [each for each in attributes if meant is not None and each.name in _attributes(meant) | {_SIZES}]
    if meant is None or not moved or is_read or not is_transform_name(operation.name):
        return
    properties = [text[each.start : each.end] for each in moved if each.name != _SIZES]
    rest = [text[each.start : each.end] for each in attributes if each not in moved]
    sizes = _sizes(context.catalogue, operation, meant)
    properties += [f"{_SIZES} = array<i32: {', '.join(sizes)}>"] if sizes else []
    opened, closed = text.rfind("{", 0, attributes[0].start), text.find("}", attributes[-1].end) + 1
    edits = (
        SectionEdit(Span(operands_end, operands_end), f" <{{{', '.join(properties)}}}>"),
        SectionEdit(Span(len(text[:opened].rstrip()), closed), f" {{{', '.join(rest)}}}" if rest else ""),
    )
    message = f"LLVM main reads `{moved[0].name}` of `{operation.name}` in `<{{...}}>` only"
    fixes = (SectionFix("Write as a property", edits, safe=True),) if sizes is not None else ()
    yield Finding(RULE.name, RULE.level, message, operation.location, fixes=fixes)


def _sizes(catalogue: Catalogue, operation: Operation, meant: OperationDefinition) -> list[str] | None:
    """Return the sizes of groups of operands in the target, none if they are not written; None for an unknown order."""
    given = re.findall(r"(?<!\d)\d+(?=[,>\s])", (operation.spelled(_SIZES) or "").partition(":")[2])
    fitting = (each for each in catalogue.variants(operation.name) if len(each.operands) == len(given))
    written = next(fitting, None)
    if not given or written is None:
        return None if given else []
    sizes = {operand.name: size for operand, size in zip(written.operands, given, strict=True) if size != "0"}
    names = [operand.name for operand in meant.operands]
    return [sizes.get(name, "0") for name in names] if sizes.keys() <= set(names) else None


def _former_payload(context: Context, operation: Operation) -> Iterator[Finding]:
    """Report a payload operation that got another name before the versions of the facts."""
    catalogue, rename = context.catalogue, context.catalogue.renamed(operation.name)
    if rename is None or is_transform_name(operation.name) or catalogue.variants(operation.name):
        return
    message = f"`{operation.name}` exists up to LLVM {rename.last_version} only"
    fixes: tuple[SectionFix, ...] = ()
    if rename.name is not None and _is_at_target(catalogue, rename.name):
        message += f"; it is now called `{rename.name}`"
        edit = SectionEdit(name_of(operation), rename.name)
        fixes = (SectionFix(f"Rename to `{rename.name}`", (edit,), safe=rename.keeps_meaning),)
    yield Finding(RULE.name, RULE.level, message, operation.location, help=rename.note or None, fixes=fixes)


def _has_dialect(catalogue: Catalogue, name: str) -> bool:
    """Whether the target has the dialect; a project may have one named like a former or later upstream one."""
    return bool(catalogue.operation_names(name.partition(".")[0]))


def _absent(context: Context, operation: Operation, definition: OperationDefinition) -> Finding:
    """Report an operation that only other versions have, with its name in the target if there is one."""
    catalogue, span = context.catalogue, operation.location
    message = f"LLVM {version_name(catalogue.target or 0)} has no operation `{operation.name}`"
    rename, help_text = _renamed(catalogue, definition), replacement(catalogue, definition)
    if rename.name is None:
        fixes = _replacing(catalogue, rename, span, rename.payload) or _in_parts(context, operation)
        if operation.name in FORMER and _is_at_target(catalogue, ELEMENTWISE):
            former = in_form_of_target(context, operation)
            fixes = (former,) if former is not None else ()
            help_text += f"; {ELEMENTWISE} replaced it, for operands and results of one element type and shape"
        return Finding(RULE.name, RULE.level, message, span, help=help_text, fixes=fixes, tag=Tag.DEPRECATED)
    meant = next(filter(catalogue.is_at_target, catalogue.variants(rename.name)))
    fix: SectionFix | str | None = renaming(context, operation, rename)
    if not is_transform_name(operation.name) and meant.assembly_format != definition.assembly_format:
        fix = respelling(context, operation, definition, meant)
    message += f"; there it is called `{rename.name}`"
    note = rename.note or None
    return _rewritten(Finding(RULE.name, RULE.level, message, span, help=note, tag=Tag.DEPRECATED), fix)


def _rewritten(finding: Finding, fix: SectionFix | str | None) -> Finding:
    """Return the finding with its fix, or with the reason why there is none."""
    if isinstance(fix, str):
        return replace(finding, notes=(SectionNote(f"it is not rewritten: {fix}", finding.span),))
    return replace(finding, fixes=(fix,)) if fix is not None else finding


def replacement(catalogue: Catalogue, definition: OperationDefinition) -> str:
    """Return what the target has in place of an operation that it lacks, else which versions have the operation."""
    rename = _renamed(catalogue, definition)
    there = f"there it is called `{rename.name}`" if rename.name is not None else ""
    return "; ".join(filter(None, (there, rename.note))) or f"{_versions(catalogue.variants(definition.name))} it"


def _replacing(catalogue: Catalogue, rename: Rename, place: Span, text: str) -> tuple[SectionFix, ...]:
    """Return the fix that writes `text` for the name of a removed payload operation where the target has that."""
    name = rename.payload.partition(" ")[0]
    if not name or not _is_at_target(catalogue, name):
        return ()
    return (SectionFix(f"Replace by `{rename.payload}`", (SectionEdit(place, text),), safe=True),)


def _in_parts(context: Context, operation: Operation) -> tuple[SectionFix, ...]:
    """Return the fix that writes the operations that together do the same, each on a line, if the target has them."""
    syntax = operation.syntax
    changed = next((change for change in changes_of(operation.name) if change.parts), None)
    if changed is None or not all(_is_at_target(context.catalogue, name) for name in changed.parts):
        return ()
    name, value = changed.parts_with
    attribute = syntax.attribute(name)
    lines = own_lines(context.section.text, syntax.span)
    is_whole = syntax.form is Form.EXACT and context.section.text.startswith(operation.name, syntax.start)
    if attribute is None or (attribute.value or "").strip('"') != value or lines is None or not is_whole:
        return ()
    rest = context.section.text[syntax.start + len(operation.name) : syntax.end]
    indent = context.section.text[lines.start : syntax.start]
    text = f"\n{indent}".join(part + rest for part in changed.parts)
    title = f"Replace by {', '.join(f'`{part}`' for part in changed.parts)}"
    return (SectionFix(title, (SectionEdit(syntax.span, text),), safe=True),)


def _matching(context: Context, operation: Operation, spelled: SpelledName, rename: Rename) -> tuple[SectionFix, ...]:
    """Return the fix that searches for the replacements of a removed payload operation.

    A type has only the name. A search for several names would need an attribute for one of them alone.
    """
    if rename.name is not None and rename.keeps_meaning and _is_at_target(context.catalogue, rename.name):
        edit = SectionEdit(spelled.span, rename.name)
        return (SectionFix(f"Change to `{rename.name}`", (edit,), safe=True),)
    name = rename.payload.partition(" ")[0]
    fixes = _replacing(context.catalogue, rename, spelled.span, name)
    attribute = next(
        (each for each in operation.syntax.attributes if each.start <= spelled.span.start < each.end), None
    )
    if not fixes or attribute is None or not rename.matched:
        return fixes
    text = context.section.text
    end = after_blanks(text, attribute.span.end)
    is_alone = attribute.value is not None and attribute.value.strip("[] \n") == f'"{spelled.name}"'
    follows = text[after_blanks(text, end + 1) :]
    if not is_alone or not text.startswith("}", end) or not follows.startswith("in "):
        return ()
    edits = (*fixes[0].edits, SectionEdit(Span(end + 1, end + 1), f" attributes {{{rename.matched}}}"))
    return (replace(fixes[0], edits=edits),)


def _renamed(catalogue: Catalogue, definition: OperationDefinition) -> Rename:
    """Return the rename of an operation in the target; without a new name if none is known there."""
    rename = catalogue.renamed(definition.name)
    if rename is not None and (catalogue.target or newest_version()) > rename.last_version:
        return rename if rename.name and _is_at_target(catalogue, rename.name) else replace(rename, name=None)
    former = next((name for name in definition.former_names if _is_at_target(catalogue, name)), None)
    forth = catalogue.renamed(former) if former is not None else None
    if forth is None:
        return Rename(definition.name, former, max(definition.versions, default=0))
    note = f"in later versions {forth.note}" if forth.note else ""
    is_more = bool(forth.adds or forth.attributes or forth.keyword or forth.first_result_last or forth.by_hand)
    return Rename(definition.name, former, forth.last_version, note, by_hand=is_more)


def _is_at_target(catalogue: Catalogue, name: str) -> bool:
    return any(map(catalogue.is_at_target, catalogue.variants(name)))


def _former(context: Context, operation: Operation, definition: OperationDefinition) -> OperationDefinition | None:
    """Return the definition that fits an operation whose spelling the target has, too, with other parts."""
    catalogue, ignored = context.catalogue, _ignored(context, operation, definition)
    if operation.syntax.form is not Form.EXACT:
        return definition if ignored else None
    if not ignored and (not changes_of(operation.name) or _fits(operation, definition)):
        return None
    others = [variant for variant in catalogue.variants(operation.name) if not catalogue.is_at_target(variant)]
    others += catalogue.older(operation.name)
    others.sort(key=lambda variant: variant.assembly_format != definition.assembly_format)
    fitting = (variant for variant in others if _fits(operation, variant) and ignored <= _attributes(variant))
    return next(fitting, definition if ignored else None)


def _ignored(context: Context, operation: Operation, definition: OperationDefinition) -> set[str]:
    """Return the names of attributes that count in other versions, while one with `definition` reads and ignores them.

    Where operands took over a name, the attribute of that name has become another one, too. Of payload, keywords count.
    """
    if "FunctionOpInterface" in definition.traits:  # all its attributes are in a dictionary, which takes any
        return set()
    attributes = operation.syntax.attributes
    words = [each for each in attributes if each.value is None and each.start == each.value_start]
    words = [each for each in words if not context.section.text[: each.start].rstrip().endswith(("{", ","))]
    given = attributes if is_transform_name(operation.name) else words
    unknown = {each.name for each in given} - _attributes(definition)
    if not unknown:
        return set()
    variants = (*context.catalogue.variants(operation.name), *context.catalogue.older(operation.name))
    operands = {f"static_{each.name}": each.name for each in definition.operands}
    former = {operands[name] for name in operands.keys() & _attributes(definition)}
    former.update(context.catalogue.former_attributes(operation.name), *map(_attributes, variants))
    return unknown & former


def _attributes(definition: OperationDefinition) -> set[str]:
    return {attribute.name for attribute in definition.attributes}


def _fits(operation: Operation, definition: OperationDefinition) -> bool:
    """Whether an operation has as many results as its definition, and the attributes that this needs."""
    syntax = operation.syntax
    types = syntax.result_count if syntax.results else len(syntax.result_types or ())
    is_fixed = all(result.arity is Arity.ONE for result in definition.results)
    if is_fixed and (syntax.results or syntax.result_types is not None) and types != len(definition.results):
        return False
    for attribute in definition.attributes:
        given = syntax.attribute(attribute.name)
        is_needed = not attribute.optional and attribute.default is None and attribute.constraint != "UnitAttr"
        is_needed &= not attribute.name.startswith("static_")  # which an operand may give
        if given is None and is_needed:
            return False
        opened = _OPENED_BY.get(attribute.constraint, "")
        if given is not None and given.value is not None and not given.value.startswith((opened, "#")):
            return False
    return True


def _changed(
    context: Context, operation: Operation, written: OperationDefinition, meant: OperationDefinition
) -> Finding:
    """Report an operation in a form that no definition of the target has."""
    catalogue = context.catalogue
    alike = [written]  # where the forms are the same, it has other results
    if written.assembly_format != meant.assembly_format:
        text, dialect = context.section.text[slice(*operation.span)], default_dialect(context, operation)
        others = [each for each in catalogue.variants(operation.name) if not catalogue.is_at_target(each)]
        fitting = (each for each in others if _fits(operation, each))
        alike = [each for each in fitting if is_read_as(text, dialect, each, context.catalogue)] or [written]
    versions = version_ranges({version for variant in alike for version in variant.versions})
    target = version_name(catalogue.target or 0)
    format_ = " ".join((meant.assembly_format or "").split())
    loose = _in_dictionary(context, operation, meant)
    is_complete = all(f"${name[1:-1]}" in format_ for name in loose)
    help_text = f"LLVM {target} writes `{operation.name} {format_}`" if format_ and is_complete else None
    message = f"`{operation.name}` is written as in {versions} here, and not as in LLVM {target}"
    if written is meant:
        message = f"`{operation.name}` is written as in another version here, and not as in LLVM {target}"
        if loose:
            message = f"LLVM {target} reads {enumerated(loose)} of `{operation.name}` outside of its dictionary only"
    ignored = _ignored(context, operation, meant)
    lacking = [f"no `{name}`" for name in sorted(ignored | (_used(operation) & _members(written) - _members(meant)))]
    if lacking:
        message += f", which has {enumerated(lacking)}"
        later = dict(pair for change in changes_of(operation.name) for pair in change.names)
        known = [
            f"`{name}` is called `{later[name]}` there"
            for name in sorted(ignored & later.keys())
            if later[name] in _attributes(meant)
        ]
        help_text = "; ".join(filter(None, (*known, help_text)))
    is_read = bool(ignored) and operation.definition is meant and _fits(operation, meant)
    is_read = is_read and is_transform_name(operation.name)
    level = Level.WARNING if is_read else RULE.level
    finding = Finding(RULE.name, level, message, operation.location, help=help_text)
    return _rewritten(finding, respelling(context, operation, written, meant))


def _in_dictionary(context: Context, operation: Operation, definition: OperationDefinition) -> list[str]:
    """Return the inherent attributes in the dictionary of a format, where main does not read them, in code spans."""
    text, syntax = context.section.text, operation.syntax
    is_upstream = definition.versions and definition.assembly_format is not None
    if not (is_upstream and _is_strict(context.catalogue)) or syntax.form is not Form.EXACT:
        return []
    inherent = {each.name for each in definition.attributes if each.spelling is not AttributeSpelling.PROPERTY}
    names, end = [], -1
    for attribute in sorted(syntax.attributes, key=lambda each: each.start):
        before = text[syntax.start : attribute.start].rstrip()
        is_entry = before.endswith("{") and not before.endswith("<{")
        if is_entry or (end >= 0 and text[end : attribute.start].strip() == ","):
            end = attribute.end
            if attribute.name in inherent and text.startswith(attribute.name, attribute.start):
                names.append(f"`{attribute.name}`")
    return names


def _is_strict(catalogue: Catalogue) -> bool:
    """Whether the target reads inherent attributes as properties only."""
    return (catalogue.target or 0) >= version_since("strict-properties")


def _used(operation: Operation) -> set[str]:
    """Return the names of the given operands and attributes."""
    groups = operation.syntax.operand_groups or {}
    operands = {name for name, (start, end) in groups.items() if start < end}
    return operands | {attribute.name for attribute in operation.syntax.attributes}


def _members(definition: OperationDefinition) -> set[str]:
    return {operand.name for operand in definition.operands} | _attributes(definition)


def _absent_kinds(context: Context) -> Iterator[Finding]:
    """Report dialect types and attributes that only other versions have."""
    catalogue, text = context.catalogue, context.section.text
    tokens = scan(text)
    for index, kind in enumerate(tokens.kinds):
        if kind not in (TYPE, ATTRIBUTE):
            continue
        span = Span(tokens.starts[index], tokens.ends[index])
        name = text[span.start + 1 : span.end]
        variants: Sequence[VersionedDefinition] = (
            catalogue.type_variants(name) if kind == TYPE else catalogue.attribute_kind_variants(name)
        )
        if variants and not any(map(catalogue.is_at_target, variants)) and _has_dialect(catalogue, name):
            noun = "type" if kind == TYPE else "attribute"
            message = f"LLVM {version_name(catalogue.target or 0)} has no {noun} `{text[span.start : span.end]}`"
            yield Finding(RULE.name, RULE.level, message, span, help=f"{_versions(variants)} it")
        elif kind == ATTRIBUTE:
            yield from _enumeration(catalogue, tokens, index)
        elif name in _QUANTIZED and _FLOAT.match(tokens.spellings[index + 2]):
            since = version_since("quantized-floats")
            if (catalogue.target or 0) < since:
                message = (
                    f"`{tokens.spellings[index + 2]}` is stored by `!{name}` since LLVM {version_name(since)} only"
                )
                yield Finding(RULE.name, RULE.level, message, span)


def _enumeration(catalogue: Catalogue, tokens: Tokens, index: int) -> Iterator[Finding]:
    """Report an enumeration of LLVM that the target writes in another way: `#gpu<dim x>`, or `#gpu.dim<x>`."""
    end = tokens.partners.get(index + 1, -1)
    if tokens.kinds[index + 1] != "<" or tokens.starts[index + 1] != tokens.ends[index] or end < 0:
        return
    span = Span(tokens.starts[index], tokens.ends[end])
    name, is_bracketed = tokens.spellings[index][1:], True
    case = tokens.text[tokens.ends[index + 1] : tokens.starts[end]]
    if "." not in name:
        word, _, case = case.strip().partition(" ")
        name, is_bracketed = f"{name}.{word}", False
    kinds = [each for each in catalogue.attribute_kind_variants(name) if each.versions and catalogue.is_at_target(each)]
    formats = {each.assembly_format for each in kinds if each.enumerated}
    if formats not in ({"$value"}, {_BRACKETED}):
        return
    if is_bracketed is (_BRACKETED in formats) or case.strip() not in kinds[0].enumerated:
        return
    dialect, _, word = name.partition(".")
    right = f"#{dialect}<{word} {case.strip()}>" if is_bracketed else f"#{name}<{case.strip()}>"
    version = version_name(catalogue.target or 0)
    message = f"LLVM {version} does not read `{tokens.text[span.start : span.end]}`"
    fix = SectionFix(f"Write as in LLVM {version}", (SectionEdit(span, right),), safe=True)
    yield Finding(RULE.name, RULE.level, message, span, help=f"write `{right}`", fixes=(fix,))


def _versions(definitions: Iterable[VersionedDefinition]) -> str:
    """Return the versions that have one of `definitions`, as the beginning of a sentence."""
    known = sorted({version for definition in definitions for version in definition.versions})
    return f"{version_ranges(known)} {'has' if len(known) == 1 else 'have'}"


RULE: Final = Rule("not-in-target-llvm", find=find, target_llvm=22, fix=FixKind.UNSAFE)
