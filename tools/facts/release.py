"""Makes the facts of a release of LLVM from a wheel with its bindings: ``python tools/facts/release.py --help``.

A release is described by how it differs from the versions beside it: for an operation that these have alike, nothing is
written. The wheel tells which operations exist, and which of two definitions has their parts and reads what it prints.
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

from facts import build, effect_search, payload_instances  # noqa: E402
from facts.bindings import read_bindings, same_signature, signature  # noqa: E402
from facts.bindings_oracle import Bindings  # noqa: E402
from facts.installation import Installation, from_facts  # noqa: E402
from facts.instances import instances  # noqa: E402
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from facts.snapshot import OF_WHEELS, printed_forms, reads  # noqa: E402
from facts.wheel import RELEASES, VERSIONS, completed  # noqa: E402
from facts.writing import write_document  # noqa: E402
from oracle.payload_modules import seeds  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.documents import encode  # noqa: E402
from tdls.catalogue.shipped import ShippedSource  # noqa: E402
from tdls.settings.llvm_versions import older_versions  # noqa: E402
from tdls.structs import replace  # noqa: E402
from tdls.syntax.parser.assembly.format_reader import assembly_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.catalogue.model import OperationDefinition

_INSTANCES = 25
_PARTS = re.compile(r"\$(\w+)")


def main() -> int:
    """Write the release's file and build the facts again; the exit code is 2 where something is missing."""
    arguments = _parser().parse_args()
    version: int = arguments.version
    try:
        bindings = Bindings(arguments.python, arguments.bindings)
        base = Bindings(arguments.base_python, arguments.base_bindings)
        tools: list[OptTool | Bindings] = [OptTool(opt) for opt in arguments.opt] or [bindings]
        by_hand = _by_hand(version)
        document = describe(version, _neighbours(version), bindings, tools, base)
        versions = json.loads(VERSIONS.read_text(encoding="utf-8"))
        known = versions["releases"].get(str(version), {})
        release = {"branched": arguments.branched or known.get("branched"), "from": arguments.name}
        if release["branched"] is None:
            raise FactsError("name the month in which the release was branched, with --branched")
        versions["releases"][str(version)] = {**release, "estimated": document.pop("estimated")}
        versions["releases"] = dict(sorted(versions["releases"].items(), key=lambda each: int(each[0])))
    except FactsError as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 2
    corrected = {item["name"] for item in by_hand}
    document["operations"] = [item for item in document["operations"] if item["name"] not in corrected]
    write_document(RELEASES / f"{version}.json", {**document, "by_hand": by_hand})
    VERSIONS.write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8", newline="\n")
    build.rebuild()
    counts = ", ".join(f"{len(value)} {key}" for key, value in document.items() if isinstance(value, (list, dict)))
    print(f"LLVM {version}: {counts}")
    return 0


def _by_hand(version: int) -> list[dict[str, Any]]:
    """Return the operations of the release that were described by hand, since nothing else tells their form."""
    path = RELEASES / f"{version}.json"
    by_hand: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["by_hand"] if path.exists() else []
    return by_hand


def _neighbours(version: int) -> tuple[Installation, Installation]:
    """Return the nearest older and newer versions that other facts describe; of the oldest, both are the newer."""
    described = [each for each in from_facts(ShippedSource()) if not (RELEASES / f"{each.version}.json").exists()]
    older = next((each for each in described if each.version < version), described[-1])
    newer = next((each for each in reversed(described) if each.version > version), described[0])
    return older, newer


def describe(
    version: int,
    neighbours: tuple[Installation, Installation],
    bindings: Bindings,
    tools: Sequence[OptTool | Bindings],
    base: Bindings,
) -> dict[str, Any]:
    """Return how the wheel's version differs from its neighbours.

    `absent` lists operations of one of them that it lacks (or has in a form of `older.json`), `older` those that are as
    in the older one, `both` those that may be as in either, `operations` those that are as in neither. Dialects that
    the wheel lacks are `estimated`.
    """
    older, newer = neighbours
    bound = read_bindings(bindings.dialects_folder)
    names = sorted(older.operations.keys() | newer.operations.keys())
    registered = bindings.registered(names)
    linked = {name.partition(".")[0] for name in registered}
    extensions = {_extension(name) for name in registered}
    newer_than_oldest = ShippedSource().older.absent
    is_between = older.version != newer.version
    absent = [
        name
        for name in names
        if name not in registered
        and _extension(name) in extensions
        and not (is_between and name in older.operations and name in newer.operations)
        and not (version in older_versions() and name.startswith("transform.") and name not in newer_than_oldest)
    ]
    open_: dict[str, list[OperationDefinition]] = {}
    own: list[OperationDefinition] = []
    chosen: dict[str, list[OperationDefinition]] = {}
    changed: dict[str, OperationDefinition] = {}
    for name in sorted(registered):
        variants = [*_variants(name, neighbours), *(each for each in _former(name) if version in each.versions)]
        is_open = len(variants) > 1
        signed = signature(bound[name]) if name in bound else None
        same = [each for each in variants if signed is None or same_signature(signed, signature(each))]
        if same:
            chosen[name] = same
        else:
            changed[name] = completed(bound[name], variants[0])
            changed[name] = replace(changed[name], format_known=changed[name].custom_assembly)
            same = _in_form_of(variants, changed[name])
        if is_open or name in changed:
            open_[name] = same
    printed = printed_forms(tools, _texts(open_, base))
    for name, variants in open_.items():
        texts = printed.get(name, [])
        fitting = [each for each in variants if texts and assembly_of(each).is_known and reads(each, texts)]
        if name in changed and any(version in each.versions for each in _former(name)):
            absent.append(name)
        elif name in changed:
            unproved = [] if texts else [each for each in variants if assembly_of(each).is_known]
            own.append((fitting or unproved or [changed[name]])[0])
        elif fitting and all(each.is_older for each in fitting):
            absent.append(name)
            del chosen[name]
        elif texts and not fitting and all(assembly_of(each).is_known for each in variants):
            own.append(replace(variants[0], assembly_format=None, format_known=False))
            del chosen[name]
        else:
            chosen[name] = fitting or variants
    dialects = {name.partition(".")[0] for name in names}
    own += [
        definition
        for name, definition in sorted(bound.items())
        if name not in names and name.partition(".")[0] in dialects and not name.startswith(OF_WHEELS)
    ]
    old = {name: replace(each, versions=()) for name, each in older.operations.items()}
    new = {name: replace(each, versions=()) for name, each in newer.operations.items()}
    return {
        "between": [older.version, newer.version],
        "absent": sorted(absent),
        "older": [name for name, each in chosen.items() if each and name in new and new[name] not in each],
        "both": [name for name, each in chosen.items() if len(each) > 1],
        "operations": [encode(replace(each, versions=())) for each in with_effects(version, own, neighbours, bindings)],
        "estimated": sorted({name.partition(".")[0] for name in names if old.get(name) != new.get(name)} - linked),
    }


