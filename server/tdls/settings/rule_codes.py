"""Codes, names and levels of all rules, for modules that check nothing: importing the rules takes longer."""

from __future__ import annotations

from typing import Final

from tdls.structs import NamedTuple
from tdls.text.level import Level


class KnownRule(NamedTuple):
    """What settings have to know of a rule; its record is in a module of `tdls.analysis.rules`."""

    code: str
    name: str
    level: Level


KNOWN_RULES: Final = (
    KnownRule("TD001", "syntax-error", Level.ERROR),
    KnownRule("TD101", "undefined-value", Level.ERROR),
    KnownRule("TD102", "redefined-value", Level.ERROR),
    KnownRule("TD103", "use-before-definition", Level.ERROR),
    KnownRule("TD104", "operand-count", Level.ERROR),
    KnownRule("TD105", "result-count", Level.ERROR),
    KnownRule("TD106", "type-mismatch", Level.ERROR),
    KnownRule("TD107", "unknown-symbol", Level.ERROR),
    KnownRule("TD108", "missing-terminator", Level.ERROR),
    KnownRule("TD109", "loop-result-count", Level.ERROR),
    KnownRule("TD110", "template-placeholder", Level.HINT),
    KnownRule("TD111", "library-not-named", Level.WARNING),
    KnownRule("TD112", "redefined-symbol", Level.ERROR),
    KnownRule("TD113", "undefined-alias", Level.ERROR),
    KnownRule("TD114", "redefined-alias", Level.ERROR),
    KnownRule("TD115", "unusable-library", Level.ERROR),
    KnownRule("TD116", "library-conflict", Level.ERROR),
    KnownRule("TD117", "undefined-block", Level.ERROR),
    KnownRule("TD118", "redefined-attribute", Level.ERROR),
    KnownRule("TD119", "unknown-operation", Level.ERROR),
    KnownRule("TD120", "unknown-name", Level.ERROR),
    KnownRule("TD201", "unknown-transform-operation", Level.ERROR),
    KnownRule("TD202", "missing-with-named-sequence", Level.ERROR),
    KnownRule("TD203", "argument-effect-attributes", Level.ERROR),
    KnownRule("TD204", "unknown-payload-operation", Level.WARNING),
    KnownRule("TD205", "unfamiliar-payload-operation", Level.HINT),
    KnownRule("TD206", "unknown-extension-operation", Level.HINT),
    KnownRule("TD208", "unused-handle", Level.HINT),
    KnownRule("TD212", "handle-count", Level.WARNING),
    KnownRule("TD213", "unmarked-argument", Level.HINT),
    KnownRule("TD214", "not-in-target-llvm", Level.ERROR),
    KnownRule("TD215", "recursive-sequence", Level.ERROR),
    KnownRule("TD216", "misplaced-terminator", Level.ERROR),
    KnownRule("TD217", "malformed-body", Level.ERROR),
    KnownRule("TD218", "yielded-values", Level.ERROR),
    KnownRule("TD219", "attribute-value", Level.ERROR),
    KnownRule("TD220", "call-signature", Level.ERROR),
    KnownRule("TD221", "unfitting-types", Level.ERROR),
    KnownRule("TD222", "consumed-twice", Level.ERROR),
    KnownRule("TD223", "dead-arm", Level.WARNING),
    KnownRule("TD224", "unknown-pass", Level.WARNING),
    KnownRule("TD225", "positional-match", Level.HINT),
    KnownRule("TD226", "no-match-operation", Level.WARNING),
    KnownRule("TD227", "misused-pass", Level.WARNING),
    KnownRule("TD228", "never-succeeds", Level.WARNING),
    KnownRule("TD229", "ignored-attribute", Level.WARNING),
    KnownRule("TD231", "removed-operation", Level.HINT),
    KnownRule("TD232", "older-form", Level.ERROR),
    KnownRule("TD233", "invalid-operation", Level.ERROR),
    KnownRule("TD234", "misspelled-entry-point", Level.WARNING),
    KnownRule("TD301", "use-after-free", Level.WARNING),
    KnownRule("TD302", "invalidated-handle", Level.WARNING),
    KnownRule("TD303", "possibly-invalidated-handle", Level.HINT),
    KnownRule("TD304", "repeated-payload-operation", Level.WARNING),
    KnownRule("TD305", "possibly-repeated-payload-operation", Level.HINT),
    KnownRule("TD308", "finds-nothing", Level.WARNING),
    KnownRule("TD309", "fails-on-payload", Level.WARNING),
    KnownRule("TD311", "wrong-reduction", Level.WARNING),
    KnownRule("TD401", "failed-run", Level.ERROR),
    KnownRule("TD402", "failed-build", Level.ERROR),
    KnownRule("TD901", "unused-suppression", Level.WARNING),
    KnownRule("TD902", "unknown-suppressed-rule", Level.WARNING),
    KnownRule("TD903", "malformed-suppression", Level.WARNING),
    KnownRule("TD904", "not-analysed", Level.HINT),
)
"""In the order of their codes."""

RULE_CODES: Final = {rule.name: rule.code for rule in KNOWN_RULES}
RULE_LEVELS: Final = {rule.name: rule.level for rule in KNOWN_RULES}
