"""Operations and a type as a project adds them; `REPEAT` and `HANDLE` are in the test extension of ``mlir-opt``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import load_json_catalogue

if TYPE_CHECKING:
    from pathlib import Path

REPEAT = "transform.test_re_enter_region"
"""Executes its region four times."""
HANDLE = "!transform.test_dialect_op"
"""The type of handles for operations of the dialect ``test``."""
GATHER = "transform.mine.gather"
"""Asks a sequence which operations of the payload it wants."""
FINISH = "transform.mine.finish"
"""Ends a block."""
SCRIPT = "transform.mine.script"
"""A script without a name."""
_STEP = ["TransformOpInterface", "MemoryEffectOpInterface"]
_ANY = "TransformHandleTypeInterface"
DOCUMENT = {
    "format": 1,
    "types": [{"name": HANDLE[1:], "interfaces": [_ANY]}],
    "operations": [
        {
            "name": REPEAT,
            "operands": [{"name": "args", "arity": "variadic", "constraint": _ANY, "effect": "reads"}],
            "regions": [{"name": "body"}],
            "traits": [*_STEP, "RegionBranchOpInterface"],
            "assembly_format": "($args^ `:` type($args))? attr-dict-with-keyword regions",
        },
        {
            "name": GATHER,
            "operands": [{"name": "root", "constraint": _ANY, "effect": "reads"}],
            "results": [{"name": "found", "constraint": _ANY, "effect": "produces"}],
            "attributes": [{"name": "matcher", "constraint": "SymbolRefAttr"}],
            "traits": _STEP,
            "assembly_format": "$matcher `in` $root attr-dict `:` functional-type($root, $found)",
        },
        {"name": FINISH, "traits": [*_STEP, "IsTerminator"], "assembly_format": "attr-dict"},
        {
            "name": SCRIPT,
            "regions": [{"name": "body"}],
            "traits": [*_STEP, "PossibleTopLevelTransformOpTrait"],
            "assembly_format": "$body `on` `gpu` attr-dict",
        },
    ],
}


def own_catalogue(folder: Path) -> Catalogue:
    """Return the shipped catalogue with `DOCUMENT`, which is put into `folder`."""
    return Catalogue.shipped().with_source(load_json_catalogue(write_catalogue(folder)))


def write_catalogue(folder: Path) -> Path:
    """Return the path of a file with `DOCUMENT` in `folder`."""
    path = folder / "ours.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    return path
