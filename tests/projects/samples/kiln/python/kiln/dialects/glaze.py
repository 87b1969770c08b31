"""Transform operations that are written in Python."""

from mlir import ir
from mlir.dialects import ext, transform
from mlir.dialects.transform import DiagnosedSilenceableFailure


class KilnTransformDialect(ext.Dialect, name="kiln_transform"):
    """Operations that need no C++."""


class GlazeOp(KilnTransformDialect.Operation, name="glaze"):
    """Covers `pieces` with the glaze that `recipe` describes.

    The handle to the pieces is consumed, the recipe is only looked at.
    """

    recipe: ext.Operand[transform.AnyOpType]
    pieces: ext.Operand[transform.AnyOpType]
    coats: ir.IntegerAttr
    glazed: ext.Result[transform.AnyOpType[()]] = ext.infer_result()

    @classmethod
    def attach_interface_impls(cls, context=None):
        cls.TransformOpInterfaceModel.attach(cls.OPERATION_NAME, context=context)
        cls.MemoryEffectsOpInterfaceModel.attach(cls.OPERATION_NAME, context=context)

    class TransformOpInterfaceModel(transform.TransformOpInterface):
        @staticmethod
        def apply(op, rewriter, results, state):
            results.set_ops(op.glazed, list(state.get_payload_ops(op.pieces)))
            return DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_op):
            return False

    class MemoryEffectsOpInterfaceModel(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op, effects):
            transform.only_reads_handle(op.op_operands[:1], effects)
            transform.consumes_handle(op.op_operands[1:], effects)
            transform.produces_handle(op.results, effects)
            transform.modifies_payload(effects)


class WeighOp(KilnTransformDialect.Operation, name="weigh"):
    """Weighs the pieces."""

    pieces: ext.Operand[transform.AnyOpType]
    weights: ext.Result[transform.AnyParamType[()]]

    @classmethod
    def attach_interface_impls(cls, context=None):
        cls.TransformOpInterfaceModel.attach(cls.OPERATION_NAME, context=context)
        cls.MemoryEffectsOpInterfaceModel.attach(cls.OPERATION_NAME, context=context)

    class TransformOpInterfaceModel(transform.TransformOpInterface):
        @staticmethod
        def apply(op, rewriter, results, state):
            results.set_params(op.weights, [weight_of(piece) for piece in state.get_payload_ops(op.pieces)])
            return DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_op):
            return False

    class MemoryEffectsOpInterfaceModel(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op, effects):
            transform.only_reads_handle(op.op_operands, effects)
            transform.produces_handle(op.results, effects)
            transform.only_reads_payload(effects)
