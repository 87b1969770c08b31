"""Puts one mistake into payload that MLIR accepts, and counts those that tdls says without MLIR.

Usage, from the folder `tools`: ``python -m oracle.payload_mutants [--each 40] [--tree DIR ...] [--show silent]``. The
payload is what upstream's own passes print, or with ``--tree`` what the ``.mlir`` files of folders hold. A mutant
counts if `mlir-opt` rejects it while it reads. Exits with 1 where an unchanged text has an error or a warning.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from oracle.payload_modules import STAGES, payload_modules
from oracle.tools import SPLIT_MARKER, run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LONGEST = 8_000
_SAMPLED_STAGES = 6
_OPERATION = r"^[ \t]*(?:%[\w:, %]+ = )?"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Mutant:
    """A text with one mistake of a kind in `line` (0-based)."""

    kind: str
    text: str
    line: int
    change: str


def _places(pattern: str) -> Callable[[str], list[re.Match[str]]]:
    compiled = re.compile(pattern, re.MULTILINE)

    def find(text: str) -> list[re.Match[str]]:
        return [match for match in compiled.finditer(text) if "//" not in _line_at(text, match.start())]

    return find


def _line_at(text: str, offset: int) -> str:
    end = text.find("\n", offset)
    return text[text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(text)]


def _misspelt(word: str, random: Random) -> str:
    """Return `word` with a slip of the keyboard: a letter doubled, left out, exchanged or replaced."""
    place = random.randrange(max(len(word) - 1, 1))
    return random.choice(
        (
            word[:place] + word[place] + word[place:],
            word[:place] + word[place + 1 :],
            word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
            word[:place] + random.choice(_LETTERS) + word[place + 1 :],
        )
    )


def _other_number(word: str, random: Random) -> str:
    return str(int(word) + random.choice((1, 3)))


def _other_element(word: str, random: Random) -> str:
    others = ("f16", "f32", "f64", "i8", "i32", "i64")
    return random.choice([other for other in others if other != word])


def _nothing(word: str, random: Random) -> str:
    del word, random
    return ""


def _two(word: str, random: Random) -> str:
    del random
    return f"{word}:2"


def _undefined(word: str, random: Random) -> str:
    return f"{word}{random.choice(_LETTERS)}q"


def _stray_line(word: str, random: Random) -> str:
    del word
    return f"\n  {''.join(random.choice(_LETTERS) for _ in range(5))}\n"


KINDS: dict[str, tuple[str, Callable[[str, Random], str]]] = {
    "name of an operation": (_OPERATION + r'"?[a-z_0-9]+\.(?P<at>[a-z_0-9.]{3,})', _misspelt),
    "element type at a use": (r" : .*?[x<( ](?P<at>f16|f32|f64|i8|i32|i64)\b", _other_element),
    "dimension at a use": (r" : .*?(?:tensor|memref|vector)<(?:\d+x)*(?P<at>\d+)x", _other_number),
    "keyword": (r"[ )\]}](?P<at>ins|outs|to|step|into|from|iter_args|in|do|else|attributes)\b(?! =)", _misspelt),
    "operand left out": (_OPERATION + r"[a-z_0-9]+\.[a-z_0-9.]+ (?:.*?, )?(?P<at>%\w+, )", _nothing),
    "name of a type": (r"\b(?P<at>tensor|memref|vector|index|f32|i32|f64)\b", _misspelt),
    "bracket left out": (r"(?P<at>[()\[\]{}<>])", _nothing),
    "separator left out": (r"(?P<at>[,:=]) ", _nothing),
    "undefined value": (_OPERATION + r".*(?P<at>%[a-z]\w*)\b(?! =|:)", _undefined),
    "name of an attribute": (r"[{,] (?P<at>[a-z_]{4,}) = ", _misspelt),
    "number of results": (r"^[ \t]*(?P<at>%\w+)(?= = )", _two),
    "terminator left out": (r"^(?P<at>[ \t]*[\w.]*(?:return|yield)\b.*\n)(?=[ \t]*\})", _nothing),
    "stray word": (r"(?P<at>\n)[ \t]+%\w+ = ", _stray_line),
}
"""The places of each kind of mistake, and what is written there."""


def mutants(texts: Sequence[str], each: int, seed: int) -> Iterator[Mutant]:
    """Yield `each` mutants of every kind, spread over the texts."""
    random = Random(seed)
    for kind, (pattern, change) in KINDS.items():
        find, left = _places(pattern), each
        for text in random.sample(list(texts), len(texts)):
            found = find(text)
            if not found or not left:
                continue
            match = random.choice(found)
            start, end = match.span("at")
            new = change(match["at"], random)
            if new != match["at"]:
                left -= 1
                line = text.count("\n", 0, start) + (kind == "stray word")
                yield Mutant(kind, text[:start] + new + text[end:], line, f"{match['at']!r} -> {new!r}")


def payload_in(trees: Sequence[Path]) -> list[str]:
    """Return the parts of the files in `trees` that fit the limit, each once."""
    parts: dict[str, None] = {}
    for path in sorted(path for tree in trees for path in tree.rglob("*.mlir")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for part in text.split(SPLIT_MARKER):
            lines = [line for line in part.splitlines() if not line.lstrip().startswith("//")]
            parts["\n".join(lines).strip("\n") + "\n"] = None
    return [part for part in parts if 40 < len(part) < _LONGEST and "transform." not in part and "{{" not in part]


@dataclass(frozen=True)
class Said:
    """What tdls says of a text: lines (0-based) of certain findings and of those that are only possible."""

    certain: tuple[tuple[int, str], ...]
    possible: tuple[tuple[int, str], ...]


def said(catalogue: Catalogue, text: str) -> Said:
    """Return what tdls says of a payload text without MLIR."""
    file = SourceFile.of(text, catalogue, split=SplitMode.NEVER)
    certain: list[tuple[int, str]] = []
    possible: list[tuple[int, str]] = []
    for finding in findings_in_file(file):
        is_certain = finding.level is not Level.HINT and finding.subject is not Subject.UNREAD_PAYLOAD
        place = (file.position(finding.span.start).line, f"{finding.rule}: {finding.message}")
        (certain if is_certain else possible).append(place)
    return Said(tuple(certain), tuple(possible))


def main() -> int:
    """Print a table of kinds; return 1 where an unchanged text has an error."""
    parser = argparse.ArgumentParser(prog="python -m oracle.payload_mutants", description=__doc__)
    parser.add_argument("--each", type=int, default=40, help="number of mutants of each kind to make")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tree", type=Path, action="append", default=[], metavar="DIR", help="take payload from here")
    parser.add_argument("--show", choices=("silent", "possible", "elsewhere"), help="print these mutants")
    parser.add_argument("--kind", help="only this kind")
    arguments = parser.parse_args()
    trees = [tree.resolve() for tree in arguments.tree]
    texts = payload_in(trees) if trees else [module.text for module in payload_modules(STAGES[::_SAMPLED_STAGES])]
    texts = [text for text in dict.fromkeys(texts) if len(text) < _LONGEST]
    texts = [text for text, outcome in zip(texts, run(texts), strict=True) if outcome.text is not None]
    catalogue = Catalogue.shipped()
    made = list(mutants(texts, arguments.each, arguments.seed))
    made = [mutant for mutant in made if arguments.kind in (None, mutant.kind)]
    false = _false(catalogue, texts)
    _count(catalogue, made, arguments.show)
    print(f"{len(texts)} unchanged texts, {false} with an error or a warning")
    return 1 if false else 0


def _false(catalogue: Catalogue, texts: Sequence[str]) -> int:
    wrong = 0
    for text in texts:
        found = said(catalogue, text).certain
        wrong += bool(found)
        for line, message in found[:2]:
            print(f"FALSE {message}\n      {text.splitlines()[line].strip()[:140]}")
    return wrong


def _count(catalogue: Catalogue, made: Sequence[Mutant], show: str | None) -> None:
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for mutant, outcome in zip(made, run([mutant.text for mutant in made]), strict=True):
        errors = [each for each in outcome.diagnostics if each.level == "error"]
        if outcome.text is not None or not errors:
            continue
        found = said(catalogue, mutant.text)
        level = "certain" if found.certain else "possible" if found.possible else "silent"
        at = {mutant.line, errors[0].line}
        is_near = any(line in at for line, _ in found.certain or found.possible)
        counts[mutant.kind].update((level, "all", *(("placed",) if is_near else ())))
        if show in (level, None if is_near or level == "silent" else "elsewhere"):
            print(f"{mutant.kind}, {mutant.change}: {mutant.text.splitlines()[mutant.line].strip()[:150]}")
            print(f"      MLIR: {errors[0].message[:150]}; tdls: {(found.certain or found.possible)[:1]}")
    total: Counter[str] = Counter()
    print(f"{'kind':26}{'mutants':>8}{'certain':>8}{'possible':>9}{'silent':>7}{'placed':>7}")
    for kind, counted in [*counts.items(), ("all", total)]:
        print(f"{kind:26}{counted['all']:>8}{counted['certain']:>8}", end="")
        print(f"{counted['possible']:>9}{counted['silent']:>7}{counted['placed']:>7}")
        total += counted


if __name__ == "__main__":
    sys.exit(main())
