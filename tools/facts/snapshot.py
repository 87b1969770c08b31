"""Finds differences of a wheel of LLVM's main branch from the newest facts: ``python tools/facts/snapshot.py --help``.

The result is the supplement `main.json`, of which `build.py` makes the definitions of main.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts import payload_instances  # noqa: E402
from facts.bindings import read_bindings  # noqa: E402
from facts.bindings_oracle import Bindings  # noqa: E402
from facts.instances import instances  # noqa: E402
from facts.names import words_of  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from facts.wheel import MAIN_SUPPLEMENT  # noqa: E402
from facts.writing import write_document  # noqa: E402
from oracle.payload_modules import seeds  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.documents import encode  # noqa: E402
from tdls.catalogue.model import STRICT_PROPERTIES  # noqa: E402
from tdls.settings.llvm_versions import newest_release  # noqa: E402
from tdls.structs import replace  # noqa: E402
from tdls.syntax.parser.assembly.format_reader import assembly_of, read_assembly  # noqa: E402
from tdls.syntax.parser.assembly.reader import AssemblyReader  # noqa: E402
from tdls.syntax.parser.cursor import Mismatch  # noqa: E402
from tdls.syntax.parser.operation_state import OperationState  # noqa: E402
from tdls.syntax.parser.parser import Parser, parse  # noqa: E402
from tdls.syntax.scanner import scan  # noqa: E402
from tdls.syntax.tree import Form  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.model import AttributeDefinition, OperationDefinition

_LINKED = ("arith", "linalg", "llvm", "memref", "scf", "tensor", "vector")
"""Dialects that every wheel has with all their operations: main has removed those that it lacks."""
_BATCH = 150
_STYLES = ("`{0}` `=` ${0}", "`{0}` `(` ${0} `)`", "`{0}` ${0}")
"""How a format spells an attribute that was in the dictionary."""
OF_WHEELS = ("transform.iree.", "transform.apply_patterns.iree.", "transform.util.")
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
        texts = _texts(Bindings(arguments.base_python, arguments.base_bindings), older)
        formats, open_names = _formats([OptTool(opt) for opt in arguments.opt], texts, older)
        document = _supplement(bindings, older, formats)
        document |= _enumerations([OptTool(opt) for opt in arguments.opt], arguments.base)
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
        "operations": [encode(definition) for definition in new if not definition.name.startswith(OF_WHEELS)],
    }


def _enumerations(tools: Sequence[OptTool], version: int) -> dict[str, list[str]]:
    """Return the enumerations of `version` that main writes in brackets, and those of dialects that no tool has."""
    catalogue = Catalogue.shipped()
    kinds = [
        variant for name in catalogue.attribute_kind_names() for variant in catalogue.attribute_kind_variants(name)
    ]
    plain = [kind for kind in kinds if version in kind.versions and kind.assembly_format == "$value" and kind.cases]
    forms = [
        f'"test.user"() {{value = {form}}} : () -> ()\n'
        for kind in plain
        for dialect, _, name in [kind.name.partition(".")]
        for form in (f"#{kind.name}<{kind.cases[0]}>", f"#{dialect}<{name} {kind.cases[0]}>")
    ]
    bracketed: set[str] = set()
    unbracketed: set[str] = set()
    for tool in tools:
        printed = tool.printed(forms, "--allow-unregistered-dialect")
        for kind, *read in zip(plain, printed[::2], printed[1::2], strict=True):
            if read.count(None) == 1:  # a tool without the dialect reads anything
                (unbracketed if read[0] is None else bracketed).add(kind.name)
    names = [kind.name for kind in plain if kind.name not in unbracketed]
    return {
        "in_brackets": [name for name in names if name in bracketed],
        "in_brackets_or_not": [name for name in names if name not in bracketed],
    }


def _undescribed(
    bindings: Bindings, document: Mapping[str, Any], older: Mapping[str, OperationDefinition]
) -> list[str]:
    """Transform operations that the wheel registers, and that neither generated modules nor the facts describe."""
    described = {item["name"] for item in (*document["operations"], *document["by_hand"])} | older.keys()
    libraries = (bindings.dialects_folder.parent / "_mlir_libs").glob("*.so")
    names = sorted(words_of(libraries, ["transform"]) - described)
    return sorted(name for name in bindings.registered(names) if not name.startswith(OF_WHEELS))


def printed_forms(tools: Sequence[OptTool | Bindings], texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the operations as the tools print them, where they have the dialect, by name."""
    named = [(name, text) for name, each in texts.items() for text in each]
    printed: dict[str, list[str]] = {}
    for tool in tools:
        for start in range(0, len(named), _BATCH):
            batch = named[start : start + _BATCH]
            for (name, _), text in zip(batch, tool.printed([text for _, text in batch]), strict=True):
                if text is not None and f'"{name}"(' not in text:
                    printed.setdefault(name, []).append(text)
    return printed