def with_effects(
    version: int,
    definitions: Sequence[OperationDefinition],
    neighbours: tuple[Installation, Installation],
    bindings: Bindings,
) -> list[OperationDefinition]:
    """Return definitions with the effects that the versions beside have; of new values, with those that MLIR tells."""
    known = {name: each for neighbour in neighbours for name, each in neighbour.operations.items()}
    installation = Installation(version)
    for each in definitions:
        beside = known.get(each.name, each)
        own = {"payload_effect": beside.payload_effect, "effect_source": beside.effect_source}
        installation.operations[each.name] = replace(each, **own, traits=each.traits | beside.traits)
    effect_search.add_missing_effects(installation, bindings, None)
    return list(installation.operations.values())


def _extension(name: str) -> str:
    """Return what a wheel has or leaves out as a whole: an extension of the transform dialect, or a dialect."""
    return name.rpartition(".")[0] if name.startswith("transform.") else name.partition(".")[0]


def _variants(name: str, neighbours: tuple[Installation, Installation]) -> list[OperationDefinition]:
    """Return the different definitions of an operation, the newer first."""
    found: list[OperationDefinition] = []
    for each in reversed(neighbours):
        definition = each.operations.get(name)
        if definition is not None and (plain := replace(definition, versions=())) not in found:
            found.append(plain)
    return found


def _in_form_of(variants: Sequence[OperationDefinition], definition: OperationDefinition) -> list[OperationDefinition]:
    """Return a definition with the form of each variant, without the optional parts that the definition lacks."""
    groups = (definition.operands, definition.results, definition.attributes, definition.regions, definition.successors)
    parts = {part.name for group in groups for part in group}
    found = []
    for each in variants:
        form = each.assembly_format
        for lacking in {*_PARTS.findall(form or "")} - parts:
            form = re.sub(rf"\([^()]*(?:\([^()]*\))?[^()]*\${lacking}\b[^()]*(?:\([^()]*\))?[^()]*\)\?", "", form or "")
            form = re.sub(rf"\|[^|()]*\${lacking}\b[^|()]*(?=[|)])|(?<=\()[^|()]*\${lacking}\b[^|()]*\|", "", form)
            form = re.sub(rf"oilist\([^|()]*\${lacking}\b[^|()]*\)", "", form)
        if parts.issuperset(_PARTS.findall(form or "")):
            own = {"custom_assembly": each.custom_assembly, "format_known": each.format_known}
            found.append(replace(definition, assembly_format=form and " ".join(form.split()), **own))
    return found


def _former(name: str) -> tuple[OperationDefinition, ...]:
    return ShippedSource().older.operations.get(name, ())


def _texts(variants: Mapping[str, Sequence[OperationDefinition]], base: Bindings) -> dict[str, list[str]]:
    """Return instances of operations in the generic form, by name."""
    generic = base.generic([text for _, text in seeds()])
    payload = payload_instances.cut_out((text for text in generic if text is not None), Catalogue.shipped())
    texts: dict[str, list[str]] = {}
    for name, each in variants.items():
        if name.startswith("transform."):
            made = [[*instances(one, 0)[:1], *instances(one, 1)[:_INSTANCES]] for one in each]
            texts[name] = [instance.text for of_one in made for instance in of_one]
        else:
            texts[name] = payload.get(name) or [text for one in each for text in payload_instances.made(one)]
    return texts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Make the facts of a release of LLVM from a wheel.")
    parser.add_argument("version", type=int, help="the number of the release")
    parser.add_argument("--name", required=True, help='what the facts are from, such as "iree-base-compiler 3.2.0"')
    parser.add_argument("--branched", metavar="YYYY-MM", help="the month in which the release left main")
    parser.add_argument("--opt", nargs="+", default=[], metavar="TOOL", help="*-opt tools of this version")
    parser.add_argument("--python", default=sys.executable, help="Python that has the wheel")
    parser.add_argument("--bindings", default="iree.compiler", metavar="PACKAGE", help="the package of its bindings")
    parser.add_argument("--base-python", default=sys.executable, help="Python that has bindings of any version")
    parser.add_argument("--base-bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    return parser


if __name__ == "__main__":
    sys.exit(main())
