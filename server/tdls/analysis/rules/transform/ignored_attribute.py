"""The rule `ignored-attribute`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.analysis.verifying.attributes import has_place, is_in_dictionary
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import version_name
from tdls.syntax.tree import Form
from tdls.text.level import Level
from tdls.text.similarity import is_typing_error
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute

_FEWEST_LETTERS: Final = 4
"""Shorter names are one letter away from too many."""
_KEYWORD = re.compile(r"`(\w+)`", re.ASCII)


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report attributes in dictionaries of upstream's operations that seem to mean one of the operation's own."""
    for operation in operations:
        definition, syntax = operation.definition, operation.syntax
        if definition is None or not definition.versions or not is_transform_name(operation.name) or syntax.broken:
            continue
        if not syntax.attributes or syntax.form is Form.STRUCTURAL:
            continue
        variants = context.catalogue.counting(operation.name)
        own = {attribute.name for variant in variants for attribute in variant.attributes}
        if context.catalogue.target is None:
            own.update(context.catalogue.former_attributes(operation.name))
        for attribute in syntax.attributes:
            if "." in attribute.name or not is_in_dictionary(context, operation, attribute):
                continue
            if attribute.name not in own:
                yield from _ignored(context, operation, attribute, variants)
            elif context.catalogue.target is None:
                yield from _ignored_by_newer(operation, attribute, variants)


def _ignored(
    context: Context, operation: Operation, attribute: NamedAttribute, variants: Sequence[OperationDefinition]
) -> Iterator[Finding]:
    """Report an attribute with the name of an operand, of a clause or of a former attribute, or nearly such a name.

    An attribute of other versions than the target's is another form, which `not-in-target-llvm` reports.
    """
    name, newest = attribute.name, operation.definition or variants[0]
    own = [each.name for each in newest.attributes]
    clauses = [each.name for each in newest.operands] + _KEYWORD.findall(newest.assembly_format or "")
    former = {each.name for variant in context.catalogue.variants(operation.name) for each in variant.attributes}
    former.update(context.catalogue.former_attributes(operation.name))
    if name in former and context.catalogue.target is not None:
        return
    is_generic = operation.syntax.form is Form.GENERIC
    near = next((each for each in own if _is_near(name, each, is_generic=is_generic)), None)
    clause = next((each for each in clauses if each == name or _is_near(name, each)), None)
    if near is None and clause is None and name not in former:
        return
    form = newest.assembly_format if not is_generic else None
    in_format = form is not None and near is not None and has_place(form, near)
    span = Span(attribute.start, attribute.start + len(name))
    is_quoted = not context.section.text.startswith(name, attribute.start)
    fixes: tuple[SectionFix, ...] = ()
    if near is not None and not in_format and not operation.has_attribute(near) and not is_quoted:
        fixes = (SectionFix(f"Change to `{near}`", (SectionEdit(span, near),)),)
    yield Finding(
        RULE.name,
        RULE.level,
        f"`{operation.name}` has no attribute `{name}`: MLIR ignores it",
        attribute.span,
        help=_meant(newest, near, clause, form) if in_format or near is None else f"did you mean `{near}`?",
        fixes=fixes,
    )


def _ignored_by_newer(
    operation: Operation, attribute: NamedAttribute, variants: Sequence[OperationDefinition]
) -> Iterator[Finding]:
    """Report, as possible, an attribute that only older versions have: the script may be for one of these."""
    name = attribute.name
    having = {
        version for each in variants if any(own.name == name for own in each.attributes) for version in each.versions
    }
    lacking = sorted({version for each in variants for version in each.versions} - having)
    if lacking and max(having, default=0) < lacking[0]:
        message = (
            f"since LLVM {version_name(lacking[0])}, `{operation.name}` has no attribute `{name}`: MLIR ignores it"
        )
        newest = variants[0]
        clauses = [each.name for each in newest.operands] + _KEYWORD.findall(newest.assembly_format or "")
        form = newest.assembly_format if operation.syntax.form is not Form.GENERIC else None
        help_text = _meant(newest, None, name if name in clauses else None, form)
        yield Finding(RULE.name, Level.HINT, message, attribute.span, help=help_text)


def _is_near(name: str, own: str, *, is_generic: bool = False) -> bool:
    """Whether a name is another one but for a letter, for its separators, or for a word at its beginning or end.

    The generic form spells no attributes but an operation's own, so that short names are near, too.
    """
    if len(own) < _FEWEST_LETTERS:
        return is_generic and is_typing_error(name, own)
    if len(name) >= _FEWEST_LETTERS and (own.startswith(f"{name}_") or own.endswith(f"_{name}")):
        return True
    return is_typing_error(name, own) or name.replace("_", "").replace("-", "").casefold() == own.replace("_", "")


def _meant(definition: OperationDefinition, near: str | None, clause: str | None, form: str | None) -> str | None:
    """Return where the attribute, operand or clause that seems to be meant is written in the form of the operation."""
    name = near or clause
    if name is None:
        return None
    if form is None:
        is_operand = any(operand.name == name for operand in definition.operands)
        return f"`{name}` is an operand, which the generic form has in its parentheses" if is_operand else None
    before, separator, _ = form.partition(f"${name}")
    keywords = _KEYWORD.findall(before) if separator else []
    return f"write `{keywords[-1] if keywords else name} ...` before the dictionary: that is its form in the operation"


RULE: Final = Rule("ignored-attribute", check=check, fix=FixKind.UNSAFE, is_silent=True)
