"""``tdls parse``: prints the syntax tree, as text or as data with a schema, for programs: the command has to stay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.checking.configurations import Configurations
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.cli.console.options import JSON, catalogue_option, files, format_option
from tdls.cli.rendering.checked import SourceText
from tdls.cli.rendering.json_text import json_text
from tdls.syntax.layout import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.tree import Block, Member, NamedAttribute, Node, Operation, Tree, ValueUse
    from tdls.text.span import Span


_LONGEST_VALUE = 80
"""Characters of an attribute's value in the human-readable form; values may be megabytes."""


@click.command("parse")
@click.argument("file", metavar="FILE", shell_complete=files)
@format_option
@catalogue_option
def command(file: str, format_: str, catalogues: tuple[Path, ...]) -> int:
    """Print the syntax tree of FILE, or of standard input for -.

    Exit status: 0 everything was read, 1 with syntax errors, 2 wrong usage or unreadable input.
    """
    from tdls.syntax.parser.parser import parse

    text = read_argument(file)
    path = Path(file) if file != STANDARD_INPUT else None
    tree = parse(text, Configurations(catalogues).of(path).catalogue)
    document = TreeDocument(tree, SourceText(file, text)).document()
    if format_ == JSON:
        console.write([json_text(document, indent=1), "\n"])
    else:
        console.write_lines(_lines(document))
    return console.EXIT_FINDINGS if document["problems"] else console.EXIT_CLEAN


def _lines(document: dict[str, Any]) -> Iterator[str]:
    for item in document["members"]:
        if "alias" in item:
            yield f"{item['alias']} = {_shortened(item['value'])}  {item['range']}"
        else:
            yield from _operation_lines(item, "")
    for problem in document["problems"]:
        yield f"error {problem['range']}: {problem['message']}"


def _operation_lines(operation: dict[str, Any], indent: str) -> Iterator[str]:
    groups = ((group["name"], group["count"]) for group in operation["results"])
    names = [name if count == 1 else f"{name}:{count}" for name, count in groups]
    results = f"{', '.join(names)} = " if names else ""
    symbol = f" @{operation['symbol']}" if operation["symbol"] is not None else ""
    broken = " broken" if operation["broken"] else ""
    title = operation["name"] or "(no name)"
    yield f"{indent}{results}{title}{symbol}  {operation['range']} {operation['form']}{broken}"
    inner = indent + "  "
    for row in _detail_rows(operation):
        yield inner + row
    for region in operation["regions"]:
        yield f"{inner}region {region['range']}"
        for block in region["blocks"]:
            yield from _block_lines(block, inner + "  ")


def _block_lines(block: dict[str, Any], indent: str) -> Iterator[str]:
    arguments = ", ".join(_argument(argument) for argument in block["arguments"])
    yield f"{indent}block {block['label'] or '(no label)'}({arguments})  {block['range']}"
    for operation in block["operations"]:
        yield from _operation_lines(operation, indent + "  ")


def _detail_rows(operation: dict[str, Any]) -> Iterator[str]:
    ranges: dict[str, tuple[int, int]] = operation["operand_groups"] or {}
    groups = {index: name for name, (start, end) in ranges.items() for index in range(start, end)}
    types = operation["operand_types"] or []
    for index, operand in enumerate(operation["operands"]):
        group = f"{groups[index]} = " if index in groups else ""
        spelled = f" : {types[index]}" if index < len(types) and types[index] is not None else ""
        yield f"operand {group}{operand}{spelled}"
    if operation["result_types"]:
        yield f"result types {', '.join(operation['result_types'])}"
    for attribute in operation["attributes"]:
        yield f"attribute {_attribute(attribute)}"
    for symbol in operation["symbol_uses"]:
        yield f"symbol {symbol}"
    for successor in operation["successors"]:
        arguments = f"({', '.join(successor['arguments'])})" if successor["arguments"] else ""
        yield f"successor {successor['label']}{arguments}"


