"""``tdls catalogue diff``: how two catalogues differ."""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.documents.codec import encode_value
from tdls.catalogue.documents.difference import CatalogueDifference, DefinitionChange, difference
from tdls.cli.commands.catalogue.sides import definitions_of, dialects_option, of_dialects
from tdls.cli.console import console
from tdls.cli.console.suggestions import files
from tdls.cli.rendering.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ONE_OF = {
    "operands": "operand",
    "results": "result",
    "attributes": "attribute",
    "regions": "region",
    "successors": "successor",
    "parameters": "parameter",
}
_KINDS = {"operations": "", "types": "!", "attributes": "#"}
_LONGEST_LINE = 100
_EXIT_STATUS = "Exit status: 0 they are the same, 1 they differ, 2 one of them cannot be read."


@click.command("diff", short_help="Say how two catalogues differ.", epilog=_EXIT_STATUS)
@click.argument("before", metavar="A", shell_complete=files)
@click.argument("after", metavar="B", shell_complete=files)
@dialects_option("Compare")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def diff(before: str, after: str, dialects: tuple[str, ...], format_: str) -> int:
    """Say what was added, removed and changed from catalogue A to catalogue B.

    Each is a catalogue file, the folder of a project, or 'llvm-N': what tdls knows of LLVM N. Documentation and places
    in sources are not compared; of several variants of an operation, the newest are.

    A catalogue that was exported from a project is still up to date if 'tdls catalogue diff CATALOGUE PROJECT' finds
    no difference.
    """
    sides = definitions_of(before, after), definitions_of(after, before)
    for dialect in dialects:
        if not any(of_dialects(side, (dialect,)) for side in sides):
            raise console.InputError(f"neither {before} nor {after} defines anything of a dialect '{dialect}'")
    found = difference(*(of_dialects(side, dialects) for side in sides))
    if format_ == "json":
        document = {compared.kind: _document(compared) for compared in found}
        console.write([json_text(document, indent=2, ensure_ascii=False), "\n"])
    else:
        console.write_lines(line for compared in found for line in _lines(compared))
    return console.EXIT_FINDINGS if any(found) else console.EXIT_CLEAN


def _lines(found: CatalogueDifference) -> Iterator[str]:
    sigil, renamed = _KINDS[found.kind], dict(found.renamed)
    for name in found.added:
        yield f"+ {sigil}{name}"
    for name in found.removed:
        yield f"- {sigil}{name}" + (f" (now {renamed[name]})" if name in renamed else "")
    for changed in found.changed:
        yield f"~ {sigil}{changed.name}"
        for change in changed.changes:
            yield from (f"    {line}" for line in _change_lines(change))


def _change_lines(change: DefinitionChange) -> Iterator[str]:
    """``operand 'loop': effect: reads -> consumes``, in several lines where it is long."""
    where = ": ".join(_named(change.path))
    if len(change.path) % 2 == 0:
        yield f"{'+' if change.before is None else '-'} {where}"
        return
    if isinstance(change.before, frozenset) and isinstance(change.after, frozenset):
        gone, new = sorted(change.before - change.after), sorted(change.after - change.before)
        yield f"{where}: {', '.join([*(f'- {part}' for part in gone), *(f'+ {part}' for part in new)])}"
        return
    before, after = _shown(change.before), _shown(change.after)
    if len(where) + len(before) + len(after) <= _LONGEST_LINE:
        yield f"{where}: {before} -> {after}"
    else:
        yield from (f"{where}:", f"  - {before}", f"  + {after}")


def _named(path: Iterable[str]) -> Iterator[str]:
    """Names of members with what they are: ("operands", "loop", "effect") as ``operand 'loop'``, ``effect``."""
    group = ""
    for part in path:
        if group:
            yield f"{group} '{part}'"
            group = ""
        elif part in _ONE_OF:
            group = _ONE_OF[part]
        else:
            yield part.replace("_", " ")
    if group:
        yield f"order of {group}s"


def _shown(value: Any) -> str:
    if value is None or value in ((), ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value
    return json.dumps(encode_value(value), ensure_ascii=False)


def _document(found: CatalogueDifference) -> dict[str, Any]:
    return {
        "added": list(found.added),
        "removed": list(found.removed),
        "renamed": dict(found.renamed),
        "changed": [
            {"name": changed.name, "changes": [_change_document(change) for change in changed.changes]}
            for changed in found.changed
        ],
    }


def _change_document(change: DefinitionChange) -> dict[str, Any]:
    return {"path": list(change.path), "before": encode_value(change.before), "after": encode_value(change.after)}
