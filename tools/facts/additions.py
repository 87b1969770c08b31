"""Hand-written facts: summaries, renames, relations of handles, loops, and interfaces that C++ adds to types."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facts.records import FactsError
from facts.writing import write_document
from tdls.catalogue.changed_operations import Rename
from tdls.catalogue.documents import decode, encode
from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    AttributeSpelling,
    ConditionalEffect,
    HandleEffect,
    LoopFit,
    LoopNumbers,
    MatchCriterion,
    ParameterDefinition,
    Relation,
    RelationKind,
    ResultCount,
    TypeDefinition,
)
from tdls.catalogue.source import assembly_format_of
from tdls.settings.llvm_versions import newest_release, version_name
from tdls.structs import replace
from tdls.syntax.parser.assembly.written_formats import SETTLED_DIALECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from facts.installation import Installation
    from tdls.catalogue.model import OperationDefinition

_FOLDER = Path(__file__).parent
NAMES_FILE = _FOLDER / "names.json"
"""Types and attributes by name, with the cases of enumerations, as `names.py` found them in all versions."""
_FIRST_WITHOUT_TABLEGEN = 23
_RELATION = re.compile(r"(?:Same|All|Tosa)[A-Z]|TypesMatch|ResultsBroadcastable")
"""Traits that relate types of operands and results."""
_UNTYPED = "!pdl.operation"
_TYPES = re.compile(r"(?<=attr-dict)\s+`:`.*", re.DOTALL)
"""The type of handles whose type is not written."""
_ALWAYS = "true"
"""The default of a unit attribute that applies where it is not written, too."""
_OUTPUTS = 1
"""Number of initial values of the operations in loops.json."""
_TYPE_INTERFACES = {
    "pdl.operation": "TransformHandleTypeInterface",
    "transform.test_dialect_op": "TransformHandleTypeInterface",
    "transform.test_dialect_param": "TransformParamTypeInterface",
}
"""Interfaces that an extension of the transform dialect attaches to other dialects' types, and those of its types that
no source describes."""


_WRITTEN_IN_CPP: dict[str, dict[str, tuple[int, ...]]] = {
    "operations": {
        "affine.dma_start": (19, 22),
        "affine.dma_wait": (19, 22),
        "transform.affine.super_vectorize": (23,),
    },
    "types": {"llvm.ppc_fp128": (19,), "llvm.struct": (19,)},
    "attributes": {
        "dlti.dl_entry": (23,),
        "dlti.dl_spec": (23,),
        "dlti.function_pointer_alignment": (23,),
        "dlti.map": (23,),
        "dlti.target_device_spec": (23,),
        "dlti.target_system_spec": (23,),
    },
}
"""Operations, types and attributes that neither TableGen nor bindings describe, with the versions that have them."""


def share(installations: Sequence[Installation]) -> None:
    """Give each version the operations that it has but does not describe, as described in the nearest version."""
    for kind, versions_of in _WRITTEN_IN_CPP.items():
        for name, versions in versions_of.items():
            describing = [candidate for candidate in installations if name in getattr(candidate, kind)]
            for installation in (candidate for candidate in installations if candidate.version in versions):
                nearest = min(describing, key=lambda candidate: abs(candidate.version - installation.version))
                definition = replace(getattr(nearest, kind)[name], versions=(installation.version,))
                getattr(installation, kind).setdefault(name, definition)


def completed(installation: Installation) -> Installation:
    """The installation with summaries, former names, relations, loops and attached interfaces."""
    summaries: dict[str, str] = _read("summaries.json")
    relations: dict[str, Any] = _read("relations.json")
    loops: dict[str, int] = _read("loops.json")
    bodies: dict[str, list[str]] = _read("bodies.json")
    indexing: dict[str, list[str]] = _read("indexing.json")
    former_names: dict[str, list[str]] = {}
    for rename in _read_renames():
        if rename.name is not None:
            former_names.setdefault(rename.name, []).append(rename.former)
    tables = [(table, name) for table in (installation.operations, installation.others) for name in table]
    for table, name in tables:
        definition = table[name]
        table[name] = replace(
            definition,
            summary=summaries.get(name, ""),
            former_names=tuple(former_names.get(name, ())),
            made_body=tuple(bodies[name]) if name in bodies else None,
            loops=loops.get(name),
            outputs=_OUTPUTS if name in loops else None,
            indexing=tuple(indexing.get(name, ())),
            **_related(definition, relations.get(name, {})),
        )
    for name, interface in _TYPE_INTERFACES.items():
        kind = installation.types.get(name)
        if kind is not None:
            installation.types[name] = replace(kind, interfaces=kind.interfaces | {interface})
    return installation


def add_names(installations: Sequence[Installation]) -> None:
    """Add the types and attributes of `NAMES_FILE` that no version describes to all, and new cases to the newest.

    Which versions have a name that none describes is not known.
    """
    types: dict[str, list[str]] = _read(NAMES_FILE.name)["types"]
    attributes: dict[str, list[str]] = _read(NAMES_FILE.name)["attributes"]
    typed = {name for each in installations for name in each.types}
    described = {name for each in installations for name in each.attributes}
    for installation in installations:
        versions = (installation.version,)
        for name in types.keys() - typed:
            interfaces = frozenset(filter(None, [_TYPE_INTERFACES.get(name)]))
            installation.types[name] = TypeDefinition(
                name, custom_assembly=True, interfaces=interfaces, versions=versions
            )
        for name, cases in attributes.items():
            known = installation.attributes.get(name)
            if known is None and name not in described:
                parameters = (ParameterDefinition("value", cases=tuple(cases)),) if cases else ()
                form = assembly_format_of(parameters)
                installation.attributes[name] = AttributeKindDefinition(
                    name, parameters, form, custom_assembly=not cases, cases=tuple(cases), versions=versions
                )
            elif known is not None and installation.version >= _FIRST_WITHOUT_TABLEGEN:
                own = known.cases or next((parameter.cases for parameter in known.parameters), ())
                if not set(own).issuperset(cases):
                    installation.attributes[name] = replace(known, cases=tuple(dict.fromkeys((*own, *cases))))


def _related(definition: OperationDefinition, item: dict[str, Any]) -> dict[str, Any]:
    """The fields of a definition that `item` of relations.json is about; results that a version lacks are left out."""
    groups = {operand.name for operand in definition.operands} | {result.name for result in definition.results}
    results = tuple(
        replace(
            result,
            relations=tuple(
                filter(lambda relation: relation.other in groups, map(_relation, _of(item, "results", result.name)))
            ),
            stands_for=tuple(_of(item, "stands_for", result.name)),
            several=result.name in item.get("several", ()),
            empty_with=_frozen(item.get("empty_with", {}).get(result.name)),
            count=_count(item.get("counts", {}).get(result.name)),
        )
        for result in definition.results
    )
    flags: dict[str, Any] = {"moves_with": item.get("moves_with", ""), "keeps": tuple(item.get("keeps", ()))}
    flags |= {name: item.get(name, False) for name in ("local", "takes_repeated", "only_moves", "written_body")}
    attributes = tuple(
        replace(
            attribute,
            per_loop=_per_loop(item.get("per_loop", {}).get(attribute.name), groups),
            least=item.get("least", {}).get(attribute.name),
            asks=_asked(item.get("asks", {}).get(attribute.name)),
        )
        for attribute in definition.attributes
    )
    operands = tuple(
        replace(
            operand,
            takes_one=operand.name in item.get("takes_one", ()),
            applies_to=tuple(_of(item, "applies_to", operand.name)),
            excludes_script=operand.name in item.get("excludes_script", ()),
            one_or_each=item.get("one_or_each", {}).get(operand.name, ""),
            applies_to_any_with=item.get("applies_to_any_with", {}).get(operand.name, ""),
        )
        for operand in definition.operands
    )
    return {"operands": operands, "results": results, "attributes": attributes, **flags}


def _count(item: dict[str, Any] | None) -> ResultCount | None:
    return ResultCount(**{key: _frozen(value) for key, value in item.items()}) if item is not None else None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _asked(text: str | None) -> MatchCriterion | None:
    return MatchCriterion(text) if text is not None else None


def _per_loop(text: str | None, groups: set[str]) -> LoopNumbers | None:
    if text is None:
        return None
    fit, operand = text.split()
    return LoopNumbers(LoopFit(fit), operand) if operand in groups else None


def _of(item: dict[str, Any], key: str, group: str) -> list[str]:
    found: list[str] = item.get(key, {}).get(group, [])
    return found


def _relation(text: str) -> Relation:
    kind, other = text.split()
    return Relation(RelationKind(kind), other)


def renames(installations: Sequence[Installation]) -> list[dict[str, Any]]:
    """All renames as JSON objects; each new name must exist in some version."""
    known = {name for installation in installations for name in installation.operations}
    found = [replace(rename, last_version=_last_version(rename, installations)) for rename in _read_renames()]
    for rename in found:
        if "." in (rename.name or "") and rename.name not in known:  # a pass has no dot
            raise FactsError(f"renames.json: '{rename.former}' became '{rename.name}', which no version has")
    return [encode(rename) for rename in found]


def _last_version(rename: Rename, installations: Sequence[Installation]) -> int:
    """Return the last version with the former name, which is written by hand where no version of the facts has it."""
    having = (each.version for each in installations if rename.former in each.operations)
    return max((version for version in having if version <= newest_release()), default=rename.last_version)


def older(newer: Installation) -> list[OperationDefinition]:
    """Definitions of operations before `newer`, from older.json: each is like an operation of `newer`.

    There, `results` and `attributes` list those that the older operation has, an attribute with another name now as a
    pair. Without a `format` it is that of `newer` without types. Unit attributes in `always` apply to each instance.
    `implied` has attributes that later versions lack, with their defaults. `effects` gives operands another effect, and
    that with the value of an attribute, `lacks` has traits that came later, and `summary` is for what that of `newer`
    does not say.
    """
    return [
        _older(item, newer.operations[item.get("like", item["name"])]) for item in _read("older.json")["operations"]
    ]


def former_attributes() -> dict[str, list[str]]:
    """Names of attributes of transform operations that only versions of older.json have, by operation."""
    found: dict[str, list[str]] = _read("older.json")["former_attributes"]
    return found


def absent_in_oldest() -> list[str]:
    """Names of transform operations that the oldest version of older.json lacks."""
    found: list[str] = _read("older.json")["absent"]
    return found


def _older(item: dict[str, Any], definition: OperationDefinition) -> OperationDefinition:
    results = {result.name: result for result in definition.results}
    kept = [results[name] for name in item.get("results", results)]
    form = item.get("format") or _TYPES.sub("", definition.assembly_format or "")
    if "type(" not in form:
        kept = [replace(result, type=_UNTYPED) for result in kept]
    attributes = {attribute.name: attribute for attribute in definition.attributes}
    renamed = (name if isinstance(name, list) else (name, name) for name in item.get("attributes", attributes))
    kept_attributes = [replace(attributes[name], name=former) for former, name in renamed]
    always = [replace(attributes[name], default=_ALWAYS) for name in item.get("always", ())]
    for name, default in item.get("implied", {}).items():
        constraint = {"{}": "DenseI64ArrayAttr", "true": "BoolAttr", "false": "BoolAttr"}.get(default, "StrAttr")
        spelling = AttributeSpelling.DENSE_ARRAY if default == "{}" else AttributeSpelling.ATTRIBUTE
        always.append(AttributeDefinition(name, constraint, default=default, spelling=spelling))
    operands = list(definition.operands)
    for name, (effect, attribute, other, value) in item.get("effects", {}).items():
        when = (ConditionalEffect(attribute, HandleEffect(other), value),)
        operands = [
            replace(each, effect=HandleEffect(effect), effect_when=when) if each.name == name else each
            for each in operands
        ]
    return replace(
        definition,
        operands=tuple(operands),
        name=item["name"],
        versions=tuple(item["versions"]),
        results=tuple(kept),
        attributes=(*kept_attributes, *always),
        traits=definition.traits - set(item.get("lacks", ())),
        assembly_format=form,
        custom_assembly=False,
        former_names=(),
        summary=item.get("summary", definition.summary),
    )


def uses() -> dict[str, int]:
    """Return the number of uses of each operation in public scripts, as `uses.py` counted them."""
    return dict(sorted(_read("uses.json").items()))


def _read_renames() -> list[Rename]:
    return [decode(Rename, item, name=None) for item in _read("renames.json")]


def add_tables(folder: Path, installations: Sequence[Installation]) -> None:
    """Write the versions, and the changes of operations, into `folder`."""
    (folder / "_versions.json").write_text((_FOLDER / "versions.json").read_text(encoding="utf-8"), newline="\n")
    document = _read("changes.json")
    for change in document["changes"]:
        change["last_version"] = _last_alike(change["name"], change["last_version"], installations)
    del document["format"]
    document["verified"] = dict(sorted({**_asking_for_others(installations), **document["verified"]}.items()))
    write_document(folder / "_changes.json", document)


def _asking_for_others(installations: Sequence[Installation]) -> dict[str, list[str]]:
    """Payload operations of which versions ask for other types, attributes or relations, with the versions of each.

    Those of settled dialects are left out, whose verifiers tdls follows.
    """
    asked: dict[str, dict[int, list[str]]] = {}
    for installation in installations:
        for name, definition in installation.operations.items():
            if definition.dialect not in {*SETTLED_DIALECTS, "transform"}:
                form = [each.constraint for each in definition.operands]
                form += [each.constraint for each in definition.results]
                form += [each.constraint for each in definition.attributes]
                form += sorted(filter(_RELATION.match, definition.traits))
                asked.setdefault(name, {})[installation.version] = form
    return {
        name: [*map(version_name, sorted(forms))]
        for name, forms in asked.items()
        if len({*map(tuple, forms.values())}) > 1
    }


def _last_alike(name: str, version: int, installations: Sequence[Installation]) -> int:
    """Return the last release that has an operation as `version` has it; `version` where the facts do not tell."""
    shapes = {each.version: _shape(each.operations[name]) for each in installations if name in each.operations}
    if version not in shapes:
        return version
    later = [each for each in sorted(shapes) if version <= each <= newest_release()]
    return max(takewhile(lambda each: shapes[each] == shapes[version], later))


def _shape(definition: OperationDefinition) -> tuple[object, ...]:
    operands = ((each.name, each.arity) for each in definition.operands)
    results = ((each.name, each.arity) for each in definition.results)
    attributes = ((each.name, each.constraint, each.cases, each.default) for each in definition.attributes)
    return definition.assembly_format, tuple(operands), tuple(results), tuple(attributes)


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
