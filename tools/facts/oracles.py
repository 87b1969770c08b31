"""MLIR tools that tell the effects of instances."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from facts.effects import Observation
from facts.instances import LINE, LINES
from facts.records import FactsError
from tdls.catalogue.model import HandleEffect, PayloadEffect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from facts.instances import Instance


SEPARATOR = "\n// -----\n"
_REPORT = re.compile(
    r"^(?:within split at <stdin>:(\d+) offset |<stdin>):(\d+):(\d+): (error|remark): (.*)$", re.MULTILINE
)
_EFFECT = re.compile(
    r"found an instance of '(\w+)'(?: on (?:a )?op (operand|result)(?: (\d+))?,| on [^,]*,)? on resource '([^']+)'"
)
_WRAPPER = re.compile(r"@wrapper\((.*?)\) *(?:->.*)?\{$", re.MULTILINE)


@dataclass(frozen=True)
class OptTool:
    """An ``mlir-opt`` with MLIR's test passes.

    Since LLVM 20 its pass ``test-side-effects`` says which operand an effect is on. Before, ``transform-infer-effects``
    finds the consumed operands, and the number of the other reports must fit.
    """

    command: str

    def ask(self, candidates: Sequence[Instance]) -> list[Observation]:
        """Observations of those candidates that verify."""
        reports = [report for report in self._reports(candidates) if report.is_valid]
        unnumbered = [report for report in reports if report.is_unnumbered]
        consumed = self.consumed_operands([report.instance for report in unnumbered])
        for report, operands in zip(unnumbered, consumed, strict=True):
            report.number(operands)
        return [report.observation() for report in reports]

    def consumed_operands(self, candidates: Sequence[Instance]) -> list[frozenset[int] | None]:
        """Numbers of the operands that ``transform-infer-effects`` finds consumed; None where it crashes."""
        if not candidates:
            return []
        code, output, _ = self._run(["--transform-infer-effects"], [candidate.wrapped for candidate in candidates])
        if code in (0, 1):
            modules = [*output.split("// -----"), *[""] * len(candidates)]
            return [_consumed(*pair) for pair in zip(candidates, modules, strict=False)]
        if len(candidates) == 1:
            return [None]
        return [found for candidate in candidates for found in self.consumed_operands([candidate])]

    def printed(self, texts: Sequence[str], *options: str) -> list[str | None]:
        """Modules as the tool prints them, with `options`; None where it rejects one or crashes."""
        if not texts:
            return []
        code, output, _ = self._run(options, texts)
        modules = output.split("// -----")
        if code in (0, 1) and len(modules) == len(texts):
            return [module if module.strip() else None for module in modules]
        if len(texts) == 1:
            return [None]
        middle = len(texts) // 2
        return [*self.printed(texts[:middle], *options), *self.printed(texts[middle:], *options)]

    def generic(self, texts: Sequence[str]) -> list[str | None]:
        """Modules in the generic form; None where the tool rejects one or crashes."""
        return self.printed(texts, "--mlir-print-op-generic", "--mlir-print-local-scope")

    def _reports(self, candidates: Sequence[Instance]) -> list[_Report]:
        """One report for each candidate; one that crashes the tool is not valid, and the tool reads the rest again."""
        reports: list[_Report] = []
        rest = list(candidates)
        while rest:
            code, _, output = self._run(
                ["--test-side-effects", "-o", os.devnull], [candidate.text for candidate in rest]
            )
            found = _read(rest, output)
            if code in (0, 1):
                return [*reports, *found]
            crashed = _crashed(rest, output)
            reports += found[:crashed]
            rest = rest[crashed + 1 :]
        return reports

    def _run(self, options: Sequence[str], texts: Sequence[str]) -> tuple[int, str, str]:
        command = [self.command, "--allow-unregistered-dialect", "--split-input-file", *options]
        try:
            process = subprocess.run(
                [*command, "--mlir-print-op-on-diagnostic=false"],
                input=SEPARATOR.join(texts),
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
                env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},
            )
        except OSError as error:
            raise FactsError(f"{self.command}: cannot be started ({error}); install MLIR's tools") from error
        return process.returncode, process.stdout, process.stderr


def consumed_in_wrapper(module: str) -> frozenset[int] | None:
    """Which arguments of the named sequence ``@wrapper`` are marked as consumed in a printed module."""
    signature = _WRAPPER.search(module)
    if signature is None:
        return None
    arguments = signature[1].split("%")[1:]
    return frozenset(number for number, text in enumerate(arguments) if "transform.consumed" in text)


def _consumed(candidate: Instance, module: str) -> frozenset[int] | None:
    return None if candidate.start else consumed_in_wrapper(module)


@dataclass
class _Report:
    """The remarks on one instance: pairs of kind and number, with the effects on each."""

    instance: Instance
    is_valid: bool = True
    is_reported: bool = False
    effects: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    payload: set[str] = field(default_factory=set)
    unnumbered: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def is_unnumbered(self) -> bool:
        return bool(self.unnumbered)

    def add(self, message: str) -> None:
        self.is_reported = True
        found = _EFFECT.match(message)
        if found is None:
            return
        effect, kind, number, resource = found.groups()
        if resource == "transform.payload_ir":
            self.payload.add(effect)
        elif kind and number is None:
            self.unnumbered[kind, effect] += 1
        elif kind:
            self.effects.setdefault((kind, int(number)), set()).add(effect)

    def number(self, consumed: frozenset[int] | None) -> None:
        """Share unnumbered effects out, given which operands are consumed; they stay unknown if that is impossible."""
        operands, results = sum(self.instance.operand_counts), sum(self.instance.result_counts)
        if self.unnumbered["result", "allocate"] >= results:
            self.effects.update({("result", number): {"allocate"} for number in range(results)})
        if not self.unnumbered["operand", "free"]:
            consumed = frozenset()
        if consumed is None or self.unnumbered["operand", "read"] < operands:
            return
        for number in range(operands):
            self.effects["operand", number] = {"read", "free"} if number in consumed else {"read"}

    def observation(self) -> Observation:
        return Observation(
            self.instance,
            tuple(self._effect("operand", number) for number in range(sum(self.instance.operand_counts))),
            tuple(self._effect("result", number) for number in range(sum(self.instance.result_counts))),
            self._payload_effect(),
            self.is_reported,
        )

    def _effect(self, kind: str, number: int) -> HandleEffect:
        effects = self.effects.get((kind, number))
        if effects is None:
            return HandleEffect.UNKNOWN if self.is_unnumbered else HandleEffect.NONE
        if "free" in effects:
            return HandleEffect.CONSUMES
        return HandleEffect.PRODUCES if "allocate" in effects else HandleEffect.READS

    def _payload_effect(self) -> PayloadEffect:
        if "write" in self.payload:
            return PayloadEffect.MODIFIES
        return PayloadEffect.READS if self.payload else PayloadEffect.NONE


def _read(candidates: Sequence[Instance], output: str) -> list[_Report]:
    reports = [_Report(candidate) for candidate in candidates]
    for index, line, column, kind, message in _diagnostics(output):
        if kind == "error":
            reports[index].is_valid = False
        elif line == LINE and column == candidates[index].column:
            reports[index].add(message)
    return reports


def _crashed(candidates: Sequence[Instance], output: str) -> int:
    """Index of the candidate that crashed the tool.

    It is the one with the last report, unless that report finished it: then it is the next.
    """
    diagnostics = list(_diagnostics(output))
    if not diagnostics:
        return 0
    last, line, column, kind, _ = diagnostics[-1]
    finished = kind == "error" or (line == LINE and column > candidates[last].column)
    return min(last + 1, len(candidates) - 1) if finished else last


def _diagnostics(output: str) -> Iterator[tuple[int, int, int, str, str]]:
    """Index of the candidate, line in it, column, kind and message of each error and remark.

    Up to LLVM 19, lines count from the beginning of the split.
    """
    for split, line, column, kind, message in _REPORT.findall(output):
        index, line_in_instance = divmod(int(split or 1) + int(line) - 2, LINES + 1)
        yield index, line_in_instance + 1, int(column), kind, message
