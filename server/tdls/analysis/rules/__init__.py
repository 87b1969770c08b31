"""Finds the rules for a section; each has a module, imported when there is something that the rule looks at."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.prefilter import template_in
from tdls.analysis.rule import LOOKS_AT, SCRIPT, SECTION
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS
from tdls.settings.llvm_versions import newest_version
from tdls.settings.rule_codes import KNOWN_RULES, RULE_CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.rule import Rule

_POSSIBLY: Final = "possibly-"
"""How the name of a rule begins that is in the module of its certain counterpart."""
_LOOKED_AT: Final = frozenset(looks_at for _, looks_at in LOOKS_AT.values() if looks_at is not None)


def _invalid_uses(context: Context) -> object:
    from tdls.analysis.handles.findings import handle_findings

    return handle_findings(context).invalid


def _repetitions(context: Context) -> object:
    from tdls.analysis.handles.findings import handle_findings

    return handle_findings(context).repeated


def _shortfalls(context: Context) -> object:
    from tdls.analysis.handles.findings import evaluated

    run = evaluated(context)
    return run.shortfalls or run.given_up


def _unknown_names(context: Context) -> object:
    from tdls.analysis.meaning.payload_names import unknown_payload_names

    return unknown_payload_names(context)


def _removed_names(context: Context) -> object:
    from tdls.analysis.meaning.payload_names import lacking_names

    return context.catalogue.target is None and any(lacking_names(context, newest_version()))


def _older_forms(context: Context) -> object:
    return context.operations(OperationKind.UNKNOWN) or any(problem.new_name for problem in context.tree.problems())


def _written_libraries(context: Context) -> object:
    from tdls.analysis.file.file_instructions import instructions_of

    return instructions_of(context.section).libraries


_SIGNS: Final[dict[str, Callable[[Context], object]]] = {
    "syntax-error": lambda context: any(True for _ in context.tree.problems()),
    "undefined-value": lambda context: context.model.unresolved,
    "redefined-value": lambda context: context.model.redefinitions,
    "template-placeholder": lambda context: template_in(context.section),
    "redefined-alias": lambda context: context.aliases,
    "unusable-library": _written_libraries,
    "undefined-block": lambda context: context.model.unknown_labels,
    "unknown-payload-operation": _unknown_names,
    "unfamiliar-payload-operation": _unknown_names,
    "not-in-target-llvm": lambda context: context.catalogue.target is not None,
    "removed-operation": _removed_names,
    "older-form": _older_forms,
    "unknown-pass": lambda context: "RUN:" in context.section.text or context.operations(APPLY_REGISTERED_PASS),
    "invalidated-handle": _invalid_uses,
    "possibly-invalidated-handle": _invalid_uses,
    "repeated-payload-operation": _repetitions,
    "possibly-repeated-payload-operation": _repetitions,
    "finds-nothing": _shortfalls,
    "fails-on-payload": _shortfalls,
    "wrong-reduction": _shortfalls,
}
"""What tells that a rule may find something in a section that has what it looks at; others find out themselves."""

COMMENT_RULES: Final = frozenset({"unused-suppression", "unknown-suppressed-rule", "malformed-suppression"})
"""The names of the rules about silencing comments."""

LOADED: Final[dict[str, Rule]] = {}
"""The rules that were imported, by name."""


def rule_of(name: str) -> Rule:
    """Return the rule with this name. Raises KeyError if there is none."""
    rule = LOADED.get(name)
    if rule is None:
        folder, looks_at = LOOKS_AT[name]
        if looks_at is None:
            from tdls.analysis.rules.checking.reported_elsewhere import RULES

            return LOADED.setdefault(name, RULES[name])
        module = import_module(f"{__name__}.{folder}.{name.removeprefix(_POSSIBLY).replace('-', '_')}")
        rule = LOADED.setdefault(name, module.POSSIBLE if name.startswith(_POSSIBLY) else module.RULE)
    return rule


def rules_for(context: Context) -> Iterator[Rule]:
    """Yield the rules that have something to look at in a section, in the order of their codes."""
    for name in _looking_at(frozenset(each for each in _LOOKED_AT if _occurs(context, each))):
        if _may_find(context, name):
            yield rule_of(name)


def _may_find(context: Context, name: str) -> bool:
    try:
        return name not in _SIGNS or bool(_SIGNS[name](context))
    except Exception:  # which the rule meets as well, where it is reported
        return True


def _occurs(context: Context, looked_at: OperationKind | str) -> bool:
    if looked_at in (SECTION, SCRIPT):
        return looked_at == SECTION or context.mentions_transform
    try:
        return bool(context.operations(looked_at))
    except Exception:  # which the rule meets as well, where it is reported
        return True


@cache
def _looking_at(present: frozenset[OperationKind | str]) -> tuple[str, ...]:
    return tuple(name for name, (_, looks_at) in LOOKS_AT.items() if looks_at in present)


def needs_only_section(name: str) -> bool:
    """Whether the rule with this name looks at single sections."""
    return LOOKS_AT[name][1] is not None


def all_rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of their codes."""
    return tuple(map(rule_of, LOOKS_AT))


@cache
def failing_on_reading() -> tuple[str, ...]:
    """Return the names of the rules whose findings say that MLIR rejects the script when it reads it."""
    return tuple(rule.name for rule in all_rules() if rule.fails_on_reading)


def unfit_for_target() -> tuple[str, ...]:
    """Return the names of the rules whose findings say that a script is not written as its target version does."""
    from tdls.analysis.respelling import MIGRATING

    return tuple(dict.fromkeys((*MIGRATING, *failing_on_reading())))


def find_rule(name_or_code: str) -> Rule | None:
    """Return the rule with this name (``use-after-free``) or code (``TD301``, in any case)."""
    wanted = name_or_code.casefold()
    if wanted in RULE_CODES:
        return rule_of(wanted)
    return next((rule_of(rule.name) for rule in KNOWN_RULES if wanted == rule.code.casefold()), None)
