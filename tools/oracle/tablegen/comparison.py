"""Records of tdls and of llvm-tblgen, field by field; operations, as ODS makes them of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from oracle.tablegen.dump import dump, include_folder, named, read
from tdls.catalogue.sources.ods import effects, operations
from tdls.catalogue.sources.ods.definitions import RecordIndex
from tdls.catalogue.sources.tablegen import parse, read_parsed
from tdls.catalogue.sources.tablegen.modules import Project
from tdls.catalogue.sources.tablegen.records import Record
from tdls.catalogue.sources.tablegen.values import UNSET, DagValue, Missing
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from facts.records import Records
    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.sources.work import SourceProblem

parsed = cache(parse)
"""Files include the same ones again and again."""

_DEEPEST = 12
"""Anonymous records in anonymous records are compared so far."""


@dataclass
class Judgement:
    """The differences between tdls and llvm-tblgen for one file."""

    file: Path
    records: int = 0
    operations: int = 0
    wrong_records: list[str] = field(default_factory=list)
    """``record.field``, or the name of a record that only one of them knows."""
    wrong_operations: list[str] = field(default_factory=list)
    """Names of operations that are not equal with MLIR's includes."""
    wrong_alone: list[str] = field(default_factory=list)
    """Names of operations that are not equal without them."""
    problems: list[SourceProblem] = field(default_factory=list)


def judge(file: Path, alone: Sequence[Path] = (), *, own_records_only: bool = False) -> Judgement | None:
    """Compare all that tdls and llvm-tblgen make of a file; None where the latter rejects it.

    `alone` are the files that are read without MLIR's includes. With `own_records_only`, records that stand in
    included files are left out, where no record of the file itself refers to them.
    """
    records = dump(file, [include_folder()])
    if records is None:
        return None
    judgement = Judgement(file)
    project = Project({file: parsed(read(file) or "")}, [include_folder()], read, parse_text=parsed)
    judgement.problems = project.problems
    compare_records(project, records, judgement, file if own_records_only else None)
    own = {record.name for module in project.modules if module.path == file for record in module.records}
    wanted = expected(records, own)
    present = found({file: read(file) or ""}, [include_folder()])
    absent = found({path: read(path) or "" for path in alone}, [])
    judgement.operations = len(wanted)
    judgement.wrong_operations = sorted(name for name in wanted if present.get(name) != wanted[name])
    judgement.wrong_alone = sorted(name for name in wanted if alone and absent.get(name) != wanted[name])
    return judgement


def compare_records(project: Project, records: Records, judgement: Judgement, file: Path | None = None) -> None:
    """Add the differences in records with names to the judgement, in those of `file` if that is given."""
    theirs = named(records)
    mine = {
        record.name: record
        for module in project.modules
        for record in module.records
        if not record.anonymous and file in (None, module.path)
    }
    judgement.wrong_records = sorted(mine.keys() - theirs.keys() if file else mine.keys() ^ theirs.keys())
    for name in mine.keys() & theirs.keys():
        judgement.records += 1
        judgement.wrong_records += [f"{name}.{field}" for field in different_fields(mine[name], theirs[name], records)]


def different_fields(mine: Record, theirs: Mapping[str, Any], records: Records) -> list[str]:
    """The fields that differ; ``!superclasses`` if the record's superclasses do."""
    different = [
        name for name, value in theirs.items() if name[0] != "!" and not same(mine.value(name), value, records)
    ]
    extra = [name for name in mine.fields() if name not in theirs]
    return different + extra + (["!superclasses"] if list(mine.superclasses) != theirs["!superclasses"] else [])


def same(mine: Any, theirs: Any, records: Records, depth: int = 0) -> bool:
    """Is a value printed by llvm-tblgen in the same way?"""
    if isinstance(theirs, list):
        return (
            isinstance(mine, tuple)
            and len(mine) == len(theirs)
            and all(same(value, other, records, depth) for value, other in zip(mine, theirs, strict=True))
        )
    if not isinstance(theirs, dict):
        return mine is UNSET if theirs is None else bool(mine == theirs)
    if theirs["kind"] == "def":
        return _same_record(mine, records.by_name[theirs["def"]], records, depth)
    return _same_dag(mine, theirs, records, depth) if theirs["kind"] == "dag" else isinstance(mine, Missing)


def _same_record(mine: Any, theirs: Mapping[str, Any], records: Records, depth: int) -> bool:
    if not isinstance(mine, Record):
        return False
    if not theirs["!anonymous"] or depth == _DEEPEST:
        return mine.anonymous == theirs["!anonymous"] and (mine.anonymous or mine.name == theirs["!name"])
    fields = [name for name in theirs if name[0] != "!"]
    return list(mine.superclasses) == theirs["!superclasses"] and all(
        same(mine.value(name), theirs[name], records, depth + 1) for name in fields
    )


def _same_dag(mine: Any, theirs: Mapping[str, Any], records: Records, depth: int) -> bool:
    if not isinstance(mine, DagValue) or len(mine.items) != len(theirs["args"]):
        return False
    names = [name for _, name in mine.items] == [name for _, name in theirs["args"]]
    values = zip(mine.items, theirs["args"], strict=True)
    return (
        names
        and mine.operator_name == theirs.get("name")
        and same(mine.operator, theirs["operator"], records, depth)
        and all(same(value, other, records, depth) for (value, _), (other, _) in values)
    )


def expected(records: Records, own: Collection[str]) -> dict[str, OperationDefinition]:
    """The operations that ODS makes of those of llvm-tblgen's records whose names are among `own`, by their names."""
    definitions = RecordIndex(records)
    made = {}
    for record in records.instances("Op"):
        if record["!name"] not in own:
            continue
        definition = operations.operation(definitions, record)
        decided, _ = effects.with_effects(definitions, record, definition)
        made[definition.name] = replace(decided, summary=" ".join(record["summary"].split()))
    return made


def found(files: Mapping[Path, str], folders: Sequence[Path]) -> dict[str, OperationDefinition]:
    """The operations that tdls finds, without properties that llvm-tblgen's records do not have."""
    known = {path: parsed(text) for path, text in files.items()}
    definitions = read_parsed(known, folders, read if folders else _no_file, parsed)
    read_definitions = [definition.definition for definition in definitions.operations]
    return {definition.name: replace(definition, description="", defined_at=None) for definition in read_definitions}


def _no_file(_: Path) -> None:
    return None
