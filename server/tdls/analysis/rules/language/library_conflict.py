"""The rule `library-conflict`."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.file_instructions import instructions_of
from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import is_external, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.semantic.types import comparable
from tdls.structs import NamedTuple
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context, DefiningOperation, NamedDefinition
    from tdls.analysis.file.source_file import SourceFile
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument, TypeUse


def find(context: Context) -> Iterator[Finding]:
    """Report libraries that do not fit each other, and sequences that do not fit those of libraries."""
    yield from _between_libraries(context)
    is_outermost = context.mentions_transform and (context.container is None or context.container.container is None)
    for operation in context.model.operations if is_outermost else ():
        name, place = symbol_name(operation), operation.syntax.symbol_span
        if operation.name != NAMED_SEQUENCE or name is None or place is None:
            continue
        for conflict in _conflicts(context, operation, name):
            if not context.is_in_template:
                yield Finding(RULE.name, conflict.level, conflict.message, place, help=conflict.advice)


class _Conflict(NamedTuple):
    message: str
    advice: str
    level: Level = Level.ERROR


def _conflicts(context: Context, operation: Operation, name: str) -> Iterator[_Conflict]:
    """Yield at most one conflict between a sequence of the script and those that libraries define."""
    offered = context.library_definitions(name)
    bodies = [each for each in offered if _has_body(each.definition.operation)]
    public = [each for each in bodies if not _is_private(each.definition.operation)]
    if not is_external(operation):
        yield from _with_definition(context, operation, name, public)
        return
    for first, second in combinations(public, 2):
        if _are_together(context, first.written, second.written):
            yield _clash(name, first.name, second.name)
            return
    if public:
        difference = _difference(context, operation, public[0].definition)
        if difference is not None:
            message = f"the declaration of `@{name}` does not fit its definition in `{public[0].name}`: {difference}"
            yield _Conflict(message, "MLIR merges a declaration with a definition of the same signature only")
    elif bodies and context.is_called(name):
        message = f"`@{name}` is private in the library `{bodies[0].name}`, so this declaration gets no body"
        yield _Conflict(message, "remove `private` from its definition")
    elif not offered and context.named_libraries.files and context.knows_all_libraries and context.is_called(name):
        message = f"no library that this file names defines `@{name}`, so this declaration gets no body"
        yield _Conflict(message, "define it in one of them, or name the library that does", Level.WARNING)


def _with_definition(
    context: Context, operation: Operation, name: str, public: Sequence[NamedDefinition]
) -> Iterator[_Conflict]:
    """Yield the conflict that keeps a definition of the script from being merged with those of libraries."""
    if _is_private(operation):
        return
    if public:
        yield _Conflict(f"`@{name}` is defined here and in the library `{public[0].name}`", _RENAME)
        return
    other = context.library_body(name) if name != ENTRY_POINT else None
    if other is not None and _has_body(other.operation) and not _is_private(other.operation):
        message = f"`@{name}` is defined here and in a library that settings name: MLIR does not merge the two"
        yield _Conflict(message, _RENAME, Level.HINT)


def _between_libraries(context: Context) -> Iterator[Finding]:
    """Report libraries that a comment names together with another one which defines the same symbol."""
    written = instructions_of(context.section).libraries
    for later, item in enumerate(written):
        for other in written[:later]:
            if not _are_together(context, item.text, other.text):
                continue
            for library in context.named_libraries.files.get(item.text, ()):
                for first in context.named_libraries.files.get(other.text, ()):
                    name = _defined_in_both(first.file, library.file) if first.file is not library.file else None
                    if name is not None:
                        conflict = _clash(name, first.name, library.name)
                        place = Span(item.places[0], item.places[-1] + 1)
                        yield Finding(RULE.name, conflict.level, conflict.message, place, help=conflict.advice)


def _are_together(context: Context, first: str, second: str) -> bool:
    """Tell whether one command reads both libraries."""
    return any({first, second} <= command for command in context.named_libraries.commands)


_RENAME = "MLIR does not merge two public definitions: rename one, or make it `private`"


def _clash(name: str, first: str, second: str) -> _Conflict:
    return _Conflict(f"`@{name}` is defined by two libraries: `{first}` and `{second}`", _RENAME)


def _defined_in_both(first: SourceFile, second: SourceFile) -> str | None:
    """Return the first symbol of which both libraries have a public definition."""
    shared = (name for name in first.symbols_of(NAMED_SEQUENCE) if name in second.symbols_of(NAMED_SEQUENCE))
    return next((name for name in shared if _defines(first, name) and _defines(second, name)), None)


def _defines(library: SourceFile, name: str) -> bool:
    found = library.exported(name)
    return found is not None and _has_body(found.operation) and not _is_private(found.operation)


def _has_body(operation: Operation) -> bool:
    return operation.name == NAMED_SEQUENCE and not is_external(operation)


def _is_private(operation: Operation) -> bool:
    visibility = operation.syntax.attribute("sym_visibility")
    return visibility is not None and visibility.value != '"public"'


def _difference(context: Context, declared: Operation, definition: DefiningOperation) -> str | None:
    """Say how the signatures of a declaration and a definition differ; None if they do not, or that is not known."""
    ours, theirs = declared.syntax.signature, definition.operation.syntax.signature
    if ours is None or theirs is None or declared.syntax.broken or definition.operation.syntax.broken:
        return None
    pairs = (("argument", ours.arguments, theirs.arguments), ("result", ours.results, theirs.results))
    for kind, declares, defines in pairs:
        if len(declares) != len(defines):
            plural = "" if len(declares) == 1 else "s"
            return f"it has {len(declares)} {kind}{plural}, the definition {len(defines)}"
    for number, (here, there) in enumerate(zip(ours.arguments, theirs.arguments, strict=True)):
        difference = _types_differ(context, here.type, definition.context, there.type) or _marks_differ(here, there)
        if difference is not None:
            return f"argument #{number} {difference}"
    for number, (ours_type, theirs_type) in enumerate(zip(ours.results, theirs.results, strict=True)):
        difference = _types_differ(context, ours_type, definition.context, theirs_type)
        if difference is not None:
            return f"result #{number} {difference}"
    return None


def _types_differ(context: Context, here: TypeUse | None, home: Context, there: TypeUse | None) -> str | None:
    if here is None or there is None:
        return None
    ours, theirs = context.types.canonical(here.text), home.types.canonical(there.text)
    is_proof = ours != theirs and comparable(ours) and comparable(theirs)
    return f"has the type `{ours}`, in the definition `{theirs}`" if is_proof else None


def _marks_differ(here: BlockArgument, there: BlockArgument) -> str | None:
    ours, theirs = ({each.name for each in side.attributes} & {CONSUMED, READONLY} for side in (here, there))
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return None
    return f"is marked `{next(iter(ours))}`, in the definition `{next(iter(theirs))}`"


RULE: Final = Rule(
    code="TD116",
    name="library-conflict",
    level=Level.ERROR,
    summary="Named sequences of libraries, or of a script and its libraries, cannot be merged",
    documentation="""\
Before a script runs, `transform-preload-library` merges all libraries that a `RUN:` line, or comments
`// tdls: library=...`, name, and then copies what they define into the script. A declaration and a
definition become one if they have the same arguments, results and marks (`transform.consumed`,
`transform.readonly`). MLIR refuses two public definitions of one symbol, in some versions by a crash.
Private definitions are renamed instead, so that they never become the body of a declaration.

**Fix:** rename one of two definitions or make it `private`, repeat the signature of the definition in the
declaration, or remove `private` from a definition that other files use.
""",
    example_bad="""\
// tdls: library=lib/tiling.mlir
// It defines @tile with the argument {transform.consumed}.
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%func: !transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    example_good="""\
// tdls: library=lib/tiling.mlir
// It defines @tile with the argument {transform.consumed}.
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%func: !transform.any_op {transform.consumed})
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
""",
    find=find,
    rests_on_other_files=True,
    holds_for_any_definition=True,
)
