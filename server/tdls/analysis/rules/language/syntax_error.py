"""The rule `syntax-error`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.older_forms import older_forms
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report the text that the parser could not read."""
    problems = list(context.tree.problems())
    forms = older_forms(context) if problems else None
    older = [operation.syntax.span for operation in forms.operations] if forms and forms.is_script else []
    for problem in problems:
        span = problem.span
        if any(form.start <= span.start and span.end <= form.end for form in older):
            continue
        subject = concerns_of(context).at(span, is_certain=problem.is_certain)
        yield Finding(RULE.name, RULE.level, problem.message, span, help=problem.help, subject=subject)


RULE: Final = Rule(
    code="TD001",
    name="syntax-error",
    level=Level.ERROR,
    summary="The text is not MLIR",
    documentation="""\
MLIR cannot read the file at all, so nothing in it can run. tdls reads on behind the mistake:
everything outside the damaged operation is still understood and checked.

Operations that no catalogue describes are read by their structure alone (values, types, regions,
attributes), so an unknown dialect is not a syntax error. For operations with a known assembly
format the format counts, and the message says what it asks for at this place.

In payload a text that does not fit is reported only if no version of MLIR can read it: brackets do not
pair, a string has an unknown escape, or one slip of the keyboard separates it from a form that is
known. The setting `payload-syntax` changes that.

**Fix:** write what the message expects. `tdls catalogue show OP` prints the format of an operation.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
)
