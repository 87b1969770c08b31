"""The record that describes a rule, and its text for ``tdls explain``, the documentation and links."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from tdls.analysis.file.context import OperationKind
from tdls.structs import NamedTuple, Struct
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.semantic.model import Operation


class FixKind(Enum):
    """How findings are fixed; the values are the options of ``tdls check``."""

    SAFE = "--fix"
    """The fix cannot change the behaviour of a script."""
    UNSAFE = "--fix --unsafe-fixes"


class RuleText(NamedTuple):
    """The parts of a rule's Markdown file, `rules/texts/NAME.md`."""

    summary: str
    """One sentence without its full stop that names the problem."""
    documentation: str
    """Markdown: why it is a problem, and how to fix it."""
    example_bad: str
    """A whole script in which this rule finds something and no other rule does."""
    example_good: str
    """The same script, corrected."""


@cache
def text_of(name: str) -> RuleText:
    """Read the text of the rule called `name`. Raises OSError if the installation is incomplete."""
    from importlib.resources import files

    text = (files("tdls.analysis.rules") / "texts" / f"{name}.md").read_text(encoding="utf-8")
    prose, _, examples = text.partition("\n## Bad\n")
    bad, _, good = examples.partition("\n## Good\n")
    _heading, summary, documentation = prose.split("\n\n", 2)
    return RuleText(summary.removesuffix("."), documentation, _fenced(bad), _fenced(good))


def _fenced(text: str) -> str:
    return text.partition("```mlir\n")[2].rpartition("```")[0]


class Rule(Struct, frozen=True):
    """A kind of finding. Diagnostics refer to it by `name`."""

    code: str
    """``TD`` and three digits; never given to another rule."""
    name: str
    """Kebab-case."""
    level: Level
    find: Callable[[Context], Iterator[Finding]] | None = None
    """Yields the findings of this rule in one section, for a rule that looks at more than single operations."""
    check: Callable[[Context, Sequence[Operation]], Iterator[Finding]] | None = None
    """Yields the findings of this rule at operations of one section: all those that it looks at.

    A rule without `find` and `check` needs more than a section.
    """
    looks_at: OperationKind | str = OperationKind.ANY
    """The operations that `check` is called with: those of a kind, or of a name. It is not called without any."""
    shows_when_run: bool = False
    """True if MLIR reports it only when the script runs, on a payload that brings it about."""
    is_silent: bool = False
    """True if MLIR never reports it: the script runs, and does less than its text suggests."""
    once_per_file: bool = False
    """True if a message is reported only once in a file."""
    target_llvm: int | None = None
    """The LLVM version of the examples, for a rule that is checked only with a target version."""
    found_by_runs: str = ""
    """The command that runs the script or program, if only that shows it."""
    rests_on_other_files: bool = False
    """True if it depends on the libraries that a file names; nothing is found in the bad example alone."""
    holds_for_any_definition: bool = False
    """True if its findings do not depend on the definition of the operation where they are reported."""
    ranks_fixes: bool = False
    """True if fixes are ranked, the best first; they are left out where a section is too large to try them."""
    fix: FixKind | None = None
    """The option that turns the bad example into the good one, or None where that is left to the user."""

    def findings(self, context: Context) -> Iterable[Finding]:
        """Return the findings in one section, lazily. Raises OverBudget if the rule gives up."""
        if self.check is not None:
            operations = context.operations(self.looks_at)
            return self.check(context, operations) if operations else ()
        return self.find(context) if self.find is not None else ()

    @property
    def text(self) -> RuleText:
        """The rule's text, which is read from its file once."""
        return text_of(self.name)

    @property
    def command(self) -> str:
        """The command that the rule needs, "" if each check looks for it."""
        if self.target_llvm is not None:
            return f"tdls check --target-llvm {self.target_llvm}"
        return self.found_by_runs

    @property
    def fails_on_reading(self) -> bool:
        """True if MLIR rejects the script when it reads it."""
        return self.level is Level.ERROR and not (self.shows_when_run or self.is_silent or self.found_by_runs)

    def markdown(self) -> str:
        """Return the rule's page as Markdown."""
        return (
            f"# {self.name} ({self.code}, {self.level.value})\n\n{self.explanation('##')}\n{how_to_silence(self.name)}"
        )

    def explanation(self, heading: str) -> str:
        """Return the problem, its reason, an example and the fix; `heading` marks inner headings, as in ``##``."""
        text = self.text
        condition = f"It is looked for with `{self.command}` only.\n\n" if self.command else ""
        fixing = f"`tdls check {self.fix.value}` makes this of it" if self.fix is not None else "Use instead"
        return (
            f"{text.summary}.\n\n"
            f"{text.documentation.strip()}\n\n"
            f"{condition}"
            f"{heading} Example\n\n```mlir\n{text.example_bad.strip()}\n```\n\n"
            f"{fixing}:\n\n```mlir\n{text.example_good.strip()}\n```\n"
        )


def how_to_silence(name: str) -> str:
    """Return a paragraph of Markdown on the comments that silence the rule called `name`."""
    return (
        f"Where the rule is wrong, a comment `// tdls: ignore[{name}]` silences it: at the end of the line, "
        "or alone on the line before. `ignore-file` in place of `ignore` does so for the whole file, "
        "`ignore-begin` and `ignore-end` for what is between them.\n"
    )
