"""The rule `syntax-error`."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.older_forms import older_forms
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.handle_types import allows
from tdls.syntax import scanner
from tdls.syntax.parser.parser import parse
from tdls.syntax.parser.regions import NEVER_CLOSED
from tdls.text.diagnostic import Subject
from tdls.text.similarity import most_similar
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.expected.model import Expectation
    from tdls.syntax.tree import SyntaxProblem

_LONGEST = 2_000
"""Maximum length of an operation, in code points, to look for fixes in: each candidate reads it again."""
_MOST_FIXED = 5
"""Maximum number of errors of a section to look for fixes of."""
_MOST_TRIED = 24
"""Maximum number of changes to try at an error."""
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BEHIND = frozenset({*_CLOSERS.values(), ","})
_HEAD = ("module", "attributes")
_WIDEST = ("!transform.any_op", "!transform.any_value", "!transform.any_param")
_QUOTE = '"'
_MEANT = re.compile(r"did you mean `([\w.]+)`|expected `(\w+)`, found `", re.ASCII)
"""A problem's help that names a word similar to the one found, or its message, which names the only word that fits."""
_SIGNS = frozenset("-=>:,.;")


def find(context: Context) -> Iterator[Finding]:
    """Report the text that the parser could not read."""
    problems = [problem for problem in context.tree.problems() if not problem.new_name]  # `older-form` reports those
    different = {(problem.span, problem.message): problem for problem in problems}
    problems = [*different.values()]  # operations inside of each other may all end too early, at one place
    is_no_mlir = bool(problems) and context.is_in_other_text and not context.is_in_template
    forms = older_forms(context) if problems else None
    older = [operation.syntax.span for operation in forms.operations] if forms and forms.is_script else []
    for number, problem in enumerate(problems):
        span = problem.span
        if any(form.start <= span.start and span.end <= form.end for form in older):
            continue
        subject = concerns_of(context).at(span, is_certain=problem.is_certain or is_no_mlir)
        is_script = subject is Subject.SCRIPT or mentions_transform(context.section)
        fixes = tuple(_fixes(context, problem, is_script=is_script)) if number < _MOST_FIXED else ()
        yield Finding(RULE.name, RULE.level, problem.message, span, help=problem.help, fixes=fixes, subject=subject)


def _fixes(context: Context, problem: SyntaxProblem, *, is_script: bool) -> Iterator[SectionFix]:
    """Yield the first change of one token after which the operation around an error has fewer errors."""
    before_it = [operation for operation in context.model.walk() if operation.span.start <= problem.start]
    around = [operation for operation in before_it if problem.end <= operation.span.end] or before_it
    spelled = context.tree.text[problem.start : problem.end]
    meant = _MEANT.match(problem.help or problem.message)
    word = meant[1] or most_similar(spelled, [meant[2]], 0.5) if meant is not None else None
    if word is not None and spelled.isidentifier():
        yield SectionFix(f"Change to `{word}`", (SectionEdit(problem.span, word),))
        return
    if not around:
        if is_script and most_similar(spelled, _HEAD) == _HEAD[0]:
            yield SectionFix(f"Change to `{_HEAD[0]}`", (SectionEdit(problem.span, _HEAD[0]),))
        return
    operation = around[-1]
    if operation.location == problem.span and operation.name.endswith(f".{spelled.strip(_QUOTE)}"):
        quote = _QUOTE if spelled.startswith(_QUOTE) else ""
        new = f"{quote}{operation.name}{quote}"
        yield SectionFix(f"Change to `{operation.name}`", (SectionEdit(problem.span, new),))
        return
    text, dialect = context.tree.text, operation.name.partition(".")[0]
    # An outermost operation may end too early, by a mistake in its head.
    start, end = operation.span.start, operation.span.end if operation.parent is not None else len(text)
    if end - start > _LONGEST:
        return

    def errors(content: str) -> int:
        tree = parse(content, context.catalogue, default_dialect=dialect, nested=True, looks_for_typos=False)
        return sum(1 for _ in tree.problems())

    before: int | None = None
    for place, new in islice(dict.fromkeys(_candidates(context, operation, problem, is_script=is_script)), _MOST_TRIED):
        before = errors(text[start:end]) if before is None else before
        if len(new) < _LONGEST and errors(f"{text[start : place.start]}{new}{text[place.end : end]}") < before:
            former, at = text[place.start : place.end], len(text[: place.start].rstrip())
            if at < place.start and not former and new.strip() in _BEHIND:
                place, new = Span(at, at), new.strip()  # right behind the token before
            title = f"{'Change to' if former else 'Insert'} `{new.strip()}`" if new else f"Remove `{former.strip()}`"
            yield SectionFix(title, (SectionEdit(place, new),))
            return


