"""The claim to prove for each regular expression of tdls, and for each terminal of its grammars."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from patterns.sites import Site, sites
from patterns.translation import alternatives, javascript, parsed
from tdls.grammars import START_SYMBOLS, grammar_text

if TYPE_CHECKING:
    from collections.abc import Iterable

TESTS: Final = Path(__file__).resolve().parents[1]
_OTHER_GRAMMARS: Final = {"tablegen": ("statement",)}


@dataclass(frozen=True, slots=True)
class Claim:
    """A pattern takes linear time: `source` and `flags` as JavaScript spells them."""

    place: str
    pattern: str
    source: str
    flags: str
    compiled: re.Pattern[Any] | None = None
    """The pattern as Python has it; None for a terminal."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A pattern that was made while tdls ran."""

    pattern: str | bytes
    flags: int
    file: str
    line: int


def recorded(lines: Iterable[str]) -> list[Recorded]:
    """Return the patterns in the output of `recorded_lines`."""
    return [_recorded(json.loads(line)) for line in lines]


def recorded_lines() -> list[str]:
    """Return the patterns that a fresh process compiles, a line of JSON each."""
    command = [sys.executable, "-m", "patterns.recording"]
    printed = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=True).stdout
    return printed.splitlines()


def _recorded(item: dict[str, Any]) -> Recorded:
    pattern = item["pattern"].encode("latin-1") if item["bytes"] else item["pattern"]
    return Recorded(pattern, item["flags"], item["file"], item["line"])


def made_at(site: Site, records: list[Recorded]) -> list[Recorded]:
    """Return the patterns that were made at `site`; its literal where none was."""
    at_site = (record for record in records if record.file == str(site.file))
    found = [record for record in at_site if site.first_line <= record.line <= site.last_line]
    if not found and site.literal is not None:
        return [Recorded(site.literal, site.flags, str(site.file), site.first_line)]
    return found


def claims_of_sites(records: list[Recorded]) -> list[Claim]:
    """Return the claims about the patterns in the source."""
    return [claim for site in sites() for record in made_at(site, records) for claim in _claims(site, record)]


def claims_of_terminals() -> list[Claim]:
    """Return the claims about the terminals of the grammars, which are looked for at one place at a time."""
    import lark

    claims = []
    for name, start in {**START_SYMBOLS, **_OTHER_GRAMMARS}.items():
        grammar = lark.Lark(grammar_text(name), parser="lalr", start=list(start))
        for terminal in grammar.terminals:
            pattern = terminal.pattern.to_regexp()
            source, flags = javascript(parsed(pattern, 0), 0)
            claims.append(Claim(f"{name}.lark:{terminal.name}", pattern, f"^(?:{source})", flags))
    return claims


def _claims(site: Site, record: Recorded) -> list[Claim]:
    tree = parsed(record.pattern, record.flags)
    choices: list[Any] = alternatives(tree) if site.is_repeated else [tree]
    claims = []
    for nodes in choices:
        source, flags = javascript(nodes, record.flags)
        end = "$" if site.uses == {"fullmatch"} else ""
        shown = f"^(?:{source}){end}" if site.is_anchored else source
        claims.append(Claim(site.place, str(record.pattern), shown, flags, re.compile(record.pattern, record.flags)))
    return claims
