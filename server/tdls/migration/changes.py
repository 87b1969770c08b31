"""Changes of an operation between versions of LLVM beyond its format, and whether two operations mean the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.migration.writing import IMPLIED, SEGMENTS, TYPE_SUFFIX, NotRespelledError, case_of, without_types
from tdls.structs import replace
from tdls.syntax.tree import NamedAttribute, TypeUse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.changed_operations import ChangedOperation
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.syntax.tree import Operation

_OPTION = re.compile(r"(?<![\w-])([\w-]+)=([\w.,:/+-]+)(?:\s+|\Z)")
_NUMBER_OR_TRUTH = re.compile(r"(?:0|-?[1-9]\d{0,17}|true|false)\Z")


class Changed:
    """Gives an operation the attributes and results that mean the same in another version."""

    def __init__(self, changed: ChangedOperation, written: OperationDefinition, meant: OperationDefinition) -> None:
        self.changed = changed
        self.meant = meant
        self.definitions = {each.name: each for each in (*meant.attributes, *written.attributes)}
        defaults = {each.name: each.default for each in written.attributes}
        self.defaults = {name: default for name, default in defaults.items() if default is not None}
        self.is_later = max(written.versions) <= changed.last_version
        pairs = changed.names if self.is_later else [pair[::-1] for pair in changed.names]
        self.names = dict(pairs)
        """The names of attributes in the other version, where they are other ones."""

    def node(self, node: Operation, operand_types: Mapping[str, str]) -> Operation:
        """Return the operation, whose operands have these types by name, as the other version has it.

        Raises `NotRespelledError`.
        """
        changed = self.changed
        if changed.reason:
            raise NotRespelledError(changed.reason)
        for name, value, reason in changed.unlike:
            attribute = node.attribute(name)
            plain = self._plain(name, attribute.value) if attribute is not None else self.defaults.get(name)
            if plain == value or (not value and attribute is not None and plain != "[]"):
                raise NotRespelledError(f"`{name}` has no equal there: {reason}")
        node = replace(node, attributes=self._attributes(node))
        if not self.is_later:
            return node
        kept = [each for each in node.attributes if each.name not in changed.drops]
        given = {self.names.get(each.name, each.name) for each in kept}
        added = [NamedAttribute(0, 0, name, value or None, 0, 0) for name, value in changed.adds if name not in given]
        node = replace(node, attributes=(*kept, *added))
        groups, types = dict(node.result_groups or {}), list(node.result_types or ())
        if changed.first_result_last and len(types) > 1:
            types.append(types.pop(0))
            groups = {name: (start - 1, end - 1) for name, (start, end) in groups.items()}
            groups = {
                name: bounds if bounds[0] >= 0 else (len(types) - 1, len(types)) for name, bounds in groups.items()
            }
        known = {name for name, (start, end) in groups.items() if start < end}
        for name, type_ in changed.new_results if node.result_types is not None else ():
            if name not in known:
                groups[name] = (len(types), len(types) + 1)
                types.append(TypeUse(0, 0, operand_types.get(type_, type_)))
        return replace(node, result_types=tuple(types) if node.result_types is not None else None, result_groups=groups)

    def _attributes(self, node: Operation) -> tuple[NamedAttribute, ...]:
        changed = self.changed
        options = node.attribute(changed.pass_options)
        if options is not None:
            if not self.is_later:
                raise NotRespelledError(f"`{options.name}` is a text there")
            new = replace(options, value=_options(options.value or ""))
            return tuple(new if each is options else each for each in node.attributes)
        sizes = node.attribute(changed.three)
        if sizes is not None and (missing := 2 - (sizes.value or "").count(",")) > 0:
            full = replace(sizes, value=(sizes.value or "").rstrip().removesuffix("]") + ", 1" * missing + "]")
            return tuple(full if each is sizes else each for each in node.attributes)
        given = {each.name: self._plain(each.name, each.value) for each in node.attributes}
        for pair in changed.attributes:
            former, latter = pair if self.is_later else reversed(pair)
            if all(given.get(name) == self._plain(name, value) for name, value in former):
                names = [name for name, _ in former]
                place = next(each for each in node.attributes if each.name == names[0])
                kept = [each for each in node.attributes if each.name not in names]
                return (*kept, *(replace(place, name=name, value=value) for name, value in latter))
        return node.attributes

    def _plain(self, name: str, value: str | None) -> str | None:
        definition = self.definitions.get(name)
        if value is None or definition is None:
            return value
        return case_of(value, definition) or TYPE_SUFFIX.sub("", value)


def _options(text: str) -> str:
    """Return the dictionary of pass options for their text in quotes. Raises `NotRespelledError`."""
    inside = text.strip()[1:-1].strip()
    options = list(_OPTION.finditer(inside))
    names = [option[1] for option in options]
    if "".join(option[0] for option in options) != inside or len(set(names)) < len(names):
        raise NotRespelledError("the options are not a list of names with plain values")
    values = [option[2] if _NUMBER_OR_TRUTH.match(option[2]) else f'"{option[2]}"' for option in options]
    return "{" + ", ".join(f'"{name}" = {value}' for name, value in zip(names, values, strict=True)) + "}"


def renamed_attributes(
    node: Operation, written: OperationDefinition, meant: OperationDefinition
) -> Iterator[tuple[str, str]]:
    """Yield attributes with another name: ``sizes`` has become ``static_sizes`` where operands took over the name."""
    known = {attribute.name for attribute in meant.attributes}
    operands = {operand.name for operand in meant.operands}
    names = [*(attribute.name for attribute in written.attributes), *(attribute.name for attribute in node.attributes)]
    for former in dict.fromkeys(names):
        name = f"static_{former}"
        if former not in known and former in operands and name in known:
            yield former, name


def compare_definitions(
    node: Operation,
    definitions: tuple[OperationDefinition, OperationDefinition],
    names: Mapping[str, str],
    changes: Sequence[ChangedOperation],
    former: Sequence[str],
) -> None:
    """Raise `NotRespelledError` where the second definition may mean something else, or lacks a part that is used.

    `former` are names of attributes that only versions before those of the facts have.
    """
    written, meant = definitions
    given = {attribute.name for attribute in node.attributes}
    known = {attribute.name: attribute for attribute in meant.attributes}
    own = {attribute.name for attribute in written.attributes}
    for name in sorted(given & {*own, *former}):
        if names.get(name, name) not in known:
            raise NotRespelledError(f"it has no `{name}` there")
    for attribute in written.attributes:
        new = known.get(names.get(attribute.name, attribute.name))
        if attribute.name in given or new is None or attribute.default is None:
            continue
        if _plain_default(attribute.default) != _plain_default(new.default):
            raise NotRespelledError(f"`{attribute.name}` has another default there")
    operands = {operand.name for operand in meant.operands}
    for name, (start, end) in (node.operand_groups or {}).items():
        if end > start and name not in operands:
            raise NotRespelledError(f"it has no operand `{name}` there")
    new_names = {former: new for change in changes for former, new in change.results}
    groups = (node.result_groups or {}).keys()
    if len(written.results) == len(meant.results) == 1:
        new_names = {written.results[0].name: meant.results[0].name}
    results, others = (
        [(new_names.get(result.name, result.name), result.arity is Arity.ONE) for result in definition.results]
        for definition in definitions
    )
    if any(change.first_result_last for change in changes):
        results = [*results[1:], *results[:1]]
    if results != [each for each in others if each in results or (each[1] and each[0] not in groups)]:
        raise NotRespelledError("it has other results there")


def _plain_default(default: str | None) -> str:
    return "" if default == "{}" else (default or "").rpartition("::")[2].strip('"')


def different_parts(
    before: Operation,
    after: Operation,
    written: OperationDefinition,
    meant: OperationDefinition,
    names: Mapping[str, str],
) -> Iterator[str]:
    """Yield, in words, what an operation that was written anew does not have in common with the former one."""
    if _operands(before) != _operands(after):
        yield "its operands"
    if [type_.text for type_ in before.result_types or ()] != [type_.text for type_ in after.result_types or ()]:
        yield "its types"
    old = _normal(before, (*meant.attributes, *written.attributes), names)
    new = _normal(after, meant.attributes, {})
    for name in old.keys() | new.keys():
        if old.get(name) != new.get(name):
            yield f"`{name}`"
    if len(before.regions) != len(after.regions) or before.symbol_name != after.symbol_name:
        yield "its regions"


def _operands(node: Operation) -> dict[str, list[tuple[str, int | None]]]:
    groups = (node.operand_groups or {}).items()
    return {
        name: [(use.name, use.number) for use in node.operands[start:end]]
        for name, (start, end) in groups
        if end > start
    }


def _normal(node: Operation, definitions: Sequence[AttributeDefinition], names: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes by name, their values without blanks and without types that the definition implies."""
    known = {attribute.name: attribute for attribute in definitions}
    normal: dict[str, str] = {}
    for each in node.attributes:
        attribute = known.get(each.name)
        value = each.value if each.value is not None else "unit"
        if attribute is not None and attribute.spelling is AttributeSpelling.CUSTOM and attribute.mnemonic:
            value = value.removeprefix(f"#{attribute.mnemonic}")
        elif attribute is not None and attribute.cases:
            value = case_of(value, attribute) or value
        suffix = TYPE_SUFFIX.search(value)
        implied = (*IMPLIED, attribute.type if attribute is not None else None)
        if suffix is not None and suffix[1] in implied:
            value = value[: suffix.start()]
        if each.name not in SEGMENTS:
            normal[names.get(each.name, each.name)] = "".join(without_types(value, node).split())
    return normal
