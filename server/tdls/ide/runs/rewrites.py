"""The passes and rewrite patterns of a step of a recorded run, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.model import Place
    from tdls.interpreter.recording.recording import Recording
    from tdls.interpreter.recording.rewrites import PatternUse
    from tdls.interpreter.recording.steps import Step

_OPERATIONS = 4
"""Maximum number of operations to mention for a pattern."""
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
            name = pattern.name.replace(_ANONYMOUS, "") or "a pattern without a name"
            yield f"{name} {_times(pattern)}: {', '.join([*shown, *more])}"
    others = sum(not pattern.operations for pattern in rewrites.patterns)
    if others:
        yield f"{others} {'more ' if others < len(rewrites.patterns) else ''}patterns were tried"


def _operation(name: str, place: Place | None, file: str) -> str:
    """Return the name of a payload operation with its place, and the file unless that is the payload's."""
    if place is None:
        return name
    position = f"{place.line}:{place.column}"
    return f"{name} ({position if place.file == file else f'{place.file}:{position}'})"


def _times(pattern: PatternUse) -> str:
    """Return how often a pattern fired, as far as it is certain."""
    possible = len(pattern.operations) - pattern.fired
    certain = f"fired {pattern.fired} times" if pattern.fired > 1 else "fired"
    if not possible:
        return certain
    if pattern.fired:
        return f"{certain}, perhaps {possible} more"
    return f"perhaps fired {possible} times" if possible > 1 else "perhaps fired"
