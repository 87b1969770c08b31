"""Make a release: ``python3 tools/release.py prepare VERSION`` and, where it is published, ``notes TAG``.

`prepare` writes the version into all files that have it, and gives the new entries of ``CHANGELOG.md`` their
heading. `notes` prints the entries of the version that a tag names, and exits with 1 if that is not the version of the
checkout. `move OWNER/NAME` writes the repository's new address into all files that have it; ``pyproject.toml`` has it
first.
Needs nothing but Python 3.10 or later.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = "CHANGELOG.md"
_PAGE = "docs/development/releasing.md"
UNRELEASED = "## [Unreleased]\n"
IS_REGISTERED = False
"""Whether the package index has tdls under its name.

Until it does, whoever takes the name there would run on the machines of users: documents, templates and messages
install the repository at a tag, as a test checks.
"""
_VERSION = re.compile(r"\d+\.\d+\.\d+")
ADDRESSED = (
    "pyproject.toml",
    "README.md",
    "action.yml",
    "docs/continuous-integration.md",
    "docs/editors.md",
    "integrations/assistants/claude-code/.claude-plugin/plugin.json",
    "integrations/assistants/server.json",
    "integrations/gitlab/tdls.yml",
    "integrations/editors/mason/packages/tdls/package.yaml",
    "integrations/editors/nvim-lspconfig/lsp/tdls.lua",
    "playground/src/index.html",
    "server/tdls/cli/rendering/formats/sarif.py",
    "tests/integrations/test_github.py",
    "tests/integrations/test_pre_commit.py",
    "vscode-extension/README.md",
    "vscode-extension/package.json",
)
"""Files that name the repository's address."""
_ADDRESS = re.compile(r'^Repository = "https://github\.com/([\w.-]+/[\w.-]+)"$', re.MULTILINE)
_MEMBER = re.compile(r'"version": "([^"]*)"')


class ReleaseError(Exception):
    """The checkout does not meet a release's conditions; the message says how to meet them."""


@dataclass(frozen=True)
class Mention:
    """Places of the version: the first `count` matches of a pattern in a file."""

    file: str
    pattern: re.Pattern[str]
    count: int = 1


MENTIONS = (
    Mention("server/tdls/__init__.py", re.compile(r'__version__ = "([^"]*)"')),
    Mention("integrations/editors/mason/packages/tdls/package.yaml", re.compile(r"pkg:github/\S+@v(\S+)")),
    *(
        Mention(file, re.compile(r"git\+https://\S+@v(\d[\d.]*)"))
        for file in (
            "docs/editors.md",
            "integrations/editors/nvim-lspconfig/lsp/tdls.lua",
            "integrations/gitlab/tdls.yml",
        )
    ),
    Mention("vscode-extension/package.json", _MEMBER),
    Mention("vscode-extension/package-lock.json", _MEMBER, count=2),
    Mention("integrations/assistants/claude-code/.claude-plugin/plugin.json", _MEMBER),
    Mention("integrations/assistants/server.json", _MEMBER),
)


def versions(root: Path) -> dict[str, set[str]]:
    """Return the version that each file has."""
    texts = {mention: (root / mention.file).read_text(encoding="utf-8") for mention in MENTIONS}
    return {mention.file: set(mention.pattern.findall(text)[: mention.count]) for mention, text in texts.items()}


def prepare(root: Path, version: str, day: str) -> None:
    """Write `version` and the changelog's heading for it. Raises ReleaseError."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"'{version}' is no version; write it as 0.2.0")
    changelog = root / CHANGELOG
    text = changelog.read_text(encoding="utf-8")
    if not _section(text, UNRELEASED).strip():
        raise ReleaseError(f"{CHANGELOG} says nothing under {UNRELEASED.strip()}; write what people will notice")
    for mention in MENTIONS:
        path = root / mention.file
        old = path.read_text(encoding="utf-8")
        new = mention.pattern.sub(lambda found: found[0].replace(found[1], version), old, count=mention.count)
        path.write_text(new, encoding="utf-8", newline="\n")
    changelog.write_text(
        text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1), encoding="utf-8", newline="\n"
    )


def address(root: Path) -> str:
    """Return where on GitHub the repository is, as ``OWNER/NAME``. Raises ReleaseError."""
    found = _ADDRESS.search((root / ADDRESSED[0]).read_text(encoding="utf-8"))
    if found is None:
        raise ReleaseError(f'{ADDRESSED[0]} has no line `Repository = "https://github.com/OWNER/NAME"`')
    return found[1]


def move(root: Path, new: str) -> None:
    """Write where on GitHub the repository is now. Raises ReleaseError."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", new):
        raise ReleaseError(f"'{new}' is no address; write it as OWNER/NAME")
    old = address(root)
    for file in ADDRESSED:
        text = (root / file).read_text(encoding="utf-8")
        (root / file).write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def notes(root: Path, tag: str) -> str:
    """Return the changelog's entries of the version that `tag` names. Raises ReleaseError."""
    version = tag.removeprefix("v")
    for file, said in versions(root).items():
        if said != {version}:
            raise ReleaseError(
                f"the tag is {tag}, and {file} says {', '.join(sorted(said))}; see docs/development/releasing.md"
            )
    text = (root / CHANGELOG).read_text(encoding="utf-8")
    heading = re.search(rf"^## \[{re.escape(version)}\].*\n", text, re.MULTILINE)
    if heading is None:
        raise ReleaseError(f"{CHANGELOG} has no section [{version}]; see {_PAGE}")
    return _section(text, heading[0]).strip() + "\n"


def _section(text: str, heading: str) -> str:
    """Return the text between `heading` and the next one of its rank."""
    return text.partition(heading)[2].partition("\n## ")[0]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run the command in the arguments, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python3 tools/release.py", description=(__doc__ or "").split("\n\n")[1])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prepare", help="write the version and its heading").add_argument("version")
    commands.add_parser("move", help="write where on GitHub the repository is").add_argument("address")
    commands.add_parser("notes", help="print what is new in the version of a tag").add_argument("tag")
    options = parser.parse_args(arguments)
    try:
        if options.command == "notes":
            print(notes(root, options.tag), end="")
        elif options.command == "move":
            move(root, options.address)
        else:
            prepare(root, options.version, datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
