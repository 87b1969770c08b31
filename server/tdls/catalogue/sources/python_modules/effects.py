"""Computes effects of transform operations defined in Python, by abstract execution of their ``get_effects``.

These functions call the helpers of ``mlir.dialects.transform`` with operands or results of the operation
(mlir/lib/Bindings/Python/DialectTransform.cpp). The helpers of bindings before August 2026 add effects to a list that
is their last argument, those of later ones return lists. Code that is not understood may have any effect.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

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
from tdls.catalogue.sources.python_modules.program import (
    Closure,
    PythonFunction,
    PythonScope,
    last_name,
    resolve,
    truth,
)
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.sources.python_modules.program import PythonClass

_ON_HANDLES = {"consumes_handle": CONSUMES, "only_reads_handle": Access.READ, "produces_handle": PRODUCES}
_ON_PAYLOAD = {"modifies_payload": Access.READ | Access.WRITE, "only_reads_payload": Access.READ}
_MOST_PARTS = 1_000
_MOST_CALLS_INSIDE = 10
_MOST_STATEMENTS = 2_000
"""Maximum number of statements that are executed for one function; others may have any effect."""


def with_effects(
    definition: OperationDefinition, functions: Iterable[tuple[PythonClass, PythonFunction]]
) -> OperationDefinition:
    """Return the definition with the join of the effects of ``get_effects`` functions of several classes."""
    groups = ValueGroups(definition)
    end: AccessState | None = None
    for owner, function in functions:
        end = either(end, _EffectsRunner(groups, owner).run(function))
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


class _Operation(Struct, frozen=True):
    """The operation whose `get_effects` is evaluated, as a value."""


class _List(Struct, frozen=True):
    """A list of effects, as a value; its effects are in `_State.lists`."""

    number: int


_Value: TypeAlias = "_Operation | _List | ValueRange | None"
"""The value of a variable; None if it is not understood."""


class _State(Struct):
    """The variables of a function and the lists of effects at a point of it."""

    variables: dict[str, _Value]
    lists: dict[int, AccessState] = field(default_factory=dict)

    def copy(self) -> _State:
        return _State(dict(self.variables), {number: effects.copy() for number, effects in self.lists.items()})


class _Call(Struct):
    """A function that is being executed: its place in the files, and the states at its ``return`` statements."""

    function: PythonFunction
    returned: list[tuple[_State, _Value]] = field(default_factory=list)


class _EffectsRunner:
    """Executes functions abstractly, for an operation of which only the definition is known."""

    def __init__(self, groups: ValueGroups, owner: PythonClass) -> None:
        self._groups = groups
        self._owner = owner
        self._calls: list[_Call] = []
        self._steps = 0
        self._lists = 0

    def run(self, function: PythonFunction) -> AccessState:
        """Return the effects of ``get_effects(op)`` or ``get_effects(op, effects)``."""
        state = _State({})
        given: list[_Value] = [_Operation()]
        collected = None
        if len(_parameters(function)) == 2:
            collected = self._new_list(state)
            given.append(collected)
        value = self._called(function, given, state)
        if collected is not None:
            return state.lists[collected.number]
        if isinstance(value, _List):
            return state.lists[value.number]
        return self._any_effect()

    def _any_effect(self) -> AccessState:
        effects = AccessState.at_start(len(self._groups.values))
        effects.touch_anything()
        return effects

    def _new_list(self, state: _State, effects: AccessState | None = None) -> _List:
        self._lists += 1
        state.lists[self._lists] = effects or AccessState.at_start(len(self._groups.values))
        return _List(self._lists)

    def _called(self, function: PythonFunction, given: Sequence[_Value], state: _State) -> _Value:
        """Return the value of a call; `state` has its lists afterwards."""
        names = _parameters(function)
        if len(self._calls) > _MOST_CALLS_INSIDE or len(names) < len(given):
            self._give_up(given, state)
            return None
        call = _Call(function)
        self._calls.append(call)
        inner = _State({**dict.fromkeys(names), **dict(zip(names, given, strict=False))}, state.lists)
        if isinstance(function.node, ast.Lambda):
            call.returned.append((inner, self._value(function.node.body, inner)))
        else:
            end = self._block(function.node.body, inner.copy())
            if end is not None:
                call.returned.append((end, None))
        self._calls.pop()
        if not call.returned:
            return None
        last, value = call.returned[0]
        for other, other_value in call.returned[1:]:
            last.variables, other.variables = {"": value}, {"": other_value}
            last = self._joined(last, other)
            value = last.variables.get("")
        state.lists = last.lists
        return value

    def _give_up(self, values: Iterable[_Value], state: _State) -> None:
        """Add any effect to the lists among `values`, after code that is not understood."""
        for value in values:
            if isinstance(value, _List):
                state.lists[value.number].touch_anything()

    def _joined(self, first: _State, second: _State) -> _State:
        lists = dict(second.lists)
        for number, effects in first.lists.items():
            lists[number] = either(effects, second.lists.get(number)) or effects
        result = _State({}, lists)
        for name, value in first.variables.items():
            other = second.variables.get(name)
            if value == other:
                result.variables[name] = value
            elif isinstance(value, _List) and isinstance(other, _List):
                joined = either(first.lists[value.number], second.lists[other.number])
                result.variables[name] = self._new_list(result, joined)
            else:
                self._give_up((value, other), result)
                result.variables[name] = None
        return result

    def _block(self, statements: Sequence[ast.stmt], state: _State) -> _State | None:
        """Return the state behind statements; None if all paths return before."""
        current: _State | None = state
        for statement in statements:
            if current is None:
                return None
            self._steps += 1
            current = self._statement(statement, current)
        return current

    def _statement(self, statement: ast.stmt, state: _State) -> _State | None:
        if self._steps > _MOST_STATEMENTS:
            return self._anything(statement, state)
        match statement:
            case ast.Return(value=value):
                self._calls[-1].returned.append((state, self._value(value, state) if value is not None else None))
                return None
            case ast.Raise():
                return None
            case ast.Expr(value=value):
                self._value(value, state)
                return state
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                state.variables[name] = self._value(value, state)
                return state
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                collected = state.variables.get(name)
                if isinstance(collected, _List):
                    self._extend(collected, value, state)
                    return state
            case ast.If():
                return self._if(statement, state)
            case ast.For():
                return self._for(statement, state)
            case ast.Pass() | ast.Assert() | ast.Import() | ast.ImportFrom():
                return state
        return self._anything(statement, state)

    def _if(self, statement: ast.If, state: _State) -> _State | None:
        known = truth(statement.test, self._calls[-1].function.body)
        if known is not None:
            return self._block(statement.body if known else statement.orelse, state)
        values = self._tested_values(statement.test, state)
        if values is not None and not statement.orelse:
            return self._if_any(values, statement.body, state)
        if values is None:
            self._anything(statement.test, state)
        then = self._block(statement.body, state.copy())
        otherwise = self._block(statement.orelse, state)
        return self._joined(then, otherwise) if then is not None and otherwise is not None else then or otherwise

    def _tested_values(self, test: ast.expr, state: _State) -> ValueRange | None:
        """Return the values that a condition tests not to be empty: ``op.operands``, ``len(op.operands) > 0``."""
        match test:
            case ast.Compare(left=tested, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]):
                return self._tested_values(tested, state)
            case ast.Compare(left=tested, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                return self._tested_values(tested, state)
            case ast.Call(func=ast.Name(id="len" | "bool"), args=[tested], keywords=[]):
                return self._tested_values(tested, state)
            case ast.NamedExpr(target=ast.Name(id=name), value=tested):
                state.variables[name] = self._value(tested, state)
                return self._tested_values(tested, state)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                value = self._value(test, state)
                return value if _is_range(value) else None
        return None

    def _for(self, statement: ast.For, state: _State) -> _State | None:
        values = self._value(statement.iter, state)
        leaves = any(isinstance(node, ast.Return | ast.Break | ast.Continue) for node in ast.walk(statement))
        if not isinstance(statement.target, ast.Name) or statement.orelse or not _is_range(values) or leaves:
            return self._anything(statement, state)
        state.variables[statement.target.id] = values
        return self._if_any(values, statement.body, state)

    def _if_any(self, values: ValueRange, body: Sequence[ast.stmt], state: _State) -> _State | None:
        """Return the state behind a body that runs only if there are `values`; its effects on these are certain."""
        before = state.copy()
        after = self._block(body, state)
        if after is None or self._groups.least(values):
            return after
        result = self._joined(before, after)
        for name, value in result.variables.items():
            known = after.variables.get(name)
            if isinstance(value, _List) and isinstance(known, _List):
                _keep_certain(values, result.lists[value.number], after.lists[known.number])
        for number in result.lists.keys() & after.lists.keys() & before.lists.keys():
            _keep_certain(values, result.lists[number], after.lists[number])
        return result

    def _value(self, expression: ast.expr, state: _State) -> _Value:
        """Return the value of an expression; effects that it adds are in the lists of `state` afterwards."""
        match expression:
            case ast.Name(id=name):
                return state.variables.get(name)
            case ast.Attribute(value=owner, attr="operation" | "opview") if isinstance(
                self._value(owner, state), _Operation
            ):
                return _Operation()
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(name) if isinstance(self._value(owner, state), _Operation) else None
            case ast.Subscript(value=value, slice=index):
                of = self._value(value, state)
                return self._subscript(of, index) if _is_range(of) else None
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                state.variables[name] = self._value(value, state)
                return state.variables[name]
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self._elements(elements, state)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._sum(left, right, state)
            case ast.IfExp():
                return self._choice(expression, state)
            case ast.Call():
                return self._call(expression, state)
        self._anything(expression, state)
        return None

    def _elements(self, elements: Sequence[ast.expr], state: _State) -> _Value:
        """Return the values that a list holds, or, if it joins lists of effects, a list; an empty one is of effects."""
        if not elements:
            return self._new_list(state)
        found = [self._value(each.value if isinstance(each, ast.Starred) else each, state) for each in elements]
        if all(isinstance(each, ast.Starred) for each in elements) and all(isinstance(value, _List) for value in found):
            return self._added(found, state)
        ranges = [value for value in found if _is_range(value)]
        parts = tuple(part for value in ranges for part in value)
        if len(ranges) == len(found) and len(parts) <= _MOST_PARTS:
            return parts
        self._give_up(found, state)
        return None

    def _sum(self, left: ast.expr, right: ast.expr, state: _State) -> _Value:
        first, second = self._value(left, state), self._value(right, state)
        if _is_range(first) and _is_range(second) and len(first) + len(second) <= _MOST_PARTS:
            return (*first, *second)
        if isinstance(first, _List) or isinstance(second, _List):
            return self._added((first, second), state)
        return None

    def _added(self, values: Sequence[_Value], state: _State) -> _List:
        """Return a new list with the effects of several; a value that is no list of effects may have any."""
        total = AccessState.at_start(len(self._groups.values))
        for value in values:
            total.add(state.lists[value.number] if isinstance(value, _List) else self._any_effect())
        return self._new_list(state, total)

    def _extend(self, collected: _List, expression: ast.expr, state: _State) -> None:
        added = self._value(expression, state)
        state.lists[collected.number].add(state.lists[added.number] if isinstance(added, _List) else self._any_effect())

    def _choice(self, expression: ast.IfExp, state: _State) -> _Value:
        known = truth(expression.test, self._calls[-1].function.body)
        if known is not None:
            return self._value(expression.body if known else expression.orelse, state)
        values = self._tested_values(expression.test, state)
        chosen, other = self._value(expression.body, state), self._value(expression.orelse, state)
        if chosen == other:
            return chosen
        if isinstance(chosen, _List) and isinstance(other, _List):
            after, joined = state.lists[chosen.number], either(state.lists[chosen.number], state.lists[other.number])
            if values is not None and joined is not None:
                _keep_certain(values, joined, after)
            return self._new_list(state, joined)
        self._give_up((chosen, other), state)
        return None

    def _call(self, node: ast.Call, state: _State) -> _Value:
        given = [argument.value if isinstance(argument, ast.Starred) else argument for argument in node.args]
        helper = last_name(node.func)
        if helper in _ON_HANDLES or helper in _ON_PAYLOAD:
            return self._helper(helper, node, state)
        match node.func:
            case ast.Name(id="list" | "tuple" | "iter") if len(given) == 1:
                return self._value(given[0], state)
            case ast.Name(id="list"):
                return self._new_list(state)
            case ast.Attribute(value=ast.Name() as owner, attr="extend") if len(given) == 1:
                collected = state.variables.get(owner.id)
                if isinstance(collected, _List):
                    self._extend(collected, given[0], state)
                    return None
            case ast.Attribute(value=ast.Name() as owner) if isinstance(state.variables.get(owner.id), _List):
                self._anything(node, state)
                return None
            case ast.Attribute(value=ast.Name(id="itertools"), attr="chain") | ast.Name(id="chain"):
                return self._added([self._value(each, state) for each in given], state)
        values = [self._value(argument, state) for argument in given]
        function = self._function(node.func)
        if function is None or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            self._give_up(values, state)
            return None
        return self._called(function, values, state)

    def _function(self, expression: ast.expr) -> PythonFunction | None:
        """Return the function that is called: one of the files, a method of a class, or one of ``super()``."""
        scope = self._calls[-1].function.body
        around = scope.surrounding_class()
        lineage = list(self._owner.ancestry())
        match expression:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name) if around is not None:
                methods = [base.method(name) for base in around.bases()]
                return next((method for method in methods if method is not None), None)
        found = resolve(expression, scope, self._owner if around in lineage else around)
        if isinstance(found, Closure) and isinstance(found.expression, ast.Lambda):
            return PythonFunction(found.expression, found.scope, PythonScope(found.scope.module, found.scope))
        return found if isinstance(found, PythonFunction) else None

    def _helper(self, helper: str, node: ast.Call, state: _State) -> _Value:
        """Return the list of effects of a call of a helper of the bindings; None if it adds them to a list."""
        count = 1 if helper in _ON_HANDLES else 0
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if len(arguments) not in (count, count + 1):
            return self._added((None,), state)
        if len(arguments) == count:
            value = self._new_list(state)
        else:
            collected = self._value(arguments[-1], state)
            if not isinstance(collected, _List):
                return None
            value = collected
        effects = state.lists[value.number]
        if helper in _ON_PAYLOAD:
            effects.payload.add(_ON_PAYLOAD[helper], certain=True)
            return value
        access, target = _ON_HANDLES[helper], self._value(arguments[0], state)
        effects = state.lists[value.number]
        if _is_range(target):
            effects.touch(target, access)
        elif not isinstance(arguments[0], ast.List) or arguments[0].elts:
            values = self._groups.results if access is PRODUCES else self._groups.operands
            effects.touch(values, access, certain=False)
        return value

    def _attribute(self, name: str) -> _Value:
        if name in ("operation", "opview"):
            return _Operation()
        if name in ("op_operands", "operands"):
            return self._groups.operands
        if name in ("results", "op_results", "opresults"):
            return self._groups.results
        parts = (*self._groups.operands, *self._groups.results)
        return next((parts[i : i + 1] for i, group in enumerate(self._groups.values) if group.name == name), None)

    def _subscript(self, target: ValueRange, index: ast.expr) -> ValueRange:
        if isinstance(index, ast.Constant) and isinstance(index.value, int):
            return self._groups.element(target, index.value)
        if not isinstance(index, ast.Slice) or index.step is not None:
            return partial(target)
        lower, upper = (
            bound.value if isinstance(bound, ast.Constant) else -1 if bound is not None else None
            for bound in (index.lower, index.upper)
        )
        if not all(bound is None or (isinstance(bound, int) and bound >= 0) for bound in (lower, upper)):
            return partial(target)
        if isinstance(upper, int):
            target = self._groups.first(target, upper)
        return self._groups.without_first(target, lower) if isinstance(lower, int) else target

    def _anything(self, node: ast.AST, state: _State) -> _State:
        """Return the state behind code that is not understood: all that it mentions may have changed in any way."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                self._give_up((state.variables.get(part.id),), state)
                if isinstance(part.ctx, ast.Store):
                    state.variables[part.id] = None
            elif isinstance(part, ast.Return):
                self._calls[-1].returned.append((state, None))
        return state


def _parameters(function: PythonFunction) -> list[str]:
    """Return the names of the parameters, without ``self`` and ``cls``."""
    arguments = function.node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _is_range(value: _Value) -> TypeGuard[ValueRange]:
    return isinstance(value, tuple)


def _keep_certain(values: ValueRange, joined: AccessState, after: AccessState) -> None:
    """Make effects on `values` certain in `joined` that are so `after` code that runs if there are such values."""
    for part in values:
        if part.whole:
            joined.values[part.index] = after.values[part.index]
