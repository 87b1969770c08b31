"""Computes effects of transform operations defined in Python, by abstract execution of their ``get_effects``.

These functions call the helpers of ``mlir.dialects.transform`` with operands or results of the operation
(mlir/lib/Bindings/Python/DialectTransform.cpp). Code that is not understood may have any effect.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.catalogue.sources.bodies import (
    CONSUMES,
    PRODUCES,
    Access,
    AccessState,
    ValueGroups,
    ValueRange,
    either,
    partial,
)
from tdls.catalogue.sources.python_modules.classes import last_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.model import OperationDefinition

_ON_HANDLES = {"consumes_handle": CONSUMES, "only_reads_handle": Access.READ, "produces_handle": PRODUCES}
_MOST_PARTS = 1_000
_ON_PAYLOAD = {"modifies_payload": Access.READ | Access.WRITE, "only_reads_payload": Access.READ}


def with_effects(definition: OperationDefinition, functions: Iterable[ast.FunctionDef]) -> OperationDefinition:
    """Return the definition with the join of the effects of several ``get_effects`` functions."""
    groups = ValueGroups(definition)
    end: AccessState | None = None
    for function in functions:
        end = either(end, _EffectsRunner(groups, function).run())
    if end is None:
        return definition
    effects = [accesses.handle_effect() for accesses in end.values]
    count = len(definition.operands)
    return replace(
        definition,
        operands=tuple(
            replace(operand, effect=effect) for operand, effect in zip(definition.operands, effects, strict=False)
        ),
        results=tuple(
            replace(result, effect=effect) for result, effect in zip(definition.results, effects[count:], strict=True)
        ),
        payload_effect=end.payload.payload_effect(),
    )


class _EffectsRunner:
    """Executes one function abstractly, for an operation of which only the definition is known."""

    def __init__(self, groups: ValueGroups, function: ast.FunctionDef) -> None:
        names = [argument.arg for argument in function.args.args][-2:]
        self._groups = groups
        self._function = function
        self._operation, self._effects = names if len(names) == 2 else ("", "")
        self._variables: dict[str, ValueRange | None] = {}
        stored = [
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        self._changing = {name for name, count in Counter(stored).items() if count > 1}
        self._finished: AccessState | None = None

    def run(self) -> AccessState:
        start = AccessState.at_start(len(self._groups.values))
        if not self._effects:
            start.touch_anything()
            return start
        return either(self._block(self._function.body, start.copy()), self._finished) or start

    def _block(self, statements: Sequence[ast.stmt], state: AccessState) -> AccessState | None:
        current: AccessState | None = state
        for statement in statements:
            if current is None:
                return None
            current = self._statement(statement, current)
        return current

    def _statement(self, statement: ast.stmt, state: AccessState) -> AccessState | None:
        match statement:
            case ast.Return():
                self._finished = either(self._finished, self._expression(statement.value, state))
                return None
            case ast.Expr():
                return self._expression(statement.value, state)
            case ast.Assign(targets=[ast.Name(id=name)]):
                self._variables[name] = None if name in self._changing else self._target(statement.value)
                return self._anything_if_mentioned(statement, state)
            case ast.If():
                return self._if(statement, state)
            case ast.For():
                return self._for(statement, state)
        return self._anything_if_mentioned(statement, state)

    def _if(self, statement: ast.If, state: AccessState) -> AccessState | None:
        state = self._anything_if_mentioned(statement.test, state)
        values = self._tested_values(statement.test)
        if values is not None and not statement.orelse:
            return self._if_any(values, statement.body, state)
        then = self._block(statement.body, state.copy())
        return either(then, self._block(statement.orelse, state))

    def _tested_values(self, test: ast.expr) -> ValueRange | None:
        """Return the values that a condition tests not to be empty: ``op.operands``, ``len(op.operands) > 0``."""
        match test:
            case ast.Compare(left=tested, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]):
                return self._tested_values(tested)
            case ast.Call(func=ast.Name(id="len"), args=[tested], keywords=[]):
                return self._tested_values(tested)
        return self._target(test) if isinstance(test, ast.Attribute) else None

    def _for(self, statement: ast.For, state: AccessState) -> AccessState | None:
        values = self._target(statement.iter)
        leaves = any(isinstance(node, ast.Return | ast.Break | ast.Continue) for node in ast.walk(statement))
        if not isinstance(statement.target, ast.Name) or statement.orelse or values is None or leaves:
            return self._anything_if_mentioned(statement, state)
        self._variables[statement.target.id] = None if statement.target.id in self._changing else values
        return self._if_any(values, statement.body, state)

    def _if_any(self, values: ValueRange, body: Sequence[ast.stmt], state: AccessState) -> AccessState | None:
        """Return the state behind a body that runs only if there are `values`; its effects on these are certain."""
        before = state.copy()
        after = self._block(body, state)
        result = either(before, after)
        if result is not None and after is not None:
            for part in values:
                if part.whole:
                    result.values[part.index] = after.values[part.index]
        return after if self._groups.least(values) else result

    def _expression(self, expression: ast.expr | None, state: AccessState) -> AccessState:
        if not isinstance(expression, ast.Call) or expression.keywords:
            return self._anything_if_mentioned(expression, state)
        helper, arguments = last_name(expression.func), expression.args
        last = arguments[-1] if arguments else None
        ends_with_effects = isinstance(last, ast.Name) and last.id == self._effects
        if helper in _ON_HANDLES and len(arguments) == 2 and ends_with_effects:
            return self._handles(arguments[0], _ON_HANDLES[helper], state)
        if helper in _ON_PAYLOAD and len(arguments) == 1 and ends_with_effects:
            state.payload.add(_ON_PAYLOAD[helper], certain=True)
            return state
        return self._anything_if_mentioned(expression, state)

    def _handles(self, expression: ast.expr, access: Access, state: AccessState) -> AccessState:
        target = self._target(expression)
        if target is None:
            values = self._groups.results if access is PRODUCES else self._groups.operands
            state.touch(values, access, certain=False)
        else:
            state.touch(target, access)
        return state

    def _target(self, expression: ast.expr) -> ValueRange | None:
        """Return the operands and results that an expression denotes; None if it is not understood."""
        match expression:
            case ast.Name(id=name):
                return self._variables.get(name)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                targets = [self._target(element) for element in elements]
                known = [target for target in targets if target is not None]
                parts = tuple(part for target in known for part in target)
                return parts if len(known) == len(targets) and len(parts) <= _MOST_PARTS else None
            case ast.Starred(value=value) | ast.Call(func=ast.Name(id="list" | "tuple"), args=[value], keywords=[]):
                return self._target(value)
            case ast.Attribute():
                return self._attribute(expression)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self._target(value), index)
        return None

    def _attribute(self, expression: ast.Attribute) -> ValueRange | None:
        owner = expression.value
        if isinstance(owner, ast.Attribute) and owner.attr in ("operation", "opview"):
            owner = owner.value
        if not isinstance(owner, ast.Name) or owner.id != self._operation:
            return None
        if expression.attr in ("op_operands", "operands"):
            return self._groups.operands
        if expression.attr in ("results", "op_results"):
            return self._groups.results
        parts = (*self._groups.operands, *self._groups.results)
        return next(
            (parts[i : i + 1] for i, group in enumerate(self._groups.values) if group.name == expression.attr), None
        )

    def _subscript(self, target: ValueRange | None, index: ast.expr) -> ValueRange | None:
        if target is None:
            return None
        if isinstance(index, ast.Constant) and isinstance(index.value, int):
            return self._groups.element(target, index.value)
        if isinstance(index, ast.Slice) and index.step is None and index.upper is None:
            lower = index.lower.value if isinstance(index.lower, ast.Constant) else None
            return self._groups.without_first(target, lower) if isinstance(lower, int) else partial(target)
        if isinstance(index, ast.Slice) and index.lower is None and index.step is None:
            upper = index.upper.value if isinstance(index.upper, ast.Constant) else None
            return self._groups.first(target, upper) if isinstance(upper, int) and upper >= 0 else partial(target)
        return partial(target)

    def _anything_if_mentioned(self, node: ast.AST | None, state: AccessState) -> AccessState:
        if node is not None and any(isinstance(part, ast.Name) and part.id == self._effects for part in ast.walk(node)):
            state.touch_anything()
        return state
