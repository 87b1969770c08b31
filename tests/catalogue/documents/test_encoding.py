"""Definitions as JSON, which catalogue files have."""

from __future__ import annotations

import json
from operator import attrgetter
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tdls.catalogue.changed_operations import Rename
from tdls.catalogue.documents import encode, load_json_catalogue
from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    ConditionalEffect,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    RegionDefinition,
    Relation,
    ResultDefinition,
    SourcePlace,
    SuccessorDefinition,
    TypeDefinition,
)
from tdls.catalogue.source import all_definitions
from tdls.structs import defaults_of, replace

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
NAMES = st.from_regex(r"[a-z]{1,3}\.[a-z]{1,3}", fullmatch=True)


def built(kind: type[Any], **given_fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any definition of a kind, without places on one machine."""
    local = {"defined_at": st.none(), "implemented_at": st.just(()), "source": st.just("")}
    known = set(defaults_of(kind))
    return st.builds(kind, **{name: value for name, value in {**local, **given_fields}.items() if name in known})


def tuples(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


st.register_type_strategy(str, TEXT)
CONDITIONS = tuples(st.builds(ConditionalEffect))
MNEMONICS = st.none() | NAMES
PARAMETERS = tuples(st.builds(ParameterDefinition))
OPERATIONS = built(
    OperationDefinition,
    name=NAMES,
    operands=tuples(st.builds(OperandDefinition, effect_when=CONDITIONS)),
    results=tuples(
        st.builds(
            ResultDefinition,
            effect_when=CONDITIONS,
            relations=tuples(st.builds(Relation)),
            stands_for=tuples(NAMES),
        )
    ),
    attributes=tuples(st.builds(AttributeDefinition, mnemonic=MNEMONICS)),
    regions=tuples(st.builds(RegionDefinition)),
    successors=tuples(st.builds(SuccessorDefinition)),
    former_names=tuples(NAMES),
)
DEFINITIONS = st.fixed_dictionaries(
    {
        "operations": tuples(OPERATIONS),
        "types": tuples(built(TypeDefinition, name=NAMES, parameters=PARAMETERS)),
        "attributes": tuples(built(AttributeKindDefinition, name=NAMES, parameters=PARAMETERS)),
        "renames": tuples(st.builds(Rename, former=NAMES, name=st.none() | NAMES)),
    }
)


@given(definitions=DEFINITIONS)
def test_encoded_definitions_are_read_back(definitions: dict[str, tuple[Any, ...]], tmp_path: Path) -> None:
    file = tmp_path / "my.tdls.json"
    tables = {name: [encode(definition) for definition in table] for name, table in definitions.items()}
    file.write_text(json.dumps({"format": 1, **tables}), encoding="utf-8")
    source = load_json_catalogue(file)
    tables_read: dict[str, Any] = {
        "operations": source.operations,
        "types": source.types,
        "attributes": source.attribute_kinds,
    }
    for name, table in tables_read.items():
        read: list[Any] = list(all_definitions(table))
        assert [replace(each, source="") for each in read] == sorted(definitions[name], key=attrgetter("name"))
    assert source.renames == definitions["renames"]


def test_places_stay_here() -> None:
    place = SourcePlace(Path("/home/me/ops.td"), 3)
    definition = OperationDefinition("my.op", description="What *it* does.", defined_at=place, implemented_at=(place,))
    assert encode(definition) == {"name": "my.op", "description": "What *it* does."}
