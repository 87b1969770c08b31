"""Are the catalogue's effects on handles those that MLIR finds? ``python tools/facts/compare_effects.py --help``."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.bindings_oracle import Bindings  # noqa: E402
from facts.effects import Observation, Oracle, observe  # noqa: E402
from facts.instances import Instance  # noqa: E402, TC001
from facts.oracles import OptTool  # noqa: E402
from facts.records import FactsError  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.catalogue.documents import load_json_catalogue  # noqa: E402
from tdls.catalogue.model import (  # noqa: E402
    EffectSource,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    ResultDefinition,
    handle_effect,
)


@dataclass
class Comparison:
    """Counts of compared operations, and the differences between the catalogue and MLIR."""

    version: int
    operations: int = 0
    operands: int = 0
    results: int = 0
    instances: int = 0
    differences: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """One line with all counts."""
        return (
            f"LLVM {self.version}: {self.operations} operations, {self.operands} operands and {self.results} results "
            f"compared in {self.instances} instances, {len(self.differences)} differences, "
            f"{len(self.untried)} not tried"
        )


def compare(
    catalogue: Catalogue, version: int, oracle: Oracle, names: tuple[str, ...], *, attributes: bool
) -> Comparison:
    """Compare all operations with these names that the LLVM version has.

    With `attributes`, instances are made until each attribute occurs in one, too.
    """
    comparison = Comparison(version)
    definitions = [
        next((variant for variant in catalogue.variants(name) if version in (variant.versions or [version])), None)
        for name in names
    ]
    present = [definition for definition in definitions if definition is not None]
    observed = observe(oracle, present, attributes=attributes)
    for definition in present:
        _compare(comparison, definition, observed[definition.name])
    return comparison


def main() -> int:
    """Print the counts and all differences; the exit code is 0 where there are none."""
    arguments = _parser().parse_args()
    catalogue = Catalogue.shipped()
    names = catalogue.operation_names("transform")
    if arguments.catalogue:
        source = load_json_catalogue(arguments.catalogue)
        catalogue, names = catalogue.with_source(source), source.operations.names("transform")
    try:
        comparison = compare(catalogue, arguments.llvm, _oracle(arguments), names, attributes=not arguments.quick)
    except FactsError as error:
        print(f"compare_effects.py: {error}", file=sys.stderr)
        return 2
    for line in [*comparison.differences, *(f"{name}: no instance verifies" for name in comparison.untried)]:
        print(line)
    print(comparison)
    return 1 if comparison.differences or comparison.untried else 0


def _compare(comparison: Comparison, definition: OperationDefinition, observations: list[Observation]) -> None:
    if not observations:
        comparison.untried.append(definition.name)
        return
    comparison.operations += 1
    comparison.operands += len(definition.operands)
    comparison.results += len(definition.results)
    comparison.instances += len(observations)
    for observation in observations:
        if observation.reported:
            comparison.differences += _differences(definition, observation)


def _differences(definition: OperationDefinition, observation: Observation) -> list[str]:
    instance = observation.instance
    operands = _grouped(definition.operands, instance.operand_counts)
    results = _grouped(definition.results, instance.result_counts)
    expected = [_expected(instance, operand, number) for number, operand in enumerate(operands)]
    expected += [handle_effect(definition, result, dict(instance.attributes)) for result in results]
    found = [*observation.operands, *observation.results]
    return [
        f"{definition.name}: '{value.name}' is {wanted.value} in the catalogue, {effect.value} in {instance.operation}"
        for value, wanted, effect in zip([*operands, *results], expected, found, strict=True)
        if wanted is not effect and effect is not HandleEffect.UNKNOWN
    ]


def _grouped(
    groups: tuple[OperandDefinition | ResultDefinition, ...], counts: tuple[int, ...]
) -> list[OperandDefinition | ResultDefinition]:
    return [group for group, count in zip(groups, counts, strict=True) for _ in range(count)]


def _expected(instance: Instance, operand: OperandDefinition | ResultDefinition, number: int) -> HandleEffect:
    """The effect on an operand, where the body or the callee decides as the model says they do."""
    definition = instance.definition
    effect = handle_effect(definition, operand, dict(instance.attributes))
    if effect is not HandleEffect.UNKNOWN or definition.effect_source is EffectSource.FIXED:
        return effect
    if definition.effect_source is EffectSource.REGION:
        consumed = number in instance.consumed_arguments
    else:
        consumed = any("consumes" in value for _, value in instance.attributes)
    return HandleEffect.CONSUMES if consumed else HandleEffect.READS


def _oracle(arguments: argparse.Namespace) -> Oracle:
    if arguments.llvm == 23:
        return Bindings(arguments.python, arguments.bindings)
    return OptTool(arguments.mlir_opt or f"mlir-opt-{arguments.llvm}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm", type=int, choices=(19, 22, 23), default=22, help="LLVM major version")
    parser.add_argument("--mlir-opt", metavar="TOOL", help="its mlir-opt with the test passes (19 and 22)")
    parser.add_argument("--python", default=sys.executable, help="Python that has its bindings (23)")
    parser.add_argument("--bindings", default="torch_mlir", metavar="PACKAGE", help="their package (23)")
    parser.add_argument("--catalogue", metavar="FILE", help="compare the operations of this catalogue instead")
    parser.add_argument("--quick", action="store_true", help="do without instances for each attribute")
    return parser


if __name__ == "__main__":
    sys.exit(main())
