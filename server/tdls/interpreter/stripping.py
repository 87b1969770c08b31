"""Takes the scripts out of a module that MLIR has printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.tree import Operation, Tree
    from tdls.text.span import Span

_MODULE = "builtin.module"
_SCRIPT_DIALECT = "transform."
_SCRIPT_MARK = "transform.with_named_sequence"
_MARK_ALONE = re.compile(r"\battributes[ ]\{transform\.with_named_sequence\}[ ]?")
_MARK_AMONG_OTHERS = re.compile(
    r"(?<=[{ ])transform\.with_named_sequence,[ ]|,[ ]transform\.with_named_sequence(?=[,}])"
)


def without_scripts(text: str) -> str:
    """Return the printed module `text` without transform operations and without modules that hold nothing else.

    Looked at are the children of the outermost module, and of modules in it that are marked as holding scripts. Aliases
    stay, also if nothing uses them any more.
    """
    if _SCRIPT_DIALECT not in text:
        return text
    tree = parse(text, Catalogue.shipped())
    root = next((operation for operation in tree.top_level() if operation.name == _MODULE), None)
    cuts = sorted(_cuts(tree, root)) if root is not None else []
    pieces: list[str] = []
    position = 0
    for start, end in cuts:
        pieces.append(text[position:start])
        position = max(position, end)
    return "".join([*pieces, text[position:]])


def _cuts(tree: Tree, module: Operation) -> Iterator[Span | tuple[int, int]]:
    yield from _cuts_in_header(tree, module)
    for operation in _children(module):
        if operation.name.startswith(_SCRIPT_DIALECT) or _holds_only_scripts(operation):
            yield _lines_of(tree, operation)
        elif _is_script_module(operation):
            yield from _cuts(tree, operation)


def _cuts_in_header(tree: Tree, module: Operation) -> Iterator[tuple[int, int]]:
    """Find the mark of modules with scripts in front of the module's region."""
    start, _ = tree.span(module)
    end = tree.span(module, module.regions[0]).start if module.regions else start
    for pattern in (_MARK_ALONE, _MARK_AMONG_OTHERS):
        found = pattern.search(tree.text, start, end)
        if found is not None:
            yield found.span()


def _children(module: Operation) -> list[Operation]:
    return [operation for region in module.regions for block in region.blocks for operation in block.operations]


def _is_script_module(operation: Operation) -> bool:
    return operation.name == _MODULE and operation.attribute(_SCRIPT_MARK) is not None


def _holds_only_scripts(operation: Operation) -> bool:
    return _is_script_module(operation) and all(
        child.name.startswith(_SCRIPT_DIALECT) or _holds_only_scripts(child) for child in _children(operation)
    )


def _lines_of(tree: Tree, operation: Operation) -> tuple[int, int]:
    """Return the place of the lines that an operation stands on: printers begin a line for each."""
    start, end = tree.span(operation)
    line_end = tree.text.find("\n", end)
    return tree.text.rfind("\n", 0, start) + 1, len(tree.text) if line_end < 0 else line_end + 1
