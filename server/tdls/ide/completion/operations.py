"""Completion of operations, as snippets generated from their assembly formats, ranked by place and frequency."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import READONLY
from tdls.analysis.meaning.matchers import matcher_names
from tdls.catalogue.catalogue import TOP_LEVEL_DIALECT
from tdls.catalogue.model import Arity
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.ide.completion.names import likely_search
from tdls.ide.completion.scope import Filling
from tdls.ide.completion.site import abbreviates
from tdls.ide.completion.symbols import defines_symbol
from tdls.ide.forms.snippets import Snippet, Stop, operation_snippet, with_attributes
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import (
    ENTRY_POINT,
    TRANSFORM,
    WITH_NAMED_SEQUENCE,
    holds_payload_names,
    is_transform_definition,
    is_transform_operation,
)
from tdls.settings.llvm_versions import version_ranges
from tdls.structs import Struct
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.completion.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.syntax.expected.model import OperationStart

_MATCHES = frozenset({"MatchOpInterface", "IsTerminator"})
"""Operations in a matcher have at least one of these traits."""
_IN_SCRIPTS = _MATCHES | {"TransformOpInterface"}
"""Traits of operations that no container has, other than scripts."""
_OF_FILE = 5
"""The weight of an occurrence in this file, in uses in other scripts."""
_MOST = 99
_STEPS = 5
"""In how many steps of frequency the number of uses doubles."""


class Ranking:
    """Ranks operations at one cursor."""

    def __init__(self, scope: CompletionScope) -> None:
        self._scope = scope

    def key(self, definition: OperationDefinition) -> str:
        """Return a sort key for `definition`: operations that fit the place come first, then more frequent ones."""
        fits = self._fits_place(definition) and self._has_operands(definition)
        return f"{int(not fits)}{self._rarity(definition.name)}"

    def key_of_unknown(self, name: str) -> str:
        """Return the sort key of an operation of the file that the catalogue does not have."""
        return f"0{self._rarity(name)}"

    def _fits_place(self, definition: OperationDefinition) -> bool:
        """Return whether `definition` is allowed here: in a matcher only `_MATCHES`, symbols only in symbol tables.

        A block has one terminator.
        """
        parent, block = self._scope.site.parent, self._scope.site.block
        last = block.terminator if block is not None else None
        if "IsTerminator" in definition.traits and last is not None and last.has_trait("IsTerminator"):
            return False
        if defines_symbol(definition) and parent is not None and not parent.has_trait("SymbolTable"):
            return False
        return not self._is_in_matcher or not _MATCHES.isdisjoint(definition.traits)

    def _has_operands(self, definition: OperationDefinition) -> bool:
        """Return whether there are live values for all required operands."""
        if not is_transform_definition(definition):
            return True
        required = (operand for operand in definition.operands if operand.arity is Arity.ONE)
        return all(self._scope.fitting(operand) for operand in required)

    def _rarity(self, name: str) -> str:
        """Return the same key for names of about the same frequency: a name then comes before its extensions."""
        uses = self._scope.catalogue.uses(name) + _OF_FILE * self._in_file.get(name, 0)
        return f"{_MOST - min(round(_STEPS * log2(uses + 1)), _MOST):02}"

    @cached_property
    def _in_file(self) -> dict[str, int]:
        return {used.name: count for used, count in self._scope.names_in_file.items()}

    @cached_property
    def _is_in_matcher(self) -> bool:
        enclosing = self._scope.site.enclosing
        around = (enclosing, *enclosing.ancestors()) if enclosing is not None else ()
        names = {name for operation in around if (name := symbol_name(operation)) is not None}
        return bool(names) and not names.isdisjoint(matcher_names(self._scope.site.file))


_SCRIPT = "script"
_SKELETON = Snippet(
    (
        f"module attributes {{{WITH_NAMED_SEQUENCE}}} {{\n  transform.named_sequence @{ENTRY_POINT}",
        f"(%root: !transform.any_op {{{READONLY}}}) {{\n    ",
        Stop(),
        "\n    transform.yield\n  }\n}",
    )
)
_TOP_LEVEL = ("builtin", "func", TRANSFORM)
_DESCRIPTORS = ("DescriptorOpInterface", "TypeConverterBuilderOpInterface")


class _NameCandidate(Struct, frozen=True):
    """A name of an operation: its present one, or one that it had in an earlier version of LLVM."""

    label: str
    definition: OperationDefinition
    is_former: bool
    is_outdated: bool
    """True for former names, and for operations that the target, or the newest LLVM, does not have."""


def operation_items(site: Site, scope: CompletionScope, start: OperationStart) -> Iterator[CompletionItem]:
    """Yield the operations of the dialects that are likely here, ranked, and the dialects."""
    prefix = site.expected.word.prefix.lstrip('"')
    in_quotes = site.expected.word.in_string
    ranking = Ranking(scope)
    names = [name for dialect in _dialects(site, prefix) for name in _names_of(site.catalogue, dialect)]
    typed = [name for name in _typed(names, prefix) if start.results is None or name.definition.results]
    for name in _without_outdated(typed, prefix, scope.used_names):
        if _rank(site, name.definition) is None:
            continue
        yield (
            _quoted(site, name) if in_quotes else _item(site, scope, start, name, prefix, ranking.key(name.definition))
        )
    yield from _unknown_items(scope, ranking, prefix, '"' if in_quotes else "")
    if site.parent is None and start.results is None and not in_quotes and abbreviates(prefix, _SCRIPT):
        yield CompletionItem(
            _SCRIPT, ItemKind.SNIPPET, site.span, _SKELETON.plain, "0", _SCRIPT, _SKELETON.snippet, note="a module"
        )
    inside_transform = site.parent is not None and is_transform_operation(site.parent)
    if "." not in prefix and not in_quotes and (prefix or not inside_transform):
        for dialect in sorted(site.catalogue.dialects()):  # for operations of the payload
            yield CompletionItem(
                f"{dialect}.", ItemKind.DIALECT, site.span, f"{dialect}.", f"9{dialect}", f"{dialect}."
            )


def _dialects(site: Site, prefix: str) -> list[str]:
    written, dot, _ = prefix.partition(".")
    if dot and written in site.catalogue.dialects():
        return [written]
    parent = site.parent
    if parent is None:
        return list(_TOP_LEVEL)
    around = {TRANSFORM} if TRANSFORM in (parent.name.partition(".")[0], site.dialect) else set()
    if parent.has_trait("SymbolTable"):
        around.update(_TOP_LEVEL)
    return sorted(around | {site.dialect} - {""})


def _typed(names: list[_NameCandidate], prefix: str) -> list[_NameCandidate]:
    """Return the names that `prefix` begins, with or without dialect, or abbreviates.

    The prefix up to its last dot must match literally if it does so for any name.
    """
    qualifier = prefix[: prefix.rfind(".") + 1]
    if qualifier:
        qualified = [
            name
            for name in names
            if qualifier in (name.label[: len(qualifier)], name.label.partition(".")[2][: len(qualifier)])
        ]
        names = qualified or names
    return [name for name in names if abbreviates(prefix, _filter_text(name.label, prefix))]


def _without_outdated(names: list[_NameCandidate], prefix: str, used: frozenset[str]) -> list[_NameCandidate]:
    """Return the names without the outdated ones if `prefix` begins another one; but keep those `used` in the file.

    Sorting them last would not do: editors put a name that is typed whole (``tile``) or begins with the word
    (`vector.`) above all others, regardless of the order of the server.
    """
    begins_other = any(not name.is_outdated and _match_rank(name.label, prefix) == 0 for name in names)
    return [name for name in names if not name.is_outdated or name.label in used] if begins_other else names


def _item(
    site: Site, scope: CompletionScope, start: OperationStart, name: _NameCandidate, prefix: str, rank: str
) -> CompletionItem:
    definition = name.definition
    is_top_level = start.dialect == TOP_LEVEL_DIALECT == definition.dialect
    written = definition.name.partition(".")[2] if is_top_level else definition.name
    snippet = None
    if not (bool(prefix) and site.rest_of_line not in ("", "}")):
        filling = Filling(scope, for_payload=not is_transform_definition(definition))
        searched = likely_search(site) if any(map(holds_payload_names, definition.attributes)) else ""
        snippet = operation_snippet(definition, filling, name=written, results=start.results, searched=searched)
        rename = site.catalogue.renamed(name.label) if name.is_former else None
        if snippet is not None and rename is not None and rename.adds:
            snippet = with_attributes(snippet, rename.adds)
    note = f"now {definition.name}" if name.is_former else ""
    if name.is_outdated and not note:
        note = version_ranges((max(definition.versions),))
    is_last = name.is_outdated and name.label not in scope.used_names
    return CompletionItem(
        name.label,
        ItemKind.OPERATION,
        site.span,
        snippet.plain if snippet is not None else written,
        f"{int(is_last)}{_rank(site, definition)}{_match_rank(name.label, prefix)}{rank}{name.label}",
        _filter_text(name.label, prefix),
        snippet.snippet if snippet is not None else None,
        summary=definition.summary,
        note=note,
        deprecated=name.is_outdated,
        data=("operation", definition.name),
    )


def _unknown_items(scope: CompletionScope, ranking: Ranking, prefix: str, quote: str) -> Iterator[CompletionItem]:
    """Yield the operations of the file that the catalogue does not have."""
    for name, is_known in scope.names_in_file:
        if not is_known and abbreviates(prefix, name):
            text = f"{quote}{name}{quote}"
            sort_key = f"02{_match_rank(name, prefix)}{ranking.key_of_unknown(name)}{name}"
            yield CompletionItem(name, ItemKind.OPERATION, scope.site.span, text, sort_key, text, note="in this file")


def _quoted(site: Site, name: _NameCandidate) -> CompletionItem:
    text = f'"{name.definition.name}"'
    return CompletionItem(
        name.label,
        ItemKind.OPERATION,
        site.span,
        text,
        f"{int(name.is_outdated)}{name.label}",
        f'"{name.label}"',
        summary=name.definition.summary,
        deprecated=name.is_outdated,
        data=("operation", name.definition.name),
    )


def _filter_text(label: str, prefix: str) -> str:
    """Return the typed text and the rest of the label behind it; the label if it does not contain the typed text.

    Editors compare the typed text with it, and prefer early and contiguous matches to the order of the server. So all
    names that contain the last typed word begin with the typed text, and the order of the server remains:
    `transform.match` is typed for `transform.structured.match` as well as for `transform.match.operation_name`.
    """
    dialect, _, rest = label.partition(".")
    qualifier = prefix[: prefix.rfind(".") + 1]
    word = prefix[len(qualifier) :]
    for name in (label, rest):
        if name.startswith(prefix):
            return name
    for name in (label, rest):
        places = (name.find(f"{before}{word}", max(len(qualifier) - 1, 0)) for before in "._")
        place = next((place for place in places if place >= 0), -1)
        if word and place >= 0 and name.startswith(qualifier):
            return f"{qualifier}{name[place + 1 :]}"
    return label if dialect.startswith(prefix.partition(".")[0]) else rest


def _match_rank(label: str, prefix: str) -> int:
    """Return the match quality: 0 if `prefix` begins `label` or a part, 1 a word in it, 2 if contained, else 3."""
    qualifier, _, word = prefix.rpartition(".")
    begins_last = label.rpartition(".")[2].startswith(word) and abbreviates(qualifier, label)
    if begins_last or label.startswith(prefix) or label.partition(".")[2].startswith(prefix):
        return 0
    if f"_{word}" in label or f".{word}" in label:
        return 1
    return 2 if prefix in label else 3


def _rank(site: Site, definition: OperationDefinition) -> int | None:
    """Return 0 and 1 for operations typical of the place, None for those that cannot stand there, 3 seldom, else 2.

    A file typically has containers, a container symbols and scripts, another operation those whose names extend its
    own. A symbol of a script needs a container with an attribute, and a step of a script is in one.
    """
    parent, of_script = site.parent, is_transform_definition(definition)
    if parent is None and not of_script and "SymbolTable" in definition.traits:
        return 0
    if parent is not None and definition.name.startswith(f"{parent.name}."):
        return 1
    is_container = parent is None or parent.has_trait("SymbolTable")
    is_symbol = defines_symbol(definition) and not (parent is None and of_script)
    if is_container and (is_symbol or "PossibleTopLevelTransformOpTrait" in definition.traits):
        return 1
    describes = any(trait.endswith(_DESCRIPTORS) for trait in definition.traits)
    if is_container and (describes or not _IN_SCRIPTS.isdisjoint(definition.traits)):
        return None
    return 3 if describes else 2


@lru_cache(maxsize=128)
def _names_of(catalogue: Catalogue, dialect: str) -> tuple[_NameCandidate, ...]:
    names = catalogue.operation_names(dialect)
    known = set(names)
    candidates: list[_NameCandidate] = []
    for name in names:
        definition = catalogue.operation(name)
        if definition is None:
            continue
        is_outdated = not _is_current(catalogue, definition)
        candidates.append(_NameCandidate(name, definition, is_former=False, is_outdated=is_outdated))
        former_names = (former for former in definition.former_names if former not in known)
        candidates += [_NameCandidate(former, definition, is_former=True, is_outdated=True) for former in former_names]
    return tuple(candidates)


def _is_current(catalogue: Catalogue, definition: OperationDefinition) -> bool:
    """Return whether the target, or without one the newest LLVM, has the operation."""
    if catalogue.target is not None:
        return catalogue.is_at_target(definition)
    newest = _newest_version(catalogue, definition.dialect)
    return not definition.versions or newest in {
        version for variant in catalogue.variants(definition.name) for version in variant.versions
    }


@lru_cache(maxsize=128)
def _newest_version(catalogue: Catalogue, dialect: str) -> int:
    definitions = map(catalogue.operation, catalogue.operation_names(dialect))
    return max((version for known in definitions if known is not None for version in known.versions), default=0)
