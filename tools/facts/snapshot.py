"""Finds differences of a wheel of LLVM's main branch from the newest facts: ``python tools/facts/snapshot.py --help``.

The result is the supplement `main.json`, of which `build.py` makes the definitions of main.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.bindings import read_bindings  # noqa: E402
from facts.bindings_oracle import Bindings  # noqa: E402
from facts.instances import instances  # noqa: E402
from facts.names import words_of  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from facts.wheel import MAIN_SUPPLEMENT  # noqa: E402
from facts.writing import write_document  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.documents import encode  # noqa: E402
from tdls.catalogue.source import MemorySource  # noqa: E402
from tdls.syntax.parser.parser import parse  # noqa: E402
from tdls.syntax.tree import Form  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.catalogue.model import AttributeDefinition, OperationDefinition

_LINKED = ("arith", "linalg", "llvm", "memref", "scf", "tensor", "vector")
"""Dialects that every wheel has with all their operations: main has removed those that it lacks."""
_BATCH = 150
_OF_WHEELS = ("transform.iree.", "transform.apply_patterns.iree.", "transform.util.")
"""Beginnings of names that are a wheel's own, not upstream's."""


def main() -> int:
    """Write the supplement, and print the operations whose form has to be written by hand."""
    arguments = _parser().parse_args()
    older = {
        name: variant
        for name in Catalogue.shipped().operation_names()
        for variant in Catalogue.shipped().variants(name)
        if arguments.base in variant.versions
    }
    try:
        bindings = Bindings(arguments.python, arguments.bindings)
        formats, open_names = _formats(OptTool(arguments.opt), older)
        document = _supplement(bindings, older, formats)
    except FactsError as error:
        print(f"snapshot.py: {error}", file=sys.stderr)
        return 2
    write_document(MAIN_SUPPLEMENT, document)
    for name in _undescribed(bindings, document, older):
        print(f"{name}: nothing describes it; write it into 'by_hand' of {MAIN_SUPPLEMENT.name}")
    for name in open_names:
        print(f"{name}: prints a form that is not known; write it into 'by_hand' of {MAIN_SUPPLEMENT.name}")
    print(f"{len(formats)} formats differ, {len(document['absent'])} operations are gone")
    return 0


def _supplement(
    bindings: Bindings, older: Mapping[str, OperationDefinition], formats: Mapping[str, str]
) -> dict[str, Any]:
    by_hand: list[dict[str, Any]] = []
    if MAIN_SUPPLEMENT.exists():
        by_hand = json.loads(MAIN_SUPPLEMENT.read_text(encoding="utf-8")).get("by_hand", [])
    names = {item["name"] for item in by_hand}
    linked = [name for name in older if name.partition(".")[0] in _LINKED]
    dialects = {name.partition(".")[0] for name in older}
    new = [
        definition
        for name, definition in sorted(read_bindings(bindings.dialects_folder).items())
        if name not in older and name not in names and name.partition(".")[0] in dialects
    ]
    return {
        "absent": sorted(set(linked) - bindings.registered(linked)),
        "formats": [{"name": name, "format": text} for name, text in sorted(formats.items()) if name not in names],
        "by_hand": by_hand,
        "operations": [encode(definition) for definition in new if not definition.name.startswith(_OF_WHEELS)],
    }


def _undescribed(
    bindings: Bindings, document: Mapping[str, Any], older: Mapping[str, OperationDefinition]
) -> list[str]:
    """Transform operations that the wheel registers, and that neither generated modules nor the facts describe."""
    described = {item["name"] for item in (*document["operations"], *document["by_hand"])} | older.keys()
    libraries = (bindings.dialects_folder.parent / "_mlir_libs").glob("*.so")
    names = sorted(words_of(libraries, ["transform"]) - described)
    return sorted(name for name in bindings.registered(names) if not name.startswith(_OF_WHEELS))


def _formats(tool: OptTool, older: Mapping[str, OperationDefinition]) -> tuple[dict[str, str], list[str]]:
    """Formats that differ from those of `older`, and the operations whose form none of the attempts reads."""
    candidates = {name: definition for name, definition in older.items() if _unbound(definition)}
    texts = [
        (name, instance.text)
        for name, definition in candidates.items()
        for instance in (*instances(definition, 0)[:1], *instances(definition, 1)[:25])
    ]
    printed: dict[str, list[str]] = {}
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        for (name, _), text in zip(batch, tool.printed([text for _, text in batch]), strict=True):
            if text is not None:
                printed.setdefault(name, []).append(text)
    formats: dict[str, str] = {}
    open_names: list[str] = []
    for name, found in printed.items():
        fitting = _format(candidates[name], found)
        if fitting is None:
            open_names.append(name)
        elif fitting != candidates[name].assembly_format:
            formats[name] = fitting
    return formats, open_names


def _unbound(definition: OperationDefinition) -> list[AttributeDefinition]:
    """The attributes that only the dictionary of the format can hold."""
    text = definition.assembly_format
    if not definition.name.startswith("transform.") or text is None or "attr-dict" not in text:
        return []
    bound = set(re.findall(r"\$(\w+)", text))
    return [attribute for attribute in definition.attributes if attribute.name not in bound]


def _format(definition: OperationDefinition, printed: Sequence[str]) -> str | None:
    """The format that main has, by where it prints the attributes; None where tdls cannot read its output."""
    known = definition.assembly_format or ""
    catalogue = Catalogue.shipped().with_source(MemorySource("older", operations=[definition]))
    places: dict[str, str] = {}
    for module in printed:
        tree = parse(module, catalogue)
        for operation in tree.walk():
            if operation.name == definition.name:
                if operation.broken or operation.form is Form.STRUCTURAL:
                    return None
                behind_name = operation.name_span.end
                for attribute in operation.attributes:
                    places[attribute.name] = _bracket_around(module[behind_name : attribute.start])
    own = {attribute.name: attribute for attribute in _unbound(definition)}
    if any(bracket == "<" for name, bracket in places.items() if name in own):
        return known.replace("attr-dict", "prop-dict attr-dict")
    spelled = [attribute for name, attribute in own.items() if places.get(name) == ""]
    if not spelled:
        return known
    required = [_keyword(attribute) for attribute in spelled if not _may_be_absent(attribute)]
    optional = [_keyword(attribute) for attribute in spelled if _may_be_absent(attribute)]
    if len(optional) > 1:
        required.append(f"oilist({' | '.join(optional)})")
    else:
        required += [f"({text}^)?" for text in optional]
    return known.replace("attr-dict", f"{' '.join(required)} attr-dict")


def _may_be_absent(attribute: AttributeDefinition) -> bool:
    return attribute.optional or attribute.default is not None


def _keyword(attribute: AttributeDefinition) -> str:
    is_unit = attribute.constraint == "UnitAttr"
    return f"`{attribute.name}` ${attribute.name}" if is_unit else f"`{attribute.name}` `=` ${attribute.name}"


def _bracket_around(before: str) -> str:
    """The bracket that is open at the end of `before`; empty if none is."""
    without_pairs = before.replace("->", "")
    while (
        shorter := re.sub(
            r"<[^<>{}()\[\]]*>|\{[^<>{}()\[\]]*\}|\([^<>{}()\[\]]*\)|\[[^<>{}()\[\]]*\]", "", without_pairs
        )
    ) != without_pairs:
        without_pairs = shorter
    found = re.findall(r"[<{(\[]", without_pairs)
    return found[0] if found else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare a wheel of LLVM's main branch with the newest facts.")
    parser.add_argument("--opt", default="iree-opt", metavar="TOOL", help="the wheel's *-opt tool")
    parser.add_argument("--python", default=sys.executable, help="Python that has the wheel")
    parser.add_argument("--bindings", default="iree.compiler", metavar="PACKAGE", help="the package of its bindings")
    parser.add_argument("--base", type=int, default=24, metavar="VERSION", help="the facts to compare with")
    return parser


if __name__ == "__main__":
    sys.exit(main())
