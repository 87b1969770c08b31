"""Builds the tables of parsers for the wheel, so that the first check on a machine does not build them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds ``tdls/grammar/*.tables`` to the wheel. A checkout has none: its tables are kept in the user's cache."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the tables, unless the wheel is that of a checkout."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root, "server")))
        from tdls import grammars
        from tdls.catalogue.sources.tablegen.parser import statement_parser

        made = {"tablegen": statement_parser(), **{name: grammars.parser(name) for name in grammars.START_SYMBOLS}}
        for name, parser in made.items():
            file = Path(self.directory, f"{name}.tables")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(grammars.packed(name, parser) or b"")
            build_data["force_include"][str(file)] = f"tdls/grammar/{name}.tables"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files that are in the wheel now."""
        del version, artifact_path
        for file in build_data["force_include"]:
            if file.endswith(".tables"):
                Path(file).unlink()
