"""The rule `older-form`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits import in_present_form
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.older_forms import older_forms, removed_before
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.llvm_versions import llvm_versions, older_versions
from tdls.text.diagnostic import Tag
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload as in LLVM 14, and the first operation that is written for LLVM 16 to 18."""
    for problem in context.tree.problems():
        if problem.new_name:
            fix = SectionFix(
                f"Change to `{problem.new_name}`", (SectionEdit(problem.span, problem.new_name),), safe=True
            )
            subject = concerns_of(context).at(problem.span, is_certain=True)
            yield Finding(RULE.name, RULE.level, problem.message, problem.span, fixes=(fix,), subject=subject)
    forms = older_forms(context)
    if not forms.is_script or removed_before(context, forms.operations[0]) is not None:
        return
    first = forms.operations[0]
    is_payload = not is_transform_name(first.name)
    if is_payload and forms.has_target:  # `not-in-target-llvm` reports it
        return
    last = max(forms.versions or older_versions()[-1:])
    later = next(version for version in llvm_versions() if version > last)
    message = f"`{first.name}` is written as in {forms.named} here; LLVM {later} and newer do not read it"
    present, notes = in_present_form(context, forms.operations, forms.alike)
    yield Finding(
        RULE.name,
        Level.HINT if is_payload else RULE.level,
        message,
        first.location,
        notes,
        help="; ".join(filter(None, (forms.others, "`tdls migrate` brings the file to a newer version"))),
        fixes=(present,) if present is not None else (),
        tag=Tag.DEPRECATED,
        subject=concerns_of(context).of(first, is_certain=not is_payload),
    )


RULE: Final = Rule("older-form", find=find)
