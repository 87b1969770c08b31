"""Reads the cells of Jupyter notebooks: JSON documents whose cells of code are Python programs."""

from __future__ import annotations

import json
import re
from typing import Any

_MARK = ":cell "
_CELL = re.compile(rf"(.*\.ipynb){_MARK}(\d{{1,9}})", re.DOTALL)
_PYTHON = "python"


class NotebookError(ValueError):
    """A text that is not a notebook."""


def code_cells(text: str) -> dict[int, str]:
    """Return the sources of cells with Python by their numbers, from 1, among all cells. Raises NotebookError."""
    try:
        document: Any = json.loads(text)
        languages = [document.get("metadata", {}).get(each, {}) for each in ("language_info", "kernelspec")]
        names = {languages[0].get("name", _PYTHON), languages[1].get("language", _PYTHON)}
        cells = document["cells"] if names == {_PYTHON} else []
        sources = {number: cell["source"] for number, cell in enumerate(cells, 1) if cell["cell_type"] == "code"}
        return {number: "".join(source) for number, source in sources.items()}
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise NotebookError("not a notebook of Jupyter") from error


def name_of_cell(notebook: str, number: int) -> str:
    """Return the name of a cell in findings, as other tools have it: ``NAME.ipynb:cell NUMBER``."""
    return f"{notebook}{_MARK}{number}"


def cell_named(name: str) -> tuple[str, int] | None:
    """Return the notebook and number in the name of a cell, or None for other names."""
    match = _CELL.fullmatch(name)
    return (match[1], int(match[2])) if match is not None else None
