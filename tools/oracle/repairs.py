"""Repairs of mistakes in a right script: ``python -m oracle.repairs``.

A mistake is planted in a script that MLIR accepts. Each fix that is offered for it is applied alone: the finding has to
go, no error or warning may come, and MLIR has to accept a text in which tdls finds no error any more. Mistakes without
a repair are counted, too, by their kind; ``--show`` prints them, and the repairs that are wrong.

With ``--beside-another``, each script has a second mistake in another line. A fix is right if it is right once the line
of the other mistake is written as it was.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oracle import tools
from oracle.run_corpus.scripts import scripts
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import with_tried_fixes
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic

_LINE = re.compile(r"^[^!\n].*\btransform\..*$", re.MULTILINE)
_TOKEN = re.compile(r'"[^"\n]*"|[%@!#]?[A-Za-z_][\w.$]*|->|\d+|[^\s\w]')


@dataclass(frozen=True)
class Mistake:
    """A change of one token or line of a right script."""

    kind: str
    right: str
    text: str
    lines: tuple[tuple[str, str], ...]
    """The lines that are changed, each as it was and as it is."""

    def with_only(self, number: int, text: str) -> str:
        """Return `text`, a version of the mistaken one, with the lines of the other mistakes as they were."""
        for right, wrong in (line for each, line in enumerate(self.lines) if each != number):
            text = f"\n{text}\n".replace(f"\n{wrong}\n", f"\n{right}\n", 1)[1:-1]
        return text


@dataclass(frozen=True)
class Repair:
    """A fix that is offered for a mistake; `complaint` says why it is wrong, empty if it is right."""

    title: str
    text: str
    complaint: str
    mended: int
    """The number of the mistake that it is about."""
    alone: str
    """The text after it, without the other mistakes."""


@dataclass(frozen=True)
class Outcome:
    """A mistake with its repairs, and whether MLIR accepts it as it stands."""

    mistake: Mistake
    is_accepted: bool
    repairs: tuple[Repair, ...]

    @property
    def verdict(self) -> str:
        """Say in a word what became of the mistake."""
        if not self.repairs:
            return "accepted by MLIR" if self.is_accepted else "without repair"
        first = self.repairs[0]
        return "wrong" if first.complaint else "as before" if first.text == self.mistake.right else "right"

    def shown(self) -> Iterator[str]:
        """Yield what a reader has to look at: the lines that a mistake and a wrong repair change."""
        if self.verdict == "without repair":
            yield f"{self.mistake.kind}, without repair:\n{_difference(self.mistake.right, self.mistake.text)}"
        for repair in self.repairs:
            if repair.complaint:
                lines = _difference(self.mistake.right, self.mistake.text, repair.text)
                yield f"{self.mistake.kind}, {repair.title}: {repair.complaint}\n{lines}"


def main() -> int:
    """Print what became of each kind of mistake; the exit code is 1 where a repair is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mistakes", type=int, default=200, help="number of planted mistakes")
    parser.add_argument("--beside-another", action="store_true", help="plant a second mistake in each script")
    parser.add_argument("--show", action="store_true", help="print mistakes without repair and wrong repairs")
    arguments = parser.parse_args()
    outcomes = repaired(planted(arguments.seed, arguments.mistakes, is_beside_another=arguments.beside_another))
    if arguments.show:
        print(*(line for outcome in outcomes for line in outcome.shown()), sep="\n")
    for kind, _ in _KINDS:
        verdicts = Counter(outcome.verdict for outcome in outcomes if outcome.mistake.kind == kind)
        print(f"{kind}:", ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common()))
    repairs = [repair for outcome in outcomes for repair in outcome.repairs]
    right = sum(1 for repair in repairs if not repair.complaint)
    print(f"{right} of {len(repairs)} repairs right")
    if arguments.beside_another:
        mended = sum(len({one.mended for one in each.repairs if not one.complaint}) for each in outcomes)
        print(f"{mended} of {sum(len(each.mistake.lines) for each in outcomes)} mistakes with a repair")
    return 1 if right < len(repairs) else 0


def planted(seed: int, number: int, *, is_beside_another: bool = False) -> list[Mistake]:
    """Return `number` mistakes of random kinds, in random lines of the scripts that MLIR and tdls accept."""
    source = random.Random(seed)
    texts = sorted({script.text for script in scripts()})
    texts = [text for text, is_read in zip(texts, _accepted(texts), strict=True) if is_read and not _complaints(text)]
    mistakes: list[Mistake] = []
    while len(mistakes) < number:
        text = source.choice(texts)
        mistake = _with_mistake(Mistake("", text, text, ()), source)
        if mistake is not None and is_beside_another:
            mistake = _with_mistake(mistake, source)
        if mistake is not None:
            mistakes.append(mistake)
    return mistakes


def _with_mistake(before: Mistake, source: random.Random) -> Mistake | None:
    """Plant a mistake of a random kind in a random line that has none, and that no other line is equal to."""
    kind, plant = source.choice(_KINDS)
    text = before.text
    lines = [match for match in _LINE.finditer(text) if "//" not in match[0] and text.count(match[0]) == 1]
    free = [match for match in lines if all(match[0] not in wrong for _, wrong in before.lines)]
    line = source.choice(free) if free else None
    changed = plant(line[0], source) if line is not None else None
    is_of_lines = kind in ("line missing", "line twice")
    if line is None or changed is None or changed == line[0] or (is_of_lines and before.lines):
        return None
    changes = (*before.lines, (line[0], changed))
    return Mistake(kind, before.right, text[: line.start()] + changed + text[line.end() :], changes)


