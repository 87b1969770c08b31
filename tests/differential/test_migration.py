"""A version of MLIR reads the migrated output of another one."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from oracle.migration import compare, migrated
from samples import some
from tdls.settings.llvm_versions import newest_version
from tools_at_hand import require_mlir_opt

MAIN = newest_version()

NAMES = [
    "transform.structured.fuse",
    "transform.structured.generalize",
    "transform.structured.tile_using_for",
]


def test_llvm_22_reads_migrated_output_of_llvm_19() -> None:
    found = compare(str(require_mlir_opt(19)), str(require_mlir_opt(22)), 19, 22, NAMES)
    assert found.accepted
    assert not found.unread


def test_a_script_for_the_version_stays() -> None:
    found = compare(str(require_mlir_opt(22)), str(require_mlir_opt(22)), 22, 22, NAMES)
    assert found.printed
    assert all(before == after for before, after in found.unread)


def test_damaged_scripts_lose_nothing() -> None:
    corpus = sorted((Path(__file__).parents[2] / "tools" / "oracle" / "run_corpus").glob("*.mlir"))
    scripts = [
        part for path in corpus for part in path.read_text(encoding="utf-8").split("// -----") if len(part) < 3000
    ]
    former = [part for part in scripts if "x86vector" in part]
    random = Random(1)
    migrations = 0
    for _ in range(some(500)):
        text = f"{random.choice(scripts)}\n// -----\n{random.choice(former)}"
        start = random.randrange(len(text))
        end = min(len(text), start + random.randrange(1, 40))
        inserted = random.choice(["", *"{}()[]<>%,:", '"'])
        damaged = text[:start] + inserted + (text[end:] if random.random() < 0.7 else "")
        result = migrated(damaged, MAIN)
        migrations += result != damaged
        assert migrated(result, MAIN) == result
        for kept in (r"[%@][\w.]+", r"//.*"):
            assert set(re.findall(kept, damaged)) <= set(re.findall(kept, result))
    assert migrations >= some(50)
