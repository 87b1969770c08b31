"""Runs llvm-tblgen on a file, and finds MLIR's TableGen files."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facts.records import Records

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOL = "llvm-tblgen-22"
_TRANSFORM_FOLDERS = ("TransformOps", "Transform/IR", "Extension")
_PAYLOAD_FILES = (
    "Affine/IR/AffineOps.td",
    "Arith/IR/ArithOps.td",
    "Complex/IR/ComplexOps.td",
    "ControlFlow/IR/ControlFlowOps.td",
    "Func/IR/FuncOps.td",
    "GPU/IR/GPUOps.td",
    "Linalg/IR/LinalgOps.td",
    "Linalg/IR/LinalgStructuredOps.td",
    "Math/IR/MathOps.td",
    "MemRef/IR/MemRefOps.td",
    "PDL/IR/PDLOps.td",
    "SCF/IR/SCFOps.td",
    "Tensor/IR/TensorOps.td",
    "Tosa/IR/TosaOps.td",
    "Vector/IR/VectorOps.td",
)


@cache
def include_folder() -> Path:
    """MLIR's include folder. Raises FileNotFoundError with the package to install."""
    tool = shutil.which(TOOL)
    if tool is None:
        raise FileNotFoundError(f"{TOOL} is not installed (Debian package llvm-22)")
    folder = Path(tool).resolve().parents[1] / "include"
    if not (folder / "mlir").is_dir():
        raise FileNotFoundError(f"{folder} has no MLIR (Debian package libmlir-22-dev)")
    return folder


def transform_files() -> list[Path]:
    """MLIR's files with transform operations."""
    found = sorted((include_folder() / "mlir/Dialect").rglob("*Ops.td"))
    return [path for path in found if any(folder in path.parent.as_posix() for folder in _TRANSFORM_FOLDERS)]


def payload_files() -> list[Path]:
    """MLIR's files with operations of payload dialects."""
    return [include_folder() / "mlir/Dialect" / name for name in _PAYLOAD_FILES]


def all_files() -> list[Path]:
    """All of MLIR's TableGen files."""
    return sorted((include_folder() / "mlir").rglob("*.td"))


def read(path: Path) -> str | None:
    """The text of a file, None if there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def dump(file: Path, folders: Sequence[Path] = ()) -> Records | None:
    """The records of a file and its includes; None where llvm-tblgen rejects it, as it does with fragments."""
    command = [TOOL, "--dump-json", *(f"-I{folder}" for folder in (*folders, file.parent)), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return Records(str(file), json.loads(done.stdout)) if done.returncode == 0 else None


def named(records: Records) -> dict[str, dict[str, Any]]:
    """The records that have a name."""
    return {name: record for name, record in records.by_name.items() if name[0] != "!" and not record["!anonymous"]}
