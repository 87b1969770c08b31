"""Collect upstream's passes and pipelines: ``python tools/facts/passes.py``.

The table in the shipped facts says for each name which LLVM versions have it: those that ``mlir-opt --help`` of LLVM 22
and 19 lists, and which of them the bindings of LLVM 23 take. Passes that are new in 23 cannot be listed this way.

It has the options of all versions, too: their values as ``--help`` shows them, those of LLVM 23 by name only; and the
operation that a pass is restricted to, where each version restricts it to the same.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.bindings_oracle import Bindings  # noqa: E402
from facts.records import FactsError  # noqa: E402
from tdls.catalogue.sources.tool_help import passes_in_help  # noqa: E402
from tdls.settings.llvm_versions import llvm_versions, newest_version  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import PassDefinition

TABLE = REPOSITORY / "server" / "tdls" / "catalogue" / "facts" / "_passes.json"
_LISTED = (22, 19)
_PRINTED = re.compile(r"[({\s]([\w.-]+)=")
_OPTIONS = re.compile(r"\{[^{}]*\}")
_RESTRICTED = re.compile(r"restricted to '([\w.]+)'")


def main() -> int:
    """Collect, and write the table; the exit code is 2 where there is no ``mlir-opt`` or no bindings."""
    parser = argparse.ArgumentParser(description="Collect the names of upstream's passes and pipelines.")
    parser.add_argument("--output", type=Path, default=TABLE, metavar="FILE", help="the table to write")
    parser.add_argument("--python", default=sys.executable, help="Python that has MLIR's bindings of LLVM 23")
    parser.add_argument("--bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    arguments = parser.parse_args()
    try:
        found = {version: _examined(f"mlir-opt-{version}") for version in _LISTED}
        names = sorted({name for passes in found.values() for name in passes})
        bindings = Bindings(arguments.python, arguments.bindings)
        registered = bindings.registered_passes(names)
        found[23] = {name: _Pass(_options_of(text)) for name, text in bindings.pipelines(sorted(registered)).items()}
        found[newest_version()] = found[23]
    except (FactsError, OSError) as error:
        print(f"passes.py: {error}", file=sys.stderr)
        return 2
    arguments.output.write_text(_table(found), encoding="utf-8")
    return 0


class _Pass(NamedTuple):
    """A pass in one version: the values of its options, and the operation that it is restricted to.

    A value is a kind, with ``*`` behind it that of a list, or the cases of an enumeration; None where it is unknown.
    """

    options: dict[str, str | list[str] | None]
    runs_on: str | None = None


def _listed(tool: str) -> list[PassDefinition]:
    """Return the passes and pipelines that `tool` lists, with their options."""
    found = passes_in_help(subprocess.run([tool, "--help"], capture_output=True, text=True, check=False).stdout)
    if not found:
        raise FactsError(f"{tool} lists no passes")
    return found


def _examined(tool: str) -> dict[str, _Pass]:
    """Return the listed passes; outputs of `tool` show which options are lists, and its errors the restrictions."""
    found: dict[str, _Pass] = {}
    for each in _listed(tool):
        scalars = _options_of(_answer(tool, "--dump-pass-pipeline", f"any({each.name})"))
        restricted = _RESTRICTED.search(_answer(tool, "--verify-each", f"no.operation({each.name})"))
        options: dict[str, str | list[str] | None] = {
            option.name: list(option.cases) or option.type + ("*" if scalars and option.name not in scalars else "")
            for option in each.options or ()
        }
        found[each.name] = _Pass(options, restricted[1] if restricted is not None else "")
    return found


def _answer(tool: str, option: str, pipeline: str) -> str:
    command = [tool, option, f"--pass-pipeline={pipeline}"]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False).stderr


def _options_of(pipeline: str) -> dict[str, str | list[str] | None]:
    """Return the options that MLIR prints of a pass: those with one value. A pipeline is printed as its passes."""
    is_pass = pipeline.count("(") == 1 and pipeline.count("{") <= 1 and "," not in _OPTIONS.sub("", pipeline)
    return dict.fromkeys(_PRINTED.findall(pipeline)) if is_pass else {}


def _table(found: Mapping[int, Mapping[str, _Pass]]) -> str:
    """Return one line a name."""
    names = sorted({name for passes in found.values() for name in passes})
    found = {**found, **_between(found)}
    lines = (f"{json.dumps(name)}: {json.dumps(_entry(name, found), sort_keys=True)}" for name in names)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _between(found: Mapping[int, Mapping[str, _Pass]]) -> dict[int, dict[str, _Pass]]:
    """Return the passes of versions that were not asked: those that one of the versions beside has."""
    others = [version for version in llvm_versions() if version not in found]
    beside = {
        version: [
            max((each for each in found if each < version), default=min(found)),
            min((each for each in found if each > version), default=max(found)),
        ]
        for version in others
    }
    return {version: {name: _Pass({}) for each in near for name in found[each]} for version, near in beside.items()}


def _entry(name: str, found: Mapping[int, Mapping[str, _Pass]]) -> dict[str, Any]:
    """Return the versions with a pass; its options and the operation that it is restricted to only if there are any."""
    known = {version: passes[name] for version, passes in sorted(found.items()) if name in passes}
    entry: dict[str, Any] = {"versions": list(known)}
    options: dict[str, str | list[str]] = {}
    for option in sorted({option for each in known.values() for option in each.options}):
        values = [value for each in known.values() if (value := each.options.get(option)) is not None]
        options[option] = values[0] if values and all(value == values[0] for value in values) else ""
    restricted = {each.runs_on for each in known.values() if each.runs_on is not None}
    if options:
        entry["options"] = options
    if len(restricted) == 1 and (operation := restricted.pop()):
        entry["runs_on"] = operation
    return entry


if __name__ == "__main__":
    sys.exit(main())
