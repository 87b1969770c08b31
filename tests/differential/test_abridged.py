"""A text whose weights are shortened has the findings of the whole text, at the same places."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import check_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.payload.abridged import abridge

CONSTANT = '"test.a"(%a) : (f32) -> ()\n%b = arith.constant dense<{}> : tensor<{}>\n"test.b"(%none) : () -> ()'
HEX, ROW, ONES = "3F800000" * 3000, ", ".join(["-1.5e+00", "0x7FC00000"] * 400), ", ".join(["1"] * 8000)
TEXTS = {
    "right data": CONSTANT.format(f'"0x{HEX}"', "3000xf32"),
    "right rows": CONSTANT.format(f"[[{ROW}],\n [{ROW}]]", "2x800xf64"),
    "right integers": CONSTANT.format(f"[{ONES}]", "8000xi8"),
    "right global": f'memref.global @w : memref<3000xi32> = dense<"0x{HEX}">\n"test.b"(%none) : () -> ()',
    "right blob": f'"test.b"(%none) : () -> ()\n{{-# dialect_resources: {{ builtin: {{ w: "0x{HEX}" }} }} #-}}',
    "wrong size": CONSTANT.format(f'"0x{HEX}"', "3001xf32"),
    "wrong digit": CONSTANT.format(f'"0x{HEX}G0"', "3000xf32"),
    "wrong elements": CONSTANT.format(f"[{ONES}, 1.5, 300 3]", "8002xi8"),
}


@pytest.mark.parametrize(("name", "text"), TEXTS.items(), ids=TEXTS)
def test_findings_are_those_of_the_whole_text(name: str, text: str) -> None:
    abridged = abridge(text)
    assert (len(abridged.text) < 500) == name.startswith("right")
    of_whole, of_short = (check_file(SourceFile.of(each, Catalogue.shipped()))[0] for each in (text, abridged.text))
    assert [abridged.restored(finding) for finding in of_short] == of_whole
    assert any(finding.rule in ("syntax-error", "not-analysed") for finding in of_whole) == name.startswith("wrong")
