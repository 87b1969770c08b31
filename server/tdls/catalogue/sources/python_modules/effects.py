"""Computes effects of transform operations defined in Python from the direct forms of their ``get_effects``.

These functions call the helpers of ``mlir.dialects.transform`` with operands or results of the operation
(mlir/lib/Bindings/Python/DialectTransform.cpp). The helpers of bindings before August 2026 add effects to a list that
is their last argument, those of later ones return lists. Code that is not understood may have any effect: the
registered operations know more, if they may be asked (`tdls.python_builders.asked`).
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
    PythonClass,
    PythonFunction,
    last_name,
    resolve,
    truth,
)
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.model import OperationDefinition

_ON_HANDLES = {"consumes_handle": CONSUMES, "only_reads_handle": Access.READ, "produces_handle": PRODUCES}
_ON_PAYLOAD = {"modifies_payload": Access.READ | Access.WRITE, "only_reads_payload": Access.READ}
_PLAIN = frozenset({"staticmethod", "classmethod", "override"})
"""Decorators that leave a function as it is."""
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


_Value: TypeAlias = "_Operation | _List | ValueRange | int | None"
"""The value of a variable; None if it is not understood."""


class _State(Struct):
    """The variables of a function and the lists of effects at a point of it; the returned value once it has ended."""

    variables: dict[str, _Value]
    lists: dict[int, AccessState] = field(default_factory=dict)
    returned: _Value = None
    has_ended: bool = False


class _EffectsRunner:
    """Executes functions abstractly, for an operation of which only the definition is known."""

    def __init__(self, groups: ValueGroups, owner: PythonClass) -> None:
        self._groups = groups
        self._owner = owner
        self._calls: list[PythonFunction] = []
        self._steps = 0
        self._lists = 0

    def run(self, function: PythonFunction) -> AccessState:
        """Return the effects of ``get_effects(op)`` or ``get_effects(op, effects)``."""
        state = _State({})
        given: list[_Value] = [_Operation()]
        if len(_parameters(function)) == 2:
            given.append(self._new_list(state))
        value = self._called(function, given, state)
        collected = given[-1] if len(given) == 2 else value
        return state.lists[collected.number] if isinstance(collected, _List) else self._any_effect()

    def _any_effect(self) -> AccessState:
        effects = AccessState.at_start(len(self._groups.values))
        effects.touch_anything()
        return effects

    def _new_list(self, state: _State, effects: AccessState | None = None) -> _List:
        self._lists += 1
        state.lists[self._lists] = effects or AccessState.at_start(len(self._groups.values))
        return _List(self._lists)

    def _called(self, function: PythonFunction, given: Sequence[_Value], state: _State) -> _Value:
        """Return the value of a call; `state` has its lists afterwards. What decorates a function may change it."""
        names, node = _parameters(function), function.node
        plain = {last_name(each) for each in getattr(node, "decorator_list", ())} <= _PLAIN
        inner = _State(dict(zip(names, given, strict=False)), state.lists)
        if isinstance(node, ast.FunctionDef) and plain and self._has_room(names, given):
            self._calls.append(function)
            self._block(node.body, inner)
            self._calls.pop()
        else:
            self._give_up(given, state)
        return inner.returned

    def _has_room(self, names: Sequence[str], given: Sequence[_Value]) -> bool:
        return len(self._calls) <= _MOST_CALLS_INSIDE and len(names) == len(given)

    def _give_up(self, values: Iterable[_Value], state: _State) -> None:
        """Add any effect to the lists among `values`, after code that is not understood."""
        for value in values:
            if isinstance(value, _List):
                state.lists[value.number].touch_anything()

    def _block(self, statements: Sequence[ast.stmt], state: _State) -> None:
        """Execute statements, up to the one that returns."""
        for statement in statements:
            if state.has_ended:
                return
            self._steps += 1
            self._statement(statement, state)

    def _statement(self, statement: ast.stmt, state: _State) -> None:
        match statement:
            case _ if self._steps > _MOST_STATEMENTS:
                self._anything(statement, state)
            case ast.Return(value=value):
                state.returned = self._value(value, state) if value is not None else None
                state.has_ended = True
            case ast.Expr(value=value):
                self._value(value, state)
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, state)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if isinstance(
                state.variables.get(name), _List
            ):
                self._extend(state.variables[name], value, state)
            case ast.If():
                self._if(statement, state)
            case ast.For(target=ast.Name(id=name), orelse=[]):
                values = self._value(statement.iter, state)
                state.variables[name] = values
                self._if_any(values, statement, state)
            case ast.Pass() | ast.Assert() | ast.Import() | ast.ImportFrom():
                pass
            case _:
                self._anything(statement, state)

    def _assign(self, target: ast.expr, expression: ast.expr, state: _State) -> None:
        """Bind a name to a value, or several to values of a range: ``first, *rest = op.op_operands``."""
        value = self._value(expression, state)
        match target:
            case ast.Name(id=name):
                state.variables[name] = value
            case ast.Tuple(elts=targets) if _is_range(value):
                starred = [at for at, each in enumerate(targets) if isinstance(each, ast.Starred)] or [len(targets)]
                for at, each in enumerate(targets):
                    behind = at - len(targets)
                    part = self._groups.element(value, at if at < starred[0] else behind)
                    part = self._groups.sliced(value, at, behind + 1 or None) if at == starred[0] else part
                    state.variables[last_name(each.value if isinstance(each, ast.Starred) else each)] = part
            case _:
                self._anything(target, state)

    def _if(self, statement: ast.If, state: _State) -> None:
        known = truth(statement.test, self._calls[-1].body)
        if known is not None:
            self._block(statement.body if known else statement.orelse, state)
            return
        values = self._tested_values(statement.test, state)
        self._if_any(values if not statement.orelse else None, statement, state)

    def _tested_values(self, test: ast.expr, state: _State) -> ValueRange | None:
        """Return the values that a condition tests not to be empty: ``op.operands``, ``len(op.operands) > 0``."""
        match test:
            case ast.Compare(left=tested, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]):
                return self._tested_values(tested, state)
            case ast.Compare(left=tested, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                return self._tested_values(tested, state)
            case ast.Call(func=ast.Name(id="len" | "bool"), args=[tested], keywords=[]):
                return self._tested_values(tested, state)
            case ast.NamedExpr() | ast.Name() | ast.Attribute() | ast.Subscript():
                value = self._value(test, state)
                return value if _is_range(value) else None
        return None

    def _if_any(self, values: _Value, statement: ast.If | ast.For, state: _State) -> None:
        """Execute a body that runs only if there are `values`; its effects on these are certain."""
        leaving = ast.Return | ast.Break | ast.Continue | ast.Raise
        if not _is_range(values) or any(isinstance(node, leaving) for node in ast.walk(statement)):
            self._anything(statement, state)
            return
        before = {number: effects.copy() for number, effects in state.lists.items()}
        variables = dict(state.variables)
        self._block(statement.body, state)
        if self._groups.least(values):
            return
        for number, effects in before.items():
            after = state.lists[number]
            joined = state.lists[number] = either(effects, after) or after
            for part in values:
                if part.whole:
                    joined.values[part.index] = after.values[part.index]
        for name, value in state.variables.items():
            if variables.get(name) != value:
                self._give_up((value, variables.get(name)), state)
                state.variables[name] = None

    def _value(self, expression: ast.expr, state: _State) -> _Value:
        """Return the value of an expression; effects that it adds are in the lists of `state` afterwards."""
        match expression:
            case ast.Name(id=name) if name in state.variables:
                return state.variables[name]
            case ast.Constant() | ast.UnaryOp():
                return _number(expression)
            case ast.Name() | ast.Attribute() if (number := self._constant(expression)) is not None:
                return number
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(name) if isinstance(self._value(owner, state), _Operation) else None
            case ast.Subscript(value=value, slice=index):
                of = self._value(value, state)
                return self._subscript(of, index, state) if _is_range(of) else None
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                state.variables[name] = self._value(value, state)
                return state.variables[name]
            case ast.List() | ast.Tuple():
                return self._elements(expression, state)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._added([self._value(left, state), self._value(right, state)], state)
            case ast.Call():
                return self._call(expression, state)
        self._anything(expression, state)
        return None

    def _constant(self, expression: ast.Name | ast.Attribute) -> int | None:
        """Return the number that a name of a module or class has, if exactly one statement binds it."""
        scope = self._calls[-1].body
        if isinstance(expression, ast.Name):
            name, scopes = expression.id, [each for each in scope.around() if not isinstance(each.owner, PythonClass)]
        else:
            name, owner = expression.attr, resolve(expression.value, scope, self._owner)
            scopes = [each.body for each in owner.ancestry()] if isinstance(owner, PythonClass) else []
        match next((each.names[name] for each in scopes if name in each.names), ()):
            case [(_, Closure(expression=assigned))]:
                return _number(assigned)
        return None

    def _elements(self, expression: ast.List | ast.Tuple, state: _State) -> _Value:
        """Return the values that a list holds, or, if it joins lists of effects, a list; an empty one is of effects."""
        elements = [each.value if isinstance(each, ast.Starred) else each for each in expression.elts]
        found = [self._value(each, state) for each in elements]
        ranges = [value for value in found if _is_range(value)]
        parts = tuple(part for values in ranges for part in values)
        if all(isinstance(value, _List) for value in found):
            return self._added(found, state)
        is_flat = isinstance(expression, ast.List) or (
            len(parts) == len(found) and all(map(self._groups.is_single, parts))
        )
        if is_flat and len(ranges) == len(found) and len(parts) <= _MOST_PARTS:
            return parts
        self._give_up(found, state)
        return None

    def _added(self, values: Sequence[_Value], state: _State) -> _List:
        """Return a new list with the effects of several; a value that is no list of effects may have any."""
        total = AccessState.at_start(len(self._groups.values))
        for value in values:
            total.add(state.lists[value.number] if isinstance(value, _List) else self._any_effect())
        return self._new_list(state, total)

    def _call(self, node: ast.Call, state: _State) -> _Value:
        helper = last_name(node.func)
        if helper in _ON_HANDLES or helper in _ON_PAYLOAD:
            return self._helper(helper, node, state)
        match node:
            case ast.Call(func=ast.Name(id="list" | "tuple" | "iter"), args=[ast.expr() as inner], keywords=[]):
                return self._value(inner, state)
            case ast.Call(func=ast.Name(id="list"), args=[], keywords=[]):
                return self._new_list(state)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="extend"), args=[added]) if isinstance(
                state.variables.get(name), _List
            ):
                self._extend(state.variables[name], added, state)
                return None
        function = self._function(node.func)
        if function is None or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            self._anything(node, state)
            return None
        return self._called(function, [self._value(argument, state) for argument in node.args], state)

    def _extend(self, collected: _Value, expression: ast.expr, state: _State) -> None:
        added = self._value(expression, state)
        if isinstance(collected, _List):
            effects = state.lists[added.number] if isinstance(added, _List) else self._any_effect()
            state.lists[collected.number].add(effects)

    def _function(self, expression: ast.expr) -> PythonFunction | None:
        """Return the function that is called: one of the files, a method of a class, or one of ``super()``."""
        scope = self._calls[-1].body
        around = scope.surrounding_class()
        match expression:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name) if around is not None:
                methods = [base.method(name) for base in around.bases()]
                return next((method for method in methods if method is not None), None)
        found = resolve(expression, scope, self._owner if around in list(self._owner.ancestry()) else around)
        return found if isinstance(found, PythonFunction) else None

    def _helper(self, helper: str, node: ast.Call, state: _State) -> _Value:
        """Return the list of effects of a call of a helper of the bindings; None if it adds them to a list."""
        count = 1 if helper in _ON_HANDLES else 0
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if len(arguments) not in (count, count + 1):
            return self._added((None,), state)
        target = self._value(arguments[0], state) if count else None
        value = self._new_list(state) if len(arguments) == count else self._value(arguments[-1], state)
        if not isinstance(value, _List):
            return None
        effects = state.lists[value.number]
        if helper in _ON_PAYLOAD:
            effects.payload.add(_ON_PAYLOAD[helper], certain=True)
        elif _is_range(target):
            effects.touch(target, _ON_HANDLES[helper])
        elif not isinstance(arguments[0], ast.List) or arguments[0].elts:
            values = self._groups.results if helper == "produces_handle" else self._groups.operands
            effects.touch(values, _ON_HANDLES[helper], certain=False)
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

    def _subscript(self, target: ValueRange, index: ast.expr, state: _State) -> ValueRange:
        if not isinstance(index, ast.Slice):
            number = self._value(index, state)
            return self._groups.element(target, number) if isinstance(number, int) else partial(target)
        bounds = [self._value(each, state) if each is not None else None for each in (index.lower, index.upper)]
        known = [bound if isinstance(bound, int) else None for bound in bounds]
        is_known = [each is None for each in (index.lower, index.upper)] == [bound is None for bound in known]
        return self._groups.sliced(target, *known) if is_known and index.step is None else partial(target)

    def _anything(self, node: ast.AST, state: _State) -> None:
        """Account for code that is not understood: all that it mentions may have changed in any way."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                self._give_up((state.variables.get(part.id),), state)
                if isinstance(part.ctx, ast.Store):
                    state.variables[part.id] = None
            elif isinstance(part, ast.Return | ast.Raise):
                self._give_up(map(_List, state.lists), state)
                state.has_ended = True


def _parameters(function: PythonFunction) -> list[str]:
    """Return the names of the parameters, without ``self`` and ``cls``."""
    arguments = function.node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _number(expression: ast.expr) -> int | None:
    match expression:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = _number(operand)
            return -number if number is not None else None
        case ast.Constant(value=int(number)):
            return number
    return None


def _is_range(value: _Value) -> TypeGuard[ValueRange]:
    return isinstance(value, tuple)
