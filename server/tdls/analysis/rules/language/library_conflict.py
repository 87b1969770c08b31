"""The rule `library-conflict`."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.file_instructions import instructions_of
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.sequences import (
    DECLARE,
    declaration_of,
    declare,
    has_body,
    is_outermost,
    marks_of,
    used_sequences,
)
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import is_external, is_private, spelled_reference, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax.types import differ
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context, DefiningOperation, NamedDefinition
    from tdls.analysis.file.source_file import SourceFile
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import BlockArgument, SymbolUse, TypeUse


def find(context: Context) -> Iterator[Finding]:
    """Report libraries that do not fit each other, and sequences that do not fit those of libraries."""
    if not any(context.named_libraries):
        return
    yield from _between_libraries(context)
    if not context.mentions_transform or context.is_in_template:
        return
    for operation in context.operations(NAMED_SEQUENCE):
        name, place = symbol_name(operation), operation.syntax.symbol_span
        if name is not None and place is not None and is_outermost(context, operation):
            for conflict in _conflicts(context, operation, name):
                yield conflict.at(place)
    seen: set[str] = set()
    for operation in context.operations(OperationKind.TRANSFORM):
        for use in used_sequences(operation):
            unlinked = _unlinked(context, operation, use) if len(use.path) == 1 and use.path[0] not in seen else None
            if unlinked is not None:
                seen.add(use.path[0])
                yield unlinked.at(use.span)


class _Conflict(NamedTuple):
    message: str
    advice: str
    level: Level = Level.ERROR
    fixes: tuple[SectionFix, ...] = ()

    def at(self, place: Span) -> Finding:
        """Return the finding at a place."""
        return Finding(RULE.name, self.level, self.message, place, help=self.advice, fixes=self.fixes)


def _conflicts(context: Context, operation: Operation, name: str) -> Iterator[_Conflict]:
    """Yield at most one conflict between a sequence of the script and those that libraries define."""
    offered = context.library_definitions(name)
    public = [each for each in offered if _is_public(each.definition)]
    named = [each for each in public if each.written]
    if not is_external(operation):
        yield from _with_definition(operation, name, named, public)
        return
    for first, second in combinations(named, 2):
        if _are_together(context, first.written, second.written):
            yield _clash(name, first.name, second.name)
            return
    candidates = named[:1] or public
    differences = [_difference(context, operation, each.definition) for each in candidates]
    if candidates and differences[0] is not None and None not in differences:
        library = candidates[0]
        message = f"the declaration of `@{name}` does not fit its definition in `{library.name}`: {differences[0]}"
        declaration = declaration_of(library.definition)
        edit = SectionEdit(operation.syntax.span, declaration) if declaration is not None else None
        fixes = (SectionFix("Declare it as the library does", (edit,)),) if edit is not None else ()
        advice = "MLIR merges a declaration with a definition of the same signature only"
        yield _Conflict(message, advice, fixes=fixes)


def _with_definition(
    operation: Operation, name: str, named: Sequence[NamedDefinition], public: Sequence[NamedDefinition]
) -> Iterator[_Conflict]:
    """Yield the conflict that keeps a definition of the script from being merged with those of libraries."""
    if is_private(operation):
        return
    if named:
        yield _Conflict(f"`@{name}` is defined here and in the library `{named[0].name}`", _RENAME)
    elif public and name != ENTRY_POINT:
        message = f"`@{name}` is defined here and in a library that settings name: MLIR does not merge the two"
        yield _Conflict(message, _RENAME, Level.HINT)


def _unlinked(context: Context, user: Operation, use: SymbolUse) -> _Conflict | None:
    """Return why a named sequence that is used gets no body from the libraries; None if it does, or is defined here."""
    name = use.path[0]
    target = context.symbols.lookup_nearest(use.path, user)
    is_here = target is not None and context.definition_of(target).context.file is context.file
    if is_here and target is not None and not (target.name == NAMED_SEQUENCE and is_external(target)):
        return None
    offered = context.library_definitions(name)
    public = [each for each in offered if _is_public(each.definition)]
    bodies = [each for each in offered if has_body(each.definition.operation)]
    if bodies and not public:
        message = f"`@{name}` is private in the library `{bodies[0].name}`, so it gets no body here"
        return _Conflict(message, "remove `private` from its definition")
    if offered and not is_here:
        return _undeclared(context, user, (public or offered)[0])
    return None


def _undeclared(context: Context, user: Operation, library: NamedDefinition) -> _Conflict:
    declaration = declaration_of(library.definition)
    name = spelled_reference(symbol_name(library.definition.operation) or "")
    message = f"`{name}` of the library `{library.name}` is not declared here"
    if declaration is None:
        return _Conflict(message, DECLARE)
    fix = SectionFix(f"Declare `{name}` here", (declare(context, user, declaration),), safe=True)
    return _Conflict(message, f"{DECLARE}: `{declaration}`", fixes=(fix,))


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
    """Whether one command reads both libraries."""
    return any({first, second} <= command for command in context.named_libraries.commands)


_RENAME = "MLIR does not merge two public definitions: rename one, or make it `private`"


def _clash(name: str, first: str, second: str) -> _Conflict:
    return _Conflict(f"`@{name}` is defined by two libraries: `{first}` and `{second}`", _RENAME)


def _defined_in_both(first: SourceFile, second: SourceFile) -> str | None:
    """Return the first symbol with a public definition in both libraries."""
    shared = (name for name in first.symbols_of(NAMED_SEQUENCE) if name in second.symbols_of(NAMED_SEQUENCE))
    return next((name for name in shared if all(_is_public(each.exported(name)) for each in (first, second))), None)


def _is_public(definition: DefiningOperation | None) -> bool:
    return definition is not None and has_body(definition.operation) and not is_private(definition.operation)


def _difference(context: Context, declared: Operation, definition: DefiningOperation) -> str | None:
    """Say how the signatures of a declaration and a definition differ, or None if they do not, or that is not known."""
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
    return f"has the type `{ours}`, in the definition `{theirs}`" if differ(ours, theirs) else None


def _marks_differ(here: BlockArgument, there: BlockArgument) -> str | None:
    ours, theirs = marks_of(here), marks_of(there)
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return None
    return f"is marked `{next(iter(ours))}`, in the definition `{next(iter(theirs))}`"


RULE: Final = Rule("library-conflict", find=find, rests_on_other_files=True, holds_for_any_definition=True)
