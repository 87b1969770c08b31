"""The record that describes a rule, and its text for ``tdls explain``, the documentation and links."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, NAMED_SEQUENCE
from tdls.settings.rule_codes import RULE_CODES, RULE_LEVELS
from tdls.structs import NamedTuple, Struct
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.semantic.model import Operation


SECTION: Final = "a section"
SCRIPT: Final = "a section that mentions the transform dialect"

LOOKS_AT: Final[dict[str, tuple[str, OperationKind | str | None]]] = {
    "syntax-error": ("language", SECTION),
    "undefined-value": ("language", SECTION),
    "redefined-value": ("language", SECTION),
    "use-before-definition": ("language", OperationKind.ANY),
    "operand-count": ("language", OperationKind.ANY),
    "result-count": ("language", OperationKind.ANY),
    "type-mismatch": ("language", OperationKind.ANY),
    "unknown-symbol": ("language", OperationKind.TRANSFORM),
    "missing-terminator": ("language", OperationKind.TRANSFORM),
    "loop-result-count": ("language", OperationKind.TRANSFORM),
    "template-placeholder": ("language", SECTION),
    "library-not-named": ("language", OperationKind.TRANSFORM),
    "redefined-symbol": ("language", OperationKind.ANY),
    "undefined-alias": ("language", SECTION),
    "redefined-alias": ("language", SECTION),
    "unusable-library": ("language", SECTION),
    "library-conflict": ("language", SECTION),
    "undefined-block": ("language", SECTION),
    "redefined-attribute": ("language", OperationKind.ANY),
    "unknown-operation": ("language", OperationKind.ANY),
    "unknown-name": ("language", SECTION),
    "unknown-transform-operation": ("transform", OperationKind.UNKNOWN),
    "missing-with-named-sequence": ("transform", NAMED_SEQUENCE),
    "argument-effect-attributes": ("transform", NAMED_SEQUENCE),
    "unknown-payload-operation": ("transform", SCRIPT),
    "unfamiliar-payload-operation": ("transform", SCRIPT),
    "unknown-extension-operation": ("transform", OperationKind.UNKNOWN),
    "unused-handle": ("transform", OperationKind.TRANSFORM),
    "handle-count": ("transform", OperationKind.TRANSFORM),
    "unmarked-argument": ("transform", NAMED_SEQUENCE),
    "not-in-target-llvm": ("transform", SECTION),
    "recursive-sequence": ("transform", NAMED_SEQUENCE),
    "misplaced-terminator": ("verifier", OperationKind.TRANSFORM),
    "malformed-body": ("verifier", OperationKind.ANY),
    "yielded-values": ("verifier", OperationKind.TRANSFORM),
    "attribute-value": ("verifier", OperationKind.ANY),
    "call-signature": ("verifier", OperationKind.TRANSFORM),
    "unfitting-types": ("verifier", OperationKind.TRANSFORM),
    "consumed-twice": ("verifier", OperationKind.TRANSFORM),
    "dead-arm": ("transform", OperationKind.TRANSFORM),
    "unknown-pass": ("transform", SECTION),
    "positional-match": ("transform", OperationKind.TRANSFORM),
    "no-match-operation": ("transform", NAMED_SEQUENCE),
    "misused-pass": ("transform", APPLY_REGISTERED_PASS),
    "never-succeeds": ("transform", OperationKind.TRANSFORM),
    "ignored-attribute": ("transform", OperationKind.TRANSFORM),
    "removed-operation": ("transform", SCRIPT),
    "older-form": ("transform", SECTION),
    "invalid-operation": ("verifier", OperationKind.ANY),
    "misspelled-entry-point": ("transform", NAMED_SEQUENCE),
    "use-after-free": ("handles", SCRIPT),
    "invalidated-handle": ("handles", SCRIPT),
    "possibly-invalidated-handle": ("handles", SCRIPT),
    "repeated-payload-operation": ("handles", SCRIPT),
    "possibly-repeated-payload-operation": ("handles", SCRIPT),
    "finds-nothing": ("handles", SCRIPT),
    "fails-on-payload": ("handles", SCRIPT),
    "wrong-reduction": ("handles", SCRIPT),
    "failed-run": ("checking", None),
    "failed-build": ("checking", None),
    "unused-suppression": ("checking", None),
    "unknown-suppressed-rule": ("checking", None),
    "malformed-suppression": ("checking", None),
    "not-analysed": ("checking", SECTION),
}
"""By the name of the rule, in the order of codes, its folder and what it looks at: operations of a kind or of a name,
or a section as a whole, or None for a rule that needs more than a section. The last one reports limits that the others
have exceeded."""


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

    name: str
    """Kebab-case; `KNOWN_RULES` has its code and level, `LOOKS_AT` what it looks at."""
    find: Callable[[Context], Iterator[Finding]] | None = None
    """Yields the findings of this rule in one section, for a rule that looks at more than single operations."""
    check: Callable[[Context, Sequence[Operation]], Iterator[Finding]] | None = None
    """Yields the findings of this rule at operations of one section: all those that it looks at.

    A rule without `find` and `check` needs more than a section.
    """
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
        looks_at = LOOKS_AT[self.name][1]
        if self.check is not None and looks_at is not None:
            operations = context.operations(looks_at)
            return self.check(context, operations) if operations else ()
        return self.find(context) if self.find is not None else ()

    @property
    def code(self) -> str:
        """``TD`` and three digits; never given to another rule."""
        return RULE_CODES[self.name]

    @property
    def level(self) -> Level:
        """The level of its findings, unless settings say another one."""
        return RULE_LEVELS[self.name]

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
