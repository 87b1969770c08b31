"""Settings from several files and the command line, and which rules they select."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tdls.analysis.rules import all_rules
from tdls.settings.model import PathPattern, RuleSelection, Settings
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.selection import levels
from tdls.settings.sources import Overrides, load_settings
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.settings.sources import LoadedSettings

CERTAIN = {rule.name for rule in all_rules() if rule.level is not Level.HINT}
ALL = {rule.name for rule in all_rules()}


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def load(folder: Path, **overrides: object) -> LoadedSettings:
    return load_settings(folder, RULE_CODES, overrides=Overrides(**overrides))  # type: ignore[arg-type]


def test_a_file_is_put_on_top_of_the_one_that_it_extends(tmp_path: Path) -> None:
    write(
        tmp_path / "common" / "base.toml", "libraries = ['a.mlir']\nexclude = ['x']\n[rules]\nunknown-symbol = 'off'\n"
    )
    write(tmp_path / "tdls.toml", "extend = 'common/base.toml'\nexclude = ['y']\n[rules]\nuse-after-free = 'error'\n")
    loaded = load(tmp_path)
    assert loaded.problems == ()
    assert loaded.settings.libraries == (PathPattern(tmp_path / "common", "a.mlir", tmp_path),)
    assert loaded.settings.exclude == (tmp_path, ("y",))
    assert loaded.settings.rules == {"unknown-symbol": None, "use-after-free": Level.ERROR}


def test_a_table_of_pyproject_extends_and_is_extended(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.tdls]\nrun.timeout = 1\nrun.memory = 5\n")
    write(tmp_path / "scripts" / "pyproject.toml", "[tool.tdls]\nextend = '../pyproject.toml'\nrun.memory = 6\n")
    run = load(tmp_path / "scripts").settings.run
    assert (run.timeout, run.memory) == (1, 6)


def test_circles_are_said_and_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path / "tdls.toml", "extend = 'other.toml'\nlibraries = ['a']\n")
    other = write(tmp_path / "other.toml", "catalogues = ['b']\n\nextend = './tdls.toml'\n")
    loaded = load(tmp_path)
    (problem,) = loaded.problems
    assert problem.message == "extends itself: tdls.toml -> other.toml -> tdls.toml"
    assert (problem.file, problem.line) == (other, 2)
    assert loaded.settings.libraries == (PathPattern(tmp_path, "a", tmp_path),)
    assert loaded.settings.catalogues == (PathPattern(tmp_path, "b", tmp_path),)


def test_chains_of_files_end_somewhere(tmp_path: Path) -> None:
    count = 2_000
    for number in range(count):
        write(tmp_path / f"s{number}.toml", f"extend = 's{number + 1}.toml'\n")
    write(tmp_path / f"s{count}.toml", "libraries = ['a']\n")
    write(tmp_path / "tdls.toml", "extend = 's0.toml'\n")
    (problem,) = load(tmp_path).problems
    assert problem.message == "is the 20th file that extends another one for these settings"


@pytest.mark.parametrize("written", ["nowhere.toml", ".", "~no-such-user/x.toml"])
def test_extending_a_missing_file(written: str, tmp_path: Path) -> None:
    file = write(tmp_path / "tdls.toml", f"libraries = ['a']\nextend = '{written}'\n")
    loaded = load(tmp_path)
    (problem,) = loaded.problems
    assert problem.message == f"extends `{written}`, which is not a file"
    assert (problem.file, problem.line) == (file, 1)
    assert loaded.settings.libraries == (PathPattern(tmp_path, "a", tmp_path),)


def test_problems_of_an_extended_file_have_their_place(tmp_path: Path) -> None:
    other = write(tmp_path / "other.toml", "\nlibaries = []\n")
    write(tmp_path / "tdls.toml", "extend = 'other.toml'\n")
    (problem,) = load(tmp_path).problems
    assert (problem.file, problem.line) == (other, 1)


def test_the_command_line_names_a_file_or_none(tmp_path: Path) -> None:
    write(tmp_path / "tdls.toml", "libraries = ['a']\n")
    other = write(tmp_path / "elsewhere" / "mine.toml", "libraries = ['b']\n")
    assert load(tmp_path, file=other).settings.libraries == (PathPattern(other.parent, "b"),)
    assert load(tmp_path, isolated=True).settings == Settings()
    inline = load(tmp_path, isolated=True, inline=("libraries = ['c']",)).settings.libraries
    assert inline == (PathPattern(Path.cwd(), "c"),)


def test_the_command_line_overrides_key_by_key(tmp_path: Path) -> None:
    write(tmp_path / "tdls.toml", "run.timeout = 1\nrun.memory = 5\n")
    run = load(tmp_path, inline=("run.timeout = 2", "run.timeout = 3")).settings.run
    assert (run.timeout, run.memory) == (3, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules.use-after-free=off", "is not TOML: "),
        ("rules.use-after-fre='off'", "there is no rule `use-after-fre`"),
        ("extend='x.toml'", "`extend` counts in files only"),
        ("select=['TD9', 'nothing']", "there is no rule `nothing`"),
    ],
)
def test_mistakes_on_the_command_line(text: str, message: str, tmp_path: Path) -> None:
    (problem,) = load(tmp_path, inline=(text,), isolated=True).problems
    assert problem.message.startswith(message)


def wanted(*sources: str, **more: object) -> set[str]:
    """Return the rules that are wanted with the TOML of `sources`, the last one on top."""
    loaded = load_settings(None, RULE_CODES, overrides=Overrides(isolated=True, inline=sources))
    assert loaded.problems == ()
    more.setdefault("possible", False)
    changed = levels(loaded.settings, None, **more)  # type: ignore[arg-type]
    return {name for name in ALL if changed.rules.get(name, Level.ERROR) is not None}


def of_codes(*beginnings: str) -> set[str]:
    return {rule.name for rule in all_rules() if rule.code.startswith(beginnings)}


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ([], CERTAIN),
        (["ignore = ['use-after-free']"], CERTAIN - {"use-after-free"}),
        (["ignore = ['td301']"], CERTAIN - {"use-after-free"}),
        (["select = ['TD3']"], of_codes("TD3")),
        (["select = ['T']"], ALL),
        (["select = ['all']"], ALL),
        (["select = []"], set[str]()),
        (["select = ['TD3']\nignore = ['use-after-free']"], of_codes("TD3") - {"use-after-free"}),
        (["select = ['use-after-free']\nignore = ['TD3']"], {"use-after-free"}),
        (["select = ['TD3']\nignore = ['TD3']"], set[str]()),
        (["ignore = ['all']\nextend-select = ['TD30']"], of_codes("TD30")),
        (["extend-select = ['possibly-invalidated-handle']"], CERTAIN | {"possibly-invalidated-handle"}),
        (["rules.use-after-free = 'off'"], CERTAIN - {"use-after-free"}),
        (["select = ['all']\nrules.use-after-free = 'off'"], ALL - {"use-after-free"}),
        (["rules.possibly-invalidated-handle = 'warning'"], CERTAIN | {"possibly-invalidated-handle"}),
        (["rules.use-after-free = 'hint'"], CERTAIN),
        (["select = ['TD3']", "extend-select = ['TD2']"], of_codes("TD2", "TD3")),
        (["select = ['TD3']", "select = ['TD2']"], of_codes("TD2")),
        (["select = ['use-after-free']", "ignore = ['TD3']"], set[str]()),
    ],
)
def test_selection(sources: Iterable[str], expected: set[str]) -> None:
    assert wanted(*sources) == expected


def test_possible_findings_are_selected_on_request() -> None:
    assert wanted(possible=True) == ALL
    assert wanted("ignore = ['TD3']", possible=True) == ALL - of_codes("TD3")


def test_the_command_line_selects_on_top_of_settings() -> None:
    settings = "select = ['TD2']\nignore = ['TD201']\nrules.use-after-free = 'off'"
    assert wanted(settings, command_line=RuleSelection(("TD3",))) == of_codes("TD3")
    assert wanted(settings, command_line=RuleSelection(extend=("TD301",))) == wanted(settings) | {"use-after-free"}
    assert wanted(settings, command_line=RuleSelection(ignore=("TD2",))) == set()


def test_rules_are_ignored_in_some_files(tmp_path: Path) -> None:
    write(tmp_path / "tdls.toml", "[per-file-ignores]\n'legacy/' = ['TD3']\n'*.gen.mlir' = ['all']\n'!' = ['all']\n")
    loaded = load(tmp_path)
    assert [problem.message for problem in loaded.problems] == ["`!` is not a pattern"]

    def is_checked(name: str) -> bool:
        changed = levels(loaded.settings, tmp_path / name, command_line=RuleSelection(("TD301",)))
        return changed.rules.get("use-after-free", Level.ERROR) is not None

    assert is_checked("a.mlir")
    assert not is_checked("legacy/deep/a.mlir")
    assert not is_checked("a.gen.mlir")