def _formats(
    tools: Sequence[OptTool], texts: Mapping[str, Sequence[str]], older: Mapping[str, OperationDefinition]
) -> tuple[dict[str, str], list[str]]:
    """Formats that differ from those of `older`, and the operations whose form none of the attempts reads."""
    formats: dict[str, str] = {}
    open_names: list[str] = []
    for name, found in printed_forms(tools, texts).items():
        if not assembly_of(older[name]).is_known:
            continue
        fitting = next((each for each in _candidates(older[name], found) if _reads(older[name], each, found)), None)
        if fitting is None:
            open_names.append(name)
        elif fitting != older[name].assembly_format:
            formats[name] = fitting
    return formats, open_names


def _texts(bindings: Bindings, older: Mapping[str, OperationDefinition]) -> dict[str, list[str]]:
    """Instances of the operations with a format, by name."""
    generic = bindings.generic([text for _, text in seeds()])
    texts = payload_instances.cut_out((text for text in generic if text is not None), Catalogue.shipped())
    found: dict[str, list[str]] = {}
    for name, definition in older.items():
        if "attr-dict" not in (definition.assembly_format or ""):
            continue
        if name.startswith("transform."):
            own = [*instances(definition, 0)[:1], *instances(definition, 1)[:25]] if _unbound(definition) else []
            found[name] = [instance.text for instance in own]
        else:
            found[name] = texts.get(name, [])
    return found


def _unbound(definition: OperationDefinition) -> list[AttributeDefinition]:
    """The attributes that only the dictionary of the format can hold."""
    bound = set(re.findall(r"\$(\w+)", definition.assembly_format or ""))
    return [attribute for attribute in definition.attributes if attribute.name not in bound]


def _candidates(definition: OperationDefinition, printed: Sequence[str]) -> Iterator[str]:
    """The formats that main may have: the known one, or one that spells the attributes of the dictionary elsewhere."""
    known = definition.assembly_format or ""
    yield known
    yield known.replace("attr-dict", "prop-dict attr-dict")
    places = {
        attribute.name: match.start() - text.index(definition.name)
        for text in printed
        for attribute in _unbound(definition)
        if (match := re.search(rf"\b{attribute.name}\b", text[text.index(definition.name) :])) is not None
    }
    own = sorted((each for each in _unbound(definition) if each.name in places), key=lambda each: places[each.name])
    required = [each for each in own if not _may_be_absent(each)]
    optional = [each for each in own if _may_be_absent(each)]
    for style, (lead, comma) in product(_STYLES, (("", " "), ("", " `,` "), ("`,` ", " `,` "))):
        clauses = [_spelled(each, style) for each in optional]
        groups = [f"oilist({' | '.join(clauses)})"] if len(clauses) > 1 else [_anchored(each) for each in clauses]
        needed = comma.join(_spelled(each, style) for each in required)
        yield known.replace("attr-dict", " ".join([*([lead + needed] if needed else ()), *groups, "attr-dict"]))


def _spelled(attribute: AttributeDefinition, style: str) -> str:
    return (" `{0}` ${0}" if attribute.constraint == "UnitAttr" else style).format(attribute.name).strip()


def _anchored(clause: str) -> str:
    anchored = re.sub(r"(\$\w+)", r"\1^", clause)
    return f"({anchored})?"


def _reads(definition: OperationDefinition, assembly_format: str, printed: Sequence[str]) -> bool:
    """Whether tdls reads by a format all that main prints, with no attribute in the dictionary."""
    traits = definition.traits | {STRICT_PROPERTIES}
    return reads(replace(definition, assembly_format=assembly_format, format_known=True, traits=traits), printed)


def reads(definition: OperationDefinition, printed: Sequence[str]) -> bool:
    """Whether tdls reads by a definition all operations of its name in texts."""
    for text in printed:
        for operation in parse(text, Catalogue.shipped()).walk():
            written = scan(text[operation.start : operation.end])
            if operation.name == definition.name and not _Alone(written, Catalogue.shipped(), "builtin").reads(
                definition
            ):
                return False
    return True


class _Alone(Parser):
    """Reads one operation by one format."""

    def reads(self, definition: OperationDefinition) -> bool:
        self._read_results()
        state = OperationState(definition.name, self.take(), Form.EXACT, definition)
        try:
            return read_assembly(self, state, assembly_of(definition), AssemblyReader) and self.index == self.limit
        except Mismatch:
            return False


def _may_be_absent(attribute: AttributeDefinition) -> bool:
    return attribute.optional or attribute.default is not None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare a wheel of LLVM's main branch with the newest facts.")
    parser.add_argument(
        "--opt", nargs="+", default=["iree-opt"], metavar="TOOL", help="*-opt tools of the wheel, and of others of main"
    )
    parser.add_argument("--python", default=sys.executable, help="Python that has the wheel")
    parser.add_argument("--bindings", default="iree.compiler", metavar="PACKAGE", help="the package of its bindings")
    parser.add_argument("--base-python", default=sys.executable, help="Python that has bindings of the base")
    parser.add_argument("--base-bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    parser.add_argument("--base", type=int, default=newest_release(), metavar="VERSION", help="facts to compare with")
    return parser


if __name__ == "__main__":
    sys.exit(main())
