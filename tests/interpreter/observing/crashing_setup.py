"""A project's transform operation that crashes, as its setup registers it with the bindings."""

from __future__ import annotations

import os
import signal
from typing import Any

NAME = "broken.crash"


def register(context: Any) -> None:
    """Define the operation, which has no operands."""
    from torch_mlir import ir
    from torch_mlir._mlir_libs import _mlirDialectsIRDL, _mlirDialectsTransform

    class Step(_mlirDialectsTransform.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(*_arguments: Any) -> Any:
            os.kill(os.getpid(), signal.SIGSEGV)

        @staticmethod
        def allow_repeated_handle_operands(_operation: Any) -> bool:
            return True

    class Effects(ir.MemoryEffectsOpInterface):  # type: ignore[misc]
        @staticmethod
        def get_effects(_operation: Any, effects: Any) -> None:
            _mlirDialectsTransform.modifies_payload(effects)

    dialect, operation = NAME.split(".")
    with context:
        _mlirDialectsIRDL.load_dialects(
            ir.Module.parse(f"irdl.dialect @{dialect} {{ irdl.operation @{operation} {{ }} }}")
        )
        Step.attach(NAME)
        Effects.attach(NAME)