def repaired(mistakes: Sequence[Mistake]) -> list[Outcome]:
    """Apply each fix that is offered for each mistake."""
    offers = [[*_repairs(mistake)] for mistake in mistakes]
    read = dict.fromkeys([repair.alone for repairs in offers for repair in repairs])
    accepted = dict(zip(read, _accepted([*read]), strict=True))
    outcomes: list[Outcome] = []
    for mistake, is_accepted, repairs in zip(mistakes, _accepted([one.text for one in mistakes]), offers, strict=True):
        judged = [
            replace(repair, complaint="MLIR rejects it")
            if not repair.complaint and not is_accepted and not accepted[repair.alone] and not _complaints(repair.alone)
            else repair
            for repair in repairs
        ]
        outcomes.append(Outcome(mistake, is_accepted, tuple(judged)))
    return outcomes


def _repairs(mistake: Mistake) -> Iterator[Repair]:
    file = SourceFile.of(mistake.text, Catalogue.shipped())
    found, wrong = findings_in_file(file), [wrong for _, wrong in mistake.lines]
    for finding in found:
        line = file.line_text(file.position(finding.span.start).line)
        if finding.level is Level.HINT and len(found) > 1 and line not in wrong:
            continue  # it need not be about a mistake
        for fix in with_tried_fixes(file, finding).fixes:
            text = applied(file.text, sorted(fix.edits, key=lambda edit: edit.span))
            lines = text.splitlines()
            stands = [wrong in lines for _, wrong in mistake.lines]
            left_of = [_complaints(mistake.with_only(number, text)) for number in range(len(stands))]
            number = min(range(len(stands)), key=lambda each: (len(left_of[each]), stands[each]))
            alone, left = mistake.with_only(number, text), left_of[number]
            before = Counter(finding.rule for finding in _complaints(mistake.with_only(number, mistake.text)))
            new = [*(Counter(each.rule for each in left) - before)]
            complaint = f"new: {', '.join(new)}" if new else "the finding stays" if finding in left else ""
            yield Repair(fix.title, text, complaint, number, alone)


def _complaints(text: str) -> list[Diagnostic]:
    found = findings_in_file(SourceFile.of(text, Catalogue.shipped()))
    return [finding for finding in found if finding.level is not Level.HINT]


def _accepted(texts: list[str]) -> list[bool]:
    return [outcome.text is not None for outcome in tools.run(texts, "--allow-unregistered-dialect", major=22)]


def _difference(*texts: str) -> str:
    shared = set.intersection(*(set(text.splitlines()) for text in texts))
    lines = [[line for line in text.splitlines() if line not in shared] for text in texts]
    return "\n".join(f"  {sign} {line.strip()}" for sign, some in zip("=-+", lines, strict=False) for line in some)


def _at_token(
    accept: Callable[[str], object], change: Callable[[str, random.Random], str]
) -> Callable[[str, random.Random], str | None]:
    """Return a mistake that changes one token of a line, of those that `accept` takes; None if there is none."""

    def plant(line: str, source: random.Random) -> str | None:
        spans = [match.span() for match in _TOKEN.finditer(line) if accept(match[0])]
        if not spans:
            return None
        start, end = source.choice(spans)
        new, head = change(line[start:end], source), line[:start]
        return (head if new or not head.strip() else head.rstrip()) + new + line[end:]

    return plant


def _misspelt(word: str, source: random.Random) -> str:
    """Return the word with a letter too few, twice, or behind the next, in its last segment."""
    at = source.randrange(max(word.rfind("."), 0) + 1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return source.choice([word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], swapped])


def _without_segment(name: str, source: random.Random) -> str:
    first, *rest = name.split(".")
    return ".".join(rest if len(rest) < 2 or source.random() < 0.5 else [first, *rest[1:]])


def _has_end(word: str) -> bool:
    return len(word) - word.rfind(".") > 3


_KINDS: list[tuple[str, Callable[[str, random.Random], str | None]]] = [
    ("operation misspelt", _at_token(lambda word: word.startswith("transform.") and _has_end(word), _misspelt)),
    ("operation without a segment", _at_token(lambda word: word.startswith("transform."), _without_segment)),
    ("value misspelt", _at_token(lambda word: word[0] == "%" and len(word) > 3, _misspelt)),
    ("symbol misspelt", _at_token(lambda word: word[0] == "@" and len(word) > 3, _misspelt)),
    ("word misspelt", _at_token(lambda word: word.isidentifier() and len(word) > 3, _misspelt)),
    ("type misspelt", _at_token(lambda word: word.startswith("!transform."), _misspelt)),
    ("payload name misspelt", _at_token(lambda word: word[0] == '"' and "." in word and _has_end(word), _misspelt)),
    ("word missing", _at_token(str.isidentifier, lambda *_: "")),
    ("sign missing", _at_token(lambda word: not word[0].isalnum() and word[0] not in '%@!#"', lambda *_: "")),
    ("quote missing", lambda line, _: line.replace('"', "", 1)),
    ("type missing", _at_token(lambda word: word[0] == "!", lambda *_: "")),
    ("operand missing", _at_token(lambda word: word[0] == "%", lambda *_: "")),
    ("line missing", lambda line, _: "" if line.lstrip().startswith("%") else None),
    ("line twice", lambda line, _: None if line.rstrip().endswith("{") else f"{line}\n{line}"),
]


if __name__ == "__main__":
    raise SystemExit(main())
