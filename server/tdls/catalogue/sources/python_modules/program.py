"""Python files that belong together: their classes, functions and imports, from the syntax trees alone.

A name means the statement that binds it: in its own scope, in one around it, or in the file that it is imported from.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_MOST_ANCESTORS = 100
"""Maximum number of classes in an ancestry; further ones are ignored."""
_MOST_LINKS = 20
"""Maximum number of names that lead from a name to a class: imports, assignments."""


class Import(NamedTuple):
    """``from module import name``, or ``import module`` without a name; a relative import has a `level`."""

    module: str
    name: str | None = None
    level: int = 0


class Closure(NamedTuple):
    """An expression and the scope of its names; `owner` is the meaning of ``cls``."""

    expression: ast.expr
    scope: PythonScope
    owner: PythonClass | None = None


class PythonFunction(Struct, eq=False):
    """A function statement; `scope` is the scope around it, `body` the scope of its body."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: PythonScope
    body: PythonScope
    arguments: dict[str, Closure] = field(default_factory=dict)
    """The arguments of the call that is being followed, see `called`."""

    @contextmanager
    def called(self, call: Closure) -> Iterator[None]:
        """Give the parameters the arguments of a call, as long as the context lasts."""
        before, self.arguments = self.arguments, self.bound(call)
        try:
            yield
        finally:
            self.arguments = before

    def bound(self, call: Closure) -> dict[str, Closure]:
        """Return the arguments of a call by parameter; those that are not given have their defaults."""
        signature, node = self.node.args, call.expression
        positional = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
        found: dict[str, Closure] = {}
        defaults = list(zip(reversed(positional), reversed(signature.defaults), strict=False))
        defaults += [
            (argument.arg, default)
            for argument, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
            if default is not None
        ]
        for name, default in defaults:
            found[name] = Closure(default, self.scope)
        if isinstance(node, ast.Call):
            for name, value in zip(positional, node.args, strict=False):
                if isinstance(value, ast.Starred):
                    break
                found[name] = call._replace(expression=value)
            for keyword in node.keywords:
                if keyword.arg is not None:
                    found[keyword.arg] = call._replace(expression=keyword.value)
        return found


Binding: TypeAlias = "PythonClass | PythonFunction | Import | Closure"
"""The meaning of a name as its statement gives it."""
Meaning: TypeAlias = "PythonClass | PythonFunction | Closure"
"""The meaning of an expression; a closure is a value that is neither a class nor a function of the files."""


class PythonScope(Struct, eq=False):
    """The names of a module, function or class body; `owner` is the class or function of a body."""

    module: PythonModule
    parent: PythonScope | None = None
    owner: PythonClass | PythonFunction | None = None
    names: dict[str, list[tuple[int, Binding]]] = field(default_factory=dict)

    def bind(self, name: str, line: int, binding: Binding) -> None:
        """Add a statement that binds a name."""
        self.names.setdefault(name, []).append((line, binding))

    def find(self, name: str, line: int) -> Binding | None:
        """Return the meaning of a name at a 1-based line; names of a class body are not visible in its functions."""
        scope: PythonScope | None = self
        while scope is not None:
            if isinstance(scope.owner, PythonFunction) and name in scope.owner.arguments:
                return scope.owner.arguments[name]
            found = scope.names.get(name)
            if found and (scope is self or not isinstance(scope.owner, PythonClass)):
                return next((binding for at, binding in reversed(found) if at < line), found[-1][1])
            scope = scope.parent
        return None

    def around(self) -> Iterator[PythonScope]:
        """Yield the scope and those around it."""
        scope: PythonScope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def surrounding_class(self) -> PythonClass | None:
        """Return the class whose methods are in this scope, which is the meaning of ``cls``."""
        return next((scope.owner for scope in self.around() if isinstance(scope.owner, PythonClass)), None)

    def functions(self) -> list[PythonFunction]:
        """Return the functions around, innermost first."""
        return [scope.owner for scope in self.around() if isinstance(scope.owner, PythonFunction)]