def _candidates(
    context: Context, operation: Operation, problem: SyntaxProblem, *, is_script: bool
) -> Iterator[tuple[Span, str]]:
    """Yield changes at an error: a place and its new text, those that the assembly format suggests first.

    In payload, whose values have any type, only the order of what is there changes.
    """
    text, (start, end) = context.tree.text, operation.span
    token, tokens = text[problem.start : problem.end], scanner.scan(text[start:end])
    first = bisect_left(tokens.starts, problem.start - start, hi=tokens.count)
    yield from ((span.shifted(start), new) for span, new in _in_order(text[start:end], tokens, first))
    yield from _without_comma(text, problem)
    if not is_script:
        return
    _, is_named, named = problem.message.rpartition(" found `")
    if is_named and not token.lstrip().startswith(named.rstrip("`").removesuffix("...")):
        # The next token is that of another operation: the text ends too early.
        yield from (
            (Span(end, end), f" {listed}")
            for listed in _types(context, operation, end, _expected(context, operation, end))
        )
        if "`{` of a region" in problem.message:
            yield Span(end, end), " {"
        openers = (at for at in range(tokens.count) if tokens.kinds[at] in _CLOSERS and at not in tokens.partners)
        for opener in islice(openers, 1):
            places = tokens.ends[opener + 1 : opener + _MOST_TOKENS]
            yield from ((Span(start + place, start + place), _CLOSERS[tokens.kinds[opener]]) for place in places)
        return
    if problem.message == NEVER_CLOSED:
        indent = text[text.rfind("\n", 0, start) + 1 : start]
        if not context.section.is_frame:  # whose members are sections of their own
            yield Span(end, end), f"\n{indent if indent.isspace() else ''}}}"
        return
    is_opener = token in _CLOSERS and tokens.starts[first] == problem.start - start
    if is_opener and "`}` in" in problem.message:
        yield Span(problem.start, problem.start), "} "
    if is_opener and first not in tokens.partners:
        closer = _missing_closer(tokens, first)
        lists = tokens.ends[first + 1 : first + _MOST_TOKENS] if token != "{" else []
        places = [closer] if closer is not None else lists
        yield from ((Span(start + place, start + place), _CLOSERS[token]) for place in places)
        return
    if token in _CLOSERS.values() and first not in tokens.partners:
        missing = next(opener for opener, closer in _CLOSERS.items() if closer == token)
        before = tokens.starts[max(first - _MOST_TOKENS, 1) : first]
        yield from ((Span(start + place, start + place), missing) for place in before)
    for place in (problem.start, problem.end):
        yield from _by_format(context, operation, problem, place)
    if token == "," and first + 1 < tokens.count:
        yield Span(problem.start, start + tokens.ends[first + 1]), ""
    yield from _by_shape(context, problem, [start + tokens.ends[tokens.partners.get(first, first)]])


def _in_order(text: str, tokens: scanner.Tokens, first: int) -> Iterator[tuple[Span, str]]:
    """Yield changes at token `first`: a dictionary moves in front of the types, a type that is not written goes."""
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    if kinds[first] == "{" and first in tokens.partners:
        openers = {closer: opener for opener, closer in tokens.partners.items() if opener < closer}
        colon = first - 1
        while colon > 0 and kinds[colon] != ":":
            colon = openers.get(colon, colon) - 1
        begin, end = starts[colon], ends[tokens.partners[first]]
        yield Span(begin, end), f"{text[starts[first] : end]} {text[begin : starts[first]].rstrip()}"
    elif kinds[first] == ":" and not {first, first + 1} & tokens.firsts:
        last = first + 1
        while last + 1 < tokens.count and kinds[last + 1] not in ("->", "{") and not tokens.first_on_line(last + 1):
            last += 1
        yield Span(len(text[: starts[first]].rstrip()), ends[last]), ""


