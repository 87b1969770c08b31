"""Shortens a script to what the MLIR at hand has: it ends before the first step with an operation or type it lacks.

MLIR reads the texts and says what it does not know. The entry point becomes blank from that step to its end. Any other
script becomes blank as a whole, and then so does what uses it. Lines and columns stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.meaning.sequences import scripts_of
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.interpreter.runs.script import Script
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tdls.interpreter.runs.model import Limits, RunRequest, TextsRead

_LACKS = re.compile(
    r"custom op '([\w.$]+)' is unknown|unregistered operation '([\w.$]+)'|Dialect [`']([\w$]+)' not found for custom op"
    r"|unknown (?:type|attribute) mnemonic: ([\w.$]+)|unknown +(?:type|attribute) `([\w.$]+)`"
)
"""What MLIR says of an operation, type or attribute that it does not have."""
_MOST_READINGS = 64
_NO_LINE_BREAK = re.compile(r"[^\n]")


class _Lack(NamedTuple):
    """The use of something by its `name` that MLIR lacks, or that became blank."""

    script: Script
    offset: int
    name: str


def up_to_unknown(
    request: RunRequest, read: Callable[[Sequence[str], Limits], TextsRead]
) -> tuple[RunRequest, RunDiagnostic] | None:
    """Return `request` with an entry point that ends before the first step that MLIR lacks, and a warning there.

    None if MLIR has all that the entry point comes to, or lacks what the payload needs. `read` is that of a backend.
    """
    warning: RunDiagnostic | None = None
    blank: dict[str, str] = {}
    """What MLIR lacks, by the symbols of the scripts that became blank for it."""
    for _ in range(_MOST_READINGS):
        lack = _use_of(blank, request) or _first_lack(request, read)
        if lack is None:
            break
        context = lack.script.file.context_at(lack.offset)
        offset = context.to_local(lack.offset)
        script = next((each for each in scripts_of(context) if each.span.start <= offset < each.span.end), None)
        if script is None:
            return None
        symbol = symbol_name(script)
        start, end = script.span
        if context.to_file(script.location).start == request.operation or symbol == request.entry_point:
            steps = [step for block in script.blocks() for step in block.operations]
            step = next((each for each in steps if each.span.start <= offset < each.span.end), None)
            if step is None:
                return None
            is_ended = steps[-1] is not step and steps[-1].has_trait("IsTerminator")
            start, end = step.span.start, steps[-1].span.start if is_ended else steps[-1].span.end
            place = place_at(lack.script, context.to_file(step.location).start)
            message = f"the run ended before this operation: this MLIR does not have `{lack.name}`"
            warning = place.diagnostic(RunLevel.WARNING, message)
        elif symbol is not None:
            blank[symbol] = lack.name
        text, base = lack.script.text, context.to_file(script.span).start - script.span.start
        empty = _NO_LINE_BREAK.sub(" ", text[base + start : base + end])
        new = Script(lack.script.name, f"{text[: base + start]}{empty}{text[base + end :]}", lack.script.catalogue)
        libraries = tuple(new if each is lack.script else each for each in request.libraries)
        request = replace(request, script=new if request.script is lack.script else request.script, libraries=libraries)
    return (request, warning) if warning is not None else None


def _first_lack(request: RunRequest, read: Callable[[Sequence[str], Limits], TextsRead]) -> _Lack | None:
    """Return the first use of what MLIR does not have, as it reads the texts of `request`, or None."""
    scripts = (request.script, *request.libraries)
    answers = read([script.text for script in scripts], request.limits.afresh()).diagnostics
    for script, diagnostics in zip(scripts, answers, strict=False):
        for error in diagnostics:
            match = _LACKS.search(error.message) if error.level is RunLevel.ERROR else None
            if match is not None:
                return _Lack(script, offset_of(script.file, error.line, error.column), match[match.lastindex or 0])
    return None


def _use_of(blank: Mapping[str, str], request: RunRequest) -> _Lack | None:
    """Return a use of a script that became blank, or None."""
    uses = (
        _Lack(script, context.to_file(operation.span).start, blank[use.path[0]])
        for script in ((request.script, *request.libraries) if blank else ())
        for context in script.file.contexts
        for operation in context.model.walk()
        for use in operation.syntax.symbols
        if use.path[0] in blank
    )
    return next(uses, None)
