"""The rule `unknown-transform-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits import in_present_form
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.older_forms import older_forms, removed_before
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import is_transform_name
from tdls.text.diagnostic import Tag
from tdls.text.similarity import is_slip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.meaning.older_forms import OlderForms
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report names that upstream removed or renamed, or that look like a slip of an upstream name.

    Another unknown name may be that of a project's own operation and is not reported. Nothing is reported while the
    project is being read.
    """
    if not context.catalogue.is_complete:
        return
    forms = older_forms(context)
    of_older = forms.operations[1:] if forms.is_script else ()
    if forms.is_script and removed_before(context, forms.operations[0]) is None:
        of_older = forms.operations
    for operation in operations:
        if operation in of_older:
            continue
        finding = _renamed(context, operation, forms) or _misspelled(context, operation)
        if finding is not None:
            yield finding


def _renamed(context: Context, operation: Operation, forms: OlderForms) -> Finding | None:
    rename = removed_before(context, operation)
    if rename is None:
        return None
    message = f"`{operation.name}` exists up to LLVM {rename.last_version} only"
    is_script = forms.is_script and operation is forms.operations[0]
    help_text = "; ".join(filter(None, (rename.note, forms.others if is_script else ""))) or None
    if rename.name is not None:
        message += f"; it is now called `{rename.name}`"
    older = (forms.operations, forms.alike) if is_script else ([operation], ())
    fix, notes = in_present_form(context, *older)
    fixes = (fix,) if fix is not None else ()
    return Finding(RULE.name, RULE.level, message, operation.location, notes, help_text, fixes, Tag.DEPRECATED)


def _misspelled(context: Context, operation: Operation) -> Finding | None:
    if operation.definition is not None:
        return None
    meant = (name for name in context.catalogue.similar(operation.name) if is_transform_name(name))
    stem = operation.name.removesuffix(_SUFFIX)
    is_known = stem != operation.name and context.catalogue.operation(stem) is not None
    similar = stem if is_known else next((name for name in meant if is_slip(operation.name, name)), None)
    if similar is None:
        return None
    fix = SectionFix(f"Change to `{similar}`", (SectionEdit(operation.location, similar),))
    message = f"unknown transform operation `{operation.name}`"
    return Finding(RULE.name, RULE.level, message, operation.location, help=f"did you mean `{similar}`?", fixes=(fix,))


_SUFFIX = "_op"
"""The end of names in Python, as ``Op`` is that of names in C++."""


RULE: Final = Rule("unknown-transform-operation", check=check, fix=FixKind.UNSAFE)
