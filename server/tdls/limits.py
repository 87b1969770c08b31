"""The list of all resource limits on untrusted input.

Limits count items, never seconds, so that the same text gets the same answer on every machine.
"""

from __future__ import annotations

from typing import Final

from tdls.structs import Struct


class OverBudget(Exception):  # noqa: N818 - a state rather than an error: the owner of the budget decides
    """A computation exceeded its limit; the owner of the budget catches this and drops the result."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(str(limit))
        self.limit = limit


class Budget:
    """The remainder of a limit for one computation; `times` multiplies a limit that holds per item."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: Limit, times: int = 1) -> None:
        self.limit = limit
        self.left = limit.most * times

    def spend(self, amount: int = 1) -> None:
        """Take `amount` from the budget. Raises `OverBudget` if it exceeds the remainder."""
        self.left -= amount
        if self.left < 0:
            raise OverBudget(self.limit)


class Limit(Struct, frozen=True):
    """An upper bound for one text, file or computation."""

    name: str
    """Kebab-case."""
    most: int
    unit: str
    """The counted items, in the plural."""
    subject: str
    """The limited thing, as a noun phrase for the documentation."""
    beyond: str
    """The effect of exceeding the limit, as a sentence without a full stop for the documentation."""

    def __str__(self) -> str:
        return f"{self.name} ({self.most:,} {self.unit})"


REGION_DEPTH: Final = Limit(
    "region-depth", 40, "levels", "regions inside of regions", "deeper ones are reported and not read"
)
BRACKET_DEPTH: Final = Limit(
    "bracket-depth", 100, "levels", "brackets inside of brackets", "deeper ones are reported and not read"
)
CONTAINER_DEPTH: Final = Limit(
    "container-depth", 12, "levels", "modules inside of modules", "deeper ones are read with the one around them"
)
CHECKED_ATTRIBUTE: Final = Limit(
    "checked-attribute",
    20_000,
    "characters",
    "an attribute or type, with strings of any length",
    "longer ones are not compared with the grammar or their type; of lists of numbers that are not known to be right, "
    "`not-analysed` says so",
)
INTEGER_DIGITS: Final = Limit(
    "integer-digits", 300, "characters", "the spelling of an integer", "longer ones are read, but no number is known"
)
PATTERN_SIZE: Final = Limit(
    "pattern-size", 2_000, "steps", "a regular expression in a comment or a `.td` file", "a larger one is an error"
)

TYPO_SEARCHES: Final = Limit(
    "typo-searches",
    20,
    "operations",
    "operations of one section that are searched for a slip of the keyboard",
    "in payload, others that fit no known form count as unknown",
)

SIMILAR_NAMES: Final = Limit(
    "similar-names", 500, "names", "those that a misspelled value or symbol is compared with", "none is proposed"
)
NAME_SEARCHES: Final = Limit(
    "name-searches",
    20,
    "names",
    "misspelled values, or symbols, of one section for which similar ones are looked for",
    "none is proposed for the others",
)

_NOT_READ: Final = "the file is not read, and a message says so where settings or arguments name it"
SCRIPT_SIZE: Final = Limit("script-size", 1_000_000_000, "bytes", "a script, payload or library", _NOT_READ)
WORKSPACE_SCRIPT_SIZE: Final = Limit(
    "workspace-script-size",
    2_000_000,
    "bytes",
    "a script of a folder that an editor has open",
    "it is read when it is opened",
)
SOURCE_SIZE: Final = Limit(
    "source-size",
    4_000_000,
    "bytes",
    "a source that defines operations, with its includes",
    "it is left out, which `tdls catalogue sources` says",
)
CATALOGUE_SIZE: Final = Limit("catalogue-size", 16_000_000, "bytes", "a catalogue", _NOT_READ)
SETTINGS_SIZE: Final = Limit("settings-size", 1_000_000, "bytes", "a file with settings", _NOT_READ)
SETTINGS_ENTRIES: Final = Limit(
    "settings-entries", 1_000, "entries", "a list in a setting", "the list does not count, and a message says so"
)
BASELINE_SIZE: Final = Limit("baseline-size", 16_000_000, "bytes", "a baseline", _NOT_READ)
CACHE_ENTRY_SIZE: Final = Limit("cache-entry-size", 256_000_000, "bytes", "an entry of the cache", "it is not kept")
MESSAGE_SIZE: Final = Limit("message-size", 512_000_000, "bytes", "a message of a client", "the connection is closed")

