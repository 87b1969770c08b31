"""Options that several commands have."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console.console import InputError
from tdls.cli.console.suggestions import files, rules
from tdls.settings.consent import Trust
from tdls.settings.keys import LLVM_VERSIONS
from tdls.settings.model import RuleSelection
from tdls.settings.sources import Overrides, inline_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
    "--python",
    "programs",
    is_flag=True,
    help="Also check the scripts in strings of Python programs below directories.",
)


def colour_option(purpose: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--color``, whose value is the parameter `colour`; `purpose` says what is coloured."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help=f"{purpose}; 'auto' asks the terminal and NO_COLOR.",
    )


def target_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--target-llvm``, which sets a key of the parameter `overrides` of `command`; goes above their options."""

    @click.option(
        "--target-llvm",
        "target",
        type=click.Choice([str(version) for version in LLVM_VERSIONS]),
        help="The LLVM version that the scripts are for; what only other versions have is an error.",
    )
    @wraps(command)
    def wrapped(*, target: str | None, overrides: Overrides, **rest: Any) -> Any:
        return command(overrides=overrides.with_target(target) if target else overrides, **rest)

    return wrapped


def configuration_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--config`` and ``--isolated``, which are the parameter `overrides` of `command`."""

    @click.option(
        "--config",
        "configuration",
        multiple=True,
        metavar="FILE|KEY=VALUE",
        shell_complete=files,
        help="Take settings from FILE instead of those found; or set a KEY to a VALUE of TOML, which may be repeated.",
    )
    @click.option("--isolated", is_flag=True, help="Take no settings from files.")
    @wraps(command)
    def wrapped(*, configuration: tuple[str, ...], isolated: bool, **rest: Any) -> Any:
        return command(overrides=_overrides(configuration, isolated), **rest)

    return wrapped


def trust_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--trust-workspace``, which is the parameter `trust` of `command`."""

    @click.option(
        "--trust-workspace",
        "trusts",
        is_flag=True,
        help="Let settings of files start the programs that they name, this time; see 'tdls allow'.",
    )
    @wraps(command)
    def wrapped(*, trusts: bool, **rest: Any) -> Any:
        return command(trust=Trust(everything=trusts), **rest)

    return wrapped


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which rules are checked, which are the parameter `selection` of `command`."""

    @_rules_option("--select", "Check these rules, whatever settings say: names, codes, beginnings of codes, or 'all'.")
    @_rules_option("--extend-select", "Check these rules besides.")
    @_rules_option("--ignore", "Do not check these rules.")
    @wraps(command)
    def wrapped(
        *, select: tuple[str, ...], extend_select: tuple[str, ...], ignore: tuple[str, ...], **rest: Any
    ) -> Any:
        chosen = _selectors("--select", select) if select else None
        extended, ignored = _selectors("--extend-select", extend_select), _selectors("--ignore", ignore)
        return command(selection=RuleSelection(chosen, extended, ignored), **rest)

    return wrapped


def _rules_option(name: str, purpose: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(name, multiple=True, metavar="RULE[,RULE...]", shell_complete=rules, help=purpose)


def _selectors(option: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return the selectors of an option that may be repeated, each time with several. Raises InputError."""
    from tdls.analysis.checking.selection import unknown_rules

    selectors = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    for message, advice in unknown_rules(selectors):
        raise InputError(f"{option}: {message}; {advice}")
    return selectors


def _overrides(configuration: Iterable[str], isolated: bool) -> Overrides:
    """Return what ``--config`` and ``--isolated`` mean. Raises InputError."""
    from tdls.analysis.checking.selection import RULE_CODES

    files = [Path(text) for text in configuration if _is_file(text)]
    inline = tuple(text for text in configuration if not _is_file(text))
    if len(files) > 1 or (files and isolated):
        raise InputError("--config: one file at most, and none with --isolated; settings are written as KEY=VALUE")
    for text in inline:
        if "=" not in text:
            raise InputError(f"--config: {text}: no such file; a setting is written as KEY=VALUE")
        for problem in inline_problems(text, RULE_CODES):
            raise InputError(f"--config '{text}': {problem.message}; {problem.help}")
    return Overrides(files[0].absolute() if files else None, isolated, inline)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
