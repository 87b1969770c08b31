"""The only list of all rules; each rule has a module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.respelling import MIGRATING
from tdls.analysis.rules.checking import (
    failed_run,
    malformed_suppression,
    not_analysed,
    unknown_suppressed_rule,
    unused_suppression,
)
from tdls.analysis.rules.handles import (
    consumed_through_alias,
    fails_on_payload,
    finds_nothing,
    handle_across_patterns,
    invalidated_handle,
    possibly_invalidated_handle,
    possibly_repeated_payload_operation,
    repeated_payload_operation,
    tiles_race,
    use_after_free,
)
from tdls.analysis.rules.language import (
    library_conflict,
    library_not_named,
    loop_result_count,
    missing_terminator,
    operand_count,
    redefined_alias,
    redefined_attribute,
    redefined_symbol,
    redefined_value,
    result_count,
    syntax_error,
    template_placeholder,
    type_mismatch,
    undefined_alias,
    undefined_block,
    undefined_value,
    unknown_name,
    unknown_operation,
    unknown_symbol,
    unusable_library,
    use_before_definition,
)
from tdls.analysis.rules.transform import (
    argument_effect_attributes,
    dead_arm,
    handle_count,
    ignored_attribute,
    impossible_match,
    missing_with_named_sequence,
    misused_pass,
    needless_consumed_mark,
    never_succeeds,
    no_match_operation,
    not_in_target_llvm,
    older_form,
    positional_match,
    recursive_sequence,
    removed_operation,
    swallowed_failure,
    unbound_argument,
    unfamiliar_payload_operation,
    unknown_extension_operation,
    unknown_pass,
    unknown_payload_operation,
    unknown_transform_operation,
    unmarked_argument,
    unused_handle,
)
from tdls.analysis.rules.verifier import (
    attribute_value,
    call_signature,
    consumed_twice,
    invalid_operation,
    malformed_body,
    misplaced_terminator,
    unfitting_types,
    yielded_values,
)

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule

RULES: Final[tuple[Rule, ...]] = (
    syntax_error.RULE,
    undefined_value.RULE,
    redefined_value.RULE,
    use_before_definition.RULE,
    operand_count.RULE,
    result_count.RULE,
    type_mismatch.RULE,
    unknown_symbol.RULE,
    missing_terminator.RULE,
    loop_result_count.RULE,
    template_placeholder.RULE,
    library_not_named.RULE,
    redefined_symbol.RULE,
    undefined_alias.RULE,
    redefined_alias.RULE,
    unusable_library.RULE,
    library_conflict.RULE,
    undefined_block.RULE,
    redefined_attribute.RULE,
    unknown_operation.RULE,
    unknown_name.RULE,
    unknown_transform_operation.RULE,
    missing_with_named_sequence.RULE,
    argument_effect_attributes.RULE,
    unknown_payload_operation.RULE,
    unfamiliar_payload_operation.RULE,
    unknown_extension_operation.RULE,
    needless_consumed_mark.RULE,
    unused_handle.RULE,
    swallowed_failure.RULE,
    impossible_match.RULE,
    handle_count.RULE,
    unmarked_argument.RULE,
    not_in_target_llvm.RULE,
    recursive_sequence.RULE,
    misplaced_terminator.RULE,
    malformed_body.RULE,
    yielded_values.RULE,
    attribute_value.RULE,
    call_signature.RULE,
    unfitting_types.RULE,
    consumed_twice.RULE,
    dead_arm.RULE,
    unknown_pass.RULE,
    positional_match.RULE,
    no_match_operation.RULE,
    misused_pass.RULE,
    never_succeeds.RULE,
    ignored_attribute.RULE,
    unbound_argument.RULE,
    removed_operation.RULE,
    older_form.RULE,
    invalid_operation.RULE,
    use_after_free.RULE,
    invalidated_handle.RULE,
    possibly_invalidated_handle.RULE,
    repeated_payload_operation.RULE,
    possibly_repeated_payload_operation.RULE,
    handle_across_patterns.RULE,
    consumed_through_alias.RULE,
    finds_nothing.RULE,
    fails_on_payload.RULE,
    tiles_race.RULE,
    failed_run.RULE,
    unused_suppression.RULE,
    unknown_suppressed_rule.RULE,
    malformed_suppression.RULE,
    not_analysed.RULE,
)
"""In the order of their codes; the last one reports limits that the others have exceeded."""

COMMENT_RULES: Final = frozenset(
    {unused_suppression.RULE.name, unknown_suppressed_rule.RULE.name, malformed_suppression.RULE.name}
)
"""The names of the rules about silencing comments."""

FAILING_ON_READING: Final = tuple(rule.name for rule in RULES if rule.fails_on_reading)
"""The names of the rules whose findings say that MLIR rejects the script when it reads it."""

UNFIT_FOR_TARGET: Final = tuple(dict.fromkeys((*MIGRATING, *FAILING_ON_READING)))
"""The names of the rules whose findings say that a script is not written as its target version of LLVM does."""


def find_rule(name_or_code: str) -> Rule | None:
    """Return the rule with this name (``use-after-free``) or code (``TD301``, in any case)."""
    wanted = name_or_code.casefold()
    return next((rule for rule in RULES if wanted in {rule.name, rule.code.casefold()}), None)
