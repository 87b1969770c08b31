"""A dialect that is written in Python, in the ways in which MLIR's own tests write them."""

# mypy: ignore-errors
# ruff: noqa: ARG004, D, TC003, UP

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import ext, transform

i32 = ir.IntegerType[32]


class Mill(ext.Dialect, name="mill"):
    pass


class Stone(Mill.Type, name="stone"):
    """A stone."""

    weight: ir.IntegerAttr


class Dust(Mill.Type, name="dust"):
    pass


class ReadsAll(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op, effects):
        transform.only_reads_handle(op.op_operands, effects)
        transform.produces_handle(op.results, effects)
        transform.only_reads_payload(effects)


class TransformStep(Mill.Operation):
    """Base class of all steps."""

    @classmethod
    def attach_interface_impls(cls, context=None):
        cls.Step.attach(cls.OPERATION_NAME, context=context)
        cls.Effects.attach(cls.OPERATION_NAME, context=context)

    class Step(transform.TransformOpInterface):
        @staticmethod
        def apply(op, rewriter, results, state):
            return transform.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_op):
            return False

    class Effects(ReadsAll):
        pass


class CountOp(TransformStep, name="count"):
    """Count the stones.

    Returns a number.
    """

    target: ext.Operand[transform.AnyOpType]
    unit: ir.StringAttr
    number: ext.Result[transform.AnyParamType[()]]


class CutOp(TransformStep, name="cut"):
    target: ext.Operand[transform.AnyOpType]
    anchors: Sequence[ext.Operand[transform.AnyOpType]]
    depth: ext.Operand[transform.AnyParamType] | None
    pieces: Sequence[ext.Result[transform.AnyOpType]]
    rest: ext.Result[transform.AnyOpType[()]] | None

    class Step(transform.TransformOpInterface):
        @staticmethod
        def apply(op, rewriter, results, state):
            return transform.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_op):
            return True

    class Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op, effects):
            transform.consumes_handle(op.op_operands[:1], effects)
            transform.only_reads_handle(op.op_operands[1:], effects)
            if len(op.results):
                transform.produces_handle(op.results, effects)
            transform.modifies_payload(effects)


class EndOp(Mill.Operation, name="end", traits=[ir.IsTerminatorTrait]):
    values: Sequence[ext.Operand[Any]]


class PitOp(ext.Operation, dialect=Mill, name="pit"):
    cond: ext.Operand[ir.IntegerType[1]]
    weight: ext.Operand[i32]
    body: ext.Region


class ShapesOp(Mill.Operation, name="shapes"):
    @classmethod
    def attach_interface_impls(cls, context=None):
        cls.Patterns.attach(cls.OPERATION_NAME, context=context)

    class Patterns(transform.PatternDescriptorOpInterface):
        @staticmethod
        def populate_patterns(op, patterns):
            pass
