"""One-line breaks of tdls that the tests have to notice: ``python tools/mutants.py [WORD...]``.

Each break is made in a copy of the checkout, where the tests that should fail run until the first failure, as
``tests/run.py`` runs them. Prints a line for each: ``killed``, ``ALIVE``, or ``gone`` if the file no longer has
the line; exits with 1 unless all are killed. A word selects the breaks with it in their file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SERVER = Path("server", "tdls")
NOT_COPIED = (".git", ".venv", "node_modules", "__pycache__", ".*_cache", "vscode-extension", "*.egg-info")
FAILED = 1
"""Exit status of pytest for tests that failed; others say that it did not run them."""


class Mutant(NamedTuple):
    """`line` of `file`, without indentation, becomes `broken`; `tests` are the files and folders that notice it."""

    file: str
    line: str
    broken: str
    tests: str


SCANNING = "tests/syntax/test_scanner.py tests/analysis/test_fixtures.py"
MUTANTS = (
    Mutant(
        "syntax/layout.py",
        r'return text.count("\n") if "\r" not in text else text.count("\n") + text.count("\r") - text.count("\r\n")',
        r'return text.count("\n")',
        "tests/syntax/test_layout.py",
    ),
    Mutant(
        "syntax/layout.py",
        'is_code = begin < stop and text[begin] != "/" and not text[begin].isspace()',
        "is_code = begin < stop",
        "tests/syntax/test_layout.py",
    ),
    Mutant(
        "syntax/scanner.py",
        "return None if ends_its_line else len(stack) - 1",
        "return len(stack) - 1",
        SCANNING,
    ),
    Mutant(
        "syntax/scanner.py",
        "if opener_indent < indent:",
        "if opener_indent > indent:",
        SCANNING,
    ),
    Mutant(
        "syntax/parser/operation_ends.py",
        'return first and parser.kinds[index + 1] == "("',
        "return first",
        "tests/syntax/parser/test_operation_ends.py",
    ),
    Mutant(
        "syntax/parser/operation_ends.py",
        "return kind == scanner.IDENTIFIER and parser.at_type(index)",
        "return False",
        "tests/syntax/parser/test_operation_ends.py",
    ),
    Mutant(
        "catalogue/catalogue.py",
        "return self.target is None or not definition.versions or self.target in definition.versions",
        "return self.target is None or self.target in definition.versions",
        "tests/catalogue/test_catalogue.py tests/analysis/test_target_versions.py",
    ),
    Mutant(
        "catalogue/catalogue.py",
        "return tuple(sorted(variants, key=lambda definition: not self.is_at_target(definition)))",
        "return variants",
        "tests/catalogue/test_catalogue.py tests/analysis/test_target_versions.py",
    ),
    Mutant(
        "catalogue/catalogue.py",
        "return next((variant for variant in variants if variant.format_known), variants[0] if variants else None)",
        "return variants[-1] if variants else None",
        "tests/catalogue/test_catalogue.py tests/analysis/test_target_versions.py",
    ),
    Mutant(
        "catalogue/catalogue.py",
        "return definition.default_dialect if definition else None",
        "return None",
        "tests/catalogue/test_catalogue.py tests/analysis/test_target_versions.py",
    ),
    Mutant(
        "catalogue/source.py",
        "for name in sorted(variants):",
        "for name in sorted(variants, reverse=True):",
        "tests/catalogue/test_catalogue.py tests/catalogue/documents",
    ),
    Mutant(
        "analysis/rules/language/operand_count.py",
        "if types is None or len(types) == values:",
        "if types is None or len(types) >= values:",
        "tests/analysis/test_fixtures.py tests/analysis/suppression",
    ),
    Mutant(
        "analysis/rules/language/operand_count.py",
        "return arities.count(Arity.ONE), None if is_unlimited else len(arities)",
        "return len(arities), None if is_unlimited else len(arities)",
        "tests/analysis/test_fixtures.py tests/analysis/rules",
    ),
    Mutant(
        "analysis/rules/transform/unused_handle.py",
        "if any(group.name.startswith(_ON_PURPOSE) for group in operation.syntax.results):",
        "if False:",
        "tests/analysis/test_fixtures.py tests/analysis/fixing",
    ),
    Mutant(
        "analysis/suppression/directives.py",
        "matches = [match for match in _DIRECTIVE.finditer(comment.text) if _is_meant(match)]",
        "matches = list(_DIRECTIVE.finditer(comment.text))",
        "tests/analysis/test_fixtures.py tests/analysis/suppression",
    ),
    Mutant(
        "analysis/file/effects.py",
        "known = frozenset(value for effect, value in effects if effect is HandleEffect.CONSUMES)",
        "known = frozenset()",
        "tests/analysis/test_fixtures.py",
    ),
    Mutant(
        "analysis/file/effects.py",
        "return HandleEffect.CONSUMES",
        "return HandleEffect.READS",
        "tests/analysis/test_fixtures.py",
    ),
    Mutant(
        "lsp/protocol/conversions.py",
        "column = encoding.units(file.line_text(line), column)",
        "pass",
        "tests/lsp/documents/test_diagnostics.py",
    ),
    Mutant(
        "lsp/documents/synchronization.py",
        "if params.text_document.version <= opened.version:",
        "if params.text_document.version < opened.version:",
        "tests/lsp/documents/test_synchronization.py",
    ),
    Mutant(
        "lsp/requests/semantic_tokens.py",
        "self.data[at] = line + piece.data[0] - self._line",
        "self.data[at] = line + piece.data[0]",
        "tests/lsp/requests/test_token_encoding.py",
    ),
    Mutant(
        "lsp/answers/diagnostic_items.py",
        "tags=[tag] if tag in shown.tags else None,",
        "tags=None,",
        "tests/lsp/documents/test_diagnostics.py",
    ),
    Mutant(
        "lsp/connection/conversion.py",
        "if kind is int and isinstance(value, float) and value.is_integer():",
        "if kind is int and isinstance(value, float):",
        "tests/lsp/test_invalid_requests.py",
    ),
    Mutant(
        "lsp/session/document_queue.py",
        "answers = takewhile(lambda job: job.gives_answer, waiting)",
        "answers = iter(list(waiting))",
        "tests/lsp/session tests/lsp/connection",
    ),
)


def verdict(mutant: Mutant, folder: Path) -> str:
    """Break the copy of the checkout in `folder`, run the tests, and mend it."""
    path = folder / SERVER / mutant.file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = [line for line in text.splitlines() if line.strip() == mutant.line]
    if len(lines) != 1:
        return "gone"
    indent = lines[0][: -len(mutant.line)]
    path.write_text(text.replace(lines[0] + "\n", f"{indent}{mutant.broken}\n"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutant.tests.split()]
    variables = {**os.environ, "PYTHONPATH": str(folder / "server")}
    done = subprocess.run(command, cwd=folder, env=variables, stdout=subprocess.PIPE, text=True, check=False)
    path.write_text(text, encoding="utf-8")
    if done.returncode != FAILED:
        return "ALIVE" if done.returncode == 0 else f"ALIVE: {done.stdout[-2000:]}"
    failure = next((line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), "")
    return f"killed by {failure.split(' - ')[0]}"


def main(words: list[str]) -> int:
    """Print what became of each mutant, and return the exit status."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "tdls")
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        left = 0
        for mutant in MUTANTS:
            if words and not any(word in mutant.file for word in words):
                continue
            said = verdict(mutant, folder)
            left += not said.startswith("killed")
            print(f"{mutant.file}: {mutant.line}\n    {said}", flush=True)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
