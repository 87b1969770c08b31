from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.backend import Backend


@pytest.fixture(scope="module")
def bindings() -> Iterator[Backend]:
    require_bindings()
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def tool() -> Iterator[Backend]:
    backend = open_backend(BackendChoice(str(require_mlir_opt(22))))
    yield backend
    backend.close()


@pytest.fixture(params=["bindings", "tool"])
def backend(request: pytest.FixtureRequest) -> Backend:
    found: Backend = request.getfixturevalue(request.param)
    return found