class PythonClass(Struct, eq=False):
    """A class statement; `scope` is the scope around it, `body` the scope of its body.

    `conditions` are the tests of ``if`` around it in its scope, with their values.
    """

    node: ast.ClassDef
    scope: PythonScope
    body: PythonScope
    conditions: tuple[tuple[ast.expr, bool], ...] = ()

    @property
    def path(self) -> Path:
        return self.scope.module.path

    def bases(self) -> Iterator[PythonClass]:
        """Yield the bases that are defined in the files."""
        for base in self.node.bases:
            found = resolve(base, self.scope)
            if isinstance(found, PythonClass) and found is not self:
                yield found

    def ancestry(self) -> Iterator[PythonClass]:
        """Yield the class and all its bases in the files, nearest first, each once."""
        waiting, seen = [self], set[int]()
        while waiting and len(seen) < _MOST_ANCESTORS:
            current = waiting.pop(0)
            if id(current) not in seen:
                seen.add(id(current))
                yield current
                waiting[:0] = list(current.bases())

    def base_names(self) -> frozenset[str]:
        """Return the last names of all bases (``TransformOpInterface``), also of bases of bases."""
        return frozenset(
            last_name(unaliased(base, ancestor.scope)) for ancestor in self.ancestry() for base in ancestor.node.bases
        )

    def member(self, name: str) -> Binding | None:
        """Return the meaning of a name in its body or in the body of a base."""
        bodies = (ancestor.body.names for ancestor in self.ancestry())
        return next((names[name][-1][1] for names in bodies if name in names), None)

    def method(self, name: str) -> PythonFunction | None:
        """Return a function in its body or in the body of a base."""
        found = self.member(name)
        return found if isinstance(found, PythonFunction) else None

    def keyword(self, name: str) -> ast.expr | None:
        """Return a keyword argument of the class statement."""
        return next((keyword.value for keyword in self.node.keywords if keyword.arg == name), None)


class PythonModule:
    """A file, with all its classes in the order of the text, and its calls by the last name of the function."""

    __slots__ = ("calls", "classes", "path", "program", "scope")

    def __init__(self, path: Path, program: PythonProgram) -> None:
        self.path, self.program = path, program
        self.scope = PythonScope(self)
        self.classes: list[PythonClass] = []
        self.calls: dict[str, list[Closure]] = {}

    def read(self, tree: ast.Module) -> None:
        """Collect the definitions and calls in the syntax tree of the file."""
        waiting: list[tuple[ast.AST, PythonScope, tuple[tuple[ast.expr, bool], ...]]] = [(tree, self.scope, ())]
        while waiting:
            node, scope, conditions = waiting.pop()
            inside = scope
            if isinstance(node, ast.ClassDef):
                body = PythonScope(self, scope)
                body.owner = found = PythonClass(node, scope, body, conditions)
                scope.bind(node.name, node.lineno, found)
                self.classes.append(found)
                inside, conditions = body, ()
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                body = PythonScope(self, scope)
                body.owner = function = PythonFunction(node, scope, body)
                if not isinstance(node, ast.Lambda):
                    scope.bind(node.name, node.lineno, function)
                inside, conditions = body, ()
            elif isinstance(node, ast.If):
                branches = ((node.body, True), (node.orelse, False))
                for statements, value in reversed(branches):
                    tests = (*conditions, (node.test, value))
                    waiting += [(statement, scope, tests) for statement in reversed(statements)]
                waiting.append((node.test, scope, conditions))
                continue
            self._bind(node, scope)
            waiting += [(child, inside, conditions) for child in reversed(list(ast.iter_child_nodes(node)))]

    def _bind(self, node: ast.AST, scope: PythonScope) -> None:
        match node:
            case ast.Call(func=function):
                self.calls.setdefault(last_name(function), []).append(Closure(node, scope))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                scope.bind(name, node.lineno, Closure(value, scope))
            case ast.ImportFrom(names=names, module=module, level=level):
                for each in names:
                    scope.bind(each.asname or each.name, node.lineno, Import(module or "", each.name, level))
            case ast.Import(names=names):
                for each in names:
                    scope.bind(each.asname or each.name.partition(".")[0], node.lineno, Import(each.name))

    def names_of(self, name: str) -> set[str]:
        """Return the names under which the file may know something of another file."""
        return {name} | {
            own
            for own, bindings in self.scope.names.items()
            if any(isinstance(binding, Import) and binding.name == name for _, binding in bindings)
        }

    def origin(self, imported: Import) -> str:
        """Return the module that an import names, as the end of a path without a suffix: ``pkg/dialect``."""
        if not imported.level:
            return imported.module.replace(".", "/")
        folder = self.path.parent
        for _ in range(imported.level - 1):
            folder = folder.parent
        return (folder / imported.module.replace(".", "/")).as_posix() if imported.module else folder.as_posix()


