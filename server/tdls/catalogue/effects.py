"""The effect of one instance on its handles, where attributes decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import HandleEffect, OperandDefinition, OperationDefinition, ResultDefinition


def handle_effect(
    definition: OperationDefinition,
    value: OperandDefinition | ResultDefinition,
    attributes: Mapping[str, str],
) -> HandleEffect:
    """The effect on an operand or result of `definition`, for an instance with these attributes.

    `attributes` maps names to values as they are spelled; a unit attribute that is present has any value. Attributes
    that are absent count with their default.
    """
    if not value.effect_when:
        return value.effect
    defaults = {attribute.name: attribute.default for attribute in definition.attributes}
    for exception in value.effect_when:
        spelled = attributes.get(exception.attribute, defaults.get(exception.attribute))
        if spelled is not None and exception.value in (None, spelled):
            return exception.effect
    return value.effect
