"""A payload in a file of its own gives a script the same findings as a payload in the script's file."""

from __future__ import annotations

from oracle.handles.scripts import HandleScript, handle_scripts
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue.shipped()


def test_findings_are_the_same() -> None:
    for script in handle_scripts(1, 60):
        assert found(in_two_files(script)) == found(in_one_file(script)), script.name


def in_one_file(script: HandleScript) -> SourceFile:
    library = [SourceFile.of(script.placed_library, CATALOGUE)] if script.library else []
    return SourceFile.of(script.text, CATALOGUE, libraries=library)


def in_two_files(script: HandleScript) -> SourceFile:
    """Return the script without its payload, which is in another file: its lines are those that change otherwise."""
    alone = script.on_payload("")
    lines = zip(script.text.splitlines(), alone.text.splitlines(), strict=True)
    payload = "\n".join(line for line, left in lines if line != left)
    assert "func" in payload
    return in_one_file(alone).with_payload(SourceFile.of(f"module {{\n{payload}\n}}\n", CATALOGUE))


def found(file: SourceFile) -> set[tuple[str, str, int]]:
    """Return rule, message and line of all findings."""
    findings = findings_in_file(file)
    return {(finding.rule, finding.message, file.position(finding.span.start).line) for finding in findings}