class PythonProgram:
    """Files that may import from each other."""

    def __init__(self, sources: Iterable[tuple[Path, str]]) -> None:
        self.modules: list[PythonModule] = []
        self.broken: dict[Path, tuple[int, str]] = {}
        """Lines of files that cannot be read as Python, from 0, and the reason."""
        self._by_name: dict[str, list[PythonModule]] = {}
        for path, text in sources:
            self.add(path, text)

    def add(self, path: Path, text: str) -> None:
        """Add a file; nothing but its path if it is no Python."""
        module = PythonModule(path, self)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of invalid escapes in the project's strings
                module.read(ast.parse(text))
        except SyntaxError as error:
            self.broken[path] = (error.lineno or 1) - 1, f"this is no Python: {error.msg}"
        except (RecursionError, MemoryError):
            self.broken[path] = 0, "this is nested too deeply to be read as Python; the file is left out"
        except ValueError as error:
            self.broken[path] = 0, f"this cannot be read as Python: {error}"
        else:
            self.modules.append(module)
            for name in module.scope.names:
                self._by_name.setdefault(name, []).append(module)

    def imported(self, imported: Import, by: PythonModule) -> tuple[Binding, PythonScope] | None:
        """Return the binding that an import of the module `by` refers to.

        Packages may export their imports. Where no file has the name of the imported module, the name itself has
        to be bound in one file only.
        """
        name = imported.name
        for _ in range(_MOST_LINKS):
            if name is None:
                return None
            origin = by.origin(imported)
            having = [module for module in self._by_name.get(name, ()) if module is not by or imported.level]
            ends = (f"/{origin}.py", f"/{origin}/__init__.py")
            named = [module for module in having if f"/{module.path.as_posix().lstrip('/')}".endswith(ends)]
            binding_modules = [module for module in having if not isinstance(module.scope.names[name][-1][1], Import)]
            found = named if len(named) == 1 else binding_modules
            if len(found) != 1:
                return None
            binding = found[0].scope.names[name][-1][1]
            if not isinstance(binding, Import):
                return binding, found[0].scope
            if found[0] is by:
                return None
            by, imported, name = found[0], binding, binding.name
        return None


def resolve(expression: ast.expr, scope: PythonScope, me: PythonClass | None = None) -> Meaning | None:
    """Return the meaning of an expression in a scope; `me` is the meaning of ``cls``. None if it is not understood."""
    return _resolve(Closure(expression, scope, me), _MOST_LINKS)


def _resolve(closure: Closure, links: int) -> Meaning | None:
    expression, scope, me = closure
    if not links:
        return None
    if isinstance(expression, ast.Name):
        if expression.id in ("cls", "self") and me is not None:
            return me
        binding = scope.find(expression.id, expression.lineno)
        return _followed(binding, scope.module, links) if binding is not None else None
    if isinstance(expression, ast.Attribute):
        outer = _resolve(closure._replace(expression=expression.value), links - 1)
        if isinstance(outer, PythonClass):
            member = outer.member(expression.attr)
            return _followed(member, outer.scope.module, links) if member is not None else closure
        if outer is None and (origin := _module_of(expression.value, scope)) is not None:
            return _followed(origin._replace(name=expression.attr), scope.module, links)
        return closure
    return closure


