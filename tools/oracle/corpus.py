"""The modules of the differential tests: everything MLIR accepts, with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from oracle.payload_modules import STAGES, payload_modules, seeds
from oracle.spelling import variant
from oracle.tools import run
from oracle.transform_modules import scripts, transform_modules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.transform_modules import TransformModule

_SAMPLED_STAGES = 8


@dataclass(frozen=True)
class CorpusModule:
    """A module MLIR accepts. The counts are grouped by `kind`."""

    text: str
    title: str
    kind: str
    explicit_locations: bool = False


@cache
def corpus(seed: int = 0, *, sample: bool = False) -> tuple[CorpusModule, ...]:
    """Return all modules, in an order that does not put similar ones together.

    A sample has every transform operation, but only some stages of the payload: it is made in seconds.
    """
    stages = STAGES[::_SAMPLED_STAGES] if sample else STAGES
    shapes = transform_modules(seed, attempts=10, kept=3) if sample else transform_modules(seed)
    modules = [*_transform(shapes), *_scripts(), *_payload(stages), *_variants(shapes, seed)]
    Random(seed).shuffle(modules)
    return tuple(modules)


def _transform(shapes: Sequence[TransformModule]) -> list[CorpusModule]:
    return [
        CorpusModule(module.text, f"{module.operation} [{module.shape}]", f"transform operation, {module.printing}")
        for module in shapes
    ]


def _scripts() -> list[CorpusModule]:
    written = scripts()
    texts = [text for _, text in written]
    modules = [CorpusModule(text, title, "script, as written") for title, text in written]
    for printing, options in (("custom", ()), ("generic", ("--mlir-print-op-generic",))):
        for (title, _), outcome in zip(written, run(texts, *options), strict=True):
            if outcome.text is None:
                raise ValueError(f"mlir-opt rejects {title}: {outcome.diagnostics[:1]}")
            modules.append(CorpusModule(outcome.text, title, f"script, {printing}"))
    return modules


def _payload(stages: Sequence[tuple[str, ...]]) -> list[CorpusModule]:
    return [
        CorpusModule(module.text, module.title, f"payload, {module.printing}", module.explicit_locations)
        for module in payload_modules(stages)
    ]


def _variants(shapes: Sequence[TransformModule], seed: int) -> list[CorpusModule]:
    """Write the custom forms in other ways, and keep the texts that MLIR still accepts."""
    random = Random(seed)
    origins = [(module.operation, module.text) for module in shapes if module.printing == "custom"]
    written = [(title, variant(text, random)) for title, text in [*origins, *scripts()]]
    written += [(title, variant(text, random, keep_lines=True)) for title, text in seeds()]
    outcomes = run([text for _, text in written], "--allow-unregistered-dialect")
    return [
        CorpusModule(text, title, "other spelling")
        for (title, text), outcome in zip(written, outcomes, strict=True)
        if outcome.text is not None
    ]
