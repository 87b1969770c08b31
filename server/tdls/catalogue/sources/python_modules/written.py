"""Reads the operations, types and attributes of dialects that are written in Python with ``mlir.dialects.ext``.

A class that derives from ``ext.Dialect`` is a dialect. Classes that derive from its ``Operation``, ``Type`` and
``Attribute``, or name it as ``dialect=``, are its members, in the same file or in another one. Only the classes
themselves are read, and no code: what their functions do, and classes that functions make, are known once the
registered operations may be asked (`tdls.project.asked`).
"""

from __future__ import annotations

import ast
import inspect
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    AttributeKindDefinition,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    PayloadEffect,
    RegionDefinition,
    ResultDefinition,
    SourcePlace,
    TypeDefinition,
)
from tdls.catalogue.source import assembly_format_of
from tdls.catalogue.sources.work import SourceProblem
from tdls.structs import NamedTuple, Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tdls.catalogue.model import AnyDefinition

_MOST_ANCESTORS = 100
"""Maximum number of classes in an ancestry; further ones are ignored."""
_MOST_LINKS = 20
"""Maximum number of names that lead from a name to its value."""
_INTERFACES = {
    "MemoryEffectsOpInterface": "MemoryEffectOpInterface",
    "TransformOpInterface": "TransformOpInterface",
    "PatternDescriptorOpInterface": "PatternDescriptorOpInterface",
}
"""Names of interfaces in Python, with the names of their C++ traits."""
_RECURSIVE = "RecursiveMemoryEffects"
_EFFECTS = {"NoMemoryEffect", "Pure", _RECURSIVE}
"""Traits of operations without an effect of their own; with the last one they have those of their regions."""
_IMPLEMENTATIONS = ("apply", "populate_patterns", "get_effects", "verify_invariants", "verify")
_MODULES = frozenset(("ext", "ir"))
_OPERANDS, _RESULTS, _REGIONS = ("Operand", "Value"), ("Result", "OpResult"), ("Region",)
_HANDLE_TYPES = {
    "AnyOpType": "!transform.any_op",
    "AnyValueType": "!transform.any_value",
    "AnyParamType": "!transform.any_param",
}


