"""The rule `syntax-error`."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.older_forms import older_forms
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import FixKind, Rule
from tdls.syntax import scanner
from tdls.syntax.parser.parser import parse
from tdls.text.diagnostic import Subject
from tdls.text.level import Level
from tdls.text.similarity import most_similar
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import SyntaxProblem

_LONGEST = 2_000
"""Maximum length of an operation, in code points, to look for fixes in: each candidate reads it again."""
_MOST_FIXED = 5
"""Maximum number of errors of a section to look for fixes of."""
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_QUOTE = '"'
_SIGNS = frozenset("-=>:,.;")


def find(context: Context) -> Iterator[Finding]:
    """Report the text that the parser could not read."""
    different = {(problem.span, problem.message): problem for problem in context.tree.problems()}
    problems = [*different.values()]  # operations inside of each other may all end too early, at one place
    is_former = any(problem.message.endswith("found `func`") for problem in problems)  # a function before LLVM 15
    is_no_mlir = bool(problems) and not is_former and context.is_in_other_text and not context.is_in_template
    forms = older_forms(context) if problems else None
    older = [operation.syntax.span for operation in forms.operations] if forms and forms.is_script else []
    for number, problem in enumerate(problems):
        span = problem.span
        if any(form.start <= span.start and span.end <= form.end for form in older):
            continue
        subject = concerns_of(context).at(span, is_certain=problem.is_certain or is_no_mlir)
        is_fixed = subject is Subject.SCRIPT and number < _MOST_FIXED
        fixes = tuple(_fixes(context, problem)) if is_fixed else ()
        yield Finding(RULE.name, RULE.level, problem.message, span, help=problem.help, fixes=fixes, subject=subject)


def _fixes(context: Context, problem: SyntaxProblem) -> Iterator[SectionFix]:
    """Yield the first change of one token after which the operation around an error has fewer errors."""
    around = [operation for operation in context.model.walk() if operation.span.start <= problem.start]
    around = [operation for operation in around if problem.end <= operation.span.end]
    if not around:
        return
    operation = around[-1]
    spelled = context.tree.text[problem.start : problem.end]
    if operation.location == problem.span and operation.name.endswith(f".{spelled.strip(_QUOTE)}"):
        quote = _QUOTE if spelled.startswith(_QUOTE) else ""
        new = f"{quote}{operation.name}{quote}"
        yield SectionFix(f"Change to `{operation.name}`", (SectionEdit(problem.span, new),))
        return
    start, end = operation.span
    if end - start > _LONGEST:
        return
    text, dialect = context.tree.text, operation.name.partition(".")[0]

    def errors(content: str) -> int:
        tree = parse(content, context.catalogue, default_dialect=dialect, nested=True, looks_for_typos=False)
        return sum(1 for _ in tree.problems())

    before: int | None = None
    for place, new in _candidates(context, operation, problem):
        before = errors(text[start:end]) if before is None else before
        if errors(f"{text[start : place.start]}{new}{text[place.end : end]}") < before:
            title = f"Change to `{new}`" if place.start < place.end else f"Insert `{new.strip()}`"
            yield SectionFix(title, (SectionEdit(place, new),))
            return


def _candidates(context: Context, operation: Operation, problem: SyntaxProblem) -> Iterator[tuple[Span, str]]:
    """Yield changes that the assembly format of the operation suggests at an error: a place and its new text."""
    # Imported late: only files with errors need the parser of completion.
    from tdls.syntax.expected.at_cursor import expected_at
    from tdls.syntax.expected.model import AttributeValue, ExpectedLiteral, Operand

    text, (start, end) = context.tree.text, operation.span
    tokens = scanner.scan(text[start:end])
    first = bisect_left(tokens.starts, problem.start - start, hi=tokens.count)
    opener = first if text[problem.start] in _CLOSERS and tokens.starts[first] == problem.start - start else None
    closer = _missing_closer(tokens, opener) if opener is not None else None
    if opener is not None and opener not in tokens.partners and closer is None:
        return
    dialect = operation.name.partition(".")[0]
    found = text[problem.start : problem.end]
    arguments = (value for known in context.model.walk() for block in known.blocks() for value in block.arguments)
    values = (*arguments, *(value for known in context.model.walk() for value in known.results))
    names = {value.name.removeprefix("%") for value in values}
    for place in (problem.start, problem.end):
        expected = expected_at(text, place, context.catalogue, start=start, default_dialect=dialect, nested=True)
        literals = [one.text for one in expected.expectations if isinstance(one, ExpectedLiteral)]
        cases = [
            case
            for one in expected.expectations
            if isinstance(one, AttributeValue) and one.definition is not None
            for case in one.definition.cases
        ]
        similar = most_similar(found, [word for word in (*literals, *cases) if word.isidentifier()])
        if similar is not None:
            yield problem.span, similar
        if found in names and any(isinstance(one, Operand) for one in expected.expectations):
            yield problem.span, f"%{found}"
        for sign in (literal for literal in literals if not literal.isidentifier()):
            if place == problem.start and _SIGNS.issuperset(found):
                yield problem.span, sign
            yield Span(place, place), f"{sign} " if place == problem.start else sign
        types = [value.type for value in operation.operands if value is not None]
        if ":" in literals and types and None not in types:
            yield Span(problem.end, problem.end), f" : {', '.join(map(str, types))}"
    if closer is not None:
        yield Span(start + closer, start + closer), _CLOSERS[text[problem.start]]


def _missing_closer(tokens: scanner.Tokens, opener: int) -> int | None:
    """Return the offset of the first bracket behind the one at `opener` that closes a bracket of another kind."""
    stack: list[str] = []
    for kind, offset in zip(tokens.kinds[opener : tokens.count], tokens.starts[opener : tokens.count], strict=True):
        if kind in _CLOSERS:
            stack.append(_CLOSERS[kind])
        elif kind in _CLOSERS.values() and stack and stack.pop() != kind:
            return offset
    return None


RULE: Final = Rule(
    code="TD001",
    name="syntax-error",
    level=Level.ERROR,
    summary="The text is not MLIR",
    documentation="""\
MLIR cannot read the file at all, so nothing in it can run. tdls reads on behind the mistake:
everything outside the damaged operation is still understood and checked.

Operations that no catalogue describes are read by their structure alone (values, types, regions,
attributes), so an unknown dialect is not a syntax error. For operations with a known assembly format the
format counts, and the message lists the tokens that it expects there.

In payload a text that does not fit is reported only if no version of MLIR can read it: brackets do not
pair, a string has an unknown escape, nothing in the file is an operation, or one slip of the keyboard
separates it from a form that is known. The setting `payload-syntax` changes that.

**Fix:** write the expected token. `tdls catalogue show OP` prints the format of an operation. The fix
that tdls offers changes one token to one that the format expects there; it is offered only if the
operation then has fewer errors.
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
    fix=FixKind.UNSAFE,
    find=find,
)
