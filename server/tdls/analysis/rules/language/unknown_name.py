"""The rule `unknown-name`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.meaning.unknown_names import is_extended
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import AttributeKindDefinition
from tdls.catalogue.shipped import shipped_source
from tdls.semantic.types import DIALECT_NAME
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.text.similarity import SimilarNames, likeness
from tdls.text.span import Span
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import TypeDefinition
    from tdls.syntax.scanner import Tokens

_SLIP = 0.8
"""The least likeness of a misspelled name in a dialect that a project extends."""
_BEGUN = 4
"""The least length of a name that the written one goes on from: ``any_op`` in ``any_operation``."""
_FEW = 4
"""In a dialect with so few names, other names are more likely those of another dialect that is called the same."""
_MOST_LISTED = 16
_PARAM = "!transform.param"
_OPENING = ("`<`", "```<`")
"""How the formats of attributes and types with parameters begin; an empty literal stands for no space."""
_ALONE = re.compile(r"\(?`<` \$\w+\^? `>`(?:\)\?)?", re.ASCII)
"""The format of a kind with one parameter, which may be left out."""
_INTEGERS = frozenset({"unsigned", "int", "int64_t", "uint64_t"})
_WORD = re.compile(r'([\w.]+)|"([^"\\\n]*)"|[^\s,|]', re.ASCII)
"""A keyword of an enumeration, also in quotes; anything else that separates nothing."""


class _Words(NamedTuple):
    message: str
    span: Span
    help: str | None
    meant: str | None


def find(context: Context) -> Iterator[Finding]:
    """Report names of types and attributes that their dialect, one of upstream's, has in no version."""
    catalogue = context.catalogue
    text = context.section.text
    names = {(match[0], text.startswith("<", match.end())) for match in DIALECT_NAME.finditer(text)}
    if not names or not catalogue.is_complete:
        return
    if not any(catalogue.ask(may_be_wrong, name, has_body) for name, has_body in names):
        return
    similar = SimilarNames(0.6)
    for tokens, index in _names(context):
        variants = _variants(catalogue, tokens.spellings[index])
        words = _wrong_body(tokens, index, variants, similar) if variants else _unknown(context, tokens, index, similar)
        if words is None:
            continue
        if context.is_in_template or context.is_in_other_text:  # asks about other sections, so only where it matters
            return
        fixes: tuple[SectionFix, ...] = ()
        if words.meant is not None:
            fixes = (SectionFix(f"Change to `{words.meant}`", (SectionEdit(words.span, words.meant),)),)
        subject = concerns_of(context).at(words.span, is_certain=True)
        yield Finding(RULE.name, RULE.level, words.message, words.span, help=words.help, fixes=fixes, subject=subject)


def _names(context: Context) -> Iterator[tuple[Tokens, int]]:
    """Yield the names of types and attributes, without those in the bodies of other dialects, which read them."""
    tokens = scanner.scan(context.section.text)
    index = -1
    while index + 1 < tokens.count:
        index += 1
        if tokens.kinds[index] not in (scanner.TYPE, scanner.ATTRIBUTE):
            continue
        dialect, dot, _ = tokens.spellings[index][1:].partition(".")
        if context.catalogue.ask(names_of, tokens.kinds[index], dialect):
            if dot and is_upstream(dialect):
                yield tokens, index
        elif tokens.kinds[index + 1] == "<" and tokens.starts[index + 1] == tokens.ends[index]:
            index = max(tokens.partners.get(index + 1, index), index)


def names_of(catalogue: Catalogue, sigil: str, dialect: str) -> tuple[str, ...]:
    """Return the names of types (``!``) or attributes (``#``) that a dialect has, of LLVM and of the project."""
    return catalogue.type_names(dialect) if sigil == scanner.TYPE else catalogue.attribute_kind_names(dialect)


def may_be_wrong(catalogue: Catalogue, spelled: str, has_body: bool) -> bool:
    """Whether a name is not known, lacks its parameters, or is that of an attribute whose ones are looked at."""
    if catalogue.lacks(spelled):
        return True
    variants = _variants(catalogue, spelled)
    if spelled[0] == scanner.TYPE and has_body:
        return bool(_only_integer(variants))
    return any((variant.assembly_format or "").startswith(_OPENING) for variant in variants)


def _variants(catalogue: Catalogue, spelled: str) -> Sequence[TypeDefinition | AttributeKindDefinition]:
    if spelled[0] == scanner.TYPE:
        return catalogue.type_variants(spelled[1:])
    return catalogue.attribute_kind_variants(spelled[1:])


