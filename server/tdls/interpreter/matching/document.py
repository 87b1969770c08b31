"""Converts explanations of matches to JSON, for the command line and the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.interpreter.matching.explanation import summary
from tdls.interpreter.matching.reports import comparison, place_in, why_stopped

if TYPE_CHECKING:
    from tdls.interpreter.matching.explanation import ArmsTable, Explanation
    from tdls.interpreter.matching.probes import ProbedAttempt
    from tdls.interpreter.matching.reports import FailedCondition
    from tdls.interpreter.runs.model import Place, RunDiagnostic


def matches_object(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation of a run's matches as a JSON object."""
    return {
        "reason": explanation.reason,
        "counts_all": explanation.counts_all,
        "matchers": [
            {
                "matcher": report.matcher,
                "place": place_object(place_in(report.first.script, report.first.matcher_start)),
                "message": summary(report, counts_all=explanation.counts_all),
                "asked": report.reached,
                "accepted": report.accepted,
                "conditions_tried": report.conditions,
                "failed": list(map(_failed, report.stops)),
            }
            for report in explanation.matchers
        ],
        "tables": [_table(table, explanation) for table in explanation.tables],
        "nothing": [
            {**diagnostic_object(each.remark), "looks_for_payload": each.looks_for_payload, "failed": each.is_failure}
            for each in explanation.nothing
        ],
    }


def _failed(stop: FailedCondition) -> dict[str, Any]:
    return {
        "operation": stop.condition.operation,
        "place": place_object(place_in(stop.condition.script, stop.condition.start)),
        "message": why_stopped(stop),
        "count": stop.failed,
        "asked_for": stop.condition.asks_for,
        "implemented": place_object(stop.condition.implemented),
        "nearest": {"place": place_object(stop.nearest.candidate), "compared": list(stop.nearest.found)},
    }


def _table(table: ArmsTable, explanation: Explanation) -> dict[str, Any]:
    return {
        "operation": table.asking.operation,
        "place": place_object(place_in(table.asking.script, table.asking.start)),
        "arms": [
            {"matcher": arm.matcher, "action": arm.action, "asked": table.reached[at], "accepted": table.accepted[at]}
            for at, arm in enumerate(table.asking.arms)
        ],
        "candidates": [
            {
                "place": place_object(each.place),
                "accepted_by": each.accepted,
                "arms": [_attempt(attempt, explanation) for attempt in each.attempts],
            }
            for each in table.candidates
        ],
        "others": table.others,
    }


def _attempt(attempt: ProbedAttempt | None, explanation: Explanation) -> dict[str, Any] | None:
    """Return the condition at which an arm refused an operation, or None if the arm accepted it, or was not tried."""
    if attempt is None or explanation.conditions[attempt.last].is_end:
        return None
    condition = explanation.conditions[attempt.last]
    return {
        "operation": condition.operation,
        "place": place_object(place_in(condition.script, condition.start)),
        "asked_for": condition.asks_for,
        "comparison": comparison(condition, attempt.found) or None,
    }


def diagnostic_object(diagnostic: RunDiagnostic) -> dict[str, Any]:
    """Return a diagnostic of a run, with its notes, as a JSON object."""
    return {
        "level": diagnostic.level.value,
        "message": diagnostic.message,
        "place": place_object(diagnostic.place),
        "notes": list(map(diagnostic_object, diagnostic.notes)),
    }


def place_object(place: Place | None) -> dict[str, Any] | None:
    """Return a position as a JSON object, or None for none, as of the module that MLIR puts around a payload."""
    return None if place is None or place.line < 1 else {"path": place.file, "line": place.line, "column": place.column}
