"""The syntax tree as plain data, for ``tdls parse``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.syntax.layout import comments

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import SourceText
    from tdls.syntax.tree import Block, Member, NamedAttribute, Node, Operation, Tree, ValueUse
    from tdls.text.span import Span


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
            "attributes": [_attribute(attribute) for attribute in operation.attributes],
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
                    "attributes": [_attribute(attribute) for attribute in argument.attributes],
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


def _attribute(attribute: NamedAttribute) -> dict[str, Any]:
    return {"name": attribute.name, "value": attribute.value}