def _unknown(context: Context, tokens: Tokens, index: int, similar: SimilarNames) -> _Words | None:
    sigil, (dialect, _, name) = tokens.kinds[index], tokens.spellings[index][1:].partition(".")
    kind = "type" if sigil == scanner.TYPE else "attribute"
    span = Span(tokens.starts[index], tokens.ends[index])
    names = [known.partition(".")[2] for known in context.catalogue.ask(names_of, sigil, dialect)]
    prefix = f"{sigil}{dialect}."
    if not name:
        return _Words(f"expected the name of the {kind} after `{prefix}`", span, None, None)
    begun = [known for known in names if name.startswith(known) and len(known) >= _BEGUN]
    meant = max(begun, key=len) if begun else similar.to(name, (names,))
    is_slip = meant is not None and likeness(name, meant) >= _SLIP
    others = (operation.name for operation in context.model.walk() if operation.definition is None)
    is_own = context.catalogue.ask(is_extended, dialect) or any(other.startswith(f"{dialect}.") for other in others)
    if (is_own and not is_slip) or (meant is None and len(names) <= _FEW):
        return None
    message = f"the dialect `{dialect}` has no {kind} `{prefix}{name}`"
    if (rename := context.catalogue.renamed(f"{prefix}{name}")) is not None:
        return _Words(message, span, rename.note, None)
    if meant is None:
        return _Words(message, span, _listed([f"{prefix}{each}" for each in names]), None)
    return _Words(message, span, f"did you mean `{prefix}{meant}`?", f"{prefix}{meant}")


def is_upstream(dialect: str) -> bool:
    """Whether LLVM has types or attributes of a dialect; those of a project's own dialects may be anything."""
    source = shipped_source()
    return bool(source.types.names(dialect) or source.attribute_kinds.names(dialect))


def _listed(names: Sequence[str]) -> str | None:
    return f"it has {enumerated([f'`{name}`' for name in names])}" if len(names) <= _MOST_LISTED else None


def _wrong_body(
    tokens: Tokens,
    index: int,
    variants: Sequence[TypeDefinition | AttributeKindDefinition],
    similar: SimilarNames,
) -> _Words | None:
    """Return what is wrong with the parameters in ``<...>``, where the formats of all versions tell."""
    spelled = tokens.spellings[index]
    if (name := _only_integer(variants)) and tokens.kinds[index + 1] == "<":
        return _not_an_integer(tokens, index, name)
    formats = {variant.assembly_format for variant in variants}
    if any(variant.custom_assembly for variant in variants) or not all(
        (form or "").startswith(_OPENING) for form in formats
    ):
        return None
    end, closer = tokens.ends[index], tokens.partners.get(index + 1, -1)
    if tokens.kinds[index + 1] != "<":
        message = f"`{spelled}` lacks its parameters"
        wanted = f"write `{spelled}<...>`" + (", such as `!transform.param<i64>`" if spelled == _PARAM else "")
        return _Words(message, Span(tokens.starts[index], end), wanted, None)
    if closer < index + 3 or any(len(variant.parameters) != 1 for variant in variants):
        return None
    cases = {
        case: None
        for variant in variants
        if isinstance(variant, AttributeKindDefinition)
        for case in variant.enumerated
    }
    if not cases:
        return None
    for written in _WORD.finditer(tokens.text, tokens.starts[index + 2], tokens.ends[closer - 1]):
        word = written[1] or written[2]
        if word is None:
            return None
        if word not in cases:
            meant = similar.to(word, (cases,))
            message = f"`{spelled}` has no value `{word}`"
            help_text = _listed(list(cases)) or (f"did you mean `{meant}`?" if meant is not None else None)
            return _Words(message, Span(*written.span(1 if written[1] else 2)), help_text, meant)
    return None


def _only_integer(variants: Sequence[TypeDefinition | AttributeKindDefinition]) -> str:
    """Return the name of the parameter of an upstream kind that has only one, an integer; "" for another kind."""
    parameters = [variant.parameters for variant in variants]
    is_upstream_kind = all(variant.versions and _ALONE.fullmatch(variant.assembly_format or "") for variant in variants)
    is_integer = all(len(each) == 1 and each[0].type in _INTEGERS for each in parameters)
    return parameters[0][0].name if variants and is_upstream_kind and is_integer else ""


def _not_an_integer(tokens: Tokens, index: int, name: str) -> _Words | None:
    """Return what is wrong with a type in place of an integer, as the element of a pointer up to LLVM 16."""
    if (
        tokens.kinds[index + 2] not in (scanner.IDENTIFIER, scanner.TYPE)
        or tokens.starts[index + 1] != tokens.ends[index]
    ):
        return None
    spelled, written = tokens.spellings[index], tokens.spellings[index + 2]
    message = f"the parameter `{name}` of `{spelled}` is an integer, not `{written}`"
    span = Span(tokens.starts[index + 2], tokens.ends[index + 2])
    return _Words(message, span, None, None)


RULE: Final = Rule("unknown-name", find=find, fix=FixKind.UNSAFE, holds_for_any_definition=True)
