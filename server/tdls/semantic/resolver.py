"""Builds the semantic model of a syntax tree: resolves names to values, labels to blocks, types to canonical texts.

Names follow MLIR's parser (`OperationParser` of mlir/lib/AsmParser/Parser.cpp): a name is visible in its region and
the regions nested in it, up to an isolated-from-above operation. It may be used before it is defined; whether the
definition dominates the use is the verifier's question (`control_flow.Dominance`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.model import Block, Model, Operation, Redefinition, Region, UnresolvedUse, Value

if TYPE_CHECKING:
    from tdls.semantic.types import TypeTexts
    from tdls.syntax import tree as syntax
    from tdls.text.span import Span

Group = tuple[Value, ...]


def resolve(tree: syntax.Tree, types: TypeTexts) -> Model:
    """Build the model of `tree`; `types` knows the aliases of its file. Never raises."""
    return _Resolver(tree, types).model


class _PendingUse:
    """A use of a name that is not defined yet."""

    __slots__ = ("operand", "operation", "use")

    def __init__(self, operation: Operation, operand: int, use: syntax.ValueUse) -> None:
        self.operation = operation
        self.operand = operand
        self.use = use


class _NameScope:
    """The names of one isolated operation: definitions by region, and uses of names not defined yet."""

    def __init__(self) -> None:
        self.visible: dict[str, tuple[Group, Span]] = {}
        self.regions: list[list[str]] = [[]]
        self.pending: dict[str, list[_PendingUse]] = {}


class _Resolver:
    def __init__(self, tree: syntax.Tree, types: TypeTexts) -> None:
        self.tree = tree
        self.types = types
        self.model = Model([], self.types, [], [], [])
        self.names = [_NameScope()]
        for node in tree.top_level():
            self.model.operations.append(self._operation(node, None, len(self.model.operations)))
        self._report_pending(self.names[0])

    # Operations

    def _operation(self, node: syntax.Operation, block: Block | None, index: int) -> Operation:
        operation = Operation(node, block, index)
        self._use_operands(operation)
        for region in node.regions:
            operation.regions.append(self._region(operation, region))
        self._define_results(operation)
        return operation

    def _use_operands(self, operation: Operation) -> None:
        names = self.names[-1]
        for number, use in enumerate(operation.syntax.operands):
            visible = names.visible.get(use.name)
            value = _pick(visible[0], use) if visible is not None else None
            operation.operands.append(value)
            if visible is None:
                names.pending.setdefault(use.name, []).append(_PendingUse(operation, number, use))
            elif value is None:
                self._report_unresolved(operation, number, use)

    def _define_results(self, operation: Operation) -> None:
        types = operation.syntax.result_types
        if types is not None and len(types) != operation.syntax.result_count:
            types = None
        results: list[Value] = []
        for group in operation.syntax.results:
            span = group.span
            values = []
            for number in range(min(group.count, _MAXIMUM_RESULTS)):
                index = len(results)
                text = types[index].text if types is not None else "<"  # only parameters: the rest is not known
                spelled = self.types.canonical(text) if not text.startswith("<") else None
                shown = number if group.count > 1 else None
                values.append(Value(group.name, shown, spelled, span, operation=operation, index=index))
                results.append(values[-1])
            self._define(operation, group.name, tuple(values), span)
        operation.results = tuple(results)

    # Regions

    def _region(self, parent: Operation, node: syntax.Region) -> Region:
        region = Region(node, parent, len(parent.regions))
        isolated = is_isolated(parent)
        if isolated:
            self.names.append(_NameScope())
        self.names[-1].regions.append([])
        for block_node in node.blocks:
            self._block(region, block_node)
        region.labels = {block.syntax.label: block for block in region.blocks if block.syntax.label is not None}
        for block in region.blocks:
            for operation in block.operations:
                self._connect_operation(operation, block)
        names = self.names[-1]
        for name in names.regions.pop():
            del names.visible[name]
        if isolated:
            inner = self.names.pop()
            (self._report_pending if parent.definition is not None else self._resolve_outside)(inner)
        return region

    def _block(self, region: Region, node: syntax.Block) -> None:
        block = Block(node, region, len(region.blocks))
        region.blocks.append(block)
        arguments: list[Value] = []
        for argument in node.arguments:
            span = argument.span
            spelled = self.types.canonical(argument.type.text) if argument.type is not None else None
            arguments.append(Value(argument.name, None, spelled, span, block=block, index=len(arguments)))
            self._define(region.parent, argument.name, (arguments[-1],), span)
        block.arguments = tuple(arguments)
        for child in node.operations:
            block.operations.append(self._operation(child, block, len(block.operations)))

    def _connect_operation(self, operation: Operation, block: Block) -> None:
        for successor in operation.syntax.successors:
            target = block.region.labels.get(successor.label)
            if target is not None:
                block.successors.append(target)
            else:
                self.model.unknown_labels.append((operation, successor.label, successor.span))

    # Names

    def _define(self, operation: Operation, name: str, values: Group, span: Span) -> None:
        names = self.names[-1]
        first = names.visible.get(name)
        if first is not None:
            self.model.redefinitions.append(Redefinition(operation, name, span, first[1]))
            return
        names.visible[name] = (values, span)
        names.regions[-1].append(name)
        for waiting in names.pending.pop(name, ()):
            self._settle(waiting, values)

    def _report_pending(self, names: _NameScope) -> None:
        for waiting in names.pending.values():
            for use in waiting:
                self._report_unresolved(use.operation, use.operand, use.use)

    def _resolve_outside(self, names: _NameScope) -> None:
        """Resolve pending names of an operation without a definition around it, since it may not be isolated."""
        outer = self.names[-1]
        for name, waiting in names.pending.items():
            entry = outer.visible.get(name)
            if entry is None:
                outer.pending.setdefault(name, []).extend(waiting)
                continue
            for use in waiting:
                self._settle(use, entry[0])

    def _settle(self, waiting: _PendingUse, values: Group) -> None:
        value = _pick(values, waiting.use)
        waiting.operation.operands[waiting.operand] = value
        if value is None:
            self._report_unresolved(waiting.operation, waiting.operand, waiting.use)

    def _report_unresolved(self, operation: Operation, operand: int, use: syntax.ValueUse) -> None:
        name = use.name if use.number is None else f"{use.name}#{use.number}"
        self.model.unresolved.append(UnresolvedUse(operation, operand, name, use.span))


_MAXIMUM_RESULTS = 10_000
"""Maximum number of values for one result group: ``%a:99999999`` must cost nothing."""


def _pick(values: Group, use: syntax.ValueUse) -> Value | None:
    """Return the value of `values` that `use` names: ``%a`` means the first result of its group."""
    number = use.number or 0
    return values[number] if number < len(values) else None


def is_isolated(operation: Operation) -> bool:
    """Whether the regions of `operation` see no outer values; without a definition, one with a symbol counts."""
    if operation.definition is not None:
        return operation.has_trait("IsIsolatedFromAbove")
    return operation.syntax.symbol_name is not None
