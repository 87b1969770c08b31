"""Forms of lines that are not read: MLIR reads them, and they have all that the line says."""

from __future__ import annotations

import re
import subprocess

import pytest

from tdls.ide.forms.own_form import own_form
from tools_at_hand import require_mlir_opt

OP = "!transform.any_op"


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("%t, %l = STR.tile_using_for %m [8] : (OP) -> (OP, OP)", "tile_sizes [8]"),
        ("%t, %l:2 = STR.tile_using_for %m [8, 16] : (OP) -> (OP, OP, OP)", "%t, %l:2 = STR.tile_using_for %m tile"),
        ("%t, %l = STR.tile_using_forall %m tile_size [8, 4] : (OP) -> (OP, OP)", "tile_sizes [8, 4]"),
        ("STR.vectorize %m vector_size [64, 32, 128] : OP", "vector_sizes [64, 32, 128]"),
        ("%f, %l:2 = STR.fuse %m {tile_sizes = [4, 2]} : (OP) -> (OP, OP, OP)", "%m tile_sizes [4, 2] : (OP) ->"),
        ('%x = STR.match ops ["linalg.matmul"] %m : (OP) -> OP // why', 'ops{["linalg.matmul"]} in %m'),
        ('%a = transform.cast %m : OP -> !transform.op<"linalg.matmul">', 'OP to !transform.op<"linalg.matmul">'),
        ("transform.loop.unroll %m factor 4 : OP", "{factor = 4}"),
        ("%a, %b = transform.split_handle %m (OP) -> (OP, OP)", "%m : (OP) -> (OP, OP)"),
        ("%t, %l = STR.tile_using_forall %m [8, 8] : (OP) -> (OP, OP)", ""),
        ("%v = STR.vectorize %m vector_sizes [64, 32, 128] : (OP) -> OP", ""),
        ("%x = transform.foreach_match in %m @is -> @do : (OP) -> OP", ""),
        ("%0 = STR.pad %m {padding_values=[0.0 : f32], padding_dimensions=[0]} : (OP) -> OP", ""),
        ("transform.foreach %m OP {", ""),
    ],
)
def test_a_form_has_all_that_its_line_says_and_mlir_reads_it(line: str, form: str) -> None:
    line, form = (text.replace("STR", "transform.structured").replace("OP", OP) for text in (line, form))
    found = own_form(line)
    assert form in found if form else found == ""
    pieces = [sorted(re.findall(r"[%@][\w:]+|[\d.]+|\"[^\"]*\"", text.partition("//")[0])) for text in (line, found)]
    assert not found or pieces[0] == pieces[1]
    script = f"transform.sequence failures(propagate) {{\n^bb0(%m: {OP}):\n{found}\n}}\n"
    command = [str(require_mlir_opt(22)), "-"]
    assert subprocess.run(command, input=script, capture_output=True, text=True, check=False).stderr == ""