def _argument(argument: dict[str, Any]) -> str:
    spelled = f": {argument['type']}" if argument["type"] is not None else ""
    attributes = ", ".join(_attribute(attribute) for attribute in argument["attributes"])
    return f"{argument['name']}{spelled}{f' {{{attributes}}}' if attributes else ''}"


def _attribute(attribute: dict[str, Any]) -> str:
    if attribute["value"] is None:
        return str(attribute["name"])
    return f"{attribute['name']} = {_shortened(attribute['value'])}"


def _shortened(value: str) -> str:
    flat = " ".join(value[: _LONGEST_VALUE * 2].split())
    return flat if len(flat) <= _LONGEST_VALUE else f"{flat[:_LONGEST_VALUE]}..."


class TreeDocument:
    """Turns a tree into dictionaries and lists; places are 1-based ``LINE:COLUMN-LINE:COLUMN``."""

    def __init__(self, tree: Tree, source: SourceText) -> None:
        self._tree = tree
        self._source = source

    def document(self) -> dict[str, Any]:
        """Return the whole file: operations and aliases in order, then problems of syntax."""
        return {
            "version": 1,
            "path": self._source.name,
            "comments": [
                {"range": self._place(comment.span), "text": comment.text} for comment in comments(self._tree.text)
            ],
            "members": [item for member in self._tree.members for item in self._member(member)],
            "problems": [
                {"range": self._range(problem), "message": problem.message, "help": problem.help}
                for problem in self._tree.problems()
            ],
        }

    def _member(self, member: Member) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        if member.alias is not None:
            alias = member.alias
            items.append({"range": self._range(alias), "alias": alias.name, "value": alias.value})
        if member.operation is not None:
            items.append(self._operation(member.operation))
        return items

    def _operation(self, operation: Operation) -> dict[str, Any]:
        return {
            "range": self._range(operation),
            "name": operation.name,
            "form": operation.form.value,
            "broken": operation.broken,
            "symbol": operation.symbol_name,
            "results": [{"name": group.name, "count": group.count} for group in operation.results],
            "result_types": _texts(operation.result_types),
            "operands": [_value(use) for use in operation.operands],
            "operand_types": _texts(operation.operand_types),
            "operand_groups": operation.operand_groups,
            "result_groups": operation.result_groups,
            "attributes": [_attribute_object(attribute) for attribute in operation.attributes],
            "symbol_uses": ["::".join(f"@{part}" for part in use.path) for use in operation.symbols],
            "successors": [
                {"label": successor.label, "arguments": [_value(use) for use in successor.arguments]}
                for successor in operation.successors
            ],
            "regions": [
                {"range": self._range(region), "blocks": [self._block(block) for block in region.blocks]}
                for region in operation.regions
            ],
        }

    def _block(self, block: Block) -> dict[str, Any]:
        return {
            "range": self._range(block),
            "label": block.label,
            "arguments": [
                {
                    "name": argument.name,
                    "type": argument.type.text if argument.type is not None else None,
                    "attributes": [_attribute_object(attribute) for attribute in argument.attributes],
                }
                for argument in block.arguments
            ],
            "operations": [self._operation(operation) for operation in block.operations],
        }

    def _range(self, node: Node) -> str:
        return self._place(node.span)

    def _place(self, span: Span) -> str:
        start, end = (self._source.lines.position(offset) for offset in span)
        return f"{start.line + 1}:{start.column + 1}-{end.line + 1}:{end.column + 1}"


def _texts(types: Any) -> list[str | None] | None:
    return None if types is None else [None if spelled is None else spelled.text for spelled in types]


def _value(use: ValueUse) -> str:
    return use.name if use.number is None else f"{use.name}#{use.number}"


def _attribute_object(attribute: NamedAttribute) -> dict[str, Any]:
    return {"name": attribute.name, "value": attribute.value}
