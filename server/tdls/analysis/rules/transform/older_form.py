"""The rule `older-form`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits import in_present_form
from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.older_forms import older_forms, removed_before
from tdls.analysis.rule import Rule
from tdls.catalogue.shipped import shipped_source
from tdls.text.diagnostic import Tag
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report the first operation of a script that is written for LLVM 16 to 18, if its name still exists."""
    forms = older_forms(context)
    if not forms.is_script or removed_before(context, forms.operations[0]) is not None:
        return
    first = forms.operations[0]
    oldest = shipped_source().llvm_versions[0]
    message = f"`{first.name}` is written as in {forms.named} here; LLVM {oldest} and newer do not read it"
    fix, notes = in_present_form(context, forms.operations, forms.alike)
    yield Finding(
        RULE.name,
        RULE.level,
        message,
        first.location,
        notes,
        help="; ".join(filter(None, (forms.others, "`tdls migrate` brings the file to a newer version"))),
        fixes=(fix,) if fix is not None else (),
        tag=Tag.DEPRECATED,
    )


RULE: Final = Rule(
    code="TD232",
    name="older-form",
    level=Level.ERROR,
    summary="The script is written for LLVM 16, 17 or 18",
    documentation="""\
Until LLVM 19 many transform operations were written in another way: handles had no types in LLVM 16,
`vectorize` returned a handle in LLVM 17, and the sizes of `tile_using_for` had no keyword in LLVM 18.
LLVM 19 and newer do not read such a script. It gets this finding once, at the first such operation. The
message names the versions that read all operations of the script, as far as tdls knows them. Handles are
checked as in any other script.

A script that uses forms of later versions, too, gets a `syntax-error` at each older one instead.

**Fix:** write the operations as later versions do, as `tdls migrate` does where their meaning is certain;
`tdls catalogue show OP` prints the format of one.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %loops = transform.structured.vectorize %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %loops = transform.structured.vectorize_children_and_apply_patterns %root
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    find=find,
)
