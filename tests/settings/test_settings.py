"""Settings from their sources, and messages about their mistakes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.settings.consent import Trust
from tdls.settings.layer import read_layer
from tdls.settings.model import (
    BackendChoice,
    CodeLensSettings,
    Exclusion,
    FormatSettings,
    InlayHints,
    PathPattern,
    RunSettings,
    Settings,
    SetupStep,
)
from tdls.settings.paths import find_configuration
from tdls.settings.sources import LoadedSettings, Overrides, load_settings
from tdls.settings.toml import line_of_key
from tdls.structs import replace
from tdls.text.level import Level

RULES = {"use-after-free": "TD301", "unknown-symbol": "TD201"}
EVERYTHING = """\
libraries = ["lib/*.mlir", "/opt/shared.mlir"]
payload = "bench/payload.mlir"
catalogues = ["operations.json"]
exclude = ["build/", "*.tmp.mlir"]

[rules]
use-after-free = "warning"
unknown-symbol = "off"

[inlay-hints]
types = false
operand-names = false
consumed = true
contents = false

[code-lens]
references = false
run = false

[run]
backend = "build/my-opt --flag"
python = "../venv/bin/python"
setup = ["my.module:function"]
timeout = 0.5
memory = 100
refresh = "type"
keep-script = true

[format]
width = 100
"""


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def load(start: Path, client: object = None) -> LoadedSettings:
    return load_settings(start, RULES, client=client, client_base=start)


def test_every_key(tmp_path: Path) -> None:
    file = write(tmp_path / "tdls.toml", EVERYTHING)
    overrides = Overrides(file, trust=Trust(everything=True))
    loaded = load_settings(tmp_path / "scripts" / "a.mlir", RULES, overrides=overrides)
    assert replace(loaded, layers=()) == LoadedSettings(
        Settings(
            libraries=(PathPattern(tmp_path, "lib/*.mlir"), PathPattern(tmp_path, "/opt/shared.mlir")),
            payload=(PathPattern(tmp_path, "bench/payload.mlir"),),
            catalogues=(PathPattern(tmp_path, "operations.json"),),
            exclude=Exclusion(tmp_path, ("build/", "*.tmp.mlir")),
            rules={"use-after-free": Level.WARNING, "unknown-symbol": None},
            inlay_hints=InlayHints(types=False, operand_names=False, consumed=True, contents=False),
            code_lens=CodeLensSettings(references=False, run=False),
            run=RunSettings(
                BackendChoice(
                    f"{tmp_path / 'build/my-opt'} --flag",
                    str(tmp_path / "../venv/bin/python"),
                    (SetupStep(tmp_path, "my.module:function"),),
                ),
                timeout=0.5,
                memory=100,
                refresh="type",
                keep_script=True,
            ),
            format=FormatSettings(100),
        ),
        file,
    )


def test_defaults(tmp_path: Path) -> None:
    assert load(tmp_path).settings == Settings()
    assert load_settings(None, RULES) == LoadedSettings(Settings())


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    script = tmp_path / "inner" / "deep" / "a.mlir"
    assert find_configuration(script) not in {tmp_path / "tdls.toml", tmp_path / "pyproject.toml"}
    outer = write(tmp_path / "pyproject.toml", "[tool.tdls]\nlibraries = []\n")
    assert find_configuration(script) == outer
    write(tmp_path / "inner" / "pyproject.toml", "[tool.other]\nname = 'tdls'\n")
    assert find_configuration(script) == outer
    inner = write(tmp_path / "inner" / "pyproject.toml", "[tool.tdls.rules]\n")
    assert find_configuration(script) == inner
    own = write(tmp_path / "inner" / "tdls.toml", "")
    assert find_configuration(script) == own


def test_editor_settings_win_key_by_key(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml", "[tool.tdls]\nlibraries = ['a.mlir']\n[tool.tdls.rules]\nuse-after-free = 'off'\n"
    )
    client = {
        "tdls": {
            "rules": {"unknown-symbol": "hint"},
            "inlay-hints": {"types": False, "consumed": None},
            "server": {"path": "tdls"},
            "trace": "verbose",
        },
        "other": 1,
    }
    loaded = load_settings(tmp_path / "a.mlir", RULES, client=client, client_base=tmp_path / "folder")
    assert loaded.problems == ()
    assert loaded.settings.libraries == (PathPattern(tmp_path, "a.mlir", tmp_path),)
    assert loaded.settings.rules == {"use-after-free": None, "unknown-symbol": Level.HINT}
    assert loaded.settings.inlay_hints == InlayHints(types=False)
    replaced = load_settings(tmp_path, RULES, client={"tdls": {"libraries": ["b"]}}, client_base=tmp_path / "folder")
    assert replaced.settings.libraries == (PathPattern(tmp_path / "folder", "b"),)


WRONG = {
    "libaries = []": (0, "there is no setting `libaries`", "did you mean `libraries`?"),
    "\n[rules]\nuse-after-fre = 'off'": (2, "there is no rule `use-after-fre`", "did you mean `use-after-free`?"),
    "[rules]\nx = 'off'": (1, "there is no rule `x`", "known here: `use-after-free`, `unknown-symbol`"),
    "libraries = 'a.mlir'": (
        0,
        '`libraries` cannot be `"a.mlir"`',
        '`libraries` must be a list of texts, such as `["first", "second"]`',
    ),
    "libraries = ['a', 1]": (
        0,
        "`libraries` cannot be a list",
        '`libraries` must be a list of texts, such as `["first", "second"]`',
    ),
    "[rules]\nuse-after-free = 'fatal'": (
        1,
        '`rules.use-after-free` cannot be `"fatal"`',
        '`rules.use-after-free` must be `"off"` or `"error"` or `"warning"` or `"remark"` or `"hint"`',
    ),
    "inlay-hints = true": (0, "`inlay-hints` cannot be a switch", "`inlay-hints` must be a table"),
    "inlay-hints.types = 1": (
        0,
        "`inlay-hints.types` cannot be `1`",
        "`inlay-hints.types` must be `true` or `false`",
    ),
    "format.width = true": (0, "`format.width` cannot be a switch", "`format.width` must be a whole number from 0"),
    f"exclude = {['build'] * 1_001}": (
        0,
        "`exclude` has 1,001 entries, more than 1,000, and does not count",
        "name fewer: a pattern stands for many files",
    ),
    "exclude = ['!']": (0, "`!` is not a pattern", "write it as in a `.gitignore` file"),
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_are_reported(text: str, tmp_path: Path) -> None:
    file = write(tmp_path / "tdls.toml", text)
    (problem,) = load(tmp_path).problems
    line, message, advice = WRONG[text]
    assert problem == (message, advice, file, line)


def test_texts_that_are_not_toml(tmp_path: Path) -> None:
    file = write(tmp_path / "tdls.toml", "libraries = []\nlibraries == []\n")
    (problem,) = load(tmp_path).problems
    assert problem.message.startswith("is not TOML: ")
    assert problem[1:] == ("correct it there or just before", file, 1)


def test_valid_settings_count_next_to_invalid_ones(tmp_path: Path) -> None:
    write(tmp_path / "tdls.toml", "libraries = ['a']\ncatalogues = 1\nexclude = ['a', '!']\n[rules]\nx = 'off'\n")
    loaded = load(tmp_path)
    assert len(loaded.problems) == 3
    assert loaded.settings == Settings(
        libraries=(PathPattern(tmp_path, "a", tmp_path),), exclude=Exclusion(tmp_path, ("a",))
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "tdls.toml"
    file.write_bytes(b"libraries = ['\xff']")
    (problem,) = load(tmp_path).problems
    assert problem == ("is not UTF-8 at byte 14", "save it as UTF-8", file, None)
    file.write_bytes(b"\xef\xbb\xbflibraries = ['a']\r\n")
    assert load(tmp_path).settings.libraries == (PathPattern(tmp_path, "a", tmp_path),)


def test_broken_shared_file_counts_only_with_a_table_for_tdls(tmp_path: Path) -> None:
    shared = write(tmp_path / "pyproject.toml", "[tool.tdls]\nlibraries = [\n")
    assert [problem.file for problem in load(tmp_path).problems] == [shared]
    write(shared, "name = 'tdls'\nlibraries = [\n")
    assert load(tmp_path).file != shared


def test_problems_of_the_editor_have_no_file(tmp_path: Path) -> None:
    (problem,) = load(tmp_path, {"tdls": {"rules": {"use-after-free": "loud"}}}).problems
    assert problem.file is None
    assert problem.line is None
    assert [problem.message for problem in load(tmp_path, []).problems] == ["settings cannot be a list"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["off", "hint"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["types", "libraries", "rules", "use-after-free", "x", "exclude"]), inner)
    ),
)


@given(values)
def test_any_editor_settings(value: object) -> None:
    loaded = load_settings(None, RULES, client={"tdls": value}, client_base=Path())
    sound, problems = read_layer(value, RULES)
    assert len(loaded.problems) == (0 if value is None else len(problems))
    assert read_layer(sound, RULES) == (sound, [])


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (("libraries",), "libraries = ["),
        (("rules", "use-after-free"), "use-after-free = "),
        (("rules",), "[rules]"),
        (("rules", "missing"), "[rules]"),
        (("inlay-hints", "types"), "types = false"),
        (("missing",), None),
    ],
)
def test_lines_of_keys(key: tuple[str, ...], expected: str | None) -> None:
    line = line_of_key(EVERYTHING, key)
    assert line is None if expected is None else EVERYTHING.splitlines()[line or 0].startswith(expected)


def test_lines_of_dotted_and_quoted_keys() -> None:
    text = "[tool.tdls]\ninlay-hints . types = 1\n[tool.'tdls'.rules]\n\"x\" = 1\n"
    assert line_of_key(text, ("tool", "tdls", "inlay-hints", "types")) == 1
    assert line_of_key(text, ("tool", "tdls", "rules", "x")) == 3


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mlir-opt", "mlir-opt"),
        ("bindings:torch_mlir", "bindings:torch_mlir"),
        ("bin/air-opt -x a/b", "{base}/bin/air-opt -x a/b"),
        ('"my tools/opt" -x', '"{base}/my tools/opt" -x'),
        ("/usr/bin/opt", "/usr/bin/opt"),
        ("~/bin/opt", "{home}/bin/opt"),
        ("", None),
        ("  ", None),
    ],
)
@pytest.mark.skipif(os.sep != "/", reason="paths of POSIX")
def test_commands_count_from_the_folder(
    written: str, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    loaded = load(tmp_path, {"tdls": {"run": {"backend": written}}})
    assert loaded.problems == ()
    placed = expected.format(base=tmp_path, home="/home/somebody") if expected is not None else None
    assert loaded.settings.run.backend_choice == BackendChoice(placed)


def test_python_may_have_blanks_in_its_path(tmp_path: Path) -> None:
    client = {"tdls": {"run": {"python": "my env/bin/python", "backend": "bindings"}}}
    loaded = load(tmp_path, client)
    assert loaded.settings.run.backend_choice == BackendChoice("bindings", str(tmp_path / "my env/bin/python"))


NO_NULL = "write the path without it: no file has such a name"


@pytest.mark.parametrize(
    ("key", "value", "help_text"),
    [
        ("timeout", 0, "`run.timeout` must be a number above 0"),
        ("timeout", True, "`run.timeout` must be a number above 0"),
        ("memory", -1, "`run.memory` must be a whole number above 0"),
        ("memory", 1.5, "`run.memory` must be a whole number above 0"),
        ("refresh", "always", '`run.refresh` must be `"off"` or `"save"` or `"type"`'),
        ("setup", "module", '`run.setup` must be a list of texts, such as `["first", "second"]`'),
        ("backend", ["mlir-opt"], "`run.backend` must be a text"),
        ("backend", "a\0", NO_NULL),
        ("setup", ["a", "\0"], NO_NULL),
    ],
)
def test_settings_of_runs_that_do_not_fit(key: str, value: object, help_text: str, tmp_path: Path) -> None:
    loaded = load(tmp_path, {"tdls": {"run": {key: value}}})
    assert loaded.settings == Settings()
    assert [problem.help for problem in loaded.problems] == [help_text]


@pytest.mark.parametrize("key", ["libraries", "catalogues", "exclude"])
def test_paths_with_null_characters_do_not_count(key: str, tmp_path: Path) -> None:
    loaded = load(tmp_path, {"tdls": {key: ["a\0b/*.mlir"]}})
    assert loaded.settings == Settings()
    assert [problem.help for problem in loaded.problems] == [NO_NULL]


def test_a_width_is_not_negative(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"tdls": {"format": {"width": -1}}})
    assert [problem.help for problem in loaded.problems] == ["`format.width` must be a whole number from 0"]
