"""What a rule is, as one record for everything that shows rules: ``tdls explain``, documentation, links."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


class FixKind(Enum):
    """How findings are fixed; the values are the options of ``tdls check``."""

    SAFE = "--fix"
    """The fix cannot change what a script does."""
    UNSAFE = "--fix --unsafe-fixes"


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding. Diagnostics refer to it by `name`.

    `example_bad` is a whole script in which this rule finds something and no other rule does;
    `example_good` is the same script put right.
    """

    code: str
    """``TD`` and three digits; never given to another rule."""
    name: str
    """Kebab-case."""
    level: Level
    summary: str
    """One sentence without a full stop at its end: what is wrong."""
    documentation: str
    """Markdown: why it is a problem, and how to fix it. The examples are not repeated here."""
    example_bad: str
    example_good: str
    find: Callable[[Context], Iterator[Finding]] | None = None
    """Yields the findings of this rule in one section; None where more than a section is needed to find them."""
    shows_when_run: bool = False
    """True if MLIR itself finds it only when the script runs, on a payload that has what it takes."""
    is_silent: bool = False
    """True if MLIR never says so: the script runs, and does less than it reads."""
    told_once: bool = False
    """True if a file need not hear the same message twice."""
    target_llvm: int | None = None
    """The LLVM version that the examples are for, if the rule is looked for only where scripts are for one."""
    is_told_by_runs: bool = False
    """True if nothing but a run of the script tells."""
    rests_on_repository: bool = False
    """True if other files of the repository are needed to find it; without them `unknown-symbol` is reported."""
    ranks_fixes: bool = False
    """True if the fixes of a finding are ranked, the best first, and offered only where a trial says that they help."""
    fix: FixKind | None = None
    """What makes `example_good` of `example_bad`; None where that is for people to do."""

    @property
    def option(self) -> str:
        """The option of ``tdls check`` without which nothing looks for it, "" if it is always looked for."""
        if self.is_told_by_runs:
            return "--run"
        return f"--target-llvm {self.target_llvm}" if self.target_llvm is not None else ""

    @property
    def is_told_on_reading(self) -> bool:
        """True if it keeps MLIR from reading a script."""
        return self.level is Level.ERROR and not (self.shows_when_run or self.is_silent or self.is_told_by_runs)

    def markdown(self) -> str:
        """Return the rule's page."""
        return (
            f"# {self.name} ({self.code}, {self.level.value})\n\n{self.explanation('##')}\n{how_to_silence(self.name)}"
        )

    def explanation(self, heading: str) -> str:
        """Return what is wrong, why, an example and its fix; `heading` is the mark of the headings inside."""
        condition = f"It is looked for with `tdls check {self.option}` only.\n\n" if self.option else ""
        fixing = f"`tdls check {self.fix.value}` makes this of it" if self.fix is not None else "Use instead"
        return (
            f"{self.summary}.\n\n"
            f"{self.documentation.strip()}\n\n"
            f"{condition}"
            f"{heading} Example\n\n```mlir\n{self.example_bad.strip()}\n```\n\n"
            f"{fixing}:\n\n```mlir\n{self.example_good.strip()}\n```\n"
        )


def how_to_silence(name: str) -> str:
    """Return what comments silence the rule with this name, as Markdown."""
    return (
        f"Where the rule is wrong, a comment `// tdls: ignore[{name}]` silences it: at the end of the line, "
        "or alone on the line before. `ignore-file` in place of `ignore` does so for the whole file, "
        "`ignore-begin` and `ignore-end` for what is between them.\n"
    )
