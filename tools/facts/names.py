"""Asks MLIR for names of types and attributes, and cases of enumerations: ``python tools/facts/names.py --help``.

The facts of TableGen lack what C++ defines and what other versions have. A name is one of a dialect if MLIR says
another thing about it than about a name that is certainly none. Candidates are the words of the tool's own libraries
and of TableGen files. The result, `names.json`, is the union over all tools that were asked.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.additions import NAMES_FILE  # noqa: E402
from facts.writing import write_document  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KINDS = {"types": '"q.q"() : () -> (!{})', "attributes": '"q.q"() {{q = #{}}} : () -> ()'}
_NONSENSE = "zqzq"
_PLACE = re.compile(r":(?P<line>\d+)(?: offset :\d+)?:\d+: error: (?P<message>.*)")
_CASES = re.compile(r"to be one of: (?P<cases>.*)")
_BATCH = 20_000
_MOST_DOTS = 4
_IN_CPP = {
    "gpu": "async.token mma_matrix named_barrier sparse.dntensor_handle sparse.spgemmop_handle sparse.spmat_handle",
    "llvm": "array byte func label metadata ppc_fp128 ptr struct target token vec void x86_amx x86_mmx",
    "quant": "any calibrated quantile uniform",
    "spirv": "NV.coopmatrix arm.tensor array coopmatrix image jointmatrix matrix named_barrier ptr rtarray "
    "sampled_image sampler struct vce",
}
"""Keywords that parsers in C++ compare with."""


def main() -> int:
    """Add the names that the tools know to `names.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opt", nargs="+", help="tools such as mlir-opt")
    parser.add_argument(
        "--words", nargs="*", type=Path, default=[], help="libraries and TableGen files with their names"
    )
    arguments = parser.parse_args()
    catalogue = Catalogue.shipped()
    dialects = sorted(catalogue.dialects() - {"builtin"})
    words = words_of(arguments.words, dialects)
    known = json.loads(NAMES_FILE.read_text(encoding="utf-8")) if NAMES_FILE.exists() else {}
    document: dict[str, dict[str, list[str]]] = {kind: dict(known.get(kind, {})) for kind in KINDS}
    for kind, table in document.items():
        own = catalogue.type_names() if kind == "types" else catalogue.attribute_kind_names()
        names = sorted({*words, *own, *table})
        for tool in arguments.opt:
            for name, cases in known_names(tool, kind, names, dialects).items():
                table[name] = list(dict.fromkeys([*table.get(name, ()), *cases]))
    write_document(NAMES_FILE, {kind: dict(sorted(table.items())) for kind, table in document.items()})
    return 0


def known_names(tool: str, kind: str, names: Sequence[str], dialects: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return those of `names` that `tool` knows, with the cases of an enumeration."""
    text = KINDS[kind]
    of_none = answers(tool, [text.format(f"{dialect}.{_NONSENSE}") for dialect in dialects])
    unknown = dict(zip(dialects, of_none, strict=True))
    found: dict[str, Sequence[str]] = {}
    for name, said in zip(names, answers(tool, [text.format(name) for name in names]), strict=True):
        dialect, _, rest = name.partition(".")
        if said != unknown[dialect].replace(_NONSENSE, rest):
            found[name] = ()
    for name, said in zip(
        list(found), answers(tool, [text.format(f"{name}<{_NONSENSE}>") for name in found]), strict=True
    ):
        cases = _CASES.search(said)
        found[name] = cases["cases"].split(", ") if cases is not None else ()
    return found


def answers(tool: str, texts: Sequence[str]) -> list[str]:
    """Return the first error of `tool` about each of the texts, each one line; empty for none."""
    found = [""] * len(texts)
    for first in range(0, len(texts), _BATCH):
        batch = "\n// -----\n".join(texts[first : first + _BATCH])
        command = [tool, "--allow-unregistered-dialect", "--split-input-file", "-"]
        result = subprocess.run(command, input=batch, capture_output=True, text=True, check=False)
        for match in _PLACE.finditer(result.stderr):
            number = first + (int(match["line"])) // 2
            found[number] = found[number] or match["message"]
    return found


def words_of(files: Iterable[Path], dialects: Iterable[str]) -> set[str]:
    """Return the names of dialects that libraries contain, and in TableGen files all words for the folder's dialect."""
    found = {f"{dialect}.{word}" for dialect, words in _IN_CPP.items() for word in words.split()}
    for path in files:
        data = path.read_bytes()
        if path.suffix == ".td":
            strings = set(re.findall(r'"([a-z_][\w.]{1,40})"', data.decode("utf-8", "replace"), re.IGNORECASE))
            lowered = {part.lower() for part in path.parts}
            folder = [dialect for dialect in dialects if dialect.replace("_", "") in lowered]
            folder += ["llvm", "nvvm", "rocdl"] if "llvmir" in lowered else []
            found |= {f"{dialect}.{string}" for dialect in folder for string in strings}
            continue
        for dialect in dialects:
            names = re.findall(rf"{dialect}\.[A-Za-z_][\w.]{{0,60}}(?=\0)".encode(), data)
            found |= {name.decode() for name in names if name.count(b".") < _MOST_DOTS and not name.endswith(b".")}
    return found


if __name__ == "__main__":
    sys.exit(main())
