"""The facts shipped with tdls: one JSON file per dialect, read at the first query for the dialect.

Each definition is on a line of its own that begins with its name, so a look-up decodes one line, not the file.
"""

from __future__ import annotations

import json
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tdls.catalogue.changed_operations import Rename
from tdls.catalogue.documents import decode
from tdls.catalogue.model import (
    AttributeKindDefinition,
    OperationDefinition,
    PassDefinition,
    PassOption,
    TypeDefinition,
)
from tdls.catalogue.source import MemoryTable, Table
from tdls.settings.llvm_versions import newest_version, version_name, version_ranges
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def printed_example(definition: OperationDefinition) -> str | None:
    """Return a line with the operation as MLIR prints it, or None if none is shipped, or if its format is known."""
    if not definition.versions or (definition.assembly_format is not None and definition.format_known):
        return None
    return next(iter(_examples("_examples.json").get(definition.name, ())), None)


def script_example(definition: OperationDefinition) -> str | None:
    """Return an example of a transform operation with sensible values, or None if none is shipped for its version."""
    forms = _examples("_script_examples.json").get(definition.name) if definition.versions else None
    return forms[0 if newest_version() in definition.versions else -1] if forms else None


@lru_cache(maxsize=2)
def _examples(name: str) -> Mapping[str, list[str]]:
    """Return the forms of each operation in a file of examples, the newest first."""
    items = json.loads((FACTS_FOLDER / name).read_text(encoding="utf-8")).items()
    return {name: [forms] if isinstance(forms, str) else forms for name, forms in items}


FACTS_FOLDER = Path(__file__).resolve().parent / "facts"
STEPS = "_steps.json"

_LINE_START = '\n{"name":"'
_NAMES = re.compile(r'\n\{"name":"([^"]+)"')
_SECTION = re.compile(r'^"(\w+)": \[$', re.MULTILINE)

_D = TypeVar("_D", bound=OperationDefinition | TypeDefinition | AttributeKindDefinition)


class OlderFacts(NamedTuple):
    """The forms of transform operations that only LLVM 16 to 18 have."""

    operations: dict[str, tuple[OperationDefinition, ...]]
    """By name, the newest first."""
    former_attributes: dict[str, tuple[str, ...]]
    """Names of attributes that LLVM 19 and newer lack, by operation."""
    absent: frozenset[str]
    """Names of operations that are newer than LLVM 16."""