def _without_comma(text: str, problem: SyntaxProblem) -> Iterator[tuple[Span, str]]:
    """Yield the removal of a comma of a list that has no entry before it, or none behind it."""
    token, before = text[problem.start : problem.end], text[: problem.start].rstrip()
    if token == "," and before.endswith((",", "[")):
        behind = text[problem.end :]
        yield Span(problem.start, len(text) - len(behind.lstrip())), ""
    if token == "]" and before.endswith(","):
        yield Span(len(before) - 1, problem.start), ""


def _by_format(
    context: Context, operation: Operation, problem: SyntaxProblem, place: int
) -> Iterator[tuple[Span, str]]:
    """Yield changes to what the format of `operation` expects at `place`, the begin or the end of an error."""
    # Imported late: only files with errors need the parser of completion.
    from tdls.syntax.expected.model import AttributeValue, ExpectedLiteral, Operand

    token, is_before = context.tree.text[problem.start : problem.end], place == problem.start
    expected = _expected(context, operation, place)
    literals = [one.text for one in expected if isinstance(one, ExpectedLiteral)]
    spelled = [one.definition for one in expected if isinstance(one, AttributeValue) and one.definition is not None]
    words = [*filter(str.isidentifier, literals), *(case for definition in spelled for case in definition.cases)]
    similar = next((word for word in words if token.startswith(word)), None) or most_similar(token, words)
    if similar is not None:
        yield problem.span, similar
    if is_before and not token.isidentifier():
        yield from ((Span(place, place), definition.cases[0]) for definition in spelled if definition.cases)
    if f"%{token}" in context.value_names and any(isinstance(one, Operand) for one in expected):
        yield problem.span, f"%{token}"
    if is_before and any(isinstance(one, Operand) for one in expected):
        in_reach = [*context.in_reach(operation)]
        unused = [value for value in in_reach if value not in context.users]
        results = [value for value in in_reach if value.operation is not None and value.owner_block is operation.block]
        latest = results[-1:] or in_reach[-1:]  # which often is the operand that is missing
        likely = [*(value for value in in_reach if [value] in (unused, in_reach)), *latest]
        yield from ((Span(place, place), f"{value.shown} ") for value in likely)
    for listed in _types(context, operation, place, expected):
        yield Span(place, place), f"{listed} " if is_before else f" {listed}"
    attributes = operation.definition.attributes if operation.definition is not None and is_before else ()
    modes = [f"({attribute.cases[0]})" for attribute in attributes if attribute.cases]
    for literal in literals:
        if literal.isidentifier() and is_before:
            space = " " if context.tree.text[place - 1].isalnum() else ""
            yield from ((Span(place, place), f"{space}{literal}{mode} ") for mode in ("", *modes))
        elif not literal.isidentifier():
            if is_before and _SIGNS.issuperset(token):
                yield problem.span, literal
            yield Span(place, place), f"{literal} " if is_before else literal


def _expected(context: Context, operation: Operation, place: int) -> Sequence[Expectation]:
    from tdls.syntax.expected.at_cursor import expected_at

    # Behind a space a new word is expected, not the rest of the one before.
    text, dialect = f"{context.tree.text[:place]} ", operation.name.partition(".")[0]
    start = operation.span.start
    return expected_at(
        text, place + 1, context.catalogue, start=start, default_dialect=dialect, nested=True
    ).expectations


