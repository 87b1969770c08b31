"""Handles that operations with a parser in C++ consume: as far as number and types of operands settle it."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    Arity,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    RegionDefinition,
)
from tdls.catalogue.source import MemorySource

HANDLE, PARAMETER, ANY = (
    "TransformHandleTypeInterface",
    "TransformParamTypeInterface",
    "TransformAnyParamTypeOrAnyHandle",
)
CONSUMES, READS, UNKNOWN = HandleEffect.CONSUMES, HandleEffect.READS, HandleEffect.UNKNOWN
ONE, OPTIONAL, VARIADIC = Arity.ONE, Arity.OPTIONAL, Arity.VARIADIC


def finds_use_after_free(
    operation: str,
    *operands: tuple[str, HandleEffect, Arity],
    used: str = "%a",
    order: tuple[str, ...] = (),
    assembly_format: str | None = None,
) -> bool:
    """Whether a use of `used` behind an operation with these operands is certainly wrong."""
    return "use-after-free" in rules(operation, *operands, used=used, order=order, assembly_format=assembly_format)


def rules(
    operation: str,
    *operands: tuple[str, HandleEffect, Arity],
    used: str,
    order: tuple[str, ...] = (),
    assembly_format: str | None = None,
) -> list[str]:
    """Return the rules of all findings where `used` is used behind an operation with these operands.

    C++ parses the operation where no format is given. `order` is that of the operands ``o0``, ``o1`` and so on in the
    text, if it is known; the format may say it.
    """
    definition = OperationDefinition(
        "transform.my.step",
        operands=tuple(
            OperandDefinition(f"o{number}", constraint, arity, effect)
            for number, (constraint, effect, arity) in enumerate(operands)
        ),
        payload_effect=PayloadEffect.MODIFIES,
        operand_order=order,
        assembly_format=assembly_format,
        custom_assembly=assembly_format is None,
        regions=(RegionDefinition("body"),) if assembly_format is not None and "$body" in assembly_format else (),
    )
    script = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(
      %a: !transform.any_op {{transform.consumed}}, %b: !transform.any_op {{transform.consumed}},
      %p: !transform.param<i64> {{transform.readonly}}) {{
    {operation}
    transform.annotate {used} "mark" : !transform.any_op
    transform.yield
  }}
}}
"""
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", [definition]))
    return [finding.rule for finding in findings_in_file(SourceFile.of(script, catalogue))]


CASES = {
    "one operand": ("transform.my.step to %a with [4]", [(HANDLE, CONSUMES, ONE)], True),
    "one group": ("transform.my.step of %b, %a end", [(HANDLE, CONSUMES, VARIADIC)], True),
    "all are consumed": ("transform.my.step %a into %b", [(HANDLE, CONSUMES, ONE), (HANDLE, CONSUMES, ONE)], True),
    "types tell them apart": (
        "transform.my.step by %p on %a",
        [(HANDLE, CONSUMES, ONE), (PARAMETER, READS, ONE)],
        True,
    ),
    "what is left": ("transform.my.step %p on %a", [(HANDLE, CONSUMES, ONE), (ANY, READS, ONE)], True),
    "either may be consumed": ("transform.my.step %a into %b", [(HANDLE, CONSUMES, ONE), (HANDLE, READS, ONE)], False),
    "a rest that takes anything": (
        "transform.my.step %a by %p",
        [(HANDLE, CONSUMES, ONE), (ANY, READS, VARIADIC)],
        False,
    ),
    "not all is known": ("transform.my.step %a into %b", [(HANDLE, CONSUMES, ONE), (HANDLE, UNKNOWN, ONE)], False),
    "too few": ("transform.my.step %a", [(HANDLE, CONSUMES, ONE), (HANDLE, CONSUMES, ONE)], False),
    "too many": ("transform.my.step %a, %b", [(HANDLE, CONSUMES, OPTIONAL)], False),
    "no type fits": ("transform.my.step %a", [(PARAMETER, CONSUMES, ONE)], False),
}


@pytest.mark.parametrize(("operation", "operands", "expected"), CASES.values(), ids=CASES.keys())
def test_certain_findings_for_operands_in_unknown_order(
    operation: str, operands: list[tuple[str, HandleEffect, Arity]], expected: bool
) -> None:
    assert finds_use_after_free(operation, *operands) is expected


def test_operands_that_are_only_read_stay_valid() -> None:
    operands = [(HANDLE, CONSUMES, ONE), (PARAMETER, READS, ONE)]
    assert not finds_use_after_free("transform.my.step by %p on %a", *operands, used="%b")