def _followed(binding: Binding, module: PythonModule, links: int) -> Meaning | None:
    if isinstance(binding, Import):
        found = module.program.imported(binding, module)
        return _followed(found[0], found[1].module, links - 1) if found is not None and links else None
    return _resolve(binding, links - 1) if isinstance(binding, Closure) else binding


def _module_of(expression: ast.expr, scope: PythonScope) -> Import | None:
    """Return the import of a module that is written ``module`` or ``package.module``."""
    names: list[str] = []
    while isinstance(expression, ast.Attribute):
        names.insert(0, expression.attr)
        expression = expression.value
    binding = scope.find(expression.id, expression.lineno) if isinstance(expression, ast.Name) else None
    if not isinstance(binding, Import):
        return None
    if binding.name is not None:
        return Import(".".join(filter(None, (binding.module, binding.name, *names))), None, binding.level)
    if isinstance(expression, ast.Name) and binding.module.partition(".")[0] == expression.id:
        return Import(".".join((expression.id, *names)))  # `import a.b` binds `a`
    return Import(".".join((binding.module, *names)))


def unaliased(expression: ast.expr, scope: PythonScope) -> ast.expr:
    """Return the expression that a name was assigned, as in ``Handle = Operand[AnyOpType]``; else the expression."""
    found = resolve(expression, scope) if isinstance(expression, ast.Name | ast.Attribute) else None
    return found.expression if isinstance(found, Closure) else expression


def last_name(expression: ast.expr) -> str:
    """Return ``c`` of ``a.b.c`` and of ``a.b.c[d]``; "" for other expressions."""
    if isinstance(expression, ast.Subscript):
        return last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def text_of(expression: ast.expr | None, scope: PythonScope | None = None) -> str | None:
    """Return the value of a string: a literal, a name for one in `scope`, or these joined; None for others."""
    match expression:
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=parts):
            texts = [text_of(part.value if isinstance(part, ast.FormattedValue) else part, scope) for part in parts]
            known = [text for text in texts if text is not None]
            return "".join(known) if len(known) == len(texts) else None
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = text_of(left, scope), text_of(right, scope)
            return first + second if first is not None and second is not None else None
        case ast.Name() | ast.Attribute() if scope is not None:
            found = resolve(expression, scope)
            if isinstance(found, Closure) and not isinstance(found.expression, ast.Name | ast.Attribute):
                return text_of(found.expression, found.scope)
    return None


def truth(test: ast.expr, scope: PythonScope) -> bool | None:
    """Return the value of a condition on constants, as arguments of factories are; None if it is not known."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = truth(operand, scope)
            return None if value is None else not value
        case ast.BoolOp(op=junction, values=operands):
            values = [truth(operand, scope) for operand in operands]
            deciding = isinstance(junction, ast.Or)
            return deciding if deciding in values else None if None in values else not deciding
        case ast.Compare(
            left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as operator], comparators=[right]
        ):
            one, other = _constant(left, scope), _constant(right, scope)
            if one is None or other is None:
                return None
            return (one == other) == isinstance(operator, ast.Is | ast.Eq)
    constant = _constant(test, scope)
    return None if constant is None else bool(constant[0]) if constant[1] else True


def _constant(expression: ast.expr, scope: PythonScope, links: int = _MOST_LINKS) -> tuple[object, bool] | None:
    """Return the value of a constant and true; a function, class or import, which is not None, and false; else None."""
    if isinstance(expression, ast.Constant):
        return expression.value, True
    if isinstance(expression, ast.Lambda):
        return expression, False
    if not isinstance(expression, ast.Name) or not links:
        return None
    binding = scope.find(expression.id, expression.lineno)
    if isinstance(binding, Closure):
        return _constant(binding.expression, binding.scope, links - 1)
    is_set = binding is not None or hasattr(builtins, expression.id)
    return (binding or expression, False) if is_set else None