class ShippedSource:
    """The shipped facts as a catalogue source."""

    name = "LLVM"

    def __init__(self, folder: Path = FACTS_FOLDER) -> None:
        files = _FactFiles(folder)
        self._files = files
        self.operations = _ShippedTable(files, "operations", OperationDefinition)
        self.types = _ShippedTable(files, "types", TypeDefinition)
        self.attribute_kinds = _ShippedTable(files, "attributes", AttributeKindDefinition)
        self._renames: dict[str, Rename] | None = None
        self._folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the folder alone: other processes read the facts themselves."""
        return ShippedSource, (self._folder,)

    @cached_property
    def passes(self) -> Table[PassDefinition]:
        """Passes and pipelines, with their options and the operations that they are restricted to."""
        return MemoryTable(
            PassDefinition(
                name,
                entry.get("runs_on", ""),
                tuple(_pass_option(*option) for option in entry.get("options", {}).items()),
                versions=tuple(entry["versions"]),
                source=_source_name(entry),
            )
            for name, entry in self._files.passes().items()
        )

    @property
    def llvm_versions(self) -> tuple[int, ...]:
        """LLVM major versions of the facts, oldest first."""
        return tuple(self._files.index["llvm"])

    @property
    def looked_in(self) -> tuple[str, ...]:
        """The versions, for people."""
        return (f"LLVM {self.llvm_versions[0]} to {version_name(self.llvm_versions[-1])}",)

    @cached_property
    def older(self) -> OlderFacts:
        """Facts about versions of LLVM before `llvm_versions`."""
        document = json.loads((self._folder / "_older.json").read_text(encoding="utf-8"))
        found: dict[str, tuple[OperationDefinition, ...]] = {}
        for item in document["operations"]:
            definition = decode(OperationDefinition, item, source=_source_name(item))
            found[definition.name] = (*found.get(definition.name, ()), definition)
        return OlderFacts(
            {name: tuple(sorted(each, key=lambda it: max(it.versions), reverse=True)) for name, each in found.items()},
            {name: tuple(each) for name, each in document["former_attributes"].items()},
            frozenset(document["absent"]),
        )

    def renamed(self, former: str) -> Rename | None:
        """Return the rename or removal of an operation name in LLVM."""
        if self._renames is None:
            renames = (decode(Rename, item, name=None) for item in self._files.index.get("renames", ()))
            self._renames = {rename.former: rename for rename in renames}
        return self._renames.get(former)

    def uses(self, name: str) -> int:
        """Return how often public scripts use the operation, as counted by tools/facts/uses.py."""
        return int(self._files.index.get("uses", {}).get(name, 0))


class StepFacts(NamedTuple):
    """What is known of steps of scripts in general, by the names of operations."""

    forms: Mapping[str, Sequence[str]]
    """Operations with values: ``%+`` begins the name of a result, ``$`` that of a value (`ide/runs/next_steps.py`)."""
    following: Mapping[str, Mapping[str, int]]
    """How often operations come next in public scripts, as tools/facts/following.py counts them."""


@lru_cache(maxsize=1)
def step_facts() -> StepFacts:
    """Return the shipped facts about steps."""
    return StepFacts(**json.loads((FACTS_FOLDER / STEPS).read_text(encoding="utf-8")))


def _pass_option(name: str, value: str | list[str]) -> PassOption:
    """Return an option with its value as shipped: a kind, with ``*`` behind it that of a list, or cases."""
    if isinstance(value, list):
        return PassOption(name, cases=tuple(value))
    return PassOption(name, value.removesuffix("*"), is_list=value.endswith("*"))


class _FactFiles:
    """The files of one facts folder, read at most once each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sections: dict[str, dict[str, str]] = {}
        self._index: dict[str, Any] | None = None

    @property
    def index(self) -> dict[str, Any]:
        if self._index is None:
            self._index = json.loads((self._folder / "_index.json").read_text(encoding="utf-8"))
        return self._index

    def passes(self) -> dict[str, Any]:
        """Read the facts of passes and pipelines, by name."""
        found: dict[str, Any] = json.loads((self._folder / "_passes.json").read_text(encoding="utf-8"))
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        """Names of the existing files, since a name from a text must not become a path unchecked."""
        return frozenset(path.name for path in self._folder.iterdir())

    def section(self, dialect: str, section: str) -> str:
        """Return the lines of one section of a dialect's file, each after a line feed; empty if there is none."""
        if f"{dialect}.json" not in self._names:
            return ""
        known = self._sections.get(dialect)
        sections = known if known is not None else self._sections.setdefault(dialect, self._read(dialect))
        return sections.get(section, "")

    def _read(self, dialect: str) -> dict[str, str]:
        text = (self._folder / f"{dialect}.json").read_text(encoding="utf-8")
        starts = list(_SECTION.finditer(text))
        ends = [match.start() for match in starts[1:]] + [len(text)]
        return {match[1]: text[match.end() : end] for match, end in zip(starts, ends, strict=True)}


class _ShippedTable(Table[_D]):
    """One section of all files; definitions are decoded once and shared by all threads."""

    def __init__(self, files: _FactFiles, section: str, kind: type[_D]) -> None:
        self._files = files
        self._section = section
        self._kind = kind
        self._decoded: dict[str, tuple[_D, ...]] = {}

    def variants(self, name: str) -> tuple[_D, ...]:
        known = self._decoded.get(name)
        return known if known is not None else self._decoded.setdefault(name, tuple(self._find(name)))

    def names(self, dialect: str) -> tuple[str, ...]:
        names = _NAMES.findall(self._files.section(dialect, self._section))
        return tuple(sorted(set(names)))

    def dialects(self) -> frozenset[str]:
        return frozenset(self._files.index["dialects"])

    def _find(self, name: str) -> list[_D]:
        """Return the definitions of a name, whose variants are on consecutive lines."""
        lines = self._files.section(name.partition(".")[0], self._section)
        key = f'{_LINE_START}{name}"'
        found: list[_D] = []
        start = lines.find(key)
        while start >= 0 and lines.startswith(key, start):
            end = lines.index("\n", start + 1)
            item = json.loads(lines[start + 1 : end].rstrip(","))
            found.append(decode(self._kind, item, source=_source_name(item)))
            start = end
        return found


@lru_cache(maxsize=1)
def shipped_source() -> ShippedSource:
    """Return the source of shipped facts of this process."""
    return ShippedSource()


def _source_name(item: dict[str, Any]) -> str:
    versions = item.get("versions", ())
    return version_ranges(versions) if versions else "LLVM"