_GIVEN_UP: Final = "the definition that needs it is left out, which `tdls catalogue sources` says"
DEFINITION_STEPS: Final = Limit("definition-steps", 500_000, "steps", "evaluating one TableGen definition", _GIVEN_UP)
FILE_STEPS: Final = Limit(
    "file-steps",
    1_000_000,
    "steps",
    "evaluating all TableGen definitions of a file",
    "the rest of the file is left out, which `tdls catalogue sources` says",
)
PROJECT_STEPS: Final = Limit(
    "project-steps",
    10_000_000,
    "steps",
    "evaluating all TableGen definitions of a project",
    "the rest is left out, which `tdls catalogue sources` says",
)
PARSED_TOKENS: Final = Limit(
    "parsed-tokens",
    1_000_000,
    "tokens",
    "the parsed tokens of a TableGen file, in all attempts",
    "the rest of the file is left out, which `tdls catalogue sources` says",
)
NESTED_SYNTAX: Final = Limit(
    "nested-syntax", 100, "levels", "expressions and blocks of a TableGen statement inside of others", _GIVEN_UP
)
NESTED_VALUES: Final = Limit(
    "nested-values", 500, "levels", "TableGen values, records and includes that need others for their own", _GIVEN_UP
)
_UNKNOWN_FORM: Final = "the format counts as unknown, and its operations are read by their structure"
FORMAT_DEPTH: Final = Limit(
    "format-depth", 20, "open parentheses", "parts of an assembly format inside of others", _UNKNOWN_FORM
)
FORMAT_LENGTH: Final = Limit("format-length", 10_000, "characters", "an assembly format", _UNKNOWN_FORM)
LENGTH_OF_TEXT: Final = Limit("length-of-text", 1_000_000, "characters", "a text that TableGen makes", _GIVEN_UP)
ELEMENTS_OF_LIST: Final = Limit(
    "elements-of-list", 100_000, "elements", "a list, range or `bits` that TableGen makes", _GIVEN_UP
)
MATCHED_FILES: Final = Limit(
    "matched-files",
    200_000,
    "entries",
    "files and folders compared with one pattern of settings",
    "later ones are not found, and a message says so",
)
ANCESTORS: Final = Limit("ancestors", 500, "classes", "the classes that a TableGen class derives from", _GIVEN_UP)
_RUN_ENDED: Final = "the run is ended; with a large input, beyond several times its size"
RUN_OUTPUT: Final = Limit(
    "run-output",
    100_000_000,
    "bytes",
    "a text that a run of a script gives, all that it prints, and each file that it writes",
    _RUN_ENDED,
)
RUN_FILES: Final = Limit("run-files", 500_000_000, "bytes", "all temporary files of a run together", _RUN_ENDED)
RUN_PRINTED: Final = Limit(
    "run-printed", 1_000_000, "characters", "the shown output of a run", "the rest is cut off, and a message says so"
)
COMPARED_PAYLOAD: Final = Limit(
    "compared-payload",
    16_000_000,
    "characters",
    "a payload that `tdls run` prints before the run, too, to say that nothing changed",
    "it is printed only where the run leaves as many results of operations",
)
RUN_DIAGNOSTICS: Final = Limit(
    "run-diagnostics", 1_000, "diagnostics", "the shown diagnostics of a run", "the rest is counted"
)

HANDLE_STEPS: Final = Limit(
    "handle-steps",
    250,
    "steps for each operation",
    "following handles through a section of a script, small ones as if they had 100 operations",
    "its handles are not followed, and `not-analysed` says so",
)

EVALUATION_STEPS: Final = Limit(
    "evaluation-steps",
    2_000,
    "steps for each operation",
    "running the script of a section on its payload, small ones as if they had 100 operations",
    "its empty searches are not reported, and `not-analysed` says so",
)

FOLLOWED_PAYLOAD: Final = Limit(
    "followed-payload",
    50_000,
    "characters",
    "a payload whose operations are followed through a script",
    "only names of operations are looked for in it, and `not-analysed` says so",
)

RULE_STEPS: Final = Limit(
    "rule-steps",
    200,
    "steps for each operation",
    "looking for one rule in a section, small ones as if they had 100 operations",
    "the rule is not looked for there, and `not-analysed` says so",
)

EDITED_OPERATION: Final = Limit(
    "edited-operation",
    250_000,
    "blanks, line breaks, commas and brackets",
    "an operation at the top level of a file or module that an editor has open, with all that is in it",
    "the server reads payload in runs of some hundred statements; of scripts, and where blocks or layout do not allow"
    " that, it reads the beginning only, and `not-analysed` says so; `tdls --check` reads all of it",
)

FORMATTED_SIZE: Final = Limit(
    "formatted-size", 1_000_000, "characters", "a file that an editor has formatted", "the server refuses it"
)
FORMATTED_RANGE: Final = Limit(
    "formatted-range",
    200_000,
    "characters",
    "a top-level operation that an editor has formatted, or those that the lines belong to",
    "the server refuses it",
)

BLOCKS: Final = Limit(
    "blocks",
    10_000,
    "blocks",
    "a region with branches between blocks in which handles are consumed",
    "paths between its blocks are not followed, and `not-analysed` says so",
)

SYMBOL_NAMES: Final = Limit(
    "symbol-names", 100, "names", "a reference to a symbol, `@a::@b` being two", "nothing is looked up for it"
)

EXTENDED_FILES: Final = Limit(
    "extended-files", 20, "files", "settings that extend others, one behind the other", "the rest is an error"
)

NOTES: Final = Limit("notes", 50, "notes", "the notes of one finding", "more are left out")

CALL_DEPTH: Final = Limit(
    "call-depth",
    16,
    "levels",
    "calls of named sequences inside of called ones, for their effects on handles",
    "deeper ones may do anything, and `not-analysed` says so",
)
CALLEE_STEPS: Final = Limit(
    "callee-steps",
    40,
    "operations for each operation",
    "the sequences that a section calls, for their effects on handles, small sections as if they had 100 operations",
    "the others may do anything, and `not-analysed` says so",
)

TYPE_LENGTH: Final = Limit(
    "type-length",
    2_000,
    "characters",
    "a type with its aliases resolved",
    "the aliases stay, the type is compared with no other, and `not-analysed` says so",
)

NOT_ANALYSED: Final = "not-analysed"
"""The name of the rule that reports code skipped because of a limit."""

LIMITS: Final = tuple(each for each in [*globals().values()] if isinstance(each, Limit))
"""Every limit, in the order of the documentation (docs/limits.md), which a test compares with it."""
