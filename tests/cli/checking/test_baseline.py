"""`tdls check --baseline`, as people meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.files import write
from command_line import tdls
from tdls.analysis.rules.handles import use_after_free
from tdls.analysis.rules.language import missing_terminator
from tdls.cli.checking.baseline import KnownFindings

BAD, GOOD = missing_terminator.RULE.text.example_bad, missing_terminator.RULE.text.example_good
UNSAFE_BAD = use_after_free.RULE.text.example_bad
FILE = "ci/known.json"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def known() -> Path:
    """A baseline of two files, `a.mlir` with two findings of one kind and `sub/b.mlir`."""
    Path("sub").mkdir()
    Path("ci").mkdir()
    write("a.mlir", BAD + "// -----\n" + BAD)
    write("sub/b.mlir", UNSAFE_BAD)
    done = tdls("check", "--baseline", FILE, "--write-baseline", ".")
    assert (done.returncode, done.stderr) == (0, f"note: {Path(FILE)}: 3 findings in 2 files\n")
    return Path(FILE)


def check(*arguments: str) -> tuple[int, str]:
    done = tdls("check", "--baseline", FILE, "--format", "concise", *arguments)
    return done.returncode, done.stdout


def test_only_new_findings_are_reported(known: Path) -> None:
    assert check(".") == (0, "")
    lines = "// moved\n\n" + UNSAFE_BAD.replace("    transform.yield", "    transform.print\n    transform.yield")
    write("sub/b.mlir", lines)
    assert check("sub") == (0, "")
    write("sub/c.mlir", UNSAFE_BAD)
    status, printed = check(".")
    assert status == 1
    assert printed.count("\n") == 1
    assert printed.startswith(f"{Path('sub/c.mlir')}:")
    write("a.mlir", "// -----\n".join([BAD, BAD, BAD]))
    assert check("a.mlir")[1].count("missing-terminator") == 1
    assert known.exists()


def test_settled_findings_can_be_removed(known: Path) -> None:
    write("a.mlir", GOOD + "// -----\n" + BAD)
    assert "1 finding can be removed with --prune-baseline" in tdls("check", "--baseline", FILE, "a.mlir").stderr
    before = known.read_bytes()
    assert check("--prune-baseline", "sub") == (0, "")
    assert known.read_bytes() == before
    assert check("--prune-baseline", "a.mlir") == (0, "")
    write("a.mlir", BAD + "// -----\n" + BAD)
    assert check("a.mlir")[0] == 1
    Path("sub/b.mlir").unlink()
    assert check("--prune-baseline", "-q", ".")[0] == 1
    assert "use-after-free" not in known.read_text(encoding="utf-8")


def test_writing_again_keeps_findings_of_unchecked_files(known: Path) -> None:
    write("a.mlir", GOOD)
    assert check("--write-baseline", "a.mlir") == (0, "")
    assert check("sub") == (0, "")
    assert "a.mlir" not in known.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--write-baseline", "--prune-baseline"])
def test_what_somebody_else_writes_meanwhile_is_kept(known: Path, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.mlir", BAD)
    write("c.mlir", UNSAFE_BAD)
    original = KnownFindings.finish

    def finish_later(self: KnownFindings, *, quiet: bool = False) -> None:
        monkeypatch.setattr(KnownFindings, "finish", original)
        assert check("--write-baseline", "c.mlir") == (0, "")
        original(self, quiet=quiet)

    monkeypatch.setattr(KnownFindings, "finish", finish_later)
    assert check(option, "a.mlir") == (0, "")
    files = json.loads(known.read_text(encoding="utf-8"))["findings"]
    assert sorted(files) == ["../a.mlir", "../c.mlir", "../sub/b.mlir"]
    assert sum(entry.get("count", 1) for entry in files["../a.mlir"]) == 1


def test_settings_name_the_file(known: Path) -> None:
    write("tdls.toml", f'baseline = "{FILE}"\n')
    assert tdls("check", ".").returncode == 0
    write("tdls.toml", 'baseline = "none.json"\n')
    assert "--write-baseline writes it" in tdls("check", ".").stderr
    write("sub/tdls.toml", f'baseline = "../{FILE}"\n')
    assert "different baselines" in tdls("check", ".").stderr
    assert tdls("check", "--baseline", FILE, ".").returncode == 0
    assert tdls("check", "--write-baseline", "sub").returncode == 0
    assert "use-after-free" in known.read_text(encoding="utf-8")


def test_comments_are_written_for_new_findings_only(known: Path) -> None:
    write("sub/c.mlir", UNSAFE_BAD)
    assert check("--add-ignore", ".") == (0, "")
    assert Path("sub/b.mlir").read_bytes() == UNSAFE_BAD.encode()
    assert b"tdls: ignore[use-after-free]" in Path("sub/c.mlir").read_bytes()
    assert known.exists()


@pytest.mark.parametrize(
    ("content", "options", "advice"),
    [
        (None, ["--baseline", "none.json"], "--write-baseline writes it"),
        ("{", ["--baseline", "none.json"], "not JSON"),
        ("[" * 5000, ["--baseline", "none.json"], "nested too deeply"),
        ("{", ["--baseline", "none.json", "--write-baseline"], "remove it"),
        (None, ["--write-baseline"], "--baseline FILE"),
        (None, ["--baseline", "none.json", "--write-baseline", "--prune-baseline"], "nothing to prune"),
    ],
)
def test_unusable_baselines_are_reported_and_kept(content: str | None, options: list[str], advice: str) -> None:
    write("a.mlir", GOOD)
    if content is not None:
        write("none.json", content)
    done = tdls("check", *options, "a.mlir")
    assert done.returncode == 2
    assert advice in done.stderr
    assert content is None or Path("none.json").read_bytes() == content.encode()


@pytest.mark.parametrize("name", ["x" * 9_000 + ".mlir", "a\0b", "\udc80/\ud800"])
def test_names_that_no_file_has(name: str) -> None:
    write("known.json", json.dumps({"version": 1, "findings": {name: {}}}))
    write("a.mlir", GOOD)
    done = tdls("check", "--baseline", "known.json", "a.mlir")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
