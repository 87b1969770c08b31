"""Payload of many dialects, as upstream's own passes print it at several stages of lowering."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.tools import SPLIT_MARKER, run

if TYPE_CHECKING:
    from collections.abc import Sequence

SEEDS = Path(__file__).parent / "payload"

_BUFFERIZE = "--one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops"
_TO_LLVM = (
    "--convert-vector-to-scf",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
)
_TOSA = ("--tosa-to-linalg-named", "--tosa-to-linalg", "--tosa-to-arith", "--tosa-to-tensor", "--tosa-to-scf")
_GPU = ("--gpu-map-parallel-loops", "--convert-parallel-loops-to-gpu")

STAGES: tuple[tuple[str, ...], ...] = (
    (),
    ("--canonicalize",),
    ("--cse", "--symbol-dce", "--loop-invariant-code-motion", "--sccp"),
    ("--inline",),
    ("--linalg-generalize-named-ops",),
    ("--linalg-generalize-named-ops", "--linalg-fuse-elementwise-ops", "--canonicalize"),
    (_BUFFERIZE,),
    (_BUFFERIZE, "--convert-linalg-to-loops"),
    (_BUFFERIZE, "--convert-linalg-to-affine-loops"),
    (_BUFFERIZE, "--convert-linalg-to-affine-loops", "--affine-loop-tile=tile-size=8"),
    (_BUFFERIZE, "--convert-linalg-to-affine-loops", "--affine-super-vectorize=virtual-vector-size=8"),
    (_BUFFERIZE, "--convert-linalg-to-parallel-loops"),
    (_BUFFERIZE, "--convert-linalg-to-parallel-loops", *_GPU),
    (_BUFFERIZE, "--convert-linalg-to-parallel-loops", *_GPU, "--gpu-kernel-outlining"),
    (_BUFFERIZE, "--convert-linalg-to-parallel-loops", "--convert-scf-to-openmp"),
    (_BUFFERIZE, "--convert-linalg-to-parallel-loops", "--async-parallel-for"),
    (_BUFFERIZE, "--ownership-based-buffer-deallocation", "--canonicalize"),
    (_BUFFERIZE, "--ownership-based-buffer-deallocation", "--lower-affine", "--convert-scf-to-cf"),
    (_BUFFERIZE, "--buffer-results-to-out-params", "--promote-buffers-to-stack", "--buffer-hoisting"),
    (_BUFFERIZE, "--convert-linalg-to-loops", *_TO_LLVM),
    ("--empty-tensor-to-alloc-tensor", "--eliminate-empty-tensors"),
    _TO_LLVM,
    ("--affine-loop-unroll=unroll-factor=3",),
    ("--affine-data-copy-generate=generate-dma=false fast-mem-space=0",),
    ("--lower-affine",),
    ("--scf-for-to-while",),
    ("--scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,4",),
    ("--scf-forall-to-parallel",),
    ("--scf-forall-to-for",),
    ("--convert-scf-to-cf",),
    ("--convert-scf-to-cf", "--lift-cf-to-scf"),
    ("--async-to-async-runtime",),
    ("--async-to-async-runtime", "--convert-async-to-llvm"),
    ("--convert-vector-to-scf",),
    ("--convert-vector-to-scf=full-unroll", "--lower-vector-mask"),
    ("--convert-vector-to-llvm",),
    ("--convert-vector-to-llvm=enable-x86vector enable-amx", "--convert-func-to-llvm"),
    ("--convert-vector-to-llvm=enable-arm-neon enable-arm-sve", "--convert-func-to-llvm"),
    ("--convert-vector-to-spirv",),
    ("--convert-vector-to-xegpu",),
    ("--convert-vector-to-arm-sme", "--convert-arm-sme-to-scf"),
    ("--convert-vector-to-gpu=use-nvgpu",),
    ("--gpu-kernel-outlining", "--gpu-async-region"),
    ("--gpu-kernel-outlining", "--convert-gpu-to-nvvm"),
    ("--convert-gpu-to-rocdl",),
    ("--convert-gpu-to-llvm-spv",),
    ("--gpu-to-llvm",),
    ("--convert-nvgpu-to-nvvm",),
    ("--nvvm-attach-target=chip=sm_90", "--rocdl-attach-target", "--spirv-attach-target"),
    _TOSA,
    (*_TOSA, "--canonicalize", "--cse"),
    (*_TOSA, _BUFFERIZE, "--convert-linalg-to-loops"),
    (*_TOSA, _BUFFERIZE, "--convert-linalg-to-loops", *_TO_LLVM),
    ("--tosa-layerwise-constant-fold", "--tosa-infer-shapes", "--tosa-make-broadcastable"),
    ("--sparse-reinterpret-map",),
    ("--sparse-reinterpret-map", "--sparsification"),
    ("--sparsification-and-bufferization",),
    ("--lower-sparse-ops-to-foreach",),
    ("--remove-shape-constraints",),
    ("--convert-shape-constraints", "--convert-shape-to-std"),
    ("--convert-arith-to-emitc", "--convert-memref-to-emitc", "--convert-scf-to-emitc"),
    ("--convert-to-emitc",),
    ("--convert-arith-to-emitc", "--convert-func-to-emitc", "--form-expressions"),
    ("--convert-arith-to-spirv", "--convert-func-to-spirv", "--convert-cf-to-spirv"),
    ("--convert-scf-to-spirv",),
    ("--convert-tensor-to-spirv", "--convert-math-to-spirv", "--convert-complex-to-spirv"),
    ("--convert-pdl-to-pdl-interp",),
    ("--convert-math-to-libm", "--convert-complex-to-libm"),
    ("--convert-math-to-funcs", "--math-expand-ops"),
    ("--convert-math-to-llvm", "--convert-complex-to-llvm", "--convert-index-to-llvm"),
    ("--convert-complex-to-standard",),
    ("--arith-expand", "--arith-unsigned-when-equivalent", "--int-range-optimizations"),
    ("--expand-strided-metadata", "--fold-memref-alias-ops"),
    ("--mem2reg", "--sroa"),
    ("--convert-func-to-llvm", "--convert-cf-to-llvm", "--finalize-memref-to-llvm"),
    ("--convert-ub-to-llvm", "--convert-openmp-to-llvm"),
    ("--llvm-legalize-for-export", "--ensure-debug-info-scope-on-llvm-func"),
    ("--lower-quant-ops", "--strip-func-quant-types"),
    ("--convert-to-llvm=filter-dialects=mpi",),
    ("--convert-xevm-to-llvm",),
    ("--transform-interpreter",),
    ("--transform-interpreter", "--canonicalize", "--cse"),
)

_ON_FUNCTIONS = frozenset(
    {
        "--affine-loop-unroll",
        "--convert-arm-sme-to-llvm",
        "--shard-partition",
        "--sharding-propagation",
        "--tosa-to-linalg",
        "--tosa-to-linalg-named",
    }
)

_PRINTINGS: dict[str, tuple[str, ...]] = {
    "custom": (),
    "generic": ("--mlir-print-op-generic",),
    "local scope": ("--mlir-print-local-scope",),
    "locations": ("--mlir-print-debuginfo",),
    "generic, local locations": (
        "--mlir-print-op-generic",
        "--mlir-print-debuginfo",
        "--mlir-print-local-scope",
    ),
    "value users": ("--mlir-print-value-users",),
    "unique names": ("--mlir-print-unique-ssa-ids",),
}


@dataclass(frozen=True)
class PayloadModule:
    """One printed module and where it comes from. `explicit_locations` says that every operation has one."""

    text: str
    seed: str
    stage: tuple[str, ...]
    printing: str

    @property
    def explicit_locations(self) -> bool:
        """Say whether the printer wrote the location of every operation."""
        return "locations" in self.printing

    @property
    def title(self) -> str:
        """Name the module for people."""
        return f"{self.seed} {' '.join(self.stage) or 'as written'} ({self.printing})"


def seeds() -> list[tuple[str, str]]:
    """Return the hand-written modules as pairs of title and text."""
    found = []
    for path in sorted(SEEDS.glob("*.mlir")):
        chunks = path.read_text(encoding="utf-8").split(f"{SPLIT_MARKER}\n")
        found += [(f"{path.stem}:{number}", chunk) for number, chunk in enumerate(chunks)]
    return found


def payload_modules(stages: Sequence[tuple[str, ...]] = STAGES) -> list[PayloadModule]:
    """Return every seed after every stage it survives, in every printing; no text occurs twice."""
    modules = [PayloadModule(text, title, (), "as written") for title, text in seeds()]
    staged = _staged(stages)
    texts = {module.text for module in modules}
    for printing, options in _PRINTINGS.items():
        printed = run([module.text for module in staged], "--allow-unregistered-dialect", *options)
        for module, outcome in zip(staged, printed, strict=True):
            text = (outcome.text or "").replace('"<stdin>"', '"origin.mlir"')
            if text and text not in texts:
                texts.add(text)
                modules.append(PayloadModule(text, module.seed, module.stage, printing))
    return modules


def _staged(stages: Sequence[tuple[str, ...]]) -> list[PayloadModule]:
    """Run the stages; a seed that a pass rejects or leaves as an earlier stage did is dropped there."""
    written = seeds()
    found: dict[str, PayloadModule] = {}
    for stage in stages:
        outcomes = run([text for _, text in written], *_options(stage))
        for (title, _), outcome in zip(written, outcomes, strict=True):
            if outcome.text and outcome.text not in found:
                found[outcome.text] = PayloadModule(outcome.text, title, stage, "custom")
    return list(found.values())


def _options(stage: tuple[str, ...]) -> list[str]:
    """Return the options of `mlir-opt` that run the passes of a stage; some need a pipeline on functions."""
    names = [entry.partition("=")[0] for entry in stage]
    if not _ON_FUNCTIONS.intersection(names):
        return ["--allow-unregistered-dialect", *stage]
    passes = []
    for entry, name in zip(stage, names, strict=True):
        text = entry.removeprefix("--").replace("=", "{", 1) + ("}" if "=" in entry else "")
        passes.append(f"func.func({text})" if name in _ON_FUNCTIONS else text)
    return ["--allow-unregistered-dialect", f"--pass-pipeline=builtin.module({','.join(passes)})"]
