"""``tdls catalogue show``, ``search`` and ``list``: print one definition, operations by words, and all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.documents import encode
from tdls.cli.checking.configurations import catalogue_here
from tdls.cli.console import console
from tdls.cli.console.options import JSON, catalogue_option, format_option, operations, trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.ide.forms.operation_page import documentation_address, operation_page, origin_of_effects
from tdls.settings.llvm_versions import version_named, version_ranges
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.settings.consent import Trust


_MOST_SIMILAR = 3


@click.command("show", short_help="Show an operation.")
@click.argument("name", metavar="OP", shell_complete=operations)
@click.option("--llvm", "version", metavar="N", help="The definition of LLVM N, not the newest one.")
@format_option
@trust_option
@catalogue_option
def show(name: str, version: str | None, format_: str, trust: Trust, catalogues: tuple[Path, ...]) -> int:
    """Show an operation: operands with their effects, results, attributes, assembly format."""
    catalogue = catalogue_here(catalogues, trust)
    name = _with_prefix(name, catalogue)
    variants = catalogue.variants(name)
    fitting = [variant for variant in variants if version is None or version_named(version) in variant.versions]
    if not fitting:
        known = version_ranges(tuple(sorted(number for variant in variants for number in variant.versions)))
        raise console.InputError(f"'{name}' is not known for LLVM {version}, only for {known}")
    others = [variant for variant in variants if variant is not fitting[0]]
    origin = origin_of_effects(fitting[0], catalogue).partition(" ")[0]
    document = {**_document(fitting[0], others), "effects": origin}
    console.write([json_text(document, indent=2), "\n"] if format_ == JSON else [])
    console.write_lines(operation_page(fitting[0], catalogue) if format_ != JSON else [])
    return console.EXIT_CLEAN


def _document(definition: OperationDefinition, others: Sequence[OperationDefinition]) -> dict[str, Any]:
    return {
        "operation": encode(definition),
        "other_versions": [list(other.versions) for other in others if other.versions],
        "documentation": documentation_address(definition),
    }


@click.command("search", short_help="Find operations by words of their names and summaries.")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def search(words: tuple[str, ...], dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """Find the operations whose name or summary contains all WORDs, those with the words in their name first.

    Exit status: 1 if there is none.
    """
    catalogue = catalogue_here(catalogues)
    wanted = [word.lower() for word in words]
    definitions = filter(None, map(catalogue.operation, catalogue.operation_names(dialect)))
    matches = [each for each in definitions if all(word in f"{each.name} {each.summary}".lower() for word in wanted)]
    matches.sort(key=lambda match: (not all(word in match.name for word in wanted), -catalogue.uses(match.name)))
    if format_ == JSON:
        rows = [{"name": known.name, "summary": known.summary} for known in matches]
        similar = {} if matches else {"similar": _similar_ends("_".join(wanted), catalogue)}
        console.write([json_text({"operations": rows, **similar}, indent=2), "\n"])
    else:
        console.write_lines(f"{known.name}  {known.summary}".rstrip() for known in matches)
    return console.EXIT_CLEAN if matches else console.EXIT_FINDINGS


def _with_prefix(name: str, catalogue: Catalogue) -> str:
    """Return the name of the operation that `name` names or ends. Raises InputError."""
    for full in (name, f"transform.{name}"):
        if catalogue.variants(full):
            return full
        if (rename := catalogue.renamed(full)) is not None:
            raise console.InputError(f"'{full}' {rename.fate}")
    ends = [each for each in catalogue.operation_names() if each.endswith(f".{name}")]
    ends = [each for each in ends if each.startswith("transform.")] or ends
    if len(ends) == 1:
        return ends[0]
    similar = [f"'{close}'" for close in ends or catalogue.similar(name) or _similar_ends(name, catalogue)]
    advice = f"did you mean {' or '.join(similar)}?" if similar else "'tdls catalogue list' lists all operations"
    raise console.InputError(f"no operation is called '{name}'; {advice}")


def _similar_ends(name: str, catalogue: Catalogue) -> list[str]:
    """Return the transform operations whose last part is most similar to that of `name`."""
    names = {each: each.rpartition(".")[2] for each in catalogue.operation_names("transform")}
    close = most_similar(name.rpartition(".")[2], names.values())
    return [each for each, last in names.items() if last == close][:_MOST_SIMILAR]


@click.command("list")
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def list_(dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """List the names of all operations."""
    catalogue = catalogue_here(catalogues)
    if dialect is not None and dialect not in catalogue.dialects():
        raise console.InputError(f"no operation of the dialect '{dialect}' is known")
    names = catalogue.operation_names(dialect)
    if format_ == JSON:
        console.write([json_text({"operations": list(names)}, indent=2), "\n"])
    else:
        console.write_lines(names)
    return console.EXIT_CLEAN
