"""Makes bindings like older ones, in which Python cannot define transform operations."""

from __future__ import annotations

from typing import Any


def register(_context: Any) -> None:
    """Take that away."""
    from torch_mlir._mlir_libs import _mlirDialectsTransform

    del _mlirDialectsTransform.TransformOpInterface
