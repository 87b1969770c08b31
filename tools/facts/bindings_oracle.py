"""MLIR through its Python bindings, in another process: it may crash."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from facts.effects import Observation
from facts.oracles import consumed_in_wrapper
from facts.records import FactsError
from tdls.catalogue.model import HandleEffect, PayloadEffect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from facts.instances import Instance

_RUNNER = Path(__file__).with_name("bindings_runner.py")
_WHERE = "import importlib.util; print(importlib.util.find_spec({!r}).submodule_search_locations[0])"


@dataclass(frozen=True)
class Bindings:
    """The bindings `package` of a Python interpreter."""

    python: str
    package: str

    @property
    def dialects_folder(self) -> Path:
        """The folder of the generated modules. Raises FactsError if Python does not find the package."""
        output = self._call(["-c", _WHERE.format(self.package)], "")
        if output.returncode != 0:
            raise FactsError(f"{self.python} has no package {self.package}; install it, or name another Python")
        return Path(output.stdout.strip()) / "dialects"

    def registered(self, names: Sequence[str]) -> set[str]:
        """Those names that are operations of this MLIR."""
        return self._known("registered", names)

    def registered_passes(self, names: Sequence[str]) -> set[str]:
        """Those names that are passes or pipelines of this MLIR."""
        return self._known("passes", names)

    def pipelines(self, names: Sequence[str]) -> dict[str, str]:
        """The passes with their options as this MLIR prints them; "" for those at which it crashes."""
        found: dict[str, str] = {}
        while rest := [name for name in names if name not in found]:
            output = self._call([str(_RUNNER), self.package, "pipelines"], "\n".join(rest))
            printed = [json.loads(line) for line in output.stdout.splitlines() if line.startswith('"')]
            found.update(zip(rest, printed, strict=False))
            if len(printed) < len(rest):
                found[rest[len(printed)]] = ""
        return found

    def _known(self, command: str, names: Sequence[str]) -> set[str]:
        output = self._call([str(_RUNNER), self.package, command], "\n".join(names))
        if output.returncode != 0:
            raise FactsError(f"{self.python}: {output.stderr.strip()}")
        answers = output.stdout.split()
        return {name for name, answer in zip(names, answers, strict=True) if answer == "true"}

    def printed(self, texts: Sequence[str], pipeline: str = "") -> list[str | None]:
        """Modules after parsing, verifying and an optional pass pipeline; None where MLIR rejects one or crashes."""
        return self._printed(texts, "run", *filter(None, [pipeline]))

    def generic(self, texts: Sequence[str]) -> list[str | None]:
        """Modules in the generic form; None where MLIR rejects one or crashes."""
        return self._printed(texts, "generic")

    def _printed(self, texts: Sequence[str], *command: str) -> list[str | None]:
        printed: list[str | None] = []
        while len(printed) < len(texts):
            rest = texts[len(printed) :]
            lines = "\n".join(map(json.dumps, rest))
            output = self._call([str(_RUNNER), self.package, *command], lines)
            printed += [json.loads(line) for line in output.stdout.splitlines() if line.startswith(('"', "null"))]
            if len(printed) < len(texts):
                printed.append(None)
        return printed

    def ask(self, candidates: Sequence[Instance]) -> list[Observation]:
        """Observations of those candidates that verify.

        The bindings show which operands are consumed. An operand that is not counts as read, a result as produced.
        An operation that the canonicalizer erases does not modify the payload; one that stays though it consumes
        nothing modifies it; of others it is unknown.
        """
        texts = self.printed([candidate.text for candidate in candidates])
        valid = [candidate for candidate, text in zip(candidates, texts, strict=True) if text is not None]
        inferred = self.printed([instance.wrapped for instance in valid], "builtin.module(transform-infer-effects)")
        cleaned = self.printed([instance.text for instance in valid], "builtin.module(canonicalize)")
        return [_observation(*facts) for facts in zip(valid, inferred, cleaned, strict=True)]

    def _call(self, arguments: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [self.python, *arguments], input=text, capture_output=True, text=True, encoding="utf-8", check=False
            )
        except OSError as error:
            raise FactsError(f"{self.python}: cannot be started ({error})") from error


def _observation(candidate: Instance, inferred: str | None, cleaned: str | None) -> Observation:
    consumed = None if candidate.start or inferred is None else consumed_in_wrapper(inferred)
    definition = candidate.definition
    return Observation(
        candidate,
        tuple(_operand_effect(number, consumed) for number in range(sum(candidate.operand_counts))),
        (HandleEffect.PRODUCES,) * sum(candidate.result_counts),
        _payload_effect(definition.name, consumed, cleaned),
        reported="MemoryEffectOpInterface" in definition.traits,
    )


def _operand_effect(number: int, consumed: frozenset[int] | None) -> HandleEffect:
    if consumed is None:
        return HandleEffect.UNKNOWN
    return HandleEffect.CONSUMES if number in consumed else HandleEffect.READS


def _payload_effect(name: str, consumed: frozenset[int] | None, cleaned: str | None) -> PayloadEffect:
    if cleaned is None:
        return PayloadEffect.UNKNOWN
    if name not in cleaned:
        return PayloadEffect.READS
    return PayloadEffect.UNKNOWN if consumed is None or consumed else PayloadEffect.MODIFIES
