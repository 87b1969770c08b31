"""Payloads without scripts: the text that is cut by hand is the one that MLIR prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, PAYLOAD, run, sequence
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.runs.model import Emit, Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

MARK = "transform.with_named_sequence"
MAPPED = """\
  func.func @g(%i: index) -> index {
    %0 = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    return %0 : index
  }
"""
WITH_MAP = MATCH.replace("in %root", "attributes {map = affine_map<(d0) -> (d0 * 7)>} in %root")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("module {\n}\n", "module {\n}\n"),
        (f"module attributes {{{MARK}}} {{\n  a.b\n}}\n", "module {\n  a.b\n}\n"),
        (f"module @m attributes {{a, {MARK}}} {{\n}}\n", "module @m attributes {a} {\n}\n"),
        (f"module attributes {{{MARK}, z = 1 : i32}} {{\n}}\n", "module attributes {z = 1 : i32} {\n}\n"),
        (
            f"module {{\n  module attributes {{{MARK}}} {{\n    transform.x {{\n    }}\n  }}\n  a.b\n}}\n",
            "module {\n  a.b\n}\n",
        ),
        (
            f"module {{\n  module attributes {{{MARK}}} {{\n    a.b\n    transform.x\n  }}\n}}\n",
            "module {\n  module {\n    a.b\n  }\n}\n",
        ),
        ('module {\n  a.b "transform."\n}\n', 'module {\n  a.b "transform."\n}\n'),
        ("not { a module", "not { a module"),
    ],
)
def test_text(text: str, expected: str) -> None:
    assert without_scripts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        sequence(WITH_MAP, PAYLOAD + MAPPED),
        sequence(WITH_MAP, "").replace("  }\n}\n", f"  }}\n{MAPPED}}}\n"),
        f"module {{\n{MAPPED}{sequence(WITH_MAP, '')}}}\n",
        f"module {{\n{sequence(WITH_MAP, '')}{sequence('', MAPPED).replace('__transform_main', 'other')}}}\n",
    ],
)
def test_backends_cut_alike(text: str, bindings: Backend, tool: Backend) -> None:
    emits = frozenset({Emit.BEFORE, Emit.PAYLOAD})
    ours, theirs = run(bindings, text, emits=emits), run(tool, text, emits=emits)
    assert (ours.status, theirs.status) == (Status.SUCCESS, Status.SUCCESS), ours.diagnostics
    assert ours.texts == theirs.texts
    assert "transform." not in ours.texts[Emit.PAYLOAD]
    assert "d0 * 3" in ours.texts[Emit.PAYLOAD]
    assert "d0 * 7" not in ours.texts[Emit.PAYLOAD]
