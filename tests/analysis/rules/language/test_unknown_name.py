"""Names of types: those of upstream's dialects are known, those of a project's own dialects may be anything."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import TypeDefinition
from tdls.catalogue.source import MemorySource

OWN = Catalogue([*Catalogue.shipped().sources, MemorySource("own", types=[TypeDefinition("lwe.ciphertext")])])


@pytest.mark.parametrize(
    ("spelled", "rules"),
    [("!lwe.ciphertex", []), ("!lwe.ciphertext", []), ("!gpu.async.tokn", ["unknown-name"]), ("!gpu.async.token", [])],
)
def test_only_types_of_upstream_are_misspelt(spelled: str, rules: list[str]) -> None:
    found = findings_in_file(SourceFile.of(f"func.func private @f({spelled})\n", OWN))
    assert [finding.rule for finding in found] == rules
