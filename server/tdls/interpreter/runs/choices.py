"""Sets choices of scripts for a run: options of knobs and alternatives, and values of constant parameters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.meaning.choices import ALTERNATIVES, CONSTRAIN, SELECTED, Space, choice_of
from tdls.analysis.meaning.sequences import scripts_of
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.interpreter.runs.script import Script
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.text.span import Span
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.meaning.choices import Choice
    from tdls.semantic.model import Operation

_VALUE = re.compile(r'-?[\w.][\w.+-]{0,99}(?: ?: ?\w{1,20})?|"[^"\\\n]{0,999}"', re.ASCII)
_NO_LINE_BREAK = re.compile(r"[^\n]")


class _Placed(NamedTuple):
    """A choice in a script, and the names that set it: its own, those of its results, and its place."""

    script: Script
    context: Context
    choice: Choice
    names: tuple[str, ...]


def with_values(scripts: Sequence[Script], values: Mapping[str, str]) -> list[Script]:
    """Return `scripts` with the `values` of choices.

    A name is that of a knob or of alternatives, the name of a result, or a line of the first script; a result needs
    no percent sign if no knob has the name. Constraints that hold then are left out, since MLIR does not evaluate them:
    their results become constants. Raises PlanError.
    """
    placed = [each for script in scripts for each in _choices(script, is_first=script is scripts[0])]
    chosen: list[tuple[_Placed, str]] = []
    for name, value in values.items():
        named = [each for each in placed if name in each.names] or [each for each in placed if f"%{name}" in each.names]
        if not named:
            known = enumerated([f"`{each.names[0]}`" for each in placed]) if placed else "none"
            raise PlanError(f"{scripts[0].name} has no choice `{name}`; there is {known}")
        if len(named) > 1:
            places = enumerated([each.names[-1] for each in named])
            raise PlanError(
                f"`{name}` names the choices in lines {places}: take a line, as in {named[0].names[-1]}={value}"
            )
        chosen.append((named[0], _spelled(named[0].choice, name, value)))
    return [_edited(script, [each for each in chosen if each[0].script is script]) for script in scripts]


def _choices(script: Script, *, is_first: bool) -> Iterator[_Placed]:
    for context in script.file.contexts:
        for operation in context.model.walk() if context.mentions_transform else ():
            choice = choice_of(operation)
            if choice is not None:
                line = _line(script, context, operation)
                names = (choice.name, *(result.shown for result in operation.results))
                place = str(line) if is_first else f"{script.name}:{line}"
                yield _Placed(script, context, choice, (*filter(None, names), place))


def _spelled(choice: Choice, name: str, value: str) -> str:
    """Return the option that `value` is, or a constant like the one in the script. Raises PlanError."""
    if choice.options:
        for option in choice.options:
            if value in (option, option.partition(":")[0].strip(), option.strip('"')):
                return option
        raise PlanError(f"`{name}` has no option `{value}`; it has {enumerated(choice.options)}")
    if _VALUE.fullmatch(value) is None:
        raise PlanError(f"`{value}`, for `{name}`, is not a number, a boolean or a string in quotes")
    _, colon, type_ = (choice.value or "").rpartition(":")
    return value if ":" in value or not colon or value.startswith('"') else f"{value} : {type_.strip()}"


def _edited(script: Script, chosen: Sequence[tuple[_Placed, str]]) -> Script:
    """Return a script with values, and without the constraints that hold. Raises PlanError for others."""
    edits = [(each.context.to_file(span), text) for each, value in chosen for span, text in _setting(each, value)]
    for context in script.file.contexts:
        values = {each.choice.operation.location.start: value for each, value in chosen if each.context is context}
        for sequence in scripts_of(context) if context.operations(CONSTRAIN) else ():
            edits += [(context.to_file(span), text) for span, text in _constraints(script, context, sequence, values)]
    text = script.text
    for span, _ in edits:
        text = f"{text[: span.start]}{_NO_LINE_BREAK.sub(' ', text[span.start : span.end])}{text[span.end :]}"
    new = Script(script.name, text, script.catalogue)
    return new.inserting([Insertion(span.start, inserted) for span, inserted in edits]) if edits else script


def _setting(placed: _Placed, value: str) -> Iterator[tuple[Span, str]]:
    """Yield the replacement that sets a choice to `value`."""
    operation, text = placed.choice.operation, placed.context.section.text
    key = SELECTED[operation.name]
    attribute, name = operation.syntax.attribute(key), operation.syntax.attribute("name")
    if attribute is not None:
        yield Span(attribute.value_start, attribute.value_end), value
    elif name is not None and operation.syntax.form is Form.GENERIC:
        yield Span(name.start, name.start), f"{key} = {value}, "
    elif name is not None:
        end = text.index(">", name.end) + 1
        yield Span(end, end), f" selected_region = {value}" if operation.name == ALTERNATIVES else f" = {value} from"


def _constraints(
    script: Script, context: Context, sequence: Operation, values: Mapping[int, str]
) -> Iterator[tuple[Span, str]]:
    """Yield replacements of the constraints that hold by the constants in their results. Raises PlanError."""
    space = Space(context, sequence, values)
    unsure = set[int]()
    for start, assertions in space.assertions.items():
        for assertion in assertions:
            term = space.terms[assertion.term] if assertion.term is not None else None
            if term is not None and term.domain == (False,):
                place = f"{script.name}:{_line(script, context, assertion.operation)}"
                raise PlanError(f"{place}: with these values this assertion is false: `{term.text}`")
            unsure.update(() if term is not None and term.domain == (True,) else (start,))
    for operation in sequence.walk():
        results = [(each, space.known.get(each)) for each in operation.results]
        constants = [(each, space.terms[term].domain) for each, term in results if term is not None]
        is_known = len(constants) == len(results) and all(len(domain) == 1 for _, domain in constants)
        if operation.name == CONSTRAIN and operation.location.start not in unsure and is_known:
            assigned = (
                f"{each.name} = transform.param.constant {str(value).lower()} -> {each.type} "
                for each, (value,) in constants
            )
            yield operation.span, "".join(assigned)


def _line(script: Script, context: Context, operation: Operation) -> int:
    return script.text.count("\n", 0, context.to_file(operation.location).start) + 1