def _types(context: Context, operation: Operation, place: int, expected: Sequence[Expectation]) -> Iterator[str]:
    """Yield the types of the operands, where a colon and types are expected, or the type that is."""
    from tdls.syntax.expected.model import ExpectedType

    types = [value.type for value in operation.operands if value is not None]
    if any(getattr(one, "text", "") == ":" for one in expected) and types and None not in types:
        listed = ", ".join(map(str, types))
        definitions = operation.definition.results if operation.definition is not None else ()
        count = min(operation.syntax.result_count, _LONGEST) if definitions else 0
        kinds = (definitions[min(number, len(definitions) - 1)] for number in range(count))
        widest = (next((it for it in _WIDEST if allows(context.catalogue, kind, it)), _WIDEST[0]) for kind in kinds)
        results = ", ".join(widest)
        is_one = operation.syntax.result_count == 1 and results
        yield from (f": {listed}", f": ({listed}) -> {results if is_one else f'({results})'}")
    for one in expected:
        if isinstance(one, ExpectedType):
            name = one.value.name if one.value is not None else None
            own = [value.type for value in context.in_reach(operation) if value.shown == name]
            yield from (type_ for type_ in own if type_ is not None)
            definition = one.definition
            argument = context.tree.text[:place].rstrip(": \n").rpartition("%")[2].replace("_", "")
            if definition is not None or argument.isalnum():
                yield from (
                    wide for wide in _WIDEST if definition is None or allows(context.catalogue, definition, wide)
                )


_NAME = re.compile(r"[\w.]+", re.ASCII)
_WORD = re.compile(r"[\w.\-]{1,200}", re.ASCII)
_MOST_TOKENS = 8
"""Maximum number of tokens that a bracket without its partner may contain."""


def _by_shape(context: Context, problem: SyntaxProblem, ends: Sequence[int]) -> Iterator[tuple[Span, str]]:
    """Yield changes that need no format: quotes, brackets up to one of `ends`, and signs that look alike."""
    text, undefined = context.tree.text, dict.fromkeys(use.name for use in context.model.unresolved)
    token = text[problem.start : problem.end]
    start, behind = text.rfind("\n", 0, problem.start) + 1, text.find("\n", problem.start)
    line = start, behind if behind != -1 else len(text)
    is_open = '"' in problem.message and text.count('"', *line) % 2 == 1
    word = _WORD.match(text, text.rindex('"', *line) + 1) if is_open else None
    if word is not None:
        yield Span(word.end(), word.end()), '"'
    if token in ("=", ",", ":"):
        yield from ((Span(problem.start, problem.start), f"{name} " if token == "=" else name) for name in undefined)
    comma = problem.start if token == "," else text.rfind(",", 0, problem.start)
    if comma != -1 and not text[comma + 1 : problem.start].strip():
        yield Span(comma, comma + 1), ""
    if token in _CLOSERS.values():
        return
    if (near := most_similar(token, _HEAD)) is not None:
        yield problem.span, near
    if token == "{" and (opener := text.rfind("{", 0, problem.start)) != -1:
        yield Span(opener, opener), f"{_HEAD[1]} "
    if "expected `=`" in problem.message:
        yield Span(problem.start, problem.start), ", " if token.startswith("%") else "= "
    if _NAME.fullmatch(token):
        yield from ((problem.span, new) for new in (f'"{token}"', f'["{token}"]', f"@{token}"))
    if token == ":":
        yield problem.span, " ="
    for end in ends:
        inside = text[problem.start : end]
        yield from ((Span(problem.start, end), new) for new in (f"({inside})", f"{{{inside}}}"))
    yield from ((Span(problem.start, problem.start), sign) for sign in '"[{(')


def _missing_closer(tokens: scanner.Tokens, opener: int) -> int | None:
    """Return the offset of the first bracket behind the one at `opener` that closes a bracket of another kind."""
    stack: list[str] = []
    for kind, offset in zip(tokens.kinds[opener : tokens.count], tokens.starts[opener : tokens.count], strict=True):
        if kind in _CLOSERS:
            stack.append(_CLOSERS[kind])
        elif kind in _CLOSERS.values() and stack and stack.pop() != kind:
            return offset
    return None


RULE: Final = Rule("syntax-error", fix=FixKind.UNSAFE, find=find)