class _Module(Struct, eq=False):
    """The names of a file. Values are those of assignments to names outside of functions and classes."""

    path: Path
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The original name, and the path of the module without its suffix, by the local name."""
    values: dict[str, ast.expr] = field(default_factory=dict)


class _Class(Struct, eq=False):
    """A class statement; classes in its body are its `members`."""

    node: ast.ClassDef
    module: _Module
    members: dict[str, _Class] = field(default_factory=dict)

    def keyword(self, name: str) -> ast.expr | None:
        return next((keyword.value for keyword in self.node.keywords if keyword.arg == name), None)

    def method(self, name: str) -> ast.FunctionDef | None:
        methods = (each for each in self.node.body if isinstance(each, ast.FunctionDef))
        return next((method for method in methods if method.name == name), None)

    def place(self, node: ast.ClassDef | ast.FunctionDef) -> SourcePlace:
        return SourcePlace(self.module.path, node.lineno - 1, node.col_offset)


class WrittenDialects:
    """The classes of files that may import from each other."""

    def __init__(self, sources: Iterable[tuple[Path, str]]) -> None:
        self.problems: list[SourceProblem] = []
        self._classes: dict[str, list[_Class]] = {}
        """All classes outside of other classes, by name."""
        for path, text in sources:
            self._add(path, text)

    def _add(self, path: Path, text: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of invalid escapes in the project's strings
                tree = ast.parse(text)
        except SyntaxError as error:
            self.problems.append(SourceProblem(path, (error.lineno or 1) - 1, f"this is not Python: {error.msg}"))
        except (RecursionError, MemoryError):
            message = "this is nested too deeply to be read as Python; the file is left out"
            self.problems.append(SourceProblem(path, 0, message))
        except ValueError as error:
            self.problems.append(SourceProblem(path, 0, f"this cannot be read as Python: {error}"))
        else:
            self._collect(tree, _Module(path))

    def _collect(self, tree: ast.Module, module: _Module) -> None:
        waiting: list[tuple[ast.AST, _Class | None, bool]] = [(tree, None, False)]
        while waiting:
            node, owner, is_in_function = waiting.pop()
            match node:
                case ast.ClassDef(name=name):
                    made = _Class(node, module)
                    if owner is None:
                        self._classes.setdefault(name, []).append(made)
                    else:
                        owner.members[name] = made
                    owner = made
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                    is_in_function = True
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if owner is None and not is_in_function:
                    module.values[name] = value
                case ast.ImportFrom(names=names):
                    origin = _imported_from(module.path, node)
                    module.imports.update({each.asname or each.name: (each.name, origin) for each in names})
            waiting += [(child, owner, is_in_function) for child in reversed(list(ast.iter_child_nodes(node)))]

    def definitions(self) -> Iterator[AnyDefinition]:
        """Yield the definitions, and add a problem for each whose dialect is not found.

        Of several definitions of one name in a file, such as those under different conditions, none counts.
        """
        found = [each for classes in self._classes.values() for each in classes]
        made = [definition for each in found if (definition := self._definition(each)) is not None]
        counts = Counter((definition.name, definition.defined_at and definition.defined_at.path) for definition in made)
        for definition in made:
            if counts[definition.name, definition.defined_at and definition.defined_at.path] == 1:
                yield definition

    def _definition(self, written: _Class) -> AnyDefinition | None:
        name = self._text(written.keyword("name"), written.module)
        member = self._membership(written) if name is not None and self._dialect_name(written) is None else None
        if member is None:
            return None
        kind, owner = member
        dialect = self._class_of(owner[0], owner[1].module)
        prefix = self._dialect_name(dialect) if dialect is not None else None
        place = written.place(written.node)
        if prefix is None:
            message = f"the dialect '{_last_name(owner[0])}' of '{name}' is defined in no file that was read"
            self.problems.append(SourceProblem(place.path, place.line, message))
            return None
        makers: dict[str, Callable[[_Class, str], AnyDefinition]] = {
            "Operation": self._operation,
            "Type": self._type,
            "Attribute": self._attribute,
        }
        return replace(makers[kind](written, f"{prefix}.{name}"), defined_at=place)

    def _membership(self, written: _Class) -> tuple[str, tuple[ast.expr, _Class]] | None:
        """Return the kind of a definition, and the expression for its dialect with the class that has it."""
        for ancestor in self._ancestry(written):
            dialect = ancestor.keyword("dialect")
            for base in (self._unaliased(each, ancestor.module) for each in ancestor.node.bases):
                if _last_name(base) not in ("Operation", "Type", "Attribute"):
                    continue
                if dialect is not None:
                    return _last_name(base), (dialect, ancestor)
                if isinstance(base, ast.Attribute) and _last_name(base.value) not in _MODULES:
                    return _last_name(base), (base.value, ancestor)
        return None

    def _operation(self, written: _Class, name: str) -> OperationDefinition:
        fields = list(self._fields(written))
        operands = [each for each in fields if each.kind in _OPERANDS]
        results = [each for each in fields if each.kind in _RESULTS]
        sized = [("AttrSizedOperandSegments", operands), ("AttrSizedResultSegments", results)]
        traits = {trait for trait, values in sized if sum(value.arity is not Arity.ONE for value in values) > 1}
        models = self._models(written)
        interfaces = {_INTERFACES[name] for model in models for name in _INTERFACES.keys() & self._base_names(model)}
        methods = [(each, name) for name in _IMPLEMENTATIONS for model in models for each in self._ancestry(model)]
        traits |= interfaces | self._traits(written)
        own_effects = traits & _EFFECTS if "MemoryEffectOpInterface" not in interfaces else set()
        is_quiet = interfaces == {"PatternDescriptorOpInterface"} or not own_effects <= {_RECURSIVE}
        effect = HandleEffect.NONE if own_effects else HandleEffect.UNKNOWN
        return OperationDefinition(
            name,
            tuple(OperandDefinition(each.name, each.constraint, each.arity, effect, each.type) for each in operands),
            tuple(ResultDefinition(each.name, each.constraint, each.arity, effect, each.type) for each in results),
            tuple(AttributeDefinition(each.name, each.constraint) for each in fields if each.is_attribute),
            tuple(RegionDefinition(each.name) for each in fields if each.kind in _REGIONS),
            traits=frozenset(traits),
            payload_effect=PayloadEffect.NONE if is_quiet else PayloadEffect.UNKNOWN,
            takes_repeated=self._may_take_repeated(models),
            description=_documentation(written),
            implemented_at=tuple(
                each.place(method) for each, name in methods if (method := each.method(name)) is not None
            ),
        )

    def _type(self, written: _Class, name: str) -> TypeDefinition:
        parameters = tuple(ParameterDefinition(each.name, each.constraint) for each in self._fields(written))
        return TypeDefinition(name, parameters, assembly_format_of(parameters), description=_documentation(written))

    def _attribute(self, written: _Class, name: str) -> AttributeKindDefinition:
        parameters = tuple(ParameterDefinition(each.name, each.constraint) for each in self._fields(written))
        described = _documentation(written)
        return AttributeKindDefinition(name, parameters, assembly_format_of(parameters), description=described)

    def _models(self, written: _Class) -> list[_Class]:
        """Return the classes in the body of an operation, or of a base, that implement interfaces."""
        members: dict[str, _Class] = {}
        for ancestor in reversed(list(self._ancestry(written))):
            members.update(ancestor.members)
        return [member for member in members.values() if not self._base_names(member).isdisjoint(_INTERFACES)]

    def _may_take_repeated(self, models: Iterable[_Class]) -> bool:
        """Whether a handle may be given twice: unless the operation's own class says no, or says nothing."""
        steps = [model for model in models if "TransformOpInterface" in self._base_names(model)]
        methods = [
            method
            for model in steps
            for each in self._ancestry(model)
            if (method := each.method("allow_repeated_handle_operands")) is not None
        ]
        return not steps or any(ast.unparse(method.body[-1]) != "return False" for method in methods[:1])

    def _traits(self, written: _Class) -> set[str]:
        """Return the traits of ``traits=[IsTerminatorTrait]``, of the class and of its bases."""
        lists = [ancestor.keyword("traits") for ancestor in self._ancestry(written)]
        elements = [element for each in lists if isinstance(each, ast.List | ast.Tuple) for element in each.elts]
        return {_last_name(element).removesuffix("Trait") for element in elements if _last_name(element)}

    def _fields(self, written: _Class) -> Iterator[_Field]:
        """Yield the annotated names of a class, those of its bases first."""
        for ancestor in reversed(list(self._ancestry(written))):
            for statement in ancestor.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    yield self._field(statement.target.id, _unquoted(statement.annotation), ancestor.module)

    def _field(self, name: str, annotation: ast.expr, module: _Module) -> _Field:
        arity, inner = _without_arity(self._unaliased(annotation, module))
        inner = self._unaliased(inner, module)
        kind = _last_name(inner)
        if kind not in (*_OPERANDS, *_RESULTS, *_REGIONS):
            return _Field(name, kind, arity, kind)
        constraint = self._unaliased(inner.slice, module) if isinstance(inner, ast.Subscript) else None
        if constraint is None:
            return _Field(name, kind, arity)
        return _Field(name, kind, arity, ast.unparse(constraint), _HANDLE_TYPES.get(_last_name(constraint)))

    # Names

    def _ancestry(self, written: _Class) -> Iterator[_Class]:
        """Yield a class and all its bases in the files, nearest first, each once."""
        waiting, seen = [written], set[int]()
        while waiting and len(seen) < _MOST_ANCESTORS:
            current = waiting.pop(0)
            if id(current) not in seen:
                seen.add(id(current))
                yield current
                bases = (self._class_of(base, current.module) for base in current.node.bases)
                waiting[:0] = [base for base in bases if base is not None]

    def _base_names(self, written: _Class) -> frozenset[str]:
        return frozenset(_last_name(base) for each in self._ancestry(written) for base in each.node.bases)

    def _dialect_name(self, written: _Class) -> str | None:
        if "Dialect" not in self._base_names(written):
            return None
        names = (self._text(each.keyword("name"), each.module) for each in self._ancestry(written))
        return next((name for name in names if name is not None), None)

    def _class_of(self, expression: ast.expr, module: _Module) -> _Class | None:
        """Return the class that an expression names: of its file, of one that it imports from, or the only one."""
        expression = self._unaliased(expression, module)
        name, origin = module.imports.get(_last_name(expression), (_last_name(expression), ""))
        if isinstance(expression, ast.Attribute) and _last_name(expression.value) in module.imports:
            name, origin = expression.attr, "/".join(reversed(module.imports[_last_name(expression.value)]))
        classes = self._classes.get(name, [])
        local = [each for each in classes if each.module is module]
        if local and isinstance(expression, ast.Name):
            return local[-1]
        stems = ((each, each.module.path.with_suffix("").as_posix().strip("/")) for each in classes)
        imported = [each for each, stem in stems if origin and f"/{origin}/" in f"/{stem}/"]
        candidates = imported or classes
        return candidates[0] if len(candidates) == 1 else None

    def _unaliased(self, expression: ast.expr, module: _Module) -> ast.expr:
        """Return the expression that a name of the file was assigned, as in ``Handle = Operand[AnyOpType]``."""
        for _ in range(_MOST_LINKS):
            if not isinstance(expression, ast.Name) or expression.id not in module.values:
                break
            expression = module.values[expression.id]
        return expression

    def _text(self, expression: ast.expr | None, module: _Module) -> str | None:
        """Return the value of a string: a literal, a name for one, or these joined, or None for others."""
        match self._unaliased(expression, module) if expression is not None else None:
            case ast.Constant(value=str(value)):
                return value
            case ast.JoinedStr(values=parts):
                inner = (part.value if isinstance(part, ast.FormattedValue) else part for part in parts)
                texts = [self._text(each, module) for each in inner]
                known = [text for text in texts if text is not None]
                return "".join(known) if len(known) == len(texts) else None
        return None


