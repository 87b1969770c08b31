"""Scripts in the styles of public projects, full of operations that no catalogue knows, and one mistake for
each.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).parent / "downstream"


@dataclass(frozen=True)
class Mistake:
    """Put `new` in place of `old`, which stands once in the script: tdls has to report `rule` on a line of
    it.

    `line` is a text on the line of the finding, where that is not the changed one.
    """

    script: str
    old: str
    new: str
    rule: str
    line: str = ""

    def applied(self) -> str:
        """Return the script with the mistake. Raises ValueError where `old` does not stand there once."""
        text = script(self.script)
        if text.count(self.old) != 1:
            raise ValueError(f"{self.script}: {self.old!r} stands there {text.count(self.old)} times")
        return text.replace(self.old, self.new)

    def expected_lines(self) -> set[int]:
        """Return the lines (1-based) the finding may be on."""
        text = self.applied()
        if self.line:
            return {number for number, line in enumerate(text.splitlines(), 1) if self.line in line}
        first = script(self.script).index(self.old)
        start = text.count("\n", 0, first) + 1
        return set(range(start, start + self.new.count("\n") + 1))


def names() -> list[str]:
    """Return the names of the scripts."""
    return sorted(path.stem for path in SCRIPTS.glob("*.mlir"))


def script(name: str) -> str:
    """Return the text of a script."""
    return (SCRIPTS / f"{name}.mlir").read_text(encoding="utf-8")


MISTAKES: tuple[Mistake, ...] = (
    Mistake("aie_placement", "unroll %loops { factor", "unroll %loop { factor", "undefined-value"),
    Mistake(
        "air_matmul_herd",
        "%launch = transform.air.par_to_launch %tiled#1",
        "%launch = transform.air.par_to_launch %tiled#2",
        "undefined-value",
    ),
    Mistake(
        "air_segment",
        '"after pipeline"} : !pdl.operation',
        '"after pipeline"} : !transform.any_op',
        "type-mismatch",
    ),
    Mistake("allo_customize", "%k, %inner : !t", "%k, %innermost : !t", "undefined-value"),
    Mistake(
        "alternatives_vendor",
        "  transform.vendor.commit %best",
        "  transform.print %func : !transform.any_op",
        "use-after-free",
    ),
    Mistake(
        "dataflow_custom_forms",
        "    transform.df.emit %report",
        "    %all = transform.df.emit %report",
        "redefined-value",
    ),
    Mistake("generic_only", '"transform.print"(%1#0)', '"transform.print"(%1#2)', "undefined-value"),
    Mistake(
        "gpu_kernels_vendor",
        "match.param.cmpi gt %n, %zero : !transform.param<i64>",
        "match.param.cmpi gt %n, %zero : !transform.param<i32>",
        "type-mismatch",
    ),
    Mistake("hardware_synthesis", "%latency <= 40", "%latenzy <= 40", "undefined-value"),
    Mistake(
        "heir_layout",
        "transform.structured.match ops{",
        "transform.structured.match opps{",
        "syntax-error",
    ),
    Mistake(
        "iree_attention",
        "@match_attention -> @apply_attention_config",
        "@match_attention -> @apply_config",
        "unknown-symbol",
    ),
    Mistake(
        "iree_cpu_bufferize",
        "  transform.iree.eliminate_empty_tensors",
        "  transform.print %fill : !transform.any_op\n  transform.iree.eliminate_empty_tensors",
        "use-after-free",
    ),
    Mistake(
        "iree_preprocessing",
        "get_defining_op %out : (!transform.any_value)",
        "get_defining_op %out : (!transform.any_op)",
        "type-mismatch",
    ),
    Mistake(
        "iree_register_callbacks",
        "transform.apply_cse to %func",
        "transform.apply_csee to %func",
        "unknown-transform-operation",
    ),
    Mistake(
        "iree_tuning_dag",
        "transform.with_named_sequence",
        "transform.with_named_sequences",
        "attribute-value",
    ),
    Mistake("lighthouse_xegpu", "include @set_layouts", "include @set_layout", "unknown-symbol"),
    Mistake(
        "mixed_generations",
        "%rest, %hoisted]",
        "%rest, %hoisted]\n    transform.structured.vectorize %0 : !transform.any_op",
        "use-after-free",
    ),
    Mistake(
        "nested_library",
        "transform.yield %tile, %loops : !transform.any_op, !transform.any_op",
        "transform.yield %tile, %loops : !transform.any_op",
        "operand-count",
    ),
    Mistake("quantum", "%1 = transform.catalyst", "%0 = transform.catalyst", "redefined-value"),
    Mistake(
        "split_tests",
        'emit_remark_at %0, "visited" :',
        'emit_remark_at %0 "visited" :',
        "syntax-error",
    ),
    Mistake(
        "stdx_fusion",
        "    %loops, %more = transform.structured.fuse %result#0",
        "    %loops, %more, %most = transform.structured.fuse %result#0",
        "result-count",
    ),
    Mistake("stencil_gpu", "-> !transform.param<i64>", "-> !transform.param<i64", "syntax-error"),
    Mistake(
        "tpp_brgemm",
        "    transform.tpp.convert_linalg_to_xsmm",
        "    transform.print %matmul : !transform.any_op\n    transform.tpp.convert_linalg_to_xsmm",
        "use-after-free",
    ),
    Mistake(
        "triton_pipeline",
        "split_handle %loads {overflow_result = 1}",
        "split_handle %load {overflow_result = 1}",
        "undefined-value",
    ),
    Mistake(
        "tutorial_my",
        "transform.cast %call : !transform.any_op to",
        "transform.cast %new : !transform.any_op to",
        "use-before-definition",
    ),
)
