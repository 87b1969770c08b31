"""Options that several commands have."""

from __future__ import annotations

import os
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console.console import InputError
from tdls.settings.consent import Trust
from tdls.settings.llvm_versions import known_versions, llvm_versions, version_name, version_named
from tdls.settings.model import RuleSelection
from tdls.settings.sources import Overrides, inline_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from click.shell_completion import CompletionItem


def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of files and folders by the shell."""
    del context, parameter
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def versions(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete names of versions of LLVM."""
    del context, parameter
    return [name for name in map(version_name, llvm_versions()) if name.startswith(incomplete)]


def rules(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the last of several names of rules with commas between them; to codes if it begins with a capital."""
    del context, parameter
    from click.shell_completion import CompletionItem

    from tdls.analysis.rules import all_rules

    before, comma, last = incomplete.rpartition(",")
    spellings = [(rule.code if last[:1].isupper() else rule.name, rule.text.summary) for rule in all_rules()]
    return [
        CompletionItem(f"{before}{comma}{spelling}", help=summary)
        for spelling, summary in spellings
        if spelling.startswith(last)
    ]


def operations(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of upstream operations; those of a project would need a scan."""
    del context, parameter
    from click.shell_completion import CompletionItem

    from tdls.catalogue.catalogue import Catalogue

    return [CompletionItem(name) for name in Catalogue.shipped().operation_names() if name.startswith(incomplete)]


catalogue_option = click.option(
    "--catalogue",
    "catalogues",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Describe more operations with a JSON catalogue; may be repeated, later files win.",
)
payload_option = click.option(
    "--payload", is_flag=True, help="Also check files of directories that have no transform operations in them."
)

python_option = click.option(
    "--python", "programs", is_flag=True, help="Also check the scripts in strings of Python programs below directories."
)


def colour_option(purpose: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--color``, whose value is the parameter `colour`; `purpose` begins its help."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help=f"{purpose}; 'auto' asks the terminal and NO_COLOR.",
    )


def known_version(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Check that an option names a version of LLVM that tdls knows."""
    if value is not None and version_named(value) is None:
        raise click.BadParameter(f"{value!r} is not a version of LLVM that tdls knows: {known_versions()}")
    return value


def grouped(parameter: str, make: Callable[..., Any], *options: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that adds `options` to a command, which receives what `make` returns for them as `parameter`.

    The parameters of `make` are the options, and those of groups above it.
    """
    names = tuple(signature(make).parameters)

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def wrapped(**values: Any) -> Any:
            arguments = {name: values.pop(name) for name in names}
            return command(**{parameter: make(**arguments)}, **values)

        decorated: Callable[..., Any] = wrapped
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return add


target_option = grouped(
    "overrides",
    lambda target, overrides: overrides.with_target(target) if target else overrides,
    click.option(
        "--target-llvm",
        "target",
        metavar=f"[{'|'.join(map(version_name, llvm_versions()))}]",
        callback=known_version,
        help="The LLVM version that the scripts are for; operations of other versions only are errors.",
    ),
)
"""Counts after all values of ``--config``, whose group has to be above it."""


def _overrides(configuration: Iterable[str], isolated: bool) -> Overrides:
    """Return the overrides of ``--config`` and ``--isolated``. Raises InputError."""
    from tdls.settings.rule_codes import RULE_CODES

    files = [Path(text) for text in configuration if os.path.isfile(text)]
    inline = tuple(text for text in configuration if not os.path.isfile(text))
    if len(files) > 1 or (files and isolated):
        raise InputError("--config: one file at most, and none with --isolated; settings are written as KEY=VALUE")
    for text in inline:
        if "=" not in text:
            raise InputError(f"--config: {text}: no such file; a setting is written as KEY=VALUE")
        for problem in inline_problems(text, RULE_CODES):
            raise InputError(f"--config '{text}': {problem.message}; {problem.help}")
    return Overrides(files[0].absolute() if files else None, isolated, inline)


configuration_options = grouped(
    "overrides",
    _overrides,
    click.option(
        "--config",
        "configuration",
        multiple=True,
        metavar="FILE|KEY=VALUE",
        shell_complete=files,
        help="Take settings from FILE instead of those found; or set a KEY to a VALUE of TOML, which may be repeated.",
    ),
    click.option("--isolated", is_flag=True, help="Take no settings from files."),
)
trust_option = grouped(
    "trust",
    lambda trusts: Trust(everything=trusts),
    click.option(
        "--trust-workspace",
        "trusts",
        is_flag=True,
        help="Let settings of files start the programs that they name, this time; see 'tdls allow'.",
    ),
)

JSON = "json"


def formats(*names: str, meaning: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--format``, the parameter `format_` of a command: one of `names`, by default the first."""
    return click.option(
        "--format", "format_", type=click.Choice(names), default=names[0], show_default=True, help=meaning
    )


format_option = formats("text", JSON)


def _rules_option(name: str, purpose: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(name, multiple=True, metavar="RULE[,RULE...]", shell_complete=rules, help=purpose)


def _selectors(option: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return the selectors of a repeatable option; each value may list several. Raises InputError."""
    from tdls.settings.layer import unknown_selector
    from tdls.settings.rule_codes import RULE_CODES

    selectors = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    for selector in selectors:
        if (problem := unknown_selector(selector, RULE_CODES)) is not None:
            raise InputError(f"{option}: {'; '.join(problem)}")
    return selectors


def _selection(select: tuple[str, ...], extend_select: tuple[str, ...], ignore: tuple[str, ...]) -> RuleSelection:
    chosen = _selectors("--select", select) if select else None
    return RuleSelection(chosen, _selectors("--extend-select", extend_select), _selectors("--ignore", ignore))


selection_options = grouped(
    "selection",
    _selection,
    _rules_option("--select", "Check these rules, whatever settings say: names, codes, beginnings of codes, or 'all'."),
    _rules_option("--extend-select", "Check these rules besides."),
    _rules_option("--ignore", "Do not check these rules."),
)
_PROCESS_OPTIONS = (
    click.option(
        "--python",
        metavar="PATH",
        shell_complete=files,
        help="A Python interpreter that has MLIR's bindings installed.",
    ),
    click.option(
        "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds that a run may take; 30."
    ),
    click.option(
        "--memory", type=click.IntRange(min=1), metavar="MIB", help="Memory that a run may take (Linux); 4096."
    ),
)


def process_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of processes that run scripts: the parameters ``python``, ``timeout`` and ``memory``."""
    for option in reversed(_PROCESS_OPTIONS):
        command = option(command)
    return command