class _Field(NamedTuple):
    """An annotated name. `constraint` is its type as it is written, `type` the only type allowed, if it is known."""

    name: str
    kind: str
    arity: Arity
    constraint: str = ""
    type: str | None = None

    @property
    def is_attribute(self) -> bool:
        return self.kind not in (*_OPERANDS, *_RESULTS, *_REGIONS)


def _without_arity(annotation: ast.expr) -> tuple[Arity, ast.expr]:
    """Return the arity in an annotation, and the annotation inside."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        for side, other in ((annotation.left, annotation.right), (annotation.right, annotation.left)):
            if isinstance(other, ast.Constant) and other.value is None:
                return Arity.OPTIONAL, side
    if isinstance(annotation, ast.Subscript):
        wrapper = _last_name(annotation.value)
        if wrapper == "Optional":
            return Arity.OPTIONAL, annotation.slice
        if wrapper in ("Sequence", "List", "list"):
            return Arity.VARIADIC, annotation.slice
    return Arity.ONE, annotation


def _unquoted(annotation: ast.expr) -> ast.expr:
    if not isinstance(annotation, ast.Constant) or not isinstance(annotation.value, str):
        return annotation
    try:
        return ast.parse(annotation.value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return annotation


def _last_name(expression: ast.expr) -> str:
    """Return ``c`` of ``a.b.c`` and of ``a.b.c[d]``; "" for other expressions."""
    if isinstance(expression, ast.Subscript):
        return _last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def _imported_from(path: Path, statement: ast.ImportFrom) -> str:
    """Return the path of the module that is imported from, without a suffix, as the end of a file's path."""
    named = (statement.module or "").replace(".", "/")
    if not statement.level:
        return named
    folder = path.parents[min(statement.level, len(path.parents)) - 1]
    return (folder / named).as_posix().strip("/")


def _documentation(written: _Class) -> str:
    return inspect.cleandoc(ast.get_docstring(written.node, clean=False) or "").strip()
