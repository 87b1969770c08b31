"""The modules of the differential tests: everything MLIR accepts, with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from oracle.payload_modules import payload_modules, seeds
from oracle.spelling import variant
from oracle.tools import run
from oracle.transform_modules import scripts, transform_modules


@dataclass(frozen=True)
class CorpusModule:
    """A module MLIR accepts. `kind` is what the counts are grouped by."""

    text: str
    title: str
    kind: str
    explicit_locations: bool = False


def corpus(seed: int = 0) -> list[CorpusModule]:
    """Return all modules, in an order that does not put similar ones together."""
    modules = [*_transform(seed), *_scripts(), *_payload(), *_variants(seed)]
    Random(seed).shuffle(modules)
    return modules


def _transform(seed: int) -> list[CorpusModule]:
    return [
        CorpusModule(module.text, f"{module.operation} [{module.shape}]", f"transform operation, {module.printing}")
        for module in transform_modules(seed)
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


def _payload() -> list[CorpusModule]:
    return [
        CorpusModule(module.text, module.title, f"payload, {module.printing}", module.explicit_locations)
        for module in payload_modules()
    ]


def _variants(seed: int) -> list[CorpusModule]:
    """Write the custom forms in other ways, and keep what is still accepted."""
    random = Random(seed)
    origins = [(module.operation, module.text) for module in transform_modules(seed) if module.printing == "custom"]
    origins += [*scripts(), *seeds()]
    written = [(title, variant(text, random)) for title, text in origins]
    outcomes = run([text for _, text in written], "--allow-unregistered-dialect")
    return [
        CorpusModule(text, title, "other spelling")
        for (title, text), outcome in zip(written, outcomes, strict=True)
        if outcome.text is not None
    ]