PAIR = [(HANDLE, CONSUMES, ONE), (HANDLE, READS, ONE)]
SIZES = [(HANDLE, CONSUMES, ONE), (ANY, READS, VARIADIC)]
ORDERED = {
    "the definition's order": ("transform.my.step %a into %b", PAIR, ("o0", "o1"), {"%a"}),
    "the other order": ("transform.my.step %a into %b", PAIR, ("o1", "o0"), {"%b"}),
    "behind a list": ("transform.my.step [%p, %b] on %a", SIZES, ("o1", "o0"), {"%a"}),
    "before a list": ("transform.my.step %a by [%p, %b]", SIZES, ("o0", "o1"), {"%a"}),
    "an empty list": ("transform.my.step [4, 8] on %a", SIZES, ("o1", "o0"), {"%a"}),
    "an optional one before": (
        "transform.my.step %b on %a",
        [(HANDLE, CONSUMES, ONE), (HANDLE, READS, OPTIONAL)],
        ("o1", "o0"),
        {"%a"},
    ),
    "between two lists": (
        "transform.my.step %p, %a, %b",
        [(PARAMETER, READS, VARIADIC), (HANDLE, CONSUMES, ONE), (ANY, READS, VARIADIC)],
        ("o0", "o1", "o2"),
        {"%a"},
    ),
    "either list": (
        "transform.my.step %a, %b",
        [(HANDLE, CONSUMES, VARIADIC), (HANDLE, READS, VARIADIC)],
        ("o0", "o1"),
        set(),
    ),
    "what types rule out": ("transform.my.step %a, %p", [(PARAMETER, READS, ONE), *PAIR[:1]], ("o0", "o1"), set()),
    "names that are none": ("transform.my.step %a into %b", PAIR, ("from", "to"), set()),
}


@pytest.mark.parametrize(("operation", "operands", "order", "consumed"), ORDERED.values(), ids=ORDERED.keys())
def test_certain_findings_for_operands_in_known_order(
    operation: str, operands: list[tuple[str, HandleEffect, Arity]], order: tuple[str, ...], consumed: set[str]
) -> None:
    found = {used for used in ("%a", "%b") if finds_use_after_free(operation, *operands, used=used, order=order)}
    assert found == consumed


ASSUMED = {
    "the definition's order": ("transform.my.step %a into %b", PAIR, {"%a"}),
    "behind a list of another type": (
        "transform.my.step [%p] on %a",
        [(PARAMETER, READS, VARIADIC), (HANDLE, CONSUMES, ONE), (HANDLE, READS, OPTIONAL)],
        {"%a"},
    ),
    "another order": ("transform.my.step %a, %b on %p", [(PARAMETER, READS, ONE), *PAIR], set()),
    "either list": ("transform.my.step %a, %b", [(HANDLE, CONSUMES, VARIADIC), (HANDLE, READS, VARIADIC)], set()),
    "an effect that is not known": (
        "transform.my.step %a into %b",
        [(HANDLE, UNKNOWN, ONE), (HANDLE, READS, ONE)],
        set(),
    ),
}


@pytest.mark.parametrize(("operation", "operands", "consumed"), ASSUMED.values(), ids=ASSUMED.keys())
def test_possible_findings_for_operands_in_the_order_of_the_definition(
    operation: str, operands: list[tuple[str, HandleEffect, Arity]], consumed: set[str]
) -> None:
    found = {used: rules(operation, *operands, used=used) for used in ("%a", "%b")}
    assert {used for used, names in found.items() if "possibly-invalidated-handle" in names} == consumed
    assert not any("use-after-free" in names for names in found.values())


FORMATS = {
    "one operand read by C++": ("custom<Mine>($o1) `on` $o0 attr-dict", {"%b"}),
    "with its type": ("custom<Mine>($o1, type($o1)) `on` custom<Yours>(ref($o1), $o0) attr-dict", {"%b"}),
    "an attribute read by C++": ("custom<Mine>($kind) $o0 `on` $o1 attr-dict", {"%a"}),
    "all operands": ("custom<Mine>($kind) operands attr-dict", {"%a"}),
    "two at once": ("custom<Mine>($o1, $o0) attr-dict", set()),
    "with a region": ("custom<Mine>($o1, $body) `on` $o0 attr-dict", set()),
    "in any order": ("custom<Mine>($kind) oilist(`x` $o0 | `y` $o1) attr-dict", set()),
    "one in a clause": ("custom<Mine>($o1) oilist(`x` $o0 | `y`) attr-dict", {"%b"}),
}


@pytest.mark.parametrize(("assembly_format", "consumed"), FORMATS.values(), ids=FORMATS.keys())
def test_formats_parts_of_which_only_cpp_reads(assembly_format: str, consumed: set[str]) -> None:
    found = {
        used
        for used in ("%a", "%b")
        if finds_use_after_free("transform.my.step %a on %b", *PAIR, used=used, assembly_format=assembly_format)
    }
    assert found == consumed
