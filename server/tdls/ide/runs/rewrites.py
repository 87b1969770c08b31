"""The passes and rewrite patterns of a step of a recorded run, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.rewrites import PatternUse, StepRewrites
    from tdls.interpreter.recording.steps import Step
    from tdls.interpreter.runs.model import Place

_OPERATIONS = 4
"""Maximum number of operations to mention for a pattern."""
_DISABLING = "disable-patterns"
"""The option of passes that lists patterns not to apply, by the names that MLIR's log has for them."""
_OPTIONS = " options "
_FIRST_WITH_DICTIONARIES = 21
"""The first version of LLVM in which options of passes are written as a dictionary."""
_ANONYMOUS = "(anonymous namespace)::"


def rewrite_lines(recording: Recording, step: Step) -> Iterator[str]:
    """Yield a line for each pass that the step executed, and for each pattern that fired or may have."""
    rewrites = recording.rewrites.steps.get(step.number)
    if rewrites is None:
        return
    file = recording.request.root.name
    for use in rewrites.passes:
        yield f"pass {use.name} on {_operation(use.operation, use.place, file)}"
    for pattern in rewrites.patterns:
        if pattern.operations:
            shown = [_operation(each.name, each.place, file) for each in pattern.operations[:_OPERATIONS]]
            more = ["..."] if len(pattern.operations) > _OPERATIONS else []
            yield f"{_shown(pattern)} {_times(pattern)}: {', '.join([*shown, *more])}"
    without = _without(recording, step, rewrites)
    if without:
        yield f"to try without {without[0]}: {without[1]}"
    others = sum(not pattern.operations for pattern in rewrites.patterns)
    if others:
        yield f"{others} {'more ' if others < len(rewrites.patterns) else ''}patterns were tried"


def _without(recording: Recording, step: Step, rewrites: StepRewrites) -> tuple[str, str] | None:
    """Return the first pattern that fired in a registered pass, and how the script runs that pass without it.

    None unless the pass has an option for that, and no options in the script.
    """
    fired = next((pattern for pattern in rewrites.patterns if pattern.operations and pattern.name), None)
    scripts = (recording.request.script, *recording.request.libraries)
    script = next((script for script in scripts if script.name == step.file), None)
    version = integer(recording.result.mlir.removeprefix("LLVM ").partition(".")[0])
    if version is not None and version < _FIRST_WITH_DICTIONARIES:
        return None
    if fired is None or script is None or step.operation != APPLY_REGISTERED_PASS:
        return None
    written = SourceFile.of(script.original, script.catalogue)
    context = written.context_at(step.start)
    operation = operation_at(context.model, context.to_local(step.start))
    named = operation.syntax.attribute(PASS_NAME) if operation is not None else None
    name = (named.value or "").strip('"') if named is not None else ""
    known = script.catalogue.pass_definition(name)
    if operation is None or known is None or _OPTIONS in written.slice(context.to_file(operation.span)):
        return None
    if all(option.name != _DISABLING for option in known.options or ()):
        return None
    quoted = fired.name if fired.name.isidentifier() else f"'{fired.name}'"
    return _shown(fired), f'with options = {{"{_DISABLING}" = "{quoted}"}}'


def _shown(pattern: PatternUse) -> str:
    return pattern.name.replace(_ANONYMOUS, "") or "a pattern without a name"


def _operation(name: str, place: Place | None, file: str) -> str:
    """Return the name of a payload operation with its place, and the file unless that is the payload's."""
    if place is None:
        return name
    position = f"{place.line}:{place.column}"
    return f"{name} ({position if place.file == file else f'{place.file}:{position}'})"


def _times(pattern: PatternUse) -> str:
    """Return how often a pattern certainly fired."""
    possible = len(pattern.operations) - pattern.fired
    certain = f"fired {pattern.fired} times" if pattern.fired > 1 else "fired"
    if not possible:
        return certain
    if pattern.fired:
        return f"{certain}, perhaps {possible} more"
    return f"perhaps fired {possible} times" if possible > 1 else "perhaps fired"
