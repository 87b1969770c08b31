"""A file with the answers of recheck for known patterns: it takes minutes for all of them.

``python -m patterns.keeping``, from the folder `tests`, asks of every pattern anew and writes the file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from patterns.answers import FOLDER, ask, version
from patterns.claims import claims_of_sites, claims_of_terminals, recorded, recorded_lines

if TYPE_CHECKING:
    from pathlib import Path

    from patterns.claims import Claim, Recorded

KEPT: Final = FOLDER / "answers.jsonl"
"""A line with the version of recheck, then one for each pattern: its source and flags in JavaScript, and the answer."""


def all_claims(records: list[Recorded]) -> list[Claim]:
    """Return the claims about all patterns and terminals."""
    return [*claims_of_sites(records), *claims_of_terminals()]


def kept(file: Path = KEPT) -> dict[str, Any]:
    """Return the answers in `file` by question; none where another version gave them."""
    said_by, *lines = file.read_text(encoding="ascii").splitlines()
    if json.loads(said_by) != version():
        return {}
    return {json.dumps(question): said for *question, said in map(json.loads, lines)}


def written(answers: dict[str, Any]) -> str:
    """Return the text of a file with `answers`."""
    lines = [version(), *([*json.loads(question), said] for question, said in sorted(answers.items()))]
    return "".join(json.dumps(line) + "\n" for line in lines)


def main() -> None:
    """Ask of everything anew, and write that down."""
    answers: dict[str, Any] = {}
    ask(((claim.source, claim.flags) for claim in all_claims(recorded(recorded_lines()))), answers)
    KEPT.write_text(written(answers), encoding="ascii")


if __name__ == "__main__":
    main()
