"""Records: classes whose fields are their annotations, made in a fiftieth of the time of a dataclass.

A dataclass compiles its methods when its class is made, a millisecond each; a start makes hundreds of classes, and few
of them have instances. A record compiles its constructor when its first instance is made, and shares all other methods.
To type checkers it is a dataclass, so that they, and not the running program, refuse to change frozen records.
"""

from __future__ import annotations

from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options):
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated


_T = TypeVar("_T")
_SHARED: Final = ("ClassVar", "typing.ClassVar")
REQUIRED: Final = object()
"""Stands for the default of a field that has none."""


class _Factory:
    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], _T]) -> _T:
    """Return the default of a field of which `default_factory` makes a new one for each instance."""
    return cast("_T", _Factory(default_factory))


class _StructClass(type):
    """Gives a class slots and a constructor for its annotations, after those of its bases.

    Like those of dataclasses, instances are equal if they are of one class and their fields are equal, and have a hash
    if they are `frozen`; without `eq`, each is equal to itself only. With `has_dict`, they have other attributes, too.
    """

    _struct_defaults: dict[str, Any]
    """By the names of the fields, in their order."""
    _struct_values: Callable[[Any], tuple[Any, ...]]
    """Returns the values of an instance's fields."""

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        frozen: bool = False,
        eq: bool = True,
        has_dict: bool = False,
    ) -> _StructClass:
        """Return the class. Its module postpones the evaluation of annotations, which are never evaluated."""
        inherited: dict[str, Any] = {}
        for base in bases:
            inherited.update(getattr(base, "_struct_defaults", {}))
        own = [each for each, kind in namespace.get("__annotations__", {}).items() if not str(kind).startswith(_SHARED)]
        defaults = {**inherited, **{each: namespace.pop(each, REQUIRED) for each in own}}
        names = tuple(defaults)
        new = [each for each in own if each not in inherited]
        namespace["__slots__"] = (*new, "__dict__") if has_dict else tuple(new)
        namespace["__match_args__"] = names
        namespace["_struct_defaults"] = defaults
        namespace["_struct_values"] = attrgetter(*names) if len(names) > 1 else _few_values(names)
        namespace["__init__"] = _first_init
        namespace.setdefault("__eq__", _equal if eq else object.__eq__)
        namespace.setdefault("__hash__", object.__hash__ if not eq else _hash if frozen else None)
        return super().__new__(cls, name, bases, namespace)

    @property
    def __signature__(cls) -> Signature:
        from inspect import signature

        made = signature(_initializer(cls))
        return made.replace(parameters=list(made.parameters.values())[1:])


def _few_values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    return (lambda record: (getattr(record, names[0]),)) if names else lambda _: ()


def _equal(record: Struct, other: object) -> bool:
    made = type(record)
    return made._struct_values(record) == made._struct_values(other) if type(other) is made else NotImplemented


def _hash(record: Struct) -> int:
    return hash(type(record)._struct_values(record))


def _first_init(record: Struct, *arguments: Any, **named: Any) -> None:
    """Compile the constructor of the class, and call it from now on."""
    made = type(record)
    made.__init__ = _initializer(made)  # type: ignore[method-assign]
    made.__init__(record, *arguments, **named)


def _initializer(record: _StructClass) -> Any:
    parameters, lines, constants = ["self"], [], {"REQUIRED": REQUIRED}
    for name, default in record._struct_defaults.items():
        parameter, value = name, name
        if isinstance(default, _Factory):
            constants[f"make_{name}"] = default.make
            parameter, value = f"{name}=REQUIRED", f"make_{name}() if {name} is REQUIRED else {name}"
        elif default is not REQUIRED:
            constants[f"default_{name}"] = default
            parameter = f"{name}=default_{name}"
        parameters.append(parameter)
        lines.append(f" self.{name} = {value}\n")
    if hasattr(record, "__post_init__"):
        lines.append(" self.__post_init__()\n")
    exec(f"def __init__({', '.join(parameters)}):\n{''.join(lines) or ' pass'}", constants)
    made: Any = constants["__init__"]
    made.__qualname__ = f"{record.__qualname__}.__init__"
    return made


@dataclass_transform(field_specifiers=(field,))
class Struct(metaclass=_StructClass):
    """The base of records: ``class Point(Struct, frozen=True)``. The options are those of `_StructClass`."""

    if TYPE_CHECKING:
        _struct_defaults: ClassVar[dict[str, Any]]
        _struct_values: ClassVar[Callable[[Any], tuple[Any, ...]]]

        def __init_subclass__(cls, *, frozen: bool = False, eq: bool = True, has_dict: bool = False) -> None: ...

    @recursive_repr("...")
    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in as_dict(self).items())
        return f"{type(self).__qualname__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), type(self)._struct_values(self)


_R = TypeVar("_R", bound=Struct)


def replace(record: _R, /, **changes: Any) -> _R:
    """Return a copy of `record` with other values in some fields. Raises TypeError for names that are no fields."""
    return type(record)(**{**as_dict(record), **changes})


def as_dict(record: Struct) -> dict[str, Any]:
    """Return the values of a record's fields by name, not copied."""
    made = type(record)
    return dict(zip(made._struct_defaults, made._struct_values(record), strict=True))


def defaults_of(record: Struct | type[Struct]) -> dict[str, Any]:
    """Return the default of each field by name, `REQUIRED` for one without."""
    return record._struct_defaults
